/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "scan.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_BYTES = 1 << 30,     /* far beyond what a server takes; ends runaway trees */
    HAND_OVER_BYTES = 65536, /* from here on the ctx gets the buffer, not a copy of it */
};

void kube__writer_init(kube__writer *w)
{
    w->at = w->start = w->first;
    w->end = w->first + KUBE__WRITER_ROOM;
    kube__buffer_init(&w->heap, MAX_BYTES);
}

void kube__writer_fini(kube__writer *w)
{
    kube__buffer_fini(&w->heap);
}

bool kube__writer_grow(kube__writer *w, size_t len)
{
    size_t used = kube__writer_len(w);
    bool was_first = w->start == w->first;
    size_t more = len > used ? len : used; /* doubles, so writing stays linear */
    if (w->heap.failed || more > MAX_BYTES)
        return false;
    w->heap.len = was_first ? 0 : used;
    char *p = kube__buffer_reserve(&w->heap, (was_first ? used : 0) + more + KUBE__WRITER_SLACK);
    if (!p) {
        /* The text is gone with the buffer; what is left is a valid, empty place to write. */
        w->at = w->start = w->first;
        w->end = w->first + KUBE__WRITER_ROOM;
        return false;
    }
    if (was_first)
        memcpy(p, w->first, used);
    w->start = w->heap.data;
    w->at = w->start + used;
    w->end = w->at + more;
    return true;
}

kube_code kube__writer_finish(kube__writer *w, kube_ctx *ctx, const char **text, size_t *len,
                              kube_error *err)
{
    size_t used = kube__writer_len(w);
    kube_code rc;
    char *copy;
    *w->at = '\0'; /* into the slack */
    if (w->start != w->first && used >= HAND_OVER_BYTES) {
        copy = w->heap.data;
        rc = kube_ctx_defer(ctx, free, copy, err);
        if (rc != KUBE_OK)
            return rc;
        kube__buffer_init(&w->heap, MAX_BYTES);
    } else {
        copy = kube_ctx_alloc(ctx, used + 1);
        if (!copy)
            return kube__ctx_check(ctx, err);
        memcpy(copy, w->start, used + 1);
    }
    w->at = w->start = w->first;
    w->end = w->first + KUBE__WRITER_ROOM;
    *text = copy;
    if (len)
        *len = used;
    return KUBE_OK;
}

bool kube__write_bytes(kube__writer *w, const char *bytes, size_t len)
{
    if (!kube__writer_room(w, len))
        return false;
    memcpy(w->at, bytes, len);
    w->at += len;
    return true;
}

/* ---- strings ------------------------------------------------------------------------------- */

/* Writes the one special character at @s and returns the bytes it took, 0 when it is not UTF-8. */
static size_t put_special(kube__writer *w, const char *s, size_t left)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[32] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    unsigned char c = (unsigned char)*s;
    if (c >= 0x80) {
        size_t len = kube__utf8_len(s, left);
        if (len == 0 && kube__utf8_is_nul(s, left)) {
            memcpy(w->at, "\\u0000", 6);
            w->at += 6;
            return 2;
        }
        memcpy(w->at, s, len);
        w->at += len;
        return len;
    }
    *w->at++ = '\\';
    if (letters[c]) {
        *w->at++ = letters[c];
        return 1;
    }
    memcpy(w->at, "u00", 3);
    w->at[3] = hex[c >> 4];
    w->at[4] = hex[c & 15];
    w->at += 5;
    return 1;
}

/* Copies less than 16 bytes if all are plain: two words that overlap instead of a loop. */
static inline bool copy_short_plain(char *out, const char *s, size_t len)
{
    if (len >= 8) {
        uint64_t head = kube__scan_load(s);
        uint64_t tail = kube__scan_load(s + len - 8);
        if (kube__scan_word(head) | kube__scan_word(tail))
            return false;
        memcpy(out, &head, 8);
        memcpy(out + len - 8, &tail, 8);
        return true;
    }
    if (len >= 4) {
        uint32_t head;
        uint32_t tail;
        memcpy(&head, s, 4);
        memcpy(&tail, s + len - 4, 4);
        if (kube__scan_word(head | (uint64_t)tail << 32))
            return false;
        memcpy(out, &head, 4);
        memcpy(out + len - 4, &tail, 4);
        return true;
    }
    for (size_t i = 0; i < len; i++) {
        if (!kube__scan_is_plain((unsigned char)s[i]))
            return false;
        out[i] = s[i];
    }
    return true;
}

static inline bool is_quick(char c)
{
    return c == '"' || c == '\\';
}

#ifdef KUBE__SCAN_HAS_MASK
/*
 * The blocks of a long string, until what is left is short or a character needs more than a
 * backslash. Text full of quotes is JSON within JSON, such as last-applied-configuration: all
 * quotes of a block are found at once, for finding one after the other would wait for each.
 */
static inline const char *put_blocks(char **out, const char *s, const char *end)
{
    char *at = *out;
    while (end - s >= 2 * KUBE__SCAN_BLOCK) {
        const char *block_end = s + KUBE__SCAN_BLOCK;
        const char *block = s;
        memcpy(at, s, KUBE__SCAN_BLOCK);
        for (unsigned mask = kube__scan_mask(s); mask; mask &= mask - 1) {
            const char *special = block + __builtin_ctz(mask);
            at += special - s;
            s = special;
            if (!is_quick(*s))
                goto out;
            at[0] = '\\';
            at[1] = *s++;
            at += 2;
            memcpy(at, s, KUBE__SCAN_BLOCK); /* up to the next one; the rest is written over */
        }
        at += block_end - s;
        s = block_end;
    }
out:
    *out = at;
    return s;
}
#else
static inline const char *put_blocks(char **out, const char *s, const char *end)
{
    (void)out;
    (void)end;
    return s;
}
#endif

