/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Says which changes of an object make a controller reconcile.
 *
 *     static const kube_predicate worth = {
 *         kube_predicate_any,
 *         (const kube_predicate *const[]){&kube_generation_changed, &kube_labels_changed, NULL}};
 */
#ifndef KUBE_PREDICATE_H
#define KUBE_PREDICATE_H

#include <kube/object.h>

KUBE_BEGIN_DECLS

/** A change as an informer saw it. */
typedef struct kube_change {
    const kube_type *type;
    const kube_object *old_object; /* NULL for an add */
    const kube_object *new_object; /* NULL for a delete */
    bool in_initial_list;          /* an add: the object was in the informer's first list */
    bool final_state_known;        /* a delete: old_object is the last state; false = the delete
                                      was missed, and old_object may be older than that */
} kube_change;

/**
 * A test for changes. The controller borrows it for as long as it lives; it can be static and
 * const. `passes` may be called by several threads at once.
 */
typedef struct kube_predicate kube_predicate;
struct kube_predicate {
    bool (*passes)(const kube_predicate *self, const kube_change *change);
    const kube_predicate *const *parts; /* for kube_predicate_all, any and none; ends with NULL */
    void *arg;                          /* for a `passes` of your own */
};

/** Returns whether @p change passes. A NULL predicate lets every change pass. */
KUBE_API bool kube_predicate_passes(const kube_predicate *predicate, const kube_change *change);

/** Three functions for `passes`: they return true if all, at least one, or none of the parts pass.
 * Parts are asked in order until the answer is known. Without parts the answers are true, false,
 * true. */
KUBE_API bool kube_predicate_all(const kube_predicate *self, const kube_change *change);
KUBE_API bool kube_predicate_any(const kube_predicate *self, const kube_change *change);
KUBE_API bool kube_predicate_none(const kube_predicate *self, const kube_change *change);

/** Each lets one kind of change pass, for a part of kube_predicate_all, any and none; a resync is
 * an update. */
KUBE_API extern const kube_predicate kube_when_added;
KUBE_API extern const kube_predicate kube_when_updated;
KUBE_API extern const kube_predicate kube_when_deleted;

/** Makes a predicate for changes of objects whose labels match @p selector ("app=web,tier!=db"), of
 * updates before or after. Free it after the controller, with kube_label_predicate_free().
 * KUBE_ERR_ARGUMENT if the selector is wrong. */
KUBE_CHECKED kube_code kube_label_predicate_new(const char *selector, kube_predicate **out,
                                                kube_error *err);
/** NULL allowed. */
KUBE_API void kube_label_predicate_free(kube_predicate *predicate);

/**
 * Lets updates pass that changed metadata.generation, which the server raises with each change
 * outside metadata and status. Adds, deletes, and updates that set a deletion time or changed
 * finalizers pass too. Objects of kinds without a generation (ConfigMap, Secret…) pass whenever
 * their resourceVersion changed. A resync does not pass.
 */
KUBE_API extern const kube_predicate kube_generation_changed;
/** Lets adds, deletes, and updates that changed metadata.labels pass. */
KUBE_API extern const kube_predicate kube_labels_changed;
/** Lets adds, deletes, and updates that changed metadata.annotations pass. */
KUBE_API extern const kube_predicate kube_annotations_changed;
/** Lets everything pass but resyncs: adds, deletes, and updates that changed resourceVersion. */
KUBE_API extern const kube_predicate kube_version_changed;

KUBE_END_DECLS

#endif /* KUBE_PREDICATE_H */
