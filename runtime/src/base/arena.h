/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a ctx. It allocates from growing chunks, which are freed together. An arena belongs
 * to one thread. */
#ifndef KUBE_BASE_ARENA_H
#define KUBE_BASE_ARENA_H

#include <stddef.h>

enum { KUBE__ARENA_ARRAYS = 8 };

/* An array that may grow in place: the arena knows that nobody has seen what lies past @used. */
typedef struct kube__arena_array {
    const void *items;
    size_t used; /* bytes; the furthest anyone has appended */
    size_t size; /* bytes */
} kube__arena_array;

typedef struct kube__arena {
    struct kube__chunk *chunks; /* the first is the one in use */
    struct kube__chunk *large;  /* one piece each */
    size_t next_size;
    kube__arena_array arrays[KUBE__ARENA_ARRAYS];
    size_t next_array; /* the slot to give up next */
    size_t held;       /* bytes of all chunks */
    size_t limit;      /* of held; 0 = none. Set by whoever owns the arena; a reset keeps it */
} kube__arena;

/* A zeroed arena is empty and ready. */
void kube__arena_fini(kube__arena *arena);
/* Gives back everything but one chunk. */
void kube__arena_reset(kube__arena *arena);
/* Allocates memory that is not zeroed. @align is a power of two, at most that of max_align_t.
 * Returns NULL if out of memory. */
void *kube__arena_alloc(kube__arena *arena, size_t size, size_t align);
/*
 * Room for one more element of an array of @len elements of @size bytes: in place when the array is
 * the arena's, nobody else appended to it, and there is room; else a copy. The new element is
 * zeroed. Returns NULL if out of memory.
 */
void *kube__arena_grow(kube__arena *arena, const void *items, size_t len, size_t size);

#endif /* KUBE_BASE_ARENA_H */
