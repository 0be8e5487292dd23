/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coordination.k8s.io/v1, imported by kubegen.
 *
 * Lease
 */
// +groupName=coordination.k8s.io
#ifndef COORDINATION_V1_TYPES_H
#define COORDINATION_V1_TYPES_H

#include <kube/meta.h>

typedef struct coordination_v1_lease_spec {
    kube_micro_time acquire_time;
    // +optional
    const char *holder_identity;
    kube_opt_int32 lease_duration_seconds;
    kube_opt_int32 lease_transitions;
    // +optional
    const char *preferred_holder;
    kube_micro_time renew_time;
    // +optional
    const char *strategy;
    kube_extra extra;
} coordination_v1_lease_spec;

// +genclient
typedef struct coordination_v1_lease {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    coordination_v1_lease_spec spec;
    kube_extra extra;
} coordination_v1_lease;

#endif /* COORDINATION_V1_TYPES_H */
