/* SPDX-License-Identifier: Apache-2.0 */
#include "controller.h"

#include "announce.h"
#include "deployment.h"
#include "status.h"

#include <string.h>

typedef appcontroller_v1alpha1_app_service app_service;

/* What one reconcile has at hand. */
struct run {
    struct appservice_controller *c;
    kube_ctx *ctx;
    const app_service *service;
    const kube_request *request;
    kube_error *err;
};

/* ---- caches --------------------------------------------------------------------------------- */

/* Deployments by the uid of what controls them: finds those that lost their name in the spec. */
#define INDEX_CONTROLLER "controller"
/* AppServices by "namespace/deploymentName". */
#define INDEX_NAMED "named"

static void controller_values(void *arg, kube_ctx *ctx, const apps_v1_deployment *deployment,
                              kube_index_emit *emit, void *sink)
{
    const kube_owner_reference *controller = kube_controller_of(&deployment->metadata);
    (void)arg;
    (void)ctx;
    if (controller)
        emit(sink, controller->uid);
}

static void named_values(void *arg, kube_ctx *ctx, const app_service *service,
                         kube_index_emit *emit, void *sink)
{
    const char *name = service->spec.deployment_name;
    (void)arg;
    emit(sink, kube_printf(ctx, "%s/%s", service->metadata.namespace_, name ? name : ""));
}

