/* SPDX-License-Identifier: Apache-2.0 */
/* What every create and update goes through between reading the object and storing it. */
#include "apiserver/auth/auth.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/crd/crd.h"
#include "apiserver/registry/registry.h"
#include "apiserver/schema/schema.h"
#include "apiserver/store/list_options.h"
#include "apiserver/store/store.h"
#include "apiserver/store/zero.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/steps.h"
#include "base/ctx.h"
#include "verb.h"

#include <stdio.h>
#include <string.h>

enum { NAME_TRIES = 8, SUFFIX = 5, MAX_GENERATED_BASE = 58 };

bool kube__api_is_kind(const kube__api_work *work, const char *group, const char *plural)
{
    return !work->resource->custom && strcmp(work->resource->group, group) == 0 &&
           strcmp(work->resource->plural, plural) == 0;
}

static bool is_crd(const kube__api_work *work)
{
    return kube__api_is_kind(work, "apiextensions.k8s.io", "customresourcedefinitions");
}

static kube__json *metadata_of(kube__json *object)
{
    return kube__json_get(object, "metadata");
}

/* ---- names ---------------------------------------------------------------------------------- */

kube__api_failure *kube__api_object_not_found(kube__api_work *work, const char *name)
{
    return kube__api_not_found(work->ctx, work->resource->group, work->resource->plural, name);
}

kube__api_failure *kube__api_find_object(kube__api_work *work, kube__api_object **out)
{
    const kube__api_request *request = work->request;
    *out = kube__api_store_get(work->resource->collection, request->namespace_, request->name);
    return *out ? NULL : kube__api_object_not_found(work, request->name);
}

kube__api_failure *kube__api_check_names(kube__api_work *work, kube__json *object)
{
    const kube__api_request *request = work->request;
    kube__json *metadata = kube__json_ensure_object(work->ctx, object, "metadata");
    const char *name = kube__json_string_at(metadata, "name");
    const char *namespace_ = kube__json_string_at(metadata, "namespace");
    bool is_update = strcmp(request->method, "POST") != 0;
    if (is_update && !*name)
        return kube__api_bad_request(
            work->ctx,
            "the name of the object (%s based on URL) was undeterminable: name must be provided",
            request->name);
    if (is_update && strcmp(name, request->name) != 0)
        return kube__api_bad_request(
            work->ctx, "the name of the object (%s) does not match the name on the URL (%s)", name,
            request->name);
    if (!work->resource->namespaced) {
        if (*namespace_)
            kube__json_remove(metadata, "namespace");
        return NULL;
    }
    if (*namespace_ && strcmp(namespace_, request->namespace_) != 0)
        return kube__api_bad_request(work->ctx,
                                     "the namespace of the provided object does not match the "
                                     "namespace sent on the request");
    kube__json_set_string(work->ctx, metadata, "namespace", request->namespace_);
    return NULL;
}

static kube__api_object *find_namespace(kube__api_work *work, const char *name)
{
    kube__api_resource *namespaces =
        kube__api_registry_find(work->server->registry, "", "v1", "namespaces");
    return namespaces ? kube__api_store_get(namespaces->collection, "", name) : NULL;
}

/* 404 or 403 when the namespace is not there, or on its way out. @name: of the object. */
static kube__api_failure *check_namespace(kube__api_work *work, const char *name)
{
    const char *namespace_ = work->request->namespace_;
    if (!work->resource->namespaced)
        return NULL;
    const kube__api_object *found = find_namespace(work, namespace_);
    if (!found)
        return kube__api_not_found(work->ctx, "", "namespaces", namespace_);
    if (!found->deleting)
        return NULL;
    kube__api_failure *failure = kube__api_fail(
        work->ctx, 403, "Forbidden",
        "%s %s is forbidden: unable to create new content in namespace %s because it is being "
        "terminated",
        kube__api_resource_qualified(work->ctx, work->resource), kube__api_quote(work->ctx, name),
        namespace_);
    failure->has_details = true;
    failure->name = *name ? name : NULL;
    failure->group = *work->resource->group ? work->resource->group : NULL;
    failure->kind = work->resource->plural;
    kube__api_add_cause(&failure->causes, "NamespaceTerminating", "metadata.namespace",
                        "namespace %s is being terminated", namespace_);
    return failure;
}

