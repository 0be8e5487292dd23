/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of ASCII characters that do not depend on the program's locale. */
#ifndef KUBE_BASE_ASCII_H
#define KUBE_BASE_ASCII_H

#include <stdbool.h>

static inline bool kube__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool kube__is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool kube__is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool kube__is_letter(char c)
{
    return kube__is_lower(c) || kube__is_upper(c);
}

static inline bool kube__is_alnum(char c)
{
    return kube__is_letter(c) || kube__is_digit(c);
}

/* The four blanks of JSON. */
static inline bool kube__is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Those of C: a vertical tab and a form feed besides. */
static inline bool kube__is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char kube__to_lower(char c)
{
    return kube__is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char kube__to_upper(char c)
{
    return kube__is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

/* Returns @text, which may be NULL. */
static inline char *kube__lower(char *text)
{
    for (char *c = text; c && *c; c++)
        *c = kube__to_lower(*c);
    return text;
}

/* Returns the value of a hexadecimal digit, -1 for any other character. */
static inline int kube__hex_digit(char c)
{
    char lower = kube__to_lower(c);
    if (kube__is_digit(c))
        return c - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

#endif /* KUBE_BASE_ASCII_H */