kube_code appservice_init(struct appservice_controller *c, kube_informer_factory *factory,
                          kube_error *err)
{
    static const apps_v1_deployment_index by_controller = {controller_values, NULL};
    static const appcontroller_v1alpha1_app_service_index by_named = {named_values, NULL};
    appcontroller_v1alpha1_app_service_informer *services;
    apps_v1_deployment_informer *deployments;
    kube_code rc;
    rc = appcontroller_v1alpha1_app_service_informer_get(factory, NULL, &services, err);
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

static const char *controller_uid(const kube_object *object)
{
    const kube_owner_reference *controller = kube_controller_of(kube_object_metadata(object));
    return controller && controller->uid ? controller->uid : "";
}

static bool controller_changed(const kube_predicate *self, const kube_change *change)
{
    (void)self;
    if (!change->old_object || !change->new_object)
        return true;
    return strcmp(controller_uid(change->old_object), controller_uid(change->new_object)) != 0;
}

static const kube_predicate to_another_controller = {controller_changed, NULL, NULL};
/* Whether a Deployment may have become ours to take. */
static const kube_predicate claim_changed = {
    kube_predicate_any,
    (const kube_predicate *const[]){&to_another_controller, &kube_labels_changed, NULL}, NULL};

/* Runs those that name the Deployment without having it: it may have become free, or an orphan. */
static kube_code run_namesakes(void *arg, kube_ctx *ctx, const kube_object *object,
                               const kube_change *change, kube_map_emit *emit, void *sink,
                               kube_error *err)
{
    const kube_object_meta *deployment = kube_object_metadata(object);
    struct appservice_controller *c = arg;
    appcontroller_v1alpha1_app_service_cached_list named = {0};
    const char *value = kube_printf(ctx, "%s/%s", deployment->namespace_, deployment->name);
    kube_code rc = appcontroller_v1alpha1_app_service_lister_by_index(c->services, ctx, INDEX_NAMED,
                                                                      value, &named, err);
    (void)change;
    for (size_t i = 0; i < named.len; i++) {
        const kube_object_meta *service = &named.items[i]->metadata;
        if (!kube_is_controlled_by(deployment, &named.items[i]->base))
            emit(sink, kube_meta_key(service));
    }
    return rc;
}

kube_code appservice_follow(struct appservice_controller *c, kube_controller *controller,
                            kube_error *err)
{
    kube_code rc = kube_controller_owns(controller, &apps_v1_deployment_type, NULL, err);
    return rc ? rc
              : kube_controller_watches(controller, &apps_v1_deployment_type, run_namesakes, c,
                                        &claim_changed, err);
}

/* ---- announcement --------------------------------------------------------------------------- */

static bool announces(const struct appservice_controller *c)
{
    return c->announce_dir && *c->announce_dir;
}

static kube_code withdraw(void *arg, kube_ctx *ctx, const kube_object *object, kube_error *err)
{
    const kube_object_meta *metadata = kube_object_metadata(object);
    const kube_key key = {metadata->namespace_, metadata->name};
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
 * one that has it from an earlier run is let go all the same.
 */
static kube_code finalize(const struct run *run, bool *go_on)
{
    struct appservice_controller *c = run->c;
    *go_on = !kube_is_being_deleted(&run->service->metadata);
    if (*go_on && !announces(c))
        return KUBE_OK;
    return kube_finalize(c->client, run->ctx, &run->service->base, APPSERVICE_FINALIZER, withdraw,
                         c, go_on, run->err);
}

static kube_code announce(const struct run *run, const apps_v1_deployment *deployment)
{
    const char *text;
    if (!announces(run->c))
        return KUBE_OK;
    text = kube_printf(run->ctx, "deployment %s\navailable %d\n", deployment->metadata.name,
                       deployment->status.available_replicas.value);
    return announce_put(run->ctx, run->c->announce_dir, run->request->key, text, run->err);
}

/* ---- Deployment ----------------------------------------------------------------------------- */

/* Once for every change that was made, so not after every run. */
static void say_synced(const struct run *run, const char *done, const apps_v1_deployment *object,
                       const char *difference)
{
    const char *separator = *difference ? ": " : "";
    kube_request_note(run->request, "%s Deployment %s%s%s", done, object->metadata.name, separator,
                      difference);
    kube_recorder_event(run->c->recorder, &run->service->base, KUBE_EVENT_NORMAL, "Synced",
                        "%s Deployment %s%s%s", done, object->metadata.name, separator, difference);
}

/* Sends all that we want. Forced, for our fields are ours: who edited one sees it set back. Fields
 * that we do not name stay with who set them. */
static kube_code apply(const struct run *run, const apps_v1_deployment *wanted,
                       const apps_v1_deployment **out)
{
    const kube_apply_options options = {.field_manager = FIELD_MANAGER, .force = true};
    apps_v1_deployment *applied;
    kube_code rc = apps_v1_deployments_apply(run->c->client, run->ctx, wanted->metadata.namespace_,
                                             wanted, &options, &applied, run->err);
    *out = applied;
    if (rc)
        kube_error_prefix(run->err, "cannot apply Deployment %s", wanted->metadata.name);
    return rc;
}

/* Applies what is wanted if @found (NULL = there is none) lacks any of it; *out is how it is then.
 * Looking first keeps our own write, when it comes back as an event, from causing another. */
static kube_code ensure(const struct run *run, const apps_v1_deployment *wanted,
                        const apps_v1_deployment *found, const apps_v1_deployment **out)
{
    const char *difference = found ? deployment_difference(wanted, found) : "";
    kube_code rc;
    *out = found;
    if (!difference)
        return KUBE_OK;
    rc = apply(run, wanted, out);
    if (rc)
        return rc;
    if (!found)
        say_synced(run, "created", wanted, "");
    else if (!kube_controller_of(&found->metadata))
        say_synced(run, "adopted", wanted, "");
    else
        say_synced(run, "changed", wanted, difference);
    return KUBE_OK;
}

static kube_code delete_deployment(const struct run *run, const apps_v1_deployment *old)
{
    const kube_delete_options options = {.propagation_policy = "Background",
                                         .precondition_uid = old->metadata.uid};
    kube_code rc = apps_v1_deployments_delete(run->c->client, run->ctx,
                                              kube_meta_key(&old->metadata), &options, run->err);
    /* Gone, or gone and another has the name. */
    if (rc == KUBE_ERR_NOT_FOUND || rc == KUBE_ERR_CONFLICT)
        return KUBE_OK;
    if (rc)
        kube_error_prefix(run->err, "cannot delete Deployment %s", old->metadata.name);
    else
        say_synced(run, "deleted", old, "");
    return rc;
}

/* Deployments of ours whose name the spec no longer says. They go when the new one is there. */
static kube_code delete_former(const struct run *run)
{
    const app_service *service = run->service;
    apps_v1_deployment_cached_list ours;
    kube_code rc = apps_v1_deployment_lister_by_index(
        run->c->deployments, run->ctx, INDEX_CONTROLLER, service->metadata.uid, &ours, run->err);
    for (size_t i = 0; !rc && i < ours.len; i++) {
        const kube_object_meta *old = &ours.items[i]->metadata;
        if (strcmp(old->name, service->spec.deployment_name) != 0 && !kube_is_being_deleted(old))
            rc = delete_deployment(run, ours.items[i]);
    }
    return rc;
}

/* ---- hindrances ----------------------------------------------------------------------------- */

/* What only a change of the objects can mend: said in the status and as an event, and not tried
 * again until then. */
static kube_code refuse(const struct run *run, kube_code code, const char *event,
                        const struct hindrance *hindrance, kube_result *result)
{
    kube_code rc = status_write(run->c, run->ctx, run->service, NULL, hindrance, run->err);
    if (rc)
        return rc;
    kube_request_note(run->request, "refused: %s", hindrance->message);
    kube_recorder_event(run->c->recorder, &run->service->base, KUBE_EVENT_WARNING, event, "%s",
                        hindrance->message);
    result->terminal = true;
    return kube_error_set(run->err, code, "%s", hindrance->message);
}

static kube_code refuse_foreign(const struct run *run, const apps_v1_deployment *found,
                                kube_result *result)
{
    const struct hindrance foreign = {REASON_NOT_OWNED, deployment_owner_text(run->ctx, found)};
    return refuse(run, KUBE_ERR_ALREADY_EXISTS, "ErrResourceExists", &foreign, result);
}

/* The event of its end runs us again. */
static kube_code wait_for_end(const struct run *run)
{
    const struct hindrance waiting = {"WaitingForDeletion",
                                      "the last Deployment of that name is being deleted"};
    kube_request_note(run->request, "waits for the end of Deployment %s",
                      run->service->spec.deployment_name);
    return status_write(run->c, run->ctx, run->service, NULL, &waiting, run->err);
}

/*
 * An AppService that is being deleted lets its Deployment go (--cascade=orphan), and our cache may
 * hear of the letting go first. Taken back now, the Deployment would be collected with it: so
 * before an adoption the server is asked, as client-go's controllers do.
 */
static kube_code may_adopt(const struct run *run, bool *may)
{
    const kube_object_meta *metadata = &run->service->metadata;
    app_service *now;
    kube_code rc = appcontroller_v1alpha1_app_services_get(
        run->c->client, run->ctx, kube_meta_key(metadata), NULL, &now, run->err);
    *may = !rc && strcmp(now->metadata.uid, metadata->uid) == 0 &&
           !kube_is_being_deleted(&now->metadata);
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

/* ---- reconcile ------------------------------------------------------------------------------ */

static kube_code keep(const struct run *run, const apps_v1_deployment *wanted,
                      const apps_v1_deployment *found)
{
    const struct hindrance none = {NULL, NULL};
    const apps_v1_deployment *deployment;
    kube_code rc = ensure(run, wanted, found, &deployment);
    if (!rc)
        rc = delete_former(run);
    if (!rc)
        rc = announce(run, deployment);
    return rc ? rc : status_write(run->c, run->ctx, run->service, deployment, &none, run->err);
}

static kube_code reconcile_service(const struct run *run, kube_result *result)
{
    const app_service *service = run->service;
    enum deployment_claim claim = DEPLOYMENT_OURS;
    const apps_v1_deployment *found;
    apps_v1_deployment *wanted;
    bool may = true;
    kube_code rc = apps_v1_deployment_lister_get(
        run->c->deployments, run->ctx,
        kube_key_of(service->metadata.namespace_, service->spec.deployment_name), &found, run->err);
    if (rc && rc != KUBE_ERR_NOT_FOUND)
        return rc;
    rc = deployment_wanted(run->ctx, service, run->c->image, &wanted, run->err);
    if (rc)
        return rc;
    if (found)
        claim = deployment_claim(found, wanted, service);
    if (claim == DEPLOYMENT_FOREIGN)
        return refuse_foreign(run, found, result);
    if (claim == DEPLOYMENT_PREDECESSOR || (found && kube_is_being_deleted(&found->metadata)))
        return wait_for_end(run);
    if (claim == DEPLOYMENT_ORPHAN)
        rc = may_adopt(run, &may);
    if (!may)
        kube_request_note(run->request, "does not adopt: it is being deleted itself");
    return rc || !may ? rc : keep(run, wanted, found);
}

// +kubebuilder:rbac:groups=appcontroller.k8s.io,resources=appservices,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=appcontroller.k8s.io,resources=appservices/status,verbs=update
// +kubebuilder:rbac:groups=appcontroller.k8s.io,resources=appservices/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;patch;delete
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
kube_code appservice_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                               kube_error *err)
{
    const struct hindrance nameless = {"InvalidSpec", "spec.deploymentName is empty"};
    struct run run = {.c = request->arg, .ctx = ctx, .request = request, .err = err};
    bool go_on;
    kube_code rc;
    rc = appcontroller_v1alpha1_app_service_lister_get(run.c->services, ctx, request->key,
                                                       &run.service, err);
    if (rc == KUBE_ERR_NOT_FOUND) {
        kube_request_note(request, "it is gone, and the garbage collector sees to the rest");
        return KUBE_OK;
    }
    if (!rc)
        rc = finalize(&run, &go_on);
    if (rc || !go_on)
        return rc;
    if (!run.service->spec.deployment_name || !*run.service->spec.deployment_name)
        return refuse(&run, KUBE_ERR_INVALID, nameless.reason, &nameless, result);
    return reconcile_service(&run, result);
}
