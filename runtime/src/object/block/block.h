/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The block of memory that an object is in. It is allocated in one piece:
 *
 *   [pointer bitmap: 1 bit for each 8 bytes of structs, in 64-bit words, rounded up]
 *   [struct kube_block]
 *   [structs, the object first]
 *   [strings; the lost path first when KUBE__BLOCK_PARTIAL is set]
 *
 * A set bit marks a pointer into this very block, so that a clone is malloc, memcpy, and adding the
 * distance to the marked words. Pointers to interned strings, to literals and to a ctx are not
 * marked.
 */
#ifndef KUBE_OBJECT_BLOCK_H
#define KUBE_OBJECT_BLOCK_H

#include "pool.h"

#include <kube/generated.h>
#include <stdatomic.h>
#include <string.h>

enum kube__block_flags {
    KUBE__BLOCK_SEALED = 1,  /* nobody may have edited it: deep copy clones; const for users */
    KUBE__BLOCK_PARTIAL = 2, /* lost members that no kube_extra kept */
    KUBE__BLOCK_PARTIAL_STATUS = 4, /* a loss below status or metadata was among them */
};

struct kube_block {
    kube__pool *pool; /* holds interned strings of this block; counted; NULL = none */
    uint32_t struct_len;
    uint32_t string_len;
    _Atomic uint32_t refs;
    uint32_t flags;
#ifndef NDEBUG
    uint64_t checksum; /* of structs and strings while sealed: a write through a cast is found */
#endif
};

/*
 * Gives a caller its result: @out, unless NULL, is the address of a pointer to a struct that begins
 * with kube_object, whichever it is. See "typed results" in <kube/generated.h>.
 */
static inline void kube__object_out(void *out, const kube_object *object)
{
    if (out)
        memcpy(out, &object, sizeof object);
}

/* Room for structs and strings; bitmap and structs zeroed, strings not; refs 1, base.block set.
 * Returns NULL if out of memory or a length passes 4 GiB. */
kube_object *kube__block_new(const kube_type *type, size_t struct_len, size_t string_len);
/* The same for a decoder, which fills it at once: structs not zeroed, their length a multiple of
 * 8, no base. */
struct kube_block *kube__block_alloc(size_t struct_len, size_t string_len);
/* Frees the block and its reference to the pool after the last reference was given back. */
void kube__block_free(struct kube_block *block);
static inline uint64_t *kube__block_bitmap(struct kube_block *block)
{
    return (uint64_t *)(void *)block - (block->struct_len + 511) / 512;
}
static inline char *kube__block_structs(struct kube_block *block)
{
    return (char *)(block + 1);
}
static inline char *kube__block_strings(struct kube_block *block)
{
    return (char *)(block + 1) + block->struct_len;
}
/* Whether @object is the very object of its block, not a struct copy of one. */
static inline bool kube__block_owns(const kube_object *object)
{
    return object->block && kube__block_structs(object->block) == (const char *)object;
}
/* malloc, memcpy, rebase: the clone is not sealed. Returns NULL if out of memory. */
kube_object *kube__block_clone(const kube_object *object);
/* Ends editing: the block is constant from now on, a deep copy clones it, and debug builds check
 * it.
 */
void kube__block_seal(kube_object *object);
/* Lets the caller edit: an object that nobody else has seen. */
void kube__block_unseal(kube_object *object);
/* Aborts in debug builds if a sealed block was written to, and names type and key. */
void kube__block_check(const kube_object *object);

#endif /* KUBE_OBJECT_BLOCK_H */
