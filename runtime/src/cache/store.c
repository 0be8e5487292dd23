/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include "base/memory.h"
#include "base/rwlock.h"
#include "object/block/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kube__store {
    kube__rwlock lock; /* of table and resource_version */
    const kube_type *type;
    kube__table *table;
    char *resource_version;
    kube__index_definition *definitions[KUBE__MAX_INDEXES]; /* the user's */
    bool exit_on_no_memory;                                 /* of those to come */
    uint32_t definition_count;
};

/* Debug builds: nobody may have written to what was cached. */
static void check(const kube_object *object)
{
#ifndef NDEBUG
    if (object)
        kube__block_check(object);
#else
    (void)object;
#endif
}

kube_code kube__store_new(const kube_type *type, kube__store **out, kube_error *err)
{
    kube__store *store = calloc(1, sizeof *store);
    kube_code rc;
    *out = NULL;
    if (!store)
        return kube__no_memory(err, "the cache of %s", type->resource);
    store->type = type;
    store->table = kube__table_new(type);
    rc = store->table ? kube__rwlock_init(&store->lock, err)
                      : kube__no_memory(err, "the cache of %s", type->resource);
    if (rc) {
        kube__table_free(store->table);
        free(store);
        return rc;
    }
    *out = store;
    return KUBE_OK;
}

static void check_all(const kube__table *table)
{
#ifndef NDEBUG
    for (uint32_t id = 0; id < table->len; id++)
        check(kube__table_at(table, id));
#else
    (void)table;
#endif
}

void kube__store_free(kube__store *store)
{
    if (!store)
        return;
    check_all(store->table);
    kube__table_free(store->table);
    for (uint32_t i = 0; i < store->definition_count; i++) {
        free(store->definitions[i]->name);
        free(store->definitions[i]);
    }
    free(store->resource_version);
    kube__rwlock_fini(&store->lock);
    free(store);
}

const kube_type *kube__store_type(const kube__store *store)
{
    return store->type;
}

const kube__table *kube__store_table(const kube__store *store)
{
    return store->table;
}

/* ---- apply ----------------------------------------------------------------------------------- */

/* Index functions are the user's: they run before the lock is taken. */
static kube_code collect_values(const kube__store *store, const kube__delta *deltas, size_t len,
                                kube__values *values, kube__value_range *spans, kube_error *err)
{
    size_t stride = store->definition_count;
    for (size_t i = 0; i < len; i++) {
        kube_code rc = KUBE_OK;
        if (!deltas[i].deleted)
            rc =
                kube__table_values(store->table, deltas[i].object, values, spans + i * stride, err);
        if (rc)
            return rc;
    }
    return KUBE_OK;
}

static kube_code apply_one(kube__store *store, kube__delta *delta, const kube__values *values,
                           const kube__value_range *spans, kube__batch *batch, kube_error *err)
{
    const kube_object *old = NULL;
    kube_code rc;
    if (delta->deleted) {
        uint32_t id = kube__table_find(store->table, kube__table_name(store->table, delta->object));
        old = kube__table_remove(store->table, id);
        kube__batch_add(batch, (kube__change){.old_object = old, .final_object = delta->object});
        delta->object = NULL;
        return KUBE_OK;
    }
    rc = kube__table_put(store->table, delta->object, values, spans, &old, err);
    if (rc)
        return rc;
    kube__batch_add(batch, (kube__change){old, kube_object_ref(delta->object), NULL});
    delta->object = NULL;
    return KUBE_OK;
}

kube_code kube__store_apply(kube__store *store, kube__delta *deltas, size_t len,
                            const char *resource_version, kube__batch *batch, size_t *applied,
                            kube_error *err)
{
    kube__values values;
    kube__value_range *spans = NULL;
    char *version = NULL;
    size_t stride = store->definition_count;
    size_t first = batch->len;
    kube_code rc = KUBE_OK;
    *applied = 0;
    kube__values_init(&values);
    if (stride > 0)
        spans = calloc(len ? len : 1, stride * sizeof *spans);
    if (resource_version)
        version = strdup(resource_version);
    if ((stride > 0 && !spans) || (resource_version && !version))
        rc = kube__no_memory(err, "the cache of %s", store->type->resource);
    if (!rc && stride > 0)
        rc = collect_values(store, deltas, len, &values, spans, err);
    if (rc)
        goto out;
    kube__write_lock(&store->lock);
    for (; *applied < len && !rc; *applied += !rc)
        rc = apply_one(store, &deltas[*applied], &values, spans ? spans + *applied * stride : NULL,
                       batch, err);
    if (!rc && version) {
        char *old = store->resource_version;
        store->resource_version = version;
        version = old;
    }
    kube__rw_unlock(&store->lock);
    for (size_t i = first; i < batch->len; i++)
        check(batch->items[i].old_object);
out:
    free(version);
    free(spans);
    kube__values_fini(&values);
    return rc;
}

