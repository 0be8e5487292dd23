/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of objects by namespace and name, with indexes and without a lock. It does not store
 * keys, but compares with the metadata of the objects. Besides the object, an entry takes a
 * pointer, a place in the namespace index and a hash slot, about 45 bytes in all.
 */
#ifndef KUBE_CACHE_TABLE_H
#define KUBE_CACHE_TABLE_H

#include "index.h"

#include <kube/object.h>

enum { KUBE__MAX_INDEXES = 16 }; /* the one by namespace included */

typedef struct kube__table {
    const kube_type *type;
    kube__slots slots;
    const kube_object **objects; /* by id; an unused one holds the next unused, tagged */
    uint32_t len;                /* ids ever used */
    uint32_t size;
    uint32_t unused;
    uint32_t count;
    uint32_t index_count;
    kube__index indexes[KUBE__MAX_INDEXES]; /* the first is that by namespace */
} kube__table;

/* Strings are never NULL: absent counts as empty. */
typedef struct kube__name {
    const char *namespace_;
    const char *name;
} kube__name;

kube__table *kube__table_new(const kube_type *type); /* Returns NULL if out of memory */
void kube__table_free(kube__table *table);           /* gives its references back; NULL allowed */
/* Forgets the references: they have gone elsewhere. */
void kube__table_disown(kube__table *table);
/* A further index, of the objects there are; attaching it needs index_count < KUBE__MAX_INDEXES. */
KUBE__CHECKED kube_code kube__table_build_index(const kube__table *table,
                                                const kube__index_definition *definition,
                                                kube__index *out, kube_error *err);
void kube__table_attach_index(kube__table *table, const kube__index *index);

static inline const kube_object_meta *kube__table_meta(const kube__table *table,
                                                       const kube_object *object)
{
    return (const kube_object_meta *)(const void *)((const char *)object +
                                                    table->type->metadata_offset);
}
kube__name kube__table_name(const kube__table *table, const kube_object *object);
/* The id of a name, KUBE__NO_ID = not there. */
uint32_t kube__table_find(const kube__table *table, kube__name name);
/* The object of a name; NULL = not there. */
const kube_object *kube__table_get(const kube__table *table, kube__name name);
/* The object of an id below `len`; NULL when that is unused. */
static inline const kube_object *kube__table_at(const kube__table *table, uint32_t id)
{
    return (uintptr_t)table->objects[id] & 1 ? NULL : table->objects[id];
}

/*
 * Puts @object, whose reference the table takes on success, in the place of the one with its name;
 * @old is that one, with its reference, or NULL. @values are those of the user's indexes, @spans
 * says where each index's begin and how many they are. Out of memory = nothing has changed.
 */
typedef struct kube__value_range {
    size_t first;
    size_t len;
} kube__value_range;
KUBE__CHECKED kube_code kube__table_put(kube__table *table, const kube_object *object,
                                        const kube__values *values, const kube__value_range *spans,
                                        const kube_object **old, kube_error *err);
/* Takes an object out and returns it with its reference; NULL = no such id. */
const kube_object *kube__table_remove(kube__table *table, uint32_t id);
/* Collects the values of the user's indexes: @spans has index_count - 1 elements. */
KUBE__CHECKED kube_code kube__table_values(const kube__table *table, const kube_object *object,
                                           kube__values *values, kube__value_range *spans,
                                           kube_error *err);
/* Bytes of the table itself, without the objects. */
size_t kube__table_memory(const kube__table *table);

/* Starts the loads that a visit of @object will wait for: its header and metadata. */
static inline void kube__table_prefetch(const kube__table *table, uint32_t id)
{
#if defined(__GNUC__) || defined(__clang__)
    uintptr_t object = (uintptr_t)table->objects[id]; /* perhaps an unused one: no pointer then */
    __builtin_prefetch((const void *)(object - 32));
    __builtin_prefetch((const void *)(object + 32));
#else
    (void)table;
    (void)id;
#endif
}

#endif /* KUBE_CACHE_TABLE_H */
