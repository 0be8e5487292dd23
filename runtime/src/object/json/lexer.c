/* SPDX-License-Identifier: Apache-2.0 */
#include "lexer.h"

#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

kube__lex kube__lex_broken(kube__lexer *lexer, const char *what)
{
    if (lexer->p >= lexer->end)
        return KUBE__LEX_MORE;
    lexer->what = what;
    lexer->found = NULL;
    return KUBE__LEX_SYNTAX;
}

kube__lex kube__lex_refuse(kube__lexer *lexer, const char *at, const char *what)
{
    lexer->p = at;
    lexer->what = what;
    lexer->found = NULL;
    return KUBE__LEX_VALUE;
}

kube__lex kube__lex_unexpected(kube__lexer *lexer, const char *what)
{
    if (lexer->p >= lexer->end)
        return KUBE__LEX_MORE;
    switch (*lexer->p) {
    case '"':
        lexer->found = "a string";
        break;
    case 't':
    case 'f':
        lexer->found = "true or false";
        break;
    case '{':
        lexer->found = "an object";
        break;
    case '[':
        lexer->found = "a list";
        break;
    case 'n':
        lexer->found = "null";
        break;
    default:
        if (*lexer->p != '-' && !kube__is_digit(*lexer->p))
            return kube__lex_broken(lexer, "expected a value");
        lexer->found = "a number";
    }
    lexer->what = what;
    return KUBE__LEX_VALUE;
}

