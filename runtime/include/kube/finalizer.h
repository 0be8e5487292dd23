/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finalizers: an object goes only when all who must clean up after it have done so.
 */
#ifndef KUBE_FINALIZER_H
#define KUBE_FINALIZER_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

KUBE_API bool kube_finalizer_present(const kube_object_meta *metadata, const char *finalizer);
/** Whether somebody deleted the object: it waits for its finalizers. */
KUBE_API bool kube_is_being_deleted(const kube_object_meta *metadata);
/** Edit the metadata; the new list is in @p ctx. @p changed (may be NULL): whether it was not so
 * already (OW-2). */
KUBE_CHECKED kube_code kube_finalizer_add(kube_ctx *ctx, kube_object_meta *metadata,
                                          const char *finalizer, bool *changed, kube_error *err);
KUBE_CHECKED kube_code kube_finalizer_remove(kube_ctx *ctx, kube_object_meta *metadata,
                                             const char *finalizer, bool *changed, kube_error *err);

/** Undoes outside the cluster what was done for @p object; must bear being called again. */
typedef kube_code kube_cleanup(void *arg, kube_ctx *ctx, const kube_object *object,
                               kube_error *err);
/**
 * The whole of it, for the begin of a reconcile: an object that lives gets the finalizer; one that
 * is being deleted is cleaned up and then loses it. Each writes a patch that holds only if the
 * object is as the cache has it; an object that is gone by then is fine.
 * @param now the object to go on with: @p object itself, or after the finalizer was added the
 * server's answer, in @p ctx, whose resourceVersion an update or update_status of the same run
 * needs; NULL when nothing is left to reconcile, as it is being deleted or gone, or on an error
 */
KUBE_CHECKED kube_code kube_finalize_object(kube_client *client, kube_ctx *ctx,
                                            const kube_object *object, const char *finalizer,
                                            kube_cleanup *cleanup, void *arg,
                                            const kube_object **now, kube_error *err);
/** The same for who updates nothing: @p go_on says whether there is an object to go on with.
 * @p object stays as it is, so after the finalizer was added it is older than the server's: an
 * update of it, or of its status, is a conflict, an apply is not. */
KUBE_CHECKED kube_code kube_finalize(kube_client *client, kube_ctx *ctx, const kube_object *object,
                                     const char *finalizer, kube_cleanup *cleanup, void *arg,
                                     bool *go_on, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_FINALIZER_H */
