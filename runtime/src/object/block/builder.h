/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scratch memory in which a decoder puts an object together before its size is known. Structs are
 * found by slots, not pointers, since areas move as they grow. Words that will be pointers hold an
 * offset until the block is made, and are listed as relocations.
 *
 * Two areas: what has its final place relative to the object, and, as a stack, the elements of
 * lists and maps that are still being read. A finished list moves to the first area as a whole.
 */
#ifndef KUBE_OBJECT_BUILDER_H
#define KUBE_OBJECT_BUILDER_H

#include "block.h"
#include "object/json/lexer.h"

typedef uint32_t kube__slot; /* offset << 1 | area */

enum { KUBE__AREA_FINAL, KUBE__AREA_ELEMENTS, KUBE__AREA_COUNT };

/* What is added to a relocation's offset, which is a multiple of 8. */
enum {
    KUBE__RELOC_TEXT = 1, /* points at text, not at a struct */
    KUBE__RELOC_NONE = 2, /* those of the word so far do not count */
};

typedef struct kube__builder {
    char *area[KUBE__AREA_COUNT]; /* zero bytes beyond top */
    uint32_t top[KUBE__AREA_COUNT];
    uint32_t size[KUBE__AREA_COUNT];
    uint32_t *relocs[KUBE__AREA_COUNT]; /* offset of the word | KUBE__RELOC_ */
    uint32_t reloc_count[KUBE__AREA_COUNT];
    uint32_t reloc_size[KUBE__AREA_COUNT];
    char *text; /* does not move while an object is read */
    uint32_t text_len;
    uint32_t text_size;
    bool forgot;    /* some words have more than one relocation, the last of which counts */
    bool too_large; /* why something failed, when it was not for want of memory */
} kube__builder;

void kube__builder_fini(kube__builder *builder);
/* Empties it, for text of at most @text_len bytes to come, and gives back what an uncommonly large
 * object made it hold. Returns false if out of memory. */
bool kube__builder_begin(kube__builder *builder, size_t text_len);
size_t kube__builder_memory(const kube__builder *builder);

bool kube__builder_grow(kube__builder *builder, unsigned area, size_t need);
bool kube__builder_grow_relocs(kube__builder *builder, unsigned area);

static inline char *kube__slot_at(const kube__builder *builder, kube__slot slot)
{
    return builder->area[slot & 1] + (slot >> 1);
}

/* Zeroed room for @len bytes; in the final area its place is a multiple of 8. */
static inline bool kube__builder_alloc(kube__builder *builder, unsigned area, uint32_t len,
                                       kube__slot *slot)
{
    uint32_t at = builder->top[area];
    size_t top = (size_t)at + (area == KUBE__AREA_FINAL ? (len + 7) & ~7u : len);
    if (KUBE__UNLIKELY(top > builder->size[area]) && !kube__builder_grow(builder, area, top))
        return false;
    builder->top[area] = (uint32_t)top;
    *slot = at << 1 | area;
    return true;
}

static inline bool kube__builder_push_reloc(kube__builder *builder, unsigned area, uint32_t reloc)
{
    if (KUBE__UNLIKELY(builder->reloc_count[area] == builder->reloc_size[area]) &&
        !kube__builder_grow_relocs(builder, area))
        return false;
    builder->relocs[area][builder->reloc_count[area]++] = reloc;
    return true;
}

static inline bool kube__builder_add_reloc(kube__builder *builder, kube__slot slot, uint64_t value,
                                           uint32_t is_text)
{
    memcpy(kube__slot_at(builder, slot), &value, sizeof value);
    return kube__builder_push_reloc(builder, slot & 1, slot >> 1 | is_text);
}

/* The word at @slot will point at the text at @offset. It counts from 1, so that a word that will
 * be a pointer is never zero. */
static inline bool kube__builder_point_at_text(kube__builder *builder, kube__slot slot,
                                               uint32_t offset)
{
    return kube__builder_add_reloc(builder, slot, (uint64_t)offset + 1, KUBE__RELOC_TEXT);
}

/* The word at @slot will point at the struct at @offset of the final area. */
static inline bool kube__builder_point_at_struct(kube__builder *builder, kube__slot slot,
                                                 uint32_t offset)
{
    return kube__builder_add_reloc(builder, slot, offset, 0);
}

static inline void kube__builder_set_pointer(kube__builder *builder, kube__slot slot,
                                             const void *pointer)
{
    memcpy(kube__slot_at(builder, slot), &pointer, sizeof pointer);
}

/* The `len` of the list or map, raw JSON or bytes at @slot. */
static inline void kube__builder_set_len(kube__builder *builder, kube__slot slot, size_t len)
{
    memcpy(kube__slot_at(builder, slot) + 8, &len, sizeof len);
}

/* Where the elements of a list begin. */
typedef struct kube__mark {
    uint32_t top;
    uint32_t reloc_count;
} kube__mark;

static inline kube__mark kube__builder_mark(const kube__builder *builder, unsigned area)
{
    return (kube__mark){builder->top[area], builder->reloc_count[area]};
}

/* Moves the elements from @mark on to the final area; the list at @slot gets them. */
bool kube__builder_finish_list(kube__builder *builder, kube__slot slot, kube__mark mark,
                               uint32_t count);
/* Brings the map entries from @mark on, @stride bytes each, in the order of their keys; of equal
 * keys the last stays. *@count is how many there are, before and after. */
bool kube__builder_sort_entries(kube__builder *builder, unsigned area, kube__mark mark,
                                uint32_t stride, uint32_t *count);
/* Whether the pointer at @slot is to text. */
bool kube__builder_is_text(const kube__builder *builder, kube__slot slot);
/* Makes the @len bytes at @slot absent again; @is_pointer, when they begin with a pointer. */
bool kube__builder_forget(kube__builder *builder, kube__slot slot, uint32_t len, bool is_pointer);
/* Puts the @len bytes of elements that a list had in the final area, at offset @from, on the top of
 * @area. */
bool kube__builder_reopen(kube__builder *builder, uint32_t from, uint32_t len, unsigned area);
/* Drops what is in @area from @top on, of a list that began at @mark. */
void kube__builder_cut(kube__builder *builder, unsigned area, kube__mark mark, uint32_t top);

/* One block of all of it, with @first (its length with the NUL; 0 = none) before the other text.
 * Returns NULL if out of memory. */
struct kube_block *kube__builder_make_block(kube__builder *builder, const char *first,
                                            size_t first_len);

#endif /* KUBE_OBJECT_BUILDER_H */
