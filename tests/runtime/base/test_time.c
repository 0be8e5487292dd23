/* SPDX-License-Identifier: Apache-2.0 */
#include "support/suite.h"

#include <kube/testing/clock.h>
#include <kube/time.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static bool parse(const char *text, kube_time *out)
{
    return kube_time_parse(text, strlen(text), out);
}

TEST(reads_what_servers_send)
{
    static const struct {
        const char *text;
        int64_t sec;
        int32_t nsec;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, 0},
        {"2026-11-21T02:40:23Z", 1795228823, 0},
        {"2026-11-21T02:40:23.5Z", 1795228823, 500000000},
        {"2026-11-21T02:40:23.123456Z", 1795228823, 123456000},
        {"2026-11-21T02:40:23.123456789Z", 1795228823, 123456789},
        {"2026-11-21T02:40:23.1234567899999999Z", 1795228823, 123456789},
        {"2026-11-21T08:10:23+05:30", 1795228823, 0},
        {"2026-11-20T18:40:23-08:00", 1795228823, 0},
        {"2026-11-21T02:40:23-00:00", 1795228823, 0},
        {"2026-11-21T02:40:23,5Z", 1795228823, 500000000}, /* so far, what Go reads too */
        {"2026-11-21T2:40:23Z", 1795228823, 0},
        {"2026-11-22T02:40:23+24:00", 1795228823, 0},
        {"2026-11-20T01:40:23-24:60", 1795228823, 0},
        {"2026-11-21T08:40:23+05:60", 1795228823, 0},
        {"1969-12-31T23:59:59.9Z", -1, 900000000},
        {"0001-01-01T00:00:00Z", -62135596800, 0},
        {"0000-01-01T00:00:00Z", -62167219200, 0},
        {"0000-01-01T00:00:00+01:00", -62167222800, 0},
        {"9999-12-31T23:59:59Z", 253402300799, 0},
        {"2000-02-29T12:00:00Z", 951825600, 0},
        {"2024-02-29T00:00:00Z", 1709164800, 0},
        {"1900-03-01T00:00:00Z", -2203891200, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube_time t;
        ck_assert_msg(parse(cases[i].text, &t), "%s", cases[i].text);
        ck_assert(t.set);
        ck_assert_int_eq(t.sec, cases[i].sec);
        ck_assert_int_eq(t.nsec, cases[i].nsec);
    }
}

TEST(refuses_all_else)
{
    static const char *const texts[] = {
        "",
        "2026-11-21",
        "2026-11-21T02:40:23",
        "2026-11-21 02:40:23Z",
        "2026-11-21t02:40:23Z",
        "2026-11-21T02:40:23z",
        "2026-11-21T02:40:60Z", /* no leap seconds, as in Go */
        "2026-11-21T02:60:23Z",
        "2026-11-21T24:00:00Z",
        "2026-11-21T02:40:23.Z",
        "2026-11-21T02:40:23,Z",
        "2026-11-21T:40:23Z",
        "2026-11-21T02:4:23Z",
        "2026-11-21T02:40:23+25:00",
        "2026-11-21T02:40:23+05:61",
        "2026-11-21T02:40:23.5",
        "2026-11-21T02:40:23.-5Z",
        "2026-11-21T02:40:23+0530",
        "2026-11-21T02:40:23+05:3",
        "2026-11-21T02:40:23ZZ",
        " 2026-11-21T02:40:23Z",
        "2026-11-21T02:40:23Z ",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "02026-11-21T02:40:23Z",
        "-2026-11-21T02:40:23Z",
        "+026-11-21T02:40:23Z",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kube_time t = {1, 2, true};
        ck_assert_msg(!parse(texts[i], &t), "%s", texts[i]);
        ck_assert(!t.set && t.sec == 0 && t.nsec == 0);
    }
}

TEST(reads_no_further_than_it_was_told)
{
    kube_time t;
    const char *text = "2026-11-21T02:40:23Z\"},";
    ck_assert(kube_time_parse(text, 20, &t));
    for (size_t len = 0; len < 20; len++) {
        char *copy = strndup(text, len); /* the sanitizer sees a byte too many */
        ck_assert(!kube_time_parse(copy, len, &t));
        free(copy);
    }
    ck_assert(!kube_time_parse("2026-11-21T02:40:23\0Z", 21, &t));
}

TEST(writes_whole_seconds_in_utc)
{
    char text[KUBE_TIME_MAX];
    kube_time t = {1795228823, 999999999, true};
    kube_time absent = {0};
    ck_assert_uint_eq(kube_time_format(t, text), 20);
    ck_assert_str_eq(text, "2026-11-21T02:40:23Z");
    ck_assert_uint_eq(kube_time_format(absent, text), 0);
    ck_assert_str_eq(text, "");
    t = (kube_time){-1, 0, true};
    kube_time_format(t, text);
    ck_assert_str_eq(text, "1969-12-31T23:59:59Z");
    t = (kube_time){-62135596800, 0, true};
    kube_time_format(t, text);
    ck_assert_str_eq(text, "0001-01-01T00:00:00Z");
}

