/* SPDX-License-Identifier: Apache-2.0 */
/* A selector as it was understood: terms that must all hold. */
#ifndef KUBE_APISERVER_SELECTOR_PARTS_H
#define KUBE_APISERVER_SELECTOR_PARTS_H

#include "object/label/requirement.h"
#include "selector.h"

struct kube__api_selector {
    kube__requirements terms;
    bool of_fields;
};

/* With room for @most terms. Returns NULL if out of memory. */
kube__api_selector *kube__api_selector_new(kube_ctx *ctx, size_t most);
/* One more term, with room for @most values. Returns NULL if out of memory. */
kube__requirement *kube__api_selector_add(kube_ctx *ctx, kube__api_selector *selector,
                                          kube__operator op, const char *key, size_t most);

#endif /* KUBE_APISERVER_SELECTOR_PARTS_H */
