/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table of ids with open addressing. A slot holds the id, the hash, and a pointer to what
 * the owner compares keys with, so that a look-up has to wait for only two pieces of memory. Keys
 * are not stored.
 */
#ifndef KUBE_CACHE_SLOTS_H
#define KUBE_CACHE_SLOTS_H

#include "base/hash.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KUBE__NO_ID UINT32_MAX

typedef struct kube__hash_slot {
    uint32_t hash;
    uint32_t mark; /* id + 1; 0 = empty */
    const void *item;
} kube__hash_slot;

typedef struct kube__slots {
    kube__hash_slot *items; /* as many as a power of two */
    size_t mask;
    size_t used;
} kube__slots;

void kube__slots_fini(kube__slots *slots);
/* Makes room for @more further ids. Returns false if out of memory. */
bool kube__slots_reserve(kube__slots *slots, size_t more);
/* Adds an id that is not in the table. Room must have been reserved. */
void kube__slots_add(kube__slots *slots, uint32_t hash, uint32_t id, const void *item);
void kube__slots_remove(kube__slots *slots, uint32_t hash, uint32_t id);

/* The hash of a key; a namespace that is absent counts as empty. */
static inline uint32_t kube__slots_hash(const char *namespace_, const char *name)
{
    uint64_t hash = kube__hash_text(0, kube__text_or_empty(namespace_));
    return kube__hash_half(kube__hash_text(hash, kube__text_or_empty(name)));
}
static inline uint32_t kube__slot_id(const kube__hash_slot *slot)
{
    return slot ? slot->mark - 1 : KUBE__NO_ID;
}
/* Walks the slots that may carry a hash: at = first; while ((slot = next())) …. */
static inline size_t kube__slots_first(const kube__slots *slots, uint32_t hash)
{
    return hash & slots->mask;
}
static inline kube__hash_slot *kube__slots_next(const kube__slots *slots, uint32_t hash, size_t *at)
{
    if (!slots->items)
        return NULL;
    for (;;) {
        kube__hash_slot *slot = &slots->items[*at];
        *at = (*at + 1) & slots->mask;
        if (slot->mark == 0)
            return NULL;
        if (slot->hash == hash)
            return slot;
    }
}

#endif /* KUBE_CACHE_SLOTS_H */
