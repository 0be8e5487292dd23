/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=shaped.example.org
#ifndef SHAPED_V1_TYPES_H
#define SHAPED_V1_TYPES_H

#include <kube/meta.h>

typedef struct shaped_v1_sample_spec {
    kube_quantity amount;
    kube_duration timeout;
    kube_time since;
    kube_label_selector *selector;
    // +nullable
    // +optional
    kube_opt_int32_list holes;
} shaped_v1_sample_spec;

typedef struct shaped_v1_sample_status {
    // +required
    kube_time at;
    // +optional
    // +listType=map
    // +listMapKey=type
    kube_condition_list conditions;
} shaped_v1_sample_status;

/** Sample has the shared types that bring rules of their own into a CRD. */
// +genclient
// +kubebuilder:subresource:status
typedef struct shaped_v1_sample {
    kube_object base;
    kube_object_meta metadata;
    shaped_v1_sample_spec spec;
    // +optional
    shaped_v1_sample_status status;
} shaped_v1_sample;

#endif /* SHAPED_V1_TYPES_H */
