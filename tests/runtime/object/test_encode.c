/* SPDX-License-Identifier: Apache-2.0 */
#include "object/json/raw.h"
#include "object/json/writer.h"
#include "object_kit.h"
#include "support/fail_malloc.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

static const char *encode_as(const fixture_widget *w, kube_encode_mode mode)
{
    const char *json = NULL;
    size_t len = 0;
    kube_error err;
    kube_code rc = kube_encode(ctx, &fixture_widget_type, &w->base, mode, &json, &len, &err);
    ck_assert_msg(rc == KUBE_OK, "%s", err.message);
    ck_assert_uint_eq(strlen(json), len);
    return json;
}

static const char *encode(const fixture_widget *w)
{
    return encode_as(w, KUBE_ENCODE_PLAIN);
}

static void expect_error(const fixture_widget *w, const char *message)
{
    const char *json = "before";
    size_t len = 1;
    kube_error err;
    ck_assert_int_eq(
        kube_encode(ctx, &fixture_widget_type, &w->base, KUBE_ENCODE_PLAIN, &json, &len, &err),
        KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, message);
    ck_assert_ptr_null(json);
    ck_assert_uint_eq(len, 0);
}

/* Text and length of a literal. */
#define EXTRA(text) (text), sizeof(text) - 1

/* What a widget's spec and status hold at least: all that is required. */
#define REQUIRED_SCALARS "\"on\":false,\"i32\":0,\"i64\":0,\"d\":0"
#define SPEC_TAIL "\"strict\":{\"value\":0,\"leaf\":{}}"
#define HEAD "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{}"
#define TAIL ",\"status\":{\"strict\":{\"value\":0,\"leaf\":{}}}}"

/* The text of a widget with this in its spec, between its required members. */
#define WITH(before_leaf, after_strict)                                                            \
    HEAD ",\"spec\":{\"priority\":0," REQUIRED_SCALARS before_leaf                                 \
         ",\"leaf\":{}," SPEC_TAIL after_strict "}" TAIL

TEST(writes_required_members_and_nothing_absent)
{
    fixture_widget w = {0};
    ck_assert_str_eq(encode(&w), WITH("", ""));
}

TEST(keeps_empty_apart_from_absent) /* G-31 */
{
    const char *none[1] = {NULL};
    kube_string_map_entry no_entries[1] = {{NULL, NULL}};
    fixture_leaf no_leaves[1] = {{0}};
    fixture_leaf_map_entry no_leaf_entries[1] = {{0}};
    fixture_leaf leaf = {0};
    fixture_widget w = {
        .spec =
            {
                .text = "",
                .bytes = {(const unsigned char *)"", 0},
                .leaf_ptr = &leaf,
                .strings = {none, 0},
                .string_map = {no_entries, 0},
                .leaves = {no_leaves, 0},
                .leaf_map = {no_leaf_entries, 0},
            },
    };
    ck_assert_str_eq(encode(&w),
                     HEAD ",\"spec\":{\"priority\":0,\"text\":\"\"," REQUIRED_SCALARS
                          ",\"bytes\":\"\",\"leaf\":{},\"leafPtr\":{}," SPEC_TAIL
                          ",\"strings\":[],\"stringMap\":{},\"leaves\":[],\"leafMap\":{}}" TAIL);
}

TEST(sends_a_set_optional_even_when_it_is_zero)
{
    fixture_widget w = {
        .spec =
            {
                .opt_on = KUBE_SOME(false),
                .opt_i32 = KUBE_SOME(0),
                .opt_i64 = KUBE_SOME(0),
                .opt_d = KUBE_SOME(0),
                .maybe_on = true,
                .maybe_i32 = 1,
                .maybe_i64 = 2,
                .maybe_d = 0.5,
            },
    };
    ck_assert_str_eq(encode(&w), WITH(",\"maybeOn\":true,\"maybeI32\":1,\"maybeI64\":2,"
                                      "\"maybeD\":0.5,\"optOn\":false,\"optI32\":0,\"optI64\":0,"
                                      "\"optD\":0",
                                      ""));
}

