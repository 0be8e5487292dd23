/* SPDX-License-Identifier: Apache-2.0 */
#include "object_kit.h"
#include "support/fail_malloc.h"

static const char *get(const fixture_widget *w, const char *path)
{
    const char *text = NULL;
    kube_error err;
    kube_code rc = kube_path_get(ctx, &fixture_widget_type, &w->base, path, &text, &err);
    ck_assert_msg(rc == KUBE_OK, "%s: %s", path, err.message);
    return text;
}

TEST(finds_every_kind_of_value)
{
    static const char *const cases[][2] = {
        {"apiVersion", "test.kube.dev/v1"},
        {"kind", "Widget"},
        {"metadata.name", "w-1"},
        {"metadata.generation", "9223372036854775807"},
        {"metadata.creationTimestamp", "2024-02-29T12:34:56Z"},
        {"metadata.labels['a.b/c']", "x"},
        {"metadata.labels[\"a.b/c\"]", "x"},
        {"metadata.labels.app", "web"},
        {"metadata.labels", "{\"a.b/c\":\"x\",\"app\":\"web\"}"},
        {"metadata.annotations.note", "line\none \"quoted\" \\ gr\303\274n \360\237\230\200"},
        {"metadata.ownerReferences[0].blockOwnerDeletion", "false"},
        {"metadata.finalizers", "[\"kube.dev/a\",\"kube.dev/b\"]"},
        {"metadata.finalizers[1]", "kube.dev/b"},
        {"spec.class", "gold"},
        {"spec.priority", "-9223372036854775808"},
        {"spec.on", "true"},
        {"spec.d", "0.1"},
        {"spec.optI32", "0"},
        {"spec.microTime", "2024-01-02T03:04:05.000006Z"},
        {"spec.duration", "1h0m30.5s"},
        {"spec.quantity", "1.50Gi"},
        {"spec.port", "25%"},
        {"spec.ports[0]", "80"},
        {"spec.bytes", "AAECAwQ="},
        {"spec.leaf.name", "l"},
        {"spec.leafPtr", "{\"name\":\"p\",\"x\":[{}]}"},
        {"spec.tree.left.left.value", "ll"},
        {"spec.tree.children[1].named", "{}"},
        {"spec.tree.named.n1.deep", "true"},
        {"spec.tags", "[]"},
        {"spec.bools[1]", "false"},
        {"spec.matrix[0][1]", "2"},
        {"spec.leafLists[1][0].name", "x"},
        {"spec.leafListMap.k[0].name", "n"},
        {"spec.i64MapMap.x.y", "2"},
        {"spec.stringMapMap['m']['a']", "b"},
        {"spec.terminationGracePeriodSecondsOverhead", "32"},
        {"spec['terminationGracePeriodSecondsOverride']", "31"},
        {"status.conditions[0].type", "Ready"},
        {"['spec'].text", "t"},
    };
    const fixture_widget *w = decode_widget(fixture_full_json);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(strcmp(get(w, cases[i][0]), cases[i][1]) == 0, "%s is %s, not %s",
                      cases[i][0], get(w, cases[i][0]), cases[i][1]);
}

TEST(looks_into_raw_json_and_extra_members)
{
    static const char *const cases[][2] = {
        {"spec.raw.any[0]", "1"},
        {"spec.raw.any[1]", "2.50"},
        {"spec.raw.any[2]", "\303\251"},
        {"spec.raw.any[3]", "null"},
        {"spec.raw", "{\"any\": [1, 2.50, \"\\u00e9\", null]}"},
        {"metadata.managedFields[0].fieldsV1['f:spec']['.']", "{}"},
        {"metadata.managedFields[0].fieldsV1['f:spec']['k:{\"type\":\"a\"}']", "{}"},
        {"spec.raws[2].a", "b"},
        {"spec.rawMap.r.s", "1"},
        {"spec.leaf.colour", "red"},
        {"spec.leaf.shape.sides", "3"},
        {"spec.leafPtr.x[0]", "{}"},
        {"spec.alsoUnknown[1].a", "null"},
        {"spec.strictPtr.leaf.unknown", "1e3"},
        {"topLevel", "kept"},
    };
    const fixture_widget *w = decode_widget(fixture_full_json);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(strcmp(get(w, cases[i][0]), cases[i][1]) == 0, "%s is %s, not %s",
                      cases[i][0], get(w, cases[i][0]), cases[i][1]);
}

TEST(reads_escapes_in_keys_and_values)
{
    static const char raw[] =
        "{\"it's\":1,\"\\u00e9\":2,\"a\\\\b\":3,\"\\ud83d\\ude00\":4,"
        "\"t\":\"\\ud83d\\ude00\\n\\u0000\\ud83d\\\"\",\"\\u0000\":8,\"\\u0000\":9}";
    kube_string_map_entry entries[] = {
        {"it's", "5"}, {"a\\b", "6"}, {"\"", "7"}, {KUBE_TEXT_NUL, "9"}};
    fixture_widget w = {
        .spec = {.raw = {raw, sizeof raw - 1}, .string_map = KUBE_LIST_OF(entries)},
    };
    ck_assert_str_eq(get(&w, "spec.raw['it\\'s']"), "1");
    ck_assert_str_eq(get(&w, "spec.raw[\"it's\"]"), "1");
    ck_assert_str_eq(get(&w, "spec.raw.\303\251"), "2");
    ck_assert_str_eq(get(&w, "spec.raw['a\\\\b']"), "3");
    ck_assert_str_eq(get(&w, "spec.raw['\360\237\230\200']"), "4");
    ck_assert_str_eq(get(&w, "spec.raw.t"), "\360\237\230\200\n" KUBE_TEXT_NUL "\\ud83d\"");
    ck_assert_str_eq(get(&w, "spec.raw['" KUBE_TEXT_NUL "']"), "9");
    ck_assert_str_eq(get(&w, "spec.stringMap['" KUBE_TEXT_NUL "']"), "9");
    ck_assert_str_eq(get(&w, "spec.stringMap['it\\'s']"), "5");
    ck_assert_str_eq(get(&w, "spec.stringMap['a\\\\b']"), "6");
    ck_assert_str_eq(get(&w, "spec.stringMap['\"']"), "7");
}

