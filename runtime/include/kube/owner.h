/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Owner references: who made an object, and who keeps it (OW-1, OW-2).
 *
 * @p owner is `&obj->base` of an object that has a type and a uid: one from the server or a cache.
 */
#ifndef KUBE_OWNER_H
#define KUBE_OWNER_H

#include <kube/object.h>

KUBE_BEGIN_DECLS

/** A controller's reference to @p owner (OW-1). Its strings are the owner's: they live as long. */
KUBE_API kube_owner_reference kube_controller_reference(const kube_object *owner);
/** The reference with `controller` true; NULL = it has none. Lives as long as @p metadata. */
KUBE_API const kube_owner_reference *kube_controller_of(const kube_object_meta *metadata);
/** Whether @p owner controls the object: by uid alone, names can be given again. */
KUBE_API bool kube_is_controlled_by(const kube_object_meta *metadata, const kube_object *owner);
/**
 * Makes @p owner the controller of an object; its list is replaced by one in @p ctx. The same owner
 * (group, kind and name) is replaced in place. KUBE_ERR_ALREADY_EXISTS when another controls it,
 * KUBE_ERR_ARGUMENT when the owner is in another namespace, or namespaced and the object is not.
 */
KUBE_CHECKED kube_code kube_set_controller_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                                     const kube_object *owner, kube_error *err);
/** The same without `controller`: one owner of several. */
KUBE_CHECKED kube_code kube_set_owner_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                                const kube_object *owner, kube_error *err);
/** Takes the reference to @p owner (by uid) out; whether there was one in @p removed (may be
 * NULL).*/
KUBE_CHECKED kube_code kube_remove_owner_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                                   const kube_object *owner, bool *removed,
                                                   kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_OWNER_H */
