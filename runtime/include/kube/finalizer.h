/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finalizers: a deleted object stays until everybody who must clean up after it has done so.
 */
#ifndef KUBE_FINALIZER_H
#define KUBE_FINALIZER_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

/** Returns whether the object has @p finalizer. */
KUBE_API bool kube_finalizer_present(const kube_object_meta *metadata, const char *finalizer);
/** Returns whether the object has been deleted and waits for its finalizers. */
KUBE_API bool kube_is_being_deleted(const kube_object_meta *metadata);
/** These two add and remove a finalizer; the list gets new storage in @p ctx. @p changed (may be
 * NULL) tells whether that made a difference (OW-2). */
KUBE_CHECKED kube_code kube_finalizer_add(kube_ctx *ctx, kube_object_meta *metadata,
                                          const char *finalizer, bool *changed, kube_error *err);
KUBE_CHECKED kube_code kube_finalizer_remove(kube_ctx *ctx, kube_object_meta *metadata,
                                             const char *finalizer, bool *changed, kube_error *err);

/** Undoes what was done for @p object outside the cluster. It may be called several times. */
typedef kube_code kube_cleanup(void *arg, kube_ctx *ctx, const kube_object *object,
                               kube_error *err);
/**
 * Does all that a finalizer needs; call it at the beginning of reconcile. An object that lives gets
 * the finalizer. For one that is being deleted, @p cleanup is called and the finalizer removed. The
 * patches hold only if the object is still as in @p object; if it is gone, that is no error.
 * @param now address of a const pointer of the object's type, for the object to go on with: @p
 * object itself or, if the finalizer was added, the answer of the server in @p ctx, whose
 * resourceVersion an update in the same run needs. NULL if there is nothing left to reconcile,
 * because the object is being deleted or gone, or on an error. Without @p now (NULL) the call is
 * refused with KUBE_ERR_ARGUMENT, and nothing is done
 */
KUBE_CHECKED kube_code kube_finalize(kube_client *client, kube_ctx *ctx, const kube_object *object,
                                     const char *finalizer, kube_cleanup *cleanup, void *arg,
                                     void *now, kube_error *err);
#ifdef KUBE__RBAC_RECORDS
#define kube_finalize(client, ctx, object, ...)                                                    \
    kube_finalize(client, ctx, KUBE__RBAC_USE("patch", "-", "kube_finalize", object), __VA_ARGS__)
#endif

KUBE_END_DECLS

#endif /* KUBE_FINALIZER_H */
