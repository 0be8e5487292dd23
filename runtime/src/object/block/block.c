/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

#include "base/hash.h"
#include "pool.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(void *) == 8, "the pointer bitmap has one bit for each 8 bytes");
_Static_assert(sizeof(struct kube_block) % 8 == 0, "structs follow the header");

static size_t bitmap_len(size_t struct_len)
{
    return (struct_len + 511) / 512 * sizeof(uint64_t);
}

static char *allocation(struct kube_block *block)
{
    return (char *)kube__block_bitmap(block);
}

static size_t allocation_len(const struct kube_block *block)
{
    return bitmap_len(block->struct_len) + sizeof *block + block->struct_len + block->string_len;
}

struct kube_block *kube__block_alloc(size_t struct_len, size_t string_len)
{
    if (struct_len > UINT32_MAX || string_len > UINT32_MAX || struct_len % 8)
        return NULL;
    size_t bitmap = bitmap_len(struct_len);
    char *start = malloc(bitmap + sizeof(struct kube_block) + struct_len + string_len);
    if (!start)
        return NULL;
    memset(start, 0, bitmap + sizeof(struct kube_block));
    struct kube_block *block = (struct kube_block *)(void *)(start + bitmap);
    block->struct_len = (uint32_t)struct_len;
    block->string_len = (uint32_t)string_len;
    atomic_init(&block->refs, 1);
    return block;
}

kube_object *kube__block_new(const kube_type *type, size_t struct_len, size_t string_len)
{
    if (struct_len > UINT32_MAX - 7)
        return NULL;
    struct kube_block *block = kube__block_alloc((struct_len + 7) & ~(size_t)7, string_len);
    if (!block)
        return NULL;
    memset(kube__block_structs(block), 0, block->struct_len);
    kube_object *object = (kube_object *)(void *)kube__block_structs(block);
    object->type = type;
    object->block = block;
    return object;
}

void kube__block_free(struct kube_block *block)
{
    kube__pool_unref(block->pool);
    free(allocation(block));
}

/* Adds @distance to each word that the bitmap marks. */
static void rebase(struct kube_block *block, uint64_t distance)
{
    const uint64_t *bitmap = kube__block_bitmap(block);
    char *structs = kube__block_structs(block);
    size_t words = bitmap_len(block->struct_len) / sizeof *bitmap;
    for (size_t i = 0; i < words; i++) {
        for (uint64_t bits = bitmap[i]; bits; bits &= bits - 1) {
            char *slot = structs + i * 512 + (size_t)__builtin_ctzll(bits) * 8;
            uint64_t word;
            memcpy(&word, slot, sizeof word);
            word += distance;
            memcpy(slot, &word, sizeof word);
        }
    }
}

kube_object *kube__block_clone(const kube_object *object)
{
    struct kube_block *from = object->block;
    kube__block_check(object);
    char *start = malloc(allocation_len(from));
    if (!start)
        return NULL;
    /* By the byte, but for the count, which others may change meanwhile. */
    size_t head = bitmap_len(from->struct_len);
    memcpy(start, allocation(from), head);
    struct kube_block *block = (struct kube_block *)(void *)(start + head);
    memset(block, 0, sizeof *block);
    block->pool = from->pool ? kube__pool_ref(from->pool) : NULL;
    block->struct_len = from->struct_len;
    block->string_len = from->string_len;
    block->flags = from->flags & ~(uint32_t)KUBE__BLOCK_SEALED;
    atomic_init(&block->refs, 1);
    memcpy(block + 1, from + 1, (size_t)from->struct_len + from->string_len);
    rebase(block, (uint64_t)((uintptr_t)block - (uintptr_t)from));
    kube_object *clone = (kube_object *)(void *)kube__block_structs(block);
    clone->block = block; /* not marked in the bitmap: it is the header, not the contents */
    return clone;
}

#ifndef NDEBUG
static uint64_t checksum(const struct kube_block *block)
{
    return kube__hash(0, block + 1, (size_t)block->struct_len + block->string_len);
}
#endif

void kube__block_seal(kube_object *object)
{
    if (!kube__block_owns(object))
        return;
    object->block->flags |= KUBE__BLOCK_SEALED;
#ifndef NDEBUG
    object->block->checksum = checksum(object->block);
#endif
}

void kube__block_unseal(kube_object *object)
{
    if (!kube__block_owns(object))
        return;
    kube__block_check(object);
    object->block->flags &= ~(uint32_t)KUBE__BLOCK_SEALED;
}

void kube__block_check(const kube_object *object)
{
#ifndef NDEBUG
    const struct kube_block *block = object->block;
    if (!(block->flags & KUBE__BLOCK_SEALED) || block->checksum == checksum(block))
        return;
    const kube_type *type = object->type;
    /* The object was written to: its strings may be anything, so they are cut, not trusted. */
    const kube_object_meta *meta =
        type ? (const void *)((const char *)object + type->metadata_offset) : NULL;
    const char *ns = meta ? meta->namespace_ : NULL;
    const char *name = meta ? meta->name : NULL;
    fprintf(stderr, "kube: a shared %s was written to: %.253s%s%.253s; edit a deep copy instead\n",
            type ? type->kind : "object", ns ? ns : "", ns ? "/" : "", name ? name : "(no name)");
    abort();
#else
    (void)object;
#endif
}
