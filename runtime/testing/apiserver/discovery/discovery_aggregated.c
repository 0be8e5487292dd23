/* SPDX-License-Identifier: Apache-2.0 */
/* All groups with their resources at once: what clients of these days ask for. */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/registry/registry.h"
#include "apiserver/value/sha256.h"
#include "discovery.h"

#include <string.h>

#define MEDIA_TYPE "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

static kube__json *response_kind(kube__heap *heap, const char *group, const char *version,
                                 const char *kind)
{
    kube__json *out = kube__json_object(heap);
    kube__json_set_string(heap, out, "group", group);
    kube__json_set_string(heap, out, "version", version);
    kube__json_set_string(heap, out, "kind", kind);
    return out;
}

/* Built-ins leave group and version to be those around them. */
static kube__json *own_kind(kube__heap *heap, const kube__api_resource *resource, const char *kind)
{
    return response_kind(heap, resource->custom ? resource->group : "",
                         resource->custom ? resource->version : "", kind);
}

static void add_subresources(kube__heap *heap, kube__json *out, const kube__api_resource *resource)
{
    kube__api_subresource list[KUBE__API_SUBRESOURCES];
    size_t count = kube__api_subresources(resource, list);
    for (size_t i = 0; i < count; i++) {
        kube__json *array = kube__json_ensure_array(heap, out, "subresources");
        kube__json *entry = kube__json_append(array, kube__json_object(heap));
        kube__json_set_string(heap, entry, "subresource", list[i].name);
        kube__json_set(heap, entry, "responseKind",
                       *list[i].version
                           ? response_kind(heap, list[i].group, list[i].version, list[i].kind)
                           : own_kind(heap, resource, list[i].kind));
        kube__json_set(heap, entry, "verbs", kube__api_text_array(heap, list[i].verbs));
    }
}

static kube__json *resource_entry(kube__heap *heap, const kube__api_resource *resource)
{
    kube__json *out = kube__json_object(heap);
    kube__json_set_string(heap, out, "resource", resource->plural);
    kube__json_set(heap, out, "responseKind", own_kind(heap, resource, resource->kind));
    kube__json_set_string(heap, out, "scope", resource->namespaced ? "Namespaced" : "Cluster");
    kube__json_set_string(heap, out, "singularResource", resource->singular);
    kube__json_set(heap, out, "verbs", kube__api_text_array(heap, kube__api_verbs(resource)));
    if (resource->short_names && resource->short_names[0])
        kube__json_set(heap, out, "shortNames", kube__api_text_array(heap, resource->short_names));
    if (resource->categories && resource->categories[0])
        kube__json_set(heap, out, "categories", kube__api_text_array(heap, resource->categories));
    add_subresources(heap, out, resource);
    return out;
}

/* The item of a group or version, which is the last one or a new one. */
static kube__json *last_or_new(kube__heap *heap, kube__json *array, const char *path,
                               const char *name, bool *is_new)
{
    *is_new = !array || !array->last || strcmp(kube__json_string_at(array->last, path), name) != 0;
    return *is_new ? kube__json_append(array, kube__json_object(heap)) : array->last;
}

static void add_resource(kube__heap *heap, kube__json *items, const kube__api_resource *resource)
{
    bool is_new = false;
    kube__json *group = last_or_new(heap, items, "metadata.name", resource->group, &is_new);
    if (is_new) {
        kube__json *metadata = kube__json_ensure_object(heap, group, "metadata");
        if (*resource->group)
            kube__json_set_string(heap, metadata, "name", resource->group);
    }
    kube__json *versions = kube__json_ensure_array(heap, group, "versions");
    kube__json *version = last_or_new(heap, versions, "version", resource->version, &is_new);
    if (is_new) {
        kube__json_set_string(heap, version, "version", resource->version);
        kube__json_ensure_array(heap, version, "resources");
        kube__json_set_string(heap, version, "freshness", "Current");
    }
    kube__json_append(kube__json_get(version, "resources"), resource_entry(heap, resource));
}

static const char *hash_of(kube__heap *heap, const kube__json *document)
{
    char text[KUBE__SHA256_TEXT];
    size_t len = 0;
    const char *json = kube__json_text(heap, document, &len);
    if (!json)
        return "";
    kube__sha256_text(json, len, true, text);
    const char *quoted = kube__heap_printf(heap, "\"%s\"", text);
    return quoted ? quoted : "";
}

void kube__api_discover_aggregated(kube_apiserver *server, const kube__api_request *request,
                                   kube__api_response *response)
{
    kube__heap *heap = request->heap;
    bool core = strncmp(request->path, "/apis", 5) != 0;
    kube__json *out = kube__json_object(heap);
    kube__json_set_string(heap, out, "kind", "APIGroupDiscoveryList");
    kube__json_set_string(heap, out, "apiVersion", "apidiscovery.k8s.io/v2");
    kube__json_ensure_object(heap, out, "metadata");
    kube__json *items = kube__json_ensure_array(heap, out, "items");
    const kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)) != NULL; i++) {
        if (!*resource->group == core)
            add_resource(heap, items, resource);
    }
    const char *hash = hash_of(heap, out);
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
