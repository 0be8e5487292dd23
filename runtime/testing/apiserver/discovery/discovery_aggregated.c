/* SPDX-License-Identifier: Apache-2.0 */
/* All groups with their resources at once: what clients of these days ask for. */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/registry/registry.h"
#include "apiserver/value/sha256.h"
#include "discovery.h"

#include <string.h>

#define MEDIA_TYPE "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

static kube__json *response_kind(kube_ctx *ctx, const char *group, const char *version,
                                 const char *kind)
{
    kube__json *out = kube__json_object(ctx);
    kube__json_set_string(ctx, out, "group", group);
    kube__json_set_string(ctx, out, "version", version);
    kube__json_set_string(ctx, out, "kind", kind);
    return out;
}

/* Built-ins leave group and version to be those around them. */
static kube__json *own_kind(kube_ctx *ctx, const kube__api_resource *resource, const char *kind)
{
    return response_kind(ctx, resource->custom ? resource->group : "",
                         resource->custom ? resource->version : "", kind);
}

static void add_subresources(kube_ctx *ctx, kube__json *out, const kube__api_resource *resource)
{
    kube__api_subresource list[KUBE__API_SUBRESOURCES];
    size_t count = kube__api_subresources(resource, list);
    for (size_t i = 0; i < count; i++) {
        kube__json *array = kube__json_ensure_array(ctx, out, "subresources");
        kube__json *entry = kube__json_append(array, kube__json_object(ctx));
        kube__json_set_string(ctx, entry, "subresource", list[i].name);
        kube__json_set(ctx, entry, "responseKind",
                       *list[i].version
                           ? response_kind(ctx, list[i].group, list[i].version, list[i].kind)
                           : own_kind(ctx, resource, list[i].kind));
        kube__json_set(ctx, entry, "verbs", kube__api_text_array(ctx, list[i].verbs));
    }
}

static kube__json *resource_entry(kube_ctx *ctx, const kube__api_resource *resource)
{
    kube__json *out = kube__json_object(ctx);
    kube__json_set_string(ctx, out, "resource", resource->plural);
    kube__json_set(ctx, out, "responseKind", own_kind(ctx, resource, resource->kind));
    kube__json_set_string(ctx, out, "scope", resource->namespaced ? "Namespaced" : "Cluster");
    kube__json_set_string(ctx, out, "singularResource", resource->singular);
    kube__json_set(ctx, out, "verbs", kube__api_text_array(ctx, kube__api_verbs(resource)));
    if (resource->short_names && resource->short_names[0])
        kube__json_set(ctx, out, "shortNames", kube__api_text_array(ctx, resource->short_names));
    if (resource->categories && resource->categories[0])
        kube__json_set(ctx, out, "categories", kube__api_text_array(ctx, resource->categories));
    add_subresources(ctx, out, resource);
    return out;
}

/* The item of a group or version, which is the last one or a new one. */
static kube__json *last_or_new(kube_ctx *ctx, kube__json *array, const char *path, const char *name,
                               bool *is_new)
{
    *is_new = !array || !array->last || strcmp(kube__json_string_at(array->last, path), name) != 0;
    return *is_new ? kube__json_append(array, kube__json_object(ctx)) : array->last;
}

static void add_resource(kube_ctx *ctx, kube__json *items, const kube__api_resource *resource)
{
    bool is_new = false;
    kube__json *group = last_or_new(ctx, items, "metadata.name", resource->group, &is_new);
    if (is_new) {
        kube__json *metadata = kube__json_ensure_object(ctx, group, "metadata");
        if (*resource->group)
            kube__json_set_string(ctx, metadata, "name", resource->group);
    }
    kube__json *versions = kube__json_ensure_array(ctx, group, "versions");
    kube__json *version = last_or_new(ctx, versions, "version", resource->version, &is_new);
    if (is_new) {
        kube__json_set_string(ctx, version, "version", resource->version);
        kube__json_ensure_array(ctx, version, "resources");
        kube__json_set_string(ctx, version, "freshness", "Current");
    }
    kube__json_append(kube__json_get(version, "resources"), resource_entry(ctx, resource));
}

static const char *hash_of(kube_ctx *ctx, const kube__json *document)
{
    char text[KUBE__SHA256_TEXT];
    size_t len = 0;
    const char *json = kube__json_text(ctx, document, &len);
    kube__sha256_text(json, len, true, text);
    return kube__api_text(ctx, "\"%s\"", text);
}

void kube__api_discover_aggregated(kube_apiserver *server, const kube__api_request *request,
                                   kube__api_response *response)
{
    kube_ctx *ctx = request->ctx;
    bool core = strncmp(request->path, "/apis", 5) != 0;
    kube__json *out = kube__json_typed(ctx, "APIGroupDiscoveryList", "apidiscovery.k8s.io/v2");
    kube__json_ensure_object(ctx, out, "metadata");
    kube__json *items = kube__json_ensure_array(ctx, out, "items");
    const kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)) != NULL; i++) {
        if (!*resource->group == core)
            add_resource(ctx, items, resource);
    }
    const char *hash = hash_of(ctx, out);
    kube__api_add_header(response, "Cache-Control", "public");
    kube__api_add_header(response, "Etag", hash);
    kube__api_add_header(response, "Vary", "Accept");
    /* A cache takes what a 304 says of the type for that of the document. */
    if (strcmp(kube__api_header(request, "if-none-match"), hash) == 0)
        response->http_status = 304;
    else
        kube__api_respond_json(response, 200, out);
    response->content_type = MEDIA_TYPE;
}
