/* SPDX-License-Identifier: Apache-2.0 */
/*
 * autoscaling/v2, imported by kubegen.
 *
 * HorizontalPodAutoscaler: subresources status
 */
#ifndef AUTOSCALING_V2_TYPES_H
#define AUTOSCALING_V2_TYPES_H

#include <kube/meta.h>

typedef struct autoscaling_v2_hpa_scaling_policy {
    int32_t period_seconds;
    const char *type;
    int32_t value;
    kube_extra extra;
} autoscaling_v2_hpa_scaling_policy;
KUBE_DECLARE_LIST(autoscaling_v2_hpa_scaling_policy);

typedef struct autoscaling_v2_hpa_scaling_rules {
    // +optional
    // +listType=atomic
    autoscaling_v2_hpa_scaling_policy_list policies;
    // +optional
    const char *select_policy;
    kube_opt_int32 stabilization_window_seconds;
    kube_quantity tolerance;
    kube_extra extra;
} autoscaling_v2_hpa_scaling_rules;

typedef struct autoscaling_v2_horizontal_pod_autoscaler_behavior {
    autoscaling_v2_hpa_scaling_rules *scale_down;
    autoscaling_v2_hpa_scaling_rules *scale_up;
    kube_extra extra;
} autoscaling_v2_horizontal_pod_autoscaler_behavior;

typedef struct autoscaling_v2_metric_target {
    kube_opt_int32 average_utilization;
    kube_quantity average_value;
    const char *type;
    kube_quantity value;
    kube_extra extra;
} autoscaling_v2_metric_target;

typedef struct autoscaling_v2_container_resource_metric_source {
    const char *container;
    const char *name;
    autoscaling_v2_metric_target target;
    kube_extra extra;
} autoscaling_v2_container_resource_metric_source;

typedef struct autoscaling_v2_metric_identifier {
    const char *name;
    kube_label_selector *selector;
    kube_extra extra;
} autoscaling_v2_metric_identifier;

typedef struct autoscaling_v2_external_metric_source {
    autoscaling_v2_metric_identifier metric;
    autoscaling_v2_metric_target target;
    kube_extra extra;
} autoscaling_v2_external_metric_source;

typedef struct autoscaling_v2_cross_version_object_reference {
    // +optional
    // +kubegen:intern
    const char *api_version;
    // +kubegen:intern
    const char *kind;
    const char *name;
    kube_extra extra;
} autoscaling_v2_cross_version_object_reference;

typedef struct autoscaling_v2_object_metric_source {
    autoscaling_v2_cross_version_object_reference described_object;
    autoscaling_v2_metric_identifier metric;
    autoscaling_v2_metric_target target;
    kube_extra extra;
} autoscaling_v2_object_metric_source;

typedef struct autoscaling_v2_pods_metric_source {
    autoscaling_v2_metric_identifier metric;
    autoscaling_v2_metric_target target;
    kube_extra extra;
} autoscaling_v2_pods_metric_source;

typedef struct autoscaling_v2_resource_metric_source {
    const char *name;
    autoscaling_v2_metric_target target;
    kube_extra extra;
} autoscaling_v2_resource_metric_source;

typedef struct autoscaling_v2_metric_spec {
    autoscaling_v2_container_resource_metric_source *container_resource;
    autoscaling_v2_external_metric_source *external;
    autoscaling_v2_object_metric_source *object;
    autoscaling_v2_pods_metric_source *pods;
    autoscaling_v2_resource_metric_source *resource;
    const char *type;
    kube_extra extra;
} autoscaling_v2_metric_spec;
KUBE_DECLARE_LIST(autoscaling_v2_metric_spec);

typedef struct autoscaling_v2_horizontal_pod_autoscaler_spec {
    autoscaling_v2_horizontal_pod_autoscaler_behavior *behavior;
    int32_t max_replicas;
    // +optional
    // +listType=atomic
    autoscaling_v2_metric_spec_list metrics;
    kube_opt_int32 min_replicas;
    autoscaling_v2_cross_version_object_reference scale_target_ref;
    kube_extra extra;
} autoscaling_v2_horizontal_pod_autoscaler_spec;

typedef struct autoscaling_v2_horizontal_pod_autoscaler_condition {
    kube_time last_transition_time;
    // +optional
    const char *message;
    kube_opt_int64 observed_generation;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} autoscaling_v2_horizontal_pod_autoscaler_condition;
KUBE_DECLARE_LIST(autoscaling_v2_horizontal_pod_autoscaler_condition);

typedef struct autoscaling_v2_metric_value_status {
    kube_opt_int32 average_utilization;
    kube_quantity average_value;
    kube_quantity value;
    kube_extra extra;
} autoscaling_v2_metric_value_status;

typedef struct autoscaling_v2_container_resource_metric_status {
    const char *container;
    autoscaling_v2_metric_value_status current;
    const char *name;
    kube_extra extra;
} autoscaling_v2_container_resource_metric_status;

typedef struct autoscaling_v2_external_metric_status {
    autoscaling_v2_metric_value_status current;
    autoscaling_v2_metric_identifier metric;
    kube_extra extra;
} autoscaling_v2_external_metric_status;

typedef struct autoscaling_v2_object_metric_status {
    autoscaling_v2_metric_value_status current;
    autoscaling_v2_cross_version_object_reference described_object;
    autoscaling_v2_metric_identifier metric;
    kube_extra extra;
} autoscaling_v2_object_metric_status;

typedef struct autoscaling_v2_pods_metric_status {
    autoscaling_v2_metric_value_status current;
    autoscaling_v2_metric_identifier metric;
    kube_extra extra;
} autoscaling_v2_pods_metric_status;

typedef struct autoscaling_v2_resource_metric_status {
    autoscaling_v2_metric_value_status current;
    const char *name;
    kube_extra extra;
} autoscaling_v2_resource_metric_status;

typedef struct autoscaling_v2_metric_status {
    autoscaling_v2_container_resource_metric_status *container_resource;
    autoscaling_v2_external_metric_status *external;
    autoscaling_v2_object_metric_status *object;
    autoscaling_v2_pods_metric_status *pods;
    autoscaling_v2_resource_metric_status *resource;
    const char *type;
    kube_extra extra;
} autoscaling_v2_metric_status;
KUBE_DECLARE_LIST(autoscaling_v2_metric_status);

typedef struct autoscaling_v2_horizontal_pod_autoscaler_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    autoscaling_v2_horizontal_pod_autoscaler_condition_list conditions;
    // +optional
    // +listType=atomic
    autoscaling_v2_metric_status_list current_metrics;
    kube_opt_int32 current_replicas;
    int32_t desired_replicas;
    kube_time last_scale_time;
    kube_opt_int64 observed_generation;
    kube_extra extra;
} autoscaling_v2_horizontal_pod_autoscaler_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct autoscaling_v2_horizontal_pod_autoscaler {
    kube_object base;
    kube_object_meta metadata;
    autoscaling_v2_horizontal_pod_autoscaler_spec spec;
    // +optional
    // +kubegen:sendEmpty
    autoscaling_v2_horizontal_pod_autoscaler_status status;
    kube_extra extra;
} autoscaling_v2_horizontal_pod_autoscaler;

#endif /* AUTOSCALING_V2_TYPES_H */