TEST(writes_the_extremes_of_integers)
{
    int64_t i64s[] = {INT64_MIN, INT64_MAX, 9007199254740993, -1, 0, 10, -1000000000000000000};
    int32_t i32s[] = {INT32_MIN, INT32_MAX, 9, -10};
    fixture_widget w = {.spec = {.i64s = KUBE_LIST_OF(i64s), .i32s = KUBE_LIST_OF(i32s)}};
    ck_assert_str_eq(encode(&w), WITH("", ",\"i32s\":[-2147483648,2147483647,9,-10],"
                                          "\"i64s\":[-9223372036854775808,9223372036854775807,"
                                          "9007199254740993,-1,0,10,-1000000000000000000]"));
}

TEST(writes_every_kind_of_scalar)
{
    static const unsigned char bytes[] = {0xff, 0xef, 0, 1};
    fixture_widget w = {
        .spec =
            {
                .time = {1709210096, 0, true},
                .micro_time = {1704164645, 6000, true},
                .duration = {3630500000000, true},
                .quantity = {"1.50Gi"},
                .port = {NULL, 8080, true},
                .bytes = {bytes, 4},
                .raw = {"{\"any\": [1]} tail", 12},
            },
    };
    const char *all = WITH(",\"time\":\"2024-02-29T12:34:56Z\","
                           "\"microTime\":\"2024-01-02T03:04:05.000006Z\","
                           "\"duration\":\"1h0m30.5s\",\"quantity\":\"1.50Gi\",\"port\":8080,"
                           "\"bytes\":\"/+8AAQ==\",\"raw\":{\"any\": [1]}",
                           "");
    ck_assert_str_eq(encode(&w), all);
    w = (fixture_widget){.spec = {.port = {"25%", 7, false}}};
    ck_assert_str_eq(encode(&w), WITH(",\"port\":\"25%\"", ""));
}

TEST(refuses_years_that_rfc_3339_cannot_write)
{
    fixture_widget w = {.spec = {.time = {253402300799, 0, true}}};
    ck_assert_ptr_nonnull(strstr(encode(&w), "\"time\":\"9999-12-31T23:59:59Z\""));
    w.spec.time.sec++;
    ck_assert_ptr_nonnull(strstr(encode(&w), "\"time\":\"9999-12-31T23:00:00-01:00\""));
    w.spec.time.sec += 90000; /* no zone is that far from UTC */
    expect_error(&w, "spec.time: year has not four digits");
    w.spec.time.sec = INT64_MIN;
    expect_error(&w, "spec.time: year has not four digits");
    w = (fixture_widget){.spec = {.micro_time = {INT64_MAX, 0, true}}};
    expect_error(&w, "spec.microTime: year has not four digits");
}

TEST(writes_base64_of_every_length)
{
    static const char *const texts[] = {"", "AA==", "AAE=", "AAEC", "AAECAw==", "AAECAwQ="};
    static const unsigned char data[] = {0, 1, 2, 3, 4};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char want[1024];
        fixture_widget w = {.spec = {.bytes = {data, i}}};
        snprintf(want, sizeof want, WITH(",\"bytes\":\"%s\"", ""), texts[i]);
        ck_assert_str_eq(encode(&w), want);
    }
}

TEST(writes_names_longer_than_the_table_has_room_for)
{
    fixture_widget w = {.spec = {.termination = 1, .override_ = 2, .overhead = 3}};
    ck_assert_str_eq(encode(&w), WITH("", ",\"terminationGracePeriodSeconds\":1,"
                                          "\"terminationGracePeriodSecondsOverride\":2,"
                                          "\"terminationGracePeriodSecondsOverhead\":3"));
}

TEST(puts_extra_members_back_at_the_end_of_their_struct)
{
    fixture_leaf leaves[] = {{.name = "a", .extra = {EXTRA("\"x\": {\"y\":null},\"z\":1")}}};
    fixture_tree tree = {.value = "t", .extra = {EXTRA("\"deep\":true")}};
    fixture_widget w = {
        .spec = {.leaves = KUBE_LIST_OF(leaves), .tree = &tree, .extra = {EXTRA("\"u\":[]")}},
        .extra = {EXTRA("\"top\":0")},
    };
    ck_assert_str_eq(encode(&w),
                     HEAD ",\"spec\":{\"priority\":0," REQUIRED_SCALARS ",\"leaf\":{}," SPEC_TAIL
                          ",\"tree\":{\"value\":\"t\",\"deep\":true},\"leaves\":[{\"name\":\"a\","
                          "\"x\": {\"y\":null},\"z\":1}],\"u\":[]},"
                          "\"status\":{\"strict\":{\"value\":0,\"leaf\":{}}},\"top\":0}");
}

