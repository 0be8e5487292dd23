/* SPDX-License-Identifier: Apache-2.0 */
/* appservice-controller runs a Deployment for every AppService. */
#include "controller.h"

int main(int argc, char **argv)
{
    struct appservice_controller app = {.image = "nginx:1.27"};
    const kube_flag flags[] = {
        {.name = "image", .value = "IMAGE", .help = "what the Deployments run", .text = &app.image},
        {.name = "announce-dir",
         .value = "DIR",
         .help = "announce every AppService by a file in this directory",
         .text = &app.announce_dir},
        {0},
    };
    kube_manager_options options = {
        .name = "appservice-controller",
        .summary = "Runs a Deployment for every AppService.",
        .version = PROGRAM_VERSION,
        .flags = flags,
        .leader_election = true,
    };
    const kube_controller_options appservices = {
        .name = "appservices",
        .for_ = &appcontroller_v1alpha1_app_service_type,
        .reconcile = appservice_reconcile,
        .arg = &app,
        .workers = 2,
        .reconcile_timeout_ms = 60000,
        .predicate = &kube_generation_changed,
    };
    kube_manager *manager = NULL;
    kube_controller *controller;
    kube_error err;
    kube_code rc = kube_manager_options_parse(&options, argc, argv, &err);

    if (!rc) rc = kube_manager_new(&options, &manager, &err);
    if (!rc) {
        app.client = kube_manager_client(manager);
        app.recorder = kube_manager_recorder(manager);
        rc = appservice_init(&app, kube_manager_factory(manager), &err);
    }
    if (!rc) rc = kube_manager_add_controller(manager, &appservices, &controller, &err);
    if (!rc) rc = appservice_follow(&app, controller, &err);
    if (!rc) rc = kube_manager_run(manager, &err); /* until a signal */
    return kube_manager_end(manager, rc, &err);
}
