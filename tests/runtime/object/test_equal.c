/* SPDX-License-Identifier: Apache-2.0 */
#include "object_kit.h"
#include "random_object.h"

#include <math.h>

/* A widget with this as the inside of its spec. */
static fixture_widget *with_spec(const char *members)
{
    return decode_widget(kube_printf(ctx,
                                     "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\","
                                     "\"spec\":{%s}}",
                                     members));
}

static bool equal(const fixture_widget *a, const fixture_widget *b)
{
    bool there = kube_object_equal(&fixture_widget_type, &a->base, &b->base);
    ck_assert_int_eq(there, kube_object_equal(&fixture_widget_type, &b->base, &a->base));
    return there;
}

TEST(objects_with_the_same_values_are_equal)
{
    ck_assert(equal(decode_widget(fixture_full_json), decode_widget(fixture_full_json)));
    for (uint64_t seed = 1; seed <= 100; seed++) {
        random_source a = {seed, ctx, false};
        random_source b = {seed, ctx, false};
        fixture_widget x = {0};
        fixture_widget y = {.base = {.type = &fixture_widget_type, NULL}};
        random_struct(&a, &fixture_widget_schema, &x);
        random_struct(&b, &fixture_widget_schema, &y);
        ck_assert(equal(&x, &y));
    }
}

TEST(any_value_that_differs_makes_objects_differ)
{
    static const char *const pairs[][2] = {
        {"", "\"text\":\"\""},
        {"\"text\":\"a\"", "\"text\":\"b\""},
        {"\"text\":\"a\"", "\"text\":\"ab\""},
        {"\"priority\":1", "\"priority\":2"},
        {"\"class\":\"a\"", ""},
        {"\"on\":true", "\"on\":false"},
        {"\"i32\":1", "\"i32\":-1"},
        {"\"i64\":9007199254740992", "\"i64\":9007199254740993"},
        {"\"d\":0.1", "\"d\":0.10000000000000002"},
        {"\"maybeI32\":1", ""},
        {"\"optOn\":false", ""},
        {"\"optOn\":false", "\"optOn\":true"},
        {"\"optI32\":0", ""},
        {"\"optI32\":0", "\"optI32\":1"},
        {"\"optI64\":0", "\"optI64\":4294967296"},
        {"\"optD\":0", ""},
        {"\"optD\":0", "\"optD\":0.5"},
        {"\"time\":\"2024-01-02T03:04:05Z\"", "\"time\":\"2024-01-02T03:04:06Z\""},
        {"\"time\":\"1970-01-01T00:00:00Z\"", ""},
        {"\"microTime\":\"2024-01-02T03:04:05.000001Z\"",
         "\"microTime\":\"2024-01-02T03:04:05.000002Z\""},
        {"\"duration\":\"0s\"", ""},
        {"\"duration\":\"1s\"", "\"duration\":\"2s\""},
        {"\"quantity\":\"1\"", "\"quantity\":\"1000m\""}, /* as text: that is what is sent */
        {"\"port\":80", "\"port\":\"80\""},
        {"\"port\":80", "\"port\":81"},
        {"\"port\":0", ""},
        {"\"bytes\":\"\"", ""},
        {"\"bytes\":\"AA==\"", "\"bytes\":\"AQ==\""},
        {"\"raw\":{}", ""},
        {"\"raw\":{}", "\"raw\":{ }"},
        {"\"raw\":1", "\"raw\":2"},
        {"\"leaf\":{\"name\":\"a\"}", "\"leaf\":{\"name\":\"b\"}"},
        {"\"leafPtr\":{}", ""},
        {"\"leafPtr\":{}", "\"leafPtr\":{\"weight\":1}"},
        {"\"tree\":{\"left\":{\"left\":{}}}", "\"tree\":{\"left\":{}}"},
        {"\"strings\":[]", ""},
        {"\"strings\":[\"a\"]", "\"strings\":[]"},
        {"\"strings\":[\"a\",\"b\"]", "\"strings\":[\"b\",\"a\"]"},
        {"\"stringMap\":{}", ""},
        {"\"stringMap\":{\"a\":\"1\"}", "\"stringMap\":{\"a\":\"2\"}"},
        {"\"stringMap\":{\"a\":\"1\"}", "\"stringMap\":{\"b\":\"1\"}"},
        {"\"stringMap\":{\"a\":\"1\"}", "\"stringMap\":{\"a\":\"1\",\"b\":\"1\"}"},
        {"\"bools\":[true]", "\"bools\":[false]"},
        {"\"i32s\":[1,2]", "\"i32s\":[1,3]"},
        {"\"optI32s\":[0]", "\"optI32s\":[null]"},
        {"\"doubles\":[1]", "\"doubles\":[1.5]"},
        {"\"leaves\":[{}]", "\"leaves\":[{},{}]"},
        {"\"leaves\":[{\"sticky\":true}]", "\"leaves\":[{\"sticky\":false}]"},
        {"\"leafLists\":[[]]", "\"leafLists\":[]"},
        {"\"matrix\":[[1],[2]]", "\"matrix\":[[1],[3]]"},
        {"\"i64MapMap\":{\"a\":{\"b\":1}}", "\"i64MapMap\":{\"a\":{\"b\":2}}"},
        {"\"leafMap\":{\"a\":{}}", "\"leafMap\":{\"a\":{\"name\":\"\"}}"},
        {"\"unknown\":1", ""},
        {"\"unknown\":1", "\"unknown\":2"},
        {"\"unknown\":1", "\"other\":1"},
        {"\"unknown\":1", "\"unknown\":1,\"other\":1"},
        {"\"leaf\":{\"x\":1}", "\"leaf\":{\"x\":12}"},
        {"\"terminationGracePeriodSecondsOverride\":1",
         "\"terminationGracePeriodSecondsOverhead\":1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ck_assert_msg(!equal(with_spec(pairs[i][0]), with_spec(pairs[i][1])), "%s and %s",
                      pairs[i][0], pairs[i][1]);
        for (size_t j = 0; j < 2; j++)
            ck_assert_msg(equal(with_spec(pairs[i][j]), with_spec(pairs[i][j])), "%s", pairs[i][j]);
    }
}