static void expect(const fixture_widget *w, const char *path, kube_code code, const char *message)
{
    const char *text = "before";
    kube_error err;
    kube_code rc = kube_path_get(ctx, &fixture_widget_type, &w->base, path, &text, &err);
    ck_assert_msg(rc == code, "%s: %s", path, kube_code_name(rc));
    ck_assert_ptr_null(text);
    if (message)
        ck_assert_str_eq(err.message, message);
    ck_assert_int_eq(kube_path_get(ctx, &fixture_widget_type, &w->base, path, &text, NULL), code);
}

TEST(says_when_there_is_nothing)
{
    static const char *const paths[] = {
        "nothing",
        "spec.nothing",
        "spec.text.more",
        "spec.text[0]",
        "spec[0]",
        "spec.strings[3]",
        "spec.strings.a",
        "spec.strings['0']",
        "spec.stringMap.a",
        "spec.stringMap[0]",
        "spec.leaves[2]",
        "spec.leaf.nothing",
        "spec.raw.none",
        "spec.raw[0]",
        "spec.raw.any[4]",
        "spec.raw.any.x",
        "spec.alsoUnknown[0].a",
        "kind.of",
        "kind[0]",
        "spec.leaf.shape.none",
        "spec.leafPtr.x[0][0]",
        "metadata.managedFields[1]",
        "spec.leaf.nam",
        "spec.leaf.names",
        "spec.ports[4294967295]",
    };
    const fixture_widget *w = decode_widget(fixture_full_json);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        expect(w, paths[i], KUBE_ERR_NOT_FOUND, NULL);
    expect(w, "spec.nothing", KUBE_ERR_NOT_FOUND, "widget has no spec.nothing");
}

TEST(finds_what_encoding_would_send)
{
    fixture_widget w = {0};
    ck_assert_str_eq(get(&w, "spec.i32"), "0");
    ck_assert_str_eq(get(&w, "spec.on"), "false");
    ck_assert_str_eq(get(&w, "metadata"), "{}");
    expect(&w, "spec.maybeI32", KUBE_ERR_NOT_FOUND, NULL);
    expect(&w, "spec.optI32", KUBE_ERR_NOT_FOUND, NULL);
    expect(&w, "spec.text", KUBE_ERR_NOT_FOUND, NULL);
    expect(&w, "spec.leafPtr", KUBE_ERR_NOT_FOUND, NULL);
    expect(&w, "spec.leafPtr.name", KUBE_ERR_NOT_FOUND, NULL);
    expect(&w, "spec.time", KUBE_ERR_NOT_FOUND, NULL);
    w.spec.raw = (kube_raw_json){"{\"a\":", 5};
    expect(&w, "spec.raw.a", KUBE_ERR_NOT_FOUND, NULL);
}

TEST(refuses_malformed_paths)
{
    static const char *const paths[] = {
        "",         ".",          ".spec",
        "spec.",    "spec..text", "spec[",
        "spec[]",   "spec]",      "spec[0",
        "spec[-1]", "spec[a]",    "spec['a",
        "spec['a'", "spec['a\"]", "spec['a']b",
        "spec.'a'", "spec[0]x",   "spec[99999999999999999999]",
        "spec[0 ]", "a'b",        "spec['a\\']",
    };
    fixture_widget w = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        expect(&w, paths[i], KUBE_ERR_ARGUMENT, NULL);
    expect(&w, "spec.", KUBE_ERR_ARGUMENT, "malformed path spec.");
}

TEST(names_the_path_of_what_cannot_be_encoded)
{
    const char *strings[] = {"a", "\377"};
    fixture_widget w = {.spec = {.text = "\377", .strings = KUBE_LIST_OF(strings)}};
    expect(&w, "spec.text", KUBE_ERR_ARGUMENT, "spec.text: not valid UTF-8");
    expect(&w, "spec.strings", KUBE_ERR_ARGUMENT, "spec.strings[1]: not valid UTF-8");
    expect(&w, "spec", KUBE_ERR_ARGUMENT, "spec.text: not valid UTF-8");
}

static bool path_step(void *arg)
{
    static const char *const paths[] = {"spec", "spec.raw.any", "kind", "spec.text"};
    kube_ctx *own = kube_ctx_new();
    bool done = own != NULL;
    for (size_t i = 0; done && i < sizeof paths / sizeof *paths; i++) {
        const char *text;
        done = kube_path_get(own, &fixture_widget_type, arg, paths[i], &text, NULL) == KUBE_OK;
    }
    kube_ctx_free(own);
    return done;
}

TEST(survives_every_failing_allocation)
{
    ck_assert_uint_ge(fail_malloc_replay(path_step, decode_widget(fixture_full_json)), 2);
}
