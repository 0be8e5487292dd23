/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A value of an object as the tables describe it: its kind, its schema and its address. Encode,
 * copy, equality, path and diff all walk objects with it. They read memory by memcpy, because they
 * do not know the struct types and must not break C's aliasing rules.
 */
#ifndef KUBE_OBJECT_VALUE_H
#define KUBE_OBJECT_VALUE_H

#include "object/json/raw.h"

#include <kube/generated.h>
#include <string.h>

enum { KUBE__MAX_DEPTH = 200 }; /* of structs, lists and maps: decode's bound, and ends cycles */

/* How deep raw JSON may nest where @left of KUBE__MAX_DEPTH are left: nothing recurses into it. */
static inline unsigned kube__raw_depth_left(unsigned left)
{
    return KUBE__RAW_DEPTH - KUBE__MAX_DEPTH + left;
}

/* What lists, maps, bytes, raw JSON and kube_extra have in common. */
typedef struct kube__span {
    char *items;
    size_t len;
} kube__span;

static inline void *kube__load_pointer(const void *at)
{
    void *p;
    memcpy(&p, at, sizeof p);
    return p;
}

static inline kube__span kube__load_span(const void *at)
{
    kube__span span;
    memcpy(&span, at, sizeof span);
    return span;
}

static inline bool kube__kind_in(uint32_t kinds, unsigned kind)
{
    return (kinds >> kind) & 1;
}

/* Kinds that are absent when their first word is NULL. */
enum {
    KUBE__KINDS_POINTER = 1 << KUBE_KIND_STRING | 1 << KUBE_KIND_QUANTITY | 1 << KUBE_KIND_BYTES |
                          1 << KUBE_KIND_RAW_JSON | 1 << KUBE_KIND_STRUCT_PTR |
                          1 << KUBE_KIND_LIST | 1 << KUBE_KIND_MAP | 1 << KUBE_KIND_STRING_LIST |
                          1 << KUBE_KIND_STRING_MAP,
    /* Scalars without a notion of absence but +optional's. */
    KUBE__KINDS_SCALAR =
        1 << KUBE_KIND_BOOL | 1 << KUBE_KIND_INT32 | 1 << KUBE_KIND_INT64 | 1 << KUBE_KIND_DOUBLE,
    KUBE__KINDS_WITH_SUB = 1 << KUBE_KIND_STRUCT | 1 << KUBE_KIND_STRUCT_PTR | 1 << KUBE_KIND_LIST |
                           1 << KUBE_KIND_MAP,
};

/* kube_string_list and kube_string_map as ordinary lists and maps. */
extern const kube_schema kube__string_list_schema;
extern const kube_schema kube__string_map_schema;

static inline const kube_schema *kube__sub_schema(const kube_schema *schema, unsigned kind,
                                                  unsigned sub)
{
    if (kube__kind_in(KUBE__KINDS_WITH_SUB, kind))
        return schema->subs[sub];
    if (kind == KUBE_KIND_STRING_LIST)
        return &kube__string_list_schema;
    return kind == KUBE_KIND_STRING_MAP ? &kube__string_map_schema : NULL;
}

static inline const kube_schema *kube__field_sub(const kube_schema *schema, const kube_field *field)
{
    return kube__sub_schema(schema, field->kind, field->sub);
}

/* The schema of what a list or map holds; NULL when it holds scalars. */
static inline const kube_schema *kube__element_sub(const kube_schema *schema)
{
    return kube__sub_schema(schema, schema->element_kind, 0);
}

/* `"name":`, whole also when it is longer than the table's 32 bytes. */
static inline const char *kube__field_key(const kube_schema *schema, const kube_field *field)
{
    return field->key_len > KUBE_FIELD_KEY_SIZE ? schema->long_keys[field - schema->fields]
                                                : field->key;
}

/* The kube_extra of a struct, empty when it has none. */
static inline kube__span kube__load_extra(const kube_schema *schema, const void *at)
{
    kube__span none = {NULL, 0};
    if (schema->extra_offset == KUBE_NO_EXTRA)
        return none;
    return kube__load_span((const char *)at + schema->extra_offset);
}

enum { KUBE__MAP_VALUE_OFFSET = 8 };

static inline const char *kube__entry_key(const void *entry)
{
    return kube__load_pointer(entry);
}

/* Whether plain encoding writes a field with these flags; a list or map element with flags 0 that
 * is not present is written as null. */
bool kube__value_is_present(unsigned kind, unsigned flags, const kube_schema *sub, const void *at);
/* Same value, by the rules of kube_object_equal(). */
bool kube__value_equal(unsigned kind, const kube_schema *sub, const void *a, const void *b);

/* The entries of a map in the order of their keys. */
typedef struct kube__map_order {
    const char *items;
    const char **sorted; /* NULL = the items are in order */
    size_t stride;
    size_t len;
} kube__map_order;

/* NULL, or what is wrong: a NULL key, or a key that comes twice (then @key names it), or
 * kube__fault_no_memory. Give @order to kube__map_order_fini() in any case. */
const char *kube__map_order_init(kube__map_order *order, const kube_schema *schema, kube__span map,
                                 const char **key);
void kube__map_order_fini(kube__map_order *order);
static inline const char *kube__map_entry(const kube__map_order *order, size_t index)
{
    return order->sorted ? order->sorted[index] : order->items + index * order->stride;
}

extern const char kube__fault_no_memory[]; /* a fault told apart by its address */

#endif /* KUBE_OBJECT_VALUE_H */
