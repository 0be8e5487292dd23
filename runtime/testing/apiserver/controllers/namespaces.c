/* SPDX-License-Identifier: Apache-2.0 */
/* Deleted namespaces are emptied and then go, as do the objects of a deleted CRD. */
#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "controllers_parts.h"

#include <stdio.h>
#include <string.h>

static bool is_collection(const kube__api_collection *collection, const char *group,
                          const char *plural)
{
    return strcmp(kube__api_collection_group(collection), group) == 0 &&
           strcmp(kube__api_collection_plural(collection), plural) == 0;
}

/* The definition that a collection's objects are of, named PLURAL.GROUP; NULL for built-ins. */
static const kube__api_object *definition_of(const kube__api_controllers *controllers,
                                             const kube__api_collection *collection)
{
    char name[512];
    const char *group = kube__api_collection_group(collection);
    const char *plural = kube__api_collection_plural(collection);
    if (!kube__api_collection_is_custom(collection) ||
        (size_t)snprintf(name, sizeof name, "%s.%s", plural, group) >= sizeof name)
        return NULL;
    const kube__api_resource *definitions = kube__api_registry_find(
        controllers->server->registry, "apiextensions.k8s.io", "v1", "customresourcedefinitions");
    return definitions ? kube__api_store_get(definitions->collection, "", name) : NULL;
}

static const kube__api_object *namespace_of(const kube__api_controllers *controllers,
                                            const char *name)
{
    const kube__api_resource *namespaces =
        kube__api_registry_find(controllers->server->registry, "", "v1", "namespaces");
    return *name && namespaces ? kube__api_store_get(namespaces->collection, "", name) : NULL;
}

/* A change of a container that is being deleted, or of what it holds, is a reason to look at it. */
void kube__namespaces_notice(kube__api_controllers *controllers, const kube__api_change *change)
{
    const kube__api_object *object = change->object;
    if (is_collection(object->collection, "", "namespaces") ||
        is_collection(object->collection, "apiextensions.k8s.io", "customresourcedefinitions")) {
        bool is_namespace = is_collection(object->collection, "", "namespaces");
        if (object->deleting && change->type != KUBE__API_DELETED)
            kube__controllers_add(controllers,
                                  is_namespace ? KUBE__JOB_NAMESPACE : KUBE__JOB_DEFINITION,
                                  object->collection, "", object->name);
        return;
    }
    const kube__api_object *holder = namespace_of(controllers, object->namespace_);
    if (holder && holder->deleting)
        kube__controllers_add(controllers, KUBE__JOB_NAMESPACE, holder->collection, "",
                              holder->name);
    holder = definition_of(controllers, object->collection);
    if (holder && holder->deleting)
        kube__controllers_add(controllers, KUBE__JOB_DEFINITION, holder->collection, "",
                              holder->name);
}

/* ---- contents ------------------------------------------------------------------------------- */

/* Deletes what a namespace ("" = all) has of a kind and is not being deleted yet. How many are
 * left; their finalizers are added to @finalizers, with how many have each. */
static size_t delete_all(const kube__turn *turn, kube__api_collection *collection,
                         const char *namespace_, kube__json *finalizers)
{
    const kube__api_range range = {.namespace_ = namespace_};
    kube__api_object **objects;
    size_t count;
    size_t left = 0;
    if (!kube__api_store_list(turn->server->store, turn->ctx, collection, &range, 0, &objects,
                              &count))
        return 1;
    for (size_t i = 0; i < count; i++)
        kube__api_object_ref(objects[i]);
    for (size_t i = 0; i < count; i++) {
        if (!objects[i]->deleting)
            kube__turn_delete(turn, objects[i], "Background");
        const kube__api_object *now =
            kube__api_store_get(collection, objects[i]->namespace_, objects[i]->name);
        kube__json *tree = now ? kube__turn_tree(turn, now) : NULL;
        left += now != NULL;
        KUBE__JSON_EACH (finalizer, kube__json_at(tree, "metadata.finalizers")) {
            const char *name = kube__json_string_or(finalizer, "");
            int64_t times = 0;
            kube__json_to_int(kube__json_get(finalizers, name), &times);
            kube__json_set_int(turn->ctx, finalizers, name, times + 1);
        }
    }
    for (size_t i = 0; i < count; i++)
        kube__api_object_unref(objects[i]);
    return left;
}

/* ---- namespaces ----------------------------------------------------------------------------- */

typedef struct contents {
    kube__json *kinds; /* "configmaps." and how many are left */
    kube__json *finalizers;
} contents;

static bool is_first_version(const kube__turn *turn, const kube__api_resource *resource)
{
    return kube__turn_resource(turn, resource->collection) == resource;
}

static contents empty_namespace(const kube__turn *turn)
{
    contents left = {kube__json_object(turn->ctx), kube__json_object(turn->ctx)};
    kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(turn->server->registry, i)); i++) {
        if (!resource->namespaced || !resource->collection || !is_first_version(turn, resource))
            continue;
        kube__api_resource_ref(resource);
        size_t count = delete_all(turn, resource->collection, turn->job->name, left.finalizers);
        const char *name = kube__api_text(turn->ctx, "%s.%s", resource->plural, resource->group);
        if (count)
            kube__json_set_int(turn->ctx, left.kinds, name, (int64_t)count);
        kube__api_resource_unref(resource);
    }
    return left;
}

