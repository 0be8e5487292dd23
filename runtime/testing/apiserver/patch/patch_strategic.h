/* SPDX-License-Identifier: Apache-2.0 */
/* Strategic merge: what maps and lists need of each other. */
#ifndef KUBE_APISERVER_PATCH_STRATEGIC_H
#define KUBE_APISERVER_PATCH_STRATEGIC_H

#include "patch.h"

/* One strategic merge: stops at the first failure. The patch is a copy that it may take apart. */
typedef struct kube__api_strategic {
    kube_ctx *ctx;
    kube__api_failure *failure;
} kube__api_strategic;

/* Merges two maps; returns the result, which is @original or takes its place. */
kube__json *kube__api_strategic_map(kube__api_strategic *merge, const kube__api_schema *schema,
                                    kube__json *original, kube__json *patch);
/* Merges @patch into the list @original, in place. @deleting: its elements are to go. */
void kube__api_strategic_list(kube__api_strategic *merge, const kube__api_schema *schema,
                              kube__json *original, kube__json *patch, bool deleting);
/* Orders @merged, a result of @original and @patch (NULL = not there), by $setElementOrder. */
void kube__api_strategic_order(kube__api_strategic *merge, const kube__api_schema *schema,
                               kube__json *merged, const kube__json *original,
                               const kube__json *order);
/* Whether the elements of @patch come in the sequence that @order names. */
void kube__api_strategic_check_order(kube__api_strategic *merge, const kube__api_schema *schema,
                                     const kube__json *patch, const kube__json *order);

/* A failure the server did not foresee is a 500. */
void kube__api_strategic_fail(kube__api_strategic *merge, const char *format, ...)
    KUBE_PRINTF(2, 3);
/* The name of a value's type in Go, as %s prints it. */
const char *kube__api_strategic_type(const kube__json *value);

#define KUBE__API_PATCH_DIRECTIVE "$patch"

#endif /* KUBE_APISERVER_PATCH_STRATEGIC_H */
