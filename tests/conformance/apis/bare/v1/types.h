/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=apps
#ifndef BARE_V1_TYPES_H
#define BARE_V1_TYPES_H

#include <kube/meta.h>

typedef struct bare_v1_deployment_spec {
    kube_opt_int32 replicas;
} bare_v1_deployment_spec;

/** Ten lines of a Deployment without room for what they do not name. */
// +genclient
// +genclient:noStatus
typedef struct bare_v1_deployment {
    kube_object base;
    kube_object_meta metadata;
    bare_v1_deployment_spec spec;
} bare_v1_deployment;

#endif /* BARE_V1_TYPES_H */
