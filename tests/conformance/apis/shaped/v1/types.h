/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=shaped.example.org
#ifndef SHAPED_V1_TYPES_H
#define SHAPED_V1_TYPES_H

#include <kube/meta.h>

/** Of each shape one that is required. */
typedef struct shaped_v1_needs {
    const char *text;
    bool flag;
    int32_t small;
    int64_t large;
    double ratio;
    // +required
    kube_opt_bool maybe_flag;
    // +required
    kube_opt_int32 maybe_small;
    // +required
    kube_opt_int64 maybe_large;
    // +required
    kube_opt_double maybe_ratio;
    // +required
    kube_time at;
    // +required
    kube_micro_time exactly_at;
    // +required
    kube_duration timeout;
    // +required
    kube_quantity memory;
    // +required
    kube_int_or_string port;
    // +required
    kube_bytes blob;
    // +required
    kube_raw_json config;
    kube_label_selector value;
    // +required
    kube_label_selector *pointer;
    kube_label_selector_list list;
    kube_string_list names;
    kube_string_map labels;
    kube_quantity_map limits;
} shaped_v1_needs;

typedef struct shaped_v1_sample_spec {
    kube_quantity amount;
    kube_duration timeout;
    kube_time since;
    kube_label_selector *selector;
    // +nullable
    // +optional
    kube_opt_int32_list holes;
    shaped_v1_needs *needs;
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
