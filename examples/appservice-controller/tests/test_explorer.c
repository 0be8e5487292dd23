/* SPDX-License-Identifier: Apache-2.0 */
/* The controller in many orders of events, with requests that fail, restarts and caches that lag.
 */
#include "world.h"

#include <kube/testing/explorer.h>
#include <string.h>

typedef appcontroller_v1alpha1_app_service app_service;

static struct appservice_controller app;

static void set_up(void)
{
    events = kube_fake_recorder_new();
    kube_log_set_level(KUBE_LOG_ERROR);
}

static void tear_down(void)
{
    kube_fake_recorder_free(events);
    kube_log_set_level(KUBE_LOG_INFO);
}

static kube_code start(void *arg, kube_explorer *x, kube_error *e)
{
    (void)arg;
    app = (struct appservice_controller){.client = kube_explorer_client(x),
                                         .recorder = kube_fake_recorder_recorder(events),
                                         .image = IMAGE};
    return appservice_init(&app, kube_explorer_factory(x), e);
}

/* ---- changes -------------------------------------------------------------------------------- */

static kube_code create_or_edit(kube_explorer *x, const char *name, kube_error *e)
{
    kube_client *c = kube_explorer_client(x);
    kube_ctx *scope = kube_explorer_ctx(x);
    const int replicas = 1 + (int)kube_explorer_random(x, 4);
    /* Each of two names, so that it moves; nobody else's. */
    const char *deployment = kube_printf(scope, "%s-%d", name, (int)kube_explorer_random(x, 2));
    const char *patch = kube_printf(scope, "{\"spec\":{\"deploymentName\":\"%s\",\"replicas\":%d}}",
                                    deployment, replicas);
    const app_service wanted = {
        .metadata = {.name = name},
        .spec = {.deployment_name = deployment, .replicas = KUBE_SOME(replicas)}};
    kube_code rc =
        appcontroller_v1alpha1_app_services_create(c, scope, "a", &wanted, NULL, NULL, e);
    kube_explorer_note(x, "%s a/%s: %s", rc ? "edit" : "create", name, patch);
    if (rc == KUBE_ERR_ALREADY_EXISTS)
        rc = appcontroller_v1alpha1_app_services_patch(c, scope, kube_key_of("a", name),
                                                       KUBE_PATCH_MERGE, patch, strlen(patch), NULL,
                                                       NULL, e);
    return rc;
}

