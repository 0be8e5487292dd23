/* SPDX-License-Identifier: Apache-2.0 */
/* What the AppService controller does about one AppService. */
#ifndef APPSERVICE_CONTROLLER_CONTROLLER_H
#define APPSERVICE_CONTROLLER_CONTROLLER_H

#include <appcontroller/v1alpha1/api.h>
#include <apps/v1/api.h>
#include <kube/kube.h>

#define FIELD_MANAGER "appservice-controller"
#define APPSERVICE_FINALIZER "appcontroller.k8s.io/announcement"
#define CONDITION_AVAILABLE "Available" /* at least one copy serves */
#define CONDITION_READY "Ready"         /* the Deployment is as the spec says, and rolled out */

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
/* Says what runs it besides its AppServices: see the README. */
kube_code appservice_follow(struct appservice_controller *c, kube_controller *controller,
                            kube_error *err);
/* The kube_reconcile of this controller. */
kube_code appservice_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                               kube_error *err);

/* ---- deployment.c: what an AppService wants of a Deployment --------------------------------- */

#define LABEL_INSTANCE "app.kubernetes.io/instance"
#define LABEL_MANAGED_BY "app.kubernetes.io/managed-by"
#define CONTAINER_NAME "app"

/* Puts into @deployment what this controller says about it, and leaves all else as it is. An empty
 * one is then what to create and to apply; a copy of one that is there is how that should be. */
kube_code deployment_shape(kube_ctx *ctx, const appcontroller_v1alpha1_app_service *service,
                           const char *image, apps_v1_deployment *deployment, kube_error *err);
/* The path of the first member in which the two differ, in @ctx; NULL if they do not. */
const char *deployment_difference(kube_ctx *ctx, const apps_v1_deployment *a,
                                  const apps_v1_deployment *b);
/* Whether @found was left by an AppService that wanted @wanted (kubectl delete --cascade=orphan).
 */
bool deployment_is_orphan(const apps_v1_deployment *found, const apps_v1_deployment *wanted);
/* What `kubectl rollout status` would wait for, in @ctx; NULL if it has been rolled out. */
const char *deployment_unfinished(kube_ctx *ctx, const apps_v1_deployment *deployment);

/* ---- announce.c: files outside the cluster, where no garbage collector looks ---------------- */

/* Puts DIR/<namespace>_<name> there with that text, in one step. */
kube_code announce_put(kube_ctx *ctx, const char *dir, kube_key key, const char *text,
                       kube_error *err);
/* Takes it away; KUBE_OK also when it was not there. */
kube_code announce_withdraw(kube_ctx *ctx, const char *dir, kube_key key, kube_error *err);

#endif /* APPSERVICE_CONTROLLER_CONTROLLER_H */
