/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/quantity.h>
#include <string.h>

static kube_quantity q(const char *text)
{
    kube_quantity quantity = {text};
    return quantity;
}

TEST(grammar_is_that_of_kubernetes)
{
    static const char *const valid[] = {
        "0",
        "1",
        "+1",
        "-1",
        "1.",
        ".5",
        "-.5",
        "1.50",
        "007",
        "1n",
        "1u",
        "1m",
        "1k",
        "1M",
        "1G",
        "1T",
        "1P",
        "1E",
        "1Ki",
        "1Mi",
        "1Gi",
        "1Ti",
        "1Pi",
        "1Ei",
        "1e3",
        "1E3",
        "1e-3",
        "1e+3",
        "1.5e3",
        ".5Gi",
        "1.Ki",
        "0Ki",
        "-0",
        "1E-9",
        "1e0",
        "1e00000000000000000000000001",
        "123456789012345678901234567890",
    };
    static const char *const invalid[] = {
        "",
        " ",
        ".",
        "+",
        "-",
        "+-1",
        "--1",
        "1 ",
        " 1",
        "1 Gi",
        "1K",
        "1ki",
        "1gi",
        "1g",
        "1mi",
        "1ni",
        "1ui",
        "1i",
        "1Kib",
        "1e",
        "1e+",
        "1e-",
        "1e1.",
        "1e1k",
        "1.2.3",
        "Gi",
        "m",
        "1,5",
        "0x1",
        "1kk",
        "1Kii",
        "1\n",
        "e3",
        "1ee3",
        "1.e",
        "1.i",
        "1..",
        "1e99999999999999999999999999",
        "1e-99999999999999999999999999",
        "\xD9\xA1",
    };
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        ck_assert_msg(kube_quantity_is_valid(q(valid[i])), "%s", valid[i]);
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        int64_t value;
        ck_assert_msg(!kube_quantity_is_valid(q(invalid[i])), "%s", invalid[i]);
        ck_assert(!kube_quantity_value(q(invalid[i]), &value));
    }
    ck_assert(!kube_quantity_is_valid(q(NULL)));
}

TEST(value_rounds_up_to_a_whole_number)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"0", 0},
        {"-0", 0},
        {"0.0", 0},
        {"1", 1},
        {"100m", 1},
        {"1000m", 1},
        {"1001m", 2},
        {"1n", 1},
        {"0.000000000000000000000000001n", 1},
        {"-1n", -1}, /* away from zero, as Go */
        {"-1.5", -2},
        {"1.5", 2},
        {"1k", 1000},
        {"1.5k", 1500},
        {"1Ki", 1024},
        {"1.5Gi", 1610612736},
        {"0.1Ki", 103},
        {"-0.1Ki", -103},
        {"2e3", 2000},
        {"2E3", 2000},
        {"2E", 2000000000000000000},
        {"25e-1", 3},
        {"7Ei", 8070450532247928832},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"-8Ei", INT64_MIN},
        {"9223372036854775806.1", INT64_MAX},
        {"0.9223372036854775807e19", 9223372036854775807},
        {"1e-1000000000000000", 1},
        {"0e1000000000000000", 0},
        {"1000000000000000000000000000000e-20", 10000000000},
        {"000000000000000000000000000000000000005", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 77;
        ck_assert_msg(kube_quantity_value(q(cases[i].text), &value), "%s", cases[i].text);
        ck_assert_msg(value == cases[i].value, "%s: %lld", cases[i].text, (long long)value);
    }
}

TEST(milli_value_counts_thousandths)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"1", 1000},
        {"100m", 100},
        {"0.1", 100},
        {"1.0001", 1001},
        {"1u", 1},
        {"-1u", -1},
        {"1Ki", 1024000},
        {"0.5Ki", 512000},
        {"9223372036854775.807", INT64_MAX},
        {"-9223372036854775.808", INT64_MIN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 77;
        ck_assert_msg(kube_quantity_milli_value(q(cases[i].text), &value), "%s", cases[i].text);
        ck_assert_msg(value == cases[i].value, "%s: %lld", cases[i].text, (long long)value);
    }
}