/* ---- replace --------------------------------------------------------------------------------- */

static kube_code add_to_table(kube__table *table, const kube__index_definition *definition,
                              kube_error *err)
{
    kube__index index;
    kube_code rc = kube__table_build_index(table, definition, &index, err);
    if (!rc)
        kube__table_attach_index(table, &index);
    return rc;
}

kube__table *kube__store_stage(kube__store *store)
{
    kube__table *table = kube__table_new(store->type);
    kube_code rc = KUBE_OK;
    kube__read_lock(&store->lock);
    for (uint32_t i = 0; table && !rc && i < store->definition_count; i++)
        rc = add_to_table(table, store->definitions[i], NULL);
    kube__rw_unlock(&store->lock);
    if (!rc)
        return table;
    kube__table_free(table);
    return NULL;
}

static bool is_same_version(const kube__store *store, const kube_object *a, const kube_object *b)
{
    const kube_object_meta *meta_a = kube__table_meta(store->table, a);
    const kube_object_meta *meta_b = kube__table_meta(store->table, b);
    return meta_a->uid && meta_b->uid && strcmp(meta_a->uid, meta_b->uid) == 0 &&
           kube_meta_same_version(meta_a, meta_b);
}

kube_code kube__store_stage_put(const kube__store *store, kube__table *staged,
                                const kube_object *object, bool share, kube_error *err)
{
    kube__value_range spans[KUBE__MAX_INDEXES];
    kube__values values;
    const kube_object *kept = object;
    const kube_object *old = NULL;
    const kube_object *cached = NULL;
    kube_code rc;
    if (share && store->table->count > 0)
        cached = kube__table_get(store->table, kube__table_name(staged, object));
    if (cached && cached != object && is_same_version(store, cached, object))
        kept = kube_object_ref(cached);
    kube__values_init(&values);
    rc = kube__table_values(staged, kept, &values, spans, err);
    if (!rc)
        rc = kube__table_put(staged, kept, &values, spans, &old, err);
    kube__values_fini(&values);
    kube_object_unref(old);
    if (kept != object)
        kube_object_unref(rc ? kept : object);
    return rc;
}

void kube__store_stage_remove(kube__table *staged, const kube_object *object)
{
    uint32_t id = kube__table_find(staged, kube__table_name(staged, object));
    kube_object_unref(kube__table_remove(staged, id));
}

/* An index that was added while the table was filled. */
static kube_code complete_indexes(const kube__store *store, kube__table *staged, kube_error *err)
{
    while (staged->index_count < 1 + store->definition_count) {
        kube_code rc = add_to_table(staged, store->definitions[staged->index_count - 1], err);
        if (rc)
            return rc;
    }
    return KUBE_OK;
}

static bool is_missing(const kube__table *old, const kube__table *new, const kube_object *object)
{
    return new->count == 0 || !kube__table_get(new, kube__table_name(old, object));
}

static size_t count_missing(const kube__table *old, const kube__table *new)
{
    size_t count = 0;
    for (uint32_t id = 0; id < old->len; id++) {
        const kube_object *object = kube__table_at(old, id);
        count += object && is_missing(old, new, object);
    }
    return count;
}

static kube_code keep_missing_objects(kube__store *store, kube__table *staged, kube_error *err)
{
    const kube__table *table = store->table;
    for (uint32_t id = 0; id < table->len; id++) {
        const kube_object *object = kube__table_at(table, id);
        kube_code rc;
        if (!object || !is_missing(table, staged, object))
            continue;
        rc = kube__store_stage_put(store, staged, kube_object_ref(object), true, err);
        if (rc) {
            kube_object_unref(object);
            return rc;
        }
    }
    return KUBE_OK;
}

/* Moves the old table's references into the batch; the new table keeps its own. */
static void compare(const kube__table *old, const kube__table *new, kube__batch *batch)
{
    for (uint32_t id = 0; id < old->len; id++) {
        const kube_object *object = kube__table_at(old, id);
        if (object && is_missing(old, new, object))
            kube__batch_add(batch, (kube__change){.old_object = object});
    }
    for (uint32_t id = 0; id < new->len; id++) {
        const kube_object *object = kube__table_at(new, id);
        if (!object)
            continue;
        kube__batch_add(
            batch, (kube__change){
                       .old_object =
                           old->count ? kube__table_get(old, kube__table_name(new, object)) : NULL,
                       .new_object = kube_object_ref(object),
                   });
    }
}

