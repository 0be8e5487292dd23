/* SPDX-License-Identifier: Apache-2.0 */
#include "selector.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "object/label/requirement.h"

#include <string.h>

enum { MAX_TEXT = 1 << 20 };

struct kube__selector {
    kube_ctx *ctx; /* it lives in this */
    kube__requirements requirements;
};

/* ---- reading -------------------------------------------------------------------------------- */

static kube_code bad_value(const char *text, const kube__requirement *r, kube_error *err)
{
    bool ordered = r->op == KUBE__OP_GREATER || r->op == KUBE__OP_LESS;
    size_t i = 0;
    while (!ordered && kube__label_is_value(r->values[i]))
        i++;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "label selector \"%.200s\": \"%.80s\" is not %s",
                          text, r->values[i], ordered ? "an integer" : "a label value");
}

static kube_code unexpected(const char *text, const kube__label_fault *fault, kube_error *err)
{
    static const char *const wanted[] = {
        [KUBE__LABEL_WANTS_REQUIREMENT] = "a label key",
        [KUBE__LABEL_WANTS_NEXT] = "a label key",
        [KUBE__LABEL_WANTS_COMMA] = "\",\"",
        [KUBE__LABEL_WANTS_KEY] = "a label key",
        [KUBE__LABEL_WANTS_OPERATOR] = "=, ==, !=, in, notin, > or <",
        [KUBE__LABEL_WANTS_OPEN] = "\"(\"",
        [KUBE__LABEL_WANTS_VALUES] = "\",\" or \")\"",
        [KUBE__LABEL_WANTS_VALUE_OR_COMMA] = "\",\" or \")\"",
        [KUBE__LABEL_WANTS_COMMA_OR_CLOSE] = "\",\" or \")\"",
        [KUBE__LABEL_WANTS_VALUE] = "a value",
        [KUBE__LABEL_BAD_KEY] = "a label key",
    };
    const char *expected = wanted[fault->kind];
    if (!fault->found_len)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "label selector \"%.200s\": ends where %s is expected", text,
                              expected);
    return kube_error_set(err, KUBE_ERR_ARGUMENT,
                          "label selector \"%.200s\": found \"%.*s\" at %zu, expected %s", text,
                          (int)(fault->found_len < 64 ? fault->found_len : 64), fault->found,
                          (size_t)(fault->found - text), expected);
}

static kube_code read_text(kube__selector *selector, const char *text, kube_error *err)
{
    kube__requirements *all = &selector->requirements;
    kube__label_fault fault;
    kube_code rc = kube__labels_parse(selector->ctx, text, false, all, &fault);
    if (rc == KUBE_ERR_NO_MEMORY)
        return kube__no_memory(err, "a label selector");
    if (rc)
        return fault.kind == KUBE__LABEL_BAD_VALUE ? bad_value(text, &all->items[all->len - 1], err)
                                                   : unexpected(text, &fault, err);
    return KUBE_OK;
}

kube_code kube__selector_parse(const char *text, kube__selector **out, kube_error *err)
{
    kube__selector *selector;
    kube_ctx *ctx;
    kube_code rc;
    *out = NULL;
    if (!text || !*text)
        return KUBE_OK;
    if (strlen(text) > MAX_TEXT)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "label selector: longer than %d bytes",
                              (int)MAX_TEXT);
    ctx = kube_ctx_new();
    selector = ctx ? kube_ctx_alloc(ctx, sizeof *selector) : NULL;
    if (!selector) {
        kube_ctx_free(ctx);
        return kube__no_memory(err, "a label selector");
    }
    selector->ctx = ctx;
    rc = read_text(selector, text, err);
    if (rc || !selector->requirements.len)
        kube_ctx_free(ctx);
    else
        *out = selector;
    return rc;
}

void kube__selector_free(kube__selector *selector)
{
    if (selector)
        kube_ctx_free(selector->ctx);
}

/* ---- matching ------------------------------------------------------------------------------- */

/* Few labels, equal keys mostly: a plain scan beats a search. */
static const char *find_label(const kube_string_map *labels, const char *key)
{
    for (size_t i = 0; i < labels->len; i++) {
        const char *have = labels->items[i].key;
        if (have && have[0] == key[0] && strcmp(have, key) == 0)
            return labels->items[i].value ? labels->items[i].value : "";
    }
    return NULL;
}

bool kube__selector_matches(const kube__selector *selector, const kube_string_map *labels)
{
    for (size_t i = 0; selector && i < selector->requirements.len; i++) {
        const kube__requirement *r = &selector->requirements.items[i];
        if (!kube__requirement_matches(r, find_label(labels, r->key)))
            return false;
    }
    return true;
}