/* "a. has 1 resource instances, b. has 2 …", sorted. */
static const char *list_counts(kube_ctx *ctx, kube__json *counts, const char *between)
{
    const char *text = "";
    kube__json_sort(counts);
    KUBE__JSON_EACH (count, counts)
        text = kube__api_text(ctx, "%s%s%s %s %s resource instances", text, *text ? ", " : "",
                              count->key, between, count->text);
    return text;
}

static void add_condition(const kube__turn *turn, kube__json *conditions, const kube__json *old,
                          const char *type, bool status, const char *reason, const char *message)
{
    kube_ctx *ctx = turn->ctx;
    const char *value = status ? "True" : "False";
    const char *since = kube__api_now(turn->server, ctx);
    KUBE__JSON_EACH (condition, old) {
        if (strcmp(kube__json_string_at(condition, "type"), type) == 0 &&
            strcmp(kube__json_string_at(condition, "status"), value) == 0)
            since = kube__json_string_at(condition, "lastTransitionTime");
    }
    kube__json *condition = kube__json_object(ctx);
    kube__json_set_string(ctx, condition, "type", type);
    kube__json_set_string(ctx, condition, "status", value);
    kube__json_set_string(ctx, condition, "lastTransitionTime", since);
    kube__json_set_string(ctx, condition, "reason", reason);
    kube__json_set_string(ctx, condition, "message", message);
    kube__json_append(conditions, condition);
}

static kube__json *namespace_conditions(const kube__turn *turn, const contents *left,
                                        const kube__json *old)
{
    kube_ctx *ctx = turn->ctx;
    kube__json *out = kube__json_array(ctx);
    bool any = left->kinds && left->kinds->len;
    bool held = left->finalizers && left->finalizers->len;
    const char *kinds = any ? kube__api_text(ctx, "Some resources are remaining: %s",
                                             list_counts(ctx, left->kinds, "has"))
                            : "All content successfully removed";
    const char *finalizers =
        held ? kube__api_text(ctx, "Some content in the namespace has finalizers remaining: %s",
                              list_counts(ctx, left->finalizers, "in"))
             : "All content-preserving finalizers finished";
    add_condition(turn, out, old, "NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
                  "All resources successfully discovered");
    add_condition(turn, out, old, "NamespaceDeletionGroupVersionParsingFailure", false,
                  "ParsedGroupVersions", "All legacy kube types successfully parsed");
    add_condition(turn, out, old, "NamespaceDeletionContentFailure", false, "ContentDeleted",
                  "All content successfully deleted, may be waiting on finalization");
    add_condition(turn, out, old, "NamespaceContentRemaining", any,
                  any ? "SomeResourcesRemain" : "ContentRemoved", kinds);
    add_condition(turn, out, old, "NamespaceFinalizersRemaining", held,
                  held ? "SomeFinalizersRemain" : "ContentHasNoFinalizers", finalizers);
    return out;
}

static void finalize(const kube__turn *turn, const kube__api_object *object)
{
    kube__json *tree = kube__turn_tree(turn, object);
    kube__json_drop_text(kube__json_at(tree, "spec.finalizers"), "kubernetes");
    if (tree)
        kube__turn_update(turn, object, "finalize", tree);
}

void kube__run_namespace(const kube__turn *turn)
{
    kube__api_object *object = kube__turn_object(turn);
    if (!object || !object->deleting)
        return;
    contents left = empty_namespace(turn);
    object = kube__turn_object(turn);
    kube__json *tree = object ? kube__turn_tree(turn, object) : NULL;
    if (!tree || kube_ctx_failed(turn->ctx))
        return;
    const kube__json *old = kube__json_at(tree, "status.conditions");
    kube__json *conditions = namespace_conditions(turn, &left, old);
    bool empty = left.kinds && !left.kinds->len;
    if (!kube__json_equal(conditions, old)) {
        kube__json *patch = kube__json_object(turn->ctx);
        kube__json_set(turn->ctx, kube__json_ensure_object(turn->ctx, patch, "status"),
                       "conditions", conditions);
        kube__turn_patch(turn, object, "status", patch);
    }
    object = kube__turn_object(turn);
    if (empty && object && !kube_ctx_failed(turn->ctx))
        finalize(turn, object);
}

/* ---- definitions ---------------------------------------------------------------------------- */

void kube__run_definition(const kube__turn *turn)
{
    static const char finalizer[] = "customresourcecleanup.apiextensions.k8s.io";
    kube__api_object *object = kube__turn_object(turn);
    kube__json *tree = object && object->deleting ? kube__turn_tree(turn, object) : NULL;
    kube__json *finalizers = kube__json_at(tree, "metadata.finalizers");
    if (!tree || !kube__json_has_text(finalizers, finalizer))
        return;
    kube__api_collection *collection =
        kube__turn_collection(turn, kube__json_string_at(tree, "spec.group"),
                              kube__json_string_at(tree, "spec.names.plural"));
    if (collection && delete_all(turn, collection, "", kube__json_object(turn->ctx)) != 0)
        return;
    kube__json *patch = kube__json_object(turn->ctx);
    kube__json *kept = kube__json_ensure_array(
        turn->ctx, kube__json_ensure_object(turn->ctx, patch, "metadata"), "finalizers");
    KUBE__JSON_EACH (item, finalizers)
        if (strcmp(kube__json_string_or(item, ""), finalizer) != 0)
            kube__json_append(kept, kube__json_copy(turn->ctx, item));
    object = kube__turn_object(turn);
    if (object)
        kube__turn_patch(turn, object, "", patch);
}
