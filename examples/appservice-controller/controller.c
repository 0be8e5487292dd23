/* SPDX-License-Identifier: Apache-2.0 */
#include "controller.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef appcontroller_v1alpha1_app_service app_service;

/* ---- caches, and whom a change concerns ----------------------------------------------------- */

/* Deployments by the uid of what controls them: finds those that lost their name in the spec. */
#define INDEX_CONTROLLER "controller"
/* AppServices by the key of the Deployment that they name. */
#define INDEX_NAMED "named"

static kube_key named_by(const app_service *service)
{
    const char *name = service->spec.deployment_name;
    return kube_key_of(service->metadata.namespace_, name ? name : "");
}

static kube_code controller_values(void *arg, kube_ctx *ctx, const apps_v1_deployment *deployment,
                                   kube_index_emit *emit, void *sink, kube_error *err)
{
    const kube_owner_reference *controller = kube_controller_of(&deployment->metadata);
    (void)arg;
    (void)err;
    (void)ctx;
    if (controller)
        emit(sink, controller->uid);
    return KUBE_OK;
}

static kube_code named_values(void *arg, kube_ctx *ctx, const app_service *service,
                              kube_index_emit *emit, void *sink, kube_error *err)
{
    (void)arg;
    (void)err;
    emit(sink, kube_key_text(ctx, named_by(service)));
    return KUBE_OK;
}

kube_code appservice_init(struct appservice_controller *c, kube_informer_factory *factory,
                          kube_error *err)
{
    static const apps_v1_deployment_index by_controller = {controller_values, NULL};
    static const appcontroller_v1alpha1_app_service_index by_named = {named_values, NULL};
    appcontroller_v1alpha1_app_service_informer *services;
    apps_v1_deployment_informer *deployments;
    kube_code rc = appcontroller_v1alpha1_app_service_informer_get(factory, NULL, &services, err);
    if (!rc)
        rc = apps_v1_deployment_informer_get(factory, NULL, &deployments, err);
    if (!rc)
        rc = appcontroller_v1alpha1_app_service_informer_add_index(services, INDEX_NAMED, &by_named,
                                                                   err);
    if (!rc)
        rc = apps_v1_deployment_informer_add_index(deployments, INDEX_CONTROLLER, &by_controller,
                                                   err);
    if (rc)
        return rc;
    c->services = appcontroller_v1alpha1_app_service_informer_lister(services);
    c->deployments = apps_v1_deployment_informer_lister(deployments);
    return KUBE_OK;
}

static kube_code find_named(const struct appservice_controller *c, kube_ctx *ctx,
                            kube_key deployment,
                            appcontroller_v1alpha1_app_service_cached_list *out, kube_error *err)
{
    return appcontroller_v1alpha1_app_service_lister_by_index(
        c->services, ctx, INDEX_NAMED, kube_key_text(ctx, deployment), out, err);
}

/* Runs all whom the name of a Deployment concerns: who name it may now get it, and who controls it
 * without naming it is to give it up. @object is the Deployment, or an AppService that names it. */
static kube_code run_contenders(void *arg, kube_ctx *ctx, const kube_object *object,
                                const kube_change *why, kube_map_emit *emit, void *sink,
                                kube_error *err)
{
    const bool is_deployment = object->type == &apps_v1_deployment_type;
    const kube_key key = is_deployment ? kube_meta_key(kube_object_metadata(object))
                                       : named_by((const app_service *)(const void *)object);
    const kube_owner_reference *controller;
    appcontroller_v1alpha1_app_service_cached_list named;
    const apps_v1_deployment *deployment;
    struct appservice_controller *c = arg;
    kube_code rc;
    (void)why;
    if (!*key.name)
        return KUBE_OK; /* an AppService that names none: no Deployment is without a name */
    rc = find_named(c, ctx, key, &named, err);
    for (size_t i = 0; i < named.len; i++)
        emit(sink, kube_meta_key(&named.items[i]->metadata));
    if (!rc)
        rc = apps_v1_deployment_lister_get(c->deployments, ctx, key, &deployment, err);
    if (rc)
        /* Whose an undecodable one is cannot be told: mapped again, it would be the same. */
        return rc == KUBE_ERR_NOT_FOUND || rc == KUBE_ERR_UNDECODABLE ? KUBE_OK : rc;
    controller = kube_controller_of(&deployment->metadata);
    if (controller)
        emit(sink, kube_key_of(key.namespace_, controller->name));
    return KUBE_OK;
}

