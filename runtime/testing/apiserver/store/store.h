/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects: JSON text and the few fields that lists, watches and the garbage collector ask for.
 * One counter numbers all changes; the newest changes are kept so that watches can start in the
 * past. Everything here is used under the server's lock.
 */
#ifndef KUBE_APISERVER_STORE_H
#define KUBE_APISERVER_STORE_H

#include "apiserver/core/resource.h"
#include "apiserver/query/selector.h"

#include <stdatomic.h>

/* One state of an object; immutable, counted. */
typedef struct kube__api_object {
    atomic_uint refs;
    kube__api_collection *collection;
    uint64_t version;       /* resourceVersion of this state */
    const char *namespace_; /* "" = cluster-scoped */
    const char *name;
    const char *uid;
    kube__api_pairs labels;
    kube__api_pairs fields;    /* selectable ones, metadata.name and namespace too */
    const char *const *owners; /* uids, NULL-terminated */
    bool custom;               /* of a CRD */
    bool deleting;             /* has a deletionTimestamp */
    size_t len;
    const char *text; /* as the storage version is sent alone, NUL-terminated */
} kube__api_object;

kube__api_object *kube__api_object_ref(kube__api_object *object);
void kube__api_object_unref(kube__api_object *object); /* from any thread */
/* The stored text as a tree, in @resource's version. */
kube__json *kube__api_object_json(kube_ctx *ctx, const kube__api_object *object,
                                  const kube__api_resource *resource);
/* Brings a tree of another version of the same kind into @resource's. */
void kube__api_convert(kube_ctx *ctx, const kube__api_resource *resource, kube__json *document);
/* Where a field of an events.k8s.io Event is in the stored one: "involvedObject.name" of
 * "regarding.name". Returns NULL if out of memory. */
const char *kube__api_event_stored_path(kube_ctx *ctx, const char *path);
/* Appends the text as it is sent: alone, or as a list's item (built-ins: without kind and
 * apiVersion), in @resource's version. */
void kube__api_object_write(const kube__api_object *object, const kube__api_resource *resource,
                            bool as_item, kube__buffer *out);

/* The form in which objects are kept and sent: of custom ones all keys sorted; of built-ins kind,
 * apiVersion, metadata, spec and status first, and metadata as the real server orders it. */
void kube__api_order_members(kube__json *document, bool custom);

typedef enum kube__api_change_type {
    KUBE__API_ADDED,
    KUBE__API_MODIFIED,
    KUBE__API_DELETED,
} kube__api_change_type;

typedef struct kube__api_change {
    kube__api_change_type type;
    kube__api_object *object; /* DELETED: the last state, with the deletion's version */
    kube__api_object *old;    /* NULL for ADDED */
} kube__api_change;

typedef struct kube__api_store kube__api_store;

/* Told of each change right after it is made, under the server's lock. */
typedef void kube__api_observer(void *arg, const kube__api_change *change);

/* Told of a collection that is dropped. */
typedef void kube__api_drop_observer(void *arg, kube__api_collection *collection);

/* @history: changes kept. */
kube__api_store *kube__api_store_new(size_t history);
void kube__api_store_free(kube__api_store *store);
/* The collection of a group's plural; made when it is new. Returns NULL if out of memory. @custom:
 * key order and list shape, see the head of resource.h. */
kube__api_collection *kube__api_store_collection(kube__api_store *store, const char *group,
                                                 const char *plural, bool custom);
/* Forgets a collection's existence (its CRD is gone); watches on it end. What objects it still has
 * go without an event. The pointer stays valid, and is used again for the same group and plural. */
void kube__api_store_drop(kube__api_store *store, kube__api_collection *collection);
const char *kube__api_collection_group(const kube__api_collection *collection);
const char *kube__api_collection_plural(const kube__api_collection *collection);

/* The newest version; 1 at the start. Threads: any. */
uint64_t kube__api_store_version(const kube__api_store *store);
/* Returns NULL if it does not exist. Adds no reference. */
kube__api_object *kube__api_store_get(const kube__api_collection *collection,
                                      const char *namespace_, const char *name);
/* Objects by namespace and name, of one namespace or of all ("" ): calls until it returns false.
 * It must not change the collection. */
void kube__api_store_each(const kube__api_collection *collection, const char *namespace_,
                          bool (*visit)(void *arg, kube__api_object *object), void *arg);
size_t kube__api_store_count(const kube__api_collection *collection);
/* The collections, for the garbage collector and persistence; NULL past the end. */
kube__api_collection *kube__api_store_collection_at(const kube__api_store *store, size_t index);

/*
 * Writes a new state: sets metadata.resourceVersion in @document (the storage version's tree, in
 * its final key order), keeps its text, tells watches and observers. @selectable: the fields that
 * selectors may use. Returns NULL if out of memory (nothing changed); else no reference is added.
 */
kube__api_object *kube__api_store_put(kube__api_store *store, kube_ctx *ctx,
                                      kube__api_collection *collection, kube__json *document,
                                      const char *const *selectable);
/* Removes an object; @final is its last state's tree (NULL = as stored). Returns false if out of
 * memory. */
bool kube__api_store_delete(kube__api_store *store, kube_ctx *ctx, kube__api_object *object,
                            kube__json *final);
/* For persistence: puts back what was stored, with its version, telling nobody. */
bool kube__api_store_restore(kube__api_store *store, kube__api_collection *collection,
                             const char *text, size_t len, const char *const *selectable);
void kube__api_store_set_version(kube__api_store *store, uint64_t version);
/* Forgets the history. */
void kube__api_store_compact(kube__api_store *store);
bool kube__api_store_observe(kube__api_store *store, kube__api_observer *observer, void *arg);
bool kube__api_store_observe_drops(kube__api_store *store, kube__api_drop_observer *observer,
                                   void *arg);

/* ---- the past ------------------------------------------------------------------------------- */

/* All changes of the collection after this version are known. */
uint64_t kube__api_store_oldest(const kube__api_store *store,
                                const kube__api_collection *collection);
/* The collection's changes after @version, oldest first, until @visit returns false. */
void kube__api_store_changes(const kube__api_store *store, const kube__api_collection *collection,
                             uint64_t version,
                             bool (*visit)(void *arg, const kube__api_change *change), void *arg);

/* The objects of a namespace ("" = all) behind the key @after (NULL = from the first on). */
typedef struct kube__api_range {
    const char *namespace_;
    const char *after_namespace;
    const char *after_name;
} kube__api_range;

/* Those objects in order, as they were at @version (which is not older than oldest()), or are now
 * (0): an array in the ctx, without references. Returns false if out of memory. */
bool kube__api_store_list(const kube__api_store *store, kube_ctx *ctx,
                          const kube__api_collection *collection, const kube__api_range *range,
                          uint64_t version, kube__api_object ***out, size_t *count);

/* ---- what watches keep at a collection ------------------------------------------------------ */

void **kube__api_collection_watches(kube__api_collection *collection);
bool kube__api_collection_is_custom(const kube__api_collection *collection);

#endif /* KUBE_APISERVER_STORE_H */
