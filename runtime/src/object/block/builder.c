/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

#include "value.h"

#include <stdlib.h>

enum {
    FIRST_AREA = 4096,
    FIRST_RELOCS = 256,
    MAX_AREA = 1 << 30, /* offsets have 31 bits */
    KEPT = 1 << 20,     /* scratch memory above it is given back with the next object */
};

static void drop_area(kube__builder *builder, unsigned area)
{
    free(builder->area[area]);
    builder->area[area] = NULL;
    builder->size[area] = 0;
    builder->top[area] = 0;
    free(builder->relocs[area]);
    builder->relocs[area] = NULL;
    builder->reloc_size[area] = 0;
    builder->reloc_count[area] = 0;
}

void kube__builder_fini(kube__builder *builder)
{
    for (unsigned area = 0; area < KUBE__AREA_COUNT; area++)
        drop_area(builder, area);
    free(builder->text);
    builder->text = NULL;
    builder->text_size = 0;
}

bool kube__builder_begin(kube__builder *builder, size_t text_len)
{
    for (unsigned area = 0; area < KUBE__AREA_COUNT; area++) {
        if (builder->size[area] > KEPT || builder->reloc_size[area] > KEPT / sizeof(uint32_t))
            drop_area(builder, area);
        else if (builder->top[area])
            memset(builder->area[area], 0, builder->top[area]);
        builder->top[area] = 0;
        builder->reloc_count[area] = 0;
    }
    builder->text_len = 0;
    builder->forgot = false;
    builder->too_large = false;
    size_t need = text_len + KUBE__LEX_PADDING;
    bool fits = need <= builder->text_size && (builder->text_size <= KEPT || need > KEPT / 2);
    if (fits)
        return true;
    free(builder->text);
    builder->text_size = 0;
    builder->too_large = need > UINT32_MAX;
    builder->text = builder->too_large ? NULL : malloc(need);
    if (!builder->text)
        return false;
    builder->text_size = (uint32_t)need;
    return true;
}

size_t kube__builder_memory(const kube__builder *builder)
{
    size_t bytes = builder->text_size;
    for (unsigned area = 0; area < KUBE__AREA_COUNT; area++)
        bytes += builder->size[area] + builder->reloc_size[area] * sizeof(uint32_t);
    return bytes;
}

bool kube__builder_grow(kube__builder *builder, unsigned area, size_t need)
{
    size_t size = builder->size[area] ? builder->size[area] : FIRST_AREA;
    while (size < need)
        size *= 2;
    if (size > MAX_AREA) {
        builder->too_large = true;
        return false;
    }
    char *grown = realloc(builder->area[area], size);
    if (!grown)
        return false;
    memset(grown + builder->size[area], 0, size - builder->size[area]);
    builder->area[area] = grown;
    builder->size[area] = (uint32_t)size;
    return true;
}

bool kube__builder_grow_relocs(kube__builder *builder, unsigned area)
{
    /* There are no more of them than words in an area, so this does not overflow. */
    uint32_t size = builder->reloc_size[area] ? builder->reloc_size[area] * 2 : FIRST_RELOCS;
    uint32_t *grown = realloc(builder->relocs[area], size * sizeof *grown);
    if (!grown)
        return false;
    builder->relocs[area] = grown;
    builder->reloc_size[area] = size;
    return true;
}

bool kube__builder_finish_list(kube__builder *builder, kube__slot slot, kube__mark mark,
                               uint32_t count)
{
    char *elements = builder->area[KUBE__AREA_ELEMENTS] + mark.top;
    uint32_t len = builder->top[KUBE__AREA_ELEMENTS] - mark.top;
    kube__slot place;
    if (!kube__builder_alloc(builder, KUBE__AREA_FINAL, len, &place))
        return false;
    uint32_t offset = place >> 1;
    memcpy(builder->area[KUBE__AREA_FINAL] + offset, elements, len);
    memset(elements, 0, len);
    builder->top[KUBE__AREA_ELEMENTS] = mark.top;

    /* Lists within have moved theirs already, so each relocation moves once. */
    const uint32_t *relocs = builder->relocs[KUBE__AREA_ELEMENTS];
    for (uint32_t i = mark.reloc_count; i < builder->reloc_count[KUBE__AREA_ELEMENTS]; i++) {
        if (!kube__builder_push_reloc(builder, KUBE__AREA_FINAL, relocs[i] - mark.top + offset))
            return false;
    }
    builder->reloc_count[KUBE__AREA_ELEMENTS] = mark.reloc_count;
    kube__builder_set_len(builder, slot, count);
    return kube__builder_point_at_struct(builder, slot, offset);
}