static const char *controller_uid(const kube_object *object)
{
    const kube_owner_reference *controller = kube_controller_of(kube_object_metadata(object));
    return controller && controller->uid ? controller->uid : "";
}

static bool controller_changed(const kube_predicate *self, const kube_change *change)
{
    (void)self;
    return !change->old_object || !change->new_object ||
           strcmp(controller_uid(change->old_object), controller_uid(change->new_object)) != 0;
}

static const kube_predicate to_another_controller = {controller_changed, NULL, NULL};
/* Whether a Deployment may be had by another one than before. */
static const kube_predicate claim_changed = {
    kube_predicate_any,
    (const kube_predicate *const[]){&to_another_controller, &kube_labels_changed, NULL}, NULL};

kube_code appservice_follow(struct appservice_controller *c, kube_controller *controller,
                            kube_error *err)
{
    kube_code rc = kube_controller_owns(controller, &apps_v1_deployment_type, NULL, err);
    if (!rc)
        rc = kube_controller_watches(controller, &apps_v1_deployment_type, run_contenders, c,
                                     &claim_changed, err);
    if (!rc)
        rc = kube_controller_watches(controller, &appcontroller_v1alpha1_app_service_type,
                                     run_contenders, c, &kube_generation_changed, err);
    return rc;
}

/* ---- a run ---------------------------------------------------------------------------------- */

/* Why an AppService does not have the Deployment that its spec says. */
struct hindrance {
    const char *reason; /* of its condition; NULL = nothing hinders */
    const char *event;  /* NULL = it is the way of things */
    kube_code code;     /* how the run ends */
    bool terminal;      /* only an event can mend it */
    const char *message;
};

struct run {
    struct appservice_controller *c;
    kube_ctx *ctx;
    const kube_request *request;
    kube_error *err;
    const app_service *service;
    const apps_v1_deployment *deployment; /* the one that the spec names; NULL = not ours */
    struct hindrance hindrance;
    /* Of all Deployments that it controls: several while it moves to another name. */
    kube_string_map serving; /* their names, sorted */
    int32_t available;
};

static kube_code hinder(struct run *run, struct hindrance hindrance)
{
    kube_request_note(run->request, "%s: %s", hindrance.reason, hindrance.message);
    run->hindrance = hindrance;
    return KUBE_OK; /* the rest is done all the same */
}

/* Once for every change that was made, so not after every run. */
static void say(const struct run *run, const char *done, const apps_v1_deployment *object,
                const char *difference)
{
    const char *text = kube_printf(run->ctx, "%s Deployment %s%s%s", done, object->metadata.name,
                                   difference ? ": " : "", difference ? difference : "");
    kube_request_note(run->request, "%s", text);
    kube_recorder_event(run->c->recorder, &run->service->base, KUBE_EVENT_NORMAL, "Synced", "%s",
                        text);
}

/* ---- the Deployment that the spec names ----------------------------------------------------- */

/* Whether a new try may soon do better, or nobody can be told: the run ends there. */
static bool passes(kube_code rc)
{
    return rc == KUBE_ERR_CONFLICT || rc == KUBE_ERR_FENCED || rc == KUBE_ERR_CANCELED ||
           rc == KUBE_ERR_TIMEOUT || rc == KUBE_ERR_NO_MEMORY || rc == KUBE_ERR_TRANSPORT ||
           rc == KUBE_ERR_TOO_MANY_REQUESTS || rc == KUBE_ERR_UNAVAILABLE;
}

/* A write that failed. If that may last, the user is told, and it is tried again later: a quota or
 * a webhook may think otherwise then. */
static kube_code failed(struct run *run, kube_code rc, const char *verb, const char *name)
{
    kube_error_prefix(run->err, "cannot %s Deployment %s", verb, name);
    if (passes(rc))
        return rc;
    return hinder(run, (struct hindrance){
                           .reason = "DeploymentRefused",
                           .event = "DeploymentRefused",
                           .code = rc,
                           .message = kube_ctx_strdup(run->ctx, run->err->message),
                       });
}

