/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for text that may be NULL or has to be cut. */
#ifndef KUBE_BASE_TEXT_H
#define KUBE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline const char *kube__text_or_empty(const char *text)
{
    return text ? text : "";
}

/* Absent and empty say the same. */
static inline bool kube__text_same(const char *a, const char *b)
{
    return strcmp(kube__text_or_empty(a), kube__text_or_empty(b)) == 0;
}

static inline bool kube__text_starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static inline bool kube__text_ends_with(const char *text, const char *end)
{
    size_t len = strlen(text);
    size_t end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* What hinders @name from being that of an object, or of a namespace: it could not be one segment
 * of a path, or it is not a text. Such a name is no key, nor may it become part of a file's name.
 * Returns NULL if nothing is wrong with it. */
const char *kube__name_flaw(const char *name);

/* For qsort() over an array of texts. */
int kube__text_compare(const void *a, const void *b);

/* Whether @host, of a request's Host header, names the machine itself or @address ("host:port";
 * "" = no other): a page from elsewhere that had its own name point to us (DNS rebinding) says
 * another. */
bool kube__host_is_ours(const char *host, const char *address);

/* strtod by the C locale, whatever the program has set. Returns NAN if out of memory. */
double kube__text_to_double(const char *text);

#endif /* KUBE_BASE_TEXT_H */
