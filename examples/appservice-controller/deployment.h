/* SPDX-License-Identifier: Apache-2.0 */
/* The Deployment that an AppService wants, and whose the one is that has its name. */
#ifndef APPSERVICE_CONTROLLER_DEPLOYMENT_H
#define APPSERVICE_CONTROLLER_DEPLOYMENT_H

#include <appcontroller/v1alpha1/api.h>
#include <apps/v1/api.h>

#define FIELD_MANAGER "appservice-controller"
#define LABEL_INSTANCE "app.kubernetes.io/instance"
#define LABEL_MANAGED_BY "app.kubernetes.io/managed-by"
#define CONTAINER_NAME "app"

/* All that this controller says about the Deployment, and nothing else: what server-side apply
 * sends. In @ctx, and borrows from @service. */
kube_code deployment_wanted(kube_ctx *ctx, const appcontroller_v1alpha1_app_service *service,
                            const char *image, apps_v1_deployment **out, kube_error *err);
/* The path of the first thing that @wanted says and @found does not; NULL = there is none. What
 * others have put into @found is theirs and no difference. */
const char *deployment_difference(const apps_v1_deployment *wanted,
                                  const apps_v1_deployment *found);

enum deployment_claim {
    DEPLOYMENT_OURS,
    DEPLOYMENT_ORPHAN,      /* ours but for the reference: adopted */
    DEPLOYMENT_PREDECESSOR, /* of an AppService of this name that is gone: will be collected */
    DEPLOYMENT_FOREIGN,     /* anybody else's: left alone */
};
/* Whose @found is, that has the name which @wanted (of @service) is to have. */
enum deployment_claim deployment_claim(const apps_v1_deployment *found,
                                       const apps_v1_deployment *wanted,
                                       const appcontroller_v1alpha1_app_service *service);
/* "Deployment default/web is controlled by Network blue", in @ctx. Returns NULL if out of memory.
 */
const char *deployment_owner_text(kube_ctx *ctx, const apps_v1_deployment *found);

#endif /* APPSERVICE_CONTROLLER_DEPLOYMENT_H */
