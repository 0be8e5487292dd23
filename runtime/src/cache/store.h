/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cache of one type (STO-*): a table with a read-write lock.
 *
 * Threads: any number may read. The informer lets only one thread write at a time (apply, replace,
 * add_index) by its delta lock, so a writer may read without the store's lock. A reader waits at
 * most until one batch of changes is entered: index functions run outside of the lock, the table
 * for a list is built outside of it, and a replace only swaps a pointer under it. Lock order:
 * informer's delta lock, informer's queue lock, store's lock.
 */
#ifndef KUBE_CACHE_STORE_H
#define KUBE_CACHE_STORE_H

#include "batch.h"
#include "selector.h"
#include "table.h"

typedef struct kube__store kube__store;

KUBE__CHECKED kube_code kube__store_new(const kube_type *type, kube__store **out, kube_error *err);
void kube__store_free(kube__store *store);
const kube_type *kube__store_type(const kube__store *store);
/* Writers only. */
const kube__table *kube__store_table(const kube__store *store);

/* ---- writing ------------------------------------------------------------------------------- */

/* Another state of an object, or its last one. */
typedef struct kube__delta {
    kube_object *object; /* the reference goes to the store, which leaves NULL */
    bool deleted;
} kube__delta;

/*
 * Enters @deltas in order in one transaction and sets the version the store is consistent with
 * (STO-7; NULL = leaves it). Appends what became of each to @batch, which has the room. Out of
 * memory: @applied deltas, and no more, have been entered, and the version is left alone.
 */
KUBE__CHECKED kube_code kube__store_apply(kube__store *store, kube__delta *deltas, size_t len,
                                          const char *resource_version, kube__batch *batch,
                                          size_t *applied, kube_error *err);

/* Makes a table for the objects of a list; see kube__store_replace(). */
kube__table *kube__store_stage(kube__store *store); /* Returns NULL if out of memory */
/*
 * Puts an object, whose reference goes to the table unless this fails. With @share the cached one
 * stays in its place when it is the same version: a relist then costs no memory.
 */
KUBE__CHECKED kube_code kube__store_stage_put(const kube__store *store, kube__table *staged,
                                              const kube_object *object, bool share,
                                              kube_error *err);
void kube__store_stage_remove(kube__table *staged, const kube_object *object);
/*
 * Puts @staged, which it consumes in any case, in the place of what the store holds, in one step,
 * and says what that changed: first the vanished, then the others (INF-2). If no more than
 * @keep_missing objects are missing from @staged, they stay.
 */
KUBE__CHECKED kube_code kube__store_replace(kube__store *store, kube__table *staged,
                                            const char *resource_version, size_t keep_missing,
                                            uint32_t flags, kube__batch **out, kube_error *err);

/* Index functions that are added from now on end the process when their ctx runs out of memory. */
void kube__store_exit_on_no_memory(kube__store *store);
/* Adds an index, also to a store that has objects (STO-3). The definition is borrowed. A name that
 * another index has is an error. */
KUBE__CHECKED kube_code kube__store_add_index(kube__store *store, const char *name,
                                              kube_index_function *function, void *arg,
                                              kube_error *err);

/* ---- reading ------------------------------------------------------------------------------- */

/* Objects with a reference each, in one allocation. */
typedef struct kube__held {
    size_t len;
    const kube_object *items[];
} kube__held;
void kube__held_free(kube__held *held); /* NULL allowed */

/* Calls @keep with the object under the read lock. Returns false if the store does not have it. */
bool kube__store_visit(kube__store *store, kube__name name,
                       kube_code (*keep)(void *arg, const kube_object *object), void *arg,
                       kube_code *code);
/* With a reference; NULL = not there. */
const kube_object *kube__store_get(kube__store *store, kube__name name);
/* @namespace_ NULL or "" = all; @selector NULL = any. */
KUBE__CHECKED kube_code kube__store_list(kube__store *store, const char *namespace_,
                                         const kube__selector *selector, kube__held **out,
                                         kube_error *err);
/* Unknown index: KUBE_ERR_ARGUMENT (STO-3). */
KUBE__CHECKED kube_code kube__store_by_index(kube__store *store, const char *index,
                                             const char *value, kube__held **out, kube_error *err);
/* Makes a batch of all objects with these flags, for a resync or a late handler. With @update they
 * are updates, otherwise adds. */
KUBE__CHECKED kube_code kube__store_snapshot(kube__store *store, uint32_t flags, bool update,
                                             kube__batch **out, kube_error *err);
size_t kube__store_count(kube__store *store);
/* Bytes of all objects; walks them. */
size_t kube__store_object_bytes(kube__store *store);
/* Bytes of table and indexes. */
size_t kube__store_overhead_bytes(kube__store *store);
/* Values of an index in use, 0 for an unknown one. */
size_t kube__store_index_values(kube__store *store, const char *index);
/* The version the store is consistent with, as of now (STO-7), cut to @size; "" at first. */
void kube__store_resource_version(kube__store *store, char *out, size_t size);

#endif /* KUBE_CACHE_STORE_H */
