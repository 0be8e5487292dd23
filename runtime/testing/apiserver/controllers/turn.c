/* SPDX-License-Identifier: Apache-2.0 */
/* A controller's requests to the server it is a part of. */
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/verbs/loopback.h"
#include "controllers_parts.h"

#include <string.h>

kube__api_object *kube__turn_object(const kube__turn *turn)
{
    return kube__api_store_get(turn->job->collection, turn->job->namespace_, turn->job->name);
}

kube__api_resource *kube__turn_resource(const kube__turn *turn,
                                        const kube__api_collection *collection)
{
    kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(turn->server->registry, i)); i++)
        if (resource->collection == collection)
            return resource;
    return NULL;
}

kube__json *kube__turn_tree(const kube__turn *turn, const kube__api_object *object)
{
    kube__api_resource *resource = kube__turn_resource(turn, object->collection);
    return resource ? kube__api_object_json(turn->ctx, object, resource) : NULL;
}

kube__api_collection *kube__turn_collection(const kube__turn *turn, const char *group,
                                            const char *plural)
{
    kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(turn->server->registry, i)); i++)
        if (strcmp(resource->group, group) == 0 && strcmp(resource->plural, plural) == 0)
            return resource->collection;
    return NULL;
}

/* "/apis/apps/v1/namespaces/default/deployments/web/status" without what is "". */
static const char *path_of(const kube__turn *turn, const kube__api_collection *collection,
                           const char *namespace_, const char *name, const char *subresource)
{
    const kube__api_resource *resource = kube__turn_resource(turn, collection);
    if (!resource)
        return NULL;
    return kube__api_text(turn->ctx, "%s%s/%s%s%s/%s%s%s%s%s", *resource->group ? "/apis/" : "/api",
                          resource->group, resource->version, *namespace_ ? "/namespaces/" : "",
                          namespace_, resource->plural, *name ? "/" : "", name,
                          *subresource ? "/" : "", subresource);
}

static kube__json *call(const kube__turn *turn, const char *method, const char *path,
                        const char *content_type, const kube__json *body)
{
    kube__api_failure *failure;
    if (!path)
        return NULL;
    return kube__api_loopback(turn->server, turn->ctx, method, path, content_type, body, &failure);
}

kube__json *kube__turn_create(const kube__turn *turn, kube__api_collection *collection,
                              const char *namespace_, const kube__json *object)
{
    return call(turn, "POST", path_of(turn, collection, namespace_, "", ""), NULL, object);
}

kube__json *kube__turn_patch(const kube__turn *turn, const kube__api_object *object,
                             const char *subresource, const kube__json *merge_patch)
{
    return call(turn, "PATCH",
                path_of(turn, object->collection, object->namespace_, object->name, subresource),
                "application/merge-patch+json", merge_patch);
}

kube__json *kube__turn_update(const kube__turn *turn, const kube__api_object *object,
                              const char *subresource, const kube__json *document)
{
    return call(turn, "PUT",
                path_of(turn, object->collection, object->namespace_, object->name, subresource),
                NULL, document);
}

void kube__turn_delete(const kube__turn *turn, const kube__api_object *object,
                       const char *propagation)
{
    kube__json *options = kube__json_typed(turn->ctx, "DeleteOptions", "v1");
    kube__json_set_string(turn->ctx, kube__json_ensure_object(turn->ctx, options, "preconditions"),
                          "uid", object->uid);
    if (*propagation)
        kube__json_set_string(turn->ctx, options, "propagationPolicy", propagation);
    call(turn, "DELETE", path_of(turn, object->collection, object->namespace_, object->name, ""),
         NULL, options);
}
