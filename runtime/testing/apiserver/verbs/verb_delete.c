/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/steps.h"
#include "verb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct delete_options {
    const char *propagation; /* "" = not given */
    bool has_orphan;         /* orphanDependents, the old form */
    bool orphan;
    bool has_grace;
    int64_t grace_s;
    const char *uid; /* preconditions; "" = none */
    const char *version;
} delete_options;

/* ---- options -------------------------------------------------------------------------------- */

static kube__api_failure *read_body(kube__api_work *work, delete_options *options)
{
    kube_ctx *ctx = work->ctx;
    kube__api_findings findings = {.ctx = ctx};
    kube__json *body;
    bool yaml;
    if (work->request->body_len == 0)
        return NULL;
    kube__api_failure *failure = kube__api_check_content_type(work, &yaml);
    if (failure)
        return failure;
    failure = kube__api_read_document(work, NULL, yaml, &findings, &body);
    if (failure)
        return failure;
    const char *kind = kube__json_string_at(body, "kind");
    if (*kind && strcmp(kind, "DeleteOptions") != 0)
        return kube__api_bad_request(ctx,
                                     "no kind \"%s\" is registered for version \"%s\" in scheme "
                                     "\"pkg/runtime/scheme.go:111\"",
                                     kind, kube__json_string_at(body, "apiVersion"));
    options->propagation = kube__json_string_at(body, "propagationPolicy");
    kube__json *orphan = kube__json_get(body, "orphanDependents");
    options->has_orphan = kube__json_is(orphan, KUBE__JSON_BOOL);
    options->orphan = kube__json_is_true(orphan);
    options->has_grace =
        kube__json_to_int(kube__json_get(body, "gracePeriodSeconds"), &options->grace_s);
    options->uid = kube__json_string_at(body, "preconditions.uid");
    options->version = kube__json_string_at(body, "preconditions.resourceVersion");
    work->dry_run = work->dry_run || kube__json_has_text(kube__json_get(body, "dryRun"), "All");
    return NULL;
}

static kube__api_failure *read_query(kube__api_work *work, delete_options *options)
{
    const char *grace = kube__api_query(work->request, "gracePeriodSeconds");
    const char *policy = kube__api_query(work->request, "propagationPolicy");
    const char *orphan = kube__api_query(work->request, "orphanDependents");
    if (*policy)
        options->propagation = policy;
    if (*orphan) {
        options->has_orphan = true;
        options->orphan = kube__api_query_is_true(work->request, "orphanDependents");
    }
    if (!*grace)
        return NULL;
    char *end;
    errno = 0;
    options->grace_s = strtoll(grace, &end, 10);
    options->has_grace = true;
    if (*end || errno)
        return kube__api_bad_request(work->ctx, "strconv.ParseInt: parsing %s: invalid syntax",
                                     kube__api_quote(work->ctx, grace));
    return NULL;
}

static kube__api_failure *check_delete(kube__api_work *work, const delete_options *options)
{
    static const char *const known[] = {"", "Foreground", "Background", "Orphan"};
    kube__api_causes causes = {.ctx = work->ctx};
    bool found = false;
    for (size_t i = 0; i < sizeof(known) / sizeof *known; i++)
        found = found || strcmp(options->propagation, known[i]) == 0;
    if (!found)
        kube__api_add_cause(&causes, "FieldValueNotSupported", "propagationPolicy",
                            "Unsupported value: %s: supported values: \"Foreground\", "
                            "\"Background\", \"Orphan\", \"nil\"",
                            kube__api_quote(work->ctx, options->propagation));
    if (options->has_orphan && *options->propagation)
        kube__api_add_cause(&causes, "FieldValueInvalid", "propagationPolicy",
                            "Invalid value: %s: orphanDependents and deletionPropagation cannot "
                            "be both set",
                            kube__api_quote(work->ctx, options->propagation));
    return causes.count ? kube__api_invalid(work->ctx, "meta.k8s.io", "DeleteOptions", "", &causes)
                        : NULL;
}

