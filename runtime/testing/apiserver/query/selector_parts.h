/* SPDX-License-Identifier: Apache-2.0 */
/* A selector as it was understood: terms that must all hold. */
#ifndef KUBE_APISERVER_SELECTOR_PARTS_H
#define KUBE_APISERVER_SELECTOR_PARTS_H

#include "selector.h"

typedef enum kube__api_operator {
    KUBE__OP_EXISTS,
    KUBE__OP_ABSENT,
    KUBE__OP_IS,
    KUBE__OP_IS_NOT,
    KUBE__OP_IN,
    KUBE__OP_NOT_IN,
    KUBE__OP_GREATER,
    KUBE__OP_LESS,
    KUBE__OP_FIELD_IS,
    KUBE__OP_FIELD_IS_NOT,
} kube__api_operator;

typedef struct kube__api_value {
    const char *text;
    struct kube__api_value *next;
} kube__api_value;

typedef struct kube__api_term {
    const char *key;
    kube__api_operator op;
    kube__api_value *values; /* sorted, each once */
    struct kube__api_term *next;
} kube__api_term;

struct kube__api_selector {
    kube__api_term *first;
};

/* At the end. Returns NULL if out of memory. */
kube__api_term *kube__api_selector_add(kube_ctx *ctx, kube__api_selector *selector,
                                       kube__api_operator op, const char *key);
/* @term and @value may be NULL: then nothing happens. */
void kube__api_term_add_value(kube_ctx *ctx, kube__api_term *term, const char *value);
/* Decimal with an optional sign, within int64. */
bool kube__api_selector_parse_int(const char *text, int64_t *out);

#endif /* KUBE_APISERVER_SELECTOR_PARTS_H */