/* Creates, and does not apply: an apply would take over what the cache does not know yet. */
static kube_code create(struct run *run, const apps_v1_deployment *wanted)
{
    const kube_write_options options = {.field_manager = FIELD_MANAGER};
    apps_v1_deployment *made;
    kube_code rc = apps_v1_deployments_create(run->c->client, run->ctx, wanted->metadata.namespace_,
                                              wanted, &options, &made, run->err);
    if (rc == KUBE_ERR_ALREADY_EXISTS)
        return kube_error_set(run->err, KUBE_ERR_CONFLICT,
                              "Deployment %s is there, and the cache does not know it yet",
                              wanted->metadata.name);
    if (rc)
        return failed(run, rc, "create", wanted->metadata.name);
    run->deployment = made;
    say(run, "created", wanted, NULL);
    return KUBE_OK;
}

/*
 * Applies what @found lacks of @wanted. Forced, for our fields are ours: who edited one sees it set
 * back, and fields that we do not name stay with who set them. Its uid and version make it a
 * conflict if @found is not any more what was looked at. Looking first keeps our own write, when it
 * comes back as an event, from causing another.
 */
static kube_code change(struct run *run, apps_v1_deployment *wanted,
                        const apps_v1_deployment *found)
{
    const kube_apply_options options = {.field_manager = FIELD_MANAGER, .force = true};
    const bool adopts = !kube_controller_of(&found->metadata);
    apps_v1_deployment *shaped = apps_v1_deployment_deep_copy(run->ctx, found);
    apps_v1_deployment *applied;
    const char *difference;
    kube_code rc = deployment_shape(run->ctx, run->service, run->c->image, shaped, run->err);
    if (rc)
        return rc;
    run->deployment = found;
    difference = deployment_difference(run->ctx, found, shaped);
    if (!difference)
        return KUBE_OK;
    wanted->metadata.uid = found->metadata.uid;
    wanted->metadata.resource_version = found->metadata.resource_version;
    rc = apps_v1_deployments_apply(run->c->client, run->ctx, wanted->metadata.namespace_, wanted,
                                   &options, &applied, run->err);
    if (rc)
        return failed(run, rc, "apply", wanted->metadata.name);
    run->deployment = applied;
    say(run, adopts ? "adopted" : "changed", wanted, adopts ? NULL : difference);
    return KUBE_OK;
}

/*
 * An AppService that is being deleted lets its Deployment go (--cascade=orphan), and our cache may
 * hear of the letting go first. Taken back now, the Deployment would be collected with it: so
 * before an adoption the server is asked, as client-go's controllers do.
 */
static kube_code check_adoption(const struct run *run)
{
    const kube_object_meta *metadata = &run->service->metadata;
    app_service *now;
    kube_code rc = appcontroller_v1alpha1_app_services_get(run->c->client, run->ctx,
                                                           run->request->key, NULL, &now, run->err);
    if (rc && rc != KUBE_ERR_NOT_FOUND)
        return rc;
    if (!rc && strcmp(now->metadata.uid, metadata->uid) == 0 &&
        !kube_is_being_deleted(&now->metadata))
        return KUBE_OK;
    return kube_error_set(run->err, KUBE_ERR_CONFLICT,
                          "it is being deleted, and the cache does not know that yet");
}

/* Of an AppService of this name that is gone: the garbage collector will delete it. */
static bool is_predecessors(const struct run *run, const apps_v1_deployment *found)
{
    const kube_owner_reference *owner = kube_controller_of(&found->metadata);
    const kube_type *type = &appcontroller_v1alpha1_app_service_type;
    return owner && strcmp(owner->kind, type->kind) == 0 &&
           strcmp(owner->api_version, type->api_version) == 0 &&
           strcmp(owner->name, run->service->metadata.name) == 0 &&
           !kube_is_controlled_by(&found->metadata, &run->service->base);
}

static const char *foreign_text(const struct run *run, const apps_v1_deployment *found)
{
    const kube_owner_reference *owner = kube_controller_of(&found->metadata);
    return kube_printf(run->ctx, "Deployment %s/%s is %scontrolled by %s%s%s",
                       found->metadata.namespace_, found->metadata.name, owner ? "" : "not ",
                       owner ? owner->kind : "this AppService", owner ? " " : "",
                       owner ? owner->name : "");
}

