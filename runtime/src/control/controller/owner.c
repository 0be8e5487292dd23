/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/text.h"

#include <kube/owner.h>

/* Length of the group in an apiVersion: "apps" of "apps/v1", nothing of "v1". */
static size_t group_len(const char *api_version)
{
    const char *slash = strchr(api_version, '/');
    return slash ? (size_t)(slash - api_version) : 0;
}

static bool same_group(const char *a, const char *b)
{
    size_t len = group_len(kube__text_or_empty(a));
    return len == group_len(kube__text_or_empty(b)) && (len == 0 || memcmp(a, b, len) == 0);
}

/* The same owner by OW-2: version and uid may have changed since the reference was written. */
static bool same_owner(const kube_owner_reference *a, const kube_owner_reference *b)
{
    return same_group(a->api_version, b->api_version) && kube__text_same(a->kind, b->kind) &&
           kube__text_same(a->name, b->name);
}

static bool is_controller(const kube_owner_reference *reference)
{
    return reference->controller.set && reference->controller.value;
}

static kube_owner_reference plain_reference(const kube_object *owner)
{
    const kube_object_meta *metadata = kube_object_metadata(owner);
    kube_owner_reference reference = {0};
    if (metadata) {
        reference.api_version = owner->type->api_version;
        reference.kind = owner->type->kind;
        reference.name = metadata->name;
        reference.uid = metadata->uid;
    }
    return reference;
}

kube_owner_reference kube_controller_reference(const kube_object *owner)
{
    kube_owner_reference reference = plain_reference(owner);
    reference.controller = kube_some_bool(true);
    reference.block_owner_deletion = kube_some_bool(true);
    return reference;
}

const kube_owner_reference *kube_controller_of(const kube_object_meta *metadata)
{
    const kube_owner_reference_list *references = &metadata->owner_references;
    for (size_t i = 0; i < references->len; i++) {
        if (is_controller(&references->items[i]))
            return &references->items[i];
    }
    return NULL;
}

bool kube_is_controlled_by(const kube_object_meta *metadata, const kube_object *owner)
{
    const kube_owner_reference *controller = kube_controller_of(metadata);
    const kube_object_meta *by = kube_object_metadata(owner);
    /* Two that have no uid are not the same. */
    if (!controller || !by || !by->uid || !*by->uid)
        return false;
    return kube__text_same(controller->uid, by->uid);
}

/* ---- changes ------------------------------------------------------------------------------- */

static kube_code check_owner(const kube_object *owner, kube_error *err)
{
    const kube_object_meta *metadata = kube_object_metadata(owner);
    if (!metadata)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "an owner must have a type: pass &object->base of one from the "
                              "server or a cache");
    if (!metadata->name || !*metadata->name || !metadata->uid || !*metadata->uid)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "%s \"%s\" cannot own anything: it has no %s, so it is no object of "
                              "the server",
                              owner->type->kind, kube__text_or_empty(metadata->name),
                              metadata->name && *metadata->name ? "uid" : "name");
    return KUBE_OK;
}

/* The garbage collector looks for a namespaced owner in the object's own namespace only. */
static kube_code check_namespace(const kube_object_meta *metadata, const kube_object *owner,
                                 kube_error *err)
{
    const kube_object_meta *by = kube_object_metadata(owner);
    const char *owner_namespace = kube__text_or_empty(by->namespace_);
    const char *name = kube__text_or_empty(metadata->name);
    if (!*owner_namespace || kube__text_same(owner_namespace, metadata->namespace_))
        return KUBE_OK;
    if (!metadata->namespace_ || !*metadata->namespace_)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "\"%s\" has no namespace, so %s %s/%s cannot own it", name,
                              owner->type->kind, owner_namespace, by->name);
    return kube_error_set(err, KUBE_ERR_ARGUMENT,
                          "%s/%s is in another namespace than its owner, "
                          "%s %s/%s",
                          metadata->namespace_, name, owner->type->kind, owner_namespace, by->name);
}

/* Whether @owner may own the object of @metadata. */
static kube_code check(const kube_ctx *ctx, const kube_object_meta *metadata,
                       const kube_object *owner, kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    if (!rc)
        rc = check_owner(owner, err);
    return rc ? rc : check_namespace(metadata, owner, err);
}

/* Puts @reference in the place of one to the same owner, or at the end, of a new list. */
static kube_code put(kube_ctx *ctx, kube_object_meta *metadata,
                     const kube_owner_reference *reference, kube_error *err)
{
    const kube_owner_reference_list *old = &metadata->owner_references;
    kube_owner_reference *items = kube_ctx_alloc_array(ctx, old->len + 1, sizeof *items);
    size_t place = 0;
    if (!items)
        return kube__ctx_check(ctx, err);
    if (old->len)
        memcpy(items, old->items, old->len * sizeof *items);
    while (place < old->len && !same_owner(&items[place], reference))
        place++;
    items[place] = *reference;
    metadata->owner_references.items = items;
    if (place == old->len)
        metadata->owner_references.len++;
    return KUBE_OK;
}

kube_code kube_set_controller_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                        const kube_object *owner, kube_error *err)
{
    const kube_owner_reference *other = kube_controller_of(metadata);
    kube_owner_reference reference;
    kube_code rc = check(ctx, metadata, owner, err);
    if (rc)
        return rc;
    reference = kube_controller_reference(owner);
    if (other && !same_owner(other, &reference))
        return kube_error_set(err, KUBE_ERR_ALREADY_EXISTS,
                              "\"%s\" is controlled by %s \"%s\" already",
                              kube__text_or_empty(metadata->name), kube__text_or_empty(other->kind),
                              kube__text_or_empty(other->name));
    return put(ctx, metadata, &reference, err);
}

kube_code kube_set_owner_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                   const kube_object *owner, kube_error *err)
{
    kube_owner_reference reference;
    kube_code rc = check(ctx, metadata, owner, err);
    if (rc)
        return rc;
    reference = plain_reference(owner);
    return put(ctx, metadata, &reference, err);
}

kube_code kube_remove_owner_reference(kube_ctx *ctx, kube_object_meta *metadata,
                                      const kube_object *owner, bool *removed, kube_error *err)
{
    kube_owner_reference_list *list = &metadata->owner_references;
    kube_owner_reference *items;
    size_t len = 0;
    kube_code rc = kube__ctx_check(ctx, err);
    if (!rc)
        rc = check_owner(owner, err);
    if (removed)
        *removed = false;
    if (rc || list->len == 0)
        return rc;
    items = kube_ctx_alloc_array(ctx, list->len, sizeof *items);
    if (!items)
        return kube__ctx_check(ctx, err);
    for (size_t i = 0; i < list->len; i++) {
        if (!kube__text_same(list->items[i].uid, kube_object_metadata(owner)->uid))
            items[len++] = list->items[i];
    }
    if (len == list->len)
        return KUBE_OK;
    list->items = items; /* not NULL without references: present and empty, so an update says it */
    list->len = len;
    if (removed)
        *removed = true;
    return KUBE_OK;
}
