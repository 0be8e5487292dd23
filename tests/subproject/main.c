/* SPDX-License-Identifier: Apache-2.0 */
/* A controller that makes a Pod and writes a status: what docs/tutorial.md shows. */
#include <backup/v1alpha1/api.h>
#include <core/v1/api.h>
#include <kube/condition.h>
#include <kube/manager.h>

typedef backup_v1alpha1_backup backup;

struct backup_controller {
    const backup_v1alpha1_backup_lister *backups;
    kube_client *client;
};

/* Makes the Pod of the template, unless there is one already. */
static kube_code save(struct backup_controller *c, kube_ctx *ctx, const backup *of, kube_error *err)
{
    core_v1_pod pod = {
        .metadata = {.name = of->metadata.name,
                     .namespace_ = of->metadata.namespace_,
                     .labels = of->spec.template_.metadata.labels},
        .spec = of->spec.template_.spec,
    };
    kube_code rc = backup_v1alpha1_backup_set_controller_reference(ctx, &pod.metadata, of, err);
    if (!rc)
        rc = core_v1_pods_create(c->client, ctx, NULL, &pod, NULL, NULL, err);
    return rc == KUBE_ERR_ALREADY_EXISTS ? KUBE_OK : rc;
}

static kube_code reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                           kube_error *err)
{
    struct backup_controller *c = request->arg;
    const backup *seen; /* in the cache: shared, read-only */
    backup *edited;
    kube_code rc = backup_v1alpha1_backup_lister_get(c->backups, ctx, request->key, &seen, err);
    if (rc == KUBE_ERR_NOT_FOUND)
        return KUBE_OK; /* deleted */
    if (!rc)
        rc = save(c, ctx, seen, err);
    if (rc)
        return rc;
    const kube_condition saved = {
        .type = "Ready", .status = KUBE_CONDITION_TRUE, .reason = "Saved"};

    edited = backup_v1alpha1_backup_deep_copy(ctx, seen);
    edited->status.last_run = kube_time_now(kube_ctx_clock(ctx));
    rc = kube_condition_set(ctx, &edited->status.conditions, &saved, NULL, err);
    if (rc)
        return rc;
    result->requeue_after_ms = 3600 * 1000;
    /* A conflict is an error like others: the key comes back, with the newer object. */
    return backup_v1alpha1_backups_update_status(c->client, ctx, request->key.namespace_, edited,
                                                 NULL, NULL, err);
}

int main(int argc, char **argv)
{
    struct backup_controller c = {0};
    kube_manager_options options = {.name = "backup-controller"};
    const kube_controller_options backups = {
        .name = "backups",
        .for_ = &backup_v1alpha1_backup_type,
        .reconcile = reconcile,
        .arg = &c,
        .predicate = &kube_generation_changed, /* not the status, which it writes itself */
    };
    backup_v1alpha1_backup_informer *informer;
    kube_manager *manager = NULL;
    kube_error err;
    kube_code rc = kube_manager_options_parse(&options, argc, argv, &err);
    if (!rc)
        rc = kube_manager_new(&options, &manager, &err);
    if (rc)
        return kube_manager_end(manager, rc, &err);
    c.client = kube_manager_client(manager);
    rc = backup_v1alpha1_backup_informer_get(kube_manager_factory(manager), NULL, &informer, &err);
    if (!rc) {
        c.backups = backup_v1alpha1_backup_informer_lister(informer);
        rc = kube_manager_add_controller(manager, &backups, NULL, &err);
    }
    if (!rc)
        rc = kube_manager_run(manager, &err); /* until a signal */
    return kube_manager_end(manager, rc, &err);
}
