/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

/* metadata of custom resources is stored by name; here it is sent as Go declares it. */
static kube__json *ordered_metadata(kube_ctx *ctx, const kube__json *object)
{
    static const char *const keys[] = {"name",
                                       "generateName",
                                       "namespace",
                                       "selfLink",
                                       "uid",
                                       "resourceVersion",
                                       "generation",
                                       "creationTimestamp",
                                       "deletionTimestamp",
                                       "deletionGracePeriodSeconds",
                                       "labels",
                                       "annotations",
                                       "ownerReferences",
                                       "finalizers",
                                       "managedFields",
                                       NULL};
    static const char *const owner_keys[] = {
        "apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion", NULL};
    static const char *const managed_keys[] = {"manager",    "operation", "apiVersion",  "time",
                                               "fieldsType", "fieldsV1",  "subresource", NULL};
    const kube__json *from = kube__json_get(object, "metadata");
    kube__json *metadata = from ? kube__json_copy(ctx, from) : kube__json_object(ctx);
    kube__json_move_first(metadata, keys);
    KUBE__JSON_EACH (owner, kube__json_get(metadata, "ownerReferences"))
        kube__json_move_first(owner, owner_keys);
    KUBE__JSON_EACH (entry, kube__json_get(metadata, "managedFields"))
        kube__json_move_first(entry, managed_keys);
    return metadata;
}

static kube__json *start(kube_ctx *ctx, const char *kind)
{
    kube__json *out = kube__json_typed(ctx, kind, "meta.k8s.io/v1");
    return out;
}

kube__json *kube__api_partial(kube_ctx *ctx, const kube__json *object)
{
    kube__json *out = start(ctx, "PartialObjectMetadata");
    kube__json_set(ctx, out, "metadata", ordered_metadata(ctx, object));
    return out;
}

kube__json *kube__api_partial_list(kube_ctx *ctx, kube__json *const *objects, size_t count,
                                   const kube__json *list_metadata)
{
    kube__json *out = start(ctx, "PartialObjectMetadataList");
    kube__json_set(ctx, out, "metadata",
                   list_metadata ? kube__json_copy(ctx, list_metadata) : kube__json_object(ctx));
    kube__json *items = kube__json_ensure_array(ctx, out, "items");
    for (size_t i = 0; i < count; i++)
        kube__json_append(items, kube__api_partial(ctx, objects[i]));
    return out;
}
