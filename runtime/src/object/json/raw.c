/* SPDX-License-Identifier: Apache-2.0 */
#include "raw.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "scan.h"

#include <string.h>

/* Compact text, the usual kind, costs one comparison. */
static inline const char *skip_space(const char *p, const char *end)
{
    if (p < end && (unsigned char)*p > ' ')
        return p;
    while (p < end && kube__is_blank(*p))
        p++;
    return p;
}

/* The value of `\uXXXX` at @p, -1 when it is no such escape. */
static int32_t read_unicode(const char *p, const char *end)
{
    int32_t value = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = kube__hex_digit(p[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Returns the end of the escape at @p, or NULL if it is malformed. */
static const char *skip_escape(const char *p, const char *end)
{
    if (end - p < 2)
        return NULL;
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return p + 2;
    case 'u':
        return read_unicode(p, end) < 0 ? NULL : p + 6;
    default:
        return NULL;
    }
}

/* @p is behind the opening quote; returns behind the closing one, NULL when the string is bad. */
static const char *skip_any_string(const char *p, const char *end)
{
    for (;;) {
        while (end - p >= KUBE__SCAN_BLOCK) {
            unsigned plain = kube__scan_block(p);
            p += plain;
            if (plain < KUBE__SCAN_BLOCK)
                break;
        }
        while (p < end && kube__scan_is_plain((unsigned char)*p))
            p++;
        if (p == end)
            return NULL;
        if (*p == '"')
            return p + 1;
        if (*p == '\\') {
            p = skip_escape(p, end);
        } else {
            size_t len = (unsigned char)*p < ' ' ? 0 : kube__utf8_len(p, (size_t)(end - p));
            p = len ? p + len : NULL;
        }
        if (!p)
            return NULL;
    }
}

/* The same, quick for strings that end within a block. */
static inline const char *skip_string(const char *p, const char *end)
{
    if (end - p < KUBE__SCAN_BLOCK)
        return skip_any_string(p, end);
    unsigned plain = kube__scan_block(p);
    if (plain < KUBE__SCAN_BLOCK && p[plain] == '"')
        return p + plain + 1;
    return skip_any_string(p + plain, end);
}

static inline bool is_digit(const char *p, const char *end)
{
    return p < end && kube__is_digit(*p);
}

static const char *skip_digits(const char *p, const char *end)
{
    if (!is_digit(p, end))
        return NULL;
    while (is_digit(p, end))
        p++;
    return p;
}

static const char *skip_number(const char *p, const char *end)
{
    if (p < end && *p == '-')
        p++;
    if (p < end && *p == '0')
        p++;
    else
        p = skip_digits(p, end);
    if (p && p < end && *p == '.')
        p = skip_digits(p + 1, end);
    if (p && p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        p = skip_digits(p, end);
    }
    return p;
}

static const char *skip_word(const char *p, const char *end, const char *word, size_t len)
{
    return (size_t)(end - p) >= len && memcmp(p, word, len) == 0 ? p + len : NULL;
}

static const char *skip_scalar(const char *p, const char *end)
{
    switch (*p) {
    case '"':
        return skip_string(p + 1, end);
    case 't':
        return skip_word(p, end, "true", 4);
    case 'f':
        return skip_word(p, end, "false", 5);
    case 'n':
        return skip_word(p, end, "null", 4);
    default:
        return skip_number(p, end);
    }
}

/* Returns the end of `"key":`, or NULL if it is missing. */
static inline const char *skip_key(const char *p, const char *end)
{
    p = skip_space(p, end);
    if (p == end || *p != '"')
        return NULL;
    p = skip_string(p + 1, end);
    if (!p)
        return NULL;
    p = skip_space(p, end);
    return p < end && *p == ':' ? p + 1 : NULL;
}

/*
 * Behind the value at @p, NULL when it is not one. The open brackets are a stack of bits (1 =
 * object), so the machine's stack does not grow with the text. A word of it is cleared when it is
 * first needed.
 */
static const char *skip_value(const char *p, const char *end, unsigned max_depth)
{
    uint64_t objects[KUBE__RAW_DEPTH / 64 + 1];
    objects[0] = 0;
    unsigned depth = 0;
    bool in_object = false;
    for (;;) {
        p = skip_space(p, end);
        if (p == end)
            return NULL;
        if (*p == '{' && end - p >= 2 && p[1] == '}' && depth > 0 && depth < max_depth) {
            p = skip_space(p + 2, end); /* what the leaves of fieldsV1 are */
        } else if (*p == '{' || *p == '[') {
            char close = *p == '{' ? '}' : ']';
            if (depth >= max_depth || depth >= KUBE__RAW_DEPTH)
                return NULL;
            in_object = *p == '{';
            depth++;
            uint64_t below = depth % 64 ? objects[depth / 64] : 0;
            below &= ~(UINT64_C(1) << depth % 64);
            objects[depth / 64] = below | (uint64_t)in_object << depth % 64;
            p = skip_space(p + 1, end);
            if (p == end || *p != close) {
                p = in_object ? skip_key(p, end) : p;
                if (!p)
                    return NULL;
                continue;
            }
        } else {
            p = skip_scalar(p, end);
            if (!p || depth == 0)
                return p;
            p = skip_space(p, end);
        }
        while (p < end && *p == (in_object ? '}' : ']')) {
            p++;
            if (--depth == 0)
                return p;
            in_object = objects[depth / 64] >> depth % 64 & 1;
            p = skip_space(p, end);
        }
        if (p == end || *p != ',')
            return NULL;
        p = in_object ? skip_key(p + 1, end) : p + 1;
        if (!p)
            return NULL;
    }
}

bool kube__raw_is_value(const char *text, size_t len, unsigned depth)
{
    const char *end = text + len;
    const char *p = skip_value(text, end, depth);
    return p && skip_space(p, end) == end;
}

bool kube__raw_is_members(const char *text, size_t len, unsigned depth)
{
    const char *p = text;
    const char *end = text + len;
    for (;;) {
        p = skip_key(p, end);
        if (p)
            p = skip_value(p, end, depth);
        if (!p)
            return false;
        p = skip_space(p, end);
        if (p == end)
            return true;
        if (*p != ',')
            return false;
        p++;
    }
}

bool kube__raw_inside(const char *text, size_t len, char open, const char **inside,
                      size_t *inside_len)
{
    const char *end = text + len;
    text = skip_space(text, end);
    while (end > text && kube__is_blank(end[-1]))
        end--;
    if (end - text < 2 || *text != open)
        return false;
    *inside = text + 1;
    *inside_len = (size_t)(end - 1 - *inside);
    return true;
}

/* Behind the comma that follows, if one does. */
static const char *skip_comma(const char *p, const char *end)
{
    p = skip_space(p, end);
    return p < end && *p == ',' ? p + 1 : p;
}

bool kube__raw_next_element(const char **at, const char *end, const char **value, size_t *len)
{
    const char *p = skip_space(*at, end);
    if (p == end)
        return false;
    const char *behind = skip_value(p, end, KUBE__RAW_DEPTH);
    if (!behind)
        return false;
    *value = p;
    *len = (size_t)(behind - p);
    *at = skip_comma(behind, end);
    return true;
}

bool kube__raw_next_member(const char **at, const char *end, kube__member *member)
{
    const char *p = skip_space(*at, end);
    const char *value = p == end ? NULL : skip_key(p, end);
    if (!value)
        return false;
    member->key = p + 1;
    member->key_len = (size_t)(skip_string(p + 1, end) - 1 - member->key);
    *at = value;
    return kube__raw_next_element(at, end, &member->value, &member->value_len);
}

size_t kube__raw_read_char(const char **at, const char *end, char out[8])
{
    static const char letters[] = "bfnrt";
    static const char controls[] = "\b\f\n\r\t";
    const char *p = *at;
    if (*p != '\\' || end - p < 2) {
        out[0] = *p;
        *at = p + 1;
        return 1;
    }
    if (p[1] != 'u') {
        const char *letter = memchr(letters, p[1], sizeof letters - 1);
        out[0] = letter ? controls[letter - letters] : p[1];
        *at = p + 2;
        return 1;
    }
    int32_t high = read_unicode(p, end);
    if (high >= 0xd800 && high <= 0xdbff) {
        int32_t low = read_unicode(p + 6, end);
        if (low >= 0xdc00 && low <= 0xdfff) {
            *at = p + 12;
            return kube__utf8_put((uint32_t)(0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00)),
                                  out);
        }
    }
    if (high < 0 || (high >= 0xd800 && high <= 0xdfff)) {
        size_t len = end - p < 6 ? (size_t)(end - p) : 6;
        memcpy(out, p, len);
        *at = p + len;
        return len;
    }
    *at = p + 6;
    return kube__utf8_put_inside((uint32_t)high, out);
}