TEST(sorts_maps_by_key)
{
    kube_string_map_entry labels[] = {{"b", "2"}, {"a.b/c", "1"}, {"\303\251", "4"}, {"c", "3"}};
    fixture_leaf_map_entry leaves[] = {{"z", {.name = "1"}}, {"y", {.name = "2"}}};
    fixture_widget w = {
        .metadata = {.labels = KUBE_LIST_OF(labels)},
        .spec = {.leaf_map = KUBE_LIST_OF(leaves)},
    };
    const char *json = encode(&w);
    ck_assert_ptr_nonnull(
        strstr(json, "{\"a.b/c\":\"1\",\"b\":\"2\",\"c\":\"3\",\"\303\251\":\"4\"}"));
    ck_assert_ptr_nonnull(strstr(json, "\"leafMap\":{\"y\":{\"name\":\"2\"},\"z\":{\"name\""));
    ck_assert_str_eq(labels[0].key, "b"); /* the object itself is left alone */
}

TEST(writes_absent_elements_as_null)
{
    const char *strings[] = {"a", NULL};
    kube_string_map_entry entries[] = {{"k", NULL}};
    kube_time times[] = {{0}};
    kube_int_or_string ports[] = {{0}};
    fixture_widget w = {
        .spec =
            {
                .strings = KUBE_LIST_OF(strings),
                .string_map = KUBE_LIST_OF(entries),
                .times = KUBE_LIST_OF(times),
                .ports = KUBE_LIST_OF(ports),
            },
    };
    ck_assert_str_eq(encode(&w), WITH("", ",\"strings\":[\"a\",null],\"stringMap\":{\"k\":null},"
                                          "\"times\":[null],\"ports\":[null]"));
}

/* A type whose struct by value may be left out. */
typedef struct holder {
    kube_object base;
    kube_object_meta metadata;
    fixture_strict strict; /* +optional */
} holder;
static const kube_field holder_fields[] = {
    KUBE_PART(holder, metadata, "metadata", STRUCT, REQUIRED, kube_object_meta, 0),
    KUBE_PART(holder, strict, "strict", STRUCT, OPTIONAL, fixture_strict, 1),
};
static const kube_schema *const holder_subs[] = {&kube_object_meta_schema, &fixture_strict_schema};
static const kube_schema holder_schema = KUBE_STRUCT_SCHEMA(holder, holder_fields, holder_subs);
static const kube_type holder_type = {
    .api_version = "v1",
    .kind = "Holder",
    .singular = "holder",
    .schema = &holder_schema,
    .metadata_offset = offsetof(holder, metadata),
};

TEST(leaves_out_an_optional_struct_that_is_all_zero)
{
    holder h = {0};
    const char *json = NULL;
    ck_assert_int_eq(kube_encode(ctx, &holder_type, &h.base, KUBE_ENCODE_PLAIN, &json, NULL, NULL),
                     KUBE_OK);
    ck_assert_str_eq(json, "{\"apiVersion\":\"v1\",\"kind\":\"Holder\",\"metadata\":{}}");
    h.strict.leaf.extra = (kube_extra){EXTRA("\"x\":1")};
    ck_assert_int_eq(kube_encode(ctx, &holder_type, &h.base, KUBE_ENCODE_PLAIN, &json, NULL, NULL),
                     KUBE_OK);
    ck_assert_str_eq(json, "{\"apiVersion\":\"v1\",\"kind\":\"Holder\",\"metadata\":{},"
                           "\"strict\":{\"value\":0,\"leaf\":{\"x\":1}}}");
}

/* ---- strings ------------------------------------------------------------------------------- */