TEST(order_does_not_matter_where_there_is_none)
{
    kube_string_map_entry ab[] = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
    kube_string_map_entry ba[] = {{"c", "3"}, {"a", "1"}, {"b", "2"}};
    fixture_widget x = {.spec = {.string_map = KUBE_LIST_OF(ab)}};
    fixture_widget y = {.spec = {.string_map = KUBE_LIST_OF(ba)}};
    ck_assert(equal(&x, &y));
    ba[0].value = "4";
    ck_assert(!equal(&x, &y));
    ck_assert(equal(with_spec("\"p\":1,\"q\":{\"r\":2}"), with_spec("\"q\":{\"r\":2},\"p\":1")));
    ck_assert(!equal(with_spec("\"p\":1,\"q\":2"), with_spec("\"q\":1,\"p\":2")));
    x.spec.extra = (kube_extra){"\"p\":1,\"q\":2,\"p\":3", 17};
    y = (fixture_widget){
        .spec = {.string_map = KUBE_LIST_OF(ab), .extra = {"\"q\":2,\"p\":3", 11}}};
    ck_assert(equal(&x, &y)); /* the last one of a name counts */
    y.spec.extra = (kube_extra){"\"q\":2,\"p\":1", 11};
    ck_assert(!equal(&x, &y));
    y.spec.extra = (kube_extra){"\"q\":2,\"p\":", 10};
    ck_assert(!equal(&x, &y));
}

TEST(spelling_does_not_matter_where_c_has_a_value)
{
    ck_assert(equal(with_spec("\"time\":\"2024-01-02T03:04:05Z\""),
                    with_spec("\"time\":\"2024-01-02T04:04:05+01:00\"")));
    ck_assert(equal(with_spec("\"duration\":\"90s\""), with_spec("\"duration\":\"1m30s\"")));
    ck_assert(equal(with_spec("\"d\":1"), with_spec("\"d\":1.0")));
    ck_assert(equal(with_spec("\"text\":\"\\u0041\""), with_spec("\"text\":\"A\"")));
}

TEST(only_what_is_set_counts)
{
    fixture_widget x = {
        .spec = {.opt_i32 = {false, 1}, .time = {5, 6, false}, .opt_d = {false, 1}}};
    fixture_widget y = {.spec = {.opt_i32 = {false, 2}, .opt_on = {false, true}}};
    fixture_widget z = {.spec = {.port = {NULL, 3, false}, .duration = {4, false}}};
    ck_assert(equal(&x, &y));
    ck_assert(equal(&x, &z));
    x.spec.port = (kube_int_or_string){"a", 1, true};
    z.spec.port = (kube_int_or_string){"a", 2, false};
    ck_assert(equal(&x, &z));
}

TEST(doubles_equal_by_value_and_not_a_number_equals_itself)
{
    fixture_widget x = {.spec = {.d = 0.0}};
    fixture_widget y = {.spec = {.d = -0.0}};
    ck_assert(equal(&x, &y));
    x.spec.d = NAN;
    y.spec.d = NAN;
    ck_assert(equal(&x, &y));
    y.spec.d = 1;
    ck_assert(!equal(&x, &y));
}

TEST(base_does_not_count)
{
    fixture_widget *w = decode_widget(fixture_full_json);
    fixture_widget n = *w;
    n.base = (kube_object){NULL, NULL};
    ck_assert(equal(w, &n));
}

TEST(null_equals_only_null)
{
    fixture_widget w = {0};
    ck_assert(kube_object_equal(&fixture_widget_type, NULL, NULL));
    ck_assert(!kube_object_equal(&fixture_widget_type, &w.base, NULL));
    ck_assert(!kube_object_equal(&fixture_widget_type, NULL, &w.base));
}

TEST(a_tree_without_end_equals_only_itself)
{
    fixture_tree a = {.value = "t"};
    fixture_tree b = {.value = "t"};
    a.left = &a;
    b.left = &b;
    ck_assert(kube_schema_equal(&fixture_tree_schema, &a, &a));
    ck_assert(!kube_schema_equal(&fixture_tree_schema, &a, &b));
}

/* Whatever random_edit() changes is noticed: encoding tells whether it changed anything. */
TEST(equality_agrees_with_the_encoded_text)
{
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        random_source source = {seed * 31337, ctx, false};
        fixture_widget x = {0};
        const char *a;
        const char *b;
        random_struct(&source, &fixture_widget_schema, &x);
        fixture_widget y = x;
        random_edit(&source, &fixture_widget_schema, &y, 200);
        ck_assert_int_eq(
            kube_encode(ctx, &fixture_widget_type, &x.base, KUBE_ENCODE_PLAIN, &a, NULL, NULL),
            KUBE_OK);
        ck_assert_int_eq(
            kube_encode(ctx, &fixture_widget_type, &y.base, KUBE_ENCODE_PLAIN, &b, NULL, NULL),
            KUBE_OK);
        ck_assert_int_eq(equal(&x, &y), strcmp(a, b) == 0);
        differing += strcmp(a, b) != 0;
        kube_ctx_reset(ctx);
    }
    ck_assert_uint_gt(differing, 50);
    ck_assert_uint_lt(differing, 290);
}
