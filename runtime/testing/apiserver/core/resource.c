/* SPDX-License-Identifier: Apache-2.0 */
#include "resource.h"

kube__api_resource *kube__api_resource_ref(kube__api_resource *resource)
{
    resource->refs++;
    return resource;
}

void kube__api_resource_unref(kube__api_resource *resource)
{
    /* The resource itself lies in its memory. */
    if (resource && --resource->refs == 0)
        kube_ctx_free(resource->memory);
}

const char *kube__api_resource_qualified(kube_ctx *ctx, const kube__api_resource *resource)
{
    return *resource->group ? kube__api_text(ctx, "%s.%s", resource->plural, resource->group)
                            : resource->plural;
}

const char *kube__api_resource_api_version(kube_ctx *ctx, const kube__api_resource *resource)
{
    return *resource->group ? kube__api_text(ctx, "%s/%s", resource->group, resource->version)
                            : resource->version;
}
