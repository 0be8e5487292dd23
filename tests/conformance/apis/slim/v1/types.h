/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=apps
#ifndef SLIM_V1_TYPES_H
#define SLIM_V1_TYPES_H

#include <kube/meta.h>

/** The one field of a Deployment's spec that the test cares about. */
typedef struct slim_v1_deployment_spec {
    kube_opt_int32 replicas;
    kube_extra extra;
} slim_v1_deployment_spec;

/** Ten lines of a Deployment that keep all the rest of it. */
// +genclient
// +genclient:noStatus
typedef struct slim_v1_deployment {
    kube_object base;
    kube_object_meta metadata;
    slim_v1_deployment_spec spec;
    kube_extra extra;
} slim_v1_deployment;

#endif /* SLIM_V1_TYPES_H */
