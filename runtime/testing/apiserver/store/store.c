/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include "base/ctx.h"
#include "object.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

struct kube__api_collection {
    kube__api_order objects;
    char *group;
    char *plural;
    bool custom;
    bool dropped;
    uint64_t since; /* no change before this version is one of it */
    void *watches;
};

typedef struct observer {
    kube__api_observer *changed; /* or NULL */
    kube__api_drop_observer *dropped;
    void *arg;
} observer;

struct kube__api_store {
    _Atomic uint64_t version;
    uint64_t floor; /* changes up to this version are forgotten */
    kube__api_collection **collections;
    size_t collection_count;
    observer *observers;
    size_t observer_count;
    kube__api_change *history; /* a ring of which @first is the oldest */
    size_t history_limit;
    size_t history_size;
    size_t history_first;
    size_t history_count;
};

kube__api_store *kube__api_store_new(size_t history)
{
    kube__api_store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    atomic_init(&store->version, 1);
    store->history_limit = history ? history : 1;
    return store;
}

static kube__api_change *change_at(const kube__api_store *store, size_t index)
{
    return &store->history[(store->history_first + index) % store->history_size];
}

static void forget_oldest(kube__api_store *store)
{
    kube__api_change *change = change_at(store, 0);
    store->floor = change->object->version;
    kube__api_object_unref(change->object);
    kube__api_object_unref(change->old);
    store->history_first = (store->history_first + 1) % store->history_size;
    store->history_count--;
}

static void forget_objects(kube__api_collection *collection)
{
    kube__api_cursor cursor = {0};
    kube__api_object *object;
    while ((object = kube__api_order_next(&collection->objects, &cursor)) != NULL)
        kube__api_object_unref(object);
    kube__api_order_fini(&collection->objects);
}

void kube__api_store_free(kube__api_store *store)
{
    if (!store)
        return;
    while (store->history_count)
        forget_oldest(store);
    for (size_t i = 0; i < store->collection_count; i++) {
        kube__api_collection *collection = store->collections[i];
        forget_objects(collection);
        free(collection->group);
        free(collection->plural);
        free(collection);
    }
    free(store->collections);
    free(store->observers);
    free(store->history);
    free(store);
}

/* ---- collections ---------------------------------------------------------------------------- */

