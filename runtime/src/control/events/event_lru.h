/* SPDX-License-Identifier: Apache-2.0 */
/* A table of bounded size. When it is full, the entry that was not used for the longest time is
 * dropped. An entry is the first member of its owner's struct. The table has no lock. */
#ifndef KUBE_CONTROL_EVENT_LRU_H
#define KUBE_CONTROL_EVENT_LRU_H

#include "control/queue/key_table.h"

typedef struct kube__lru_entry {
    kube__keynode node;
    struct kube__lru_entry *newer;
    struct kube__lru_entry *older;
} kube__lru_entry;

typedef struct kube__lru {
    kube__key_table map; /* its buckets come with the first entry */
    kube__lru_entry *newest;
    kube__lru_entry *oldest;
    size_t most;
    /* Gives back what an entry holds, before it is freed; NULL = nothing. */
    void (*release)(void *arg, kube__lru_entry *entry);
    void *arg;
} kube__lru;

/* @lru is zeroed but for most, release and arg. */
void kube__lru_fini(kube__lru *lru);
/* Returns the entry of @key and makes it the newest one, or returns NULL. */
void *kube__lru_use(kube__lru *lru, kube_key key);
/* The same without that. */
void *kube__lru_look(const kube__lru *lru, kube_key key);
/* A zeroed entry of @size bytes for @key, which has none, as the newest. Returns NULL if out of
 * memory.
 */
void *kube__lru_add(kube__lru *lru, size_t size, kube_key key);
/* Releases and frees an entry. */
void kube__lru_drop(kube__lru *lru, kube__lru_entry *entry);

#endif /* KUBE_CONTROL_EVENT_LRU_H */
