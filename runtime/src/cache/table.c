/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "base/hash.h"
#include "base/memory.h"

#include <kube/generated.h>
#include <stdlib.h>
#include <string.h>

/* Unused ids form a list in `objects`: odd, so never an object. */
enum { LAST_UNUSED = 0x7fffffff };

static const kube_object *tagged(uint32_t next)
{
    uint32_t id = next == KUBE__NO_ID ? (uint32_t)LAST_UNUSED : next;
    return (const kube_object *)((uintptr_t)id << 1 | 1);
}

static uint32_t untagged(const kube_object *object)
{
    uint32_t id = (uint32_t)((uintptr_t)object >> 1);
    return id == LAST_UNUSED ? KUBE__NO_ID : id;
}

kube__table *kube__table_new(const kube_type *type)
{
    static char name[] = "namespace";
    static const kube__index_definition by_namespace = {.name = name};
    kube__table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->type = type;
    table->unused = KUBE__NO_ID;
    kube__index_init(&table->indexes[0], &by_namespace);
    table->index_count = 1;
    return table;
}

void kube__table_disown(kube__table *table)
{
    table->len = 0;
    table->count = 0;
}

void kube__table_free(kube__table *table)
{
    if (!table)
        return;
    for (uint32_t id = 0; id < table->len; id++)
        kube_object_unref(kube__table_at(table, id));
    for (uint32_t i = 0; i < table->index_count; i++)
        kube__index_fini(&table->indexes[i]);
    kube__slots_fini(&table->slots);
    free(table->objects);
    free(table);
}

kube__name kube__table_name(const kube__table *table, const kube_object *object)
{
    const kube_object_meta *metadata = kube__table_meta(table, object);
    kube__name name = {metadata->namespace_ ? metadata->namespace_ : "",
                       metadata->name ? metadata->name : ""};
    return name;
}

static uint32_t hash_of(kube__name name)
{
    return kube__slots_hash(name.namespace_, name.name);
}

/* What a look-up reads of an object: header, metadata, and the name, which mostly lies right after
 * the structs. All are asked for at once. */
static void prefetch_object(const kube__table *table, const void *object)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch((const char *)object + table->type->schema->size);
    __builtin_prefetch((const void *)((uintptr_t)object - 32));
#else
    (void)table;
    (void)object;
#endif
}

static kube__hash_slot *find(const kube__table *table, kube__name name, uint32_t hash)
{
    size_t at = kube__slots_first(&table->slots, hash);
    kube__hash_slot *slot;
    while ((slot = kube__slots_next(&table->slots, hash, &at)) != NULL) {
        kube__name have;
        prefetch_object(table, slot->item);
        have = kube__table_name(table, slot->item);
        if (strcmp(have.name, name.name) == 0 && strcmp(have.namespace_, name.namespace_) == 0)
            break;
    }
    return slot;
}

uint32_t kube__table_find(const kube__table *table, kube__name name)
{
    return kube__slot_id(find(table, name, hash_of(name)));
}

const kube_object *kube__table_get(const kube__table *table, kube__name name)
{
    const kube__hash_slot *slot = find(table, name, hash_of(name));
    return slot ? slot->item : NULL;
}

static bool grow_ids(kube__table *table, uint32_t least)
{
    uint32_t size = table->size + table->size / 4;
    const kube_object **objects;
    if (size < least)
        size = least;
    if (size < 16)
        size = 16;
    for (uint32_t i = 0; i < table->index_count; i++)
        if (!kube__index_reserve(&table->indexes[i], size))
            return false;
    objects = realloc(table->objects, size * sizeof *objects);
    if (!objects)
        return false;
    table->objects = objects;
    table->size = size;
    return true;
}

/* Makes room for a further object. */
static bool reserve_one(kube__table *table)
{
    size_t least = (size_t)table->count + 1;
    if (least >= UINT32_MAX / 4 || !kube__slots_reserve(&table->slots, 1))
        return false;
    return least <= table->size || grow_ids(table, (uint32_t)least);
}

static uint32_t take_id(kube__table *table)
{
    uint32_t id = table->unused;
    if (id == KUBE__NO_ID)
        return table->len++;
    table->unused = untagged(table->objects[id]);
    return id;
}

kube_code kube__table_values(const kube__table *table, const kube_object *object,
                             kube__values *values, kube__value_range *spans, kube_error *err)
{
    for (uint32_t i = 1; i < table->index_count; i++) {
        kube_code rc;
        spans[i - 1].first = values->len;
        rc = kube__values_add(values, &table->indexes[i], object, err);
        if (rc)
            return rc;
        spans[i - 1].len = values->len - spans[i - 1].first;
    }
    return KUBE_OK;
}

