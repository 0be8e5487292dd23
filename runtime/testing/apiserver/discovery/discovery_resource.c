/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/value/quote.h"
#include "apiserver/value/sha256.h"
#include "discovery.h"

#include <string.h>

static const char *const create_only[] = {"create", NULL};
static const char *const update_only[] = {"update", NULL};
static const char *const of_status[] = {"get", "patch", "update", NULL};
static const char *const of_builtin[] = {
    "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch", NULL};
static const char *const of_namespace[] = {"create", "delete", "get",   "list",
                                           "patch",  "update", "watch", NULL};
static const char *const of_custom[] = {"delete", "deletecollection", "get",   "list", "patch",
                                        "create", "update",           "watch", NULL};

static bool is_core(const kube__api_resource *resource, const char *plural)
{
    return !resource->custom && !*resource->group && strcmp(resource->plural, plural) == 0;
}

const char *const *kube__api_verbs(const kube__api_resource *resource)
{
    if (resource->review)
        return create_only;
    if (resource->custom)
        return of_custom;
    return is_core(resource, "namespaces") ? of_namespace : of_builtin;
}

size_t kube__api_subresources(const kube__api_resource *resource,
                              kube__api_subresource out[KUBE__API_SUBRESOURCES])
{
    const kube__api_subresource status = {"status", "", "", resource->kind, of_status};
    const kube__api_subresource scale = {"scale", "autoscaling", "v1", "Scale", of_status};
    size_t count = 0;
    if (is_core(resource, "pods")) {
        out[count++] = (kube__api_subresource){"binding", "", "", "Binding", create_only};
        out[count++] = (kube__api_subresource){"eviction", "policy", "v1", "Eviction", create_only};
    }
    if (is_core(resource, "namespaces"))
        out[count++] = (kube__api_subresource){"finalize", "", "", "Namespace", update_only};
    if (is_core(resource, "serviceaccounts"))
        out[count++] = (kube__api_subresource){"token", "authentication.k8s.io", "v1",
                                               "TokenRequest", create_only};
    /* Sorted for built-ins; a custom resource has them in this order. */
    if (resource->custom && resource->has_status)
        out[count++] = status;
    if (resource->scale.spec_replicas)
        out[count++] = scale;
    if (!resource->custom && resource->has_status)
        out[count++] = status;
    return count;
}

static const char *storage_version(const kube__api_resource *resource)
{
    KUBE__JSON_EACH (version, kube__json_at(resource->crd, "spec.versions")) {
        if (kube__json_is_true(kube__json_get(version, "storage")))
            return kube__json_string_at(version, "name");
    }
    return resource->version;
}

const char *kube__api_storage_hash(kube_ctx *ctx, const kube__api_resource *resource)
{
    /* Both groups of events share the objects, which are stored as the core's. */
    const char *group = strcmp(resource->group, "events.k8s.io") == 0 ? "" : resource->group;
    unsigned char sum[32];
    if (resource->review)
        return "";
    const char *text =
        kube__api_text(ctx, "%s/%s/%s", group, storage_version(resource), resource->kind);
    if (!text)
        return "";
    kube__sha256(text, strlen(text), sum);
    return kube__api_base64(ctx, sum, 8, false);
}

kube__json *kube__api_text_array(kube_ctx *ctx, const char *const *texts)
{
    kube__json *array = kube__json_array(ctx);
    for (size_t i = 0; texts && texts[i]; i++)
        kube__json_append(array, kube__json_string(ctx, texts[i]));
    return array;
}
