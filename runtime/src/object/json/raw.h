/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions for JSON that stays text: raw values and kube_extra. They check it before it is sent,
 * and find members and elements in it, without allocating memory.
 */
#ifndef KUBE_OBJECT_RAW_H
#define KUBE_OBJECT_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KUBE__RAW_DEPTH = 10000 }; /* objects and arrays in one another; what Go's bound is */

/* Strings are as written: between the quotes, escapes unread. */
typedef struct kube__member {
    const char *key;
    size_t key_len;
    const char *value;
    size_t value_len;
} kube__member;

/* Returns whether @text is exactly one JSON value, nested at most @depth deep. */
bool kube__raw_is_value(const char *text, size_t len, unsigned depth);
/* Whether @text is `"key":value` pairs joined by commas. */
bool kube__raw_is_members(const char *text, size_t len, unsigned depth);

/* The inside of an object or array (@open is its bracket) without the brackets; false when @text
 * is another value. @text is valid. */
bool kube__raw_inside(const char *text, size_t len, char open, const char **inside,
                      size_t *inside_len);
/* The next pair at *@at, which moves behind it and its comma; false at the end. */
bool kube__raw_next_member(const char **at, const char *end, kube__member *member);
bool kube__raw_next_element(const char **at, const char *end, const char **value, size_t *len);

/* Reads one character or escape at *@at (not at the end) as UTF-8 into @out; returns its length.
 * `\u0000` becomes KUBE_TEXT_NUL; lone surrogates stay as they are written. */
size_t kube__raw_read_char(const char **at, const char *end, char out[8]);

#endif /* KUBE_OBJECT_RAW_H */
