/* SPDX-License-Identifier: Apache-2.0 */
/* This file has its own calendar arithmetic, because that of the C library depends on the time zone
 * and on the width of time_t. */
#include "ascii.h"
#include "units.h"

#include <kube/time.h>
#include <stdio.h>
#include <string.h>

enum {
    DAYS_PER_CYCLE = 146097,         /* the calendar repeats every 400 years */
    DAYS_BEFORE_EPOCH = 719528,      /* from 0000-01-01 to 1970-01-01 */
    MAX_ZONE_MINUTES = 24 * 60 + 60, /* Go takes "+24:60", as some write it */
};

typedef struct civil {
    int64_t year;
    int month, day, hour, minute, second;
} civil;

/* Of [0, @year), in a cycle that starts with a leap year. */
static int64_t days_before_year(int64_t year)
{
    return 365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
}

static int days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

static int64_t to_seconds(const civil *c)
{
    int64_t days = days_before_year(c->year) - DAYS_BEFORE_EPOCH + c->day - 1;
    for (int month = 1; month < c->month; month++)
        days += days_in_month(c->year, month);
    return days * KUBE__S_PER_DAY + c->hour * KUBE__S_PER_HOUR + c->minute * 60 + c->second;
}

/* Quotient towards minus infinity, so that the rest is never negative. */
static int64_t floor_divide(int64_t a, int64_t b, int64_t *rest)
{
    int64_t q = a / b;
    *rest = a % b;
    if (*rest >= 0)
        return q;
    *rest += b;
    return q - 1;
}

