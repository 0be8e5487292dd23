/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch/v1, imported by kubegen.
 *
 * CronJob: subresources status
 * Job: subresources status
 */
#ifndef BATCH_V1_TYPES_H
#define BATCH_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

#define BATCH_V1_POD_FAILURE_POLICY_ON_EXIT_CODES_REQUIREMENT_OPERATOR_IN "In"
#define BATCH_V1_POD_FAILURE_POLICY_ON_EXIT_CODES_REQUIREMENT_OPERATOR_NOT_IN "NotIn"

typedef struct batch_v1_pod_failure_policy_on_exit_codes_requirement {
    // +optional
    const char *container_name;
    // +kubegen:intern
    const char *operator_;
    // +listType=set
    int32_t_list values;
    kube_extra extra;
} batch_v1_pod_failure_policy_on_exit_codes_requirement;

typedef struct batch_v1_pod_failure_policy_on_pod_conditions_pattern {
    // +optional
    const char *status;
    const char *type;
    kube_extra extra;
} batch_v1_pod_failure_policy_on_pod_conditions_pattern;
KUBE_DECLARE_LIST(batch_v1_pod_failure_policy_on_pod_conditions_pattern);

#define BATCH_V1_POD_FAILURE_POLICY_RULE_ACTION_COUNT "Count"
#define BATCH_V1_POD_FAILURE_POLICY_RULE_ACTION_FAIL_INDEX "FailIndex"
#define BATCH_V1_POD_FAILURE_POLICY_RULE_ACTION_FAIL_JOB "FailJob"
#define BATCH_V1_POD_FAILURE_POLICY_RULE_ACTION_IGNORE "Ignore"

typedef struct batch_v1_pod_failure_policy_rule {
    // +kubegen:intern
    const char *action;
    batch_v1_pod_failure_policy_on_exit_codes_requirement *on_exit_codes;
    // +optional
    // +listType=atomic
    batch_v1_pod_failure_policy_on_pod_conditions_pattern_list on_pod_conditions;
    kube_extra extra;
} batch_v1_pod_failure_policy_rule;
KUBE_DECLARE_LIST(batch_v1_pod_failure_policy_rule);

typedef struct batch_v1_pod_failure_policy {
    // +listType=atomic
    batch_v1_pod_failure_policy_rule_list rules;
    kube_extra extra;
} batch_v1_pod_failure_policy;

typedef struct batch_v1_workload_pod_group_all_disruption_mode {
    kube_extra extra;
} batch_v1_workload_pod_group_all_disruption_mode;

typedef struct batch_v1_workload_pod_group_single_disruption_mode {
    kube_extra extra;
} batch_v1_workload_pod_group_single_disruption_mode;

typedef struct batch_v1_workload_pod_group_disruption_mode {
    batch_v1_workload_pod_group_all_disruption_mode *all;
    batch_v1_workload_pod_group_single_disruption_mode *single;
    kube_extra extra;
} batch_v1_workload_pod_group_disruption_mode;

typedef struct batch_v1_workload_pod_group_resource_claim {
    // +kubebuilder:validation:MinLength=1
    const char *name;
    // +optional
    const char *resource_claim_name;
    // +optional
    const char *resource_claim_template_name;
    kube_extra extra;
} batch_v1_workload_pod_group_resource_claim;
KUBE_DECLARE_LIST(batch_v1_workload_pod_group_resource_claim);

typedef struct batch_v1_topology_constraint {
    // +kubebuilder:validation:MinLength=1
    const char *key;
    kube_extra extra;
} batch_v1_topology_constraint;
KUBE_DECLARE_LIST(batch_v1_topology_constraint);

typedef struct batch_v1_workload_pod_group_scheduling_constraints {
    // +optional
    // +listType=atomic
    // +kubebuilder:validation:MaxItems=1
    batch_v1_topology_constraint_list topology;
    kube_extra extra;
} batch_v1_workload_pod_group_scheduling_constraints;

typedef struct batch_v1_workload_pod_group_basic_scheduling_policy {
    kube_extra extra;
} batch_v1_workload_pod_group_basic_scheduling_policy;

typedef struct batch_v1_workload_pod_group_gang_scheduling_policy {
    // +kubebuilder:validation:Minimum=1
    kube_opt_int32 min_count;
    kube_extra extra;
} batch_v1_workload_pod_group_gang_scheduling_policy;

typedef struct batch_v1_workload_pod_group_scheduling_policy {
    batch_v1_workload_pod_group_basic_scheduling_policy *basic;
    batch_v1_workload_pod_group_gang_scheduling_policy *gang;
    kube_extra extra;
} batch_v1_workload_pod_group_scheduling_policy;

// +kubebuilder:validation:XValidation:rule="!has(oldSelf.schedulingConstraints) || has(self.schedulingConstraints)",message="field schedulingConstraints is immutable once set"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.disruptionMode) || has(self.disruptionMode)",message="field disruptionMode is immutable once set"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.resourceClaims) || has(self.resourceClaims)",message="field resourceClaims is immutable once set"
typedef struct batch_v1_job_scheduling_configuration {
    // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="field is immutable"
    batch_v1_workload_pod_group_disruption_mode *disruption_mode;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    // +kubebuilder:validation:MaxItems=4
    // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="field is immutable"
    batch_v1_workload_pod_group_resource_claim_list resource_claims;
    // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="field is immutable"
    batch_v1_workload_pod_group_scheduling_constraints *scheduling_constraints;
    batch_v1_workload_pod_group_scheduling_policy *scheduling_policy;
    kube_extra extra;
} batch_v1_job_scheduling_configuration;

