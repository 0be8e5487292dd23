/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy/v1, imported by kubegen.
 *
 * PodDisruptionBudget: subresources status
 */
#ifndef POLICY_V1_TYPES_H
#define POLICY_V1_TYPES_H

#include <kube/meta.h>

KUBE_DECLARE_MAP(kube_time);

#define POLICY_V1_POD_DISRUPTION_BUDGET_SPEC_UNHEALTHY_POD_EVICTION_POLICY_ALWAYS_ALLOW \
    "AlwaysAllow"
#define POLICY_V1_POD_DISRUPTION_BUDGET_SPEC_UNHEALTHY_POD_EVICTION_POLICY_IF_HEALTHY_BUDGET \
    "IfHealthyBudget"

typedef struct policy_v1_pod_disruption_budget_spec {
    kube_int_or_string max_unavailable;
    kube_int_or_string min_available;
    // +patchStrategy=replace
    kube_label_selector *selector;
    // +optional
    // +kubegen:intern
    const char *unhealthy_pod_eviction_policy;
    kube_extra extra;
} policy_v1_pod_disruption_budget_spec;

typedef struct policy_v1_pod_disruption_budget_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    kube_condition_list conditions;
    kube_opt_int32 current_healthy;
    kube_opt_int32 desired_healthy;
    // +optional
    kube_time_map disrupted_pods;
    kube_opt_int32 disruptions_allowed;
    kube_opt_int32 expected_pods;
    kube_opt_int64 observed_generation;
    kube_extra extra;
} policy_v1_pod_disruption_budget_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct policy_v1_pod_disruption_budget {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    policy_v1_pod_disruption_budget_spec spec;
    // +optional
    // +kubegen:sendEmpty
    policy_v1_pod_disruption_budget_status status;
    kube_extra extra;
} policy_v1_pod_disruption_budget;

#endif /* POLICY_V1_TYPES_H */