static kube__api_failure *read_options(kube__api_work *work, delete_options *options)
{
    *options = (delete_options){.propagation = "", .uid = "", .version = ""};
    kube__api_failure *failure = kube__api_read_options(work, "DeleteOptions", false);
    if (!failure)
        failure = read_query(work, options);
    if (!failure)
        failure = read_body(work, options);
    if (!failure)
        failure = check_delete(work, options);
    return failure;
}

static kube__api_failure *check_preconditions(kube__api_work *work, const delete_options *options,
                                              const kube__api_object *object)
{
    const kube__api_resource *resource = work->resource;
    if (*options->uid && strcmp(options->uid, object->uid) != 0)
        return kube__api_conflict(
            work->ctx, resource->group, resource->kind, object->name,
            kube__api_text(work->ctx,
                           "the UID in the precondition (%s) does not match the UID in record "
                           "(%s). The object might have been deleted and then recreated",
                           options->uid, object->uid));
    if (*options->version && strtoull(options->version, NULL, 10) != object->version)
        return kube__api_conflict(
            work->ctx, resource->group, resource->kind, object->name,
            kube__api_text(work->ctx,
                           "the ResourceVersion in the precondition (%s) does not match the "
                           "ResourceVersion in record (%" PRIu64
                           "). The object might have been modified",
                           options->version, object->version));
    return NULL;
}

/* ---- what holds an object ------------------------------------------------------------------- */

/* The collector's finalizers as the policy wants them; true when anything holds the object. */
static bool set_finalizers(kube__api_work *work, const delete_options *options,
                           kube__json *document)
{
    kube_ctx *ctx = work->ctx;
    kube__json *metadata = kube__json_get(document, "metadata");
    kube__json *finalizers = kube__json_ensure_array(ctx, metadata, "finalizers");
    if (!finalizers)
        return false;
    bool says = *options->propagation || options->has_orphan;
    bool orphan = says ? options->orphan || strcmp(options->propagation, "Orphan") == 0
                       : kube__json_has_text(finalizers, "orphan");
    bool foreground = says ? strcmp(options->propagation, "Foreground") == 0
                           : kube__json_has_text(finalizers, "foregroundDeletion");
    kube__json_drop_text(finalizers, "orphan");
    kube__json_drop_text(finalizers, "foregroundDeletion");
    if (orphan)
        kube__json_append(finalizers, kube__json_string(ctx, "orphan"));
    if (foreground)
        kube__json_append(finalizers, kube__json_string(ctx, "foregroundDeletion"));
    if (kube__api_is_kind(work, "apiextensions.k8s.io", "customresourcedefinitions") &&
        !kube__json_has_text(finalizers, KUBE__API_CRD_CLEANUP))
        kube__json_append(finalizers, kube__json_string(ctx, KUBE__API_CRD_CLEANUP));
    if (finalizers->len)
        return true;
    kube__json_remove(metadata, "finalizers");
    return false;
}

/* Seconds a Pod has to end in; other kinds have none. */
static int64_t grace_of(kube__api_work *work, const delete_options *options,
                        const kube__json *document)
{
    int64_t grace = 30;
    const char *phase = kube__json_string_at(document, "status.phase");
    if (!kube__api_is_kind(work, "", "pods"))
        return 0;
    if (options->has_grace)
        grace = options->grace_s < 0 ? 1 : options->grace_s;
    else
        kube__json_to_int(kube__json_at(document, "spec.terminationGracePeriodSeconds"), &grace);
    /* Nobody runs it: there is nothing to wait for. */
    if (!*kube__json_string_at(document, "spec.nodeName") || strcmp(phase, "Succeeded") == 0 ||
        strcmp(phase, "Failed") == 0)
        grace = 0;
    return grace;
}

