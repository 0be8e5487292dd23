/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deep copy. A sealed block is cloned as it is. Any other tree is walked twice: the first pass adds
 * up what structs and strings take and notes each string's length, the second copies into one piece
 * of memory and marks its pointers, so that the copy can be cloned in turn once it is sealed.
 */
#include "base/ctx.h"
#include "block.h"
#include "value.h"

#include <kube/log.h>
#include <stdlib.h>

enum {
    /* Kinds whose value points at memory, itself or further down. */
    OWNING_KINDS = KUBE__KINDS_POINTER | 1 << KUBE_KIND_STRUCT | 1 << KUBE_KIND_INT_OR_STRING,
    FIRST_STRINGS = 256,
};

static size_t round_up(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* ---- first pass ---------------------------------------------------------------------------- */

typedef struct measure {
    size_t structs;
    size_t strings;
    uint32_t *lens; /* of the strings in the order of the walk, NUL included */
    size_t count;
    size_t size;
    bool failed;  /* out of memory, or: */
    bool endless; /* 4 GiB and more, or deeper than 200 levels: it may have no end */
    uint32_t first[FIRST_STRINGS];
} measure;

static void measure_init(measure *m)
{
    m->structs = 0;
    m->strings = 0;
    m->lens = m->first;
    m->count = 0;
    m->size = FIRST_STRINGS;
    m->failed = false;
    m->endless = false;
}

static void measure_endless(measure *m)
{
    m->failed = true;
    m->endless = true;
}

/* What has no end is the program's mistake; the copy fails as one for which there is no memory. */
static void measure_fini(measure *m, const kube_schema *schema)
{
    if (m->endless)
        kube_log_error("cannot copy a %s: it has more than %d levels or 4 GiB", schema->name,
                       KUBE__MAX_DEPTH);
    if (m->lens != m->first)
        free(m->lens);
}

static bool grow_lens(measure *m)
{
    size_t size = 2 * m->size;
    bool was_first = m->lens == m->first;
    uint32_t *lens = realloc(was_first ? NULL : m->lens, size * sizeof *lens);
    if (!lens)
        return false;
    if (was_first)
        memcpy(lens, m->first, sizeof m->first);
    m->lens = lens;
    m->size = size;
    return true;
}

static void measure_string(measure *m, const char *text)
{
    if (!text)
        return;
    size_t len = strlen(text) + 1;
    if (len > UINT32_MAX) {
        measure_endless(m);
        return;
    }
    if (m->count == m->size && !grow_lens(m)) {
        m->failed = true;
        return;
    }
    m->lens[m->count++] = (uint32_t)len;
    m->strings += len;
}

static void measure_value(measure *m, unsigned kind, const kube_schema *sub, const char *at,
                          unsigned depth);

static void measure_members(measure *m, const kube_schema *schema, const char *at, unsigned depth)
{
    const kube_field *end = schema->fields + schema->field_count;
    if (depth == 0)
        measure_endless(m);
    for (const kube_field *field = schema->fields; field < end && !m->failed; field++)
        if (kube__kind_in(OWNING_KINDS, field->kind))
            measure_value(m, field->kind, kube__field_sub(schema, field), at + field->offset,
                          depth - 1);
    kube__span extra = kube__load_extra(schema, at);
    if (extra.items)
        m->strings += extra.len;
}

static void measure_items(measure *m, const kube_schema *schema, const char *at, unsigned depth)
{
    bool is_map = schema->kind == KUBE_KIND_MAP;
    bool owning = kube__kind_in(OWNING_KINDS, schema->element_kind);
    const kube_schema *sub = kube__element_sub(schema);
    kube__span span = kube__load_span(at);
    if (!span.items)
        return;
    if (depth == 0 || span.len > UINT32_MAX / schema->size) {
        measure_endless(m);
        return;
    }
    m->structs += round_up(span.len * schema->size);
    for (size_t i = 0; (is_map || owning) && i < span.len && !m->failed; i++) {
        const char *item = span.items + i * schema->size;
        if (is_map) {
            measure_string(m, kube__entry_key(item));
            item += KUBE__MAP_VALUE_OFFSET;
        }
        if (owning)
            measure_value(m, schema->element_kind, sub, item, depth - 1);
    }
}

static void measure_value(measure *m, unsigned kind, const kube_schema *sub, const char *at,
                          unsigned depth)
{
    switch (kind) {
    case KUBE_KIND_STRING:
    case KUBE_KIND_QUANTITY:
    case KUBE_KIND_INT_OR_STRING:
        measure_string(m, kube__load_pointer(at));
        break;
    case KUBE_KIND_BYTES:
    case KUBE_KIND_RAW_JSON:
        if (kube__load_pointer(at))
            m->strings += kube__load_span(at).len;
        break;
    case KUBE_KIND_STRUCT:
        measure_members(m, sub, at, depth);
        break;
    case KUBE_KIND_STRUCT_PTR:
        at = kube__load_pointer(at);
        if (at) {
            m->structs += round_up(sub->size);
            measure_members(m, sub, at, depth);
        }
        break;
    default: /* lists and maps */
        measure_items(m, sub, at, depth);
        break;
    }
}

/* ---- second pass --------------------------------------------------------------------------- */

typedef struct copier {
    char *start; /* of the structs */
    char *structs;
    char *strings;
    uint64_t *bitmap;     /* NULL = no block, nothing to mark */
    const uint32_t *lens; /* of the strings still to come */
} copier;

/* Makes the pointer at @slot, in the copy, point at @target. */
static void set_pointer(copier *c, char *slot, const void *target)
{
    memcpy(slot, &target, sizeof target);
    if (c->bitmap) {
        size_t word = (size_t)(slot - c->start) / 8;
        c->bitmap[word / 64] |= UINT64_C(1) << word % 64;
    }
}

static void copy_bytes(copier *c, char *slot, size_t len)
{
    const char *from = kube__load_pointer(slot);
    if (!from)
        return;
    memcpy(c->strings, from, len);
    set_pointer(c, slot, c->strings);
    c->strings += len;
}

static void copy_string(copier *c, char *slot)
{
    if (kube__load_pointer(slot))
        copy_bytes(c, slot, *c->lens++);
}

/* Copies what the pointer at @slot points at, as it is, and returns the copy; NULL for NULL. An
 * empty list keeps a pointer, to nothing, by which it differs from an absent one (G-31). */
static char *copy_structs(copier *c, char *slot, size_t len)
{
    const char *from = kube__load_pointer(slot);
    char *copy = c->structs;
    if (!from)
        return NULL;
    memcpy(copy, from, len);
    c->structs += round_up(len);
    set_pointer(c, slot, copy);
    return copy;
}

static void copy_value(copier *c, unsigned kind, const kube_schema *sub, char *slot);

/* @at already holds the bytes of the source: what they point at is still the source's. */
static void copy_members(copier *c, const kube_schema *schema, char *at)
{
    const kube_field *end = schema->fields + schema->field_count;
    for (const kube_field *field = schema->fields; field < end; field++)
        if (kube__kind_in(OWNING_KINDS, field->kind))
            copy_value(c, field->kind, kube__field_sub(schema, field), at + field->offset);
    if (schema->extra_offset != KUBE_NO_EXTRA)
        copy_bytes(c, at + schema->extra_offset, kube__load_extra(schema, at).len);
}

static void copy_items(copier *c, const kube_schema *schema, char *slot)
{
    bool is_map = schema->kind == KUBE_KIND_MAP;
    bool owning = kube__kind_in(OWNING_KINDS, schema->element_kind);
    const kube_schema *sub = kube__element_sub(schema);
    size_t len = kube__load_span(slot).len;
    char *items = copy_structs(c, slot, len * schema->size);
    if (!items || !(is_map || owning))
        return;
    for (size_t i = 0; i < len; i++) {
        char *item = items + i * schema->size;
        if (is_map) {
            copy_string(c, item);
            item += KUBE__MAP_VALUE_OFFSET;
        }
        if (owning)
            copy_value(c, schema->element_kind, sub, item);
    }
}

static void copy_value(copier *c, unsigned kind, const kube_schema *sub, char *slot)
{
    switch (kind) {
    case KUBE_KIND_STRING:
    case KUBE_KIND_QUANTITY:
    case KUBE_KIND_INT_OR_STRING:
        copy_string(c, slot);
        break;
    case KUBE_KIND_BYTES:
    case KUBE_KIND_RAW_JSON:
        copy_bytes(c, slot, kube__load_span(slot).len);
        break;
    case KUBE_KIND_STRUCT:
        copy_members(c, sub, slot);
        break;
    case KUBE_KIND_STRUCT_PTR:
        slot = copy_structs(c, slot, sub->size);
        if (slot)
            copy_members(c, sub, slot);
        break;
    default: /* lists and maps */
        copy_items(c, sub, slot);
        break;
    }
}

/* ---- entry points -------------------------------------------------------------------------- */

/* The lost path and its flags go with the copy: it lacks the same members. */
static kube_object *copy_tree(const kube_type *type, const kube_object *object, const measure *m)
{
    const kube_schema *schema = type->schema;
    const char *lost = kube_object_lost_path(object);
    size_t lost_len = lost ? strlen(lost) + 1 : 0;
    kube_object *copy =
        kube__block_new(type, round_up(schema->size) + m->structs, m->strings + lost_len);
    if (!copy)
        return NULL;
    struct kube_block *block = copy->block;
    copier c = {
        .start = kube__block_structs(block),
        .structs = kube__block_structs(block) + round_up(schema->size),
        .strings = kube__block_strings(block),
        .bitmap = kube__block_bitmap(block),
        .lens = m->lens,
    };
    if (lost) {
        memcpy(c.strings, lost, lost_len);
        c.strings += lost_len;
        block->flags |= object->block->flags & (KUBE__BLOCK_PARTIAL | KUBE__BLOCK_PARTIAL_STATUS);
    }
    memcpy((char *)copy + sizeof *copy, (const char *)object + sizeof *object,
           schema->size - sizeof *object);
    copy_members(&c, schema, (char *)copy);
    return copy;
}

static kube_object *copy_walking(const kube_type *type, const kube_object *object)
{
    measure m;
    kube_object *copy = NULL;
    measure_init(&m);
    measure_members(&m, type->schema, (const char *)object, KUBE__MAX_DEPTH);
    if (!m.failed)
        copy = copy_tree(type, object, &m);
    measure_fini(&m, type->schema);
    return copy;
}

static void release(void *object)
{
    kube_object_unref(object);
}

kube_object *kube_object_deep_copy(kube_ctx *ctx, const kube_type *type, const kube_object *object)
{
    kube_object *copy;
    if (!object || kube_ctx_failed(ctx))
        return NULL;
    if (kube__block_owns(object) && (object->block->flags & KUBE__BLOCK_SEALED))
        copy = kube__block_clone(object);
    else
        copy = copy_walking(type, object);
    if (!copy)
        kube__ctx_fail(ctx,
                       kube__block_owns(object) ? kube_object_memory(object) : type->schema->size);
    if (copy && kube_ctx_defer(ctx, release, copy, NULL) != KUBE_OK) {
        kube_object_unref(copy);
        return NULL;
    }
    return copy;
}

void *kube_schema_deep_copy(kube_ctx *ctx, const kube_schema *schema, const void *in)
{
    measure m;
    char *copy = NULL;
    if (!in || kube_ctx_failed(ctx))
        return NULL;
    measure_init(&m);
    measure_members(&m, schema, in, KUBE__MAX_DEPTH);
    size_t structs = round_up(schema->size) + m.structs;
    if (!m.failed)
        copy = kube_ctx_alloc(ctx, structs + m.strings);
    if (copy) {
        copier c = {
            .start = copy,
            .structs = copy + round_up(schema->size),
            .strings = copy + structs,
            .lens = m.lens,
        };
        memcpy(copy, in, schema->size);
        copy_members(&c, schema, copy);
    } else {
        kube__ctx_fail(ctx, structs);
    }
    measure_fini(&m, schema);
    return copy;
}
