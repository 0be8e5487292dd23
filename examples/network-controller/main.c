/* SPDX-License-Identifier: Apache-2.0 */
/* network-controller keeps one real network for every Network object. */
#include "controller.h"

int main(int argc, char **argv)
{
    struct network_controller network = {0};
    const char *state_dir = "networks";
    int64_t workers = 2;
    const kube_flag flags[] = {
        {.name = "state-dir",
         .value = "DIR",
         .help = "where the networks are kept",
         .text = &state_dir},
        {.name = "workers",
         .help = "reconcile that many objects at once",
         .number = &workers,
         .least = 1,
         .most = 64},
        {.name = NULL},
    };
    kube_manager_options options = {
        .name = "network-controller",
        .summary = "Keeps one real network for every Network object (samplecrd.k8s.io/v1).",
        .version = PROGRAM_VERSION,
        .flags = flags,
        .resync_ms = 30000,
    };
    kube_manager *manager = NULL;
    kube_error err;
    kube_code rc = kube_manager_options_parse(&options, argc, argv, &err);
    int status;

    if (!rc) rc = kube_manager_new(&options, &manager, &err);
    if (!rc) rc = provider_files_new(state_dir, &network.provider, &err);
    if (!rc) rc = network_controller_add(&network, manager, (int)workers, &err);
    if (!rc) rc = kube_manager_run(manager, &err); /* until a signal */
    status = kube_manager_end(manager, rc, &err);
    provider_free(network.provider);
    return status;
}
