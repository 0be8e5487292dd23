/* SPDX-License-Identifier: Apache-2.0 */
/* YAML and manifests into JSON: the values are those that kubectl made of the same text. */
#include "apiserver/server/manifest.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

static void assert_yaml(const char *text, const char *expected)
{
    const char *fault;
    kube__json *value = kube__api_yaml_parse(ctx, text, strlen(text), &fault, NULL, NULL);
    ck_assert_msg(value, "%s: %s", text, fault);
    ck_assert_str_eq(kube__json_text(ctx, value, NULL), expected);
}

static void assert_fault(const char *text, const char *expected)
{
    const char *fault;
    ck_assert_ptr_null(kube__api_yaml_parse(ctx, text, strlen(text), &fault, NULL, NULL));
    ck_assert_str_eq(fault, expected);
}

FIXTURE(set_up, tear_down);

TEST(plain_scalars_are_what_kubectl_takes_them_for)
{
    static const struct {
        const char *text;
        const char *expected;
    } cases[] = {
        {"", "null"},
        {"~", "null"},
        {"NULL", "null"},
        {"nULL", "\"nULL\""},
        {"y", "true"},
        {"Yes", "true"},
        {"on", "true"},
        {"tRUE", "\"tRUE\""},
        {"n", "false"},
        {"OFF", "false"},
        {"0644", "420"},
        {"0o17", "15"},
        {"0o8", "\"0o8\""},
        {"0_7", "7"},
        {"08", "8"},
        {"1_000", "1000"},
        {"_1", "\"_1\""},
        {"+1", "1"},
        {"-0x1F", "-31"},
        {"0b11", "3"},
        {"0x", "\"0x\""},
        {"--1", "\"--1\""},
        {"- 1", "[1]"},
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"1e3", "1000"},
        {".5", "0.5"},
        {"1.", "1"},
        {"-.5", "-0.5"},
        {"1.50", "1.5"},
        {"1e21", "1e+21"},
        {"1e-7", "1e-7"},
        {"1.2.3", "\"1.2.3\""},
        {"10.1.0.0/16", "\"10.1.0.0/16\""},
        {"1e", "\"1e\""},
        {".", "\".\""},
        {"2001-01-01", "\"2001-01-01\""},
        {"2026-11-21T06:00:00Z", "\"2026-11-21T06:00:00Z\""},
        {"500m", "\"500m\""},
        {"=", "\"=\""},
        {"\"yes\"", "\"yes\""},
        {"'1'", "\"1\""},
        {"!!str 5", "\"5\""},
        {"!!int \"5\"", "5"},
        {"\"\\u00e9\"", "\"\xc3\xa9\""},
        {"|\n  a\n  b\n", "\"a\\nb\\n\""},
        {">-\n  a\n  b\n", "\"a b\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_yaml(cases[i].text, cases[i].expected);
}

TEST(keys_become_text)
{
    assert_yaml("{y: 1, 5: 2, 1.5: 3, a b: 4}", "{\"true\":1,\"5\":2,\"1.5\":3,\"a b\":4}");
    assert_fault("? [a]\n: 1\n", "yaml: line 1: a key is a scalar that is not null");
    assert_fault("~: 1\n", "yaml: line 1: a key is a scalar that is not null");
}

TEST(aliases_and_merges_are_copies)
{
    assert_yaml("a: &x {b: 1}\nc: *x\n", "{\"a\":{\"b\":1},\"c\":{\"b\":1}}");
    assert_yaml("a: &x {b: 1, c: 2}\nd: {<<: *x, b: 3}\n",
                "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"b\":3,\"c\":2}}");
    /* go-yaml goes by the order in which they stand. */
    assert_yaml("a: &x {b: 1}\nd: {b: 3, <<: *x}\n", "{\"a\":{\"b\":1},\"d\":{\"b\":1}}");
    assert_yaml("a: &x {b: 1}\nc: &y {b: 2, d: 2}\ne: {<<: [*x, *y]}\n",
                "{\"a\":{\"b\":1},\"c\":{\"b\":2,\"d\":2},\"e\":{\"b\":1,\"d\":2}}");
    assert_fault("a: *x\n", "yaml: line 1: unknown anchor 'x' referenced");
    assert_fault("a: &x 1\nb: {<<: *x}\n",
                 "yaml: line 2: map merge requires map or sequence of maps as the value");
}

/* Each line nests the one above it a little deeper than a value may be written. */
TEST(aliases_do_not_nest_deeper_than_values)
{
    const char *fault;
    char text[1024] = "- &a0 ";
    size_t len = strlen(text);
    for (int i = 0; i < 3; i++) {
        memset(text + len, '[', 80);
        len += 80;
        if (i)
            len += (size_t)sprintf(text + len, "*a%d", i - 1);
        memset(text + len, ']', 80);
        len += 80;
        len += (size_t)sprintf(text + len, "\n- &a%d ", i + 1);
    }
    strcpy(text + len, "x\n");
    ck_assert_ptr_null(kube__api_yaml_parse(ctx, text, strlen(text), &fault, NULL, NULL));
    ck_assert_str_eq(fault, "yaml: line 3: nested deeper than 200");
}

TEST(a_bomb_of_aliases_is_refused)
{
    char text[2048] = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 10; i++) {
        size_t len = strlen(text);
        len += (size_t)sprintf(text + len, "a%d: &a%d [", i, i);
        for (int n = 0; n < 10; n++)
            len += (size_t)sprintf(text + len, "%s*a%d", n ? "," : "", i - 1);
        strcpy(text + len, "]\n");
    }
    const char *fault;
    ck_assert_ptr_null(kube__api_yaml_parse(ctx, text, strlen(text), &fault, NULL, NULL));
    ck_assert_ptr_nonnull(strstr(fault, "document contains excessive aliasing"));
}