static kube_code ensure_deployment(struct run *run)
{
    const kube_key key = named_by(run->service);
    apps_v1_deployment *wanted = kube_ctx_alloc(run->ctx, sizeof *wanted);
    const apps_v1_deployment *found;
    kube_code rc;
    if (!*key.name)
        return hinder(run, (struct hindrance){"InvalidSpec", "InvalidSpec", KUBE_ERR_INVALID, true,
                                              "spec.deploymentName is empty"});
    rc = apps_v1_deployment_lister_get(run->c->deployments, run->ctx, key, &found, run->err);
    if (rc && rc != KUBE_ERR_NOT_FOUND)
        return rc;
    rc = deployment_shape(run->ctx, run->service, run->c->image, wanted, run->err);
    if (rc)
        return rc;
    if (!found)
        return create(run, wanted);
    if (kube_is_being_deleted(&found->metadata) || is_predecessors(run, found))
        return hinder(run, (struct hindrance){"WaitingForDeletion", NULL, KUBE_OK, false,
                                              "the last Deployment of that name is being deleted"});
    if (kube_is_controlled_by(&found->metadata, &run->service->base))
        return change(run, wanted, found);
    if (!deployment_is_orphan(found, wanted))
        return hinder(run,
                      (struct hindrance){"DeploymentNotOwned", "ErrResourceExists",
                                         KUBE_ERR_ALREADY_EXISTS, true, foreign_text(run, found)});
    rc = check_adoption(run);
    return rc ? rc : change(run, wanted, found);
}

/* ---- all that it controls ------------------------------------------------------------------- */

static kube_code count(struct run *run, const apps_v1_deployment *deployment)
{
    run->available += deployment->status.available_replicas.value;
    return kube_string_map_set(run->ctx, &run->serving, deployment->metadata.name, "", run->err);
}

/* A Deployment whose name the spec no longer says goes when the new one serves, or at once if it
 * serves nobody, or if another AppService names it: so two that swap their names get there. The
 * cache may be ahead of this run: what its own spec names again by now stays. */
static kube_code may_go(const struct run *run, const apps_v1_deployment *former, bool *may)
{
    appcontroller_v1alpha1_app_service_cached_list named;
    kube_code rc = find_named(run->c, run->ctx, kube_meta_key(&former->metadata), &named, run->err);
    *may = !rc && run->deployment &&
           (!former->status.available_replicas.value ||
            !deployment_unfinished(run->ctx, run->deployment));
    for (size_t i = 0; !rc && i < named.len; i++) {
        const kube_object_meta *namer = &named.items[i]->metadata;
        if (strcmp(namer->uid, run->service->metadata.uid) == 0) {
            *may = false;
            break;
        }
        *may = *may || !kube_is_being_deleted(namer);
    }
    return rc;
}

/* As it was seen, with its uid and version: if it has changed hands since, that is a conflict. */
static kube_code delete_former(struct run *run, const apps_v1_deployment *former)
{
    const kube_delete_options options = {.propagation_policy = "Background"};
    kube_code rc =
        apps_v1_deployments_delete_object(run->c->client, run->ctx, former, &options, run->err);
    if (rc == KUBE_ERR_NOT_FOUND)
        return KUBE_OK;
    if (rc) {
        rc = failed(run, rc, "delete", former->metadata.name);
        return rc ? rc : count(run, former); /* it serves on */
    }
    say(run, "deleted", former, NULL);
    return KUBE_OK;
}

static kube_code see_to_all(struct run *run)
{
    const char *name = named_by(run->service).name;
    apps_v1_deployment_cached_list ours;
    kube_code rc =
        apps_v1_deployment_lister_by_index(run->c->deployments, run->ctx, INDEX_CONTROLLER,
                                           run->service->metadata.uid, &ours, run->err);
    for (size_t i = 0; !rc && i < ours.len; i++) {
        const apps_v1_deployment *former = ours.items[i];
        bool goes;
        if (strcmp(former->metadata.name, name) == 0 || kube_is_being_deleted(&former->metadata))
            continue;
        rc = may_go(run, former, &goes);
        if (!rc)
            rc = goes ? delete_former(run, former) : count(run, former);
    }
    return rc || !run->deployment ? rc : count(run, run->deployment);
}

