/* SPDX-License-Identifier: Apache-2.0 */
/* What a selector matches; how its text is read is in selector_label.c and selector_field.c. */
#include "apiserver/value/steps.h"
#include "base/text.h"
#include "selector_parts.h"

#include <stdlib.h>
#include <string.h>

enum { TERM_STEPS = 16 }; /* to look a key up, and a value */

kube__api_selector *kube__api_selector_new(kube_ctx *ctx, size_t most)
{
    kube__api_selector *selector = kube_ctx_alloc(ctx, sizeof *selector);
    kube__requirement *items = kube_ctx_alloc_array(ctx, most + 1, sizeof *items);
    if (!selector || !items)
        return NULL;
    *selector = (kube__api_selector){.terms.items = items};
    return selector;
}

kube__requirement *kube__api_selector_add(kube_ctx *ctx, kube__api_selector *selector,
                                          kube__operator op, const char *key, size_t most)
{
    kube__requirement *term = &selector->terms.items[selector->terms.len];
    *term = (kube__requirement){.key = key, .op = op};
    term->values = kube_ctx_alloc_array(ctx, most + 1, sizeof *term->values);
    if (!term->key || !term->values)
        return NULL;
    selector->terms.len++;
    return term;
}

kube__api_failure *kube__api_selector_rename(kube_ctx *ctx,
                                             const char *(*rename)(kube_ctx *ctx, const char *key),
                                             const kube__api_selector **selector)
{
    const kube__requirements *old = *selector ? &(*selector)->terms : NULL;
    kube__api_selector *renamed = old ? kube__api_selector_new(ctx, old->len) : NULL;
    if (renamed) {
        renamed->of_fields = (*selector)->of_fields;
        for (size_t i = 0; i < old->len; i++) {
            renamed->terms.items[i] = old->items[i];
            renamed->terms.items[i].key = rename(ctx, old->items[i].key);
        }
        renamed->terms.len = old->len;
        *selector = renamed;
    }
    return kube__api_check_memory(ctx);
}

kube__api_pairs kube__api_sort_labels(kube__api_pair *labels, size_t count)
{
    if (count > 1)
        qsort(labels, count, sizeof *labels, kube__text_compare); /* the key comes first */
    return (kube__api_pairs){labels, count};
}

static const char *find_label(kube__api_pairs labels, const char *key)
{
    const kube__api_pair *found = labels.len ? bsearch(&key, labels.items, labels.len,
                                                       sizeof *labels.items, kube__text_compare)
                                             : NULL;
    return found ? found->value : NULL;
}

/* A field that is not there is an empty one. There are few. */
static const char *find_field(kube__api_pairs fields, const char *key)
{
    for (size_t i = 0; i < fields.len; i++) {
        if (strcmp(fields.items[i].key, key) == 0)
            return fields.items[i].value;
    }
    return "";
}

bool kube__api_selector_matches(const kube__api_selector *selector, kube__api_pairs pairs)
{
    for (size_t i = 0; selector && i < selector->terms.len; i++) {
        const kube__requirement *term = &selector->terms.items[i];
        const char *value =
            selector->of_fields ? find_field(pairs, term->key) : find_label(pairs, term->key);
        if (!kube__api_take_steps(TERM_STEPS) || !kube__requirement_matches(term, value))
            return false;
    }
    return true;
}

size_t kube__api_selector_len(const kube__api_selector *selector)
{
    return selector ? selector->terms.len : 0;
}

bool kube__api_selector_names(const kube__api_selector *selector, const char *key)
{
    for (size_t i = 0; selector && i < selector->terms.len; i++) {
        if (strcmp(selector->terms.items[i].key, key) == 0)
            return true;
    }
    return false;
}
