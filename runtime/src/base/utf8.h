/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8: where a character ends, and how one is written. */
#ifndef KUBE_BASE_UTF8_H
#define KUBE_BASE_UTF8_H

#include <kube/shapes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether @c is a byte of a character other than the first. */
static inline bool kube__utf8_is_inner(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Returns the length of the character at @s, of which @left bytes may be read; 0 if it is not well
 * formed. Of text that a NUL ends any number may be given for @left: nothing behind it is read. */
static inline size_t kube__utf8_len(const char *s, size_t left)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t len = u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    if (u[0] < 0x80)
        return 1;
    if (u[0] < 0xc2 || u[0] > 0xf4 || left < len)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if (!kube__utf8_is_inner(s[i]))
            return 0;
    }
    /* Too long for what it says, a surrogate, or above the last character. */
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
        (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
        return 0;
    return len;
}

/* Returns the character at @s, which has @len bytes as kube__utf8_len() says, and not 0. */
static inline uint32_t kube__utf8_get(const char *s, size_t len)
{
    const unsigned char *u = (const unsigned char *)s;
    uint32_t c = len == 1 ? u[0] : u[0] & (0x7fU >> len);
    for (size_t i = 1; i < len; i++)
        c = c << 6 | (u[i] & 0x3f);
    return c;
}

/* Whether @c would do something to the text around it instead of being shown: a control character,
 * of which U+0080-9F move cursors as ESC does, an end of a line, or a mark that turns the direction
 * of the text after it, so that it reads as something else. */
static inline bool kube__utf8_is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

enum { KUBE__SHOWN_SIZE = 8 };

/* Writes the character at *@text, which moves behind it, as it may be shown in a line, and returns
 * the length. What is a control (but a tab) or not UTF-8 becomes "\\n", "\\x1b" or "\\u202e". */
size_t kube__utf8_show(const char **text, char out[KUBE__SHOWN_SIZE]);

/* Writes @c, which is no surrogate and at most 0x10ffff, and returns its length. */
static inline size_t kube__utf8_put(uint32_t c, char out[4])
{
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = len; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(marks[len] | c);
    return len;
}

/* Whether KUBE_TEXT_NUL is at @s, of which @left bytes, at least one, may be read. It is not well
 * formed, and so stands for nothing else. */
static inline bool kube__utf8_is_nul(const char *s, size_t left)
{
    return s[0] == KUBE_TEXT_NUL[0] && left >= 2 && s[1] == KUBE_TEXT_NUL[1];
}

/* As kube__utf8_put(), for text that a NUL ends. */
static inline size_t kube__utf8_put_inside(uint32_t c, char out[4])
{
    if (c)
        return kube__utf8_put(c, out);
    out[0] = KUBE_TEXT_NUL[0];
    out[1] = KUBE_TEXT_NUL[1];
    return 2;
}

/* Returns the length of the longest prefix of @text (@len bytes) that has at most @max bytes and
 * ends where a character does. */
size_t kube__utf8_cut(const char *text, size_t len, size_t max);

/* Puts a space in the place of each control, but for a '\n' where @lines. */
void kube__utf8_flatten(char *text, bool lines);

/* Puts @mark in the place of each byte that is not UTF-8. */
void kube__utf8_clean(char *text, char mark);

#endif /* KUBE_BASE_UTF8_H */
