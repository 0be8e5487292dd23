/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/value/json.h"
#include "support/suite.h"

#include <kube/kube.h>
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

static kube__json *parse(const char *text)
{
    const char *fault;
    kube__json *value = kube__json_parse(ctx, text, strlen(text), &fault, NULL, NULL);
    ck_assert_msg(value, "%s: %s", text, fault);
    return value;
}

static const char *again(const char *text)
{
    return kube__json_text(ctx, parse(text), NULL);
}

FIXTURE(set_up, tear_down);

TEST(text_comes_out_as_go_writes_it)
{
    static const char *const pairs[][2] = {
        {" { \"b\" : [ 1 , true , null , \"x\" ] , \"a\" : { } } ",
         "{\"b\":[1,true,null,\"x\"],\"a\":{}}"},
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"9223372036854775808", "9223372036854776000"},
        {"1.0", "1"},
        {"1e3", "1000"},
        {"-0", "0"},
        {"0.1", "0.1"},
        {"1e-9", "1e-9"},
        {"\"\\u00e9\\n\\/\\u0001\\ud83d\\ude00\\b\"", "\"\u00e9\\n/\\u0001\U0001f600\\b\""},
        {"[]", "[]"},
        {"\"\"", "\"\""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_str_eq(again(pairs[i][0]), pairs[i][1]);
}

TEST(what_is_no_value_is_refused_with_its_place)
{
    static const char *const pairs[][2] = {
        {"{\"a\":}", "byte 5"},
        {"{\"a\" 1}", "expected : at byte 5"},
        {"[1,]", "byte 3"},
        {"[1 2]", "expected , or ] at byte 3"},
        {"{1:2}", "expected a member's name at byte 1"},
        {"{\"a\":1", "byte 6"},
        {"", "unexpected end at byte 0"},
        {"1 2", "text after the value at byte 2"},
        {"\"abc", "byte"},
        {"{\"a\":\"\xff\"}", "byte"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *fault = NULL;
        ck_assert_ptr_null(
            kube__json_parse(ctx, pairs[i][0], strlen(pairs[i][0]), &fault, NULL, NULL));
        ck_assert_msg(fault && strstr(fault, pairs[i][1]), "%s: %s", pairs[i][0], fault);
    }
    ck_assert(!kube_ctx_failed(ctx));
}

TEST(deep_nesting_is_refused_not_followed)
{
    static char text[100000];
    const char *fault;
    memset(text, '[', sizeof text);
    ck_assert_ptr_null(kube__json_parse(ctx, text, sizeof text, &fault, NULL, NULL));
    ck_assert_ptr_nonnull(strstr(fault, "nested too deeply"));
}

static char told[256];

static void tell(void *arg, const char *path, const char *key)
{
    (void)arg;
    size_t len = strlen(told);
    snprintf(told + len, sizeof told - len, "<%s|%s>", path, key);
}

TEST(repeated_keys_are_told_and_the_last_one_wins)
{
    const char *text = "{\"a\":1,\"l\":[{\"x\":1},{\"y\":{\"z\":1,\"z\":2}}],\"a\":3}";
    told[0] = '\0';
    kube__json *value = kube__json_parse(ctx, text, strlen(text), NULL, tell, NULL);
    ck_assert_str_eq(told, "<l[1].y|z><|a>");
    ck_assert_str_eq(kube__json_text(ctx, value, NULL),
                     "{\"a\":3,\"l\":[{\"x\":1},{\"y\":{\"z\":2}}]}");
}

TEST(large_objects_are_read_and_their_repeats_found)
{
    kube__buffer text;
    kube__buffer_init(&text, SIZE_MAX / 2);
    kube__buffer_add_text(&text, "{");
    for (int i = 0; i < 50000; i++)
        kube__buffer_printf(&text, "\"k%d\":%d,", i, i);
    kube__buffer_add_text(&text, "\"k31\":\"again\"}");
    told[0] = '\0';
    kube__json *value = kube__json_parse(ctx, text.data, text.len, NULL, tell, NULL);
    kube__buffer_fini(&text);
    ck_assert_str_eq(told, "<|k31>");
    ck_assert_uint_eq(value->len, 50000);
    ck_assert_str_eq(kube__json_string_at(value, "k31"), "again");
}

TEST(members_are_found_set_and_removed)
{
    kube__json *object = parse("{\"metadata\":{\"name\":\"a\"},\"n\":7}");
    int64_t n;
    ck_assert_str_eq(kube__json_string_at(object, "metadata.name"), "a");
    ck_assert_str_eq(kube__json_string_at(object, "metadata.nope"), "");
    ck_assert(kube__json_to_int(kube__json_get(object, "n"), &n) && n == 7);
    ck_assert(!kube__json_to_int(parse("1.5"), &n));
    kube__json_set_string(ctx, object, "n", "seven");
    kube__json_set_int(ctx, kube__json_ensure_object(ctx, object, "spec"), "x", -1);
    ck_assert_ptr_nonnull(kube__json_remove(object, "metadata"));
    ck_assert_ptr_null(kube__json_remove(object, "metadata"));
    ck_assert_str_eq(kube__json_text(ctx, object, NULL), "{\"n\":\"seven\",\"spec\":{\"x\":-1}}");
    ck_assert_ptr_nonnull(kube__json_remove(object, "spec"));
    kube__json_set_bool(ctx, object, "z", true);
    ck_assert_str_eq(kube__json_text(ctx, object, NULL), "{\"n\":\"seven\",\"z\":true}");
}

TEST(elements_are_inserted_and_removed)
{
    kube__json *array = parse("[1,2]");
    ck_assert(kube__json_insert(array, 0, kube__json_int(ctx, 0)));
    ck_assert(kube__json_insert(array, 3, kube__json_int(ctx, 3)));
    ck_assert(!kube__json_insert(array, 5, kube__json_int(ctx, 9)));
    ck_assert_str_eq(kube__json_text(ctx, array, NULL), "[0,1,2,3]");
    ck_assert_ptr_nonnull(kube__json_remove_item(array, 3));
    ck_assert_ptr_nonnull(kube__json_remove_item(array, 0));
    ck_assert_ptr_null(kube__json_remove_item(array, 2));
    kube__json_append(array, kube__json_null(ctx));
    ck_assert_str_eq(kube__json_text(ctx, array, NULL), "[1,2,null]");
}

TEST(order_is_by_key_and_the_named_come_first)
{
    static const char *const first[] = {"kind", "missing", "apiVersion", NULL};
    kube__json *object =
        parse("{\"z\":{\"b\":1,\"a\":[{\"d\":1,\"c\":2}]},\"kind\":1,\"apiVersion\":2}");
    kube__json_sort(object);
    ck_assert_str_eq(kube__json_text(ctx, object, NULL),
                     "{\"apiVersion\":2,\"kind\":1,\"z\":{\"a\":[{\"c\":2,\"d\":1}],\"b\":1}}");
    kube__json_move_first(object, first);
    ck_assert_str_eq(kube__json_text(ctx, object, NULL),
                     "{\"kind\":1,\"apiVersion\":2,\"z\":{\"a\":[{\"c\":2,\"d\":1}],\"b\":1}}");
    kube__json_set_int(ctx, object, "end", 1);
    ck_assert_str_eq(object->last->key, "end");
}

TEST(equality_is_of_values)
{
    ck_assert(
        kube__json_equal(parse("{\"a\":1.0,\"b\":[\"x\"]}"), parse("{\"b\":[\"x\"],\"a\":1}")));
    ck_assert(!kube__json_equal(parse("{\"a\":1}"), parse("{\"a\":2}")));
    ck_assert(!kube__json_equal(parse("{\"a\":1}"), parse("{\"b\":1}")));
    ck_assert(!kube__json_equal(parse("[1,2]"), parse("[2,1]")));
    ck_assert(!kube__json_equal(parse("\"1\""), parse("1")));
    ck_assert(!kube__json_equal(parse("1"), NULL));
}

TEST(a_copy_holds_nothing_of_the_original)
{
    kube_ctx *other = kube_ctx_new();
    kube_ctx *from = other;
    const char *text = "{\"a\":[1,\"two\",{\"three\":true}]}";
    kube__json *copy =
        kube__json_copy(ctx, kube__json_parse(from, text, strlen(text), NULL, NULL, NULL));
    kube_ctx_free(other);
    ck_assert_str_eq(kube__json_text(ctx, copy, NULL), text);
}

static const kube__json *walk(const kube__json *object, const char *key)
{
    KUBE__JSON_EACH (child, object)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

/* Every key is found, or not, as a walk of the members finds it. */
static void check_members(const kube__json *object)
{
    char key[8];
    size_t found = 0;
    for (int i = 0; i < 80; i++) {
        snprintf(key, sizeof key, "k%d", i);
        const kube__json *member = walk(object, key);
        ck_assert_ptr_eq(kube__json_get(object, key), member);
        found += member != NULL;
    }
    ck_assert_uint_eq(object->len, found);
}

/* Beyond 16 members an object has an index, and keeps it when it has fewer again. */
TEST(members_are_found_when_an_object_has_grown_and_shrunk)
{
    static const struct {
        int first, last; /* the keys that are set, or removed when the last is before the first */
    } moves[] = {{0, 20}, {20, 2}, {30, 50}, {50, 1}, {0, 80}, {79, 0}, {0, 40}};
    kube__json *object = kube__json_object(ctx);
    char key[8];
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        bool grows = moves[i].first < moves[i].last;
        for (int at = moves[i].first; at != moves[i].last; at += grows ? 1 : -1) {
            snprintf(key, sizeof key, "k%d", at);
            if (grows)
                kube__json_set_int(ctx, object, key, at);
            else
                kube__json_remove(object, key);
            check_members(object);
        }
    }
}

TEST(null_is_taken_everywhere)
{
    ck_assert_ptr_null(kube__json_get(NULL, "a"));
    ck_assert_ptr_null(kube__json_at(NULL, "a.b"));
    ck_assert_ptr_null(kube__json_item(NULL, 0));
    ck_assert_ptr_null(kube__json_set(ctx, NULL, "a", kube__json_null(ctx)));
    ck_assert_ptr_null(kube__json_append(NULL, NULL));
    ck_assert_ptr_null(kube__json_copy(ctx, NULL));
    ck_assert_str_eq(kube__json_string_at(parse("[]"), "a"), "");
    kube__json_sort(NULL);
    KUBE__JSON_EACH (child, (kube__json *)NULL)
        ck_abort();
}