/* ---- status --------------------------------------------------------------------------------- */

/* What kubectl scale and autoscalers count its Pods by; NULL if there is no Deployment. */
static const char *selector_text(const struct run *run)
{
    const kube_string_map *names = &run->serving;
    const char *text = names->len ? names->items[0].key : NULL;
    if (!text)
        return NULL;
    for (size_t i = 1; i < names->len; i++)
        text = kube_printf(run->ctx, "%s,%s", text, names->items[i].key);
    return kube_printf(run->ctx, names->len > 1 ? "%s in (%s),%s=%s" : "%s=%s,%s=%s",
                       LABEL_INSTANCE, text, LABEL_MANAGED_BY, FIELD_MANAGER);
}

static kube_code set_condition(const struct run *run, app_service *service, const char *type,
                               bool holds, const char *reason, const char *message)
{
    const kube_condition condition = {
        .type = type,
        .status = holds ? KUBE_CONDITION_TRUE : KUBE_CONDITION_FALSE,
        .reason = reason,
        .message = message,
        .observed_generation = run->service->metadata.generation,
    };
    return kube_condition_set(run->ctx, &service->status.conditions, &condition, NULL, run->err);
}

static kube_code set_ready(const struct run *run, app_service *service)
{
    const char *unfinished;
    if (run->hindrance.reason)
        return set_condition(run, service, CONDITION_READY, false, run->hindrance.reason,
                             run->hindrance.message);
    unfinished = deployment_unfinished(run->ctx, run->deployment);
    if (unfinished)
        return set_condition(run, service, CONDITION_READY, false, "RollingOut", unfinished);
    return set_condition(run, service, CONDITION_READY, true, "RolledOut",
                         kube_printf(run->ctx, "%d of %d replicas are available",
                                     run->deployment->status.available_replicas.value,
                                     run->deployment->status.updated_replicas.value));
}

/*
 * The statuses that were written last. A run may come before the cache has heard of one, and our
 * own write of a status runs nothing: compared with the status before that, a new one that is the
 * same would not be written, and the one between the two would stay.
 */
enum { RECENT = 256, UID_MAX = 64 };
static struct {
    pthread_mutex_t lock;
    struct {
        char uid[UID_MAX];
        unsigned long long version;
    } items[RECENT];
    size_t count;
} recent = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remember(const kube_object_meta *written)
{
    pthread_mutex_lock(&recent.lock);
    const size_t at = recent.count++ % RECENT;
    snprintf(recent.items[at].uid, UID_MAX, "%s", written->uid);
    recent.items[at].version = strtoull(written->resource_version, NULL, 10);
    pthread_mutex_unlock(&recent.lock);
}

static bool is_behind(const kube_object_meta *cached)
{
    const unsigned long long version = strtoull(cached->resource_version, NULL, 10);
    bool behind = false;
    pthread_mutex_lock(&recent.lock);
    for (size_t i = 0; i < RECENT; i++)
        behind = behind || (recent.items[i].version > version &&
                            strcmp(recent.items[i].uid, cached->uid) == 0);
    pthread_mutex_unlock(&recent.lock);
    return behind;
}

