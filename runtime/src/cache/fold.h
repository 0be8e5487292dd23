/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The changes that a slow handler has still to be told, one for each object: from the state that it
 * was told last to the newest. What was added and deleted again leaves nothing (INF-6).
 */
#ifndef KUBE_CACHE_FOLD_H
#define KUBE_CACHE_FOLD_H

#include "batch.h"
#include "slots.h"

typedef struct kube__folded {
    kube__change change; /* all NULL = unused */
    uint32_t hash;
    uint32_t next_unused;
} kube__folded;

/* Zero is an empty one. */
typedef struct kube__fold {
    kube__slots slots;
    kube__folded *items; /* by id */
    uint32_t len;        /* ids ever used */
    uint32_t size;
    uint32_t unused; /* id + 1 of the first unused one; 0 = none */
    uint32_t count;
} kube__fold;

void kube__fold_fini(kube__fold *fold); /* gives its references back */
/* Makes room for @more changes. Returns false if out of memory. */
bool kube__fold_reserve(kube__fold *fold, size_t more);
/* Folds a change into what is there; room must have been reserved. The change of an object that was
 * neither cached nor is it now is dropped. Returns whether it met an earlier one of its object. */
bool kube__fold_add(kube__fold *fold, const kube__change *change);

#endif /* KUBE_CACHE_FOLD_H */