typedef struct sort_entry {
    const char *key;
    uint32_t from; /* index before */
    uint32_t to;   /* index after, UINT32_MAX = dropped */
} sort_entry;

static int compare_keys(const void *a, const void *b)
{
    const sort_entry *left = a;
    const sort_entry *right = b;
    int order = strcmp(left->key, right->key);
    if (order)
        return order;
    return left->from < right->from ? -1 : left->from > right->from;
}

static int compare_from(const void *a, const void *b)
{
    const sort_entry *left = a;
    const sort_entry *right = b;
    return left->from < right->from ? -1 : left->from > right->from;
}

static void read_keys(const kube__builder *builder, unsigned area, kube__mark mark, uint32_t stride,
                      sort_entry *entries, uint32_t count)
{
    const char *items = builder->area[area] + mark.top;
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (sort_entry){kube__load_pointer(items + (size_t)i * stride), i, 0};
    for (uint32_t i = mark.reloc_count; i < builder->reloc_count[area]; i++) {
        uint32_t offset = (builder->relocs[area][i] & ~7u) - mark.top;
        if (offset % stride) /* not a key */
            continue;
        uint64_t word;
        memcpy(&word, items + offset, sizeof word);
        entries[offset / stride].key = builder->text + word - 1;
    }
}

/* Moves relocations with their entries and leaves out those of dropped entries. */
static void move_relocs(kube__builder *builder, unsigned area, kube__mark mark, uint32_t stride,
                        const sort_entry *by_from)
{
    uint32_t *relocs = builder->relocs[area];
    uint32_t kept = mark.reloc_count;
    for (uint32_t i = mark.reloc_count; i < builder->reloc_count[area]; i++) {
        uint32_t offset = relocs[i] - mark.top;
        uint32_t to = by_from[offset / stride].to;
        if (to != UINT32_MAX)
            relocs[kept++] = mark.top + to * stride + offset % stride;
    }
    builder->reloc_count[area] = kept;
}

bool kube__builder_sort_entries(kube__builder *builder, unsigned area, kube__mark mark,
                                uint32_t stride, uint32_t *count)
{
    size_t len = (size_t)*count * stride;
    sort_entry *entries = malloc(*count * sizeof *entries);
    char *sorted = malloc(len);
    bool ok = entries && sorted;
    if (!ok)
        goto out;
    char *items = builder->area[area] + mark.top;
    read_keys(builder, area, mark, stride, entries, *count);
    qsort(entries, *count, sizeof *entries, compare_keys);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (i + 1 < *count && strcmp(entries[i].key, entries[i + 1].key) == 0) {
            entries[i].to = UINT32_MAX;
            continue;
        }
        memcpy(sorted + (size_t)kept * stride, items + (size_t)entries[i].from * stride, stride);
        entries[i].to = kept++;
    }
    memset(items, 0, len);
    memcpy(items, sorted, (size_t)kept * stride);
    qsort(entries, *count, sizeof *entries, compare_from);
    move_relocs(builder, area, mark, stride, entries);
    builder->top[area] = mark.top + kept * stride;
    *count = kept;
out:
    free(entries);
    free(sorted);
    return ok;
}

bool kube__builder_is_text(const kube__builder *builder, kube__slot slot)
{
    const uint32_t *relocs = builder->relocs[slot & 1];
    uint32_t i = builder->reloc_count[slot & 1];
    while (i > 0 && (relocs[i - 1] & ~7u) != slot >> 1)
        i--;
    return i > 0 && relocs[i - 1] & KUBE__RELOC_TEXT;
}

