/* SPDX-License-Identifier: Apache-2.0 */
#include "object_kit.h"
#include "random_object.h"

static const char *encode(const fixture_widget *w)
{
    const char *json = NULL;
    kube_error err;
    kube_code rc =
        kube_encode(ctx, &fixture_widget_type, &w->base, KUBE_ENCODE_PLAIN, &json, NULL, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    return json;
}

TEST(every_shape_comes_back_byte_for_byte)
{
    ck_assert_str_eq(encode(decode_widget(fixture_full_json)), fixture_full_json);
}

TEST(random_objects_come_back_equal)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        random_source source = {seed * 2654435761, ctx, false};
        fixture_widget w = {0};
        random_struct(&source, &fixture_widget_schema, &w);
        const char *json = encode(&w);
        fixture_widget *back = decode_widget(json);
        ck_assert_msg(kube_object_equal(&fixture_widget_type, &w.base, &back->base), "%s", json);
        ck_assert_str_eq(encode(back), json);
        ck_assert_ptr_null(kube_object_lost_path(&back->base));
        kube_ctx_reset(ctx);
    }
}

/* The spec of a widget, there and back. */
static const char *spec_back(const char *members)
{
    const char *json = encode(decode_widget(kube_printf(
        ctx, "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"spec\":{%s}}", members)));
    const char *text = NULL;
    kube_error err;
    kube_code rc =
        kube_path_get(ctx, &fixture_widget_type, &decode_widget(json)->base, "spec", &text, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    return text;
}

#define SPEC(before_leaf, after_strict)                                                            \
    "{\"priority\":0,\"on\":false,\"i32\":0,\"i64\":0,\"d\":0" before_leaf ",\"leaf\":{},"         \
    "\"strict\":{\"value\":0,\"leaf\":{}}" after_strict "}"

TEST(absent_empty_and_zero_stay_apart)
{
    ck_assert_str_eq(spec_back(""), SPEC("", ""));
    ck_assert_str_eq(spec_back("\"strings\":[],\"stringMap\":{},\"leaves\":[],\"leafMap\":{}"),
                     SPEC("", ",\"strings\":[],\"stringMap\":{},\"leaves\":[],\"leafMap\":{}"));
    ck_assert_str_eq(spec_back("\"optOn\":false,\"optI32\":0,\"optI64\":0,\"optD\":0"),
                     SPEC(",\"optOn\":false,\"optI32\":0,\"optI64\":0,\"optD\":0", ""));
    ck_assert_str_eq(spec_back("\"maybeOn\":false,\"maybeI32\":0"), SPEC("", ""));
    ck_assert_str_eq(spec_back("\"bytes\":\"\",\"leafPtr\":{},\"duration\":\"0s\",\"port\":0"),
                     "{\"priority\":0,\"on\":false,\"i32\":0,\"i64\":0,\"d\":0,"
                     "\"duration\":\"0s\",\"port\":0,\"bytes\":\"\",\"leaf\":{},\"leafPtr\":{},"
                     "\"strict\":{\"value\":0,\"leaf\":{}}}");
}

TEST(a_nul_comes_back)
{
    static const char json[] =
        "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"annotations\":"
        "{\"file\":\"\\u0000 a text of more than sixteen bytes "
        "\\u0000\"}},\"spec\":{\"priority\":0,"
        "\"text\":\"\\u0000\",\"on\":false,\"i32\":0,\"i64\":0,\"d\":0,\"leaf\":{},\"strict\":"
        "{\"value\":0,\"leaf\":{}},\"stringMap\":{\"k\":\"v\",\"k\\u0000\":\"\\u0000v\"},"
        "\"raws\":[\"\\u0000\"],\"termination\":0,\"u\\u0000\":\"\\u0000\"},\"status\":{";
    const char *text = encode(decode_widget(kube_printf(ctx, "%s}}", json)));
    ck_assert_int_eq(strncmp(text, json, sizeof json - 40), 0);
    ck_assert_str_eq(encode(decode_widget(text)), text);
}

TEST(integers_come_back_exactly)
{
    static const char *const texts[] = {"9223372036854775807",
                                        "-9223372036854775808",
                                        "9007199254740993",
                                        "-9007199254740993",
                                        "0",
                                        "-1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *member = kube_printf(ctx, "\"optI64\":%s", texts[i]);
        ck_assert_ptr_nonnull(strstr(spec_back(member), member));
    }
}

TEST(strings_come_back_in_their_shortest_escapes)
{
    static const struct {
        const char *in;
        const char *out;
    } cases[] = {
        {"\\u0041\\/", "A/"},
        {"\\\"\\\\\\b\\f\\n\\r\\t", "\\\"\\\\\\b\\f\\n\\r\\t"},
        {"\\u0001\\u001f\\u007f", "\\u0001\\u001f\x7f"},
        {"\\u00e9\\u20ac\\ud83d\\ude00", "\303\251\342\202\254\360\237\230\200"},
        {"\303\251\342\202\254\360\237\230\200", "\303\251\342\202\254\360\237\230\200"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_ptr_nonnull(strstr(spec_back(kube_printf(ctx, "\"text\":\"%s\"", cases[i].in)),
                                     kube_printf(ctx, ",\"text\":\"%s\",\"on\"", cases[i].out)));
}

TEST(unknown_members_come_back_at_every_depth)
{
    static const char members[] =
        "\"leaf\":{\"u\":{ \"v\": [1, null, 1e400]}},\"tree\":{\"left\":{\"left\":{\"w\":"
        "12345678901234567890123}},\"children\":[{\"x\":\"\\ud83d\\ude00\"}],\"named\":{\"n\":{"
        "\"y\":0.10}"
        "}},\"z\":true";
    const char *back = spec_back(members);
    ck_assert_ptr_nonnull(strstr(back, "\"leaf\":{\"u\":{ \"v\": [1, null, 1e400]}}"));
    ck_assert_ptr_nonnull(strstr(back, "{\"left\":{\"left\":{\"w\":12345678901234567890123}}"));
    ck_assert_ptr_nonnull(strstr(back, "\"named\":{\"n\":{\"y\":0.10}}"));
    ck_assert_ptr_nonnull(strstr(back, ",\"z\":true}"));
}

TEST(null_members_are_absent)
{
    ck_assert_str_eq(spec_back("\"text\":null,\"strings\":null,\"leafPtr\":null,\"optI32\":null,"
                               "\"leaf\":null,\"stringMap\":null,\"time\":null"),
                     SPEC("", ""));
}

TEST(maps_come_back_sorted)
{
    ck_assert_ptr_nonnull(strstr(spec_back("\"stringMap\":{\"b\":\"2\",\"a\":\"1\"}"),
                                 "\"stringMap\":{\"a\":\"1\",\"b\":\"2\"}"));
}