TEST(what_does_not_fit_is_refused)
{
    static const char *const texts[] = {
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775807.1",
        "8Ei",
        "10E",
        "99999999999999999999",
        "1e19",
        "1e1000000000000000",
        "-9223372036854775808.5",
        "16Ei",
        "18446744073709551616",
    };
    int64_t value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert(kube_quantity_is_valid(q(texts[i])));
        ck_assert_msg(!kube_quantity_value(q(texts[i]), &value), "%s", texts[i]);
    }
    ck_assert(!kube_quantity_milli_value(q("9223372036854775.8071"), &value));
    ck_assert(!kube_quantity_milli_value(q("10P"), &value));
}

TEST(comparison_is_by_value_and_exact)
{
    static const struct {
        const char *a;
        const char *b;
        int order;
    } cases[] = {
        {"1000m", "1", 0},
        {"0", "-0", 0},
        {"0", "0.000Ki", 0},
        {"0e99", "0n", 0},
        {"1Ki", "1024", 0},
        {"1Ki", "1.024k", 0},
        {"0.5Mi", "512Ki", 0},
        {"1Ei", "1152921504606846976", 0},
        {"1.1Ei", "1268213655067531673.6", 0},
        {"1.1Ei", "1268213655067531673.5999999999999999999999999999", 1},
        {"1Ki", "1k", 1},
        {"1000Ki", "1Mi", -1},
        {"-1", "1", -1},
        {"-1", "-2", 1},
        {"-1Ki", "-1024000m", 0},
        {"1n", "0.9999999999999999999999999999999999n", 1},
        {"100000000000000000000000000000000000000001", "1e41", 1},
        {"1e1000000000000000", "1e999999999999999", 1},
        {"1e-1000000000000000", "0", 1},
        {"-1e1000000000000000", "1e-1000000000000000", -1},
        {"1e20", "86.7361737988403547205962240695953369140625Ei", 0},
        {"9e18", "8Ei", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int order = 77;
        ck_assert(kube_quantity_compare(q(cases[i].a), q(cases[i].b), &order));
        ck_assert_msg(order == cases[i].order, "%s ? %s", cases[i].a, cases[i].b);
        ck_assert(kube_quantity_compare(q(cases[i].b), q(cases[i].a), &order));
        ck_assert_msg(order == -cases[i].order, "%s ? %s", cases[i].b, cases[i].a);
    }
    int order;
    ck_assert(!kube_quantity_compare(q("1"), q("x"), &order));
    ck_assert(!kube_quantity_compare(q(NULL), q("1"), &order));
}

TEST(comparison_needs_no_memory_for_long_texts)
{
    enum { LEN = 100000 };
    char *a = malloc(LEN + 1);
    char *b = malloc(LEN + 1);
    int order;
    ck_assert(a && b);
    memset(a, '7', LEN);
    memset(b, '7', LEN);
    a[LEN] = '\0';
    b[LEN] = '\0';
    a[LEN / 2] = '.';
    b[LEN / 2] = '.';
    b[LEN - 1] = '8';
    ck_assert(kube_quantity_compare(q(a), q(b), &order));
    ck_assert_int_eq(order, -1);
    b[LEN - 1] = '7';
    ck_assert(kube_quantity_compare(q(a), q(b), &order));
    ck_assert_int_eq(order, 0);
    free(a);
    free(b);
}

TEST(sum_keeps_the_spelling_of_the_first)
{
    static const struct {
        const char *a;
        const char *b;
        const char *sum;
    } cases[] = {
        {"1", "1", "2"},
        {"500m", "500m", "1"},
        {"100m", "1", "1100m"},
        {"1.5", "0", "1500m"},
        {"1", "-1", "0"},
        {"1Ki", "-1024", "0"},
        {"1", "-3", "-2"},
        {"-1", "3", "2"},
        {"-500m", "-501m", "-1001m"},
        {"1k", "1Ki", "2024"},
        {"1Ki", "1k", "2024"},
        {"1Gi", "1Gi", "2Gi"},
        {"1.5Gi", "0", "1536Mi"},
        {"512Mi", "512Mi", "1Gi"},
        {"1Ki", "1", "1025"},
        {"1Ki", "-1", "1023"}, /* below 1024, where Ki says nothing, decimal */
        {"1Ki", "-24", "1k"},  /* the same rule: 1000 */
        {"4Ki", "-96", "4000"},
        {"1Ki", "500m", "1024500m"}, /* exact, where Go would round up */
        {"1e3", "1e3", "2e3"},
        {"1e3", "1", "1001"},
        {"1e0", "500m", "1500e-3"},
        {"1e18", "0", "1e18"},
        {"1e21", "0", "1e21"},
        {"1000E", "1E", "1001E"},
        {"1000", "0", "1k"},
        {"0.1n", "0", "1n"}, /* nanos are the finest, rounded away from zero */
        {"-0.1n", "0", "-1n"},
        {"999999999n", "0.5n", "1"},
        {"0.3Mi", "0", "314572800m"},
        {"1Ei", "1Ei", "2Ei"},
        {"1024Ei", "0", "1024Ei"},
        {"9999999999999999999999", "1", "10000E"},
    };
    kube_ctx *ctx = kube_ctx_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube_quantity sum;
        kube_error err;
        kube_code rc = kube_quantity_add(ctx, q(cases[i].a), q(cases[i].b), &sum, &err);
        ck_assert_msg(rc == KUBE_OK, "%s + %s", cases[i].a, cases[i].b);
        ck_assert_msg(strcmp(sum.text, cases[i].sum) == 0, "%s + %s = %s", cases[i].a, cases[i].b,
                      sum.text);
        ck_assert(kube_quantity_is_valid(sum));
    }
    kube_ctx_free(ctx);
}

