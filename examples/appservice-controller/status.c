/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"

#include "deployment.h"

#include <string.h>

typedef appcontroller_v1alpha1_app_service app_service;
typedef appcontroller_v1alpha1_app_service_status app_status;

/* What one write of a status is about. */
struct write {
    struct appservice_controller *c;
    const app_service *service; /* as the cache has it */
    const apps_v1_deployment *deployment;
    const struct hindrance *hindrance;
    int tries;
};

static int32_t available_of(const apps_v1_deployment *deployment)
{
    return deployment ? deployment->status.available_replicas.value : 0;
}

/* "k=v,k=v" of the Deployment's selector: what kubectl scale and autoscalers count by. */
static const char *selector_text(kube_ctx *ctx, const apps_v1_deployment *deployment)
{
    const kube_string_map *labels = &deployment->spec.selector.match_labels;
    const char *text = "";
    for (size_t i = 0; i < labels->len; i++)
        text = kube_printf(ctx, "%s%s%s=%s", text, i ? "," : "", labels->items[i].key,
                           labels->items[i].value);
    return text;
}

/* Whether the Deployment has done all that its spec says, by the status it has written since. */
static bool is_rolled_out(const apps_v1_deployment *deployment, int32_t wanted)
{
    return deployment->status.observed_generation.value >= deployment->metadata.generation &&
           deployment->status.updated_replicas.value >= wanted &&
           available_of(deployment) >= wanted;
}

static kube_code set_available(kube_ctx *ctx, const struct write *w, app_status *status,
                               bool *changed, kube_error *err)
{
    bool some = available_of(w->deployment) > 0;
    const kube_condition available = {
        .type = CONDITION_AVAILABLE,
        .status = some ? KUBE_CONDITION_TRUE : KUBE_CONDITION_FALSE,
        .reason = some ? "ReplicasServe" : "NoReplicaServes",
        .observed_generation = w->service->metadata.generation,
    };
    return kube_condition_set(ctx, &status->conditions, &available, changed, err);
}

static kube_code set_ready(kube_ctx *ctx, const struct write *w, app_status *status, bool *changed,
                           kube_error *err)
{
    int32_t wanted =
        w->deployment && w->deployment->spec.replicas.set ? w->deployment->spec.replicas.value : 1;
    bool ready = !w->hindrance->reason && w->deployment && is_rolled_out(w->deployment, wanted);
    kube_condition condition = {
        .type = CONDITION_READY,
        .status = ready ? KUBE_CONDITION_TRUE : KUBE_CONDITION_FALSE,
        .reason = ready ? "RolledOut" : "RollingOut",
        .observed_generation = w->service->metadata.generation,
    };
    if (w->hindrance->reason) {
        condition.reason = w->hindrance->reason;
        condition.message = w->hindrance->message;
    } else {
        condition.message = kube_printf(ctx, "%d of %d replicas are available",
                                        available_of(w->deployment), wanted);
    }
    return kube_condition_set(ctx, &status->conditions, &condition, changed, err);
}

/* Makes @status say what is seen; whether it did not before. */
static kube_code renew(kube_ctx *ctx, const struct write *w, app_status *status, bool *changed,
                       kube_error *err)
{
    const char *selector = w->deployment ? selector_text(ctx, w->deployment) : "";
    bool available_changed;
    bool ready_changed;
    kube_code rc;
    *changed = status->available_replicas != available_of(w->deployment) ||
               status->observed_generation != w->service->metadata.generation ||
               strcmp(status->selector ? status->selector : "", selector) != 0;
    status->available_replicas = available_of(w->deployment);
    status->observed_generation = w->service->metadata.generation;
    status->selector = *selector ? selector : NULL;
    rc = set_available(ctx, w, status, &available_changed, err);
    if (!rc)
        rc = set_ready(ctx, w, status, &ready_changed, err);
    if (!rc)
        *changed = *changed || available_changed || ready_changed;
    return rc;
}

/* The cache's object at first: mostly it is the newest. After a conflict, the server's. */
static kube_code newest(struct write *w, kube_ctx *ctx, app_service **out, kube_error *err)
{
    const kube_object_meta *metadata = &w->service->metadata;
    kube_code rc;
    if (w->tries++ == 0) {
        *out = appcontroller_v1alpha1_app_service_deep_copy(ctx, w->service);
        return KUBE_OK;
    }
    rc = appcontroller_v1alpha1_app_services_get(w->c->client, ctx, kube_meta_key(metadata), NULL,
                                                 out, err);
    if (!rc && strcmp((*out)->metadata.uid, metadata->uid) != 0)
        return kube_error_set(err, KUBE_ERR_NOT_FOUND, "another AppService has its name");
    return rc;
}

static kube_code try_write(void *arg, kube_ctx *ctx, kube_error *err)
{
    const kube_write_options options = {.field_manager = FIELD_MANAGER};
    struct write *w = arg;
    app_service *service;
    app_service *written;
    bool changed = false;
    kube_code rc = newest(w, ctx, &service, err);
    if (!rc)
        rc = renew(ctx, w, &service->status, &changed, err);
    if (rc || !changed)
        return rc;
    return appcontroller_v1alpha1_app_services_update_status(
        w->c->client, ctx, service->metadata.namespace_, service, &options, &written, err);
}

kube_code status_write(struct appservice_controller *c, kube_ctx *ctx, const app_service *service,
                       const apps_v1_deployment *deployment, const struct hindrance *hindrance,
                       kube_error *err)
{
    struct write w = {c, service, deployment, hindrance, 0};
    kube_code rc = kube_retry_on_conflict(ctx, try_write, &w, err);
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}