/* There is always room for the rest at two bytes each, and for this: the quotes and one longer
 * escape. */
enum { STRING_ROOM = 8 };

kube__written kube__write_string(kube__writer *w, const char *s, size_t len)
{
    const char *end = s + len;
    if (!kube__writer_room(w, 2 * len + STRING_ROOM))
        return KUBE__WRITTEN_NO_MEMORY;
    char *at = w->at;
    *at++ = '"';
    for (;;) {
        s = put_blocks(&at, s, end);
        while (end - s >= KUBE__SCAN_BLOCK) {
            memcpy(at, s, KUBE__SCAN_BLOCK);
            unsigned plain = kube__scan_block(s);
            at += plain;
            s += plain;
            if (plain < KUBE__SCAN_BLOCK)
                goto special;
        }
        if (copy_short_plain(at, s, (size_t)(end - s))) {
            at += end - s;
            *at++ = '"';
            w->at = at;
            return KUBE__WRITTEN;
        }
        while (kube__scan_is_plain((unsigned char)*s))
            *at++ = *s++;
    special:
        if (is_quick(*s)) {
            *at++ = '\\';
            *at++ = *s++;
            continue;
        }
        w->at = at;
        size_t taken = put_special(w, s, (size_t)(end - s));
        if (!taken)
            return KUBE__WRITTEN_BAD_UTF8;
        s += taken;
        if (!kube__writer_room(w, 2 * (size_t)(end - s) + STRING_ROOM))
            return KUBE__WRITTEN_NO_MEMORY;
        at = w->at;
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

bool kube__write_int64(kube__writer *w, int64_t value)
{
    char digits[24];
    char *p = digits + sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--p = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0)
        *--p = '-';
    return kube__write_bytes(w, p, (size_t)(digits + sizeof digits - p));
}

enum { MAX_DIGITS = 17 };

typedef struct decimal {
    char digits[MAX_DIGITS + 1]; /* no zeros at the end, at least one digit */
    int count;
    int exponent; /* of the first digit */
} decimal;

/* Raises the last digit before the exponent; false when that would carry. */
static bool raise_last_digit(char *text)
{
    char *e = strchr(text, 'e');
    if (!e || e == text || e[-1] < '0' || e[-1] >= '9')
        return false;
    e[-1]++;
    return true;
}

/*
 * @value > 0 rounded to @precision digits; false when that reads back as another double. Below a
 * power of two doubles lie closer than above it, so there the decimal above may do when the nearest
 * does not. printf and strtod agree about the locale's decimal point, and only digits are taken
 * from the text between them.
 */
static bool round_to(double value, int precision, decimal *out)
{
    char text[64];
    const char *p = text;
    snprintf(text, sizeof text, "%.*e", precision - 1, value);
    if (precision < MAX_DIGITS && strtod(text, NULL) != value &&
        !(raise_last_digit(text) && strtod(text, NULL) == value))
        return false;
    out->count = 0;
    for (; *p && *p != 'e'; p++)
        if (kube__is_digit(*p) && out->count < MAX_DIGITS)
            out->digits[out->count++] = *p;
    out->exponent = *p ? (int)strtol(p + 1, NULL, 10) : 0;
    while (out->count > 1 && out->digits[out->count - 1] == '0')
        out->count--;
    return true;
}

/*
 * Any decimal of up to 15 digits survives a normal double, so rounding to 15 and dropping zeros is
 * the shortest when it reads back. Subnormals have fewer digits.
 */
static void shortest(double value, decimal *out)
{
    int precision = value < DBL_MIN ? 1 : DBL_DIG;
    while (!round_to(value, precision, out))
        precision++;
}

static size_t put_fixed(char *out, const decimal *d)
{
    char *p = out;
    if (d->exponent < 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = -1; i > d->exponent; i--)
            *p++ = '0';
    }
    for (int i = 0; i < d->count || i <= d->exponent; i++) {
        if (i > 0 && i == d->exponent + 1)
            *p++ = '.';
        *p++ = i < d->count ? d->digits[i] : '0';
    }
    return (size_t)(p - out);
}

static size_t put_scientific(char *out, const decimal *d)
{
    char *p = out;
    *p++ = d->digits[0];
    if (d->count > 1) {
        *p++ = '.';
        memcpy(p, d->digits + 1, (size_t)d->count - 1);
        p += d->count - 1;
    }
    p += snprintf(p, 8, "e%+d", d->exponent);
    return (size_t)(p - out);
}

bool kube__write_double(kube__writer *w, double value)
{
    decimal d;
    if (!kube__writer_room(w, KUBE__WRITER_NUMBER))
        return false;
    if (signbit(value))
        *w->at++ = '-';
    value = fabs(value);
    if (value <= 9007199254740992.0 && value == floor(value))
        return kube__write_int64(w, (int64_t)value);
    shortest(value, &d);
    w->at += d.exponent < -6 || d.exponent > 20 ? put_scientific(w->at, &d) : put_fixed(w->at, &d);
    return true;
}

bool kube__write_base64(kube__writer *w, const unsigned char *data, size_t len)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (len > MAX_BYTES || !kube__writer_room(w, (len + 2) / 3 * 4 + 2))
        return false;
    char *p = w->at;
    *p++ = '"';
    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i;
        uint32_t bits = (uint32_t)data[i] << 16;
        bits |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
        bits |= left > 2 ? data[i + 2] : 0;
        p[0] = letters[bits >> 18];
        p[1] = letters[bits >> 12 & 63];
        p[2] = left > 1 ? letters[bits >> 6 & 63] : '=';
        p[3] = left > 2 ? letters[bits & 63] : '=';
        p += 4;
    }
    *p++ = '"';
    w->at = p;
    return true;
}
