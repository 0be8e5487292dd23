/* SPDX-License-Identifier: Apache-2.0 */
/* Mutates a text with JSON in it value by value: one is replaced by another, removed, repeated. */
#include "mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 512, MAX_DEPTH = 64 };

typedef struct span {
    size_t from;
    size_t to;
} span;

typedef struct spans {
    span items[MAX_VALUES];
    size_t len;
} spans;

static size_t end_of_string(const uint8_t *data, size_t len, size_t at)
{
    for (at++; at < len && data[at] != '"'; at++)
        at += data[at] == '\\';
    return at < len ? at + 1 : len;
}

static size_t end_of_word(const uint8_t *data, size_t len, size_t at)
{
    while (at < len && (isalnum(data[at]) || strchr("+-._", data[at])) && data[at])
        at++;
    return at;
}

/* Scalars as they come; objects and lists when they close. */
static void find_values(const uint8_t *data, size_t len, spans *found)
{
    size_t open[MAX_DEPTH];
    size_t depth = 0;
    for (size_t at = 0; at < len && found->len < MAX_VALUES;) {
        size_t from = at;
        if (data[at] == '{' || data[at] == '[') {
            if (depth < MAX_DEPTH)
                open[depth++] = at;
            at++;
            continue;
        }
        if ((data[at] == '}' || data[at] == ']') && depth > 0) {
            from = open[--depth];
            at++;
        } else if (data[at] == '"') {
            at = end_of_string(data, len, at);
        } else {
            at = end_of_word(data, len, at);
        }
        if (at == from)
            at++;
        else
            found->items[found->len++] = (span){from, at};
    }
}

/* Puts @text in place of @old; returns the new length, @len if it does not fit. */
static size_t replace(uint8_t *data, size_t len, size_t max, span old, const void *text,
                      size_t text_len)
{
    size_t out = len - (old.to - old.from) + text_len;
    if (out > max)
        return len;
    memmove(data + old.from + text_len, data + old.to, len - old.to);
    memcpy(data + old.from, text, text_len);
    return out;
}

static bool is_key(const uint8_t *data, size_t len, span value)
{
    return value.to < len && data[value.to] == ':';
}

/* A member goes with its name, and both with one comma. */
static span with_comma(const uint8_t *data, size_t len, span value, const spans *all)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->items[i].to + 1 == value.from && is_key(data, len, all->items[i]))
            value.from = all->items[i].from;
    if (value.to < len && data[value.to] == ',')
        value.to++;
    else if (value.from && data[value.from - 1] == ',')
        value.from--;
    return value;
}

static const char *any_value(void)
{
    static const char *const values[] = {
        "null",
        "true",
        "false",
        "0",
        "-1",
        "1.5",
        "9223372036854775808",
        "1e400",
        "\"\"",
        "{}",
        "[]",
        "[null]",
        "3",
        "\"2020-01-01T00:00:00Z\"",
        "\"a\"",
        "-0",
        "{\"a\":null}",
        "\"\\u0000\"",
        "[{},{}]",
        "\"\\ud800\"",
        "{\"\":[]}",
    };
    return values[(size_t)rand() % (sizeof values / sizeof *values)];
}

static size_t mutate_string(uint8_t *data, size_t len, size_t max, span value)
{
    uint8_t text[256];
    size_t inner = value.to - value.from - 2;
    if (data[value.from] != '"' || value.to - value.from < 2 || inner > sizeof text / 2)
        return LLVMFuzzerMutate(data, len, max);
    memcpy(text, data + value.from + 1, inner);
    inner = LLVMFuzzerMutate(text, inner, sizeof text);
    return replace(data, len, max, (span){value.from + 1, value.to - 1}, text, inner);
}

static size_t mutate_value(uint8_t *data, size_t len, size_t max, const spans *all)
{
    span value = all->items[(size_t)rand() % all->len];
    span other = all->items[(size_t)rand() % all->len];
    uint8_t copy[4096];
    size_t size = other.to - other.from;
    const char *text = any_value();
    switch (rand() % 5) {
    case 0:
        return mutate_string(data, len, max, value);
    case 1:
        value = with_comma(data, len, value, all);
        return replace(data, len, max, value, "", 0);
    case 2:
        if (is_key(data, len, value))
            return LLVMFuzzerMutate(data, len, max);
        return replace(data, len, max, value, text, strlen(text));
    case 3: /* once more, before itself */
        value = with_comma(data, len, value, all);
        size = value.to - value.from;
        if (size > sizeof copy || !size || data[value.to - 1] != ',')
            return LLVMFuzzerMutate(data, len, max);
        memcpy(copy, data + value.from, size);
        return replace(data, len, max, (span){value.from, value.from}, copy, size);
    default:
        if (size > sizeof copy || (is_key(data, len, value) && data[other.from] != '"'))
            return LLVMFuzzerMutate(data, len, max);
        memcpy(copy, data + other.from, size);
        return replace(data, len, max, value, copy, size);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t max, unsigned seed)
{
    spans all;
    srand(seed);
    all.len = 0;
    find_values(data, len, &all);
    if (!all.len || rand() % 4 == 0)
        return LLVMFuzzerMutate(data, len, max);
    return mutate_value(data, len, max, &all);
}