/* Escaping one byte at a time, as the writer would do it had it all day. */
static void escape_plainly(char *out, const char *s, size_t len)
{
    *out++ = '"';
    for (size_t i = 0; i < len; i++) {
        const char *letter = s[i] ? strchr("\bb\ff\nn\rr\tt", s[i]) : NULL;
        if (s[i] == '"' || s[i] == '\\')
            out += sprintf(out, "\\%c", s[i]);
        else if ((unsigned char)s[i] >= 0x20)
            *out++ = s[i];
        else if (letter)
            out += sprintf(out, "\\%c", letter[1]);
        else
            out += sprintf(out, "\\u%04x", (unsigned)(unsigned char)s[i]);
    }
    strcpy(out, "\"");
}

static void check_string(const char *s, size_t len)
{
    char want[512];
    kube__writer w;
    escape_plainly(want, s, len);
    kube__writer_init(&w);
    ck_assert_int_eq(kube__write_string(&w, s, len), KUBE__WRITTEN);
    *w.at = '\0';
    ck_assert_str_eq(w.start, want);
    kube__writer_fini(&w);
}

TEST(escapes_each_byte_wherever_it_stands)
{
    for (size_t len = 1; len <= 50; len++) {
        /* Exactly as long as the string: a read beyond it is seen by the sanitizer. */
        char *s = malloc(len);
        for (size_t at = 0; at < len; at++) {
            for (int c = 0; c < 0x80; c++) {
                memset(s, 'a', len);
                s[at] = (char)c;
                check_string(s, len);
            }
            if (at + 2 <= len) {
                memset(s, 'b', len);
                memcpy(s + at, "\303\251", 2);
                check_string(s, len);
                memcpy(s, "\"", 1);
                if (at > 0)
                    check_string(s, len);
            }
        }
        memset(s, '\\', len);
        check_string(s, len);
        free(s);
    }
}

TEST(keeps_well_formed_utf8)
{
    static const char *const texts[] = {
        "\302\200",         "\337\277",         "\340\240\200",
        "\355\237\277",     "\356\200\200",     "\357\277\277",
        "\360\220\200\200", "\364\217\277\277", "na\303\257ve \360\237\230\200 \342\200\250",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_string(texts[i], strlen(texts[i]));
}

TEST(refuses_malformed_utf8_and_names_the_path)
{
    static const char *const texts[] = {
        "\200",
        "\277",
        "\301\277",
        "\302",
        "\302x",
        "\340\200\200",
        "\340\237\277",
        "\342\202",
        "\342\202x",
        "\355\240\200",
        "\355\277\277",
        "\360\200\200\200",
        "\360\217\277\277",
        "\360\237\230",
        "\364\220\200\200",
        "\365\200\200\200",
        "\377",
        "long enough for the block scanner \377 to meet it",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture_leaf leaves[] = {{.name = "fine"}, {.name = texts[i]}};
        fixture_widget w = {.spec = {.leaves = KUBE_LIST_OF(leaves)}};
        expect_error(&w, "spec.leaves[1].name: not valid UTF-8");
    }
}

TEST(two_bytes_stand_for_nul)
{
    static const char at_every_offset[] = "01234567890123456789012345678901234567890123456789";
    for (size_t at = 0; at < sizeof at_every_offset; at++) {
        const char *rest = at_every_offset + at;
        const char *text =
            kube_printf(ctx, "%.*s" KUBE_TEXT_NUL "%s", (int)at, at_every_offset, rest);
        const char *want = kube_printf(ctx, "\"%.*s\\u0000%s\"", (int)at, at_every_offset, rest);
        kube__writer w;
        kube__writer_init(&w);
        ck_assert_int_eq(kube__write_string(&w, text, strlen(text)), KUBE__WRITTEN);
        *w.at = '\0';
        ck_assert_str_eq(w.start, want);
        kube__writer_fini(&w);
    }
    fixture_widget w = {.spec = {.text = "\xc0"}};
    expect_error(&w, "spec.text: not valid UTF-8");
}

TEST(names_the_path_in_the_error_s_field)
{
    kube_string_map_entry labels[] = {{"a.b/c", "\377"}};
    fixture_widget w = {.metadata = {.labels = KUBE_LIST_OF(labels)}};
    const char *json;
    kube_error err;
    ck_assert_int_eq(
        kube_encode(ctx, &fixture_widget_type, &w.base, KUBE_ENCODE_PLAIN, &json, NULL, &err),
        KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.field, "metadata.labels['a.b/c']");
    ck_assert_int_eq(
        kube_encode(ctx, &fixture_widget_type, &w.base, KUBE_ENCODE_PLAIN, &json, NULL, NULL),
        KUBE_ERR_ARGUMENT);
}

/* ---- doubles ------------------------------------------------------------------------------- */

static const char *double_text(double value)
{
    static char text[64];
    kube__writer w;
    kube__writer_init(&w);
    ck_assert(kube__write_double(&w, value));
    ck_assert_uint_lt(kube__writer_len(&w), sizeof text);
    memcpy(text, w.start, kube__writer_len(&w));
    text[kube__writer_len(&w)] = '\0';
    kube__writer_fini(&w);
    return text;
}

TEST(writes_doubles_as_go_does)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {100, "100"},
        {123456.789, "123456.789"},
        {1e15, "1000000000000000"},
        {9007199254740992, "9007199254740992"},
        {9007199254740994, "9007199254740994"},
        {1e20, "100000000000000000000"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e21, "1e+21"},
        {1.5e300, "1.5e+300"},
        {0.000001, "0.000001"},
        {0.0000012, "0.0000012"},
        {0.0000001, "1e-7"},
        {1.25e-10, "1.25e-10"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_TRUE_MIN, "5e-324"},
        {1e23, "1e+23"},
        {5e-323, "5e-323"},
        {0.1 + 0.2, "0.30000000000000004"},
        {M_PI, "3.141592653589793"},
        {0x1p172, "5.986310706507379e+51"}, /* the nearest of 16 digits is another double */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(double_text(cases[i].value), cases[i].text);
}

