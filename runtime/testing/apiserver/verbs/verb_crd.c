/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the real server's own controllers do with a CustomResourceDefinition, done at once: its
 * conditions when it was stored, and the removal of its objects when it was deleted.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/crd/crd.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "base/ctx.h"
#include "loopback.h"
#include "verb.h"

#include <string.h>

static kube__api_resource *crd_resource(kube__api_work *work)
{
    return kube__api_registry_find(work->server->registry, "apiextensions.k8s.io", "v1",
                                   "customresourcedefinitions");
}

static const char *storage_version(const kube__json *crd)
{
    KUBE__JSON_EACH (version, kube__json_at(crd, "spec.versions")) {
        if (kube__json_is_true(kube__json_get(version, "storage")))
            return kube__json_string_at(version, "name");
    }
    return "";
}

void kube__api_crd_store_version(kube_ctx *ctx, kube__json *crd)
{
    kube__json *versions = kube__json_array(ctx);
    kube__json_append(versions, kube__json_string(ctx, storage_version(crd)));
    kube__json_set(ctx, kube__json_ensure_object(ctx, crd, "status"), "storedVersions", versions);
}

void kube__api_crd_keep_versions(kube_ctx *ctx, const kube__json *live, kube__json *crd)
{
    const char *storage = storage_version(crd);
    kube__json *status = kube__json_ensure_object(ctx, crd, "status");
    kube__json *versions = kube__json_copy(ctx, kube__json_at(live, "status.storedVersions"));
    if (!versions || kube__json_has_text(versions, storage))
        return;
    kube__json_append(versions, kube__json_string(ctx, storage));
    kube__json_set(ctx, status, "storedVersions", versions);
}

kube__api_failure *kube__api_crd_settle(kube__api_work *work, const kube__json *crd,
                                        const kube__json *old)
{
    kube_ctx *ctx = work->ctx;
    kube_apiserver *server = work->server;
    const kube__api_resource *resource = crd_resource(work);
    kube__json *next = kube__json_copy(ctx, crd);
    if (kube__api_crd_conditions(server, ctx, next)) {
        kube__api_manager manager = {.name = "kube-apiserver",
                                     .api_version = "apiextensions.k8s.io/v1",
                                     .subresource = "status",
                                     .time = kube__api_now(server, ctx)};
        kube__api_failure *failure = kube__api_track(ctx, resource->schema, crd, next, &manager);
        if (failure)
            return failure;
        if (!kube__api_store_put(server->store, ctx, resource->collection, next,
                                 resource->selectable_fields))
            return kube__api_fail_no_memory();
    }
    if (!kube__api_crd_serve(server, ctx, next, old))
        kube__ctx_fail(ctx, 0);
    return kube__api_check_memory(ctx);
}

/* The stored definition of the work's resource; NULL when it is not being deleted. */
static kube__api_object *find_dying(kube__api_work *work)
{
    const kube__api_resource *resource = crd_resource(work);
    const char *name = kube__api_resource_qualified(work->ctx, work->resource);
    kube__api_object *crd = name ? kube__api_store_get(resource->collection, "", name) : NULL;
    return crd && crd->deleting ? crd : NULL;
}

kube__api_failure *kube__api_crd_admit(kube__api_work *work, const char *name)
{
    if (!find_dying(work))
        return NULL;
    kube__api_failure *failure = kube__api_fail(
        work->ctx, 403, "Forbidden",
        "%s %s is forbidden: create not allowed while custom resource definition is terminating",
        kube__api_resource_qualified(work->ctx, work->resource), kube__api_quote(work->ctx, name));
    failure->has_details = true;
    failure->name = *name ? name : NULL;
    failure->group = work->resource->group;
    failure->kind = work->resource->plural;
    return failure;
}

void kube__api_crd_mark_terminating(kube_ctx *ctx, kube__json *crd, const char *reason,
                                    const char *message, const char *now)
{
    kube__json *status = kube__json_ensure_object(ctx, crd, "status");
    kube__json *conditions = kube__json_ensure_array(ctx, status, "conditions");
    kube__json *condition = NULL;
    KUBE__JSON_EACH (one, conditions) {
        if (strcmp(kube__json_string_at(one, "type"), "Terminating") == 0)
            condition = one;
    }
    if (!condition) {
        condition = kube__json_append(conditions, kube__json_object(ctx));
        kube__json_set_string(ctx, condition, "type", "Terminating");
        kube__json_set_string(ctx, condition, "status", "True");
        kube__json_set_string(ctx, condition, "lastTransitionTime", now);
    }
    kube__json_set_string(ctx, condition, "reason", reason);
    kube__json_set_string(ctx, condition, "message", message);
}

/* ---- the end of one ------------------------------------------------------------------------- */

static void drop_cleanup(kube__json *crd)
{
    kube__json *metadata = kube__json_get(crd, "metadata");
    kube__json *finalizers = kube__json_get(metadata, "finalizers");
    kube__json_drop_text(finalizers, KUBE__API_CRD_CLEANUP);
    if (finalizers && finalizers->len == 0)
        kube__json_remove(metadata, "finalizers");
}

