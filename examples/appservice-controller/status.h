/* SPDX-License-Identifier: Apache-2.0 */
/* The status of an AppService: what is seen of its Deployment. */
#ifndef APPSERVICE_CONTROLLER_STATUS_H
#define APPSERVICE_CONTROLLER_STATUS_H

#include "controller.h"

#define CONDITION_AVAILABLE "Available" /* at least one copy serves */
#define CONDITION_READY "Ready"         /* all copies do, and are as the spec says */
#define REASON_NOT_OWNED "DeploymentNotOwned"

/* Whether the controller is hindered, and by what; NULL reason = it is not. */
struct hindrance {
    const char *reason;
    const char *message;
};

/* Writes the status, through the subresource, if it says anything new: what @deployment (NULL =
 * there is none of ours) shows, and what hinders. An AppService that is gone is fine. */
kube_code status_write(struct appservice_controller *c, kube_ctx *ctx,
                       const appcontroller_v1alpha1_app_service *service,
                       const apps_v1_deployment *deployment, const struct hindrance *hindrance,
                       kube_error *err);

#endif /* APPSERVICE_CONTROLLER_STATUS_H */
