/* SPDX-License-Identifier: Apache-2.0 */
#include "front/markers.h"
#include "gen_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static arena *in;
static diag *to;

static void setup(void)
{
    in = arena_new();
    to = diag_new();
}

static void teardown(void)
{
    diag_free(to);
    arena_free(in);
}

/* Reads a marker as if it stood in column 4 of line 7. */
static bool read(const char *text, marker *out)
{
    const comment_line line = {.text = text, .line = 7, .column = 4, .is_marker = true};
    return marker_parse(in, "types.h", &line, out, to);
}

static marker read_good(const char *text)
{
    marker out;
    bool ok = read(text, &out);
    if (!ok || diag_error_count(to) > 0)
        diag_print(to, stderr, false);
    ck_assert_msg(ok && diag_error_count(to) == 0, "%s", text);
    return out;
}

/* @want is `col: text`. */
static void check_error(const char *text, const char *want)
{
    marker out;
    char *said = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&said, &len);
    char expected[512];
    diag_free(to);
    to = diag_new();
    read(text, &out);
    diag_print(to, stream, false);
    fclose(stream);
    snprintf(expected, sizeof expected, "types.h:7:%.*s error: %s\n", (int)strcspn(want, " "), want,
             want + strcspn(want, " ") + 1);
    ck_assert_str_eq(said, expected);
    free(said);
}

static const marker_arg *find_arg(const marker *read, const char *name)
{
    for (size_t i = 0; i < read->arg_len; i++) {
        if (strcmp(read->args[i].spec->name, name) == 0)
            return &read->args[i];
    }
    ck_abort_msg("no argument %s", name);
    return NULL;
}

FIXTURE(setup, teardown);

TEST(every_row_of_the_table_is_complete)
{
    const marker_spec *spec;
    for (size_t i = 0; (spec = marker_at(i)) != NULL; i++) {
        ck_assert_msg(spec->name && *spec->name, "row %zu", i);
        ck_assert_msg(spec->places != 0, "%s has no place", spec->name);
        ck_assert_msg(spec->help && strchr(spec->help, '.'), "%s has no help", spec->name);
        ck_assert_int_eq(spec->usage[0], '+');
        ck_assert_ptr_eq(marker_find(spec->name), spec);
        ck_assert_msg((spec->syntax == MARKER_ARGS) == (spec->args != NULL), "%s", spec->name);
    }
}

TEST(usage_of_every_marker_can_be_read)
{
    const marker_spec *spec;
    for (size_t i = 0; (spec = marker_at(i)) != NULL; i++) {
        marker out = read_good(spec->usage);
        ck_assert_ptr_eq(out.spec, spec);
        ck_assert_uint_eq(out.id, spec->same_as         ? spec->same_as
                                  : i < MARKER_ID_COUNT ? (marker_id)i
                                                        : MARKER_ID_COUNT);
    }
}