kube_code kube__store_replace(kube__store *store, kube__table *staged, const char *resource_version,
                              size_t keep_missing, uint32_t flags, kube__batch **out,
                              kube_error *err)
{
    kube__table *old = store->table;
    char *version = strdup(resource_version);
    kube__batch *batch = NULL;
    kube_code rc = complete_indexes(store, staged, err);
    *out = NULL;
    if (!rc && keep_missing > 0 && count_missing(old, staged) <= keep_missing)
        rc = keep_missing_objects(store, staged, err);
    if (!rc)
        batch = kube__batch_new((size_t)old->count + staged->count, flags);
    if (!rc && (!batch || !version))
        rc = kube__no_memory(err, "the cache of %s", store->type->resource);
    if (rc) {
        free(version);
        kube__batch_unref(batch);
        kube__table_free(staged);
        return rc;
    }
    check_all(old);
    compare(old, staged, batch);
    kube__write_lock(&store->lock);
    store->table = staged;
    free(store->resource_version);
    store->resource_version = version;
    kube__rw_unlock(&store->lock);
    kube__table_disown(old);
    kube__table_free(old);
    *out = batch;
    return KUBE_OK;
}

/* ---- indexes --------------------------------------------------------------------------------- */

static const kube__index *find_index(const kube__table *table, const char *name)
{
    for (uint32_t i = 0; i < table->index_count; i++)
        if (strcmp(table->indexes[i].definition->name, name) == 0)
            return &table->indexes[i];
    return NULL;
}

void kube__store_exit_on_no_memory(kube__store *store)
{
    store->exit_on_no_memory = true;
}

static kube__index_definition *define(const char *name, kube_index_function *function, void *arg)
{
    kube__index_definition *definition = calloc(1, sizeof *definition);
    char *copy = strdup(name);
    if (!definition || !copy) {
        free(definition);
        free(copy);
        return NULL;
    }
    definition->name = copy;
    definition->function = function;
    definition->arg = arg;
    return definition;
}

/* The new index is built aside, from a table that only a writer could change. */
kube_code kube__store_add_index(kube__store *store, const char *name, kube_index_function *function,
                                void *arg, kube_error *err)
{
    kube__index_definition *definition;
    kube__index index;
    kube_code rc;
    if (!name || !*name || !function)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "an index needs a name and a function");
    if (find_index(store->table, name))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "there is already an index %s", name);
    if (store->table->index_count == KUBE__MAX_INDEXES)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "cannot add index %s: there are %d already, more are not possible",
                              name, KUBE__MAX_INDEXES - 1);
    definition = define(name, function, arg);
    if (!definition)
        return kube__no_memory(err, "the cache of %s", store->type->resource);
    definition->exit_on_no_memory = store->exit_on_no_memory;
    rc = kube__table_build_index(store->table, definition, &index, err);
    if (rc) {
        free(definition->name);
        free(definition);
        return rc;
    }
    kube__write_lock(&store->lock);
    kube__table_attach_index(store->table, &index);
    store->definitions[store->definition_count++] = definition;
    kube__rw_unlock(&store->lock);
    return KUBE_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

void kube__held_free(kube__held *held)
{
    if (!held)
        return;
    for (size_t i = 0; i < held->len; i++)
        kube_object_unref(held->items[i]);
    free(held);
}

bool kube__store_visit(kube__store *store, kube__name name,
                       kube_code (*keep)(void *arg, const kube_object *object), void *arg,
                       kube_code *code)
{
    const kube_object *object;
    kube__read_lock(&store->lock);
    object = kube__table_get(store->table, name);
    if (object)
        *code = keep(arg, object);
    kube__rw_unlock(&store->lock);
    return object != NULL;
}

static kube_code keep_reference(void *arg, const kube_object *object)
{
    *(const kube_object **)arg = kube_object_ref(object);
    return KUBE_OK;
}

const kube_object *kube__store_get(kube__store *store, kube__name name)
{
    const kube_object *object = NULL;
    kube_code rc;
    kube__store_visit(store, name, keep_reference, &object, &rc);
    return object;
}

/* A selection of ids: those of a set, or all when there is no set. */
struct selection {
    const kube__table *table;
    const uint32_t *ids;
    uint32_t len;
    const kube__selector *selector;
    kube__held *held;
    size_t size;
};

static uint32_t selected_id(const struct selection *s, uint32_t i)
{
    return s->ids ? s->ids[i] : i;
}

