/* SPDX-License-Identifier: Apache-2.0 */
/* Label and field selectors as a query gives them. */
#ifndef KUBE_APISERVER_SELECTOR_H
#define KUBE_APISERVER_SELECTOR_H

#include "apiserver/core/failure.h"
#include "apiserver/core/pair.h"

typedef struct kube__api_selector kube__api_selector; /* immutable; lives in its ctx */

/* "a=b,c!=d,e in (x,y),!f"; NULL in @out for an empty text: matches all. 400 as the real one. */
kube__api_failure *kube__api_label_selector(kube_ctx *ctx, const char *text,
                                            const kube__api_selector **out);
/*
 * "metadata.name=a,spec.x!=b". @fields: the names that may be used besides metadata.name and
 * metadata.namespace (NULL-terminated); another one is the real server's 400. Its text differs:
 * NULL stands for a kind without fields of its own, of which it says which two are known
 * (Deployments, ConfigMaps), a list, be it empty, for custom resources and the others (Pods).
 */
kube__api_failure *kube__api_field_selector(kube_ctx *ctx, const char *text,
                                            const char *const *fields,
                                            const kube__api_selector **out);
/* The same selector with each key as @rename has it. */
kube__api_failure *kube__api_selector_rename(kube_ctx *ctx,
                                             const char *(*rename)(kube_ctx *ctx, const char *key),
                                             const kube__api_selector **selector);
/* A LabelSelector object {matchLabels, matchExpressions}; an empty one matches all. */
kube__api_failure *kube__api_object_selector(kube_ctx *ctx, const kube__json *label_selector,
                                             const kube__api_selector **out);
/* Labels as a selector looks them up. */
kube__api_pairs kube__api_sort_labels(kube__api_pair *labels, size_t count);
/* NULL matches all. Labels are sorted. Returns false, too, when the request has taken too many
 * steps, which the caller has to check. */
bool kube__api_selector_matches(const kube__api_selector *selector, kube__api_pairs pairs);
/* How many requirements it has. */
size_t kube__api_selector_len(const kube__api_selector *selector);
/* Whether it looks at a key at all. */
bool kube__api_selector_names(const kube__api_selector *selector, const char *key);

#endif /* KUBE_APISERVER_SELECTOR_H */