TEST(inert_markers_are_not_read)
{
    static const char *const good[] = {
        "+kubebuilder:object:root:=true",
        "+k8s:prerelease-lifecycle-gen:replacement=apps,v1,Deployment",
        "+protobuf.options.(gogoproto.goproto_stringer)=false",
        "+unionMember,optional",
        "+k8s:openapi-gen=x-kubernetes-print-columns:custom-columns=\"NAME",
        "+deprecated",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_uint_eq(read_good(good[i]).spec->places, MARKER_INERT);
    check_error("+unionized", "4: unknown marker '+unionized'; 'kubegen explain' lists all");
    ck_assert_ptr_eq(marker_find("+k8s:prerelease-lifecycle-gen:introduced"),
                     marker_find("k8s:prerelease-lifecycle-gen"));
}

TEST(value_is_the_rest_of_the_line) /* G-1 */
{
    marker out = read_good("+groupName=samplecrd.k8s.io");
    ck_assert_str_eq(out.values[0].text, "samplecrd.k8s.io");
    ck_assert_uint_eq(out.values[0].loc.column, 15);
    ck_assert_uint_eq(out.values[0].loc.line, 7);
    out = read_good("+groupName=");
    ck_assert_str_eq(out.values[0].text, "");
    out = read_good("+kubebuilder:validation:Pattern=^[a-z]+ =,;$");
    ck_assert_str_eq(out.values[0].text, "^[a-z]+ =,;$");
}

TEST(longest_name_wins)
{
    ck_assert_uint_eq(read_good("+genclient").id, MARKER_GENCLIENT);
    ck_assert_uint_eq(read_good("+genclient:noStatus").id, MARKER_NO_STATUS);
    ck_assert_uint_eq(read_good("+k8s:deepcopy-gen:interfaces=a.B").id, MARKER_DEEPCOPY_INTERFACES);
    ck_assert_uint_eq(read_good("+kubebuilder:validation:MinLength=3").id, MARKER_MIN_LENGTH);
}

TEST(arguments_are_split_at_commas_outside_quotes)
{
    marker out = read_good("+kubebuilder:printcolumn:name=\"A, B\",type=string,"
                           "JSONPath=`.spec.a`,description=\"say \\\"a\\\"\",priority=1");
    ck_assert_uint_eq(out.arg_len, 5);
    ck_assert_str_eq(find_arg(&out, "name")->values[0].text, "A, B");
    ck_assert_str_eq(find_arg(&out, "JSONPath")->values[0].text, ".spec.a");
    ck_assert_str_eq(find_arg(&out, "description")->values[0].text, "say \"a\"");
    ck_assert_str_eq(find_arg(&out, "priority")->values[0].text, "1");
}

TEST(lists_are_split_at_semicolons_or_in_braces)
{
    static const char *const spellings[] = {
        "+kubebuilder:resource:shortName=a;b;\"c\",scope=Cluster",
        "+kubebuilder:resource:shortName={a,b,`c`},scope=Cluster",
        "+kubebuilder:resource:shortName={ a ; b , c } , scope=Cluster",
        "+kubebuilder:resource:scope=Cluster,shortName=a;b;c",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        marker out = read_good(spellings[i]);
        const marker_arg *names = find_arg(&out, "shortName");
        ck_assert_uint_eq(names->value_len, 3);
        ck_assert_str_eq(names->values[0].text, "a");
        ck_assert_str_eq(names->values[1].text, "b");
        ck_assert_str_eq(names->values[2].text, "c");
        ck_assert_str_eq(find_arg(&out, "scope")->values[0].text, "Cluster");
    }
}

TEST(quoted_pair_keeps_its_commas)
{
    marker out = read_good("+kubebuilder:metadata:annotations=\"k=v, with; comma=too\"");
    const marker_arg *pairs = find_arg(&out, "annotations");
    ck_assert_uint_eq(pairs->value_len, 1);
    ck_assert_str_eq(pairs->values[0].text, "k=v, with; comma=too");
    out = read_good("+kubebuilder:metadata:annotations=\"a=b\";\"c=d\",labels=e=f");
    ck_assert_uint_eq(find_arg(&out, "annotations")->value_len, 2);
    ck_assert_str_eq(find_arg(&out, "labels")->values[0].text, "e=f");
}

TEST(verbs_are_words)
{
    marker out = read_good("+genclient:onlyVerbs=get, list,updateStatus");
    ck_assert_uint_eq(out.value_len, 3);
    ck_assert_str_eq(out.values[1].text, "list");
    ck_assert_uint_eq(out.values[2].loc.column, 35);
}

TEST(literals_know_whether_they_were_quoted)
{
    marker out = read_good("+kubebuilder:validation:Enum={1,\"2\",three}");
    ck_assert_uint_eq(out.value_len, 3);
    ck_assert(!out.values[0].is_quoted);
    ck_assert(out.values[1].is_quoted);
    ck_assert_str_eq(out.values[1].text, "2");
    ck_assert_str_eq(out.values[2].text, "three");
}

TEST(colon_equals_is_accepted)
{
    ck_assert_str_eq(read_good("+kind:=Thing").values[0].text, "Thing");
    ck_assert_uint_eq(read_good("+kubebuilder:validation:Minimum:=3").id, MARKER_MINIMUM);
}

TEST(numbers_are_those_of_json)
{
    static const char *const good[] = {"0", "-1", "1.5", "1e3", "-0.5E-7", "9223372036854775807"};
    static const char *const bad[] = {"01", "+1", ".5", "1.", "1e", "0x10", "ten", "--1", "1 2"};
    char text[128];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "+kubebuilder:validation:Minimum=%s", good[i]);
        ck_assert_str_eq(read_good(text).values[0].text, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char want[128];
        snprintf(text, sizeof text, "+kubebuilder:validation:Minimum=%s", bad[i]);
        snprintf(want, sizeof want, "36: '%s' is not a number", bad[i]);
        check_error(text, want);
    }
}

TEST(errors_point_at_the_wrong_word)
{
    check_error("+genclient=true", "14: '+genclient' takes no value");
    check_error("+json", "4: '+json' needs a value: +json=podCIDR");
    check_error("+optional really", "14: '+optional' takes no value");
    check_error("+genclient:onlyVerbs=get,exlode",
                "29: 'exlode' is not a value of '+genclient:onlyVerbs', which is one of create, "
                "update, updateStatus, delete, deleteCollection, get, list, watch, patch, apply, "
                "applyStatus, getScale, updateScale");
    check_error("+kubebuilder:resource:scope=cluster",
                "32: 'cluster' is not a value of 'scope'; did you mean 'Cluster'?");
    check_error("+kubebuilder:resource:shortname=a",
                "26: '+kubebuilder:resource' has no argument 'shortname'; did you mean "
                "'shortName'?");
    check_error("+kubebuilder:resource:path=a,path=b", "33: 'path' is given twice");
    check_error("+kubebuilder:printcolumn:name=a,type=string",
                "4: '+kubebuilder:printcolumn' needs 'JSONPath='");
    check_error("+kubebuilder:metadata:annotations=\"a=b", "38: the string has no closing \"");
    check_error("+kubebuilder:metadata:labels=a", "33: 'a' is not of the form key=value");
}

TEST(unknown_markers_get_a_suggestion)
{
    check_error("+genclinet", "4: unknown marker '+genclinet'; did you mean '+genclient'?");
    check_error("+genclient:nostatus",
                "4: unknown marker '+genclient:nostatus'; did you mean '+genclient:noStatus'?");
    check_error("+kubebuilder:resorce:shortName=a",
                "4: unknown marker '+kubebuilder:resorce:shortName'; did you mean "
                "'+kubebuilder:resource'?");
    check_error("+nonNamespaced=true",
                "4: unknown marker '+nonNamespaced'; did you mean '+genclient:nonNamespaced'?");
    check_error("+readonly=true",
                "4: unknown marker '+readonly'; did you mean '+genclient:readonly'?");
    check_error("+noMethods=true",
                "4: unknown marker '+noMethods'; did you mean '+genclient:noVerbs'?");
    check_error("+zzz", "4: unknown marker '+zzz'; 'kubegen explain' lists all");
}
