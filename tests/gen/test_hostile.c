/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents and markers that try to become code: every string of a document, every key of it and
 * every marker is replaced in turn. Either there is one line that says what is wrong and nothing is
 * written, or what is written has the tokens that such files have.
 */
#include "crd/crd_document.h"
#include "front/markers.h"
#include "gen_kit.h"
#include "hostile.h"
#include "import/import_api.h"
#include "rbac/rbac_read.h"
#include "rbac/rbac_write.h"
#include "render/render.h"
#include "support/utf8.h"
#include "support/xalloc.h"

#include <cjson/cJSON.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- documents ----------------------------------------------------------------------------- */

/* A header of types and nothing else. */
static const char header_tokens[] =
    "^#Ni#Di(#I<i([-/]i)*[.]i>)+"
    "(#Dis|tr?ii;|t?ri[{]((ch[*]|[id][*]?)i;)*[}]i?;|i[(]i[)];)*#E$";

static cJSON *document;
static cJSON *place;       /* the string that is being replaced */
static bool at_key;        /* or the key of it */
static size_t place_index; /* which one that is */

static void read_document(void)
{
    const char *source = getenv("KUBEGEN_SOURCE_DIR");
    char path[512];
    str text = {0};
    snprintf(path, sizeof path, "%s/tests/gen/import/document.json", source);
    ck_assert(str_read_file(&text, path));
    document = cJSON_Parse(str_text(&text));
    ck_assert_ptr_nonnull(document);
    str_free(&text);
}

static void free_document(void)
{
    cJSON_Delete(document);
}

/* Finds string number *@left of the tree, keys among them. */
static bool find_place(cJSON *node, size_t *left)
{
    for (; node; node = node->next) {
        place = node;
        at_key = true;
        if (node->string && (*left)-- == 0)
            return true;
        at_key = false;
        if (cJSON_IsString(node) && (*left)-- == 0)
            return true;
        if (find_place(node->child, left))
            return true;
    }
    return false;
}

static bool utf8_valid(const char *text)
{
    while (*text && utf8_len(text))
        text += utf8_len(text);
    return *text == '\0';
}

/* One line, and only if the import failed. */
static void check_error(bool ok, const str *error)
{
    ck_assert_int_eq(ok, error->len == 0);
    ck_assert_msg(utf8_is_plain(str_text(error)), "not one line: %s", str_text(error));
}

static void check_header(const char *text)
{
    regex_t grammar;
    str tokens = {0};
    hostile_check_plain(text);
    hostile_tokens(text, &tokens);
    ck_assert_int_eq(regcomp(&grammar, header_tokens, REG_EXTENDED | REG_NOSUB), 0);
    ck_assert_msg(regexec(&grammar, str_text(&tokens), 0, NULL, 0) == 0, "foreign tokens: %s\n%s",
                  str_text(&tokens), text);
    regfree(&grammar);
    str_free(&tokens);
}

/* Whether a compiler takes a header, and kubegen what stands in it. */
static void compile(const char *text)
{
    const char *source = getenv("KUBEGEN_SOURCE_DIR");
    loaded it = load_text("toys/v1/types.h", text);
    char command[1024];
    snprintf(command, sizeof command,
             "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c -I. -I'%s/apis' "
             "-I'%s/runtime/include' toys/v1/types.h 2>&1",
             source, source);
    ck_assert_msg(system(command) == 0, "does not compile:\n%s", text);
    unload(&it);
}

static void check_files(const output_set *files, str *last, size_t *differ)
{
    for (size_t i = 0; i < output_count(files); i++) {
        const char *path = output_path(files, i);
        const char *text = output_text(files, i);
        ck_assert_msg((str_has_prefix(path, "apis/") || strcmp(path, "schema.json") == 0) &&
                          !strstr(path, "..") && utf8_is_plain(path),
                      "a file at %s", path);
        if (strcmp(path, "schema.json") == 0) {
            hostile_check_plain(text);
            continue;
        }
        if (strcmp(text, str_text(last)) == 0)
            continue;
        check_header(text);
        if ((*differ)++ % 256 == 0)
            compile(text);
        str_clear(last);
        str_add(last, text);
    }
}

static void import_document(const char *json, size_t len, str *last, size_t *differ)
{
    static const char *kinds[] = {"HTTPGate", "Lens", "Question", "Widget"};
    static const char *types[] = {"Box[]"};
    const import_options options = {
        .group = "toys.example.com",
        .version = "v1",
        .output = place_index % 2 ? "apis/toys/v1" : NULL,
        .schema = place_index % 3 ? NULL : "schema.json",
        .kinds = {kinds, 4, 4},
        .types = {types, 1, 1},
        .docs = true,
        .own_all = place_index % 5 == 0,
    };
    str text = {(char *)(uintptr_t)json, len, 0};
    openapi *api = openapi_new();
    output_set *files = output_new();
    str error = {0};
    bool ok =
        openapi_add(api, "document", &text, &error) && import_api(&options, api, files, &error);
    check_error(ok, &error);
    if (ok)
        check_files(files, last, differ);
    str_free(&error);
    output_free(files);
    openapi_free(api);
}