static civil from_seconds(int64_t sec)
{
    static const int before_month[2][13] = {
        {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
        {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
    };
    const int *before;
    civil c;
    int64_t in_day;
    int64_t day;
    int64_t cycle;
    day = floor_divide(sec, KUBE__S_PER_DAY, &in_day) + DAYS_BEFORE_EPOCH;
    cycle = floor_divide(day, DAYS_PER_CYCLE, &day);
    c.year = day / 366; /* this one or the year before it */
    if (days_before_year(c.year + 1) <= day)
        c.year++;
    day -= days_before_year(c.year);
    before = before_month[days_in_month(c.year, 2) - 28];
    c.month = (int)day / 32 + 1; /* this one or the month before it */
    if (day >= before[c.month])
        c.month++;
    c.day = (int)day - before[c.month - 1] + 1;
    c.year += cycle * 400;
    c.hour = (int)(in_day / KUBE__S_PER_HOUR);
    c.minute = (int)(in_day / 60 % 60);
    c.second = (int)(in_day % 60);
    return c;
}

/* Brings nsec, which anyone may have set, into [0, 1e9). */
static void normalise(int64_t *sec, int32_t *nsec)
{
    int64_t rest;
    int64_t carry = floor_divide(*nsec, KUBE__NS_PER_S, &rest);
    if ((carry > 0 && *sec > INT64_MAX - carry) || (carry < 0 && *sec < INT64_MIN - carry)) {
        *nsec = 0;
        return;
    }
    *sec += carry;
    *nsec = (int32_t)rest;
}

static void put_two(char *out, int value)
{
    out[0] = (char)('0' + value / 10);
    out[1] = (char)('0' + value % 10);
}

/*
 * The smallest offset from UTC, in minutes, at which the year has four digits: whole hours, as most
 * zones have, unless it takes more than 24. 0 = none is needed, or none is enough.
 */
static int zone_for(int64_t sec)
{
    static const int64_t first = -DAYS_BEFORE_EPOCH * KUBE__S_PER_DAY; /* 0000-01-01 */
    static const int64_t end = INT64_C(253402300800);                  /* 10000-01-01 */
    int64_t missing = sec < first ? first - sec : sec - end + 1;
    if (missing <= 0 || missing > (int64_t)MAX_ZONE_MINUTES * 60)
        return 0;
    int64_t unit = missing > KUBE__S_PER_DAY ? 60 : KUBE__S_PER_HOUR;
    int minutes = (int)((missing + unit - 1) / unit * unit / 60);
    return sec < first ? minutes : -minutes;
}

static size_t put_zone(char *text, int minutes)
{
    if (minutes == 0) {
        memcpy(text, "Z", 2);
        return 1;
    }
    int absolute = minutes < 0 ? -minutes : minutes;
    int hours = absolute > 24 * 60 ? 24 : absolute / 60;
    memcpy(text, "+00:00", 7);
    text[0] = minutes < 0 ? '-' : '+';
    put_two(text + 1, hours);
    put_two(text + 4, absolute - hours * 60);
    return 6;
}

static size_t format(int64_t sec, const char *decimals, char text[KUBE_TIME_MAX])
{
    int zone = zone_for(sec);
    civil c = from_seconds(sec + zone * 60);
    if (c.year >= 0 && c.year <= 9999) { /* what is sent all day: encoding has no time for printf */
        size_t more = strlen(decimals);
        memcpy(text, "0000-00-00T00:00:00", 19);
        put_two(text, (int)c.year / 100);
        put_two(text + 2, (int)c.year % 100);
        put_two(text + 5, c.month);
        put_two(text + 8, c.day);
        put_two(text + 11, c.hour);
        put_two(text + 14, c.minute);
        put_two(text + 17, c.second);
        memcpy(text + 19, decimals, more);
        return 19 + more + put_zone(text + 19 + more, zone);
    }
    int len = snprintf(text, KUBE_TIME_MAX, "%s%04lld-%02d-%02dT%02d:%02d:%02d%sZ",
                       c.year < 0 ? "-" : "", (long long)(c.year < 0 ? -c.year : c.year), c.month,
                       c.day, c.hour, c.minute, c.second, decimals);
    return len > 0 ? (size_t)len : 0;
}

size_t kube_time_format(kube_time t, char text[KUBE_TIME_MAX])
{
    text[0] = '\0';
    if (!t.set)
        return 0;
    normalise(&t.sec, &t.nsec);
    return format(t.sec, "", text);
}

size_t kube_micro_time_format(kube_micro_time t, char text[KUBE_TIME_MAX])
{
    char decimals[16];
    text[0] = '\0';
    if (!t.set)
        return 0;
    normalise(&t.sec, &t.nsec);
    snprintf(decimals, sizeof decimals, ".%06d", (int)(t.nsec / KUBE__NS_PER_US));
    return format(t.sec, decimals, text);
}

kube_time kube_time_now(const kube_clock *clock)
{
    int64_t rest;
    kube_time t = {floor_divide(clock->wall_ns(clock), KUBE__NS_PER_S, &rest), 0, true};
    return t;
}

kube_micro_time kube_micro_time_now(const kube_clock *clock)
{
    int64_t rest;
    kube_micro_time t = {floor_divide(clock->wall_ns(clock), KUBE__NS_PER_S, &rest), 0, true};
    t.nsec = (int32_t)(rest - rest % KUBE__NS_PER_US);
    return t;
}

int kube_time_compare(kube_time a, kube_time b)
{
    if (!a.set || !b.set)
        return (int)a.set - (int)b.set;
    normalise(&a.sec, &a.nsec);
    normalise(&b.sec, &b.nsec);
    if (a.sec != b.sec)
        return a.sec < b.sec ? -1 : 1;
    return (a.nsec > b.nsec) - (a.nsec < b.nsec);
}

/* Reads exactly @count digits at *@p and a number in [@min, @max] from them. */
static bool read_number(const char **p, const char *end, int count, int min, int max, int *out)
{
    int value = 0;
    if (end - *p < count)
        return false;
    for (int i = 0; i < count; i++, (*p)++) {
        if (**p < '0' || **p > '9')
            return false;
        value = value * 10 + (**p - '0');
    }
    *out = value;
    return value >= min && value <= max;
}

static bool read_char(const char **p, const char *end, char c)
{
    if (*p == end || **p != c)
        return false;
    (*p)++;
    return true;
}

static bool read_date(const char **p, const char *end, civil *c)
{
    int year;
    if (!read_number(p, end, 4, 0, 9999, &year) || !read_char(p, end, '-') ||
        !read_number(p, end, 2, 1, 12, &c->month) || !read_char(p, end, '-'))
        return false;
    c->year = year;
    return read_number(p, end, 2, 1, days_in_month(year, c->month), &c->day);
}

/* Of the hour one digit is enough for Go. */
static bool read_clock(const char **p, const char *end, civil *c)
{
    int digits = end - *p >= 2 && (*p)[1] == ':' ? 1 : 2;
    return read_number(p, end, digits, 0, 23, &c->hour) && read_char(p, end, ':') &&
           read_number(p, end, 2, 0, 59, &c->minute) && read_char(p, end, ':') &&
           read_number(p, end, 2, 0, 59, &c->second);
}

/* Decimals are optional, but not after a point or comma; past the ninth they are dropped. */
static bool read_decimals(const char **p, const char *end, int32_t *nsec)
{
    int count = 0;
    *nsec = 0;
    if (!read_char(p, end, '.') && !read_char(p, end, ','))
        return true;
    for (; *p < end && kube__is_digit(**p); (*p)++, count++) {
        if (count < 9)
            *nsec = *nsec * 10 + (**p - '0');
    }
    for (int i = count; i < 9; i++)
        *nsec *= 10;
    return count > 0;
}

static bool read_zone(const char **p, const char *end, int *seconds)
{
    int sign;
    int hours;
    int minutes;
    *seconds = 0;
    if (read_char(p, end, 'Z'))
        return true;
    sign = read_char(p, end, '-') ? -1 : 1;
    if (sign > 0 && !read_char(p, end, '+'))
        return false;
    if (!read_number(p, end, 2, 0, 24, &hours) || !read_char(p, end, ':') ||
        !read_number(p, end, 2, 0, 60, &minutes))
        return false;
    *seconds = sign * (hours * (int)KUBE__S_PER_HOUR + minutes * 60);
    return true;
}

static bool parse(const char *text, size_t len, int64_t *sec, int32_t *nsec)
{
    const char *p = text;
    const char *end = text + len;
    civil c;
    int zone;
    if (!read_date(&p, end, &c) || !read_char(&p, end, 'T') || !read_clock(&p, end, &c) ||
        !read_decimals(&p, end, nsec) || !read_zone(&p, end, &zone) || p != end)
        return false;
    *sec = to_seconds(&c) - zone;
    return true;
}

bool kube_time_parse(const char *text, size_t len, kube_time *out)
{
    memset(out, 0, sizeof *out);
    out->set = text && parse(text, len, &out->sec, &out->nsec);
    if (!out->set)
        memset(out, 0, sizeof *out);
    return out->set;
}

bool kube_micro_time_parse(const char *text, size_t len, kube_micro_time *out)
{
    memset(out, 0, sizeof *out);
    out->set = text && parse(text, len, &out->sec, &out->nsec);
    if (!out->set)
        memset(out, 0, sizeof *out);
    return out->set;
}