typedef struct batch_v1_success_policy_rule {
    kube_opt_int32 succeeded_count;
    // +optional
    const char *succeeded_indexes;
    kube_extra extra;
} batch_v1_success_policy_rule;
KUBE_DECLARE_LIST(batch_v1_success_policy_rule);

typedef struct batch_v1_success_policy {
    // +listType=atomic
    batch_v1_success_policy_rule_list rules;
    kube_extra extra;
} batch_v1_success_policy;

#define BATCH_V1_JOB_SPEC_COMPLETION_MODE_INDEXED "Indexed"
#define BATCH_V1_JOB_SPEC_COMPLETION_MODE_NON_INDEXED "NonIndexed"

#define BATCH_V1_JOB_SPEC_POD_REPLACEMENT_POLICY_FAILED "Failed"
#define BATCH_V1_JOB_SPEC_POD_REPLACEMENT_POLICY_TERMINATING_OR_FAILED "TerminatingOrFailed"

typedef struct batch_v1_job_spec {
    kube_opt_int64 active_deadline_seconds;
    kube_opt_int32 backoff_limit;
    kube_opt_int32 backoff_limit_per_index;
    // +optional
    // +kubegen:intern
    const char *completion_mode;
    kube_opt_int32 completions;
    // +optional
    const char *managed_by;
    kube_opt_bool manual_selector;
    kube_opt_int32 max_failed_indexes;
    kube_opt_int32 parallelism;
    batch_v1_pod_failure_policy *pod_failure_policy;
    // +optional
    // +kubegen:intern
    const char *pod_replacement_policy;
    batch_v1_job_scheduling_configuration *scheduling;
    kube_label_selector *selector;
    batch_v1_success_policy *success_policy;
    kube_opt_bool suspend;
    core_v1_pod_template_spec template_;
    kube_opt_int32 ttl_seconds_after_finished;
    kube_extra extra;
} batch_v1_job_spec;

typedef struct batch_v1_job_template_spec {
    // +optional
    // +kubegen:sendEmpty
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    batch_v1_job_spec spec;
    kube_extra extra;
} batch_v1_job_template_spec;

#define BATCH_V1_CRON_JOB_SPEC_CONCURRENCY_POLICY_ALLOW "Allow"
#define BATCH_V1_CRON_JOB_SPEC_CONCURRENCY_POLICY_FORBID "Forbid"
#define BATCH_V1_CRON_JOB_SPEC_CONCURRENCY_POLICY_REPLACE "Replace"

typedef struct batch_v1_cron_job_spec {
    // +optional
    // +kubegen:intern
    const char *concurrency_policy;
    kube_opt_int32 failed_jobs_history_limit;
    batch_v1_job_template_spec job_template;
    const char *schedule;
    kube_opt_int64 starting_deadline_seconds;
    kube_opt_int32 successful_jobs_history_limit;
    kube_opt_bool suspend;
    // +optional
    const char *time_zone;
    kube_extra extra;
} batch_v1_cron_job_spec;

typedef struct batch_v1_cron_job_status {
    // +optional
    // +listType=atomic
    core_v1_object_reference_list active;
    kube_time last_schedule_time;
    kube_time last_successful_time;
    kube_extra extra;
} batch_v1_cron_job_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct batch_v1_cron_job {
    kube_object base;
    kube_object_meta metadata;
    batch_v1_cron_job_spec spec;
    // +optional
    // +kubegen:sendEmpty
    batch_v1_cron_job_status status;
    kube_extra extra;
} batch_v1_cron_job;

typedef struct batch_v1_job_condition {
    kube_time last_probe_time;
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} batch_v1_job_condition;
KUBE_DECLARE_LIST(batch_v1_job_condition);

typedef struct batch_v1_uncounted_terminated_pods {
    // +optional
    // +listType=set
    kube_string_list failed;
    // +optional
    // +listType=set
    kube_string_list succeeded;
    kube_extra extra;
} batch_v1_uncounted_terminated_pods;

typedef struct batch_v1_job_status {
    kube_opt_int32 active;
    // +optional
    const char *completed_indexes;
    kube_time completion_time;
    // +optional
    // +listType=atomic
    // +patchMergeKey=type
    // +patchStrategy=merge
    batch_v1_job_condition_list conditions;
    kube_opt_int32 failed;
    // +optional
    const char *failed_indexes;
    kube_opt_int32 ready;
    kube_time start_time;
    kube_opt_int32 succeeded;
    kube_opt_int32 terminating;
    batch_v1_uncounted_terminated_pods *uncounted_terminated_pods;
    kube_extra extra;
} batch_v1_job_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct batch_v1_job {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    batch_v1_job_spec spec;
    // +optional
    // +kubegen:sendEmpty
    batch_v1_job_status status;
    kube_extra extra;
} batch_v1_job;

#endif /* BATCH_V1_TYPES_H */