/* The document with @hostile in place of a string, behind it or before it. */
static void import_changed(const char *hostile, size_t how, str *last, size_t *differ)
{
    char **slot = at_key ? &place->string : &place->valuestring;
    char *old = *slot;
    str changed = {0};
    char *json;
    str_printf(&changed, "%s%s%s", how == 1 ? old : "", hostile, how == 2 ? old : "");
    *slot = changed.data;
    json = cJSON_PrintUnformatted(document);
    *slot = old;
    str_free(&changed);
    import_document(json, strlen(json), last, differ);
    free(json);
}

FIXTURE(read_document, free_document);

TEST_TIMES(no_string_of_a_document_becomes_code, hostile_count)
{
    str last = {0};
    size_t differ = 0;
    size_t left;
    /* Every place sees every third text, in place of its own, behind it or before it. */
    place_index = (size_t)_i % 3;
    for (; (left = place_index, find_place(document->child, &left)); place_index += 3)
        import_changed(hostile_texts[_i], (place_index / 3 + (size_t)_i) % 3, &last, &differ);
    ck_assert_uint_gt(place_index, 500);
    ck_assert(differ > 3 || !utf8_valid(hostile_texts[_i]));
    str_free(&last);
}

TEST(zeros_and_long_texts_are_refused_or_harmless)
{
    static const char *const texts[] = {
        "{\"openapi\":\"3.0.0\",\"x\":\"\\u0000\"}",
        "{\"openapi\":\"3.0.0\",\"x\":\"\\\\\\u0000\"}",
        "{\"openapi\":\"3.0.0\",\"x\":1,\"x\":2,\"components\":{\"schemas\":{}}}",
    };
    static const char *const errors[] = {
        "document: a string with U+0000, which text in C cannot hold, at byte 24",
        "document: a string with U+0000, which text in C cannot hold, at byte 26",
        "document: #/x: this member is there twice",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        str text = {0};
        str error = {0};
        openapi *api = openapi_new();
        str_add(&text, texts[i]);
        ck_assert(!openapi_add(api, "document", &text, &error));
        ck_assert_str_eq(str_text(&error), errors[i]);
        openapi_free(api);
        str_free(&text);
        str_free(&error);
    }
}

/* An array of itself, and the like: refused, and the line ends with what is wrong. */
TEST(a_schema_that_has_no_end_is_refused)
{
    static const char *const schemas[] = {
        "{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/A\"}}",
        "{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/components/schemas/A\"}}",
    };
    static const char *kinds[] = {"Widget"};
    const import_options options = {.group = "toys.example.com",
                                    .version = "v1",
                                    .output = "apis/toys/v1",
                                    .kinds = {kinds, 1, 1}};
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        openapi *api = openapi_new();
        output_set *files = output_new();
        str text = {0};
        str error = {0};
        str_printf(
            &text,
            "{\"openapi\":\"3.0.0\",\"components\":{\"schemas\":{\"a.v1.Widget\":{\"type\":"
            "\"object\",\"x-kubernetes-group-version-kind\":[{\"group\":\"toys.example.com\","
            "\"version\":\"v1\",\"kind\":\"Widget\"}],\"properties\":{\"metadata\":{\"type\":"
            "\"object\"},\"a\":{\"$ref\":\"#/components/schemas/A\"}}},\"A\":%s}}}",
            schemas[i]);
        ck_assert(openapi_add(api, "document", &text, &error));
        ck_assert(!import_api(&options, api, files, &error));
        ck_assert(str_has_suffix(str_text(&error),
                                 ": this is nested deeper than 200, or holds itself without end"));
        openapi_free(api);
        output_free(files);
        str_free(&text);
        str_free(&error);
    }
}

TEST(a_very_long_text_is_no_name)
{
    static char text[100001];
    str last = {0};
    size_t differ = 0;
    size_t left;
    memset(text, 'x', sizeof text - 1);
    for (place_index = 0; (left = place_index, find_place(document->child, &left));
         place_index += 7)
        import_changed(text, place_index % 3, &last, &differ);
    str_free(&last);
}

/* ---- markers ------------------------------------------------------------------------------- */

/* Where a marker of a member stands. */
static int member;
static const char *const members[] = {"const char *text", "int32_t number",
                                      "things_v1_part_list list", "kube_string_map map"};
