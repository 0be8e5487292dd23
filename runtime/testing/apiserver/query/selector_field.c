/* SPDX-License-Identifier: Apache-2.0 */
/* Field selectors: "metadata.name=a,spec.x!=b", where a backslash takes , = and \ literally. */
#include "base/text.h"
#include "base/utf8.h"
#include "selector_parts.h"

#include <stdlib.h>
#include <string.h>

/* The part of @text up to the next comma that is not escaped. */
static size_t part_len(const char *text)
{
    size_t len = 0;
    for (; text[len] && text[len] != ','; len++)
        if (text[len] == '\\' && text[len + 1])
            len++;
    return len;
}

/* The parts in the order of their text: it decides which of several faults is told. */
static char **split(kube_ctx *ctx, const char *text, size_t *count)
{
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    char **parts = kube_ctx_alloc_array(ctx, most, sizeof *parts);
    *count = 0;
    while (parts) {
        size_t len = part_len(text);
        if (len && !(parts[(*count)++] = kube_ctx_strndup(ctx, text, len)))
            return NULL;
        if (!text[len])
            break;
        text += len + 1;
    }
    if (parts)
        qsort(parts, *count, sizeof *parts, kube__text_compare);
    return parts;
}

/* Bytes of the character that starts at @text. */
static int char_len(const char *text)
{
    int len = 1;
    while (kube__utf8_is_inner(text[len]))
        len++;
    return len;
}

/* Takes the backslashes out of @value, in place. */
static kube__api_failure *unescape(kube_ctx *ctx, char *value)
{
    char *to = value;
    for (const char *from = value; *from; from++) {
        if (*from == '\\') {
            from++;
            if (!*from)
                return kube__api_bad_request(ctx,
                                             "invalid field selector: invalid escape sequence: \\");
            if (!strchr("\\,=", *from))
                return kube__api_bad_request(
                    ctx, "invalid field selector: invalid escape sequence: \\%.*s", char_len(from),
                    from);
        } else if (*from == '=') {
            /* the real one prints the character's number */
            return kube__api_bad_request(
                ctx, "invalid field selector: unescaped character in value: %d", '=');
        }
        *to++ = *from;
    }
    *to = '\0';
    return NULL;
}

static kube__api_failure *read_term(kube_ctx *ctx, const char *text, char *part,
                                    kube__api_selector *selector)
{
    char *op = part;
    while (*op && *op != '=' && !(*op == '!' && op[1] == '='))
        op++;
    if (!*op)
        return kube__api_bad_request(ctx, "invalid selector: '%s'; can't understand '%s'", text,
                                     part);
    bool negative = *op == '!';
    char *value = op + (negative || op[1] == '=' ? 2 : 1);
    *op = '\0';
    kube__api_failure *failure = unescape(ctx, value);
    if (failure)
        return failure;
    kube__requirement *term =
        kube__api_selector_add(ctx, selector, negative ? KUBE__OP_IS_NOT : KUBE__OP_IS, part, 1);
    if (term)
        term->values[term->value_count++] = value;
    return NULL;
}

static bool is_known(const char *key, const char *const *fields)
{
    return strcmp(key, "metadata.name") == 0 || strcmp(key, "metadata.namespace") == 0 ||
           kube__api_is_one_of(key, fields);
}

kube__api_failure *kube__api_field_selector(kube_ctx *ctx, const char *text,
                                            const char *const *fields,
                                            const kube__api_selector **out)
{
    *out = NULL;
    size_t count;
    char **parts = split(ctx, text, &count);
    kube__api_selector *selector = parts ? kube__api_selector_new(ctx, count) : NULL;
    if (!selector)
        return kube__api_fail_no_memory();
    selector->of_fields = true;
    for (size_t i = 0; i < count; i++) {
        kube__api_failure *failure = read_term(ctx, text, parts[i], selector);
        if (failure)
            return failure;
    }
    for (size_t i = 0; i < selector->terms.len; i++) {
        const char *key = selector->terms.items[i].key;
        if (is_known(key, fields))
            continue;
        if (fields)
            return kube__api_bad_request(ctx, "field label not supported: %s", key);
        return kube__api_bad_request(ctx,
                                     "\"%s\" is not a known field selector: only "
                                     "\"metadata.name\", \"metadata.namespace\"",
                                     key);
    }
    if (selector->terms.len)
        *out = selector;
    return kube__api_check_memory(ctx);
}
