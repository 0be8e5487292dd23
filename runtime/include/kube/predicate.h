/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Which changes of an object are worth a reconcile.
 *
 *     static const kube_predicate worth = {
 *         kube_predicate_any,
 *         (const kube_predicate *const[]){&kube_generation_changed, &kube_labels_changed, NULL}};
 */
#ifndef KUBE_PREDICATE_H
#define KUBE_PREDICATE_H

#include <kube/object.h>

KUBE_BEGIN_DECLS

/** What an informer saw. An add has no old object, a delete no new one. */
typedef struct kube_change {
    const kube_type *type;
    const kube_object *old_object; /* NULL for an add */
    const kube_object *new_object; /* NULL for a delete */
    bool in_initial_list;          /* of an add */
    bool final_state_known;        /* of a delete: false = old_object is the last state seen */
} kube_change;

/**
 * A question about a change. Constant data: it can be static, and is borrowed for as long as the
 * controller lives. Threads: any, so `passes` must not change what it points to without a lock.
 */
typedef struct kube_predicate kube_predicate;
struct kube_predicate {
    bool (*passes)(const kube_predicate *self, const kube_change *change);
    const kube_predicate *const *parts; /* of all, any and none: ends with NULL */
    void *arg;                          /* of a function of your own */
};

/** Whether @p change passes; a NULL predicate lets everything pass. */
KUBE_API bool kube_predicate_passes(const kube_predicate *predicate, const kube_change *change);

/** For `passes`: true when all, one or none of the parts pass. Parts are asked in order until the
 * answer is known; without parts: true, false, true. */
KUBE_API bool kube_predicate_all(const kube_predicate *self, const kube_change *change);
KUBE_API bool kube_predicate_any(const kube_predicate *self, const kube_change *change);
KUBE_API bool kube_predicate_none(const kube_predicate *self, const kube_change *change);

/**
 * Updates that changed what the object is to be: metadata.generation, which the server raises with
 * each change outside metadata and status. Adds and deletes pass, and so do updates that set a
 * deletion time or changed finalizers, because work hangs on them. Kinds without a generation
 * (ConfigMap, Secret…) pass whenever their resourceVersion changed. A resync does not pass.
 */
KUBE_API extern const kube_predicate kube_generation_changed;
/** Updates that changed metadata.labels; adds and deletes pass. */
KUBE_API extern const kube_predicate kube_labels_changed;
/** Updates that changed metadata.annotations; adds and deletes pass. */
KUBE_API extern const kube_predicate kube_annotations_changed;
/** Updates that are no resync; adds and deletes pass. */
KUBE_API extern const kube_predicate kube_version_changed;

KUBE_END_DECLS

#endif /* KUBE_PREDICATE_H */