kube__api_manager kube__api_manager_of(kube__api_work *work, const kube__json *object)
{
    const char *agent = kube__api_header(work->request, "user-agent");
    return (kube__api_manager){
        .name = *work->field_manager ? work->field_manager
                                     : kube__api_default_manager(work->ctx, agent),
        .api_version = kube__json_string_at(object, "apiVersion"),
        .subresource = work->request->subresource,
        /* The real server's way with scale leaves the time out. */
        .time = strcmp(work->request->subresource, "scale") == 0
                    ? NULL
                    : kube__api_now(work->server, work->ctx),
        .force = work->force,
        .resource = work->resource,
    };
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Both groups' events are of the core group within; a custom resource's group is what it says. */
static const char *told_group(kube__api_work *work, const kube__json *object)
{
    const char *version = kube__json_string_at(object, "apiVersion");
    size_t len = strcspn(version, "/");
    if (work->resource->custom)
        return version[len] ? kube__api_text_copy(work->ctx, version, len) : "";
    return strcmp(work->resource->group, "events.k8s.io") == 0 ? "" : work->resource->group;
}

static void check_api_version(kube__api_work *work, const kube__json *object,
                              kube__api_causes *causes)
{
    const char *version = kube__json_string_at(object, "apiVersion");
    const char *expected = kube__api_resource_api_version(work->ctx, work->resource);
    if (strcmp(version, expected) != 0)
        kube__api_add_cause(causes, "FieldValueInvalid", "apiVersion",
                            "Invalid value: %s: must be %s", kube__api_quote(work->ctx, version),
                            expected);
}

/* What the schema and the strategy say; the warnings that they have. */
static kube__api_failure *validate(kube__api_work *work, const kube__json *object,
                                   const kube__json *old)
{
    kube_ctx *ctx = work->ctx;
    const kube__api_resource *resource = work->resource;
    const char *subresource = work->request->subresource;
    const char *kind = kube__json_string_at(object, "kind");
    kube__api_causes causes = {.ctx = ctx};
    bool has_rules = false;
    if (resource->custom && strcmp(kind, resource->kind) != 0)
        kube__api_add_cause(&causes, "FieldValueInvalid", "kind", "Invalid value: %s: must be %s",
                            kube__api_quote(ctx, kind), resource->kind);
    if (resource->custom)
        check_api_version(work, object, &causes);
    kube__api_metadata_validate(ctx, resource, object, old, &causes);
    if (resource->custom && strcmp(subresource, "status") == 0)
        kube__api_schema_validate_status(ctx, resource->schema, object, old, &causes, &has_rules);
    else if (resource->custom)
        kube__api_schema_validate(ctx, resource->schema, object, old, &causes, &has_rules);
    if (resource->custom)
        kube__api_scale_validate(work, object, &causes);
    if (!resource->custom)
        kube__api_strategy_validate(ctx, resource, subresource, object, old, &causes);
    if (is_crd(work))
        kube__api_crd_validate(object, old, &causes);
    if (causes.count)
        return kube__api_invalid(ctx, told_group(work, object), kind,
                                 kube__json_string_at(object, "metadata.name"), &causes);
    if (resource->custom)
        kube__api_warn_of_finalizers(ctx, object, work->response);
    if (has_rules)
        kube__api_warn(ctx, work->response,
                       "validation rules (x-kubernetes-validations) are not evaluated");
    return kube__api_check_memory(ctx);
}

/* ---- storing -------------------------------------------------------------------------------- */

/* Events are stored in the core group's form, whichever of the two groups they came by. */
static const kube__api_resource *builtin_storage(kube__api_work *work)
{
    const kube__api_resource *core = NULL;
    if (strcmp(work->resource->group, "events.k8s.io") == 0)
        core = kube__api_registry_find(work->server->registry, "", "v1", "events");
    return core ? core : work->resource;
}

/* What is done from here on has to be told, whatever that takes. */
static void lift_limits(const kube__api_work *work)
{
    kube__ctx_set_limit(work->ctx, 0);
    kube__api_steps_begin(0);
}

kube__api_failure *kube__api_commit(kube__api_work *work, kube__json *document,
                                    const kube__json *old, kube__api_object **stored)
{
    if (!kube__api_check_memory(work->ctx))
        lift_limits(work);
    kube__api_object *object =
        kube__api_store_put(work->server->store, work->ctx, work->resource->collection, document,
                            builtin_storage(work)->selectable_fields);
    if (!object)
        return kube__api_fail_no_memory();
    if (stored)
        *stored = object;
    return is_crd(work) ? kube__api_crd_settle(work, document, old) : NULL;
}

kube__api_failure *kube__api_commit_delete(kube__api_work *work, kube__api_object *object,
                                           kube__json *final)
{
    if (!kube__api_check_memory(work->ctx))
        lift_limits(work);
    kube__json *old =
        is_crd(work) ? kube__api_object_json(work->ctx, object, work->resource) : NULL;
    if (!kube__api_store_delete(work->server->store, work->ctx, object, final))
        return kube__api_fail_no_memory();
    if (old && !kube__api_crd_serve(work->server, work->ctx, NULL, old)) {
        kube__ctx_fail(work->ctx, 0);
        return kube__api_fail_no_memory();
    }
    return work->resource->custom ? kube__api_crd_release(work) : NULL;
}

/* The storage version's tree: all versions of a CRD are stored in one of them. */
static kube__json *to_storage(kube__api_work *work, kube__json *object)
{
    const kube__api_resource *resource = work->resource;
    const kube__api_resource *storage = resource;
    if (resource->custom) {
        KUBE__JSON_EACH (version, kube__json_at(resource->crd, "spec.versions")) {
            if (!kube__json_is_true(kube__json_get(version, "storage")))
                continue;
            const char *name = kube__json_string_at(version, "name");
            kube__json_set(work->ctx, object, "apiVersion",
                           kube__json_stringf(work->ctx, "%s/%s", resource->group, name));
            storage = kube__api_registry_find(work->server->registry, resource->group, name,
                                              resource->plural);
            /* What the storage version does not know is not kept. */
            if (storage && storage != resource && storage->schema)
                kube__api_schema_prune(work->ctx, storage->schema, object, NULL, NULL);
        }
        return object;
    }
    storage = builtin_storage(work);
    if (storage != resource)
        kube__api_convert(work->ctx, storage, object);
    return object;
}

/* Stores, and brings the tree back into the version it is answered in. */
static kube__api_failure *store(kube__api_work *work, kube__json *object, const kube__json *old)
{
    kube__api_object *stored;
    kube__api_failure *failure = kube__api_commit(work, to_storage(work, object), old, &stored);
    if (!failure)
        kube__api_convert(work->ctx, work->resource, object);
    return failure;
}

/* ---- creating ------------------------------------------------------------------------------- */

static void generate_name(kube__api_work *work, kube__json *metadata)
{
    const char *base = kube__json_string_at(metadata, "generateName");
    char suffix[SUFFIX + 1];
    if (*kube__json_string_at(metadata, "name") || !*base)
        return;
    for (int i = 0; i < NAME_TRIES; i++) {
        kube__api_random_suffix(&work->server->random, suffix, SUFFIX);
        const char *name = kube__api_text(work->ctx, "%.*s%s", MAX_GENERATED_BASE, base, suffix);
        kube__json_set_string(work->ctx, metadata, "name", name);
        if (!kube__api_store_get(work->resource->collection, work->request->namespace_, name))
            return;
    }
}

/* Built-ins whose strategy counts generations. */
static bool has_generation(const kube__api_resource *resource)
{
    static const char *const kinds[] = {"apps/deployments",
                                        "apps/replicasets",
                                        "apps/statefulsets",
                                        "apps/daemonsets",
                                        "/pods",
                                        "apiextensions.k8s.io/customresourcedefinitions",
                                        NULL};
    char key[128];
    if (resource->custom)
        return true;
    snprintf(key, sizeof(key), "%s/%s", resource->group, resource->plural);
    return kube__api_is_one_of(key, kinds);
}

static void fill_metadata(kube__api_work *work, kube__json *metadata)
{
    kube_ctx *ctx = work->ctx;
    char uid[KUBE__UUID_SIZE];
    kube__api_random_uuid(&work->server->random, uid);
    kube__json_set_string(ctx, metadata, "uid", uid);
    kube__json_set_string(ctx, metadata, "creationTimestamp", kube__api_now(work->server, ctx));
    if (has_generation(work->resource))
        kube__json_set_int(ctx, metadata, "generation", 1);
}

static void drop_empty(kube__json *metadata)
{
    static const char *const members[] = {"labels",     "annotations",  "ownerReferences",
                                          "finalizers", "generateName", "deletionTimestamp",
                                          "selfLink",   "namespace"};
    for (size_t i = 0; i < sizeof(members) / sizeof *members; i++) {
        kube__json *value = kube__json_get(metadata, members[i]);
        if (value && (value->kind == KUBE__JSON_NULL || value->len == 0))
            kube__json_remove(metadata, members[i]);
    }
}

/* The client has no say in the status of what has a status subresource. */
static void drop_status(const kube__api_work *work, kube__json *object)
{
    if (work->resource->has_status)
        kube__json_remove(object, "status");
}

/* What a new built-in is compared with to know what its creator set: Go's empty struct. */
static kube__json *empty_object(kube__api_work *work)
{
    if (work->resource->custom)
        return NULL;
    kube__json *empty = kube__json_typed(work->ctx, work->resource->kind,
                                         kube__api_resource_api_version(work->ctx, work->resource));
    kube__json_set(work->ctx, empty, "metadata", kube__json_object(work->ctx));
    kube__api_fill_zero(work->ctx, work->resource, empty);
    return empty;
}

static kube__api_failure *check_new(kube__api_work *work, kube__json *object)
{
    kube__json *metadata = metadata_of(object);
    const char *name = kube__json_string_at(metadata, "name");
    if (*kube__json_string_at(metadata, "resourceVersion"))
        return kube__api_fail(work->ctx, 500, "",
                              "resourceVersion should not be set on objects to be created");
    if (kube__api_store_get(work->resource->collection, work->request->namespace_, name))
        return kube__api_already_exists(work->ctx, work->resource->group, work->resource->plural,
                                        name);
    return NULL;
}

kube__api_failure *kube__api_create_object(kube__api_work *work, kube__json *object, bool applied,
                                           kube__json **out)
{
    kube_ctx *ctx = work->ctx;
    kube__json *metadata = kube__json_ensure_object(ctx, object, "metadata");
    kube__api_failure *failure = check_namespace(work, kube__json_string_at(metadata, "name"));
    if (!failure && work->resource->custom)
        failure = kube__api_crd_admit(work, kube__json_string_at(metadata, "name"));
    if (failure)
        return failure;
    generate_name(work, metadata);
    drop_status(work, object);
    if (is_crd(work))
        kube__api_crd_default(ctx, object);
    drop_empty(metadata);
    kube__json_remove(metadata, "deletionTimestamp");
    kube__json_remove(metadata, "deletionGracePeriodSeconds");
    kube__json_remove(metadata, "selfLink");
    kube__api_fill_zero(ctx, work->resource, object);
    if (!applied) {
        kube__api_manager manager = kube__api_manager_of(work, object);
        manager.is_new = true;
        failure =
            kube__api_track(ctx, work->resource->schema, empty_object(work), object, &manager);
        if (failure)
            return failure;
    }
    fill_metadata(work, metadata);
    if (!work->resource->custom)
        kube__api_strategy_prepare(work->server, ctx, work->resource, "", object, NULL);
    if (is_crd(work))
        kube__api_crd_store_version(ctx, object);
    failure = kube__api_check_escalation(work->server, work->request, work->resource, object, NULL);
    if (!failure)
        failure = validate(work, object, NULL);
    if (!failure)
        failure = check_new(work, object);
    if (failure)
        return failure;
    kube__api_order_members(object, work->resource->custom);
    *out = object;
    if (work->dry_run)
        return kube__api_check_memory(ctx);
    return store(work, object, NULL);
}

/* ---- updating ------------------------------------------------------------------------------- */

/* Of a status update only status counts, of every other one all but status. */
static void keep_other_part(kube__api_work *work, const kube__json *live, kube__json *object)
{
    kube_ctx *ctx = work->ctx;
    const char *subresource = work->request->subresource;
    bool of_status = strcmp(subresource, "status") == 0;
    if (of_status) {
        kube__json *status = kube__json_remove(object, "status");
        kube__json *managed = kube__json_remove(metadata_of(object), "managedFields");
        kube__json *whole = kube__json_copy(ctx, live);
        kube__json_remove(whole, "status");
        if (status)
            kube__json_set(ctx, whole, "status", status);
        if (!work->resource->custom) { /* labels and the like count, for built-ins */
            static const char *const members[] = {"labels", "annotations", "finalizers"};
            bool keeps_labels = kube__api_is_kind(work, "apps", "deployments");
            for (size_t i = keeps_labels; i < sizeof(members) / sizeof *members; i++) {
                kube__json *value = kube__json_remove(metadata_of(object), members[i]);
                kube__json_remove(metadata_of(whole), members[i]);
                if (value)
                    kube__json_set(ctx, metadata_of(whole), members[i], value);
            }
        }
        kube__json_remove(metadata_of(whole), "managedFields");
        if (managed)
            kube__json_set(ctx, metadata_of(whole), "managedFields", managed);
        kube__json_set(ctx, whole, "apiVersion",
                       kube__json_copy(ctx, kube__json_get(object, "apiVersion")));
        if (whole)
            *object = *whole;
    } else if (work->resource->has_status) {
        kube__json *spec = kube__json_get(object, "spec");
        kube__json *held = kube__json_get(spec, "finalizers");
        if (strcmp(subresource, "finalize") == 0 && held && held->len == 0)
            kube__json_remove(spec, "finalizers");
        kube__json *status = kube__json_get(live, "status");
        kube__json_remove(object, "status");
        if (status)
            kube__json_set(ctx, object, "status", kube__json_copy(ctx, status));
    }
}

/* What only the server sets stays as it was. */
static void keep_metadata(kube_ctx *ctx, const kube__json *live, kube__json *object)
{
    static const char *const members[] = {
        "uid",        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
        "generation", "resourceVersion",   "selfLink"};
    kube__json *metadata = metadata_of(object);
    for (size_t i = 0; i < sizeof(members) / sizeof *members; i++) {
        kube__json *value = kube__json_get(kube__json_get(live, "metadata"), members[i]);
        kube__json_remove(metadata, members[i]);
        if (value)
            kube__json_set(ctx, metadata, members[i], kube__json_copy(ctx, value));
    }
}

static bool same_but(const kube__json *a, const kube__json *b, const char *const *but)
{
    size_t seen = 0;
    KUBE__JSON_EACH (member, a) {
        bool skipped = false;
        for (const char *const *name = but; *name; name++)
            skipped = skipped || strcmp(*name, member->key) == 0;
        if (skipped)
            continue;
        if (!kube__json_equal(member, kube__json_get(b, member->key)))
            return false;
        seen++;
    }
    KUBE__JSON_EACH (member, b) {
        bool skipped = false;
        for (const char *const *name = but; *name; name++)
            skipped = skipped || strcmp(*name, member->key) == 0;
        if (!skipped)
            seen--;
    }
    return seen == 0;
}

/* A generation is one of the specification; without status subresource all but metadata is. */
static void count_generation(kube__api_work *work, const kube__json *live, kube__json *object)
{
    static const char *const meta[] = {"metadata", NULL};
    static const char *const meta_status[] = {"metadata", "status", NULL};
    int64_t generation = 0;
    bool changed;
    if (!has_generation(work->resource))
        return;
    if (work->resource->custom)
        changed = !same_but(live, object, work->resource->has_status ? meta_status : meta);
    else
        changed = !kube__json_equal(kube__json_get(live, "spec"), kube__json_get(object, "spec"));
    if (!changed)
        return;
    kube__json_to_int(kube__json_at(live, "metadata.generation"), &generation);
    kube__json_set_int(work->ctx, metadata_of(object), "generation", generation + 1);
}

/* Equal but for the times of managers, and versions. */
static bool is_no_change(kube_ctx *ctx, const kube__json *live, const kube__json *object)
{
    const kube__json *const trees[] = {live, object};
    kube__json *copies[2];
    for (size_t i = 0; i < 2; i++) {
        copies[i] = kube__json_copy(ctx, trees[i]);
        kube__json_remove(copies[i], "apiVersion");
        kube__json_remove(kube__json_get(copies[i], "metadata"), "resourceVersion");
        KUBE__JSON_EACH (entry, kube__json_at(copies[i], "metadata.managedFields"))
            kube__json_remove(entry, "time");
    }
    return !kube_ctx_failed(ctx) && kube__json_equal(copies[0], copies[1]);
}

/* Kinds that an update without a version may overwrite: all built-ins but a few. */
static bool needs_version(const kube__api_work *work)
{
    return work->resource->custom || is_crd(work) ||
           kube__api_is_kind(work, "coordination.k8s.io", "leases");
}

static kube__api_failure *check_version(kube__api_work *work, const kube__api_object *stored,
                                        const kube__json *object)
{
    const kube__api_resource *resource = work->resource;
    const char *text = kube__json_string_at(object, "metadata.resourceVersion");
    const char *uid = kube__json_string_at(object, "metadata.uid");
    uint64_t version = 0;
    const char *why;
    /* A patched status of a custom resource comes with the metadata that is there. */
    bool minds_uid = !resource->custom || strcmp(work->request->subresource, "status") != 0 ||
                     strcmp(work->request->method, "PATCH") != 0;
    if (*uid && minds_uid && strcmp(uid, stored->uid) != 0)
        return kube__api_conflict(
            work->ctx, resource->group, resource->plural, stored->name,
            kube__api_text(work->ctx,
                           "StorageError: invalid object, Code: 4, Key: /registry/%s%s%s/%s%s%s"
                           ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID "
                           "in precondition: %s, UID in object meta: %s",
                           resource->custom ? resource->group : "", resource->custom ? "/" : "",
                           resource->plural, stored->namespace_, *stored->namespace_ ? "/" : "",
                           stored->name, uid, stored->uid));
    if (*text && !kube__api_parse_version(work->ctx, text, &version, &why))
        return kube__api_fail(work->ctx, 500, "", "%s", why);
    if (version == 0 && needs_version(work)) {
        kube__api_causes causes = {.ctx = work->ctx};
        kube__api_add_cause(&causes, "FieldValueInvalid", "metadata.resourceVersion",
                            "Invalid value: 0: must be specified for an update");
        return kube__api_invalid(work->ctx, resource->group, resource->plural, stored->name,
                                 &causes);
    }
    if (version != 0 && version != stored->version)
        return kube__api_conflict(work->ctx, resource->group, resource->plural, stored->name,
                                  "the object has been modified; please apply your changes to the "
                                  "latest version and try again");
    return NULL;
}

/* A deleted object that nothing holds any more goes. */
static bool is_released(const kube__api_work *work, const kube__json *object)
{
    const kube__json *metadata = kube__json_get(object, "metadata");
    const kube__json *finalizers = kube__json_get(metadata, "finalizers");
    int64_t grace = 0;
    if (!kube__json_get(metadata, "deletionTimestamp") || (finalizers && finalizers->len))
        return false;
    kube__json_to_int(kube__json_get(metadata, "deletionGracePeriodSeconds"), &grace);
    if (grace != 0)
        return false;
    if (kube__api_is_kind(work, "", "namespaces")) {
        finalizers = kube__json_at(object, "spec.finalizers");
        return !finalizers || finalizers->len == 0;
    }
    return true;
}

kube__api_failure *kube__api_update_object(kube__api_work *work, kube__api_object *stored,
                                           const kube__json *live, kube__json *object, bool applied,
                                           kube__json **out)
{
    kube_ctx *ctx = work->ctx;
    kube__api_failure *failure = check_version(work, stored, object);
    if (failure)
        return failure;
    keep_other_part(work, live, object);
    keep_metadata(ctx, live, object);
    drop_empty(metadata_of(object));
    if (is_crd(work))
        kube__api_crd_default(ctx, object);
    kube__api_fill_zero(ctx, work->resource, object);
    if (!applied) {
        kube__api_manager manager = kube__api_manager_of(work, object);
        failure = kube__api_track(ctx, work->resource->schema, live, object, &manager);
        if (failure)
            return failure;
    }
    if (!work->resource->custom)
        kube__api_strategy_prepare(work->server, ctx, work->resource, work->request->subresource,
                                   object, live);
    count_generation(work, live, object);
    if (is_crd(work))
        kube__api_crd_keep_versions(ctx, live, object);
    failure = kube__api_check_escalation(work->server, work->request, work->resource, object, live);
    if (!failure)
        failure = validate(work, object, live);
    if (failure)
        return failure;
    kube__api_order_members(object, work->resource->custom);
    *out = object;
    if (work->dry_run)
        return kube__api_check_memory(ctx);
    if (is_released(work, object)) {
        /* The last state that anyone saw is the event's; the answer is what was asked for. */
        return kube__api_commit_delete(work, stored, NULL);
    }
    if (is_no_change(ctx, live, object)) {
        *out = kube__api_object_json(ctx, stored, work->resource);
        return kube__api_check_memory(ctx);
    }
    return store(work, object, live);
}