/* The four digits of \uXXXX at @at; -1 when they are not. */
static int hex4(const char *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = kube__hex_digit(at[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* Whether the text ends within the @len bytes at @at; a shorter rest may still be wrong already,
 * but that shows when more has come. */
static bool is_cut(const kube__lexer *lexer, const char *at, ptrdiff_t len)
{
    return lexer->end - at < len;
}

/* Whether \uXXXX is at @at, or as much of it as there is text. */
static bool may_be_escape(const kube__lexer *lexer, const char *at)
{
    static const char start[] = "\\u";
    for (int i = 0; i < 6 && at + i < lexer->end; i++) {
        if (i < 2 ? at[i] != start[i] : kube__hex_digit(at[i]) < 0)
            return false;
    }
    return true;
}

static kube__lex unicode_escape(kube__lexer *lexer, const char **in, char **out)
{
    const char *at = *in;
    if (is_cut(lexer, at, 6))
        return KUBE__LEX_MORE;
    int first = hex4(at + 2);
    if (first < 0) {
        lexer->p = at;
        return kube__lex_broken(lexer, "bad \\u escape");
    }
    unsigned c = (unsigned)first;
    *in = at + 6;
    if (first >= 0xd800 && first < 0xe000) {
        bool may_follow = first < 0xdc00 && may_be_escape(lexer, at + 6);
        if (may_follow && is_cut(lexer, at, 12))
            return KUBE__LEX_MORE;
        int second = may_follow ? hex4(at + 8) : -1;
        if (second < 0xdc00 || second >= 0xe000)
            return kube__lex_refuse(lexer, at, "\\u escape is half of a surrogate pair");
        c = 0x10000 + ((c - 0xd800) << 10) + (unsigned)(second - 0xdc00);
        *in = at + 12;
    }
    *out += kube__utf8_put_inside(c, *out);
    return KUBE__LEX_OK;
}

/* The character for each byte after a backslash; 0 for \u, for the end, and for invalid escapes. */
static const char escapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

static kube__lex escape(kube__lexer *lexer, const char **in, char **out)
{
    if (is_cut(lexer, *in, 2))
        return KUBE__LEX_MORE;
    unsigned char c = (unsigned char)(*in)[1];
    if (c == 'u')
        return unicode_escape(lexer, in, out);
    if (!escapes[c]) {
        lexer->p = *in;
        return kube__lex_broken(lexer, "bad escape");
    }
    *(*out)++ = escapes[c];
    *in += 2;
    return KUBE__LEX_OK;
}

/* Whether a character of which there is no more text could become one. */
static bool may_be_cut_utf8(const char *s, size_t left)
{
    unsigned char first = (unsigned char)s[0];
    size_t want = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || left >= want)
        return false;
    for (size_t i = 1; i < left; i++) {
        if (!kube__utf8_is_inner(s[i]))
            return false;
    }
    return true;
}

kube__lex kube__lex_special(kube__lexer *lexer, const char **in, char **out)
{
    unsigned char c = (unsigned char)**in;
    if (c == '\\')
        return escape(lexer, in, out);
    if (c < 0x80) {
        lexer->p = *in;
        return kube__lex_broken(lexer, "control character in a string");
    }
    size_t left = (size_t)(lexer->end - *in);
    size_t len = kube__utf8_len(*in, left);
    if (len == 0) {
        if (may_be_cut_utf8(*in, left))
            return KUBE__LEX_MORE;
        return kube__lex_refuse(lexer, *in, "bad UTF-8");
    }
    memcpy(*out, *in, len);
    *in += len;
    *out += len;
    return KUBE__LEX_OK;
}

kube__lex kube__lex_string_rest(kube__lexer *lexer, const char *in, char *to, char *out,
                                uint32_t *len)
{
    while (*in != '"') {
        char escaped = escapes[(unsigned char)in[1]];
        if (KUBE__LIKELY(*in == '\\' && escaped)) {
            *to++ = escaped;
            in += 2;
        } else {
            kube__lex got = kube__lex_special(lexer, &in, &to);
            if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
                return got;
        }
        kube__lex_plain(&in, &to);
    }
    *to = '\0';
    *len = (uint32_t)(to - out);
    lexer->p = in + 1;
    return KUBE__LEX_OK;
}

kube__lex kube__lex_int64(kube__lexer *lexer, int64_t *out)
{
    const char *p = lexer->p;
    bool negative = *p == '-';
    p += negative;
    const char *digits = p;
    uint64_t value = 0;
    bool fits = true;
    for (; kube__is_digit(*p); p++) {
        unsigned digit = (unsigned)(*p - '0');
        /* 18 digits always fit. */
        if (KUBE__UNLIKELY(p - digits >= 18) && value > (UINT64_MAX - digit) / 10)
            fits = false;
        value = value * 10 + digit;
    }
    if (p == digits) {
        if (negative) {
            lexer->p = p;
            return kube__lex_broken(lexer, "expected a digit");
        }
        return kube__lex_unexpected(lexer, "expected an integer");
    }
    if (p >= lexer->end)
        return KUBE__LEX_MORE;
    if (*digits == '0' && p - digits > 1) {
        lexer->p = digits;
        return kube__lex_broken(lexer, "leading zero");
    }
    if (*p == '.' || *p == 'e' || *p == 'E') {
        const char *start = lexer->p;
        kube__lex got = kube__lex_number(lexer);
        return got ? got
                   : kube__lex_refuse(lexer, start,
                                      "expected an integer, found a "
                                      "fraction or exponent");
    }
    if (!fits || value > (uint64_t)INT64_MAX + negative)
        return kube__lex_refuse(lexer, lexer->p, "integer does not fit in 64 bits");
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    lexer->p = p;
    return KUBE__LEX_OK;
}

/* At least one digit at p, then behind all of them. */
static kube__lex digits_at(kube__lexer *lexer)
{
    if (!kube__is_digit(*lexer->p))
        return kube__lex_broken(lexer, "expected a digit");
    while (kube__is_digit(*lexer->p))
        lexer->p++;
    return KUBE__LEX_OK;
}

kube__lex kube__lex_number(kube__lexer *lexer)
{
    if (*lexer->p == '-')
        lexer->p++;
    kube__lex got = KUBE__LEX_OK;
    if (*lexer->p == '0') {
        lexer->p++;
        if (kube__is_digit(*lexer->p))
            return kube__lex_broken(lexer, "leading zero");
    } else {
        got = digits_at(lexer);
    }
    if (!got && *lexer->p == '.') {
        lexer->p++;
        got = digits_at(lexer);
    }
    if (!got && (*lexer->p == 'e' || *lexer->p == 'E')) {
        lexer->p++;
        if (*lexer->p == '+' || *lexer->p == '-')
            lexer->p++;
        got = digits_at(lexer);
    }
    if (got)
        return got;
    return lexer->p >= lexer->end ? KUBE__LEX_MORE : KUBE__LEX_OK;
}

kube__lex kube__lex_double(kube__lexer *lexer, double *out)
{
    const char *start = lexer->p;
    if (*start != '-' && !kube__is_digit(*start))
        return kube__lex_unexpected(lexer, "expected a number");
    kube__lex got = kube__lex_number(lexer);
    if (got)
        return got;
    /* Up to 15 digits and no point or exponent: a double holds it as it is. */
    const char *p = start + (*start == '-');
    int64_t whole = 0;
    while (p < lexer->p && p - start < 15 && kube__is_digit(*p))
        whole = whole * 10 + (*p++ - '0');
    double value = p == lexer->p ? (double)whole : kube__text_to_double(start);
    if (p == lexer->p && *start == '-')
        value = -value;
    if (isnan(value))
        return KUBE__LEX_NO_MEMORY;
    if (isinf(value))
        return kube__lex_refuse(lexer, start, "number does not fit in a double");
    *out = value;
    return KUBE__LEX_OK;
}

static kube__lex literal(kube__lexer *lexer, const char *text, size_t len)
{
    if (memcmp(lexer->p, text, len) == 0) {
        lexer->p += len;
        return KUBE__LEX_OK;
    }
    size_t left = (size_t)(lexer->end - lexer->p);
    if (left < len && memcmp(lexer->p, text, left) == 0)
        return KUBE__LEX_MORE;
    return kube__lex_broken(lexer, "expected a value");
}

kube__lex kube__lex_bool(kube__lexer *lexer, bool *out)
{
    if (*lexer->p != 't' && *lexer->p != 'f')
        return kube__lex_unexpected(lexer, "expected true or false");
    *out = *lexer->p == 't';
    return *out ? literal(lexer, "true", 4) : literal(lexer, "false", 5);
}

kube__lex kube__lex_null(kube__lexer *lexer)
{
    return literal(lexer, "null", 4);
}

/* An escape in a string that stays as it is written: half a pair does no harm there. */
static kube__lex skip_escape(kube__lexer *lexer, const char **in)
{
    char unused[8];
    char *out = unused;
    if (is_cut(lexer, *in, 2))
        return KUBE__LEX_MORE;
    if ((*in)[1] != 'u')
        return escape(lexer, in, &out);
    if (is_cut(lexer, *in, 6))
        return KUBE__LEX_MORE;
    if (hex4(*in + 2) < 0) {
        lexer->p = *in;
        return kube__lex_broken(lexer, "bad \\u escape");
    }
    *in += 6;
    return KUBE__LEX_OK;
}

static kube__lex skip_string(kube__lexer *lexer)
{
    const char *in = lexer->p + 1;
    for (;;) {
        unsigned plain = kube__scan_block(in);
        in += plain;
        if (plain == KUBE__SCAN_BLOCK)
            continue;
        if (KUBE__LIKELY(*in == '"'))
            break;
        char unused[8];
        char *out = unused;
        kube__lex got = *in == '\\' ? skip_escape(lexer, &in) : kube__lex_special(lexer, &in, &out);
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return got;
    }
    lexer->p = in + 1;
    return KUBE__LEX_OK;
}

static kube__lex skip_scalar(kube__lexer *lexer)
{
    bool unused;
    switch (*lexer->p) {
    case '"':
        return skip_string(lexer);
    case 't':
    case 'f':
        return kube__lex_bool(lexer, &unused);
    case 'n':
        return kube__lex_null(lexer);
    default:
        if (*lexer->p != '-' && !kube__is_digit(*lexer->p))
            return kube__lex_broken(lexer, "expected a value");
        return kube__lex_number(lexer);
    }
}

/* `"key":` and the blanks around it. */
static kube__lex skip_key(kube__lexer *lexer)
{
    if (KUBE__UNLIKELY(*lexer->p != '"'))
        return kube__lex_broken(lexer, "expected a member name");
    kube__lex got = skip_string(lexer);
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    kube__lex_space(lexer);
    if (KUBE__UNLIKELY(*lexer->p != ':'))
        return kube__lex_broken(lexer, "expected ':'");
    lexer->p++;
    kube__lex_space(lexer);
    return KUBE__LEX_OK;
}

/* Which containers are open: a bit each, set for objects. */
typedef struct nesting {
    uint64_t objects[KUBE__LEX_SKIP_DEPTH / 64 + 1];
    unsigned depth;
} nesting;

static kube__lex open_container(kube__lexer *lexer, nesting *open, bool object)
{
    if (lexer->depth + open->depth >= KUBE__LEX_SKIP_DEPTH)
        return kube__lex_refuse(lexer, lexer->p, "nested deeper than 10000");
    uint64_t bit = UINT64_C(1) << (open->depth % 64);
    uint64_t *word = &open->objects[open->depth / 64];
    *word = object ? *word | bit : *word & ~bit;
    open->depth++;
    lexer->p++;
    kube__lex_space(lexer);
    return KUBE__LEX_OK;
}

static bool in_object(const nesting *open)
{
    unsigned at = open->depth - 1;
    return open->objects[at / 64] >> (at % 64) & 1;
}

/* Behind a value: closes what ends there, and stops at the start of the next one. */
static kube__lex after_value(kube__lexer *lexer, nesting *open)
{
    while (open->depth) {
        kube__lex_space(lexer);
        bool object = in_object(open);
        if (*lexer->p == (object ? '}' : ']')) {
            lexer->p++;
            open->depth--;
            continue;
        }
        if (KUBE__UNLIKELY(*lexer->p != ','))
            return kube__lex_broken(lexer, object ? "expected ',' or '}'" : "expected ',' or ']'");
        lexer->p++;
        kube__lex_space(lexer);
        return object ? skip_key(lexer) : KUBE__LEX_OK;
    }
    return KUBE__LEX_OK;
}

kube__lex kube__lex_skip(kube__lexer *lexer)
{
    nesting open;
    open.depth = 0;
    kube__lex got;
    do {
        char c = *lexer->p;
        if (c == '{' || c == '[') {
            got = open_container(lexer, &open, c == '{');
            if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
                return got;
            if (*lexer->p != (c == '{' ? '}' : ']')) {
                got = c == '{' ? skip_key(lexer) : KUBE__LEX_OK;
                if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
                    return got;
                continue;
            }
            lexer->p++;
            open.depth--;
        } else {
            got = skip_scalar(lexer);
            if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
                return got;
        }
        got = after_value(lexer, &open);
        if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
            return got;
    } while (open.depth);
    return KUBE__LEX_OK;
}
