/* SPDX-License-Identifier: Apache-2.0 */
#include "scalar.h"

#include "base/ctx.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 }; /* beyond the digits of any double */

static bool is_null(const char *text)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL", NULL};
    return kube__api_is_one_of(text, words);
}

static bool is_true(const char *text)
{
    static const char *const words[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                        "True", "TRUE", "on",  "On",  "ON",  NULL};
    return kube__api_is_one_of(text, words);
}

static bool is_false(const char *text)
{
    static const char *const words[] = {"n",     "N",     "no",  "No",  "NO",  "false",
                                        "False", "FALSE", "off", "Off", "OFF", NULL};
    return kube__api_is_one_of(text, words);
}

static bool is_no_json_number(const char *text)
{
    static const char *const words[] = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",
                                        ".INF",  "+.inf", "+.Inf", "+.INF", "-.inf",
                                        "-.Inf", "-.INF", NULL};
    return kube__api_is_one_of(text, words);
}

/* An integer in any of its bases: 12, -0x1f, 0o17, 017, 0b11. */
static kube__json *integer(kube_ctx *ctx, const char *text)
{
    bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    int base = 10;
    char *end;
    if (digits[0] == '0' && digits[1]) {
        char mark = digits[1] | ' ';
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        digits += mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1;
    }
    /* strtoull would take blanks and a second sign. */
    if (!strchr("0123456789abcdefABCDEF", *digits) || !*digits)
        return NULL;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, base);
    if (*end || errno || (negative && value > (unsigned long long)INT64_MAX + 1))
        return NULL;
    if (negative)
        return kube__json_int(ctx, (int64_t)(0 - value));
    if (value <= INT64_MAX)
        return kube__json_int(ctx, (int64_t)value);
    return kube__json_double(ctx, (double)value);
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool looks_like_float(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t whole = digits_at(text);
    text += whole;
    if (*text == '.') {
        size_t fraction = digits_at(++text);
        if (!whole && !fraction)
            return false;
        text += fraction;
    } else if (!whole) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '-' || *text == '+';
        if (!digits_at(text))
            return false;
        text += digits_at(text);
    }
    return !*text;
}

/* NULL when it is no number. */
static kube__json *number(kube_ctx *ctx, const char *text)
{
    char plain[LONGEST_NUMBER];
    size_t len = 0;
    for (; *text; text++)
        if (*text != '_')
            plain[len++] = *text;
    plain[len] = '\0';
    kube__json *value = *plain == '.' ? NULL : integer(ctx, plain);
    if (!value && looks_like_float(plain)) {
        double parsed = kube__text_to_double(plain);
        if (isnan(parsed))
            kube__ctx_fail(ctx, 0);
        if (isfinite(parsed))
            value = kube__json_double(ctx, parsed);
    }
    return value;
}

kube__json *kube__api_plain_scalar(kube_ctx *ctx, const char *text, size_t len)
{
    kube__json *value = NULL;
    if (strlen(text) == len && len < LONGEST_NUMBER) {
        if (is_null(text))
            return kube__json_null(ctx);
        if (is_true(text))
            return kube__json_bool(ctx, true);
        if (is_false(text))
            return kube__json_bool(ctx, false);
        if (is_no_json_number(text))
            return NULL;
        if (strchr("+-.0123456789", *text))
            value = number(ctx, text);
    }
    return value || kube_ctx_failed(ctx) ? value : kube__json_string_len(ctx, text, len);
}