static char *add_tags(char *to, int count)
{
    for (int i = 0; i < count; i++)
        to += sprintf(to, "%%TAG !a%d! tag:x\n", i);
    return to + sprintf(to, "--- ");
}

/* libyaml compares each with all others. */
TEST(a_document_has_at_most_100_tag_directives)
{
    static const char fault[] = "yaml: line 1: a document has at most 100 %TAG directives";
    static char text[1 << 20];
    const char *why;
    strcpy(add_tags(text, 100), "[1]\n");
    assert_yaml(text, "[1]");
    strcpy(add_tags(text, 101), "[1]\n");
    assert_fault(text, fault);
    strcpy(add_tags(text, 20000), "[1]\n");
    ck_assert_ptr_null(kube__api_yaml_parse(ctx, text, strlen(text), &why, NULL, NULL));
    ck_assert_ptr_nonnull(strstr(why, ": a document has at most 100 %TAG directives"));
    /* Text is none. */
    char *at = text + sprintf(text, "--- |\n");
    size_t before = (size_t)(add_tags(at, 1000) - text);
    strcpy(text + before - strlen("--- "), "...\n");
    ck_assert_ptr_nonnull(kube__api_yaml_parse(ctx, text, strlen(text), &why, NULL, NULL));
}

TEST(each_document_has_its_own_tag_directives)
{
    static char text[1 << 16];
    kube__api_manifest manifest;
    const char *fault;
    char *at = add_tags(text, 100);
    at += sprintf(at, "1\n...\n");
    strcpy(add_tags(at, 100), "2\n");
    ck_assert(kube__api_manifest_init(&manifest, text, strlen(text)));
    ck_assert_ptr_nonnull(kube__api_manifest_next(&manifest, ctx, &fault));
    ck_assert_ptr_nonnull(kube__api_manifest_next(&manifest, ctx, &fault));
    kube__api_manifest_fini(&manifest);
}

