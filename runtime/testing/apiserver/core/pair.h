/* SPDX-License-Identifier: Apache-2.0 */
/* Named texts: headers, query parameters, and the labels and fields that selectors look at. */
#ifndef KUBE_APISERVER_PAIR_H
#define KUBE_APISERVER_PAIR_H

#include <stddef.h>

typedef struct kube__api_pair {
    const char *key;
    const char *value;
} kube__api_pair;

typedef struct kube__api_pairs {
    const kube__api_pair *items;
    size_t len;
} kube__api_pairs;

#endif /* KUBE_APISERVER_PAIR_H */