enum { MEMBER_COUNT = sizeof members / sizeof *members };

/* A header in which each marker can stand in its place. */
static void put_header(str *out, const marker_spec *spec, const char *line)
{
    bool is_field = (spec->places & MARKER_FIELD) != 0;
    bool is_type = !is_field && spec->places & MARKER_TYPE;
    if (!is_field && !is_type)
        str_printf(out, "%s\n", line);
    if (spec != &marker_specs[MARKER_GROUP_NAME])
        str_add(out, "// +groupName=things.example.com\n");
    str_add(out, "#pragma once\n#include <kube/meta.h>\n#define SAMPLECRD_V1_PHASE_A \"A\"\n"
                 "typedef struct things_v1_part {\n    const char *name;\n} things_v1_part;\n"
                 "KUBE_DECLARE_LIST(things_v1_part);\n"
                 "typedef struct things_v1_spec {\n    int32_t replicas;\n");
    for (int i = 0; i < MEMBER_COUNT; i++) {
        if (is_field && i == member)
            str_printf(out, "%s%s\n",
                       spec == &marker_specs[MARKER_LIST_MAP_KEY] ? "// +listType=map\n" : "",
                       line);
        str_printf(out, "    %s;\n", members[i]);
    }
    str_printf(out, "} things_v1_spec;\n// +genclient\n%s%s", is_type ? line : "",
               is_type ? "\n" : "");
    str_add(out, "typedef struct things_v1_thing {\n    kube_object base;\n"
                 "    kube_object_meta metadata;\n    things_v1_spec spec;\n} things_v1_thing;\n");
}

/* What a marker or an argument of it can hold, written in one of three ways. */
static void put_value(str *out, const char *text, int how)
{
    const char *quote = how == 0 ? "" : how == 1 ? "\"" : "`";
    str_add(out, quote);
    for (; *text; text++) {
        if (how == 1 && *text == '\n')
            str_add(out, "\\n");
        else if (how == 1 && (*text == '"' || *text == '\\'))
            str_printf(out, "\\%c", *text);
        else if (*text != '\n' && *text != '\r')
            str_add_char(out, *text);
    }
    str_add(out, quote);
}

/* What is generated of the header, and its CRD's events. */
typedef struct made {
    str tokens;
    str events;
} made;

static void check_messages(const char *messages)
{
    ck_assert_msg(strlen(messages) > 0, "an error without a message");
    for (const char *at = messages; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        str line = {0};
        str_add_len(&line, at, strcspn(at, "\n"));
        for (size_t i = 0; i < line.len; i++)
            if (line.data[i] == '\t')
                line.data[i] = ' ';
        ck_assert_msg(utf8_is_plain(str_text(&line)), "hidden in %s", str_text(&line));
        str_free(&line);
    }
}

/* False when the generator refuses the header. */
static bool make(const char *header, made *out)
{
    loaded it = load_text("things/v1/types.h", header);
    output_set *files = output_new();
    output_set *crds = output_new();
    diag *messages = diag_new();
    str error = {0};
    bool ok = it.model != NULL;
    if (ok) {
        ck_assert(render_package(it.model->packages[0], &(render_options){.out_root = "out"}, files,
                                 &error));
        crd_plan(it.model, &(crd_options){0}, "crd", crds, messages);
    } else {
        check_messages(it.messages);
    }
    ok = ok && diag_error_count(messages) == 0;
    for (size_t i = 0; ok && i < output_count(files); i++) {
        ck_assert(utf8_is_plain(output_path(files, i)) && !strstr(output_path(files, i), ".."));
        hostile_check_plain(output_text(files, i));
        hostile_tokens(output_text(files, i), &out->tokens);
    }
    for (size_t i = 0; ok && i < output_count(crds); i++) {
        ck_assert(utf8_is_plain(output_path(crds, i)) && !strstr(output_path(crds, i), ".."));
        hostile_check_plain(output_text(crds, i));
        hostile_events(output_text(crds, i), &out->events);
    }
    output_free(files);
    output_free(crds);
    diag_free(messages);
    unload(&it);
    return ok;
}

static void free_made(made *of)
{
    str_free(&of->tokens);
    str_free(&of->events);
}

