/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Owner references, which say who made an object and with whom it is deleted (OW-1, OW-2).
 *
 * @p owner is always `&obj->base` of an object with a type and a uid: one from the server or a
 * cache.
 */
#ifndef KUBE_OWNER_H
#define KUBE_OWNER_H

#include <kube/object.h>
#include <kube/rbac.h>

KUBE_BEGIN_DECLS

/** Returns a controller's reference to @p owner (OW-1). Its strings are borrowed from the owner. */
KUBE_API kube_owner_reference kube_controller_reference(const kube_object *owner);
#ifdef KUBE__RBAC_RECORDS
#define kube_controller_reference(owner)                                                           \
    kube_controller_reference(                                                                     \
        KUBE__RBAC_USE("update", "finalizers", "kube_controller_reference", owner))
#endif
/** Returns the reference whose `controller` is true, or NULL. It lives as long as @p metadata. */
KUBE_API const kube_owner_reference *kube_controller_of(const kube_object_meta *metadata);
/** Returns whether @p owner controls the object. Only the uid counts: a name can be used again. */
KUBE_API bool kube_is_controlled_by(const kube_object_meta *metadata, const kube_object *owner);
/**
 * Makes @p owner the controller of an object. The list of references gets new storage in @p ctx. A
 * reference to the same group, kind and name is replaced.
 * @return KUBE_ERR_ALREADY_EXISTS if another object controls it; KUBE_ERR_ARGUMENT if the owner is
 * in another namespace, or is in one while the object is in none
 */
KUBE_CHECKED kube_code kube_set_controller_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                                     const kube_object *owner, kube_error *err);
#ifdef KUBE__RBAC_RECORDS
#define kube_set_controller_reference(ctx, metadata, owner, ...)                                   \
    kube_set_controller_reference(                                                                 \
        ctx, metadata,                                                                             \
        KUBE__RBAC_USE("update", "finalizers", "kube_set_controller_reference", owner),            \
        __VA_ARGS__)
#endif
/** The same without `controller`, for an object that may have several owners. */
KUBE_CHECKED kube_code kube_set_owner_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                                const kube_object *owner, kube_error *err);
/** Removes the reference with the uid of @p owner. @p removed (may be NULL) tells whether there was
 * one. */
KUBE_CHECKED kube_code kube_remove_owner_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                                   const kube_object *owner, bool *removed,
                                                   kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_OWNER_H */
