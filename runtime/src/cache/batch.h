/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The changes that one step made to a store, in order. A batch is counted by references and does
 * not change after it was published. All handlers of an informer read the same batch, so a change
 * takes 24 bytes, however many handlers there are.
 */
#ifndef KUBE_CACHE_BATCH_H
#define KUBE_CACHE_BATCH_H

#include <kube/object.h>
#include <stdatomic.h>

/* Holds references. */
typedef struct kube__change {
    const kube_object *old_object;   /* as it was cached; NULL = it was not */
    const kube_object *new_object;   /* NULL = deleted */
    const kube_object *final_object; /* as it was deleted; NULL = unknown, a tombstone (INF-2) */
} kube__change;

enum kube__batch_flags {
    KUBE__BATCH_INITIAL = 1, /* of the initial list: ends it for the handlers that get it */
    KUBE__BATCH_RESYNC = 2,  /* every object as it is (INF-4) */
};

typedef struct kube__batch {
    _Atomic uint32_t refs;
    uint32_t flags;
    size_t len;
    size_t size;
    kube__change items[];
} kube__batch;

kube__batch *kube__batch_new(size_t size, uint32_t flags); /* Returns NULL if out of memory */
kube__batch *kube__batch_ref(kube__batch *batch);
void kube__batch_unref(kube__batch *batch); /* NULL allowed */
/* Needs room; takes the references. */
void kube__batch_add(kube__batch *batch, kube__change change);

#endif /* KUBE_CACHE_BATCH_H */
