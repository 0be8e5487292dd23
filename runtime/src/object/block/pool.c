/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SLOTS = 256,  /* a power of two */
    FIRST_CHUNK = 4096, /* bytes; each further one is twice as large, up to the next */
    LARGEST_CHUNK = 65536,
    STALE_MISSES = 4096, /* of a full pool, before a fresh one is worth its warming up */
};

struct slot {
    const char *text; /* NULL = free */
    uint32_t hash;
    uint32_t len;
};

struct chunk {
    struct chunk *next;
    char bytes[];
};

struct kube__pool {
    _Atomic uint32_t refs;
    bool full;
    struct slot *slots;
    size_t mask;
    size_t count;
    struct chunk *chunks;
    char *free_at;
    size_t free_len;
    size_t next_chunk;
    size_t bytes;
    size_t max_bytes;
    /* Look-ups since the pool became full. */
    size_t hits;
    size_t misses;
};

/* memcmp() for strings so short that calling it would be most of the work. */
static inline bool is_equal(const char *a, const char *b, size_t len)
{
    if (len < 4) {
        for (size_t i = 0; i < len; i++) {
            if (a[i] != b[i])
                return false;
        }
        return true;
    }
    if (len < 8)
        return kube__hash_load(a, 4) == kube__hash_load(b, 4) &&
               kube__hash_load(a + len - 4, 4) == kube__hash_load(b + len - 4, 4);
    for (size_t i = 0; i + 8 < len; i += 8) {
        if (kube__hash_load(a + i, 8) != kube__hash_load(b + i, 8))
            return false;
    }
    return kube__hash_load(a + len - 8, 8) == kube__hash_load(b + len - 8, 8);
}

kube__pool *kube__pool_new(size_t max_bytes)
{
    kube__pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->slots = calloc(FIRST_SLOTS, sizeof *pool->slots);
    if (!pool->slots) {
        free(pool);
        return NULL;
    }
    atomic_init(&pool->refs, 1);
    pool->mask = FIRST_SLOTS - 1;
    pool->next_chunk = FIRST_CHUNK;
    pool->bytes = sizeof *pool + FIRST_SLOTS * sizeof *pool->slots;
    pool->max_bytes = max_bytes;
    return pool;
}

kube__pool *kube__pool_ref(kube__pool *pool)
{
    atomic_fetch_add_explicit(&pool->refs, 1, memory_order_relaxed);
    return pool;
}

void kube__pool_unref(kube__pool *pool)
{
    if (!pool || atomic_fetch_sub_explicit(&pool->refs, 1, memory_order_acq_rel) != 1)
        return;
    struct chunk *chunk = pool->chunks;
    while (chunk) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(pool->slots);
    free(pool);
}

/* Doubles the table; false when there is no memory or no room under the bound. */
static bool grow_table(kube__pool *pool)
{
    size_t old_size = (pool->mask + 1) * sizeof *pool->slots;
    if (pool->bytes + old_size > pool->max_bytes)
        return false;
    size_t mask = pool->mask * 2 + 1;
    struct slot *slots = calloc(mask + 1, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i <= pool->mask; i++) {
        if (!pool->slots[i].text)
            continue;
        size_t at = pool->slots[i].hash & mask;
        while (slots[at].text)
            at = (at + 1) & mask;
        slots[at] = pool->slots[i];
    }
    free(pool->slots);
    pool->slots = slots;
    pool->mask = mask;
    pool->bytes += old_size;
    return true;
}

static bool add_chunk(kube__pool *pool, size_t len)
{
    size_t size = pool->next_chunk < len ? len : pool->next_chunk;
    size_t total = sizeof(struct chunk) + size;
    if (pool->bytes + total > pool->max_bytes)
        return false;
    struct chunk *chunk = malloc(total);
    if (!chunk)
        return false;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->free_at = chunk->bytes;
    pool->free_len = size;
    pool->bytes += total;
    if (pool->next_chunk < LARGEST_CHUNK)
        pool->next_chunk *= 2;
    return true;
}

/* A NUL-terminated copy of @text in the pool's storage. */
static const char *store(kube__pool *pool, const char *text, size_t len)
{
    if (pool->free_len < len + 1 && !add_chunk(pool, len + 1))
        return NULL;
    char *copy = pool->free_at;
    memcpy(copy, text, len);
    copy[len] = '\0';
    pool->free_at += len + 1;
    pool->free_len -= len + 1;
    return copy;
}

/* Apart, so that look-ups that find something need fewer registers. */
static __attribute__((noinline)) const char *insert(kube__pool *pool, const char *text, size_t len,
                                                    uint32_t sum)
{
    /* At most half full, so that look-ups end soon. */
    if (pool->full || (pool->count * 2 > pool->mask && !grow_table(pool))) {
        pool->full = true;
        return NULL;
    }
    const char *copy = store(pool, text, len);
    if (!copy) {
        pool->full = true;
        return NULL;
    }
    size_t at = sum & pool->mask;
    while (pool->slots[at].text)
        at = (at + 1) & pool->mask;
    pool->slots[at] = (struct slot){copy, sum, (uint32_t)len};
    pool->count++;
    return copy;
}

const char *kube__pool_intern(kube__pool *pool, const char *text, size_t len)
{
    if (len > KUBE__POOL_MAX_STRING)
        return NULL;
    uint32_t sum = kube__hash_half(kube__hash(0, text, len));
    for (size_t at = sum & pool->mask; pool->slots[at].text; at = (at + 1) & pool->mask) {
        const struct slot *slot = &pool->slots[at];
        if (slot->hash == sum && slot->len == len && is_equal(slot->text, text, len)) {
            pool->hits += pool->full;
            return slot->text;
        }
    }
    pool->misses += pool->full;
    return insert(pool, text, len, sum);
}

size_t kube__pool_bytes(const kube__pool *pool)
{
    return pool->bytes;
}

bool kube__pool_is_stale(const kube__pool *pool)
{
    return pool->full && pool->misses > STALE_MISSES && pool->misses > pool->hits;
}
