/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes durations exactly as Go's time package does, rounding included. */
#include "ascii.h"
#include "units.h"

#include <kube/time.h>
#include <stdio.h>
#include <string.h>

/* The magnitude of INT64_MIN, which is a duration too. */
static const uint64_t max_magnitude = (uint64_t)1 << 63;

typedef struct unit {
    const char *name;
    uint64_t ns;
} unit;

static const unit units[] = {
    {"ns", 1},
    {"us", KUBE__NS_PER_US},
    {"\xC2\xB5s", KUBE__NS_PER_US}, /* U+00B5, micro sign */
    {"\xCE\xBCs", KUBE__NS_PER_US}, /* U+03BC, Greek mu */
    {"ms", KUBE__NS_PER_MS},
    {"s", KUBE__NS_PER_S},
    {"m", 60 * KUBE__NS_PER_S},
    {"h", 60 * 60 * KUBE__NS_PER_S},
};

static bool is_digit(const char *p, const char *end)
{
    return p < end && kube__is_digit(*p);
}

static bool read_whole(const char **p, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    for (; is_digit(*p, end); (*p)++) {
        if (value > max_magnitude / 10)
            return false;
        value = value * 10 + (uint64_t)(**p - '0');
        if (value > max_magnitude)
            return false;
    }
    *out = value;
    return true;
}

/* Digits after the point as *value / *scale; those that no longer fit are dropped. */
static void read_fraction(const char **p, const char *end, uint64_t *value, double *scale)
{
    bool full = false;
    *value = 0;
    *scale = 1;
    for (; is_digit(*p, end); (*p)++) {
        uint64_t next;
        if (full || *value > (max_magnitude - 1) / 10) {
            full = true;
            continue;
        }
        next = *value * 10 + (uint64_t)(**p - '0');
        if (next > max_magnitude) {
            full = true;
            continue;
        }
        *value = next;
        *scale *= 10;
    }
}

/* A unit's name ends where a number starts. */
static const unit *read_unit(const char **p, const char *end)
{
    const char *start = *p;
    size_t len;
    while (*p < end && **p != '.' && !is_digit(*p, end))
        (*p)++;
    len = (size_t)(*p - start);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == len && memcmp(units[i].name, start, len) == 0)
            return &units[i];
    }
    return NULL;
}

/* One "1.5h" of "1.5h10m". */
static bool read_part(const char **p, const char *end, uint64_t *out)
{
    const char *start = *p;
    const unit *u;
    uint64_t whole;
    uint64_t fraction = 0;
    double scale = 1;
    bool digits;
    if (!read_whole(p, end, &whole))
        return false;
    digits = *p != start;
    if (*p < end && **p == '.') {
        const char *point = ++*p;
        read_fraction(p, end, &fraction, &scale);
        digits = digits || *p != point;
    }
    u = digits ? read_unit(p, end) : NULL;
    if (!u || whole > max_magnitude / u->ns)
        return false;
    /* In doubles, as Go: "0.3333333333333333333h" is 20 minutes for both. */
    *out = whole * u->ns + (uint64_t)((double)fraction * ((double)u->ns / scale));
    return *out <= max_magnitude;
}

static bool parse(const char *p, const char *end, int64_t *out)
{
    uint64_t total = 0;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (end - p == 1 && *p == '0') { /* the only number that needs no unit */
        *out = 0;
        return true;
    }
    if (p == end)
        return false;
    while (p < end) {
        uint64_t part;
        if (!read_part(&p, end, &part))
            return false;
        total += part;
        if (total > max_magnitude)
            return false;
    }
    if (total == max_magnitude) {
        *out = INT64_MIN;
        return negative;
    }
    *out = negative ? -(int64_t)total : (int64_t)total;
    return true;
}

bool kube_duration_parse(const char *text, size_t len, kube_duration *out)
{
    int64_t ns;
    memset(out, 0, sizeof *out);
    if (!text || !parse(text, text + len, &ns))
        return false;
    out->ns = ns;
    out->set = true;
    return true;
}

/* "12.5": @value / @divisor without zeros at the end; @digits is the logarithm of the divisor. */
static size_t format_decimal(char *out, size_t size, uint64_t value, uint64_t divisor, int digits)
{
    uint64_t fraction = value % divisor;
    int len;
    if (fraction == 0)
        return (size_t)snprintf(out, size, "%llu", (unsigned long long)(value / divisor));
    while (fraction % 10 == 0) {
        fraction /= 10;
        digits--;
    }
    len = snprintf(out, size, "%llu.%0*llu", (unsigned long long)(value / divisor), digits,
                   (unsigned long long)fraction);
    return (size_t)len;
}

/* Below a second: in the largest unit that leaves something before the point. */
static size_t format_small(char *out, size_t size, uint64_t ns)
{
    const unit *of = &units[ns < KUBE__NS_PER_US ? 0 : ns < KUBE__NS_PER_MS ? 2 : 4];
    int digits = of->ns == 1 ? 0 : of->ns == KUBE__NS_PER_US ? 3 : 6;
    size_t len = format_decimal(out, size, ns, of->ns, digits);
    return len + (size_t)snprintf(out + len, size - len, "%s", of->name);
}

static size_t format_large(char *out, size_t size, uint64_t ns)
{
    const uint64_t second = KUBE__NS_PER_S;
    uint64_t minutes = ns / (60 * second);
    size_t len = 0;
    if (minutes >= 60)
        len += (size_t)snprintf(out, size, "%lluh", (unsigned long long)(minutes / 60));
    if (minutes > 0)
        len += (size_t)snprintf(out + len, size - len, "%dm", (int)(minutes % 60));
    len += format_decimal(out + len, size - len, ns % (60 * second), second, 9);
    return len + (size_t)snprintf(out + len, size - len, "s");
}

size_t kube_duration_format(kube_duration d, char text[KUBE_TIME_MAX])
{
    uint64_t ns = d.ns < 0 ? 0 - (uint64_t)d.ns : (uint64_t)d.ns;
    size_t sign = d.ns < 0;
    text[0] = '\0';
    if (!d.set)
        return 0;
    if (ns == 0)
        return (size_t)snprintf(text, KUBE_TIME_MAX, "0s");
    if (sign)
        text[0] = '-';
    if (ns < KUBE__NS_PER_S)
        return sign + format_small(text + sign, KUBE_TIME_MAX - sign, ns);
    return sign + format_large(text + sign, KUBE_TIME_MAX - sign, ns);
}
