/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of characters are those of ASCII, whatever the locale. */
#ifndef KUBEGEN_SUPPORT_ASCII_H
#define KUBEGEN_SUPPORT_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool ascii_is_alpha(char c)
{
    return ascii_is_lower(c) || ascii_is_upper(c);
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_alnum(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

static inline bool ascii_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char ascii_lower(char c)
{
    return ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
    return ascii_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

#endif /* KUBEGEN_SUPPORT_ASCII_H */
