/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
/* Red zones between the pieces, so that a write past one is found as it is for malloc. */
enum { GAP = 16 };

/* Not inlined: gcc takes the const parameter below for a read of memory that is not set yet. */
__attribute__((noinline)) static void poison(void *p, size_t size)
{
    __asan_poison_memory_region(p, size);
}

static void unpoison(void *p, size_t size)
{
    __asan_unpoison_memory_region(p, size);
}
#else
enum { GAP = 0 };

static void poison(void *p, size_t size)
{
    (void)p;
    (void)size;
}

static void unpoison(void *p, size_t size)
{
    (void)p;
    (void)size;
}
#endif

enum { FIRST_SIZE = 1024, MAX_SIZE = 64 * 1024, FIRST_COUNT = 4 };

typedef struct kube__chunk {
    struct kube__chunk *next;
    size_t size;
    size_t used;
    max_align_t data[];
} chunk;

static char *bytes_of(chunk *c)
{
    return (char *)c->data;
}

static chunk *make_chunk(kube__arena *arena, size_t size, chunk *next)
{
    chunk *c;
    if (size > SIZE_MAX / 2)
        return NULL;
    if (arena->limit && (size > arena->limit || arena->held > arena->limit - size))
        return NULL;
    c = malloc(sizeof *c + size);
    if (!c)
        return NULL;
    c->next = next;
    c->size = size;
    c->used = 0;
    arena->held += size;
    poison(bytes_of(c), size);
    return c;
}

static void free_chunks(chunk *c)
{
    while (c) {
        chunk *next = c->next;
        unpoison(bytes_of(c), c->size);
        free(c);
        c = next;
    }
}

void kube__arena_fini(kube__arena *arena)
{
    free_chunks(arena->chunks);
    free_chunks(arena->large);
    memset(arena, 0, sizeof *arena);
}

void kube__arena_reset(kube__arena *arena)
{
    chunk *kept = arena->chunks;
    size_t next_size = arena->next_size;
    size_t limit = arena->limit;
    if (kept) {
        free_chunks(kept->next);
        kept->next = NULL;
        kept->used = 0;
        poison(bytes_of(kept), kept->size);
    }
    arena->chunks = NULL;
    kube__arena_fini(arena);
    arena->chunks = kept;
    arena->held = kept ? kept->size : 0;
    arena->next_size = next_size;
    arena->limit = limit;
}

/* A piece of @c, or NULL when it does not fit. */
static void *take(chunk *c, size_t size, size_t align)
{
    size_t start = (c->used + align - 1) & ~(align - 1);
    char *piece;
    if (start > c->size || size > c->size - start)
        return NULL;
    piece = bytes_of(c) + start;
    c->used = start + size;
    if (c->size - c->used > GAP)
        c->used += GAP;
    else
        c->used = c->size;
    unpoison(piece, size);
    return piece;
}

void *kube__arena_alloc(kube__arena *arena, size_t size, size_t align)
{
    void *piece = arena->chunks ? take(arena->chunks, size, align) : NULL;
    size_t chunk_size = arena->next_size ? arena->next_size : FIRST_SIZE;
    chunk *c;
    if (piece)
        return piece;
    if (size > chunk_size / 4) {
        /* On its own, so that what is left of the chunk in use is not lost. */
        c = make_chunk(arena, size, arena->large);
        if (!c)
            return NULL;
        arena->large = c;
        return take(c, size, align);
    }
    c = make_chunk(arena, chunk_size, arena->chunks);
    if (!c)
        return NULL;
    arena->chunks = c;
    arena->next_size = chunk_size < MAX_SIZE ? 2 * chunk_size : MAX_SIZE;
    return take(c, size, align);
}

static kube__arena_array *find_array(kube__arena *arena, const void *items)
{
    for (size_t i = 0; items && i < KUBE__ARENA_ARRAYS; i++) {
        if (arena->arrays[i].items == items)
            return &arena->arrays[i];
    }
    return NULL;
}

/* A copy of @len elements with room to grow; takes over the slot of the array it replaces. */
static void *copy_array(kube__arena *arena, kube__arena_array *slot, const void *items, size_t len,
                        size_t size)
{
    size_t count = len < FIRST_COUNT ? FIRST_COUNT : 2 * len;
    char *copy;
    if (len > SIZE_MAX / 4 / size)
        return NULL;
    copy = kube__arena_alloc(arena, count * size, alignof(max_align_t));
    if (!copy)
        return NULL;
    if (len)
        memcpy(copy, items, len * size);
    memset(copy + len * size, 0, (count - len) * size);
    if (!slot) {
        slot = &arena->arrays[arena->next_array];
        arena->next_array = (arena->next_array + 1) % KUBE__ARENA_ARRAYS;
    }
    *slot = (kube__arena_array){copy, (len + 1) * size, count * size};
    return copy;
}

void *kube__arena_grow(kube__arena *arena, const void *items, size_t len, size_t size)
{
    kube__arena_array *slot = find_array(arena, items);
    /* used == len * size: another copy of the same list has not appended here. */
    if (slot && slot->used == len * size && size <= slot->size - slot->used) {
        slot->used += size;
        return (void *)(uintptr_t)slot->items;
    }
    return copy_array(arena, slot && slot->used == len * size ? slot : NULL, items, len, size);
}
