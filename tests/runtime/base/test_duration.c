/* SPDX-License-Identifier: Apache-2.0 */
/* Values are those Go's time.ParseDuration and Duration.String give. */
#include "support/suite.h"

#include <kube/time.h>
#include <string.h>

static const int64_t us = 1000;
static const int64_t ms = 1000000;
static const int64_t second = 1000000000;
static const int64_t minute = 60000000000;
static const int64_t hour = 3600000000000;

static bool parse(const char *text, int64_t *ns)
{
    kube_duration d;
    bool ok = kube_duration_parse(text, strlen(text), &d);
    ck_assert(d.set == ok);
    *ns = d.ns;
    return ok;
}

TEST(reads_go_durations)
{
    const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"0", 0},
        {"-0", 0},
        {"+0", 0},
        {"0s", 0},
        {"5s", 5 * second},
        {"1478s", 1478 * second},
        {"-5s", -5 * second},
        {"+5s", 5 * second},
        {"5.0s", 5 * second},
        {"5.6s", 5600 * ms},
        {"5.s", 5 * second},
        {".5s", 500 * ms},
        {"-.5s", -500 * ms},
        {"1.004s", 1004 * ms},
        {"1.0040s", 1004 * ms},
        {"100.00100s", 100001 * ms},
        {"10ns", 10},
        {"11us", 11 * us},
        {"12\xC2\xB5s", 12 * us},
        {"12\xCE\xBCs", 12 * us},
        {"13ms", 13 * ms},
        {"15m", 15 * minute},
        {"16h", 16 * hour},
        {"3h30m", 3 * hour + 30 * minute},
        {"10.5s4m", 4 * minute + 10500 * ms},
        {"-2m3.4s", -(2 * minute + 3400 * ms)},
        {"1h2m3s4ms5us6ns", hour + 2 * minute + 3 * second + 4 * ms + 5 * us + 6},
        {"39h9m14.425s", 39 * hour + 9 * minute + 14425 * ms},
        {"52763797000ns", 52763797000},
        {"0.3333333333333333333h", 20 * minute},
        {"9007199254740993ns", 9007199254740993},
        {"9223372036854775807ns", INT64_MAX},
        {"9223372036854775.807us", INT64_MAX},
        {"9223372036s854ms775us807ns", INT64_MAX},
        {"-9223372036854775808ns", INT64_MIN},
        {"-9223372036854775.808us", INT64_MIN},
        {"-9223372036s854ms775us808ns", INT64_MIN},
        {"-2562047h47m16.854775808s", INT64_MIN},
        {"0.100000000000000000000h", 6 * minute},
        {"0.830103483285477580700h", 49 * minute + 48 * second + 372539827},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns;
        ck_assert_msg(parse(cases[i].text, &ns), "%s", cases[i].text);
        ck_assert_msg(ns == cases[i].ns, "%s: %lld", cases[i].text, (long long)ns);
    }
}

TEST(refuses_what_go_refuses)
{
    static const char *const texts[] = {
        "",
        "3",
        "-",
        "+",
        "s",
        ".",
        "-.",
        ".s",
        "+.s",
        "1d",
        "1w",
        "5 s",
        " 5s",
        "5s ",
        "1S",
        "--5s",
        "5-s",
        "1h-3m",
        "1e3s",
        "0x1s",
        "00",
        "9223372036854775810ns",
        "9223372036854775808ns",
        "-9223372036854775809ns",
        "3000000h",
        "9223372036854775.808us",
        "9223372036854ms775us808ns",
        "18446744073709551616ns",
        "\x85\x85",
        "12\xC2s",
        "1\xB5s",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t ns;
        ck_assert_msg(!parse(texts[i], &ns), "%s", texts[i]);
        ck_assert_int_eq(ns, 0);
    }
}

TEST(writes_go_durations)
{
    const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {1, "1ns"},
        {1100, "1.1\xC2\xB5s"},
        {2200 * us, "2.2ms"},
        {999999999, "999.999999ms"},
        {3300 * ms, "3.3s"},
        {1500, "1.5\xC2\xB5s"},
        {-1500, "-1.5\xC2\xB5s"},
        {4 * minute + 5 * second, "4m5s"},
        {4 * minute + 5001 * ms, "4m5.001s"},
        {5 * hour + 6 * minute + 7001 * ms, "5h6m7.001s"},
        {hour + 30500 * ms, "1h0m30.5s"},
        {8 * minute + 1, "8m0.000000001s"},
        {24 * hour, "24h0m0s"},
        {minute, "1m0s"},
        {INT64_MAX, "2562047h47m16.854775807s"},
        {INT64_MIN, "-2562047h47m16.854775808s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[KUBE_TIME_MAX];
        kube_duration d = {cases[i].ns, true};
        kube_duration back;
        ck_assert_uint_eq(kube_duration_format(d, text), strlen(cases[i].text));
        ck_assert_str_eq(text, cases[i].text);
        ck_assert(kube_duration_parse(text, strlen(text), &back));
        ck_assert_int_eq(back.ns, cases[i].ns);
    }
}

TEST(an_absent_duration_has_no_text)
{
    char text[KUBE_TIME_MAX];
    kube_duration absent = {5, false};
    ck_assert_uint_eq(kube_duration_format(absent, text), 0);
    ck_assert_str_eq(text, "");
}

TEST(reads_no_further_than_it_was_told)
{
    static const char text[] = "1h30m\xC2\xB5s";
    for (size_t len = 0; len < sizeof text; len++) {
        char *copy = malloc(len + 1); /* a byte less than it has: the sanitizer sees it */
        kube_duration d;
        ck_assert_ptr_nonnull(copy);
        memcpy(copy + 1, text, len);
        ck_assert(kube_duration_parse(copy + 1, len, &d) == (len == 2 || len == 5));
        free(copy);
    }
}