/* It may go meanwhile, and needs no status then. */
static kube_code unless_gone(kube_code rc)
{
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

/* The AppService as it is now: the server is asked if the cache is behind. */
static kube_code newest(const struct run *run, const app_service **out)
{
    app_service *now;
    kube_code rc;
    *out = run->service;
    if (!is_behind(&run->service->metadata))
        return KUBE_OK;
    rc = appcontroller_v1alpha1_app_services_get(run->c->client, run->ctx, run->request->key, NULL,
                                                 &now, run->err);
    *out = now;
    if (!rc && strcmp(now->metadata.uid, run->service->metadata.uid) != 0)
        return kube_error_set(run->err, KUBE_ERR_NOT_FOUND, "another AppService has its name");
    return rc;
}

static kube_code fill_status(const struct run *run, app_service *now)
{
    const bool serves = run->available > 0;
    kube_code rc = set_condition(run, now, CONDITION_AVAILABLE, serves,
                                 serves ? "ReplicasServe" : "NoReplicaServes", "");
    now->status.available_replicas = run->available;
    now->status.observed_generation = run->service->metadata.generation;
    now->status.selector = selector_text(run);
    return rc ? rc : set_ready(run, now);
}

/* Writes the status if it says anything new, and tells then what hinders. */
static kube_code write_status(const struct run *run)
{
    const kube_write_options options = {.field_manager = FIELD_MANAGER};
    const app_service *seen;
    app_service *now;
    kube_code rc = newest(run, &seen);
    if (rc)
        return unless_gone(rc);
    now = appcontroller_v1alpha1_app_service_deep_copy(run->ctx, seen);
    rc = fill_status(run, now);
    if (rc || kube_object_equal(&appcontroller_v1alpha1_app_service_type, &seen->base, &now->base))
        return rc;
    rc = appcontroller_v1alpha1_app_services_update_status(
        run->c->client, run->ctx, now->metadata.namespace_, now, &options, &now, run->err);
    if (rc)
        return unless_gone(rc);
    remember(&now->metadata);
    if (run->hindrance.event)
        kube_recorder_event(run->c->recorder, &run->service->base, KUBE_EVENT_WARNING,
                            run->hindrance.event, "%s", run->hindrance.message);
    return KUBE_OK;
}

/* ---- announcement --------------------------------------------------------------------------- */

static bool announces(const struct appservice_controller *c)
{
    return c->announce_dir && *c->announce_dir;
}

static kube_code withdraw(void *arg, kube_ctx *ctx, const kube_object *object, kube_error *err)
{
    const kube_key key = kube_meta_key(kube_object_metadata(object));
    struct appservice_controller *c = arg;
    if (announces(c))
        return announce_withdraw(ctx, c->announce_dir, key, err);
    kube_log_warn("%s/%s was announced by a run with --announce-dir: its file is left there",
                  key.namespace_, key.name);
    return KUBE_OK;
}

/*
 * The Deployment needs no finalizer: the garbage collector deletes what an AppService owns. The
 * announcement lies where it does not look. Without a directory no object gets the finalizer, but
 * one that has it from an earlier run is let go all the same. The service is NULL afterwards if
 * there is nothing left to do.
 */
static kube_code finalize(struct run *run)
{
    const app_service *now;
    kube_code rc;
    if (!kube_is_being_deleted(&run->service->metadata) && !announces(run->c))
        return KUBE_OK;
    rc = appcontroller_v1alpha1_app_service_finalize(run->c->client, run->ctx, run->service,
                                                     APPSERVICE_FINALIZER, withdraw, run->c, &now,
                                                     run->err);
    run->service = now;
    return rc;
}

static kube_code announce(const struct run *run)
{
    if (!announces(run->c) || !run->deployment)
        return KUBE_OK;
    return announce_put(run->ctx, run->c->announce_dir, run->request->key,
                        kube_printf(run->ctx, "deployment %s\navailable %d\n",
                                    run->deployment->metadata.name, run->available),
                        run->err);
}

/* ---- reconcile ------------------------------------------------------------------------------ */

// +kubebuilder:rbac:groups=appcontroller.k8s.io,resources=appservices,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=appcontroller.k8s.io,resources=appservices/status,verbs=update
// +kubebuilder:rbac:groups=appcontroller.k8s.io,resources=appservices/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;patch;delete
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
kube_code appservice_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                               kube_error *err)
{
    struct run run = {.c = request->arg, .ctx = ctx, .request = request, .err = err};
    kube_code rc = appcontroller_v1alpha1_app_service_lister_get(run.c->services, ctx, request->key,
                                                                 &run.service, err);
    if (rc == KUBE_ERR_NOT_FOUND) {
        kube_request_note(request, "it is gone, and the garbage collector sees to the rest");
        return KUBE_OK;
    }
    if (!rc)
        rc = finalize(&run);
    if (rc || !run.service)
        return rc;
    rc = ensure_deployment(&run);
    if (!rc)
        rc = see_to_all(&run);
    if (!rc)
        rc = write_status(&run);
    if (!rc)
        rc = announce(&run);
    if (rc || !run.hindrance.code)
        return rc;
    result->terminal = run.hindrance.terminal;
    return kube_error_set(err, run.hindrance.code, "%s", run.hindrance.message);
}