TEST(doubles_read_back_as_the_same_bits_and_no_shorter_text_does)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        double value;
        char shorter[64];
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(&value, &state, sizeof value);
        if (!isfinite(value))
            continue;
        const char *text = double_text(value);
        double back = strtod(text, NULL);
        ck_assert_msg(memcmp(&back, &value, sizeof value) == 0, "%a became %s", value, text);
        int digits = 0; /* without the zeros around them */
        int zeros = 0;
        for (const char *p = text; *p && *p != 'e'; p++) {
            if (*p >= '1' && *p <= '9') {
                digits += zeros + 1;
                zeros = 0;
            } else if (*p == '0' && digits > 0) {
                zeros++;
            }
        }
        if (digits < 2 || digits > 17)
            continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        ck_assert_msg(strtod(shorter, NULL) != value, "%s could be %s", text, shorter);
    }
}

TEST(doubles_do_not_follow_the_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "sv_SE.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        found = setlocale(LC_NUMERIC, names[i]);
    if (!found)
        fprintf(stderr, "no locale with a decimal comma is installed: checked in the C locale\n");
    ck_assert_str_eq(double_text(1.5), "1.5");
    ck_assert_str_eq(double_text(5e-324), "5e-324");
    ck_assert_str_eq(double_text(1.25e-10), "1.25e-10");
    setlocale(LC_NUMERIC, "C");
}

TEST(refuses_numbers_that_json_cannot_hold)
{
    double doubles[] = {1, NAN};
    fixture_widget w = {.spec = {.doubles = KUBE_LIST_OF(doubles)}};
    expect_error(&w, "spec.doubles[1]: not a finite number");
    w = (fixture_widget){.spec = {.d = -INFINITY}};
    expect_error(&w, "spec.d: not a finite number");
    w = (fixture_widget){.spec = {.opt_d = KUBE_SOME(INFINITY)}};
    expect_error(&w, "spec.optD: not a finite number");
}

/* ---- raw JSON ------------------------------------------------------------------------------ */