static void mark_deleted(kube__api_work *work, kube__json *document, int64_t grace)
{
    kube_ctx *ctx = work->ctx;
    kube__json *metadata = kube__json_get(document, "metadata");
    int64_t generation = 0;
    kube__json_set_string(ctx, metadata, "deletionTimestamp",
                          kube__api_time_in(work->server, ctx, grace));
    if (kube__api_is_kind(work, "", "namespaces")) {
        kube__json_set_string(ctx, kube__json_ensure_object(ctx, document, "status"), "phase",
                              "Terminating");
        return;
    }
    if (kube__api_is_kind(work, "apiextensions.k8s.io", "customresourcedefinitions")) {
        kube__api_crd_mark_terminating(ctx, document, "InstanceDeletionPending",
                                       "CustomResourceDefinition marked for deletion; "
                                       "CustomResource deletion will begin soon",
                                       kube__api_now(work->server, ctx));
        return;
    }
    kube__json_set_int(ctx, metadata, "deletionGracePeriodSeconds", grace);
    if (kube__json_to_int(kube__json_get(metadata, "generation"), &generation) && generation > 0)
        kube__json_set_int(ctx, metadata, "generation", generation + 1);
}

/* ---- one object ----------------------------------------------------------------------------- */

typedef struct outcome {
    kube__json *document; /* the last state, or the one that waits */
    bool gone;
    bool was_held; /* and is answered as an object */
} outcome;

static kube__api_failure *clean_up(kube__api_work *work, const kube__json *document)
{
    if (work->dry_run ||
        !kube__api_is_kind(work, "apiextensions.k8s.io", "customresourcedefinitions"))
        return NULL;
    return kube__api_crd_clean_up(work, kube__json_string_at(document, "metadata.name"));
}

static kube__api_failure *hold(kube__api_work *work, kube__json *document, const kube__json *old)
{
    kube__api_order_members(document, work->resource->custom);
    if (work->dry_run)
        return NULL;
    kube__api_failure *failure = kube__api_commit(work, document, old, NULL);
    return failure ? failure : clean_up(work, document);
}

static kube__api_failure *remove_now(kube__api_work *work, kube__api_object *object,
                                     kube__json *document)
{
    kube__api_order_members(document, work->resource->custom);
    return work->dry_run ? NULL : kube__api_commit_delete(work, object, document);
}

/* A Pod that is ending may be told to end sooner. */
static kube__api_failure *delete_again(kube__api_work *work, const delete_options *options,
                                       kube__api_object *object, const kube__json *old,
                                       outcome *out)
{
    kube__json *metadata = kube__json_get(out->document, "metadata");
    int64_t before = 0;
    bool held = set_finalizers(work, options, out->document);
    kube__json_to_int(kube__json_get(metadata, "deletionGracePeriodSeconds"), &before);
    int64_t grace = options->has_grace ? grace_of(work, options, out->document) : before;
    out->was_held = true;
    if (grace < before) {
        kube__json_set_int(work->ctx, metadata, "deletionGracePeriodSeconds", grace);
        kube__json_set_string(work->ctx, metadata, "deletionTimestamp",
                              kube__api_time_in(work->server, work->ctx, grace));
    }
    if (grace == 0 && before != 0 && !held) {
        out->gone = true;
        return remove_now(work, object, out->document);
    }
    if (kube__json_equal(out->document, old))
        return clean_up(work, old); /* memory may have run out when it was tried first */
    if (!held && grace == 0 && !kube__api_is_kind(work, "", "namespaces")) {
        out->gone = true;
        return remove_now(work, object, out->document);
    }
    return hold(work, out->document, old);
}

static bool is_held_namespace(kube__api_work *work, const kube__json *document)
{
    const kube__json *finalizers = kube__json_at(document, "spec.finalizers");
    return kube__api_is_kind(work, "", "namespaces") && finalizers && finalizers->len > 0;
}

static kube__api_failure *delete_one(kube__api_work *work, const delete_options *options,
                                     kube__api_object *object, outcome *out)
{
    const kube__json *old = kube__api_object_json(work->ctx, object, work->resource);
    kube__api_failure *failure = check_preconditions(work, options, object);
    *out = (outcome){.document = kube__json_copy(work->ctx, old)};
    if (!failure)
        failure = kube__api_check_memory(work->ctx);
    if (failure)
        return failure;
    if (object->deleting)
        return delete_again(work, options, object, old, out);
    bool held = set_finalizers(work, options, out->document);
    int64_t grace = grace_of(work, options, out->document);
    if (held || grace > 0 || is_held_namespace(work, out->document)) {
        mark_deleted(work, out->document, grace);
        out->was_held = true;
        return hold(work, out->document, old);
    }
    out->gone = true;
    if (kube__api_is_kind(work, "", "pods"))
        mark_deleted(work, out->document, 0);
    return remove_now(work, object, out->document);
}

