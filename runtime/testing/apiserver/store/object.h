/* SPDX-License-Identifier: Apache-2.0 */
/* How the store makes objects. */
#ifndef KUBE_APISERVER_OBJECT_H
#define KUBE_APISERVER_OBJECT_H

#include "store.h"

/* One reference. Returns NULL if out of memory. The version is that of the document's metadata. */
kube__api_object *kube__api_object_new(kube__api_collection *collection, bool custom,
                                       const kube__json *document, const char *const *selectable);
/* Sets metadata.resourceVersion and orders the members. */
void kube__api_object_stamp(kube_ctx *ctx, bool custom, kube__json *document, uint64_t version);
/* The names of an object's selectable fields but metadata.name and namespace, in the ctx. */
const char *const *kube__api_object_selectable(kube_ctx *ctx, const kube__api_object *object);

#endif /* KUBE_APISERVER_OBJECT_H */
