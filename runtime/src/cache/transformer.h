/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a decoded object for the cache: checks its name, transforms it once (FIFO-2), and seals
 * its block. */
#ifndef KUBE_CACHE_TRANSFORMER_H
#define KUBE_CACHE_TRANSFORMER_H

#include <kube/object.h>

typedef struct kube__transformer {
    const kube_type *type;
    kube_ctx *scratch; /* of transform; reset after each */
    kube_code (*transform)(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err);
    void *transform_arg;
} kube__transformer;

/*
 * Replaces *@object, whose reference it takes, by the object to cache, which may be another one.
 * After an error *@object is still the caller's, but may only be unreferenced, because the
 * transform may have changed part of it.
 */
KUBE__CHECKED kube_code kube__transformer_prepare(kube__transformer *transformer,
                                                  kube_object **object, kube_error *err);
/* Checks only the names of the object. */
KUBE__CHECKED kube_code kube__transformer_check_name(const kube__transformer *transformer,
                                                     const kube_object *object, kube_error *err);

#endif /* KUBE_CACHE_TRANSFORMER_H */
