/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apps/v1, imported by kubegen.
 *
 * DaemonSet: subresources status
 * Deployment: subresources scale, status
 * ReplicaSet: subresources scale, status
 * StatefulSet: subresources scale, status
 */
#ifndef APPS_V1_TYPES_H
#define APPS_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct apps_v1_rolling_update_daemon_set {
    kube_int_or_string max_surge;
    kube_int_or_string max_unavailable;
    kube_extra extra;
} apps_v1_rolling_update_daemon_set;

#define APPS_V1_DAEMON_SET_UPDATE_STRATEGY_TYPE_ON_DELETE "OnDelete"
#define APPS_V1_DAEMON_SET_UPDATE_STRATEGY_TYPE_ROLLING_UPDATE "RollingUpdate"

typedef struct apps_v1_daemon_set_update_strategy {
    apps_v1_rolling_update_daemon_set *rolling_update;
    // +optional
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} apps_v1_daemon_set_update_strategy;

typedef struct apps_v1_daemon_set_spec {
    kube_opt_int32 min_ready_seconds;
    kube_opt_int32 revision_history_limit;
    kube_label_selector selector;
    core_v1_pod_template_spec template_;
    // +optional
    // +kubegen:sendEmpty
    apps_v1_daemon_set_update_strategy update_strategy;
    kube_extra extra;
} apps_v1_daemon_set_spec;

typedef struct apps_v1_daemon_set_condition {
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    // +optional
    const char *status;
    // +optional
    const char *type;
    kube_extra extra;
} apps_v1_daemon_set_condition;
KUBE_DECLARE_LIST(apps_v1_daemon_set_condition);

typedef struct apps_v1_daemon_set_status {
    kube_opt_int32 collision_count;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    apps_v1_daemon_set_condition_list conditions;
    int32_t current_number_scheduled;
    int32_t desired_number_scheduled;
    kube_opt_int32 number_available;
    int32_t number_misscheduled;
    int32_t number_ready;
    kube_opt_int32 number_unavailable;
    kube_opt_int64 observed_generation;
    kube_opt_int32 updated_number_scheduled;
    kube_extra extra;
} apps_v1_daemon_set_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct apps_v1_daemon_set {
    kube_object base;
    kube_object_meta metadata;
    apps_v1_daemon_set_spec spec;
    // +optional
    // +kubegen:sendEmpty
    apps_v1_daemon_set_status status;
    kube_extra extra;
} apps_v1_daemon_set;

typedef struct apps_v1_rolling_update_deployment {
    kube_int_or_string max_surge;
    kube_int_or_string max_unavailable;
    kube_extra extra;
} apps_v1_rolling_update_deployment;

#define APPS_V1_DEPLOYMENT_STRATEGY_TYPE_RECREATE "Recreate"
#define APPS_V1_DEPLOYMENT_STRATEGY_TYPE_ROLLING_UPDATE "RollingUpdate"

typedef struct apps_v1_deployment_strategy {
    apps_v1_rolling_update_deployment *rolling_update;
    // +optional
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} apps_v1_deployment_strategy;

typedef struct apps_v1_deployment_spec {
    kube_opt_int32 min_ready_seconds;
    kube_opt_bool paused;
    kube_opt_int32 progress_deadline_seconds;
    kube_opt_int32 replicas;
    kube_opt_int32 revision_history_limit;
    kube_label_selector selector;
    // +optional
    // +kubegen:sendEmpty
    // +patchStrategy=retainKeys
    apps_v1_deployment_strategy strategy;
    core_v1_pod_template_spec template_;
    kube_extra extra;
} apps_v1_deployment_spec;

typedef struct apps_v1_deployment_condition {
    kube_time last_transition_time;
    kube_time last_update_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    // +optional
    const char *status;
    // +optional
    const char *type;
    kube_extra extra;
} apps_v1_deployment_condition;
KUBE_DECLARE_LIST(apps_v1_deployment_condition);

typedef struct apps_v1_deployment_status {
    kube_opt_int32 available_replicas;
    kube_opt_int32 collision_count;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    apps_v1_deployment_condition_list conditions;
    kube_opt_int64 observed_generation;
    kube_opt_int32 ready_replicas;
    kube_opt_int32 replicas;
    kube_opt_int32 terminating_replicas;
    kube_opt_int32 unavailable_replicas;
    kube_opt_int32 updated_replicas;
    kube_extra extra;
} apps_v1_deployment_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct apps_v1_deployment {
    kube_object base;
    kube_object_meta metadata;
    apps_v1_deployment_spec spec;
    // +optional
    // +kubegen:sendEmpty
    apps_v1_deployment_status status;
    kube_extra extra;
} apps_v1_deployment;