TEST(accepts_json_and_no_part_of_it)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        "\"\"",
        "[1,-2.5,1e9,1E+2,0.0e-0]",
        "{\"a\" : {\"b\":[ true,false , null ]},\"c\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00eF\"}",
        "[[[]],[{}],{\"k\":[]},\"a string of more than sixteen bytes, \303\251 and \\\" in it\"]",
        "{\"f:metadata\":{\"f:annotations\":{\".\":{},\"f:k8s.io/a\":{}}},\"f:spec\":{}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t len = strlen(texts[i]);
        char padded[256];
        ck_assert_msg(kube__raw_is_value(texts[i], len, 10), "%s", texts[i]);
        snprintf(padded, sizeof padded, " \n\t%s\r ", texts[i]);
        ck_assert(kube__raw_is_value(padded, strlen(padded), 10));
        for (size_t cut = 0; cut < len; cut++) {
            char *copy = malloc(cut + 1); /* on the heap: see escapes_each_byte… */
            memcpy(copy, texts[i], cut);
            ck_assert_msg(!kube__raw_is_value(copy, cut, 10), "%.*s", (int)cut, copy);
            free(copy);
        }
    }
}

TEST(refuses_what_is_not_json)
{
    static const char *const texts[] = {
        "",          " ",           "nul",       "nulls",      "True",  "01",
        "-",         "+1",          ".5",        "1.",         "1e",    "1e+",
        "--1",       "0x1",         "NaN",       "[1,]",       "[,1]",  "[1 2]",
        "{,}",       "{\"a\"}",     "{\"a\":}",  "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}",
        "{\"a\",1}", "[1}",         "{\"a\":1]", "]",          "1 2",   "\"\\x\"",
        "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"",  "\"\377\"",   "'a'",   "[\"a]",
        "{}{}",      "// x\n1",     "[1:2]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture_widget w = {.spec = {.raw = {texts[i], strlen(texts[i])}}};
        ck_assert_msg(!kube__raw_is_value(texts[i], strlen(texts[i]), 10), "%s", texts[i]);
        expect_error(&w, "spec.raw: not valid JSON");
    }
}

TEST(refuses_extra_members_that_are_no_members)
{
    static const char *const texts[] = {"1",        "\"a\"", "\"a\":",   "\"a\":1,",
                                        ",\"a\":1", "{}",    "\"a\":1}", "\"a\":1 \"b\":2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fixture_leaf leaf = {.extra = {texts[i], strlen(texts[i])}};
        fixture_widget w = {.spec = {.leaf_ptr = &leaf}};
        expect_error(&w, "spec.leafPtr: extra members are not valid JSON");
    }
}

/* ---- bounds -------------------------------------------------------------------------------- */

TEST(refuses_a_tree_without_end)
{
    fixture_tree tree = {.value = "t"};
    fixture_widget w = {.spec = {.tree = &tree}};
    const char *json;
    kube_error err;
    tree.left = &tree;
    ck_assert_int_eq(
        kube_encode(ctx, &fixture_widget_type, &w.base, KUBE_ENCODE_PLAIN, &json, NULL, &err),
        KUBE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "left.left: nested deeper than 200"));
    ck_assert(strncmp(err.message, "...", 3) == 0);
}

TEST(counts_nesting_across_structs_and_raw_json)
{
    static char text[20000];
    fixture_widget w = {.spec = {.raw = {text, 0}}};
    /* The object and its spec are two levels: 9,998 are left. */
    memset(text, '[', 9998);
    memset(text + 9998, ']', 9998);
    w.spec.raw.len = 2 * 9998;
    encode(&w);
    memset(text, '[', 9999);
    memset(text + 9999, ']', 9999);
    w.spec.raw.len = 2 * 9999;
    expect_error(&w, "spec.raw: not valid JSON");
}

TEST(refuses_map_keys_that_come_twice_or_are_null)
{
    kube_string_map_entry twice[] = {{"b", "1"}, {"a", "2"}, {"b", "3"}};
    kube_string_map_entry null[] = {{"b", "1"}, {NULL, "2"}};
    fixture_widget w = {.spec = {.string_map = KUBE_LIST_OF(twice)}};
    expect_error(&w, "spec.stringMap['b']: map key comes twice");
    w.spec.string_map = (kube_string_map)KUBE_LIST_OF(null);
    expect_error(&w, "spec.stringMap: map key is NULL");
}

TEST(writes_objects_of_any_size)
{
    for (size_t size = 1; size < 1u << 22; size = size * 3 + 1) {
        char *text = malloc(size + 1);
        memset(text, '\n', size); /* each becomes two bytes */
        text[size] = '\0';
        fixture_widget w = {.spec = {.text = text}};
        const char *json = encode(&w);
        ck_assert_uint_eq(strlen(json), strlen(WITH("", "")) + 2 * size + strlen("\"text\":\"\","));
        kube_ctx_reset(ctx);
        free(text);
    }
}