/* A header with a marker that has the value, perhaps as an argument. */
static void put_case(str *out, const marker_spec *spec, const marker_arg_spec *arg,
                     const char *text, int how)
{
    str line = {0};
    str_printf(&line, "// +%s%s%s=", spec->name, arg ? ":" : "", arg ? arg->name : "");
    if (arg && arg->kind == MARKER_ARG_PAIRS)
        str_add(&line, how == 0 ? "key=" : how == 1 ? "\"key=" : "`key=");
    put_value(&line, text, how);
    if (arg && arg->kind == MARKER_ARG_PAIRS && how > 0)
        memmove(strstr(line.data, "key=") + 4, strstr(line.data, "key=") + 5,
                strlen(strstr(line.data, "key=") + 5) + 1);
    for (const marker_arg_spec *other = spec->args; other && other->name; other++)
        if (other != arg && other->is_required)
            str_printf(&line, ",%s=%s", other->name,
                       strstr(other->name, "path")   ? ".spec.replicas"
                       : strstr(other->name, "Path") ? "\".spec.text\""
                       : other->choices              ? other->choices[0]
                                                     : "word");
    put_header(out, spec, str_text(&line));
    str_free(&line);
}

static void check_marker(const marker_spec *spec, const marker_arg_spec *arg, size_t index,
                         const made *bare, size_t *taken)
{
    const char *text = hostile_texts[index];
    int how = (int)((index + (arg ? 1 : 0)) % 3);
    made hostile = {0};
    made usual = {0};
    str header = {0};
    put_case(&header, spec, arg, text, how);
    if (make(str_text(&header), &hostile)) {
        bool one_text = arg ? arg->kind == MARKER_ARG_TEXT : spec->syntax == MARKER_TEXT;
        ++*taken;
        ck_assert_msg(strcmp(str_text(&hostile.tokens), str_text(&bare->tokens)) == 0,
                      "foreign tokens from\n%s", str_text(&header));
        str_clear(&header);
        put_case(&header, spec, arg, "usual", how);
        if (one_text && make(str_text(&header), &usual))
            ck_assert_str_eq(str_text(&hostile.events), str_text(&usual.events));
    }
    free_made(&hostile);
    free_made(&usual);
    str_free(&header);
}

TEST_TIMES(no_marker_becomes_code, MARKER_ID_COUNT)
{
    const marker_spec *spec = &marker_specs[_i];
    made bare = {0};
    str header = {0};
    size_t taken = 0;
    if (spec->syntax == MARKER_BARE || spec->choices || spec->places & MARKER_ANYWHERE)
        return; /* nothing of it is written, or only words of a list; rules see below */
    /* The member that takes the marker as `kubegen explain` shows it, or the first one. */
    for (member = MEMBER_COUNT; member > 0 && !bare.tokens.len;) {
        char line[256];
        member--;
        snprintf(line, sizeof line, "// %s", spec->usage);
        str_clear(&header);
        put_header(&header, spec, line);
        make(str_text(&header), &bare);
    }
    free_made(&bare);
    str_clear(&header);
    put_header(&header, spec,
               _i == MARKER_GROUP_NAME     ? "// +groupName=a.example.com"
               : _i == MARKER_LIST_MAP_KEY ? "// +listMapKey=name"
                                           : "//");
    ck_assert(make(str_text(&header), &bare));
    for (size_t i = (size_t)_i % 3; i < hostile_count; i += 3) {
        if (!spec->args)
            check_marker(spec, NULL, i, &bare, &taken);
        for (const marker_arg_spec *arg = spec->args; arg && arg->name; arg++)
            if (!arg->choices && arg->kind != MARKER_ARG_COUNT)
                check_marker(spec, arg, i, &bare, &taken);
    }
    free_made(&bare);
    str_free(&header);
}

TEST_TIMES(no_rule_becomes_yaml, hostile_count)
{
    const marker_spec *spec = &marker_specs[MARKER_RBAC];
    for (const marker_arg_spec *arg = spec->args; arg->name; arg++) {
        for (int how = 0; how < 3; how++) {
            arena *in = arena_new();
            diag *messages = diag_new();
            rbac_roles roles = {0};
            str text = {0};
            str out = {0};
            str events = {0};
            str_printf(&text, "// +kubebuilder:rbac:%s%s%s=",
                       strcmp(arg->name, "verbs") == 0 ? "" : "verbs=get,",
                       strcmp(arg->name, "urls") == 0        ? ""
                       : strcmp(arg->name, "resources") == 0 ? "groups=apps,"
                       : strcmp(arg->name, "groups") == 0    ? "resources=pods,"
                                                             : "groups=apps,resources=pods,",
                       arg->name);
            put_value(&text, hostile_texts[_i], how);
            rbac_read(in, "file.c", str_text(&text), "role", &roles, messages);
            if (diag_error_count(messages) == 0 && roles.len) {
                rbac_write(in, &roles, "markers", NULL, &out);
                hostile_check_plain(str_text(&out));
                hostile_events(str_text(&out), &events);
            }
            for (size_t i = 0; i < roles.len; i++)
                free(roles.items[i].rules.items);
            free(roles.items);
            diag_free(messages);
            arena_free(in);
            str_free(&text);
            str_free(&out);
            str_free(&events);
        }
    }
}
