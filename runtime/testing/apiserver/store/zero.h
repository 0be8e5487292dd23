/* SPDX-License-Identifier: Apache-2.0 */
/* What Go sends of a built-in although it is empty, and leaves out because it is. */
#ifndef KUBE_APISERVER_ZERO_H
#define KUBE_APISERVER_ZERO_H

#include "apiserver/core/resource.h"

/* Puts in what the real server sends of a built-in even when it is empty: "status":{},
 * "rules":null; nothing of a custom resource. */
void kube__api_fill_zero(kube_ctx *ctx, const kube__api_resource *resource, kube__json *document);

/* Takes out of a built-in the empty maps and lists that Go leaves out. */
void kube__api_drop_empty(const kube__api_resource *resource, kube__json *document);

#endif /* KUBE_APISERVER_ZERO_H */
