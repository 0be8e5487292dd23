/* SPDX-License-Identifier: Apache-2.0 */
/* A small program with a built-in API: what it is linked of is counted by check_size.sh. */
#include <apps/v1/api.h>
#include <kube/kube.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_config *config = NULL;
    kube_client *client = NULL;
    apps_v1_deployment_list *list;
    kube_error err;
    kube_code rc = KUBE_ERR_NO_MEMORY;
    kube_error_set(&err, rc, "out of memory");
    if (!ctx)
        goto out;
    rc = kube_config_load(NULL, &config, &err);
    if (rc == KUBE_OK)
        rc = kube_client_new(config, NULL, &client, &err);
    if (rc == KUBE_OK)
        rc = apps_v1_deployments_list(client, ctx, argc > 1 ? argv[1] : NULL, NULL, &list, &err);
    for (size_t i = 0; rc == KUBE_OK && i < list->len; i++)
        printf("%s/%s %d\n", list->items[i]->metadata.namespace_, list->items[i]->metadata.name,
               list->items[i]->status.ready_replicas.value);
out:
    if (rc != KUBE_OK)
        fprintf(stderr, "%s\n", err.message);
    kube_client_free(client);
    kube_config_free(config);
    kube_ctx_free(ctx);
    return rc != KUBE_OK;
}
