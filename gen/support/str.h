/* SPDX-License-Identifier: Apache-2.0 */
/* A str is a string that grows. One of zero bytes is empty. */
#ifndef KUBEGEN_SUPPORT_STR_H
#define KUBEGEN_SUPPORT_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct str {
    char *data; /* NUL-terminated; NULL while nothing was added */
    size_t len;
    size_t cap;
} str;

void str_free(str *s);
/* Forgets the contents and keeps the storage. */
void str_clear(str *s);
/* Returns the contents, never NULL. */
const char *str_text(const str *s);
void str_add(str *s, const char *text);
void str_add_len(str *s, const char *text, size_t len);
void str_add_char(str *s, char c);
__attribute__((format(printf, 2, 3))) void str_printf(str *s, const char *format, ...);
__attribute__((format(printf, 2, 0))) void str_vprintf(str *s, const char *format, va_list args);

/* Compares for qsort() over an array of texts. */
int str_compare(const void *a, const void *b);
/* Says whether @text is one of @words, which end with NULL. */
bool str_is_one_of(const char *text, const char *const *words);
bool str_has_prefix(const char *text, const char *prefix);
bool str_has_suffix(const char *text, const char *suffix);
/* Appends all that is left of @in. Returns false if it cannot be read, or has more than @most
 * bytes; errno says why. */
bool str_read_stream(str *s, FILE *in, size_t most);
/* Appends a whole file of up to 64 MiB. Returns false if it cannot be read; errno says why. */
bool str_read_file(str *s, const char *path);

#endif /* KUBEGEN_SUPPORT_STR_H */