TEST(faults_name_the_line)
{
    assert_fault("a: 1\nb: c: d\n", "yaml: line 2: mapping values are not allowed in this context");
    assert_fault("a: [1, 2\nb: 3\n", "yaml: line 2: did not find expected ',' or ']'");
    assert_fault("a: .inf\n", "yaml: line 1: JSON has no number .inf");
    assert_fault("a: \"\\0\"\n", "yaml: line 1: a string cannot hold U+0000");
    assert_fault("a: !mine 1\n", "yaml: line 1: tag !mine has no meaning in JSON");
    char deep[1024];
    memset(deep, '[', 300);
    deep[300] = '\0';
    assert_fault(deep, "yaml: line 1: nested deeper than 200");
}

static char told[256];

static void tell(void *arg, const char *path, const char *key)
{
    (void)arg;
    size_t len = strlen(told);
    snprintf(told + len, sizeof told - len, "%s:%s ", path, key);
}

TEST(repeated_keys_are_told_with_their_path)
{
    static const char text[] = "a: 1\na: 2\nspec: {ports: [{q: 1, q: 2}, {o: 1, o: 2}]}\n";
    *told = '\0';
    kube__json *value = kube__api_yaml_parse(ctx, text, strlen(text), NULL, tell, NULL);
    ck_assert_str_eq(kube__json_text(ctx, value, NULL),
                     "{\"a\":2,\"spec\":{\"ports\":[{\"q\":2},{\"o\":2}]}}");
    ck_assert_str_eq(told, ":a spec.ports[0]:q spec.ports[1]:o ");
}

/* ---- manifests ------------------------------------------------------------------------------ */

/* All documents with their numbers and lines, then the fault. */
static void assert_manifest(const char *text, const char *expected)
{
    kube__api_manifest manifest;
    kube__json *value;
    const char *fault;
    char got[512] = "";
    ck_assert(kube__api_manifest_init(&manifest, text, strlen(text)));
    while ((value = kube__api_manifest_next(&manifest, ctx, &fault))) {
        size_t len = strlen(got);
        snprintf(got + len, sizeof got - len, "%zu@%zu %s\n", manifest.number, manifest.line,
                 kube__json_text(ctx, value, NULL));
    }
    if (fault)
        strncat(got, fault, sizeof got - strlen(got) - 1);
    kube__api_manifest_fini(&manifest);
    ck_assert_str_eq(got, expected);
}

TEST(documents_come_one_after_the_other)
{
    assert_manifest("", "");
    assert_manifest("# nothing\n", "");
    assert_manifest("a: 1\n---\n# empty\n---\nb: 2\n...\n---\nc: 3\n",
                    "1@1 {\"a\":1}\n2@4 null\n3@5 {\"b\":2}\n4@8 {\"c\":3}\n");
    assert_manifest("---\na: 1\n---\nb: [\n",
                    "1@2 {\"a\":1}\nyaml: line 5: did not find expected node content");
}

TEST(yaml_may_begin_with_a_brace)
{
    assert_manifest("{a: b}\n---\nc: 1\n", "1@1 {\"a\":\"b\"}\n2@3 {\"c\":1}\n");
    assert_manifest("{a: [}", "json: value at line 1: expected a member's name at byte 1");
}

TEST(json_values_need_nothing_between_them)
{
    assert_manifest("{\"a\":1}{\"b\":\"}{\"}\n\n {\"c\":[{\"d\":2}]}\n",
                    "1@1 {\"a\":1}\n2@1 {\"b\":\"}{\"}\n3@3 {\"c\":[{\"d\":2}]}\n");
    kube__api_manifest manifest;
    const char *fault;
    static const char cut[] = "{\"a\":1}\n{\"b\":";
    ck_assert(kube__api_manifest_init(&manifest, cut, strlen(cut)));
    ck_assert_ptr_nonnull(kube__api_manifest_next(&manifest, ctx, &fault));
    ck_assert_ptr_null(kube__api_manifest_next(&manifest, ctx, &fault));
    ck_assert_msg(strncmp(fault, "json: value at line 2: ", 23) == 0, "%s", fault);
    kube__api_manifest_fini(&manifest);
}