bool kube__builder_forget(kube__builder *builder, kube__slot slot, uint32_t len, bool is_pointer)
{
    bool was_set = is_pointer && kube__load_pointer(kube__slot_at(builder, slot));
    memset(kube__slot_at(builder, slot), 0, len);
    if (!was_set)
        return true;
    builder->forgot = true;
    return kube__builder_push_reloc(builder, slot & 1, slot >> 1 | KUBE__RELOC_NONE);
}

bool kube__builder_reopen(kube__builder *builder, uint32_t from, uint32_t len, unsigned area)
{
    uint32_t old_count = builder->reloc_count[KUBE__AREA_FINAL];
    kube__slot copy;
    if (!kube__builder_alloc(builder, area, len, &copy))
        return false;
    memcpy(kube__slot_at(builder, copy), builder->area[KUBE__AREA_FINAL] + from, len);
    for (uint32_t i = 0; i < old_count; i++) {
        uint32_t reloc = builder->relocs[KUBE__AREA_FINAL][i];
        if (reloc >= from && reloc < from + len &&
            !kube__builder_push_reloc(builder, area, reloc - from + (copy >> 1)))
            return false;
    }
    return true;
}

void kube__builder_cut(kube__builder *builder, unsigned area, kube__mark mark, uint32_t top)
{
    uint32_t *relocs = builder->relocs[area];
    uint32_t kept = mark.reloc_count;
    for (uint32_t i = kept; i < builder->reloc_count[area]; i++) {
        if (relocs[i] < top)
            relocs[kept++] = relocs[i];
    }
    builder->reloc_count[area] = kept;
    memset(builder->area[area] + top, 0, builder->top[area] - top);
    builder->top[area] = top;
}

/* Leaves of each word's relocations the last, and of that none if it says so. @bitmap is all zeros
 * before and after. */
static void keep_last_relocs(kube__builder *builder, uint64_t *bitmap)
{
    uint32_t *relocs = builder->relocs[KUBE__AREA_FINAL];
    uint32_t count = builder->reloc_count[KUBE__AREA_FINAL];
    uint32_t first = count; /* of those that are kept */
    for (uint32_t i = count; i-- > 0;) {
        uint64_t bit = UINT64_C(1) << (relocs[i] / 8 % 64);
        uint64_t *word = &bitmap[relocs[i] / 512];
        bool is_last = !(*word & bit);
        *word |= bit;
        if (is_last && !(relocs[i] & KUBE__RELOC_NONE))
            relocs[--first] = relocs[i];
    }
    memmove(relocs, relocs + first, (count - first) * sizeof *relocs);
    builder->reloc_count[KUBE__AREA_FINAL] = count - first;
    memset(bitmap, 0, (size_t)(builder->top[KUBE__AREA_FINAL] + 511) / 512 * sizeof *bitmap);
}

struct kube_block *kube__builder_make_block(kube__builder *builder, const char *first,
                                            size_t first_len)
{
    uint32_t struct_len = builder->top[KUBE__AREA_FINAL];
    struct kube_block *block = kube__block_alloc(struct_len, first_len + builder->text_len);
    if (!block)
        return NULL;
    char *structs = kube__block_structs(block);
    char *strings = kube__block_strings(block);
    memcpy(structs, builder->area[KUBE__AREA_FINAL], struct_len);
    if (first_len)
        memcpy(strings, first, first_len);
    memcpy(strings + first_len, builder->text, builder->text_len);

    const uintptr_t bases[2] = {(uintptr_t)structs, (uintptr_t)strings + first_len - 1};
    uint64_t *bitmap = kube__block_bitmap(block);
    const uint32_t *relocs = builder->relocs[KUBE__AREA_FINAL];
    if (KUBE__UNLIKELY(builder->forgot))
        keep_last_relocs(builder, bitmap);
    uint32_t count = builder->reloc_count[KUBE__AREA_FINAL];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t reloc = relocs[i];
        char *slot = structs + (reloc & ~7u);
        uint64_t word;
        memcpy(&word, slot, sizeof word);
        word += bases[reloc & 1];
        memcpy(slot, &word, sizeof word);
        bitmap[reloc / 512] |= UINT64_C(1) << (reloc / 8 % 64);
    }
    return block;
}