/* Resolves all indexes from @first on, or none. The one by namespace changes only with the name. */
static bool resolve_all(kube__table *table, uint32_t first, const char *namespace_,
                        const kube__values *values, const kube__value_range *spans,
                        kube__resolved *out)
{
    uint32_t i;
    for (i = first; i < table->index_count; i++) {
        bool ok;
        if (i > 0)
            ok = kube__index_resolve(&table->indexes[i], values, spans[i - 1].first,
                                     spans[i - 1].len, &out[i]);
        else if (*namespace_)
            ok = kube__index_resolve_one(&table->indexes[0], namespace_, &out[0]);
        else
            ok = kube__index_resolve(&table->indexes[0], NULL, 0, 0, &out[0]);
        if (!ok)
            break;
    }
    if (i == table->index_count)
        return true;
    while (i-- > first)
        kube__index_unresolve(&table->indexes[i], &out[i]);
    return false;
}

kube_code kube__table_put(kube__table *table, const kube_object *object, const kube__values *values,
                          const kube__value_range *spans, const kube_object **old, kube_error *err)
{
    kube__resolved resolved[KUBE__MAX_INDEXES];
    kube__name name = kube__table_name(table, object);
    uint32_t hash = hash_of(name);
    kube__hash_slot *slot = find(table, name, hash);
    uint32_t id = kube__slot_id(slot);
    uint32_t first = slot ? 1 : 0;
    *old = NULL;
    if ((!slot && !reserve_one(table)) ||
        !resolve_all(table, first, name.namespace_, values, spans, resolved))
        return kube__no_memory(err, "the cache of %s", table->type->resource);
    if (slot) {
        *old = slot->item;
        slot->item = object;
    } else {
        id = take_id(table);
        kube__slots_add(&table->slots, hash, id, object);
        table->count++;
    }
    table->objects[id] = object;
    for (uint32_t i = first; i < table->index_count; i++)
        kube__index_set(&table->indexes[i], id, &resolved[i]);
    return KUBE_OK;
}

const kube_object *kube__table_remove(kube__table *table, uint32_t id)
{
    const kube_object *object;
    if (id == KUBE__NO_ID)
        return NULL;
    object = table->objects[id];
    for (uint32_t i = 0; i < table->index_count; i++)
        kube__index_remove(&table->indexes[i], id);
    kube__slots_remove(&table->slots, hash_of(kube__table_name(table, object)), id);
    table->objects[id] = tagged(table->unused);
    table->unused = id;
    table->count--;
    return object;
}

static kube_code fill_index(const kube__table *table, kube__index *index, kube__values *values,
                            kube_error *err)
{
    for (uint32_t id = 0; id < table->len; id++) {
        const kube_object *object = kube__table_at(table, id);
        kube__resolved resolved;
        kube_code rc;
        if (!object)
            continue;
        kube__values_reset(values);
        rc = kube__values_add(values, index, object, err);
        if (!rc && !kube__index_resolve(index, values, 0, values->len, &resolved))
            rc = kube__no_memory(err, "index %s", index->definition->name);
        if (rc)
            return rc;
        kube__index_set(index, id, &resolved);
    }
    return KUBE_OK;
}

kube_code kube__table_build_index(const kube__table *table,
                                  const kube__index_definition *definition, kube__index *out,
                                  kube_error *err)
{
    kube__values values;
    kube_code rc;
    kube__values_init(&values);
    kube__index_init(out, definition);
    out->ctx = kube_ctx_new();
    rc = out->ctx && kube__index_reserve(out, table->size)
             ? fill_index(table, out, &values, err)
             : kube__no_memory(err, "the cache of %s", table->type->resource);
    kube__values_fini(&values);
    if (rc)
        kube__index_fini(out);
    return rc;
}

void kube__table_attach_index(kube__table *table, const kube__index *index)
{
    table->indexes[table->index_count++] = *index;
}

static size_t index_memory(const kube__index *index)
{
    size_t bytes = index->bucket_size * sizeof *index->buckets +
                   index->place_size * sizeof *index->places +
                   index->many_size * sizeof *index->many;
    if (index->slots.items)
        bytes += (index->slots.mask + 1) * sizeof *index->slots.items;
    for (uint32_t i = 0; i < index->bucket_len; i++)
        if (index->buckets[i].value)
            bytes +=
                strlen(index->buckets[i].value) + 1 + index->buckets[i].size * sizeof(uint32_t);
    for (uint32_t i = 0; i < index->many_len; i++)
        if (index->many[i].items)
            bytes += index->many[i].len * sizeof(kube__index_place);
    return bytes;
}

size_t kube__table_memory(const kube__table *table)
{
    size_t bytes = sizeof *table + table->size * sizeof *table->objects;
    if (table->slots.items)
        bytes += (table->slots.mask + 1) * sizeof *table->slots.items;
    for (uint32_t i = 0; i < table->index_count; i++)
        bytes += index_memory(&table->indexes[i]);
    return bytes;
}