TEST(a_year_of_five_digits_in_utc_has_four_elsewhere)
{
    static const char *const texts[] = {
        "9999-12-31T23:59:59Z",      "9999-12-31T23:59:59-01:00", "9999-12-31T23:00:00-01:00",
        "9999-12-31T23:00:00-24:00", "9999-12-31T23:59:59-24:60", "9999-12-31T23:59:00-24:01",
        "0000-01-01T00:00:00Z",      "0000-01-01T00:00:00+01:00", "0000-01-01T00:00:01+23:00",
        "0000-01-01T00:00:00+24:60",
    };
    char text[KUBE_TIME_MAX];
    kube_time t;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert(parse(texts[i], &t));
        ck_assert_uint_eq(kube_time_format(t, text), strlen(texts[i]));
        ck_assert_str_eq(text, texts[i]);
        kube_micro_time micro = {t.sec, 5000, true};
        kube_micro_time again;
        size_t len = kube_micro_time_format(micro, text);
        ck_assert(kube_micro_time_parse(text, len, &again));
        ck_assert(again.sec == t.sec && again.nsec == 5000);
    }
    ck_assert(parse("9999-12-31T22:00:00-05:00", &t));
    kube_time_format(t, text);
    ck_assert_str_eq(text, "9999-12-31T23:00:00-04:00"); /* the same point in time */
    kube_time_format((kube_time){253402300800 + 90000, 0, true}, text);
    ck_assert_str_eq(text, "10000-01-02T01:00:00Z");
    kube_time_format((kube_time){INT64_MIN, 0, true}, text);
}

TEST(micro_time_has_six_decimals)
{
    char text[KUBE_TIME_MAX];
    kube_micro_time t = {1795228823, 0, true};
    ck_assert_uint_eq(kube_micro_time_format(t, text), 27);
    ck_assert_str_eq(text, "2026-11-21T02:40:23.000000Z");
    t.nsec = 1999;
    kube_micro_time_format(t, text);
    ck_assert_str_eq(text, "2026-11-21T02:40:23.000001Z");
    t.nsec = 999999999;
    kube_micro_time_format(t, text);
    ck_assert_str_eq(text, "2026-11-21T02:40:23.999999Z");
    ck_assert(kube_micro_time_parse(text, strlen(text), &t));
    ck_assert_int_eq(t.nsec, 999999000);
    ck_assert(kube_micro_time_parse("2026-11-21T02:40:23Z", 20, &t));
    ck_assert(!kube_micro_time_parse("2026-11-21", 10, &t));
    ck_assert(!t.set);
    t = (kube_micro_time){0};
    ck_assert_uint_eq(kube_micro_time_format(t, text), 0);
}

TEST(any_value_has_a_text_that_fits)
{
    static const int64_t seconds[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX};
    static const int32_t nanos[] = {INT32_MIN, -1, 0, 1000000000, INT32_MAX};
    char text[KUBE_TIME_MAX];
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 5; j++) {
            kube_micro_time t = {seconds[i], nanos[j], true};
            size_t len = kube_micro_time_format(t, text);
            ck_assert_uint_eq(len, strlen(text));
            ck_assert_uint_lt(len, KUBE_TIME_MAX - 1);
            ck_assert_int_eq(text[len - 1], 'Z');
        }
    }
    /* A year that needs more digits than the format has for it. */
    kube_micro_time far = {INT64_MAX, 0, true};
    kube_micro_time_format(far, text);
    ck_assert_str_eq(text, "292277026596-12-04T15:30:07.000000Z");
}

TEST(agrees_with_the_c_library_on_every_day)
{
    /* From year 0 to 9999, a prime number of seconds apart. */
    for (int64_t sec = -62167219200; sec <= 253402300799; sec += 86399) {
        char text[KUBE_TIME_MAX];
        char want[KUBE_TIME_MAX];
        time_t as_time = (time_t)sec;
        struct tm tm;
        kube_time t = {sec, 0, true};
        kube_time back;
        gmtime_r(&as_time, &tm);
        snprintf(want, sizeof want, "%04d-%02d-%02dT%02d:%02d:%02dZ", (tm.tm_year + 1900) % 10000,
                 (tm.tm_mon + 1) % 100, tm.tm_mday % 100, tm.tm_hour % 100, tm.tm_min % 100,
                 tm.tm_sec % 100);
        kube_time_format(t, text);
        if (strcmp(text, want) != 0)
            ck_abort_msg("%s, want %s", text, want);
        if (!parse(text, &back) || back.sec != sec)
            ck_abort_msg("%s does not come back", text);
    }
}

TEST(now_is_the_clocks_wall_time)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_clock *clock = kube_fake_clock_clock(fake);
    char text[KUBE_TIME_MAX];
    kube_fake_clock_advance_ms(fake, 1999);
    kube_time_format(kube_time_now(clock), text);
    ck_assert_str_eq(text, "2026-11-21T02:40:24Z");
    ck_assert_int_eq(kube_time_now(clock).nsec, 0);
    kube_micro_time_format(kube_micro_time_now(clock), text);
    ck_assert_str_eq(text, "2026-11-21T02:40:24.999000Z");
    kube_fake_clock_set(fake, -1);
    ck_assert_int_eq(kube_time_now(clock).sec, -1);
    ck_assert_int_eq(kube_micro_time_now(clock).nsec, 999999000);
    kube_fake_clock_free(fake);
}

TEST(order_is_that_of_time_and_absent_is_first)
{
    kube_time absent = {0};
    kube_time early = {-5, 0, true};
    kube_time late = {-5, 1, true};
    kube_time same = {-6, 1000000000, true};
    kube_time later = {7, 0, true};
    ck_assert_int_eq(kube_time_compare(absent, absent), 0);
    ck_assert_int_lt(kube_time_compare(absent, early), 0);
    ck_assert_int_gt(kube_time_compare(early, absent), 0);
    ck_assert_int_lt(kube_time_compare(early, late), 0);
    ck_assert_int_gt(kube_time_compare(later, late), 0);
    ck_assert_int_eq(kube_time_compare(early, early), 0);
    ck_assert_int_eq(kube_time_compare(early, same), 0);
}