TEST(refuses_to_encode_nothing)
{
    const char *json;
    kube_error err;
    ck_assert_int_eq(
        kube_encode(ctx, &fixture_widget_type, NULL, KUBE_ENCODE_PLAIN, &json, NULL, &err),
        KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "cannot encode: there is no widget");
}

/* ---- server-side apply --------------------------------------------------------------------- */

static fixture_widget applied(void)
{
    static kube_managed_fields_entry managed[] = {{.manager = "m"}};
    static fixture_leaf leaves[] = {{.name = "a"}, {.extra = {EXTRA("\"x\":1")}}};
    static fixture_leaf empty;
    static const char *none[1];
    fixture_widget w = {
        .metadata =
            {
                .name = "w",
                .namespace_ = "ns",
                .uid = "u",
                .resource_version = "7",
                .generation = 3,
                .creation_timestamp = {1, 0, true},
                .deletion_grace_period_seconds = KUBE_SOME(0),
                .finalizers = {none, 0},
                .managed_fields = KUBE_LIST_OF(managed),
            },
        .spec =
            {
                .i32 = 5,
                .opt_i32 = KUBE_SOME(0),
                .leaf_ptr = &empty,
                .leaves = KUBE_LIST_OF(leaves),
                .extra = {EXTRA("\"unknown\":1")},
            },
        .status = {.phase = "Ready", .strict = {.value = 4}},
        .extra = {EXTRA("\"top\":1")},
    };
    return w;
}

TEST(apply_sends_what_was_set_and_nothing_else)
{
    fixture_widget w = applied();
    ck_assert_str_eq(
        encode_as(&w, KUBE_ENCODE_APPLY),
        "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\","
        "\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"finalizers\":[]},\"spec\":{"
        "\"i32\":5,"
        "\"optI32\":0,\"leafPtr\":{},"
        "\"leaves\":[{\"name\":\"a\"},{}]}}");
    w = (fixture_widget){.metadata = {.name = "w"}};
    ck_assert_str_eq(encode_as(&w, KUBE_ENCODE_APPLY),
                     "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\","
                     "\"metadata\":{\"name\":\"w\"}}");
}

TEST(apply_status_sends_name_and_status)
{
    fixture_widget w = applied();
    ck_assert_str_eq(
        encode_as(&w, KUBE_ENCODE_APPLY_STATUS),
        "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\","
        "\"namespace\":\"ns\"},\"status\":{\"phase\":\"Ready\",\"strict\":{\"value\":4}}}");
}

TEST(apply_status_needs_a_status)
{
    holder h = {0};
    const char *json;
    kube_error err;
    ck_assert_int_eq(
        kube_encode(ctx, &holder_type, &h.base, KUBE_ENCODE_APPLY_STATUS, &json, NULL, &err),
        KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "Holder has no status");
}

/* ---- memory -------------------------------------------------------------------------------- */

static bool encode_step(void *arg)
{
    const char *json;
    kube_ctx *own = kube_ctx_new();
    if (!own)
        return false;
    kube_code rc =
        kube_encode(own, &fixture_widget_type, arg, KUBE_ENCODE_PLAIN, &json, NULL, NULL);
    if (rc != KUBE_OK && rc != KUBE_ERR_NO_MEMORY)
        abort(); /* an assertion would allocate too */
    kube_ctx_free(own);
    return rc == KUBE_OK;
}

TEST(survives_every_failing_allocation)
{
    static char text[200000];
    kube_string_map_entry unsorted[] = {{"b", "1"}, {"a", "2"}};
    fixture_widget w = {.spec = {.text = text, .string_map = KUBE_LIST_OF(unsorted)}};
    ck_assert_uint_gt(fail_malloc_replay(encode_step, &w.base), 1);
    memset(text, 'x', 20000);
    ck_assert_uint_gt(fail_malloc_replay(encode_step, &w.base), 2);
    memset(text, '"', sizeof text - 1);
    ck_assert_uint_gt(fail_malloc_replay(encode_step, &w.base), 3);
}
