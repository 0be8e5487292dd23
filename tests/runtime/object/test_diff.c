/* SPDX-License-Identifier: Apache-2.0 */
#include "object_kit.h"
#include "random_object.h"
#include "support/fail_malloc.h"

#include <cjson/cJSON.h>

static const char *diff(const fixture_widget *a, const fixture_widget *b)
{
    const char *patch = NULL;
    size_t len = 0;
    kube_error err;
    kube_code rc = kube_diff(ctx, &fixture_widget_type, &a->base, &b->base, &patch, &len, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    ck_assert_uint_eq(strlen(patch), len);
    return patch;
}

/* A widget with this as the inside of its spec. */
static fixture_widget *with_spec(const char *members)
{
    return decode_widget(kube_printf(ctx,
                                     "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\","
                                     "\"spec\":{%s}}",
                                     members));
}

TEST(says_nothing_when_nothing_differs)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    ck_assert_str_eq(diff(w, w), "{}");
    ck_assert_str_eq(diff(w, decode_widget(fixture_full_json)), "{}");
}

TEST(says_what_differs_and_no_more)
{
    static const struct {
        const char *old;
        const char *new;
        const char *patch;
    } cases[] = {
        {"\"text\":\"a\"", "\"text\":\"b\"", "{\"text\":\"b\"}"},
        {"\"text\":\"a\"", "", "{\"text\":null}"},
        {"", "\"text\":\"\"", "{\"text\":\"\"}"},
        {"\"on\":true", "", "{\"on\":false}"},
        {"\"i64\":1", "\"i64\":9223372036854775807", "{\"i64\":9223372036854775807}"},
        /* an optional scalar becomes zero by being told so: removed, it might be defaulted */
        {"\"maybeI32\":5", "", "{\"maybeI32\":0}"},
        {"\"maybeOn\":true", "", "{\"maybeOn\":false}"},
        {"", "\"maybeI64\":5", "{\"maybeI64\":5}"},
        {"\"optI32\":5", "", "{\"optI32\":null}"},
        {"", "\"optI32\":0", "{\"optI32\":0}"},
        {"\"time\":\"2024-01-02T03:04:05Z\"", "", "{\"time\":null}"},
        {"\"port\":80", "\"port\":\"80\"", "{\"port\":\"80\"}"},
        {"\"leaf\":{\"name\":\"a\",\"weight\":1}", "\"leaf\":{\"name\":\"b\",\"weight\":1}",
         "{\"leaf\":{\"name\":\"b\"}}"},
        {"", "\"leafPtr\":{}", "{\"leafPtr\":{}}"},
        {"\"leafPtr\":{}", "", "{\"leafPtr\":null}"},
        {"\"leafPtr\":{\"name\":\"a\",\"sticky\":true}", "\"leafPtr\":{\"name\":\"a\"}",
         "{\"leafPtr\":{\"sticky\":null}}"},
        {"\"tree\":{\"left\":{\"left\":{\"value\":\"a\"}}}",
         "\"tree\":{\"left\":{\"left\":{\"value\":\"b\"}}}",
         "{\"tree\":{\"left\":{\"left\":{\"value\":\"b\"}}}}"},
        {"\"strings\":[\"a\",\"b\"]", "\"strings\":[\"a\"]", "{\"strings\":[\"a\"]}"},
        {"\"strings\":[\"a\"]", "\"strings\":[]", "{\"strings\":[]}"},
        {"\"strings\":[]", "", "{\"strings\":null}"},
        {"", "\"strings\":[]", "{\"strings\":[]}"},
        {"\"leaves\":[{\"name\":\"a\"},{\"name\":\"b\"}]",
         "\"leaves\":[{\"name\":\"a\"},{\"name\":\"c\"}]",
         "{\"leaves\":[{\"name\":\"a\"},{\"name\":\"c\"}]}"},
        {"\"stringMap\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}",
         "\"stringMap\":{\"a\":\"1\",\"b\":\"4\",\"d\":\"5\"}",
         "{\"stringMap\":{\"b\":\"4\",\"c\":null,\"d\":\"5\"}}"},
        {"\"stringMap\":{\"a\":\"1\"}", "\"stringMap\":{}", "{\"stringMap\":{\"a\":null}}"},
        {"\"stringMap\":{\"a\":\"1\"}", "", "{\"stringMap\":null}"},
        {"", "\"stringMap\":{}", "{\"stringMap\":{}}"},
        {"\"leafMap\":{\"a\":{\"name\":\"x\"}}", "\"leafMap\":{\"a\":{\"name\":\"y\"}}",
         "{\"leafMap\":{\"a\":{\"name\":\"y\"}}}"},
        {"\"i64MapMap\":{\"a\":{\"b\":1}}", "\"i64MapMap\":{\"a\":{}}",
         "{\"i64MapMap\":{\"a\":{\"b\":null}}}"},
        {"\"u\":1,\"v\":{\"a\":1,\"b\":2}", "\"v\":{\"b\":3,\"a\":1},\"w\":[]",
         "{\"v\":{\"b\":3},\"w\":[],\"u\":null}"},
        {"\"raw\":{\"a\":1,\"b\":{\"c\":2}}", "\"raw\":{\"b\":{\"c\":3},\"a\":1}",
         "{\"raw\":{\"b\":{\"c\":3}}}"},
        /* of members with one name the last counts */
        {"\"raw\":{\"a\":1,\"a\":2}", "\"raw\":{\"a\":3,\"a\":2}", ""},
        {"\"raw\":{\"a\":1,\"a\":2}", "\"raw\":{\"a\":2,\"a\":1}", "{\"raw\":{\"a\":1}}"},
        {"\"raw\":{\"a\":1,\"a\":2,\"b\":1}", "\"raw\":{\"b\":1}", "{\"raw\":{\"a\":null}}"},
        {"\"raw\":{ \"a\" : {\"]\":\"}\\\"\"} , \"b\" :[ {}, \"{\"]}", "\"raw\":{\"a\":{\"]\":0}}",
         "{\"raw\":{\"a\":{\"]\":0},\"b\":null}}"},
        {"\"raw\":{\"a\":1}", "\"raw\":{ }", "{\"raw\":{\"a\":null}}"},
        {"\"raw\":{\"a\":1}", "\"raw\":[1]", "{\"raw\":[1]}"},
        {"\"raw\":{\"a\":1}", "\"raw\":{ \"a\" : 1 }", ""},
        {"\"rawMap\":{\"r\":{\"a\":1}}", "\"rawMap\":{\"r\":{\"b\":1}}",
         "{\"rawMap\":{\"r\":{\"b\":1,\"a\":null}}}"},
        {"\"terminationGracePeriodSecondsOverride\":1", "",
         "{\"terminationGracePeriodSecondsOverride\":0}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *want =
            *cases[i].patch ? kube_printf(ctx, "{\"spec\":%s}", cases[i].patch) : "{}";
        ck_assert_str_eq(diff(with_spec(cases[i].old), with_spec(cases[i].new)), want);
    }
}

TEST(covers_metadata_and_status_but_not_the_type)
{
    fixture_widget a = {.base = {.type = &fixture_widget_type, NULL}, .metadata = {.name = "w"}};
    fixture_widget b = {
        .metadata = {.name = "w", .resource_version = "2"},
        .status = {.phase = "Ready"},
    };
    ck_assert_str_eq(diff(&a, &b), "{\"metadata\":{\"resourceVersion\":\"2\"},"
                                   "\"status\":{\"phase\":\"Ready\"}}");
}

TEST(escapes_keys)
{
    kube_string_map_entry entries[] = {{"a\"\n", "1"}};
    fixture_widget a = {.spec = {.string_map = {entries, 0}}};
    fixture_widget b = {.spec = {.string_map = KUBE_LIST_OF(entries)}};
    ck_assert_str_eq(diff(&a, &b), "{\"spec\":{\"stringMap\":{\"a\\\"\\n\":\"1\"}}}");
    ck_assert_str_eq(diff(&b, &a), "{\"spec\":{\"stringMap\":{\"a\\\"\\n\":null}}}");
}

/* A null for the old spelling would remove what the patch sets, and the last member counts. */
TEST(one_name_may_be_spelled_in_several_ways)
{
    static const struct {
        const char *before;
        const char *after;
        const char *patch;
    } cases[] = {
        {"{\"a\\u0062\":1}", "{\"ab\":2}", "{\"ab\":2}"},
        {"{\"ab\":1}", "{\"\\u0061b\":2,\"c\":3}", "{\"\\u0061b\":2,\"c\":3}"},
        {"{\"a\\u0062\":1}", "{\"\\u0061b\":1}", NULL},
        {"{\"ab\":1,\"a\\u0062\":2}", "{\"ab\":2}", NULL},
        {"{\"ab\":1}", "{\"\\u0061b\":2,\"a\\u0062\":1}", NULL},
        {"{\"\\u00e9\\/\":1}", "{\"\303\251/\":2}", "{\"\303\251/\":2}"},
        {"{\"\\ud83d\\ude00\":1}", "{\"\360\237\230\200\":2}", "{\"\360\237\230\200\":2}"},
        {"{\"a\\u0062\":1}", "{\"abc\":1}", "{\"abc\":1,\"a\\u0062\":null}"},
        {"{\"\\\\ud800\":1}", "{\"\\ud800\":1}", "{\"\\ud800\":1,\"\\\\ud800\":null}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *before = cases[i].before;
        const char *after = cases[i].after;
        const char *patch = cases[i].patch;
        fixture_widget a = {.spec = {.raw = {before, strlen(before)}}};
        fixture_widget b = {.spec = {.raw = {after, strlen(after)}}};
        const char *raw = patch ? kube_printf(ctx, "{\"spec\":{\"raw\":%s}}", patch) : "{}";
        ck_assert_str_eq(diff(&a, &b), raw);
        a = (fixture_widget){.spec = {.extra = {before + 1, strlen(before) - 2}}};
        b = (fixture_widget){.spec = {.extra = {after + 1, strlen(after) - 2}}};
        ck_assert_str_eq(diff(&a, &b), patch ? kube_printf(ctx, "{\"spec\":%s}", patch) : "{}");
        ck_assert_int_eq(kube_object_equal(&fixture_widget_type, &a.base, &b.base), !patch);
    }
}

/* Also one that is longer than what is hashed at once. */
TEST(a_long_name_may_be_spelled_in_several_ways)
{
    for (int len = 60; len < 200; len++) {
        const char *tail = kube_printf(ctx, "%0*d", len, 7);
        const char *before = kube_printf(ctx, "\"\\u0061\\u00e9%s\":1", tail);
        const char *after = kube_printf(ctx, "\"a\303\251%s\":1", tail);
        fixture_widget a = {.spec = {.extra = {before, strlen(before)}}};
        fixture_widget b = {.spec = {.extra = {after, strlen(after)}}};
        ck_assert_str_eq(diff(&a, &b), "{}");
    }
}

static void expect_error(const fixture_widget *a, const fixture_widget *b, const char *message)
{
    const char *patch = "before";
    kube_error err;
    ck_assert_int_eq(
        kube_diff(ctx, &fixture_widget_type, &a->base, b ? &b->base : NULL, &patch, NULL, &err),
        KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, message);
    ck_assert_ptr_null(patch);
}

TEST(names_the_path_of_what_cannot_be_sent)
{
    kube_string_map_entry twice[] = {{"b", "1"}, {"b", "3"}};
    fixture_leaf leaf = {.name = "\377"};
    fixture_leaf bad_extra = {.extra = {"x", 1}};
    fixture_widget a = {.spec = {.leaf_ptr = &(fixture_leaf){.name = "a"}}};
    fixture_widget b = {.spec = {.leaf_ptr = &leaf}};
    expect_error(&a, &b, "spec.leafPtr.name: not valid UTF-8");
    b.spec.leaf_ptr = &bad_extra;
    expect_error(&a, &b, "spec.leafPtr: extra members are not valid JSON");
    b = (fixture_widget){.spec = {.string_map = KUBE_LIST_OF(twice)}};
    a = (fixture_widget){.spec = {.string_map = {twice, 0}}};
    expect_error(&a, &b, "spec.stringMap['b']: map key comes twice");
    a = (fixture_widget){.spec = {.raw = {"{}", 2}}};
    b = (fixture_widget){.spec = {.raw = {"{", 1}}};
    expect_error(&a, &b, "spec.raw: not valid JSON");
    expect_error(&a, NULL, "cannot compare: there is no widget");
}

TEST(refuses_trees_without_end)
{
    fixture_tree x = {.value = "t"};
    fixture_tree y = {.value = "t"};
    fixture_widget a = {.spec = {.tree = &x}};
    fixture_widget b = {.spec = {.tree = &y}};
    const char *patch;
    kube_error err;
    x.left = &x;
    y.left = &y;
    ck_assert_int_eq(kube_diff(ctx, &fixture_widget_type, &a.base, &b.base, &patch, NULL, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "nested deeper than 200"));
}

/* ---- applied ------------------------------------------------------------------------------- */

/* RFC 7396 §2, word for word. Takes @target, borrows @patch. */
static cJSON *merge(cJSON *target, const cJSON *patch)
{
    if (!cJSON_IsObject(patch)) {
        cJSON_Delete(target);
        return cJSON_Duplicate(patch, true);
    }
    if (!target || !cJSON_IsObject(target)) {
        cJSON_Delete(target);
        target = cJSON_CreateObject();
    }
    for (const cJSON *member = patch->child; member; member = member->next) {
        cJSON *old = cJSON_DetachItemFromObjectCaseSensitive(target, member->string);
        if (cJSON_IsNull(member))
            cJSON_Delete(old);
        else
            cJSON_AddItemToObject(target, member->string, merge(old, member));
    }
    return target;
}

static cJSON *parsed(const fixture_widget *w)
{
    const char *json;
    kube_error err;
    kube_code rc =
        kube_encode(ctx, &fixture_widget_type, &w->base, KUBE_ENCODE_PLAIN, &json, NULL, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    cJSON *parsed_json = cJSON_Parse(json);
    ck_assert_ptr_nonnull(parsed_json);
    return parsed_json;
}

static size_t path_count;

static bool count_path(void *arg, const char *path)
{
    const fixture_widget *const *pair = arg;
    const char *text;
    /* It is there on one side at least, or is an optional scalar's zero. */
    kube_code in_old = kube_path_get(ctx, &fixture_widget_type, &pair[0]->base, path, &text, NULL);
    kube_code in_new = kube_path_get(ctx, &fixture_widget_type, &pair[1]->base, path, &text, NULL);
    ck_assert_msg(in_old == KUBE_OK || in_new == KUBE_OK, "%s", path);
    path_count++;
    return true;
}

TEST(applying_it_to_the_old_gives_the_new)
{
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        random_source source = {seed * 48271, ctx, true};
        fixture_widget a = {0};
        random_struct(&source, &fixture_widget_schema, &a);
        fixture_widget b = a;
        random_edit(&source, &fixture_widget_schema, &b, seed % 2 ? 5 : 60);

        const char *text = diff(&a, &b);
        cJSON *patch = cJSON_Parse(text);
        ck_assert_ptr_nonnull(patch);
        cJSON *merged = merge(parsed(&a), patch);
        char *merged_text = cJSON_PrintUnformatted(merged);
        /* Through decode, which does not tell an optional zero that was sent from one that was
         * not; members of raw JSON may stand in another order. */
        cJSON *got = parsed(decode_widget(merged_text));
        cJSON *want = parsed(&b);
        ck_assert_msg(cJSON_Compare(got, want, true), "%s\n%s", text, merged_text);

        const fixture_widget *pair[] = {&a, &b};
        path_count = 0;
        kube_diff_paths(&fixture_widget_type, &a.base, &b.base, count_path, pair, SIZE_MAX);
        ck_assert_int_eq(path_count == 0, strcmp(text, "{}") == 0);
        differing += path_count > 0;

        cJSON_free(merged_text);
        cJSON_Delete(got);
        cJSON_Delete(want);
        cJSON_Delete(merged);
        cJSON_Delete(patch);
        kube_ctx_reset(ctx);
    }
    ck_assert_uint_gt(differing, 400);
}

/* ---- paths --------------------------------------------------------------------------------- */

typedef struct paths {
    char text[1024];
    size_t count;
    size_t stop_at;
} paths;

static bool note_path(void *arg, const char *path)
{
    paths *p = arg;
    if (p->count > 0)
        strcat(p->text, " ");
    strcat(p->text, path);
    return ++p->count != p->stop_at;
}

static const char *paths_of(paths *p, const fixture_widget *a, const fixture_widget *b, size_t max)
{
    memset(p->text, 0, sizeof p->text);
    p->count = 0;
    kube_diff_paths(&fixture_widget_type, &a->base, &b->base, note_path, p, max);
    return p->text;
}

TEST(names_the_paths_that_differ)
{
    fixture_widget *a = with_spec("\"text\":\"a\",\"leaf\":{\"weight\":1},\"maybeI32\":1,"
                                  "\"stringMap\":{\"a.b/c\":\"1\",\"it's\":\"1\",\"same\":\"1\"},"
                                  "\"strings\":[\"a\"],\"u\":{\"v-1\":1,\"x y\":2,\"\\u00e9\":3},"
                                  "\"tree\":{\"left\":{}}");
    fixture_widget *b = with_spec("\"text\":\"b\",\"leaf\":{\"weight\":2},"
                                  "\"stringMap\":{\"a.b/c\":\"2\",\"same\":\"1\",\"z\":\"1\"},"
                                  "\"strings\":[\"b\"],\"u\":{\"v-1\":2},\"leafPtr\":{}");
    paths p = {.stop_at = 0};
    ck_assert_str_eq(paths_of(&p, a, b, 100),
                     "spec.text spec.maybeI32 spec.leaf.weight spec.leafPtr spec.tree spec.strings "
                     "spec.stringMap['a.b/c'] spec.stringMap['it\\'s'] spec.stringMap['z'] "
                     "spec.u.v-1 spec.u['x y'] spec.u['\303\251']");
    ck_assert_str_eq(paths_of(&p, a, b, 2), "spec.text spec.maybeI32");
    p.stop_at = 1;
    ck_assert_str_eq(paths_of(&p, a, b, 100), "spec.text");
    ck_assert_str_eq(paths_of(&p, a, b, 0), "");
    ck_assert_str_eq(paths_of(&p, a, a, 100), "");
}

TEST(paths_of_nothing_are_none)
{
    paths p = {.stop_at = 0};
    fixture_widget w = {0};
    kube_diff_paths(&fixture_widget_type, &w.base, NULL, note_path, &p, 10);
    kube_diff_paths(&fixture_widget_type, NULL, &w.base, note_path, &p, 10);
    ck_assert_uint_eq(p.count, 0);
}

TEST(paths_do_not_need_text_to_be_valid)
{
    paths p = {.stop_at = 0};
    fixture_widget a = {.spec = {.raw = {"{", 1}, .text = "\377"}};
    fixture_widget b = {.spec = {.raw = {"{}", 2}, .text = "\376", .i32 = 1}};
    ck_assert_str_eq(paths_of(&p, &a, &b, 10), "spec.text spec.i32 spec.raw");
}

/* ---- memory -------------------------------------------------------------------------------- */

static bool ignore_path(void *arg, const char *path)
{
    (void)arg;
    (void)path;
    return true;
}

static bool diff_step(void *arg)
{
    const fixture_widget *const *pair = arg;
    const char *patch;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_code rc =
        kube_diff(own, &fixture_widget_type, &pair[0]->base, &pair[1]->base, &patch, NULL, NULL);
    kube_diff_paths(&fixture_widget_type, &pair[0]->base, &pair[1]->base, ignore_path, NULL, 10);
    if (rc != KUBE_OK && rc != KUBE_ERR_NO_MEMORY)
        abort(); /* an assertion would allocate too */
    kube_ctx_free(own);
    return rc == KUBE_OK;
}

TEST(survives_every_failing_allocation)
{
    static char text[20000];
    kube_string_map_entry unsorted[] = {{"b", "1"}, {"a", "2"}};
    kube_string_map_entry others[] = {{"c", "1"}, {"a", "2"}};
    memset(text, 'x', sizeof text - 1);
    fixture_widget a = {.spec = {.string_map = KUBE_LIST_OF(unsorted), .extra = {"\"x\":1", 5}}};
    fixture_widget b = {.spec = {.text = text, .string_map = KUBE_LIST_OF(others)}};
    const fixture_widget *pair[] = {&a, &b};
    ck_assert_uint_ge(fail_malloc_replay(diff_step, pair), 7);
}
