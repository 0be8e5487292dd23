/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open-addressing hash table of ids: 8 bytes a slot, hash and id, so that a probe touches what
 * it looks for only when the hash agrees. Keys are not stored: the owner compares them.
 */
#ifndef KUBE_CACHE_SLOTS_H
#define KUBE_CACHE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KUBE__NO_ID UINT32_MAX

typedef struct kube__slots {
    uint64_t *items; /* hash << 32 | id + 1; 0 = empty; as many as a power of two */
    size_t mask;
    size_t used;
} kube__slots;

void kube__slots_fini(kube__slots *slots);
/* Makes room for @more further ids; false when memory is out. */
bool kube__slots_reserve(kube__slots *slots, size_t more);
/* Needs a reserved place; the id must not be there yet. */
void kube__slots_add(kube__slots *slots, uint32_t hash, uint32_t id);
void kube__slots_remove(kube__slots *slots, uint32_t hash, uint32_t id);

/* Walks the ids that may carry a hash: for (at = first; (id = next()) != KUBE__NO_ID;). */
static inline size_t kube__slots_first(const kube__slots *slots, uint32_t hash)
{
    return hash & slots->mask;
}
static inline uint32_t kube__slots_next(const kube__slots *slots, uint32_t hash, size_t *at)
{
    if (!slots->items)
        return KUBE__NO_ID;
    for (;;) {
        uint64_t slot = slots->items[*at];
        *at = (*at + 1) & slots->mask;
        if (slot == 0)
            return KUBE__NO_ID;
        if ((uint32_t)(slot >> 32) == hash)
            return (uint32_t)slot - 1;
    }
}

/* A seed nobody outside can know: names come from the users of a cluster. */
uint64_t kube__hash_seed(void);
uint64_t kube__hash_text(uint64_t seed, const char *text);
/* The hash as a table uses it. */
static inline uint32_t kube__hash_fold(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

#endif /* KUBE_CACHE_SLOTS_H */
