/* SPDX-License-Identifier: Apache-2.0 */
/* What a selector matches; how its text is read is in selector_label.c and selector_field.c. */
#include "base/text.h"
#include "selector_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

kube__api_term *kube__api_selector_add(kube_ctx *ctx, kube__api_selector *selector,
                                       kube__api_operator op, const char *key)
{
    kube__api_term *term = kube_ctx_alloc(ctx, sizeof *term);
    if (!term)
        return NULL;
    *term = (kube__api_term){.key = key, .op = op};
    kube__api_term **end = &selector->first;
    while (*end)
        end = &(*end)->next;
    *end = term;
    return term;
}

kube__api_failure *kube__api_selector_rename(kube_ctx *ctx,
                                             const char *(*rename)(kube_ctx *ctx, const char *key),
                                             const kube__api_selector **selector)
{
    kube__api_selector *renamed = kube_ctx_alloc(ctx, sizeof *renamed);
    for (const kube__api_term *t = *selector && renamed ? (*selector)->first : NULL; t;
         t = t->next) {
        kube__api_term *term = kube__api_selector_add(ctx, renamed, t->op, rename(ctx, t->key));
        if (term)
            term->values = t->values;
    }
    if (*selector)
        *selector = renamed;
    return kube__api_check_memory(ctx);
}

void kube__api_term_add_value(kube_ctx *ctx, kube__api_term *term, const char *value)
{
    if (!term || !value)
        return;
    kube__api_value **at = &term->values;
    while (*at && strcmp((*at)->text, value) < 0)
        at = &(*at)->next;
    if (*at && strcmp((*at)->text, value) == 0)
        return;
    kube__api_value *node = kube_ctx_alloc(ctx, sizeof *node);
    if (!node)
        return;
    *node = (kube__api_value){.text = value, .next = *at};
    *at = node;
}

bool kube__api_selector_parse_int(const char *text, int64_t *out)
{
    const char *digits = text + (*text == '+' || *text == '-');
    if (!*digits || digits[strspn(digits, "0123456789")])
        return false;
    errno = 0;
    *out = strtoll(text, NULL, 10);
    return !errno;
}

static const char *lookup(kube__api_pairs pairs, const char *key)
{
    for (size_t i = 0; i < pairs.len; i++)
        if (strcmp(pairs.items[i].key, key) == 0)
            return pairs.items[i].value;
    return NULL;
}

static bool has_value(const kube__api_term *term, const char *value)
{
    for (const kube__api_value *v = term->values; v; v = v->next)
        if (strcmp(v->text, value) == 0)
            return true;
    return false;
}

static bool compares(const kube__api_term *term, const char *value)
{
    int64_t is;
    int64_t bound;
    if (!value || !term->values || !kube__api_selector_parse_int(value, &is) ||
        !kube__api_selector_parse_int(term->values->text, &bound))
        return false;
    return term->op == KUBE__OP_GREATER ? is > bound : is < bound;
}

static bool term_matches(const kube__api_term *term, const char *value)
{
    switch (term->op) {
    case KUBE__OP_EXISTS:
        return value != NULL;
    case KUBE__OP_ABSENT:
        return !value;
    case KUBE__OP_IS:
    case KUBE__OP_IN:
        return value && has_value(term, value);
    case KUBE__OP_IS_NOT:
    case KUBE__OP_NOT_IN:
        return !value || !has_value(term, value);
    case KUBE__OP_GREATER:
    case KUBE__OP_LESS:
        return compares(term, value);
    /* a field that is not there is an empty one */
    case KUBE__OP_FIELD_IS:
        return has_value(term, kube__text_or_empty(value));
    case KUBE__OP_FIELD_IS_NOT:
        return !has_value(term, kube__text_or_empty(value));
    }
    return false;
}

bool kube__api_selector_matches(const kube__api_selector *selector, kube__api_pairs pairs)
{
    for (const kube__api_term *term = selector ? selector->first : NULL; term; term = term->next)
        if (!term_matches(term, lookup(pairs, term->key)))
            return false;
    return true;
}

bool kube__api_selector_names(const kube__api_selector *selector, const char *key)
{
    for (const kube__api_term *term = selector ? selector->first : NULL; term; term = term->next)
        if (strcmp(term->key, key) == 0)
            return true;
    return false;
}