/* ---- verbs ---------------------------------------------------------------------------------- */

static bool answers_object(const kube__api_work *work)
{
    return kube__api_is_kind(work, "", "pods") || kube__api_is_kind(work, "", "services") ||
           kube__api_is_kind(work, "", "serviceaccounts");
}

static void send_status(kube__api_work *work, const kube__api_object *object)
{
    kube_ctx *ctx = work->ctx;
    kube__json *status = kube__api_success(ctx);
    kube__json *details = kube__json_ensure_object(ctx, status, "details");
    kube__json_set_string(ctx, details, "name", object->name);
    if (*work->resource->group)
        kube__json_set_string(ctx, details, "group", work->resource->group);
    kube__json_set_string(ctx, details, "kind", work->resource->plural);
    kube__json_set_string(ctx, details, "uid", object->uid);
    kube__api_send_document(work, 200, status);
}

static kube__api_failure *check_protected(kube__api_work *work, const char *name)
{
    static const char *const names[] = {"default", "kube-system", "kube-public"};
    for (size_t i = 0; i < sizeof(names) / sizeof *names; i++) {
        if (!kube__api_is_kind(work, "", "namespaces") || strcmp(names[i], name) != 0)
            continue;
        kube__api_failure *failure = kube__api_fail(
            work->ctx, 403, "Forbidden",
            "namespaces \"%s\" is forbidden: this namespace may not be deleted", name);
        failure->has_details = true;
        failure->name = name;
        failure->kind = "namespaces";
        return failure;
    }
    return NULL;
}

kube__api_failure *kube__api_verb_delete(kube__api_work *work)
{
    delete_options options;
    kube__api_object *object;
    outcome done;
    kube__api_failure *failure = read_options(work, &options);
    if (!failure)
        failure = check_protected(work, work->request->name);
    if (!failure)
        failure = kube__api_find_object(work, &object);
    if (failure)
        return failure;
    kube__api_object_ref(object);
    failure = delete_one(work, &options, object, &done);
    if (!failure && (done.was_held || answers_object(work)))
        kube__api_send(work, 200, done.document);
    else if (!failure)
        send_status(work, object);
    kube__api_object_unref(object);
    return failure;
}

kube__api_failure *kube__api_verb_delete_collection(kube__api_work *work)
{
    delete_options options;
    kube__api_list_options list;
    kube__api_range range = {.namespace_ = work->request->namespace_};
    kube__api_object **objects;
    size_t count;
    size_t kept;
    kube__api_failure *failure = read_options(work, &options);
    if (!failure)
        failure = kube__api_read_list_options(work->request, work->resource, &list);
    if (failure)
        return failure;
    if (!kube__api_store_list(work->server->store, work->ctx, work->resource->collection, &range, 0,
                              &objects, &count))
        return kube__api_fail_no_memory();
    kube__api_steps_lower(KUBE__API_MAX_STEPS); /* none are counted for the deletion itself */
    kept = kube__api_filter(&list, objects, count, 0);
    failure = kube__api_check_memory(work->ctx);
    if (failure)
        return failure;
    kube__api_steps_begin(0);
    for (size_t i = 0; i < kept; i++)
        kube__api_object_ref(objects[i]);
    uint64_t version = kube__api_store_version(work->server->store);
    for (size_t i = 0; i < kept && !failure; i++) {
        outcome done;
        failure = delete_one(work, &options, objects[i], &done);
    }
    if (!failure)
        failure = kube__api_send_list(work, objects, kept, version, NULL, -1);
    for (size_t i = 0; i < kept; i++)
        kube__api_object_unref(objects[i]);
    return failure;
}