/* Takes the finalizer off; without others that is the end. */
static kube__api_failure *finish(kube__api_work *work, kube__api_object *crd)
{
    kube_ctx *ctx = work->ctx;
    kube_apiserver *server = work->server;
    kube__api_resource *resource = crd_resource(work);
    kube__json *old = kube__api_object_json(ctx, crd, resource);
    kube__json *next = kube__json_copy(ctx, old);
    drop_cleanup(next);
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    if (kube__json_equal(old, next))
        return NULL;
    if (kube__json_at(next, "metadata.finalizers"))
        return kube__api_store_put(server->store, ctx, resource->collection, next,
                                   resource->selectable_fields)
                   ? NULL
                   : kube__api_fail_no_memory();
    if (!kube__api_store_delete(server->store, ctx, crd, old) ||
        !kube__api_crd_serve(server, ctx, NULL, old))
        kube__ctx_fail(ctx, 0);
    return kube__api_check_memory(ctx);
}

kube__api_failure *kube__api_crd_release(kube__api_work *work)
{
    if (kube__api_store_count(work->resource->collection) > 0)
        return NULL;
    kube__api_object *crd = find_dying(work);
    return crd ? finish(work, crd) : NULL;
}

static kube__api_failure *delete_object(kube__api_work *work, const kube__api_resource *resource,
                                        const kube__api_object *object)
{
    kube__api_failure *failure = NULL;
    const char *place =
        *object->namespace_ ? kube__api_text(work->ctx, "namespaces/%s/", object->namespace_) : "";
    const char *path = kube__api_text(work->ctx, "/apis/%s/%s/%s%s/%s", resource->group,
                                      resource->version, place, resource->plural, object->name);
    kube__api_loopback(work->server, work->ctx, "DELETE", path, NULL, NULL, &failure);
    return failure && failure->http_status != 404 ? failure : NULL;
}

/* Any served version will do to delete objects by. */
static kube__api_resource *served_version(kube__api_work *work, const kube__json *crd)
{
    const char *group = kube__json_string_at(crd, "spec.group");
    const char *plural = kube__json_string_at(crd, "spec.names.plural");
    KUBE__JSON_EACH (version, kube__json_at(crd, "spec.versions")) {
        kube__api_resource *resource = kube__api_registry_find(
            work->server->registry, group, kube__json_string_at(version, "name"), plural);
        if (resource)
            return resource;
    }
    return NULL;
}

static kube__api_failure *delete_objects(kube__api_work *work, kube__api_resource *resource)
{
    kube__api_range everywhere = {.namespace_ = ""};
    kube__api_object **objects;
    size_t count;
    kube__api_failure *failure = NULL;
    if (!kube__api_store_list(work->server->store, work->ctx, resource->collection, &everywhere, 0,
                              &objects, &count))
        return kube__api_fail_no_memory();
    for (size_t i = 0; i < count; i++)
        kube__api_object_ref(objects[i]);
    for (size_t i = 0; i < count && !failure; i++)
        failure = delete_object(work, resource, objects[i]);
    for (size_t i = 0; i < count; i++)
        kube__api_object_unref(objects[i]);
    return failure;
}

/* Some of its objects are held: it waits for them. */
static kube__api_failure *wait_for_objects(kube__api_work *work, kube__json *old)
{
    kube_ctx *ctx = work->ctx;
    kube_apiserver *server = work->server;
    const kube__api_resource *resource = crd_resource(work);
    kube__json *next = kube__json_copy(ctx, old);
    kube__api_manager manager = {.name = "kube-apiserver",
                                 .api_version = "apiextensions.k8s.io/v1",
                                 .subresource = "status",
                                 .time = kube__api_now(server, ctx)};
    kube__api_crd_mark_terminating(ctx, next, "InstanceDeletionInProgress",
                                   "CustomResource deletion is in progress", manager.time);
    if (kube_ctx_failed(ctx) || kube__json_equal(old, next))
        return kube__api_check_memory(ctx);
    kube__api_failure *failure = kube__api_track(ctx, resource->schema, old, next, &manager);
    if (!failure && !kube__api_store_put(server->store, ctx, resource->collection, next,
                                         resource->selectable_fields))
        failure = kube__api_fail_no_memory();
    return failure;
}

kube__api_failure *kube__api_crd_clean_up(kube__api_work *work, const char *name)
{
    const kube__api_resource *crds = crd_resource(work);
    kube__api_object *crd = kube__api_store_get(crds->collection, "", name);
    kube__api_failure *failure = NULL;
    if (!crd)
        return NULL;
    kube__json *document = kube__api_object_json(work->ctx, crd, crds);
    kube__api_resource *resource = served_version(work, document);
    if (resource) {
        kube__api_resource_ref(resource);
        failure = delete_objects(work, resource);
        bool empty = kube__api_store_count(resource->collection) == 0;
        kube__api_resource_unref(resource);
        if (failure || !empty)
            return failure ? failure : wait_for_objects(work, document);
    }
    crd = kube__api_store_get(crds->collection, "", name); /* the last object may have taken it */
    return crd ? finish(work, crd) : NULL;
}