static bool hold(struct selection *s, const kube_object *object)
{
    if (s->held->len == s->size) {
        size_t size = s->size * 2;
        kube__held *held = realloc(s->held, sizeof *held + size * sizeof *held->items);
        if (!held)
            return false;
        s->held = held;
        s->size = size;
    }
    s->held->items[s->held->len++] = kube_object_ref(object);
    return true;
}

/* Objects lie all over the memory: their lines are asked for some turns ahead. */
static bool select_objects(struct selection *s)
{
    enum { AHEAD = 12 };
    s->size = s->selector ? 64 : (s->len ? s->len : 1);
    s->held = malloc(sizeof *s->held + s->size * sizeof *s->held->items);
    if (!s->held)
        return false;
    s->held->len = 0;
    for (uint32_t i = 0; i < s->len; i++) {
        const kube_object *object = kube__table_at(s->table, selected_id(s, i));
        if (i + AHEAD < s->len)
            kube__table_prefetch(s->table, selected_id(s, i + AHEAD));
        if (!object ||
            (s->selector &&
             !kube__selector_matches(s->selector, &kube__table_meta(s->table, object)->labels)))
            continue;
        if (!hold(s, object))
            return false;
    }
    return true;
}

static kube_code finish(kube__store *store, struct selection *s, bool selected, kube__held **out,
                        kube_error *err)
{
    kube__rw_unlock(&store->lock);
    if (!selected) {
        kube__held_free(s->held);
        return kube__no_memory(err, "the cache of %s", store->type->resource);
    }
    *out = s->held;
    return KUBE_OK;
}

kube_code kube__store_list(kube__store *store, const char *namespace_,
                           const kube__selector *selector, kube__held **out, kube_error *err)
{
    struct selection s = {.selector = selector};
    *out = NULL;
    kube__read_lock(&store->lock);
    s.table = store->table;
    if (namespace_ && *namespace_)
        s.ids = kube__index_find(&s.table->indexes[0], namespace_, &s.len);
    else
        s.len = s.table->len;
    return finish(store, &s, select_objects(&s), out, err);
}

kube_code kube__store_by_index(kube__store *store, const char *index, const char *value,
                               kube__held **out, kube_error *err)
{
    struct selection s = {.table = NULL};
    const kube__index *found;
    *out = NULL;
    kube__read_lock(&store->lock);
    s.table = store->table;
    found = find_index(s.table, index);
    if (!found) {
        kube__rw_unlock(&store->lock);
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "there is no index %s", index);
    }
    s.ids = kube__index_find(found, value, &s.len);
    return finish(store, &s, select_objects(&s), out, err);
}

kube_code kube__store_snapshot(kube__store *store, uint32_t flags, bool update, kube__batch **out,
                               kube_error *err)
{
    const kube__table *table;
    kube__batch *batch;
    *out = NULL;
    kube__read_lock(&store->lock);
    table = store->table;
    batch = kube__batch_new(table->count, flags);
    for (uint32_t id = 0; batch && id < table->len; id++) {
        const kube_object *object = kube__table_at(table, id);
        if (object)
            kube__batch_add(batch, (kube__change){update ? kube_object_ref(object) : NULL,
                                                  kube_object_ref(object), NULL});
    }
    kube__rw_unlock(&store->lock);
    if (!batch)
        return kube__no_memory(err, "the cache of %s", store->type->resource);
    *out = batch;
    return KUBE_OK;
}

size_t kube__store_count(kube__store *store)
{
    size_t count;
    kube__read_lock(&store->lock);
    count = store->table->count;
    kube__rw_unlock(&store->lock);
    return count;
}

size_t kube__store_object_bytes(kube__store *store)
{
    size_t bytes = 0;
    kube__read_lock(&store->lock);
    for (uint32_t id = 0; id < store->table->len; id++) {
        const kube_object *object = kube__table_at(store->table, id);
        bytes += object ? kube_object_memory(object) : 0;
    }
    kube__rw_unlock(&store->lock);
    return bytes;
}

size_t kube__store_overhead_bytes(kube__store *store)
{
    size_t bytes;
    kube__read_lock(&store->lock);
    bytes = kube__table_memory(store->table);
    kube__rw_unlock(&store->lock);
    return bytes;
}

size_t kube__store_index_values(kube__store *store, const char *index)
{
    const kube__index *found;
    size_t count;
    kube__read_lock(&store->lock);
    found = find_index(store->table, index);
    count = found ? kube__index_value_count(found) : 0;
    kube__rw_unlock(&store->lock);
    return count;
}

void kube__store_resource_version(kube__store *store, char *out, size_t size)
{
    kube__read_lock(&store->lock);
    snprintf(out, size, "%s", store->resource_version ? store->resource_version : "");
    kube__rw_unlock(&store->lock);
}
