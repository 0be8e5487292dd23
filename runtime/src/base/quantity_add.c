/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of quantities in decimal fixed point. Like Go's, they count in nanos (what is finer is
 * rounded away from zero when read); unlike Go's, they are refused rather than capped when too big.
 */
#include "ctx.h"
#include "quantity.h"

#include <stdio.h>
#include <string.h>

enum { LOWEST = -9, COUNT = 60, KILO_DIGITS = 3, KIBI = 1024 };

/* ±sum of digits[i] * 10^(i + LOWEST). */
typedef struct fixed {
    bool negative;
    unsigned char digits[COUNT];
} fixed;

/* Adds one in the last place; false when it runs over. */
static bool increment(fixed *f)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (f->digits[i] < 9) {
            f->digits[i]++;
            return true;
        }
        f->digits[i] = 0;
    }
    return false;
}

static bool read_fixed(const kube__quantity_parts *parts, fixed *out)
{
    kube__quantity_digits digits = kube__quantity_digits_of(parts);
    bool rest = false;
    memset(out, 0, sizeof *out);
    out->negative = parts->negative;
    while (kube__quantity_has_digit(&digits)) {
        int64_t position = digits.position - LOWEST;
        unsigned digit = kube__quantity_next_digit(&digits);
        if (position >= COUNT && digit)
            return false;
        if (position < 0)
            rest = rest || digit;
        else if (digit)
            out->digits[position] = (unsigned char)digit;
    }
    return !rest || increment(out);
}

static int compare(const fixed *a, const fixed *b)
{
    for (size_t i = COUNT; i-- > 0;) {
        if (a->digits[i] != b->digits[i])
            return a->digits[i] < b->digits[i] ? -1 : 1;
    }
    return 0;
}

/* Magnitudes of @a and @b added; false when the sum has too many digits. */
static bool add_magnitudes(fixed *a, const fixed *b)
{
    unsigned carry = 0;
    for (size_t i = 0; i < COUNT; i++) {
        carry += (unsigned)a->digits[i] + b->digits[i];
        a->digits[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    return carry == 0;
}

/* @a minus @b, which is not greater. */
static void subtract_magnitudes(fixed *a, const fixed *b)
{
    int borrow = 0;
    for (size_t i = 0; i < COUNT; i++) {
        int digit = a->digits[i] - b->digits[i] - borrow;
        borrow = digit < 0;
        a->digits[i] = (unsigned char)(digit + 10 * borrow);
    }
}

static bool add(const fixed *a, const fixed *b, fixed *sum)
{
    bool a_is_greater = compare(a, b) >= 0;
    const fixed *lesser = a_is_greater ? b : a;
    *sum = a_is_greater ? *a : *b;
    if (a->negative == b->negative)
        return add_magnitudes(sum, lesser);
    subtract_magnitudes(sum, lesser);
    return true;
}

/* Position of the lowest digit that is not zero, COUNT for zero. */
static size_t lowest(const fixed *f)
{
    size_t i = 0;
    while (i < COUNT && f->digits[i] == 0)
        i++;
    return i;
}

static bool is_zero(const fixed *f)
{
    return lowest(f) == COUNT;
}

/* The digits from @from up as a number, with its sign. */
static size_t write_digits(const fixed *f, size_t from, char *out)
{
    size_t len = 0;
    size_t i = COUNT;
    if (f->negative)
        out[len++] = '-';
    while (i > from + 1 && f->digits[i - 1] == 0)
        i--;
    while (i > from)
        out[len++] = (char)('0' + f->digits[--i]);
    out[len] = '\0';
    return len;
}

/* The greatest suffix that leaves a whole number. */
static void write_decimal(const fixed *f, bool exponent_form, char *out, size_t size)
{
    static const char *const suffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    const size_t suffix_count = sizeof suffixes / sizeof *suffixes;
    size_t thousands = lowest(f) / KILO_DIGITS;
    size_t len;
    int exponent;
    if (!exponent_form && thousands >= suffix_count)
        thousands = suffix_count - 1;
    exponent = (int)(thousands * KILO_DIGITS) + LOWEST;
    len = write_digits(f, thousands * KILO_DIGITS, out);
    if (!exponent_form)
        snprintf(out + len, size - len, "%s", suffixes[thousands]);
    else if (exponent != 0)
        snprintf(out + len, size - len, "e%d", exponent);
}

/* Divides the whole part by 1024 and returns the rest. */
static unsigned divide_by_kibi(fixed *f)
{
    unsigned rest = 0;
    for (size_t i = COUNT; i-- > -LOWEST;) {
        rest = rest * 10 + f->digits[i];
        f->digits[i] = (unsigned char)(rest / KIBI);
        rest %= KIBI;
    }
    return rest;
}

static void write_binary(const fixed *f, char *out, size_t size)
{
    static const char *const suffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    fixed whole = *f;
    size_t power = 0;
    size_t len;
    while (power + 1 < sizeof suffixes / sizeof *suffixes) {
        fixed next = whole;
        if (divide_by_kibi(&next) != 0)
            break;
        whole = next;
        power++;
    }
    len = write_digits(&whole, -LOWEST, out);
    snprintf(out + len, size - len, "%s", suffixes[power]);
}

/* Whether Ki and its like can say it exactly, and say it better: below 1024 they do not. */
static bool fits_binary(const fixed *f)
{
    fixed quotient = *f;
    if (lowest(f) < -LOWEST)
        return false;
    divide_by_kibi(&quotient);
    return !is_zero(&quotient);
}

kube_code kube_quantity_add(kube_ctx *ctx, kube_quantity a, kube_quantity b, kube_quantity *out,
                            kube_error *err)
{
    const kube_quantity inputs[] = {a, b};
    kube__quantity_parts parts[2];
    fixed values[2];
    fixed sum;
    char text[COUNT + 16];
    out->text = NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *input = inputs[i].text ? inputs[i].text : "";
        if (!kube__quantity_split(inputs[i], &parts[i]))
            return kube_error_set(err, KUBE_ERR_ARGUMENT, "\"%s\" is not a quantity", input);
        if (!read_fixed(&parts[i], &values[i]))
            return kube_error_set(err, KUBE_ERR_ARGUMENT, "quantity %s is out of range", input);
    }
    if (!add(&values[0], &values[1], &sum))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s + %s is out of range", a.text, b.text);
    if (is_zero(&sum))
        memcpy(text, "0", 2);
    else if (parts[0].family == KUBE__BINARY_SI && fits_binary(&sum))
        write_binary(&sum, text, sizeof text);
    else
        write_decimal(&sum, parts[0].family == KUBE__DECIMAL_EXPONENT, text, sizeof text);
    out->text = kube_ctx_strdup(ctx, text);
    return kube__ctx_check(ctx, err);
}
