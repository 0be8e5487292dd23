/* SPDX-License-Identifier: Apache-2.0 */
/* network-controller keeps one real network for every Network object. */
#include "controller.h"
#include "flags.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct network_controller network = {0};
    kube_ctx *ctx = kube_ctx_new_signal(); /* first: threads inherit the blocked signals */
    kube_config *config = NULL;
    kube_client *client = NULL;
    kube_informer_factory *factory = NULL;
    kube_controller *controller = NULL;
    struct flags flags;
    kube_error err = {0};
    kube_code rc;

    if (!ctx || !flags_parse(&flags, argc, argv))
        return 2;
    const kube_config_options where = {.kubeconfig = flags.kubeconfig, .master = flags.master};
    const kube_informer_options cache = {.resync_ms = flags.resync_s * 1000};
    const kube_recorder_options events = {.component = "network-controller"};
    const kube_controller_options options = {
        .name = "networks",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = network_reconcile,
        .arg = &network,
        .workers = flags.workers,
    };

    rc = provider_files_new(flags.state_dir, &network.provider, &err);
    if (!rc) rc = kube_config_load(&where, &config, &err);
    if (!rc) rc = kube_client_new(config, &client, &err);
    if (!rc) rc = kube_recorder_new(client, &events, &network.recorder, &err);
    if (!rc) rc = kube_informer_factory_new(client, &cache, &factory, &err);
    if (!rc) rc = network_controller_init(&network, factory, &err);
    if (!rc) rc = kube_controller_new(factory, &options, &controller, &err);
    if (!rc) rc = network_enqueue_existing(&network, controller, ctx, &err);
    if (!rc) rc = kube_controller_run(controller, ctx, &err); /* until a signal */
    if (rc)
        fprintf(stderr, "network-controller: %s\n", err.message);

    kube_controller_free(controller);
    kube_informer_factory_free(factory);
    kube_recorder_free(network.recorder, 2000);
    kube_client_free(client);
    kube_config_free(config);
    provider_free(network.provider);
    kube_ctx_free(ctx);
    return rc ? 1 : 0;
}
