/* SPDX-License-Identifier: Apache-2.0 */
#include "quantity.h"

#include "ascii.h"

#include <string.h>

/* An exponent that no sum with a text's length can bring out of int64. */
static const int64_t max_exponent = 100000000000000000;

enum { MAX_INT64_DIGITS = 19, MULTIPLIER_DIGITS = 19 /* of 2^60 */ };

/* Reads the exponent "5" of "e5", with its sign. Returns false if it is missing or too large. */
static bool read_exponent(const char *p, int64_t *out)
{
    bool negative = *p == '-';
    int64_t value = 0;
    if (*p == '-' || *p == '+')
        p++;
    if (!kube__is_digit(*p))
        return false;
    for (; kube__is_digit(*p); p++) {
        value = value * 10 + (*p - '0');
        if (value > max_exponent)
            return false;
    }
    *out = negative ? -value : value;
    return *p == '\0';
}

/* Adds what the suffix says to @parts. */
static bool read_suffix(const char *suffix, kube__quantity_parts *parts)
{
    static const char decimal[] = "num.kMGTPE"; /* 10^-9, 10^-6 …; '.' stands for no suffix */
    static const char binary[] = "KMGTPE";
    const char *found;
    int64_t exponent;
    if (*suffix == '\0')
        return true;
    if (suffix[1] == 'i' && suffix[2] == '\0') {
        found = strchr(binary, suffix[0]);
        parts->family = KUBE__BINARY_SI;
        parts->multiplier = found ? (uint64_t)1 << (10 * (found - binary + 1)) : 0;
        return found;
    }
    if (suffix[1] == '\0') {
        found = suffix[0] == '.' ? NULL : strchr(decimal, suffix[0]);
        parts->exponent += found ? 3 * (found - decimal) - 9 : 0;
        return found;
    }
    if ((*suffix != 'e' && *suffix != 'E') || !read_exponent(suffix + 1, &exponent))
        return false;
    parts->family = KUBE__DECIMAL_EXPONENT;
    parts->exponent += exponent;
    return true;
}

/* Leaves out zeros at both ends, so that equal values have equal digits. */
static void trim(kube__quantity_parts *parts)
{
    while (parts->digits < parts->end && (*parts->digits == '0' || *parts->digits == '.')) {
        parts->count -= *parts->digits == '0';
        parts->digits++;
    }
    while (parts->end > parts->digits && (parts->end[-1] == '0' || parts->end[-1] == '.')) {
        parts->count -= parts->end[-1] == '0';
        parts->exponent += parts->end[-1] == '0';
        parts->end--;
    }
}

bool kube__quantity_split(kube_quantity q, kube__quantity_parts *out)
{
    const char *p = q.text;
    memset(out, 0, sizeof *out);
    out->multiplier = 1;
    if (!p)
        return false;
    out->negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    out->digits = p;
    for (; kube__is_digit(*p); p++)
        out->count++;
    if (*p == '.') {
        for (p++; kube__is_digit(*p); p++) {
            out->count++;
            out->exponent--;
        }
    }
    out->end = p;
    if (out->count == 0 || !read_suffix(p, out))
        return false;
    trim(out);
    return true;
}

kube__quantity_digits kube__quantity_digits_of(const kube__quantity_parts *parts)
{
    kube__quantity_digits digits = {parts->digits, parts->end, parts->multiplier, 0,
                                    parts->exponent};
    return digits;
}

bool kube__quantity_has_digit(const kube__quantity_digits *digits)
{
    return digits->next > digits->start || digits->carry > 0;
}

unsigned kube__quantity_next_digit(kube__quantity_digits *digits)
{
    unsigned digit;
    if (digits->next > digits->start) {
        digits->next--;
        if (*digits->next == '.')
            digits->next--; /* trimmed: a digit stands before it */
        /* 9 * 2^60 + 2^60 fits. */
        digits->carry += (uint64_t)(*digits->next - '0') * digits->multiplier;
    }
    digit = (unsigned)(digits->carry % 10);
    digits->carry /= 10;
    digits->position++;
    return digit;
}

bool kube_quantity_is_valid(kube_quantity q)
{
    kube__quantity_parts parts;
    return kube__quantity_split(q, &parts);
}

/* The value times 10^@scale in whole numbers; a rest rounds away from zero, as in Go. */
static bool scaled_value(kube_quantity q, int scale, int64_t *out)
{
    kube__quantity_parts parts;
    kube__quantity_digits digits;
    uint64_t total = 0;
    uint64_t power = 1;
    uint64_t limit;
    int64_t at = 0;
    bool rest = false;
    if (!kube__quantity_split(q, &parts))
        return false;
    digits = kube__quantity_digits_of(&parts);
    digits.position += scale;
    limit = (uint64_t)INT64_MAX + parts.negative;
    while (kube__quantity_has_digit(&digits)) {
        int64_t position = digits.position;
        unsigned digit = kube__quantity_next_digit(&digits);
        if (position >= MAX_INT64_DIGITS && digit)
            return false;
        rest = rest || (position < 0 && digit);
        if (position < 0 || !digit)
            continue;
        for (; at < position; at++)
            power *= 10;
        total += digit * power; /* at most 19 digits: fits 64 bits */
    }
    total += rest;
    if (total > limit)
        return false;
    if (parts.negative)
        *out = total == 0 ? 0 : -(int64_t)(total - 1) - 1; /* also for INT64_MIN */
    else
        *out = (int64_t)total;
    return true;
}

bool kube_quantity_value(kube_quantity q, int64_t *out)
{
    return scaled_value(q, 0, out);
}

bool kube_quantity_milli_value(kube_quantity q, int64_t *out)
{
    return scaled_value(q, 3, out);
}

static bool is_zero(const kube__quantity_parts *parts)
{
    return parts->digits == parts->end;
}

/* Compares digit by digit from the right: the last difference seen is the one that counts. */
static int compare_digits(const kube__quantity_parts *a, const kube__quantity_parts *b)
{
    kube__quantity_digits x = kube__quantity_digits_of(a);
    kube__quantity_digits y = kube__quantity_digits_of(b);
    int order = 0;
    while (kube__quantity_has_digit(&x) || kube__quantity_has_digit(&y)) {
        int64_t position = x.position < y.position ? x.position : y.position;
        unsigned p = x.position == position ? kube__quantity_next_digit(&x) : 0;
        unsigned q = y.position == position ? kube__quantity_next_digit(&y) : 0;
        if (p != q)
            order = p < q ? -1 : 1;
    }
    return order;
}

static int compare_magnitudes(const kube__quantity_parts *a, const kube__quantity_parts *b)
{
    int64_t top_a = a->exponent + a->count;
    int64_t top_b = b->exponent + b->count;
    if (is_zero(a) || is_zero(b))
        return (int)is_zero(b) - (int)is_zero(a);
    /* Far apart, so that a great exponent costs no walk through its zeros. */
    if (top_a > top_b + MULTIPLIER_DIGITS)
        return 1;
    if (top_b > top_a + MULTIPLIER_DIGITS)
        return -1;
    return compare_digits(a, b);
}

bool kube_quantity_compare(kube_quantity a, kube_quantity b, int *order)
{
    kube__quantity_parts x;
    kube__quantity_parts y;
    if (!kube__quantity_split(a, &x) || !kube__quantity_split(b, &y))
        return false;
    x.negative = x.negative && !is_zero(&x);
    y.negative = y.negative && !is_zero(&y);
    if (x.negative != y.negative)
        *order = x.negative ? -1 : 1;
    else
        *order = x.negative ? compare_magnitudes(&y, &x) : compare_magnitudes(&x, &y);
    return true;
}