typedef struct apps_v1_replica_set_spec {
    kube_opt_int32 min_ready_seconds;
    kube_opt_int32 replicas;
    kube_label_selector selector;
    // +optional
    // +kubegen:sendEmpty
    core_v1_pod_template_spec template_;
    kube_extra extra;
} apps_v1_replica_set_spec;

typedef struct apps_v1_replica_set_condition {
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    // +optional
    const char *status;
    // +optional
    const char *type;
    kube_extra extra;
} apps_v1_replica_set_condition;
KUBE_DECLARE_LIST(apps_v1_replica_set_condition);

typedef struct apps_v1_replica_set_status {
    kube_opt_int32 available_replicas;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    apps_v1_replica_set_condition_list conditions;
    kube_opt_int32 fully_labeled_replicas;
    kube_opt_int64 observed_generation;
    kube_opt_int32 ready_replicas;
    int32_t replicas;
    kube_opt_int32 terminating_replicas;
    kube_extra extra;
} apps_v1_replica_set_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct apps_v1_replica_set {
    kube_object base;
    kube_object_meta metadata;
    apps_v1_replica_set_spec spec;
    // +optional
    // +kubegen:sendEmpty
    apps_v1_replica_set_status status;
    kube_extra extra;
} apps_v1_replica_set;

typedef struct apps_v1_stateful_set_ordinals {
    kube_opt_int32 start;
    kube_extra extra;
} apps_v1_stateful_set_ordinals;

typedef struct apps_v1_stateful_set_persistent_volume_claim_retention_policy {
    // +optional
    const char *when_deleted;
    // +optional
    const char *when_scaled;
    kube_extra extra;
} apps_v1_stateful_set_persistent_volume_claim_retention_policy;

typedef struct apps_v1_rolling_update_stateful_set_strategy {
    kube_int_or_string max_unavailable;
    kube_opt_int32 partition;
    kube_extra extra;
} apps_v1_rolling_update_stateful_set_strategy;

#define APPS_V1_STATEFUL_SET_UPDATE_STRATEGY_TYPE_ON_DELETE "OnDelete"
#define APPS_V1_STATEFUL_SET_UPDATE_STRATEGY_TYPE_RECREATE "Recreate"
#define APPS_V1_STATEFUL_SET_UPDATE_STRATEGY_TYPE_ROLLING_UPDATE "RollingUpdate"

typedef struct apps_v1_stateful_set_update_strategy {
    apps_v1_rolling_update_stateful_set_strategy *rolling_update;
    // +optional
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} apps_v1_stateful_set_update_strategy;

#define APPS_V1_STATEFUL_SET_SPEC_POD_MANAGEMENT_POLICY_ORDERED_READY "OrderedReady"
#define APPS_V1_STATEFUL_SET_SPEC_POD_MANAGEMENT_POLICY_PARALLEL "Parallel"

typedef struct apps_v1_stateful_set_spec {
    kube_opt_int32 min_ready_seconds;
    apps_v1_stateful_set_ordinals *ordinals;
    apps_v1_stateful_set_persistent_volume_claim_retention_policy
        *persistent_volume_claim_retention_policy;
    // +optional
    // +kubegen:intern
    const char *pod_management_policy;
    kube_opt_int32 replicas;
    kube_opt_int32 revision_history_limit;
    kube_label_selector selector;
    // +optional
    const char *service_name;
    core_v1_pod_template_spec template_;
    // +optional
    // +kubegen:sendEmpty
    apps_v1_stateful_set_update_strategy update_strategy;
    // +optional
    // +listType=atomic
    core_v1_persistent_volume_claim_list volume_claim_templates;
    kube_extra extra;
} apps_v1_stateful_set_spec;

typedef struct apps_v1_stateful_set_condition {
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    // +optional
    const char *status;
    // +optional
    const char *type;
    kube_extra extra;
} apps_v1_stateful_set_condition;
KUBE_DECLARE_LIST(apps_v1_stateful_set_condition);

typedef struct apps_v1_stateful_set_status {
    kube_opt_int32 available_replicas;
    kube_opt_int32 collision_count;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    apps_v1_stateful_set_condition_list conditions;
    kube_opt_int32 current_replicas;
    // +optional
    const char *current_revision;
    kube_opt_int64 observed_generation;
    kube_opt_int32 ready_replicas;
    int32_t replicas;
    // +optional
    const char *update_revision;
    kube_opt_int32 updated_replicas;
    kube_extra extra;
} apps_v1_stateful_set_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct apps_v1_stateful_set {
    kube_object base;
    kube_object_meta metadata;
    apps_v1_stateful_set_spec spec;
    // +optional
    // +kubegen:sendEmpty
    apps_v1_stateful_set_status status;
    kube_extra extra;
} apps_v1_stateful_set;

#endif /* APPS_V1_TYPES_H */