/* Somebody scales or deletes a Deployment, or takes it away from its owner. */
static kube_code meddle(kube_explorer *x, const char *name, kube_error *e)
{
    static const char *const patches[] = {
        "{\"spec\":{\"replicas\":9}}",
        "{\"metadata\":{\"ownerReferences\":null}}",
        "{\"metadata\":{\"annotations\":{\"seen\":\"by me\"}}}",
    };
    kube_client *c = kube_explorer_client(x);
    kube_ctx *scope = kube_explorer_ctx(x);
    const char *deployment = kube_printf(scope, "%s-%d", name, (int)kube_explorer_random(x, 2));
    const uint64_t which = kube_explorer_random(x, 4);
    kube_code rc;
    if (which == 3) {
        kube_explorer_note(x, "delete Deployment a/%s", deployment);
        rc = apps_v1_deployments_delete(c, scope, kube_key_of("a", deployment), NULL, e);
    } else {
        kube_explorer_note(x, "patch Deployment a/%s: %s", deployment, patches[which]);
        rc = apps_v1_deployments_patch(c, scope, kube_key_of("a", deployment), KUBE_PATCH_MERGE,
                                       patches[which], strlen(patches[which]), NULL, NULL, e);
    }
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

/* Its Deployments go with it, or are left for who comes after it. */
static kube_code delete_service_of(kube_explorer *x, const char *name, kube_error *e)
{
    const kube_delete_options options = {.propagation_policy =
                                             kube_explorer_random(x, 2) ? "Background" : "Orphan"};
    kube_code rc = appcontroller_v1alpha1_app_services_delete(
        kube_explorer_client(x), kube_explorer_ctx(x), kube_key_of("a", name), &options, e);
    kube_explorer_note(x, "delete a/%s: %s", name, options.propagation_policy);
    return rc == KUBE_ERR_NOT_FOUND ? KUBE_OK : rc;
}

static kube_code make_change(void *arg, kube_explorer *x, kube_error *e)
{
    static const char *const names[] = {"red", "green", "blue"};
    const char *name = names[kube_explorer_random(x, 3)];
    (void)arg;
    switch (kube_explorer_random(x, 5)) {
    case 0:
        return delete_service_of(x, name, e);
    case 1:
    case 2:
        return meddle(x, name, e);
    default:
        return create_or_edit(x, name, e);
    }
}

/* ---- convergence ---------------------------------------------------------------------------- */

static kube_code check_service(kube_explorer *x, const app_service *service, kube_error *e)
{
    kube_ctx *scope = kube_explorer_ctx(x);
    const char *name = service->metadata.name;
    apps_v1_deployment *deployment;
    apps_v1_deployment *shaped;
    const char *difference;
    const kube_condition *ready;
    kube_code rc = apps_v1_deployments_get(kube_explorer_client(x), scope,
                                           kube_key_of("a", service->spec.deployment_name), NULL,
                                           &deployment, e);
    if (rc)
        return rc;
    shaped = apps_v1_deployment_deep_copy(scope, deployment);
    rc = deployment_shape(scope, service, IMAGE, shaped, e);
    if (rc)
        return rc;
    difference = deployment_difference(scope, deployment, shaped);
    if (difference)
        return kube_error_set(e, KUBE_ERR_INVALID, "the Deployment of %s differs: %s", name,
                              difference);
    if (service->status.observed_generation != service->metadata.generation)
        return kube_error_set(e, KUBE_ERR_INVALID, "the status of %s is of another generation",
                              name);
    ready = kube_condition_find(&service->status.conditions, CONDITION_READY);
    if (!ready || strcmp(ready->reason, "RollingOut") != 0)
        return kube_error_set(e, KUBE_ERR_INVALID, "%s is said to be hindered: %s", name,
                              ready ? ready->reason : "?");
    if (strcmp(service->status.selector,
               kube_printf(scope, LABEL_INSTANCE "=%s," LABEL_MANAGED_BY "=" FIELD_MANAGER,
                           service->spec.deployment_name)) != 0)
        return kube_error_set(e, KUBE_ERR_INVALID, "%s is said to serve by %s", name,
                              service->status.selector);
    return KUBE_OK;
}

/* Deployments that an AppService controls, but no longer names. */
static kube_code check_formers(kube_explorer *x, const app_service *service,
                               const apps_v1_deployment_list *deployments, kube_error *e)
{
    (void)x;
    for (size_t i = 0; i < deployments->len; i++) {
        const kube_object_meta *metadata = &deployments->items[i]->metadata;
        if (kube_is_controlled_by(metadata, &service->base) &&
            strcmp(metadata->name, service->spec.deployment_name) != 0)
            return kube_error_set(e, KUBE_ERR_INVALID, "%s is still there", metadata->name);
    }
    return KUBE_OK;
}

static kube_code converged(void *arg, kube_explorer *x, kube_error *e)
{
    kube_client *c = kube_explorer_client(x);
    kube_ctx *scope = kube_explorer_ctx(x);
    appcontroller_v1alpha1_app_service_list *services;
    apps_v1_deployment_list *deployments;
    kube_code rc = appcontroller_v1alpha1_app_services_list(c, scope, "a", NULL, &services, e);
    (void)arg;
    if (!rc)
        rc = apps_v1_deployments_list(c, scope, "a", NULL, &deployments, e);
    for (size_t i = 0; !rc && i < services->len; i++) {
        rc = check_service(x, services->items[i], e);
        if (!rc)
            rc = check_formers(x, services->items[i], deployments, e);
    }
    return rc;
}

START_TEST(it_converges_in_every_order)
{
    static const kube_explored_kind kinds[] = {{&apps_v1_deployment_type, true}};
    const kube_exploration what = {
        .for_ = &appcontroller_v1alpha1_app_service_type,
        .kinds = kinds,
        .kind_count = 1,
        .load_file = APPSERVICE_CRD,
        .load = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
        .start = start,
        .make_change = make_change,
        .reconcile = appservice_reconcile,
        .arg = &app,
        .converged = converged,
    };
    EXPECT_OK(kube_explore(&what, &err));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {it_converges_in_every_order};
    return run_cases("explorer", set_up, tear_down, tests, sizeof tests / sizeof *tests);
}
