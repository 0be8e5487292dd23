/* SPDX-License-Identifier: Apache-2.0 */
/* A controller that writes a status: what docs/tutorial.md shows. */
#include <backup/v1alpha1/api.h>
#include <stdio.h>

typedef backup_v1alpha1_backup backup;

struct backup_controller {
    const backup_v1alpha1_backup_lister *backups;
    kube_client *client;
};

static kube_code set_ready(kube_ctx *ctx, backup *edited, kube_error *err)
{
    kube_condition *ready = KUBE_LIST_APPEND(ctx, &edited->status.conditions);

    if (!ready)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a condition");
    *ready = (kube_condition){.type = "Ready",
                              .status = "True",
                              .reason = "Saved",
                              .message = "",
                              .last_transition_time = kube_time_now(kube_ctx_clock(ctx))};
    return KUBE_OK;
}

static kube_code reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                           kube_error *err)
{
    struct backup_controller *c = request->arg;
    const backup *seen; /* in the cache: shared, read-only */
    backup *edited;
    kube_code rc = backup_v1alpha1_backup_lister_get(c->backups, ctx, request->key.namespace_,
                                                     request->key.name, &seen, err);

    if (rc == KUBE_ERR_NOT_FOUND)
        return KUBE_OK; /* deleted */
    if (rc)
        return rc;
    /* … save what is to be saved … */
    edited = backup_v1alpha1_backup_deep_copy(ctx, seen);
    if (!edited)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a copy");
    edited->status.last_run = kube_time_now(kube_ctx_clock(ctx));
    if (!seen->status.conditions.len)
        rc = set_ready(ctx, edited, err);
    result->requeue_after_ms = 3600 * 1000;
    if (rc)
        return rc;
    /* A conflict is an error like others: the key comes back, with the newer object. */
    return backup_v1alpha1_backups_update_status(c->client, ctx, request->key.namespace_, edited,
                                                 NULL, NULL, err);
}

int main(void)
{
    struct backup_controller c = {0};
    kube_ctx *ctx = kube_ctx_new_signal();
    kube_config *config = NULL;
    kube_informer_factory *factory = NULL;
    backup_v1alpha1_backup_informer *informer = NULL;
    kube_controller *controller = NULL;
    const kube_controller_options options = {
        .name = "backups",
        .for_ = &backup_v1alpha1_backup_type,
        .reconcile = reconcile,
        .arg = &c,
    };
    kube_error err;
    kube_code rc;

    if (!ctx)
        return 1;
    rc = kube_config_load(NULL, &config, &err);
    if (!rc) rc = kube_client_new(config, &c.client, &err);
    if (!rc) rc = kube_informer_factory_new(c.client, NULL, &factory, &err);
    if (!rc) rc = backup_v1alpha1_backup_informer_get(factory, &informer, &err);
    if (!rc) c.backups = backup_v1alpha1_backup_informer_lister(informer);
    if (!rc) rc = kube_controller_new(factory, &options, &controller, &err);
    if (!rc) rc = kube_controller_run(controller, ctx, &err);
    if (rc)
        fprintf(stderr, "backup-controller: %s\n", err.message);

    kube_controller_free(controller);
    kube_informer_factory_free(factory);
    kube_client_free(c.client);
    kube_config_free(config);
    kube_ctx_free(ctx);
    return rc ? 1 : 0;
}
