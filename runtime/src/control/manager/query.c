/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

/* Returns the byte that "%41" stands for; 0 if it is not of this form. */
static char decode(const char *text)
{
    int high = *text == '%' ? kube__hex_digit(text[1]) : -1;
    int low = high < 0 ? -1 : kube__hex_digit(text[2]);
    return (char)(low < 0 ? 0 : high << 4 | low);
}

/* Writes @len bytes decoded and a NUL to @out; returns what is behind it. */
static char *put(char *out, const char *text, size_t len)
{
    const char *end = text + len;
    while (text < end) {
        char c = end - text > 2 ? decode(text) : 0;
        *out++ = (char)(c ? c : *text == '+' ? ' ' : *text);
        text += c ? 3 : 1;
    }
    *out++ = '\0';
    return out;
}

char *kube__query_parse(const char *text)
{
    /* A name without a value takes one byte more than it did, for the empty value. */
    char *query = malloc(2 * strlen(text) + 2);
    char *out = query;
    size_t len;
    for (; query && *text; text += len + (text[len] == '&')) {
        size_t name_len = strcspn(text, "=&");
        len = strcspn(text, "&");
        if (!name_len)
            continue;
        out = put(out, text, name_len);
        out = name_len < len ? put(out, text + name_len + 1, len - name_len - 1) : put(out, "", 0);
    }
    if (query)
        *out = '\0';
    return query;
}

const char *kube__query_next(const char *query, const char *name, const char *after)
{
    const char *at = after ? after + strlen(after) + 1 : query;
    while (at && *at) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}
