/* SPDX-License-Identifier: Apache-2.0 */
/* What the AppService controller does about one AppService. */
#ifndef APPSERVICE_CONTROLLER_CONTROLLER_H
#define APPSERVICE_CONTROLLER_CONTROLLER_H

#include <appcontroller/v1alpha1/api.h>
#include <apps/v1/api.h>
#include <kube/kube.h>

#define APPSERVICE_FINALIZER "appcontroller.k8s.io/announcement"

struct appservice_controller {
    kube_client *client;
    kube_recorder *recorder;
    const char *image;        /* what the Deployments run */
    const char *announce_dir; /* where AppServices are announced; NULL or "" = nowhere */
    /* Caches, borrowed from the factory's informers by appservice_init(). */
    const appcontroller_v1alpha1_app_service_lister *services;
    const apps_v1_deployment_lister *deployments;
};

/* Takes the caches from the factory, and gives them the indexes that it needs. */
kube_code appservice_init(struct appservice_controller *c, kube_informer_factory *factory,
                          kube_error *err);
/* What runs it besides AppServices: Deployments that one owns or names. */
kube_code appservice_follow(struct appservice_controller *c, kube_controller *controller,
                            kube_error *err);
/* Brings the Deployment to what the AppService says; the kube_reconcile of this controller. */
kube_code appservice_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                               kube_error *err);

#endif /* APPSERVICE_CONTROLLER_CONTROLLER_H */