static kube__api_collection *collection_new(kube__api_store *store, const char *group,
                                            const char *plural)
{
    kube__api_collection **grown =
        realloc(store->collections, (store->collection_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    store->collections = grown;
    kube__api_collection *collection = calloc(1, sizeof *collection);
    if (!collection)
        return NULL;
    collection->group = strdup(group);
    collection->plural = strdup(plural);
    if (!collection->group || !collection->plural) {
        free(collection->group);
        free(collection->plural);
        free(collection);
        return NULL;
    }
    collection->dropped = true;
    grown[store->collection_count++] = collection;
    return collection;
}

kube__api_collection *kube__api_store_collection(kube__api_store *store, const char *group,
                                                 const char *plural, bool custom)
{
    kube__api_collection *collection = NULL;
    for (size_t i = 0; i < store->collection_count && !collection; i++) {
        kube__api_collection *one = store->collections[i];
        if (strcmp(one->group, group) == 0 && strcmp(one->plural, plural) == 0)
            collection = one;
    }
    if (!collection)
        collection = collection_new(store, group, plural);
    if (collection && collection->dropped) {
        collection->dropped = false;
        collection->custom = custom;
        /* The watch cache of a custom resource starts with its CRD. */
        collection->since = custom ? store->version : 0;
    }
    return collection;
}

void kube__api_store_drop(kube__api_store *store, kube__api_collection *collection)
{
    for (size_t i = 0; i < store->observer_count; i++) {
        if (store->observers[i].dropped)
            store->observers[i].dropped(store->observers[i].arg, collection);
    }
    forget_objects(collection);
    collection->dropped = true;
}

const char *kube__api_collection_group(const kube__api_collection *collection)
{
    return collection->group;
}

const char *kube__api_collection_plural(const kube__api_collection *collection)
{
    return collection->plural;
}

bool kube__api_collection_is_custom(const kube__api_collection *collection)
{
    return collection->custom;
}

void **kube__api_collection_watches(kube__api_collection *collection)
{
    return &collection->watches;
}

kube__api_collection *kube__api_store_collection_at(const kube__api_store *store, size_t index)
{
    for (size_t i = 0; i < store->collection_count; i++) {
        if (!store->collections[i]->dropped && index-- == 0)
            return store->collections[i];
    }
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

uint64_t kube__api_store_version(const kube__api_store *store)
{
    return store->version;
}

size_t kube__api_store_count(const kube__api_collection *collection)
{
    return collection->objects.count;
}

kube__api_object *kube__api_store_get(const kube__api_collection *collection,
                                      const char *namespace_, const char *name)
{
    kube__api_object **slot = kube__api_order_find(&collection->objects, namespace_, name);
    return slot ? *slot : NULL;
}

void kube__api_store_each(const kube__api_collection *collection, const char *namespace_,
                          bool (*visit)(void *arg, kube__api_object *object), void *arg)
{
    kube__api_cursor cursor = kube__api_order_seek(&collection->objects, namespace_, "");
    kube__api_object *object;
    while ((object = kube__api_order_next(&collection->objects, &cursor)) != NULL) {
        if (*namespace_ && strcmp(object->namespace_, namespace_) != 0)
            return;
        if (!visit(arg, object))
            return;
    }
}

/* ---- changing ------------------------------------------------------------------------------- */

/* Room for one more change. Returns false if out of memory. */
static bool reserve_history(kube__api_store *store)
{
    if (store->history_count < store->history_size || store->history_size == store->history_limit)
        return true;
    size_t size = store->history_size ? store->history_size * 2 : 64;
    if (size > store->history_limit)
        size = store->history_limit;
    kube__api_change *grown = malloc(size * sizeof *grown);
    if (!grown)
        return false;
    for (size_t i = 0; i < store->history_count; i++)
        grown[i] = *change_at(store, i);
    free(store->history);
    store->history = grown;
    store->history_size = size;
    store->history_first = 0;
    return true;
}

/* Takes over the caller's references. */
static void remember(kube__api_store *store, kube__api_change change)
{
    if (store->history_count == store->history_size)
        forget_oldest(store);
    *change_at(store, store->history_count) = change;
    store->history_count++;
    store->version = change.object->version;
    for (size_t i = 0; i < store->observer_count; i++) {
        if (store->observers[i].changed)
            store->observers[i].changed(store->observers[i].arg, &change);
    }
}

static kube__api_object *make_next(kube__api_store *store, kube_ctx *ctx,
                                   kube__api_collection *collection, kube__json *document,
                                   const char *const *selectable)
{
    kube__api_object_stamp(ctx, collection->custom, document, store->version + 1);
    if (kube_ctx_failed(ctx))
        return NULL;
    kube__api_object *object =
        kube__api_object_new(collection, collection->custom, document, selectable);
    if (object)
        object->version = store->version + 1;
    else
        kube__ctx_fail(ctx, 0);
    return object;
}

kube__api_object *kube__api_store_put(kube__api_store *store, kube_ctx *ctx,
                                      kube__api_collection *collection, kube__json *document,
                                      const char *const *selectable)
{
    if (!reserve_history(store) || !kube__api_order_reserve(&collection->objects)) {
        kube__ctx_fail(ctx, 0);
        return NULL;
    }
    kube__api_object *object = make_next(store, ctx, collection, document, selectable);
    if (!object)
        return NULL;
    kube__api_object **slot =
        kube__api_order_find(&collection->objects, object->namespace_, object->name);
    kube__api_change change = {KUBE__API_ADDED, kube__api_object_ref(object), NULL};
    if (slot) {
        change.type = KUBE__API_MODIFIED;
        change.old = *slot;
        *slot = object;
    } else {
        kube__api_order_insert(&collection->objects, object);
    }
    remember(store, change);
    return object;
}

bool kube__api_store_delete(kube__api_store *store, kube_ctx *ctx, kube__api_object *object,
                            kube__json *final)
{
    kube__api_collection *collection = object->collection;
    if (!reserve_history(store)) {
        kube__ctx_fail(ctx, 0);
        return false;
    }
    if (!final)
        final = kube__json_parse(ctx, object->text, object->len, NULL, NULL, NULL);
    kube__api_object *last =
        make_next(store, ctx, collection, final, kube__api_object_selectable(ctx, object));
    if (!last)
        return false;
    kube__api_order_remove(&collection->objects, object->namespace_, object->name);
    remember(store, (kube__api_change){KUBE__API_DELETED, last, object});
    return true;
}

bool kube__api_store_restore(kube__api_store *store, kube__api_collection *collection,
                             const char *text, size_t len, const char *const *selectable)
{
    kube_ctx *ctx = kube_ctx_new();
    if (!ctx)
        return false;
    kube__api_object *object = NULL;
    kube__json *document = kube__json_parse(ctx, text, len, NULL, NULL, NULL);
    if (document && kube__api_order_reserve(&collection->objects))
        object = kube__api_object_new(collection, collection->custom, document, selectable);
    kube_ctx_free(ctx);
    if (!object)
        return false;
    kube__api_object **slot =
        kube__api_order_find(&collection->objects, object->namespace_, object->name);
    if (slot) {
        kube__api_object_unref(*slot);
        *slot = object;
    } else {
        kube__api_order_insert(&collection->objects, object);
    }
    if (object->version > store->version)
        kube__api_store_set_version(store, object->version);
    return true;
}

void kube__api_store_set_version(kube__api_store *store, uint64_t version)
{
    store->version = version;
    kube__api_store_compact(store);
}

void kube__api_store_compact(kube__api_store *store)
{
    while (store->history_count)
        forget_oldest(store);
    store->floor = store->version;
}

static bool add_observer(kube__api_store *store, observer added)
{
    observer *grown = realloc(store->observers, (store->observer_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    store->observers = grown;
    grown[store->observer_count++] = added;
    return true;
}

bool kube__api_store_observe(kube__api_store *store, kube__api_observer *changed, void *arg)
{
    return add_observer(store, (observer){.changed = changed, .arg = arg});
}

bool kube__api_store_observe_drops(kube__api_store *store, kube__api_drop_observer *dropped,
                                   void *arg)
{
    return add_observer(store, (observer){.dropped = dropped, .arg = arg});
}

/* ---- the past ------------------------------------------------------------------------------- */

uint64_t kube__api_store_oldest(const kube__api_store *store,
                                const kube__api_collection *collection)
{
    return collection->since > store->floor ? collection->since : store->floor;
}

/* The index of the first change after @version. */
static size_t change_after(const kube__api_store *store, uint64_t version)
{
    size_t low = 0;
    size_t high = store->history_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (change_at(store, middle)->object->version <= version)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void kube__api_store_changes(const kube__api_store *store, const kube__api_collection *collection,
                             uint64_t version,
                             bool (*visit)(void *arg, const kube__api_change *change), void *arg)
{
    for (size_t i = change_after(store, version); i < store->history_count; i++) {
        const kube__api_change *change = change_at(store, i);
        if (change->object->collection == collection && !visit(arg, change))
            return;
    }
}

/* What a key held at an older version: NULL = nothing. */
typedef struct revision {
    const kube__api_object *key;
    kube__api_object *object;
    size_t rank; /* the oldest change decides */
} revision;

static int compare_revisions(const void *a, const void *b)
{
    const revision *x = a;
    const revision *y = b;
    int order =
        kube__api_key_compare(x->key->namespace_, x->key->name, y->key->namespace_, y->key->name);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* The keys that changed after @version, in order, with what they held at it. */
static revision *revisions_since(const kube__api_store *store, kube_ctx *ctx,
                                 const kube__api_collection *collection, uint64_t version,
                                 size_t *count)
{
    size_t from = change_after(store, version);
    revision *revisions = kube_ctx_alloc_array(ctx, store->history_count - from, sizeof *revisions);
    size_t len = 0;
    for (size_t i = from; revisions && i < store->history_count; i++) {
        const kube__api_change *change = change_at(store, i);
        if (change->object->collection == collection)
            revisions[len++] = (revision){change->object, change->old, i};
    }
    *count = 0;
    if (!revisions)
        return NULL;
    qsort(revisions, len, sizeof *revisions, compare_revisions);
    for (size_t i = 0; i < len; i++) {
        if (*count == 0 ||
            kube__api_key_compare(revisions[*count - 1].key->namespace_,
                                  revisions[*count - 1].key->name, revisions[i].key->namespace_,
                                  revisions[i].key->name) != 0)
            revisions[(*count)++] = revisions[i];
    }
    return revisions;
}

static bool in_range(const kube__api_range *range, const char *namespace_, const char *name)
{
    if (*range->namespace_ && strcmp(range->namespace_, namespace_) != 0)
        return false;
    return !range->after_name ||
           kube__api_key_compare(namespace_, name, range->after_namespace, range->after_name) > 0;
}

/* Without changes to undo: the objects between two cursors, none of which is looked at. */
static size_t copy_range(const kube__api_order *order, const kube__api_range *range,
                         kube__api_object **list)
{
    bool after = range->after_name != NULL;
    kube__api_cursor at = kube__api_order_seek(
        order, after ? range->after_namespace : range->namespace_, after ? range->after_name : "");
    kube__api_cursor end = {.chunk = order->len};
    size_t count = 0;
    /* No name has a byte as large as that. */
    if (*range->namespace_)
        end = kube__api_order_seek(order, range->namespace_, "\xff");
    if (after) {
        kube__api_cursor next = at;
        const kube__api_object *object = kube__api_order_next(order, &next);
        if (object && kube__api_key_compare(object->namespace_, object->name,
                                            range->after_namespace, range->after_name) == 0)
            at = next;
    }
    for (; at.chunk < order->len && at.chunk <= end.chunk; at.chunk++, at.index = 0) {
        const kube__api_chunk *chunk = order->chunks[at.chunk];
        size_t stop = at.chunk == end.chunk ? end.index : chunk->len;
        if (stop <= at.index)
            continue;
        memcpy(list + count, chunk->items + at.index, (stop - at.index) * sizeof *list);
        count += stop - at.index;
    }
    return count;
}

/* What is there now, and what was there then, merged by key. */
static size_t merge_range(const kube__api_order *order, const kube__api_range *range,
                          const revision *past, size_t past_count, kube__api_object **list)
{
    kube__api_cursor cursor = {0};
    kube__api_object *object = kube__api_order_next(order, &cursor);
    size_t count = 0;
    size_t at = 0;
    while (object || at < past_count) {
        int compared = object ? -1 : 1;
        if (object && at < past_count)
            compared = kube__api_key_compare(object->namespace_, object->name,
                                             past[at].key->namespace_, past[at].key->name);
        const kube__api_object *key = compared < 0 ? object : past[at].key;
        kube__api_object *found = compared < 0 ? object : past[at].object;
        if (compared <= 0)
            object = kube__api_order_next(order, &cursor);
        if (compared >= 0)
            at++;
        if (found && in_range(range, key->namespace_, key->name))
            list[count++] = found;
    }
    return count;
}

bool kube__api_store_list(const kube__api_store *store, kube_ctx *ctx,
                          const kube__api_collection *collection, const kube__api_range *range,
                          uint64_t version, kube__api_object ***out, size_t *count)
{
    size_t past_count = 0;
    revision *past = NULL;
    if (version && version < store->version)
        past = revisions_since(store, ctx, collection, version, &past_count);
    *out = kube_ctx_alloc_array(ctx, collection->objects.count + past_count, sizeof **out);
    *count = 0;
    if (kube_ctx_failed(ctx))
        return false;
    *count = past_count ? merge_range(&collection->objects, range, past, past_count, *out)
                        : copy_range(&collection->objects, range, *out);
    return true;
}