TEST(sum_is_refused_with_the_reason)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_quantity sum = q("left");
    kube_error err;
    ck_assert_int_eq(kube_quantity_add(ctx, q("1"), q("many"), &sum, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "\"many\" is not a quantity");
    ck_assert_ptr_null(sum.text);
    ck_assert_int_eq(kube_quantity_add(ctx, q(NULL), q("1"), &sum, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_quantity_add(ctx, q("1e60"), q("1"), &sum, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "quantity 1e60 is out of range");
    ck_assert_int_eq(kube_quantity_add(ctx, q("9e50"), q("9e50"), &sum, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_quantity_add(ctx, q("9e50"), q("-8e50"), &sum, &err), KUBE_OK);
    ck_assert_str_eq(sum.text, "100e48");
    fail_malloc_at(1);
    kube_ctx *other = kube_ctx_new();
    fail_malloc_off();
    ck_assert_ptr_null(other);
    kube_ctx_free(ctx);
    ctx = kube_ctx_new();
    fail_malloc_at(1);
    ck_assert_int_eq(kube_quantity_add(ctx, q("1"), q("1"), &sum, &err), KUBE_ERR_NO_MEMORY);
    fail_malloc_off();
    ck_assert_ptr_null(sum.text);
    kube_ctx_free(ctx);
}

/* Every sum of two from a set of awkward values, against arithmetic in nanos. */
TEST(sums_agree_with_integer_arithmetic)
{
    static const struct {
        const char *text;
        int64_t nanos;
    } values[] = {
        {"0", 0},
        {"1n", 1},
        {"-1n", -1},
        {"999u", 999000},
        {"-1m", -1000000},
        {"1.000000001", 1000000001},
        {"-999.999999999", -999999999999},
        {"1Ki", 1024000000000},
        {"-1Ki", -1024000000000},
        {"1.5Ki", 1536000000000},
        {"-1Mi", -1048576000000000},
        {"5e6", 5000000000000000},
        {"0.001Ki", 1024000000},
    };
    const size_t count = sizeof values / sizeof *values;
    kube_ctx *ctx = kube_ctx_new();
    for (size_t i = 0; i < count * count; i++) {
        kube_quantity sum;
        int order;
        int64_t nanos = values[i / count].nanos + values[i % count].nanos;
        const char *want = kube_printf(ctx, "%lldn", (long long)nanos);
        kube_code rc = kube_quantity_add(ctx, q(values[i / count].text), q(values[i % count].text),
                                         &sum, NULL);
        ck_assert_int_eq(rc, KUBE_OK);
        ck_assert(kube_quantity_compare(sum, q(want), &order));
        ck_assert_msg(order == 0, "%s, want %s", sum.text, want);
    }
    kube_ctx_free(ctx);
}
