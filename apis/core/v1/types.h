/* SPDX-License-Identifier: Apache-2.0 */
/*
 * v1, imported by kubegen.
 *
 * ConfigMap
 * Endpoints
 * Event
 * Namespace: subresources finalize, status
 * Node: subresources proxy, status
 * Pod: subresources attach, binding, ephemeralcontainers, eviction, exec, log, portforward, proxy,
 * resize, status
 * Secret
 * Service: subresources proxy, status
 * ServiceAccount: subresources token
 */
// +groupName=
#ifndef CORE_V1_TYPES_H
#define CORE_V1_TYPES_H

#include <kube/meta.h>

// +genclient
typedef struct core_v1_config_map {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    kube_bytes_map binary_data;
    // +optional
    kube_string_map data;
    kube_opt_bool immutable;
    kube_extra extra;
} core_v1_config_map;

// +structType=atomic
typedef struct core_v1_object_reference {
    // +optional
    // +kubegen:intern
    const char *api_version;
    // +optional
    const char *field_path;
    // +optional
    // +kubegen:intern
    const char *kind;
    // +optional
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    // +optional
    const char *resource_version;
    // +optional
    const char *uid;
    kube_extra extra;
} core_v1_object_reference;
KUBE_DECLARE_LIST(core_v1_object_reference);

// +structType=atomic
typedef struct core_v1_endpoint_address {
    // +optional
    const char *hostname;
    const char *ip;
    // +optional
    const char *node_name;
    core_v1_object_reference *target_ref;
    kube_extra extra;
} core_v1_endpoint_address;
KUBE_DECLARE_LIST(core_v1_endpoint_address);

#define CORE_V1_ENDPOINT_PORT_PROTOCOL_SCTP "SCTP"
#define CORE_V1_ENDPOINT_PORT_PROTOCOL_TCP "TCP"
#define CORE_V1_ENDPOINT_PORT_PROTOCOL_UDP "UDP"

// +structType=atomic
typedef struct core_v1_endpoint_port {
    // +optional
    const char *app_protocol;
    // +optional
    const char *name;
    int32_t port;
    // +optional
    // +kubegen:intern
    const char *protocol;
    kube_extra extra;
} core_v1_endpoint_port;
KUBE_DECLARE_LIST(core_v1_endpoint_port);

typedef struct core_v1_endpoint_subset {
    // +optional
    // +listType=atomic
    core_v1_endpoint_address_list addresses;
    // +optional
    // +listType=atomic
    core_v1_endpoint_address_list not_ready_addresses;
    // +optional
    // +listType=atomic
    core_v1_endpoint_port_list ports;
    kube_extra extra;
} core_v1_endpoint_subset;
KUBE_DECLARE_LIST(core_v1_endpoint_subset);

// +genclient
// +resourceName=endpoints
// +cPlural=endpoints_objects
typedef struct core_v1_endpoints {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +listType=atomic
    core_v1_endpoint_subset_list subsets;
    kube_extra extra;
} core_v1_endpoints;

typedef struct core_v1_event_series {
    kube_opt_int32 count;
    kube_micro_time last_observed_time;
    kube_extra extra;
} core_v1_event_series;

typedef struct core_v1_event_source {
    // +optional
    const char *component;
    // +optional
    const char *host;
    kube_extra extra;
} core_v1_event_source;

// +genclient
typedef struct core_v1_event {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    const char *action;
    kube_opt_int32 count;
    kube_micro_time event_time;
    kube_time first_timestamp;
    core_v1_object_reference involved_object;
    kube_time last_timestamp;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    core_v1_object_reference *related;
    // +optional
    const char *reporting_component;
    // +optional
    const char *reporting_instance;
    core_v1_event_series *series;
    // +optional
    // +kubegen:sendEmpty
    core_v1_event_source source;
    // +optional
    const char *type;
    kube_extra extra;
} core_v1_event;

typedef struct core_v1_namespace_spec {
    // +optional
    // +listType=atomic
    kube_string_list finalizers;
    kube_extra extra;
} core_v1_namespace_spec;

typedef struct core_v1_namespace_condition {
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} core_v1_namespace_condition;
KUBE_DECLARE_LIST(core_v1_namespace_condition);

#define CORE_V1_NAMESPACE_STATUS_PHASE_ACTIVE "Active"
#define CORE_V1_NAMESPACE_STATUS_PHASE_TERMINATING "Terminating"

typedef struct core_v1_namespace_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    core_v1_namespace_condition_list conditions;
    // +optional
    // +kubegen:intern
    const char *phase;
    kube_extra extra;
} core_v1_namespace_status;

// +genclient
// +genclient:nonNamespaced
// +genclient:skipVerbs=deleteCollection
// +kubebuilder:subresource:status
typedef struct core_v1_namespace {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    core_v1_namespace_spec spec;
    // +optional
    // +kubegen:sendEmpty
    core_v1_namespace_status status;
    kube_extra extra;
} core_v1_namespace;

typedef struct core_v1_config_map_node_config_source {
    const char *kubelet_config_key;
    const char *name;
    // +kubegen:intern
    const char *namespace_;
    // +optional
    const char *resource_version;
    // +optional
    const char *uid;
    kube_extra extra;
} core_v1_config_map_node_config_source;

typedef struct core_v1_node_config_source {
    core_v1_config_map_node_config_source *config_map;
    kube_extra extra;
} core_v1_node_config_source;

typedef struct core_v1_node_pod_preemption_policy {
    // +optional
    // +listType=set
    // +kubebuilder:validation:MaxItems=20
    kube_string_list disable_resize_preemption;
    kube_extra extra;
} core_v1_node_pod_preemption_policy;

#define CORE_V1_TAINT_EFFECT_NO_EXECUTE "NoExecute"
#define CORE_V1_TAINT_EFFECT_NO_SCHEDULE "NoSchedule"
#define CORE_V1_TAINT_EFFECT_PREFER_NO_SCHEDULE "PreferNoSchedule"

typedef struct core_v1_taint {
    // +kubegen:intern
    const char *effect;
    const char *key;
    kube_time time_added;
    // +optional
    const char *value;
    kube_extra extra;
} core_v1_taint;
KUBE_DECLARE_LIST(core_v1_taint);

typedef struct core_v1_node_spec {
    core_v1_node_config_source *config_source;
    // +optional
    // +json=externalID
    const char *external_id;
    // +optional
    // +json=podCIDR
    const char *pod_cidr;
    // +optional
    // +json=podCIDRs
    // +listType=set
    // +patchStrategy=merge
    kube_string_list pod_cidrs;
    core_v1_node_pod_preemption_policy *pod_preemption_policy;
    // +optional
    // +json=providerID
    const char *provider_id;
    // +optional
    // +listType=atomic
    core_v1_taint_list taints;
    kube_opt_bool unschedulable;
    kube_extra extra;
} core_v1_node_spec;

typedef struct core_v1_node_address {
    const char *address;
    const char *type;
    kube_extra extra;
} core_v1_node_address;
KUBE_DECLARE_LIST(core_v1_node_address);

typedef struct core_v1_node_condition {
    kube_time last_heartbeat_time;
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} core_v1_node_condition;
KUBE_DECLARE_LIST(core_v1_node_condition);

typedef struct core_v1_node_config_status {
    core_v1_node_config_source *active;
    core_v1_node_config_source *assigned;
    // +optional
    const char *error;
    core_v1_node_config_source *last_known_good;
    kube_extra extra;
} core_v1_node_config_status;

typedef struct core_v1_daemon_endpoint {
    // +json=Port
    int32_t port;
    kube_extra extra;
} core_v1_daemon_endpoint;

typedef struct core_v1_node_daemon_endpoints {
    // +optional
    // +kubegen:sendEmpty
    core_v1_daemon_endpoint kubelet_endpoint;
    kube_extra extra;
} core_v1_node_daemon_endpoints;

typedef struct core_v1_node_features {
    kube_opt_bool supplemental_groups_policy;
    kube_extra extra;
} core_v1_node_features;

typedef struct core_v1_container_image {
    // +optional
    // +listType=atomic
    kube_string_list names;
    kube_opt_int64 size_bytes;
    kube_extra extra;
} core_v1_container_image;
KUBE_DECLARE_LIST(core_v1_container_image);

typedef struct core_v1_node_swap_status {
    kube_opt_int64 capacity;
    kube_extra extra;
} core_v1_node_swap_status;

typedef struct core_v1_node_system_info {
    const char *architecture;
    // +json=bootID
    const char *boot_id;
    const char *container_runtime_version;
    const char *kernel_version;
    const char *kube_proxy_version;
    const char *kubelet_version;
    // +json=machineID
    const char *machine_id;
    const char *operating_system;
    const char *os_image;
    kube_opt_bool running_in_user_namespace;
    core_v1_node_swap_status *swap;
    // +json=systemUUID
    const char *system_uuid;
    kube_extra extra;
} core_v1_node_system_info;

typedef struct core_v1_node_runtime_handler_features {
    kube_opt_bool recursive_read_only_mounts;
    kube_opt_bool user_namespaces;
    kube_extra extra;
} core_v1_node_runtime_handler_features;

typedef struct core_v1_node_runtime_handler {
    core_v1_node_runtime_handler_features *features;
    // +optional
    const char *name;
    kube_extra extra;
} core_v1_node_runtime_handler;
KUBE_DECLARE_LIST(core_v1_node_runtime_handler);

typedef struct core_v1_attached_volume {
    const char *device_path;
    const char *name;
    kube_extra extra;
} core_v1_attached_volume;
KUBE_DECLARE_LIST(core_v1_attached_volume);

#define CORE_V1_NODE_STATUS_PHASE_PENDING "Pending"
#define CORE_V1_NODE_STATUS_PHASE_RUNNING "Running"
#define CORE_V1_NODE_STATUS_PHASE_TERMINATED "Terminated"

typedef struct core_v1_node_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    core_v1_node_address_list addresses;
    // +optional
    kube_quantity_map allocatable;
    // +optional
    kube_quantity_map capacity;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    core_v1_node_condition_list conditions;
    core_v1_node_config_status *config;
    // +optional
    // +kubegen:sendEmpty
    core_v1_node_daemon_endpoints daemon_endpoints;
    // +optional
    // +listType=atomic
    kube_string_list declared_features;
    core_v1_node_features *features;
    // +optional
    // +listType=atomic
    core_v1_container_image_list images;
    // +optional
    // +kubegen:sendEmpty
    core_v1_node_system_info node_info;
    // +optional
    // +kubegen:intern
    const char *phase;
    // +optional
    // +listType=atomic
    core_v1_node_runtime_handler_list runtime_handlers;
    // +optional
    // +listType=atomic
    core_v1_attached_volume_list volumes_attached;
    // +optional
    // +listType=atomic
    kube_string_list volumes_in_use;
    kube_extra extra;
} core_v1_node_status;

// +genclient
// +genclient:nonNamespaced
// +kubebuilder:subresource:status
typedef struct core_v1_node {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    core_v1_node_spec spec;
    // +optional
    // +kubegen:sendEmpty
    core_v1_node_status status;
    kube_extra extra;
} core_v1_node;

#define CORE_V1_NODE_SELECTOR_REQUIREMENT_OPERATOR_DOES_NOT_EXIST "DoesNotExist"
#define CORE_V1_NODE_SELECTOR_REQUIREMENT_OPERATOR_EXISTS "Exists"
#define CORE_V1_NODE_SELECTOR_REQUIREMENT_OPERATOR_GT "Gt"
#define CORE_V1_NODE_SELECTOR_REQUIREMENT_OPERATOR_IN "In"
#define CORE_V1_NODE_SELECTOR_REQUIREMENT_OPERATOR_LT "Lt"
#define CORE_V1_NODE_SELECTOR_REQUIREMENT_OPERATOR_NOT_IN "NotIn"

typedef struct core_v1_node_selector_requirement {
    const char *key;
    // +kubegen:intern
    const char *operator_;
    // +optional
    // +listType=atomic
    kube_string_list values;
    kube_extra extra;
} core_v1_node_selector_requirement;
KUBE_DECLARE_LIST(core_v1_node_selector_requirement);

// +structType=atomic
typedef struct core_v1_node_selector_term {
    // +optional
    // +listType=atomic
    core_v1_node_selector_requirement_list match_expressions;
    // +optional
    // +listType=atomic
    core_v1_node_selector_requirement_list match_fields;
    kube_extra extra;
} core_v1_node_selector_term;
KUBE_DECLARE_LIST(core_v1_node_selector_term);

typedef struct core_v1_preferred_scheduling_term {
    core_v1_node_selector_term preference;
    int32_t weight;
    kube_extra extra;
} core_v1_preferred_scheduling_term;
KUBE_DECLARE_LIST(core_v1_preferred_scheduling_term);

// +structType=atomic
typedef struct core_v1_node_selector {
    // +listType=atomic
    core_v1_node_selector_term_list node_selector_terms;
    kube_extra extra;
} core_v1_node_selector;

typedef struct core_v1_node_affinity {
    // +optional
    // +listType=atomic
    core_v1_preferred_scheduling_term_list preferred_during_scheduling_ignored_during_execution;
    core_v1_node_selector *required_during_scheduling_ignored_during_execution;
    kube_extra extra;
} core_v1_node_affinity;

typedef struct core_v1_pod_affinity_term {
    kube_label_selector *label_selector;
    // +optional
    // +listType=atomic
    kube_string_list match_label_keys;
    // +optional
    // +listType=atomic
    kube_string_list mismatch_label_keys;
    kube_label_selector *namespace_selector;
    // +optional
    // +listType=atomic
    kube_string_list namespaces;
    const char *topology_key;
    kube_extra extra;
} core_v1_pod_affinity_term;
KUBE_DECLARE_LIST(core_v1_pod_affinity_term);

typedef struct core_v1_weighted_pod_affinity_term {
    core_v1_pod_affinity_term pod_affinity_term;
    int32_t weight;
    kube_extra extra;
} core_v1_weighted_pod_affinity_term;
KUBE_DECLARE_LIST(core_v1_weighted_pod_affinity_term);

typedef struct core_v1_pod_affinity {
    // +optional
    // +listType=atomic
    core_v1_weighted_pod_affinity_term_list preferred_during_scheduling_ignored_during_execution;
    // +optional
    // +listType=atomic
    core_v1_pod_affinity_term_list required_during_scheduling_ignored_during_execution;
    kube_extra extra;
} core_v1_pod_affinity;

typedef struct core_v1_pod_anti_affinity {
    // +optional
    // +listType=atomic
    core_v1_weighted_pod_affinity_term_list preferred_during_scheduling_ignored_during_execution;
    // +optional
    // +listType=atomic
    core_v1_pod_affinity_term_list required_during_scheduling_ignored_during_execution;
    kube_extra extra;
} core_v1_pod_anti_affinity;

typedef struct core_v1_affinity {
    core_v1_node_affinity *node_affinity;
    core_v1_pod_affinity *pod_affinity;
    core_v1_pod_anti_affinity *pod_anti_affinity;
    kube_extra extra;
} core_v1_affinity;

// +structType=atomic
typedef struct core_v1_config_map_key_selector {
    const char *key;
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_config_map_key_selector;

// +structType=atomic
typedef struct core_v1_object_field_selector {
    // +optional
    // +kubegen:intern
    const char *api_version;
    const char *field_path;
    kube_extra extra;
} core_v1_object_field_selector;

// +structType=atomic
typedef struct core_v1_file_key_selector {
    const char *key;
    // +default=false
    kube_opt_bool optional;
    const char *path;
    const char *volume_name;
    kube_extra extra;
} core_v1_file_key_selector;

// +structType=atomic
typedef struct core_v1_resource_field_selector {
    // +optional
    const char *container_name;
    kube_quantity divisor;
    const char *resource;
    kube_extra extra;
} core_v1_resource_field_selector;

// +structType=atomic
typedef struct core_v1_secret_key_selector {
    const char *key;
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_secret_key_selector;

typedef struct core_v1_env_var_source {
    core_v1_config_map_key_selector *config_map_key_ref;
    core_v1_object_field_selector *field_ref;
    core_v1_file_key_selector *file_key_ref;
    core_v1_resource_field_selector *resource_field_ref;
    core_v1_secret_key_selector *secret_key_ref;
    kube_extra extra;
} core_v1_env_var_source;

typedef struct core_v1_env_var {
    const char *name;
    // +optional
    const char *value;
    core_v1_env_var_source *value_from;
    kube_extra extra;
} core_v1_env_var;
KUBE_DECLARE_LIST(core_v1_env_var);

// +structType=atomic
typedef struct core_v1_config_map_env_source {
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_config_map_env_source;

// +structType=atomic
typedef struct core_v1_secret_env_source {
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_secret_env_source;

typedef struct core_v1_env_from_source {
    core_v1_config_map_env_source *config_map_ref;
    // +optional
    const char *prefix;
    core_v1_secret_env_source *secret_ref;
    kube_extra extra;
} core_v1_env_from_source;
KUBE_DECLARE_LIST(core_v1_env_from_source);

typedef struct core_v1_exec_action {
    // +optional
    // +listType=atomic
    kube_string_list command;
    kube_extra extra;
} core_v1_exec_action;

typedef struct core_v1_http_header {
    const char *name;
    const char *value;
    kube_extra extra;
} core_v1_http_header;
KUBE_DECLARE_LIST(core_v1_http_header);

#define CORE_V1_HTTP_GET_ACTION_PROTOCOL_HTTP1 "HTTP1"
#define CORE_V1_HTTP_GET_ACTION_PROTOCOL_HTTP2 "HTTP2"

#define CORE_V1_HTTP_GET_ACTION_SCHEME_HTTP "HTTP"
#define CORE_V1_HTTP_GET_ACTION_SCHEME_HTTPS "HTTPS"

typedef struct core_v1_http_get_action {
    // +optional
    const char *host;
    // +optional
    // +listType=atomic
    core_v1_http_header_list http_headers;
    // +optional
    const char *path;
    // +required
    kube_int_or_string port;
    // +optional
    // +kubegen:intern
    const char *protocol;
    // +optional
    // +kubegen:intern
    const char *scheme;
    kube_extra extra;
} core_v1_http_get_action;

typedef struct core_v1_sleep_action {
    int64_t seconds;
    kube_extra extra;
} core_v1_sleep_action;

typedef struct core_v1_tcp_socket_action {
    // +optional
    const char *host;
    // +required
    kube_int_or_string port;
    kube_extra extra;
} core_v1_tcp_socket_action;

typedef struct core_v1_lifecycle_handler {
    core_v1_exec_action *exec;
    core_v1_http_get_action *http_get;
    core_v1_sleep_action *sleep;
    core_v1_tcp_socket_action *tcp_socket;
    kube_extra extra;
} core_v1_lifecycle_handler;

#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGABRT "SIGABRT"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGALRM "SIGALRM"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGBUS "SIGBUS"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGCHLD "SIGCHLD"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGCLD "SIGCLD"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGCONT "SIGCONT"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGFPE "SIGFPE"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGHUP "SIGHUP"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGILL "SIGILL"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGINT "SIGINT"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGIO "SIGIO"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGIOT "SIGIOT"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGKILL "SIGKILL"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGPIPE "SIGPIPE"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGPOLL "SIGPOLL"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGPROF "SIGPROF"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGPWR "SIGPWR"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGQUIT "SIGQUIT"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX "SIGRTMAX"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_1 "SIGRTMAX-1"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_10 "SIGRTMAX-10"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_11 "SIGRTMAX-11"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_12 "SIGRTMAX-12"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_13 "SIGRTMAX-13"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_14 "SIGRTMAX-14"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_2 "SIGRTMAX-2"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_3 "SIGRTMAX-3"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_4 "SIGRTMAX-4"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_5 "SIGRTMAX-5"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_6 "SIGRTMAX-6"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_7 "SIGRTMAX-7"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_8 "SIGRTMAX-8"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMAX_9 "SIGRTMAX-9"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN "SIGRTMIN"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_1 "SIGRTMIN+1"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_10 "SIGRTMIN+10"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_11 "SIGRTMIN+11"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_12 "SIGRTMIN+12"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_13 "SIGRTMIN+13"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_14 "SIGRTMIN+14"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_15 "SIGRTMIN+15"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_2 "SIGRTMIN+2"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_3 "SIGRTMIN+3"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_4 "SIGRTMIN+4"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_5 "SIGRTMIN+5"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_6 "SIGRTMIN+6"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_7 "SIGRTMIN+7"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_8 "SIGRTMIN+8"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGRTMIN_9 "SIGRTMIN+9"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGSEGV "SIGSEGV"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGSTKFLT "SIGSTKFLT"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGSTOP "SIGSTOP"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGSYS "SIGSYS"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGTERM "SIGTERM"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGTRAP "SIGTRAP"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGTSTP "SIGTSTP"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGTTIN "SIGTTIN"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGTTOU "SIGTTOU"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGURG "SIGURG"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGUSR1 "SIGUSR1"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGUSR2 "SIGUSR2"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGVTALRM "SIGVTALRM"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGWINCH "SIGWINCH"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGXCPU "SIGXCPU"
#define CORE_V1_LIFECYCLE_STOP_SIGNAL_SIGXFSZ "SIGXFSZ"

typedef struct core_v1_lifecycle {
    core_v1_lifecycle_handler *post_start;
    core_v1_lifecycle_handler *pre_stop;
    // +optional
    // +kubegen:intern
    const char *stop_signal;
    kube_extra extra;
} core_v1_lifecycle;

#define CORE_V1_GRPC_ACTION_MODE_PLAINTEXT "Plaintext"
#define CORE_V1_GRPC_ACTION_MODE_TLS "TLS"

typedef struct core_v1_grpc_action {
    // +optional
    // +kubegen:intern
    const char *mode;
    int32_t port;
    // +optional
    // +default=""
    const char *service;
    kube_extra extra;
} core_v1_grpc_action;

typedef struct core_v1_probe {
    core_v1_exec_action *exec;
    kube_opt_int32 failure_threshold;
    core_v1_grpc_action *grpc;
    core_v1_http_get_action *http_get;
    kube_opt_int32 initial_delay_seconds;
    kube_opt_int32 period_seconds;
    kube_opt_int32 success_threshold;
    core_v1_tcp_socket_action *tcp_socket;
    kube_opt_int64 termination_grace_period_seconds;
    kube_opt_int32 timeout_seconds;
    kube_extra extra;
} core_v1_probe;

#define CORE_V1_CONTAINER_PORT_PROTOCOL_SCTP "SCTP"
#define CORE_V1_CONTAINER_PORT_PROTOCOL_TCP "TCP"
#define CORE_V1_CONTAINER_PORT_PROTOCOL_UDP "UDP"

typedef struct core_v1_container_port {
    int32_t container_port;
    // +optional
    // +json=hostIP
    const char *host_ip;
    kube_opt_int32 host_port;
    // +optional
    const char *name;
    // +optional
    // +kubegen:intern
    // +default="TCP"
    const char *protocol;
    kube_extra extra;
} core_v1_container_port;
KUBE_DECLARE_LIST(core_v1_container_port);

typedef struct core_v1_container_resize_policy {
    const char *resource_name;
    const char *restart_policy;
    kube_extra extra;
} core_v1_container_resize_policy;
KUBE_DECLARE_LIST(core_v1_container_resize_policy);

typedef struct core_v1_resource_claim {
    const char *name;
    // +optional
    const char *request;
    kube_extra extra;
} core_v1_resource_claim;
KUBE_DECLARE_LIST(core_v1_resource_claim);

typedef struct core_v1_resource_requirements {
    // +optional
    // +listType=map
    // +listMapKey=name
    core_v1_resource_claim_list claims;
    // +optional
    kube_quantity_map limits;
    // +optional
    kube_quantity_map requests;
    kube_extra extra;
} core_v1_resource_requirements;

typedef struct core_v1_container_restart_rule_on_exit_codes {
    const char *operator_;
    // +optional
    // +listType=set
    int32_t_list values;
    kube_extra extra;
} core_v1_container_restart_rule_on_exit_codes;

typedef struct core_v1_container_restart_rule {
    const char *action;
    core_v1_container_restart_rule_on_exit_codes *exit_codes;
    kube_extra extra;
} core_v1_container_restart_rule;
KUBE_DECLARE_LIST(core_v1_container_restart_rule);

#define CORE_V1_APP_ARMOR_PROFILE_TYPE_LOCALHOST "Localhost"
#define CORE_V1_APP_ARMOR_PROFILE_TYPE_RUNTIME_DEFAULT "RuntimeDefault"
#define CORE_V1_APP_ARMOR_PROFILE_TYPE_UNCONFINED "Unconfined"

typedef struct core_v1_app_armor_profile {
    // +optional
    const char *localhost_profile;
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} core_v1_app_armor_profile;

typedef struct core_v1_capabilities {
    // +optional
    // +listType=atomic
    kube_string_list add;
    // +optional
    // +listType=atomic
    kube_string_list drop;
    kube_extra extra;
} core_v1_capabilities;

typedef struct core_v1_se_linux_options {
    // +optional
    const char *level;
    // +optional
    const char *role;
    // +optional
    const char *type;
    // +optional
    const char *user;
    kube_extra extra;
} core_v1_se_linux_options;

#define CORE_V1_SECCOMP_PROFILE_TYPE_LOCALHOST "Localhost"
#define CORE_V1_SECCOMP_PROFILE_TYPE_RUNTIME_DEFAULT "RuntimeDefault"
#define CORE_V1_SECCOMP_PROFILE_TYPE_UNCONFINED "Unconfined"

typedef struct core_v1_seccomp_profile {
    // +optional
    const char *localhost_profile;
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} core_v1_seccomp_profile;

typedef struct core_v1_windows_security_context_options {
    // +optional
    const char *gmsa_credential_spec;
    // +optional
    const char *gmsa_credential_spec_name;
    kube_opt_bool host_process;
    // +optional
    const char *run_as_user_name;
    kube_extra extra;
} core_v1_windows_security_context_options;

#define CORE_V1_SECURITY_CONTEXT_PROC_MOUNT_DEFAULT "Default"
#define CORE_V1_SECURITY_CONTEXT_PROC_MOUNT_UNMASKED "Unmasked"

typedef struct core_v1_security_context {
    kube_opt_bool allow_privilege_escalation;
    core_v1_app_armor_profile *app_armor_profile;
    core_v1_capabilities *capabilities;
    kube_opt_bool privileged;
    // +optional
    // +kubegen:intern
    const char *proc_mount;
    kube_opt_bool read_only_root_filesystem;
    kube_opt_int64 run_as_group;
    kube_opt_bool run_as_non_root;
    kube_opt_int64 run_as_user;
    core_v1_se_linux_options *se_linux_options;
    core_v1_seccomp_profile *seccomp_profile;
    core_v1_windows_security_context_options *windows_options;
    kube_extra extra;
} core_v1_security_context;

typedef struct core_v1_volume_device {
    const char *device_path;
    const char *name;
    kube_extra extra;
} core_v1_volume_device;
KUBE_DECLARE_LIST(core_v1_volume_device);

#define CORE_V1_VOLUME_MOUNT_MOUNT_PROPAGATION_BIDIRECTIONAL "Bidirectional"
#define CORE_V1_VOLUME_MOUNT_MOUNT_PROPAGATION_HOST_TO_CONTAINER "HostToContainer"
#define CORE_V1_VOLUME_MOUNT_MOUNT_PROPAGATION_NONE "None"

typedef struct core_v1_volume_mount {
    // +optional
    // +listType=set
    kube_string_list bind_mount_options;
    const char *mount_path;
    // +optional
    // +kubegen:intern
    const char *mount_propagation;
    const char *name;
    kube_opt_bool read_only;
    // +optional
    const char *recursive_read_only;
    // +optional
    const char *sub_path;
    // +optional
    const char *sub_path_expr;
    kube_extra extra;
} core_v1_volume_mount;
KUBE_DECLARE_LIST(core_v1_volume_mount);

#define CORE_V1_CONTAINER_IMAGE_PULL_POLICY_ALWAYS "Always"
#define CORE_V1_CONTAINER_IMAGE_PULL_POLICY_IF_NOT_PRESENT "IfNotPresent"
#define CORE_V1_CONTAINER_IMAGE_PULL_POLICY_NEVER "Never"

#define CORE_V1_CONTAINER_TERMINATION_MESSAGE_POLICY_FALLBACK_TO_LOGS_ON_ERROR \
    "FallbackToLogsOnError"
#define CORE_V1_CONTAINER_TERMINATION_MESSAGE_POLICY_FILE "File"

typedef struct core_v1_container {
    // +optional
    // +listType=atomic
    kube_string_list args;
    // +optional
    // +listType=atomic
    kube_string_list command;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_env_var_list env;
    // +optional
    // +listType=atomic
    core_v1_env_from_source_list env_from;
    // +optional
    const char *image;
    // +optional
    // +kubegen:intern
    const char *image_pull_policy;
    core_v1_lifecycle *lifecycle;
    core_v1_probe *liveness_probe;
    const char *name;
    // +optional
    // +listType=map
    // +listMapKey=containerPort
    // +listMapKey=protocol
    // +patchMergeKey=containerPort
    // +patchStrategy=merge
    core_v1_container_port_list ports;
    core_v1_probe *readiness_probe;
    // +optional
    // +listType=atomic
    core_v1_container_resize_policy_list resize_policy;
    // +optional
    // +kubegen:sendEmpty
    core_v1_resource_requirements resources;
    // +optional
    const char *restart_policy;
    // +optional
    // +listType=atomic
    core_v1_container_restart_rule_list restart_policy_rules;
    core_v1_security_context *security_context;
    core_v1_probe *startup_probe;
    kube_opt_bool stdin_;
    kube_opt_bool stdin_once;
    // +optional
    const char *termination_message_path;
    // +optional
    // +kubegen:intern
    const char *termination_message_policy;
    kube_opt_bool tty;
    // +optional
    // +listType=map
    // +listMapKey=devicePath
    // +patchMergeKey=devicePath
    // +patchStrategy=merge
    core_v1_volume_device_list volume_devices;
    // +optional
    // +listType=map
    // +listMapKey=mountPath
    // +patchMergeKey=mountPath
    // +patchStrategy=merge
    core_v1_volume_mount_list volume_mounts;
    // +optional
    const char *working_dir;
    kube_extra extra;
} core_v1_container;
KUBE_DECLARE_LIST(core_v1_container);

typedef struct core_v1_pod_dns_config_option {
    // +optional
    const char *name;
    // +optional
    const char *value;
    kube_extra extra;
} core_v1_pod_dns_config_option;
KUBE_DECLARE_LIST(core_v1_pod_dns_config_option);

typedef struct core_v1_pod_dns_config {
    // +optional
    // +listType=atomic
    kube_string_list nameservers;
    // +optional
    // +listType=atomic
    core_v1_pod_dns_config_option_list options;
    // +optional
    // +listType=atomic
    kube_string_list searches;
    kube_extra extra;
} core_v1_pod_dns_config;

#define CORE_V1_EPHEMERAL_CONTAINER_IMAGE_PULL_POLICY_ALWAYS "Always"
#define CORE_V1_EPHEMERAL_CONTAINER_IMAGE_PULL_POLICY_IF_NOT_PRESENT "IfNotPresent"
#define CORE_V1_EPHEMERAL_CONTAINER_IMAGE_PULL_POLICY_NEVER "Never"

#define CORE_V1_EPHEMERAL_CONTAINER_TERMINATION_MESSAGE_POLICY_FALLBACK_TO_LOGS_ON_ERROR \
    "FallbackToLogsOnError"
#define CORE_V1_EPHEMERAL_CONTAINER_TERMINATION_MESSAGE_POLICY_FILE "File"

typedef struct core_v1_ephemeral_container {
    // +optional
    // +listType=atomic
    kube_string_list args;
    // +optional
    // +listType=atomic
    kube_string_list command;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_env_var_list env;
    // +optional
    // +listType=atomic
    core_v1_env_from_source_list env_from;
    // +optional
    const char *image;
    // +optional
    // +kubegen:intern
    const char *image_pull_policy;
    core_v1_lifecycle *lifecycle;
    core_v1_probe *liveness_probe;
    const char *name;
    // +optional
    // +listType=map
    // +listMapKey=containerPort
    // +listMapKey=protocol
    // +patchMergeKey=containerPort
    // +patchStrategy=merge
    core_v1_container_port_list ports;
    core_v1_probe *readiness_probe;
    // +optional
    // +listType=atomic
    core_v1_container_resize_policy_list resize_policy;
    // +optional
    // +kubegen:sendEmpty
    core_v1_resource_requirements resources;
    // +optional
    const char *restart_policy;
    // +optional
    // +listType=atomic
    core_v1_container_restart_rule_list restart_policy_rules;
    core_v1_security_context *security_context;
    core_v1_probe *startup_probe;
    kube_opt_bool stdin_;
    kube_opt_bool stdin_once;
    // +optional
    const char *target_container_name;
    // +optional
    const char *termination_message_path;
    // +optional
    // +kubegen:intern
    const char *termination_message_policy;
    kube_opt_bool tty;
    // +optional
    // +listType=map
    // +listMapKey=devicePath
    // +patchMergeKey=devicePath
    // +patchStrategy=merge
    core_v1_volume_device_list volume_devices;
    // +optional
    // +listType=map
    // +listMapKey=mountPath
    // +patchMergeKey=mountPath
    // +patchStrategy=merge
    core_v1_volume_mount_list volume_mounts;
    // +optional
    const char *working_dir;
    kube_extra extra;
} core_v1_ephemeral_container;
KUBE_DECLARE_LIST(core_v1_ephemeral_container);

// +structType=atomic
typedef struct core_v1_eviction_responder {
    // +kubebuilder:validation:MinLength=1
    const char *name;
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Maximum=100000
    int32_t priority;
    kube_extra extra;
} core_v1_eviction_responder;
KUBE_DECLARE_LIST(core_v1_eviction_responder);

typedef struct core_v1_host_alias {
    // +optional
    // +listType=atomic
    kube_string_list hostnames;
    const char *ip;
    kube_extra extra;
} core_v1_host_alias;
KUBE_DECLARE_LIST(core_v1_host_alias);

// +structType=atomic
typedef struct core_v1_local_object_reference {
    // +optional
    // +default=""
    const char *name;
    kube_extra extra;
} core_v1_local_object_reference;
KUBE_DECLARE_LIST(core_v1_local_object_reference);

typedef struct core_v1_pod_os {
    const char *name;
    kube_extra extra;
} core_v1_pod_os;

typedef struct core_v1_pod_readiness_gate {
    const char *condition_type;
    kube_extra extra;
} core_v1_pod_readiness_gate;
KUBE_DECLARE_LIST(core_v1_pod_readiness_gate);

typedef struct core_v1_pod_resource_claim {
    const char *name;
    // +optional
    const char *resource_claim_name;
    // +optional
    const char *resource_claim_template_name;
    kube_extra extra;
} core_v1_pod_resource_claim;
KUBE_DECLARE_LIST(core_v1_pod_resource_claim);

typedef struct core_v1_pod_scheduling_gate {
    const char *name;
    kube_extra extra;
} core_v1_pod_scheduling_gate;
KUBE_DECLARE_LIST(core_v1_pod_scheduling_gate);

typedef struct core_v1_pod_scheduling_group {
    // +optional
    const char *pod_group_name;
    kube_extra extra;
} core_v1_pod_scheduling_group;

typedef struct core_v1_sysctl {
    const char *name;
    const char *value;
    kube_extra extra;
} core_v1_sysctl;
KUBE_DECLARE_LIST(core_v1_sysctl);

#define CORE_V1_POD_SECURITY_CONTEXT_FS_GROUP_CHANGE_POLICY_ALWAYS "Always"
#define CORE_V1_POD_SECURITY_CONTEXT_FS_GROUP_CHANGE_POLICY_ON_ROOT_MISMATCH "OnRootMismatch"

#define CORE_V1_POD_SECURITY_CONTEXT_SUPPLEMENTAL_GROUPS_POLICY_MERGE "Merge"
#define CORE_V1_POD_SECURITY_CONTEXT_SUPPLEMENTAL_GROUPS_POLICY_STRICT "Strict"

typedef struct core_v1_pod_security_context {
    core_v1_app_armor_profile *app_armor_profile;
    kube_opt_int64 fs_group;
    // +optional
    // +kubegen:intern
    const char *fs_group_change_policy;
    kube_opt_int64 run_as_group;
    kube_opt_bool run_as_non_root;
    kube_opt_int64 run_as_user;
    // +optional
    const char *se_linux_change_policy;
    core_v1_se_linux_options *se_linux_options;
    core_v1_seccomp_profile *seccomp_profile;
    // +optional
    // +listType=atomic
    int64_t_list supplemental_groups;
    // +optional
    // +kubegen:intern
    const char *supplemental_groups_policy;
    // +optional
    // +listType=atomic
    core_v1_sysctl_list sysctls;
    core_v1_windows_security_context_options *windows_options;
    kube_extra extra;
} core_v1_pod_security_context;

#define CORE_V1_TOLERATION_EFFECT_NO_EXECUTE "NoExecute"
#define CORE_V1_TOLERATION_EFFECT_NO_SCHEDULE "NoSchedule"
#define CORE_V1_TOLERATION_EFFECT_PREFER_NO_SCHEDULE "PreferNoSchedule"

#define CORE_V1_TOLERATION_OPERATOR_EQUAL "Equal"
#define CORE_V1_TOLERATION_OPERATOR_EXISTS "Exists"
#define CORE_V1_TOLERATION_OPERATOR_GT "Gt"
#define CORE_V1_TOLERATION_OPERATOR_LT "Lt"

typedef struct core_v1_toleration {
    // +optional
    // +kubegen:intern
    const char *effect;
    // +optional
    const char *key;
    // +optional
    // +kubegen:intern
    const char *operator_;
    kube_opt_int64 toleration_seconds;
    // +optional
    const char *value;
    kube_extra extra;
} core_v1_toleration;
KUBE_DECLARE_LIST(core_v1_toleration);

#define CORE_V1_TOPOLOGY_SPREAD_CONSTRAINT_NODE_AFFINITY_POLICY_HONOR "Honor"
#define CORE_V1_TOPOLOGY_SPREAD_CONSTRAINT_NODE_AFFINITY_POLICY_IGNORE "Ignore"

#define CORE_V1_TOPOLOGY_SPREAD_CONSTRAINT_NODE_TAINTS_POLICY_HONOR "Honor"
#define CORE_V1_TOPOLOGY_SPREAD_CONSTRAINT_NODE_TAINTS_POLICY_IGNORE "Ignore"

#define CORE_V1_TOPOLOGY_SPREAD_CONSTRAINT_WHEN_UNSATISFIABLE_DO_NOT_SCHEDULE "DoNotSchedule"
#define CORE_V1_TOPOLOGY_SPREAD_CONSTRAINT_WHEN_UNSATISFIABLE_SCHEDULE_ANYWAY "ScheduleAnyway"

typedef struct core_v1_topology_spread_constraint {
    kube_label_selector *label_selector;
    // +optional
    // +listType=atomic
    kube_string_list match_label_keys;
    int32_t max_skew;
    kube_opt_int32 min_domains;
    // +optional
    // +kubegen:intern
    const char *node_affinity_policy;
    // +optional
    // +kubegen:intern
    const char *node_taints_policy;
    const char *topology_key;
    // +kubegen:intern
    const char *when_unsatisfiable;
    kube_extra extra;
} core_v1_topology_spread_constraint;
KUBE_DECLARE_LIST(core_v1_topology_spread_constraint);

typedef struct core_v1_aws_elastic_block_store_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_int32 partition;
    kube_opt_bool read_only;
    // +json=volumeID
    const char *volume_id;
    kube_extra extra;
} core_v1_aws_elastic_block_store_volume_source;

#define CORE_V1_AZURE_DISK_VOLUME_SOURCE_CACHING_MODE_NONE "None"
#define CORE_V1_AZURE_DISK_VOLUME_SOURCE_CACHING_MODE_READ_ONLY "ReadOnly"
#define CORE_V1_AZURE_DISK_VOLUME_SOURCE_CACHING_MODE_READ_WRITE "ReadWrite"

#define CORE_V1_AZURE_DISK_VOLUME_SOURCE_KIND_DEDICATED "Dedicated"
#define CORE_V1_AZURE_DISK_VOLUME_SOURCE_KIND_MANAGED "Managed"
#define CORE_V1_AZURE_DISK_VOLUME_SOURCE_KIND_SHARED "Shared"

typedef struct core_v1_azure_disk_volume_source {
    // +optional
    // +kubegen:intern
    const char *caching_mode;
    const char *disk_name;
    // +json=diskURI
    const char *disk_uri;
    // +optional
    // +default="ext4"
    const char *fs_type;
    // +optional
    // +kubegen:intern
    const char *kind;
    // +default=false
    kube_opt_bool read_only;
    kube_extra extra;
} core_v1_azure_disk_volume_source;

typedef struct core_v1_azure_file_volume_source {
    kube_opt_bool read_only;
    const char *secret_name;
    const char *share_name;
    kube_extra extra;
} core_v1_azure_file_volume_source;

typedef struct core_v1_ceph_fs_volume_source {
    // +listType=atomic
    kube_string_list monitors;
    // +optional
    const char *path;
    kube_opt_bool read_only;
    // +optional
    const char *secret_file;
    core_v1_local_object_reference *secret_ref;
    // +optional
    const char *user;
    kube_extra extra;
} core_v1_ceph_fs_volume_source;

typedef struct core_v1_cinder_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_bool read_only;
    core_v1_local_object_reference *secret_ref;
    // +json=volumeID
    const char *volume_id;
    kube_extra extra;
} core_v1_cinder_volume_source;

typedef struct core_v1_key_to_path {
    const char *key;
    kube_opt_int32 mode;
    const char *path;
    kube_opt_int64 user;
    kube_extra extra;
} core_v1_key_to_path;
KUBE_DECLARE_LIST(core_v1_key_to_path);

// +structType=atomic
typedef struct core_v1_config_map_volume_source {
    kube_opt_int32 default_mode;
    kube_opt_int64 default_user;
    // +optional
    // +listType=atomic
    core_v1_key_to_path_list items;
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_config_map_volume_source;

typedef struct core_v1_csi_volume_source {
    const char *driver;
    // +optional
    const char *fs_type;
    core_v1_local_object_reference *node_publish_secret_ref;
    kube_opt_bool read_only;
    // +optional
    kube_string_map volume_attributes;
    kube_extra extra;
} core_v1_csi_volume_source;

typedef struct core_v1_downward_api_volume_file {
    core_v1_object_field_selector *field_ref;
    kube_opt_int32 mode;
    const char *path;
    core_v1_resource_field_selector *resource_field_ref;
    kube_opt_int64 user;
    kube_extra extra;
} core_v1_downward_api_volume_file;
KUBE_DECLARE_LIST(core_v1_downward_api_volume_file);

typedef struct core_v1_downward_api_volume_source {
    kube_opt_int32 default_mode;
    kube_opt_int64 default_user;
    // +optional
    // +listType=atomic
    core_v1_downward_api_volume_file_list items;
    kube_extra extra;
} core_v1_downward_api_volume_source;

typedef struct core_v1_empty_dir_volume_source {
    // +optional
    const char *medium;
    kube_opt_int32 mode;
    kube_quantity size_limit;
    kube_extra extra;
} core_v1_empty_dir_volume_source;

// +structType=atomic
typedef struct core_v1_typed_local_object_reference {
    // +optional
    // +kubegen:intern
    const char *api_group;
    // +kubegen:intern
    const char *kind;
    const char *name;
    kube_extra extra;
} core_v1_typed_local_object_reference;

typedef struct core_v1_typed_object_reference {
    // +optional
    // +kubegen:intern
    const char *api_group;
    // +kubegen:intern
    const char *kind;
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    kube_extra extra;
} core_v1_typed_object_reference;

typedef struct core_v1_volume_resource_requirements {
    // +optional
    kube_quantity_map limits;
    // +optional
    kube_quantity_map requests;
    kube_extra extra;
} core_v1_volume_resource_requirements;

#define CORE_V1_PERSISTENT_VOLUME_CLAIM_SPEC_VOLUME_MODE_BLOCK "Block"
#define CORE_V1_PERSISTENT_VOLUME_CLAIM_SPEC_VOLUME_MODE_FILESYSTEM "Filesystem"

typedef struct core_v1_persistent_volume_claim_spec {
    // +optional
    // +listType=atomic
    kube_string_list access_modes;
    core_v1_typed_local_object_reference *data_source;
    core_v1_typed_object_reference *data_source_ref;
    // +optional
    // +kubegen:sendEmpty
    core_v1_volume_resource_requirements resources;
    kube_label_selector *selector;
    // +optional
    const char *storage_class_name;
    // +optional
    const char *volume_attributes_class_name;
    // +optional
    // +kubegen:intern
    const char *volume_mode;
    // +optional
    const char *volume_name;
    kube_extra extra;
} core_v1_persistent_volume_claim_spec;

typedef struct core_v1_persistent_volume_claim_template {
    // +optional
    // +kubegen:sendEmpty
    kube_object_meta metadata;
    core_v1_persistent_volume_claim_spec spec;
    kube_extra extra;
} core_v1_persistent_volume_claim_template;

typedef struct core_v1_ephemeral_volume_source {
    core_v1_persistent_volume_claim_template *volume_claim_template;
    kube_extra extra;
} core_v1_ephemeral_volume_source;

typedef struct core_v1_fc_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_int32 lun;
    kube_opt_bool read_only;
    // +optional
    // +json=targetWWNs
    // +listType=atomic
    kube_string_list target_wwns;
    // +optional
    // +listType=atomic
    kube_string_list wwids;
    kube_extra extra;
} core_v1_fc_volume_source;

typedef struct core_v1_flex_volume_source {
    const char *driver;
    // +optional
    const char *fs_type;
    // +optional
    kube_string_map options;
    kube_opt_bool read_only;
    core_v1_local_object_reference *secret_ref;
    kube_extra extra;
} core_v1_flex_volume_source;

typedef struct core_v1_flocker_volume_source {
    // +optional
    const char *dataset_name;
    // +optional
    // +json=datasetUUID
    const char *dataset_uuid;
    kube_extra extra;
} core_v1_flocker_volume_source;

typedef struct core_v1_gce_persistent_disk_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_int32 partition;
    const char *pd_name;
    kube_opt_bool read_only;
    kube_extra extra;
} core_v1_gce_persistent_disk_volume_source;

typedef struct core_v1_git_repo_volume_source {
    // +optional
    const char *directory;
    const char *repository;
    // +optional
    const char *revision;
    kube_extra extra;
} core_v1_git_repo_volume_source;

typedef struct core_v1_glusterfs_volume_source {
    const char *endpoints;
    const char *path;
    kube_opt_bool read_only;
    kube_extra extra;
} core_v1_glusterfs_volume_source;

#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_EMPTY ""
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_BLOCK_DEVICE "BlockDevice"
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_CHAR_DEVICE "CharDevice"
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_DIRECTORY "Directory"
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_DIRECTORY_OR_CREATE "DirectoryOrCreate"
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_FILE "File"
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_FILE_OR_CREATE "FileOrCreate"
#define CORE_V1_HOST_PATH_VOLUME_SOURCE_TYPE_SOCKET "Socket"

typedef struct core_v1_host_path_volume_source {
    const char *path;
    // +optional
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} core_v1_host_path_volume_source;

#define CORE_V1_IMAGE_VOLUME_SOURCE_PULL_POLICY_ALWAYS "Always"
#define CORE_V1_IMAGE_VOLUME_SOURCE_PULL_POLICY_IF_NOT_PRESENT "IfNotPresent"
#define CORE_V1_IMAGE_VOLUME_SOURCE_PULL_POLICY_NEVER "Never"

typedef struct core_v1_image_volume_source {
    // +optional
    // +kubegen:intern
    const char *pull_policy;
    // +optional
    const char *reference;
    kube_extra extra;
} core_v1_image_volume_source;

typedef struct core_v1_iscsi_volume_source {
    kube_opt_bool chap_auth_discovery;
    kube_opt_bool chap_auth_session;
    // +optional
    const char *fs_type;
    // +optional
    const char *initiator_name;
    const char *iqn;
    // +optional
    // +default="default"
    const char *iscsi_interface;
    int32_t lun;
    // +optional
    // +listType=atomic
    kube_string_list portals;
    kube_opt_bool read_only;
    core_v1_local_object_reference *secret_ref;
    const char *target_portal;
    kube_extra extra;
} core_v1_iscsi_volume_source;

typedef struct core_v1_nfs_volume_source {
    const char *path;
    kube_opt_bool read_only;
    const char *server;
    kube_extra extra;
} core_v1_nfs_volume_source;

typedef struct core_v1_persistent_volume_claim_volume_source {
    const char *claim_name;
    kube_opt_bool read_only;
    kube_extra extra;
} core_v1_persistent_volume_claim_volume_source;

typedef struct core_v1_photon_persistent_disk_volume_source {
    // +optional
    const char *fs_type;
    // +json=pdID
    const char *pd_id;
    kube_extra extra;
} core_v1_photon_persistent_disk_volume_source;

typedef struct core_v1_portworx_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_bool read_only;
    // +json=volumeID
    const char *volume_id;
    kube_extra extra;
} core_v1_portworx_volume_source;

typedef struct core_v1_cluster_trust_bundle_projection {
    kube_label_selector *label_selector;
    // +optional
    const char *name;
    kube_opt_bool optional;
    const char *path;
    // +optional
    const char *signer_name;
    kube_opt_int64 user;
    kube_extra extra;
} core_v1_cluster_trust_bundle_projection;

// +structType=atomic
typedef struct core_v1_config_map_projection {
    // +optional
    // +listType=atomic
    core_v1_key_to_path_list items;
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_config_map_projection;

typedef struct core_v1_downward_api_projection {
    // +optional
    // +listType=atomic
    core_v1_downward_api_volume_file_list items;
    kube_extra extra;
} core_v1_downward_api_projection;

typedef struct core_v1_pod_certificate_projection {
    // +optional
    const char *certificate_chain_path;
    // +optional
    const char *credential_bundle_path;
    // +optional
    const char *key_path;
    const char *key_type;
    kube_opt_int32 max_expiration_seconds;
    const char *signer_name;
    kube_opt_int64 user;
    // +optional
    kube_string_map user_annotations;
    kube_extra extra;
} core_v1_pod_certificate_projection;

// +structType=atomic
typedef struct core_v1_secret_projection {
    // +optional
    // +listType=atomic
    core_v1_key_to_path_list items;
    // +optional
    // +default=""
    const char *name;
    kube_opt_bool optional;
    kube_extra extra;
} core_v1_secret_projection;

typedef struct core_v1_service_account_token_projection {
    // +optional
    const char *audience;
    kube_opt_int64 expiration_seconds;
    const char *path;
    kube_opt_int64 user;
    kube_extra extra;
} core_v1_service_account_token_projection;

typedef struct core_v1_volume_projection {
    core_v1_cluster_trust_bundle_projection *cluster_trust_bundle;
    core_v1_config_map_projection *config_map;
    // +json=downwardAPI
    core_v1_downward_api_projection *downward_api;
    core_v1_pod_certificate_projection *pod_certificate;
    core_v1_secret_projection *secret;
    core_v1_service_account_token_projection *service_account_token;
    kube_extra extra;
} core_v1_volume_projection;
KUBE_DECLARE_LIST(core_v1_volume_projection);

typedef struct core_v1_projected_volume_source {
    kube_opt_int32 default_mode;
    kube_opt_int64 default_user;
    // +optional
    // +listType=atomic
    core_v1_volume_projection_list sources;
    kube_extra extra;
} core_v1_projected_volume_source;

typedef struct core_v1_quobyte_volume_source {
    // +optional
    const char *group;
    kube_opt_bool read_only;
    const char *registry;
    // +optional
    const char *tenant;
    // +optional
    const char *user;
    const char *volume;
    kube_extra extra;
} core_v1_quobyte_volume_source;

typedef struct core_v1_rbd_volume_source {
    // +optional
    const char *fs_type;
    const char *image;
    // +optional
    // +default="/etc/ceph/keyring"
    const char *keyring;
    // +listType=atomic
    kube_string_list monitors;
    // +optional
    // +default="rbd"
    const char *pool;
    kube_opt_bool read_only;
    core_v1_local_object_reference *secret_ref;
    // +optional
    // +default="admin"
    const char *user;
    kube_extra extra;
} core_v1_rbd_volume_source;

typedef struct core_v1_scale_io_volume_source {
    // +optional
    // +default="xfs"
    const char *fs_type;
    const char *gateway;
    // +optional
    const char *protection_domain;
    kube_opt_bool read_only;
    core_v1_local_object_reference secret_ref;
    kube_opt_bool ssl_enabled;
    // +optional
    // +default="ThinProvisioned"
    const char *storage_mode;
    // +optional
    const char *storage_pool;
    const char *system;
    // +optional
    const char *volume_name;
    kube_extra extra;
} core_v1_scale_io_volume_source;

typedef struct core_v1_secret_volume_source {
    kube_opt_int32 default_mode;
    kube_opt_int64 default_user;
    // +optional
    // +listType=atomic
    core_v1_key_to_path_list items;
    kube_opt_bool optional;
    // +optional
    const char *secret_name;
    kube_extra extra;
} core_v1_secret_volume_source;

typedef struct core_v1_storage_os_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_bool read_only;
    core_v1_local_object_reference *secret_ref;
    // +optional
    const char *volume_name;
    // +optional
    const char *volume_namespace;
    kube_extra extra;
} core_v1_storage_os_volume_source;

typedef struct core_v1_vsphere_virtual_disk_volume_source {
    // +optional
    const char *fs_type;
    // +optional
    // +json=storagePolicyID
    const char *storage_policy_id;
    // +optional
    const char *storage_policy_name;
    const char *volume_path;
    kube_extra extra;
} core_v1_vsphere_virtual_disk_volume_source;

typedef struct core_v1_volume {
    core_v1_aws_elastic_block_store_volume_source *aws_elastic_block_store;
    core_v1_azure_disk_volume_source *azure_disk;
    core_v1_azure_file_volume_source *azure_file;
    core_v1_ceph_fs_volume_source *cephfs;
    core_v1_cinder_volume_source *cinder;
    core_v1_config_map_volume_source *config_map;
    core_v1_csi_volume_source *csi;
    // +json=downwardAPI
    core_v1_downward_api_volume_source *downward_api;
    core_v1_empty_dir_volume_source *empty_dir;
    core_v1_ephemeral_volume_source *ephemeral;
    core_v1_fc_volume_source *fc;
    core_v1_flex_volume_source *flex_volume;
    core_v1_flocker_volume_source *flocker;
    core_v1_gce_persistent_disk_volume_source *gce_persistent_disk;
    core_v1_git_repo_volume_source *git_repo;
    core_v1_glusterfs_volume_source *glusterfs;
    core_v1_host_path_volume_source *host_path;
    core_v1_image_volume_source *image;
    core_v1_iscsi_volume_source *iscsi;
    const char *name;
    core_v1_nfs_volume_source *nfs;
    core_v1_persistent_volume_claim_volume_source *persistent_volume_claim;
    core_v1_photon_persistent_disk_volume_source *photon_persistent_disk;
    core_v1_portworx_volume_source *portworx_volume;
    core_v1_projected_volume_source *projected;
    core_v1_quobyte_volume_source *quobyte;
    core_v1_rbd_volume_source *rbd;
    // +json=scaleIO
    core_v1_scale_io_volume_source *scale_io;
    core_v1_secret_volume_source *secret;
    core_v1_storage_os_volume_source *storageos;
    core_v1_vsphere_virtual_disk_volume_source *vsphere_volume;
    kube_extra extra;
} core_v1_volume;
KUBE_DECLARE_LIST(core_v1_volume);

#define CORE_V1_POD_SPEC_DNS_POLICY_CLUSTER_FIRST "ClusterFirst"
#define CORE_V1_POD_SPEC_DNS_POLICY_CLUSTER_FIRST_WITH_HOST_NET "ClusterFirstWithHostNet"
#define CORE_V1_POD_SPEC_DNS_POLICY_DEFAULT "Default"
#define CORE_V1_POD_SPEC_DNS_POLICY_NONE "None"

#define CORE_V1_POD_SPEC_PREEMPTION_POLICY_NEVER "Never"
#define CORE_V1_POD_SPEC_PREEMPTION_POLICY_PREEMPT_LOWER_PRIORITY "PreemptLowerPriority"

#define CORE_V1_POD_SPEC_RESTART_POLICY_ALWAYS "Always"
#define CORE_V1_POD_SPEC_RESTART_POLICY_NEVER "Never"
#define CORE_V1_POD_SPEC_RESTART_POLICY_ON_FAILURE "OnFailure"

typedef struct core_v1_pod_spec {
    kube_opt_int64 active_deadline_seconds;
    core_v1_affinity *affinity;
    kube_opt_bool automount_service_account_token;
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_container_list containers;
    core_v1_pod_dns_config *dns_config;
    // +optional
    // +kubegen:intern
    const char *dns_policy;
    kube_opt_bool enable_service_links;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_ephemeral_container_list ephemeral_containers;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    // +kubebuilder:validation:MaxItems=10
    core_v1_eviction_responder_list eviction_responders;
    // +optional
    // +listType=map
    // +listMapKey=ip
    // +patchMergeKey=ip
    // +patchStrategy=merge
    core_v1_host_alias_list host_aliases;
    // +json=hostIPC
    kube_opt_bool host_ipc;
    kube_opt_bool host_network;
    // +json=hostPID
    kube_opt_bool host_pid;
    kube_opt_bool host_users;
    // +optional
    const char *hostname;
    // +optional
    const char *hostname_override;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_local_object_reference_list image_pull_secrets;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_container_list init_containers;
    // +optional
    const char *node_name;
    // +optional
    // +mapType=atomic
    kube_string_map node_selector;
    core_v1_pod_os *os;
    // +optional
    kube_quantity_map overhead;
    // +optional
    // +kubegen:intern
    const char *preemption_policy;
    kube_opt_int32 priority;
    // +optional
    const char *priority_class_name;
    // +optional
    // +listType=atomic
    core_v1_pod_readiness_gate_list readiness_gates;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge,retainKeys
    core_v1_pod_resource_claim_list resource_claims;
    core_v1_resource_requirements *resources;
    // +optional
    // +kubegen:intern
    const char *restart_policy;
    // +optional
    const char *runtime_class_name;
    // +optional
    const char *scheduler_name;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_pod_scheduling_gate_list scheduling_gates;
    core_v1_pod_scheduling_group *scheduling_group;
    core_v1_pod_security_context *security_context;
    // +optional
    const char *service_account;
    // +optional
    const char *service_account_name;
    // +json=setHostnameAsFQDN
    kube_opt_bool set_hostname_as_fqdn;
    kube_opt_bool share_process_namespace;
    // +optional
    const char *subdomain;
    kube_opt_int64 termination_grace_period_seconds;
    // +optional
    // +listType=atomic
    core_v1_toleration_list tolerations;
    // +optional
    // +listType=map
    // +listMapKey=topologyKey
    // +listMapKey=whenUnsatisfiable
    // +patchMergeKey=topologyKey
    // +patchStrategy=merge
    core_v1_topology_spread_constraint_list topology_spread_constraints;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge,retainKeys
    core_v1_volume_list volumes;
    kube_extra extra;
} core_v1_pod_spec;

typedef struct core_v1_pod_condition {
    kube_time last_probe_time;
    kube_time last_transition_time;
    // +optional
    const char *message;
    kube_opt_int64 observed_generation;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} core_v1_pod_condition;
KUBE_DECLARE_LIST(core_v1_pod_condition);

typedef struct core_v1_resource_health {
    // +optional
    const char *health;
    // +optional
    const char *message;
    // +json=resourceID
    const char *resource_id;
    kube_extra extra;
} core_v1_resource_health;
KUBE_DECLARE_LIST(core_v1_resource_health);

typedef struct core_v1_resource_status {
    const char *name;
    // +optional
    // +listType=map
    // +listMapKey=resourceID
    core_v1_resource_health_list resources;
    kube_extra extra;
} core_v1_resource_status;
KUBE_DECLARE_LIST(core_v1_resource_status);

typedef struct core_v1_container_state_running {
    kube_time started_at;
    kube_extra extra;
} core_v1_container_state_running;

typedef struct core_v1_container_state_terminated {
    // +optional
    // +json=containerID
    const char *container_id;
    int32_t exit_code;
    kube_time finished_at;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    kube_opt_int32 signal;
    kube_time started_at;
    kube_extra extra;
} core_v1_container_state_terminated;

typedef struct core_v1_container_state_waiting {
    // +optional
    const char *message;
    // +optional
    const char *reason;
    kube_extra extra;
} core_v1_container_state_waiting;

typedef struct core_v1_container_state {
    core_v1_container_state_running *running;
    core_v1_container_state_terminated *terminated;
    core_v1_container_state_waiting *waiting;
    kube_extra extra;
} core_v1_container_state;

typedef struct core_v1_linux_container_user {
    int64_t gid;
    // +optional
    // +listType=atomic
    int64_t_list supplemental_groups;
    int64_t uid;
    kube_extra extra;
} core_v1_linux_container_user;

typedef struct core_v1_container_user {
    core_v1_linux_container_user *linux_;
    kube_extra extra;
} core_v1_container_user;

typedef struct core_v1_image_volume_status {
    // +kubebuilder:validation:MaxLength=256
    const char *image_ref;
    kube_extra extra;
} core_v1_image_volume_status;

typedef struct core_v1_volume_status {
    core_v1_image_volume_status *image;
    kube_extra extra;
} core_v1_volume_status;

typedef struct core_v1_volume_mount_status {
    const char *mount_path;
    const char *name;
    kube_opt_bool read_only;
    // +optional
    const char *recursive_read_only;
    core_v1_volume_status *volume_status;
    kube_extra extra;
} core_v1_volume_mount_status;
KUBE_DECLARE_LIST(core_v1_volume_mount_status);

#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGABRT "SIGABRT"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGALRM "SIGALRM"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGBUS "SIGBUS"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGCHLD "SIGCHLD"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGCLD "SIGCLD"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGCONT "SIGCONT"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGFPE "SIGFPE"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGHUP "SIGHUP"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGILL "SIGILL"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGINT "SIGINT"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGIO "SIGIO"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGIOT "SIGIOT"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGKILL "SIGKILL"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGPIPE "SIGPIPE"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGPOLL "SIGPOLL"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGPROF "SIGPROF"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGPWR "SIGPWR"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGQUIT "SIGQUIT"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX "SIGRTMAX"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_1 "SIGRTMAX-1"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_10 "SIGRTMAX-10"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_11 "SIGRTMAX-11"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_12 "SIGRTMAX-12"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_13 "SIGRTMAX-13"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_14 "SIGRTMAX-14"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_2 "SIGRTMAX-2"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_3 "SIGRTMAX-3"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_4 "SIGRTMAX-4"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_5 "SIGRTMAX-5"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_6 "SIGRTMAX-6"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_7 "SIGRTMAX-7"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_8 "SIGRTMAX-8"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMAX_9 "SIGRTMAX-9"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN "SIGRTMIN"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_1 "SIGRTMIN+1"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_10 "SIGRTMIN+10"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_11 "SIGRTMIN+11"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_12 "SIGRTMIN+12"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_13 "SIGRTMIN+13"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_14 "SIGRTMIN+14"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_15 "SIGRTMIN+15"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_2 "SIGRTMIN+2"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_3 "SIGRTMIN+3"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_4 "SIGRTMIN+4"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_5 "SIGRTMIN+5"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_6 "SIGRTMIN+6"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_7 "SIGRTMIN+7"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_8 "SIGRTMIN+8"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGRTMIN_9 "SIGRTMIN+9"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGSEGV "SIGSEGV"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGSTKFLT "SIGSTKFLT"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGSTOP "SIGSTOP"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGSYS "SIGSYS"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGTERM "SIGTERM"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGTRAP "SIGTRAP"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGTSTP "SIGTSTP"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGTTIN "SIGTTIN"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGTTOU "SIGTTOU"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGURG "SIGURG"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGUSR1 "SIGUSR1"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGUSR2 "SIGUSR2"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGVTALRM "SIGVTALRM"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGWINCH "SIGWINCH"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGXCPU "SIGXCPU"
#define CORE_V1_CONTAINER_STATUS_STOP_SIGNAL_SIGXFSZ "SIGXFSZ"

typedef struct core_v1_container_status {
    // +optional
    kube_quantity_map allocated_resources;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_resource_status_list allocated_resources_status;
    // +optional
    // +json=containerID
    const char *container_id;
    const char *image;
    // +json=imageID
    const char *image_id;
    // +optional
    // +kubegen:sendEmpty
    core_v1_container_state last_state;
    const char *name;
    bool ready;
    core_v1_resource_requirements *resources;
    int32_t restart_count;
    kube_opt_bool started;
    // +optional
    // +kubegen:sendEmpty
    core_v1_container_state state;
    // +optional
    // +kubegen:intern
    const char *stop_signal;
    core_v1_container_user *user;
    // +optional
    // +listType=map
    // +listMapKey=mountPath
    // +patchMergeKey=mountPath
    // +patchStrategy=merge
    core_v1_volume_mount_status_list volume_mounts;
    kube_extra extra;
} core_v1_container_status;
KUBE_DECLARE_LIST(core_v1_container_status);

typedef struct core_v1_container_extended_resource_request {
    const char *container_name;
    const char *request_name;
    const char *resource_name;
    kube_extra extra;
} core_v1_container_extended_resource_request;
KUBE_DECLARE_LIST(core_v1_container_extended_resource_request);

typedef struct core_v1_pod_extended_resource_claim_status {
    // +listType=atomic
    core_v1_container_extended_resource_request_list request_mappings;
    const char *resource_claim_name;
    kube_extra extra;
} core_v1_pod_extended_resource_claim_status;

typedef struct core_v1_host_ip {
    const char *ip;
    kube_extra extra;
} core_v1_host_ip;
KUBE_DECLARE_LIST(core_v1_host_ip);

typedef struct core_v1_node_allocatable_mapped_resources {
    // +kubebuilder:validation:MinLength=1
    const char *name;
    // +required
    kube_quantity quantity;
    kube_extra extra;
} core_v1_node_allocatable_mapped_resources;
KUBE_DECLARE_LIST(core_v1_node_allocatable_mapped_resources);

typedef struct core_v1_node_allocatable_overhead_resources {
    // +kubebuilder:validation:MinLength=1
    const char *name;
    kube_quantity per_container;
    kube_quantity per_pod;
    kube_extra extra;
} core_v1_node_allocatable_overhead_resources;
KUBE_DECLARE_LIST(core_v1_node_allocatable_overhead_resources);

typedef struct core_v1_node_allocatable_resource_claim_status {
    // +optional
    // +listType=set
    kube_string_list containers;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_node_allocatable_mapped_resources_list mapping;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_node_allocatable_overhead_resources_list overhead;
    // +kubebuilder:validation:MinLength=1
    const char *resource_claim_name;
    kube_extra extra;
} core_v1_node_allocatable_resource_claim_status;
KUBE_DECLARE_LIST(core_v1_node_allocatable_resource_claim_status);

typedef struct core_v1_pod_ip {
    const char *ip;
    kube_extra extra;
} core_v1_pod_ip;
KUBE_DECLARE_LIST(core_v1_pod_ip);

typedef struct core_v1_pod_resource_claim_status {
    const char *name;
    // +optional
    const char *resource_claim_name;
    kube_extra extra;
} core_v1_pod_resource_claim_status;
KUBE_DECLARE_LIST(core_v1_pod_resource_claim_status);

#define CORE_V1_VOLUME_HEALTH_CONDITION_STATUS_DATA_LOSS "DataLoss"
#define CORE_V1_VOLUME_HEALTH_CONDITION_STATUS_DEGRADED "Degraded"
#define CORE_V1_VOLUME_HEALTH_CONDITION_STATUS_INACCESSIBLE "Inaccessible"

typedef struct core_v1_volume_health_condition {
    // +optional
    const char *message;
    // +kubebuilder:validation:MinLength=1
    const char *reason;
    // +enum=CORE_V1_VOLUME_HEALTH_CONDITION_STATUS
    // +kubegen:intern
    // +kubebuilder:validation:MinLength=1
    const char *status;
    kube_extra extra;
} core_v1_volume_health_condition;
KUBE_DECLARE_LIST(core_v1_volume_health_condition);

typedef struct core_v1_pod_volume_health {
    // +optional
    // +listType=map
    // +listMapKey=status
    // +listMapKey=reason
    // +patchMergeKey=status
    // +patchStrategy=merge
    // +kubebuilder:validation:MaxItems=16
    core_v1_volume_health_condition_list health_conditions;
    kube_time last_transition_time;
    // +kubebuilder:validation:MinLength=1
    const char *name;
    kube_extra extra;
} core_v1_pod_volume_health;
KUBE_DECLARE_LIST(core_v1_pod_volume_health);

#define CORE_V1_POD_STATUS_PHASE_FAILED "Failed"
#define CORE_V1_POD_STATUS_PHASE_PENDING "Pending"
#define CORE_V1_POD_STATUS_PHASE_RUNNING "Running"
#define CORE_V1_POD_STATUS_PHASE_SUCCEEDED "Succeeded"
#define CORE_V1_POD_STATUS_PHASE_UNKNOWN "Unknown"

#define CORE_V1_POD_STATUS_QOS_CLASS_BEST_EFFORT "BestEffort"
#define CORE_V1_POD_STATUS_QOS_CLASS_BURSTABLE "Burstable"
#define CORE_V1_POD_STATUS_QOS_CLASS_GUARANTEED "Guaranteed"

typedef struct core_v1_pod_status {
    // +optional
    kube_quantity_map allocated_resources;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    core_v1_pod_condition_list conditions;
    // +optional
    // +listType=atomic
    core_v1_container_status_list container_statuses;
    // +optional
    // +listType=atomic
    core_v1_container_status_list ephemeral_container_statuses;
    core_v1_pod_extended_resource_claim_status *extended_resource_claim_status;
    // +optional
    // +json=hostIP
    const char *host_ip;
    // +optional
    // +json=hostIPs
    // +listType=atomic
    // +patchMergeKey=ip
    // +patchStrategy=merge
    core_v1_host_ip_list host_ips;
    // +optional
    // +listType=atomic
    core_v1_container_status_list init_container_statuses;
    // +optional
    const char *message;
    // +optional
    // +listType=map
    // +listMapKey=resourceClaimName
    // +patchMergeKey=resourceClaimName
    // +patchStrategy=merge
    core_v1_node_allocatable_resource_claim_status_list node_allocatable_resource_claim_statuses;
    // +optional
    const char *nominated_node_name;
    kube_opt_int64 observed_generation;
    // +optional
    // +kubegen:intern
    const char *phase;
    // +optional
    // +json=podIP
    const char *pod_ip;
    // +optional
    // +json=podIPs
    // +listType=map
    // +listMapKey=ip
    // +patchMergeKey=ip
    // +patchStrategy=merge
    core_v1_pod_ip_list pod_ips;
    // +optional
    // +kubegen:intern
    const char *qos_class;
    // +optional
    const char *reason;
    // +optional
    const char *resize;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge,retainKeys
    core_v1_pod_resource_claim_status_list resource_claim_statuses;
    core_v1_resource_requirements *resources;
    kube_time start_time;
    // +optional
    // +listType=map
    // +listMapKey=name
    core_v1_pod_volume_health_list volume_health;
    kube_extra extra;
} core_v1_pod_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct core_v1_pod {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    core_v1_pod_spec spec;
    // +optional
    // +kubegen:sendEmpty
    core_v1_pod_status status;
    kube_extra extra;
} core_v1_pod;

// +genclient
typedef struct core_v1_secret {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    kube_bytes_map data;
    kube_opt_bool immutable;
    // +optional
    kube_string_map string_data;
    // +optional
    const char *type;
    kube_extra extra;
} core_v1_secret;

#define CORE_V1_SERVICE_PORT_PROTOCOL_SCTP "SCTP"
#define CORE_V1_SERVICE_PORT_PROTOCOL_TCP "TCP"
#define CORE_V1_SERVICE_PORT_PROTOCOL_UDP "UDP"

typedef struct core_v1_service_port {
    // +optional
    const char *app_protocol;
    // +optional
    const char *name;
    kube_opt_int32 node_port;
    int32_t port;
    // +optional
    // +kubegen:intern
    // +default="TCP"
    const char *protocol;
    kube_int_or_string target_port;
    kube_extra extra;
} core_v1_service_port;
KUBE_DECLARE_LIST(core_v1_service_port);

typedef struct core_v1_client_ip_config {
    kube_opt_int32 timeout_seconds;
    kube_extra extra;
} core_v1_client_ip_config;

typedef struct core_v1_session_affinity_config {
    // +json=clientIP
    core_v1_client_ip_config *client_ip;
    kube_extra extra;
} core_v1_session_affinity_config;

#define CORE_V1_SERVICE_SPEC_EXTERNAL_TRAFFIC_POLICY_CLUSTER "Cluster"
#define CORE_V1_SERVICE_SPEC_EXTERNAL_TRAFFIC_POLICY_LOCAL "Local"

#define CORE_V1_SERVICE_SPEC_INTERNAL_TRAFFIC_POLICY_CLUSTER "Cluster"
#define CORE_V1_SERVICE_SPEC_INTERNAL_TRAFFIC_POLICY_LOCAL "Local"

#define CORE_V1_SERVICE_SPEC_IP_FAMILY_POLICY_PREFER_DUAL_STACK "PreferDualStack"
#define CORE_V1_SERVICE_SPEC_IP_FAMILY_POLICY_REQUIRE_DUAL_STACK "RequireDualStack"
#define CORE_V1_SERVICE_SPEC_IP_FAMILY_POLICY_SINGLE_STACK "SingleStack"

#define CORE_V1_SERVICE_SPEC_SESSION_AFFINITY_CLIENT_IP "ClientIP"
#define CORE_V1_SERVICE_SPEC_SESSION_AFFINITY_NONE "None"

#define CORE_V1_SERVICE_SPEC_TYPE_CLUSTER_IP "ClusterIP"
#define CORE_V1_SERVICE_SPEC_TYPE_EXTERNAL_NAME "ExternalName"
#define CORE_V1_SERVICE_SPEC_TYPE_LOAD_BALANCER "LoadBalancer"
#define CORE_V1_SERVICE_SPEC_TYPE_NODE_PORT "NodePort"

typedef struct core_v1_service_spec {
    kube_opt_bool allocate_load_balancer_node_ports;
    // +optional
    // +json=clusterIP
    const char *cluster_ip;
    // +optional
    // +json=clusterIPs
    // +listType=atomic
    kube_string_list cluster_ips;
    // +optional
    // +json=externalIPs
    // +listType=atomic
    kube_string_list external_ips;
    // +optional
    const char *external_name;
    // +optional
    // +kubegen:intern
    const char *external_traffic_policy;
    kube_opt_int32 health_check_node_port;
    // +optional
    // +kubegen:intern
    const char *internal_traffic_policy;
    // +optional
    // +listType=atomic
    kube_string_list ip_families;
    // +optional
    // +kubegen:intern
    const char *ip_family_policy;
    // +optional
    const char *load_balancer_class;
    // +optional
    // +json=loadBalancerIP
    const char *load_balancer_ip;
    // +optional
    // +listType=atomic
    kube_string_list load_balancer_source_ranges;
    // +optional
    // +listType=map
    // +listMapKey=port
    // +listMapKey=protocol
    // +patchMergeKey=port
    // +patchStrategy=merge
    core_v1_service_port_list ports;
    kube_opt_bool publish_not_ready_addresses;
    // +optional
    // +mapType=atomic
    kube_string_map selector;
    // +optional
    // +kubegen:intern
    const char *session_affinity;
    core_v1_session_affinity_config *session_affinity_config;
    // +optional
    const char *traffic_distribution;
    // +optional
    // +kubegen:intern
    const char *type;
    kube_extra extra;
} core_v1_service_spec;

#define CORE_V1_PORT_STATUS_PROTOCOL_SCTP "SCTP"
#define CORE_V1_PORT_STATUS_PROTOCOL_TCP "TCP"
#define CORE_V1_PORT_STATUS_PROTOCOL_UDP "UDP"

typedef struct core_v1_port_status {
    // +kubebuilder:validation:MaxLength=316
    // +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
    const char *error;
    int32_t port;
    // +kubegen:intern
    const char *protocol;
    kube_extra extra;
} core_v1_port_status;
KUBE_DECLARE_LIST(core_v1_port_status);

typedef struct core_v1_load_balancer_ingress {
    // +optional
    const char *hostname;
    // +optional
    const char *ip;
    // +optional
    const char *ip_mode;
    // +optional
    // +listType=atomic
    core_v1_port_status_list ports;
    kube_extra extra;
} core_v1_load_balancer_ingress;
KUBE_DECLARE_LIST(core_v1_load_balancer_ingress);

typedef struct core_v1_load_balancer_status {
    // +optional
    // +listType=atomic
    core_v1_load_balancer_ingress_list ingress;
    kube_extra extra;
} core_v1_load_balancer_status;

typedef struct core_v1_service_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    kube_condition_list conditions;
    // +optional
    // +kubegen:sendEmpty
    core_v1_load_balancer_status load_balancer;
    kube_extra extra;
} core_v1_service_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct core_v1_service {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    core_v1_service_spec spec;
    // +optional
    // +kubegen:sendEmpty
    core_v1_service_status status;
    kube_extra extra;
} core_v1_service;

// +genclient
typedef struct core_v1_service_account {
    kube_object base;
    kube_object_meta metadata;
    kube_opt_bool automount_service_account_token;
    // +optional
    // +listType=atomic
    core_v1_local_object_reference_list image_pull_secrets;
    // +optional
    // +listType=map
    // +listMapKey=name
    // +patchMergeKey=name
    // +patchStrategy=merge
    core_v1_object_reference_list secrets;
    kube_extra extra;
} core_v1_service_account;

typedef struct core_v1_persistent_volume_claim_condition {
    kube_time last_probe_time;
    kube_time last_transition_time;
    // +optional
    const char *message;
    // +optional
    const char *reason;
    const char *status;
    const char *type;
    kube_extra extra;
} core_v1_persistent_volume_claim_condition;
KUBE_DECLARE_LIST(core_v1_persistent_volume_claim_condition);

typedef struct core_v1_volume_health_status {
    // +optional
    // +listType=map
    // +listMapKey=status
    // +listMapKey=reason
    // +patchMergeKey=status
    // +patchStrategy=merge
    // +kubebuilder:validation:MaxItems=16
    core_v1_volume_health_condition_list health_conditions;
    kube_time last_transition_time;
    kube_extra extra;
} core_v1_volume_health_status;

#define CORE_V1_MODIFY_VOLUME_STATUS_STATUS_IN_PROGRESS "InProgress"
#define CORE_V1_MODIFY_VOLUME_STATUS_STATUS_INFEASIBLE "Infeasible"
#define CORE_V1_MODIFY_VOLUME_STATUS_STATUS_PENDING "Pending"

typedef struct core_v1_modify_volume_status {
    // +kubegen:intern
    const char *status;
    // +optional
    const char *target_volume_attributes_class_name;
    kube_extra extra;
} core_v1_modify_volume_status;

#define CORE_V1_PERSISTENT_VOLUME_CLAIM_STATUS_PHASE_BOUND "Bound"
#define CORE_V1_PERSISTENT_VOLUME_CLAIM_STATUS_PHASE_LOST "Lost"
#define CORE_V1_PERSISTENT_VOLUME_CLAIM_STATUS_PHASE_PENDING "Pending"

typedef struct core_v1_persistent_volume_claim_status {
    // +optional
    // +listType=atomic
    kube_string_list access_modes;
    // +optional
    // +mapType=granular
    kube_string_map allocated_resource_statuses;
    // +optional
    kube_quantity_map allocated_resources;
    // +optional
    kube_quantity_map capacity;
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    core_v1_persistent_volume_claim_condition_list conditions;
    // +optional
    const char *current_volume_attributes_class_name;
    core_v1_volume_health_status *health_status;
    core_v1_modify_volume_status *modify_volume_status;
    // +optional
    // +kubegen:intern
    const char *phase;
    kube_extra extra;
} core_v1_persistent_volume_claim_status;

typedef struct core_v1_persistent_volume_claim {
    // +optional
    // +kubegen:sendEmpty
    kube_object_meta metadata;
    // +optional
    // +kubegen:intern
    const char *api_version;
    // +optional
    // +kubegen:intern
    const char *kind;
    // +optional
    // +kubegen:sendEmpty
    core_v1_persistent_volume_claim_spec spec;
    // +optional
    // +kubegen:sendEmpty
    core_v1_persistent_volume_claim_status status;
    kube_extra extra;
} core_v1_persistent_volume_claim;
KUBE_DECLARE_LIST(core_v1_persistent_volume_claim);

typedef struct core_v1_azure_file_persistent_volume_source {
    kube_opt_bool read_only;
    const char *secret_name;
    // +optional
    const char *secret_namespace;
    const char *share_name;
    kube_extra extra;
} core_v1_azure_file_persistent_volume_source;

// +structType=atomic
typedef struct core_v1_secret_reference {
    // +optional
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    kube_extra extra;
} core_v1_secret_reference;

typedef struct core_v1_ceph_fs_persistent_volume_source {
    // +listType=atomic
    kube_string_list monitors;
    // +optional
    const char *path;
    kube_opt_bool read_only;
    // +optional
    const char *secret_file;
    core_v1_secret_reference *secret_ref;
    // +optional
    const char *user;
    kube_extra extra;
} core_v1_ceph_fs_persistent_volume_source;

typedef struct core_v1_cinder_persistent_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_bool read_only;
    core_v1_secret_reference *secret_ref;
    // +json=volumeID
    const char *volume_id;
    kube_extra extra;
} core_v1_cinder_persistent_volume_source;

typedef struct core_v1_csi_persistent_volume_source {
    core_v1_secret_reference *controller_expand_secret_ref;
    core_v1_secret_reference *controller_publish_secret_ref;
    const char *driver;
    // +optional
    const char *fs_type;
    core_v1_secret_reference *node_expand_secret_ref;
    core_v1_secret_reference *node_publish_secret_ref;
    core_v1_secret_reference *node_stage_secret_ref;
    kube_opt_bool read_only;
    // +optional
    kube_string_map volume_attributes;
    const char *volume_handle;
    kube_extra extra;
} core_v1_csi_persistent_volume_source;

typedef struct core_v1_flex_persistent_volume_source {
    const char *driver;
    // +optional
    const char *fs_type;
    // +optional
    kube_string_map options;
    kube_opt_bool read_only;
    core_v1_secret_reference *secret_ref;
    kube_extra extra;
} core_v1_flex_persistent_volume_source;

typedef struct core_v1_glusterfs_persistent_volume_source {
    const char *endpoints;
    // +optional
    const char *endpoints_namespace;
    const char *path;
    kube_opt_bool read_only;
    kube_extra extra;
} core_v1_glusterfs_persistent_volume_source;

typedef struct core_v1_iscsi_persistent_volume_source {
    kube_opt_bool chap_auth_discovery;
    kube_opt_bool chap_auth_session;
    // +optional
    const char *fs_type;
    // +optional
    const char *initiator_name;
    const char *iqn;
    // +optional
    // +default="default"
    const char *iscsi_interface;
    int32_t lun;
    // +optional
    // +listType=atomic
    kube_string_list portals;
    kube_opt_bool read_only;
    core_v1_secret_reference *secret_ref;
    const char *target_portal;
    kube_extra extra;
} core_v1_iscsi_persistent_volume_source;

typedef struct core_v1_local_volume_source {
    // +optional
    const char *fs_type;
    const char *path;
    kube_extra extra;
} core_v1_local_volume_source;

typedef struct core_v1_volume_node_affinity {
    core_v1_node_selector *required;
    kube_extra extra;
} core_v1_volume_node_affinity;

typedef struct core_v1_rbd_persistent_volume_source {
    // +optional
    const char *fs_type;
    const char *image;
    // +optional
    // +default="/etc/ceph/keyring"
    const char *keyring;
    // +listType=atomic
    kube_string_list monitors;
    // +optional
    // +default="rbd"
    const char *pool;
    kube_opt_bool read_only;
    core_v1_secret_reference *secret_ref;
    // +optional
    // +default="admin"
    const char *user;
    kube_extra extra;
} core_v1_rbd_persistent_volume_source;

typedef struct core_v1_scale_io_persistent_volume_source {
    // +optional
    // +default="xfs"
    const char *fs_type;
    const char *gateway;
    // +optional
    const char *protection_domain;
    kube_opt_bool read_only;
    core_v1_secret_reference secret_ref;
    kube_opt_bool ssl_enabled;
    // +optional
    // +default="ThinProvisioned"
    const char *storage_mode;
    // +optional
    const char *storage_pool;
    const char *system;
    // +optional
    const char *volume_name;
    kube_extra extra;
} core_v1_scale_io_persistent_volume_source;

typedef struct core_v1_storage_os_persistent_volume_source {
    // +optional
    const char *fs_type;
    kube_opt_bool read_only;
    core_v1_object_reference *secret_ref;
    // +optional
    const char *volume_name;
    // +optional
    const char *volume_namespace;
    kube_extra extra;
} core_v1_storage_os_persistent_volume_source;

#define CORE_V1_PERSISTENT_VOLUME_SPEC_PERSISTENT_VOLUME_RECLAIM_POLICY_DELETE "Delete"
#define CORE_V1_PERSISTENT_VOLUME_SPEC_PERSISTENT_VOLUME_RECLAIM_POLICY_RECYCLE "Recycle"
#define CORE_V1_PERSISTENT_VOLUME_SPEC_PERSISTENT_VOLUME_RECLAIM_POLICY_RETAIN "Retain"

#define CORE_V1_PERSISTENT_VOLUME_SPEC_VOLUME_MODE_BLOCK "Block"
#define CORE_V1_PERSISTENT_VOLUME_SPEC_VOLUME_MODE_FILESYSTEM "Filesystem"

typedef struct core_v1_persistent_volume_spec {
    // +optional
    // +listType=atomic
    kube_string_list access_modes;
    core_v1_aws_elastic_block_store_volume_source *aws_elastic_block_store;
    core_v1_azure_disk_volume_source *azure_disk;
    core_v1_azure_file_persistent_volume_source *azure_file;
    // +optional
    kube_quantity_map capacity;
    core_v1_ceph_fs_persistent_volume_source *cephfs;
    core_v1_cinder_persistent_volume_source *cinder;
    // +structType=granular
    core_v1_object_reference *claim_ref;
    core_v1_csi_persistent_volume_source *csi;
    core_v1_fc_volume_source *fc;
    core_v1_flex_persistent_volume_source *flex_volume;
    core_v1_flocker_volume_source *flocker;
    core_v1_gce_persistent_disk_volume_source *gce_persistent_disk;
    core_v1_glusterfs_persistent_volume_source *glusterfs;
    core_v1_host_path_volume_source *host_path;
    core_v1_iscsi_persistent_volume_source *iscsi;
    core_v1_local_volume_source *local;
    // +optional
    // +listType=atomic
    kube_string_list mount_options;
    core_v1_nfs_volume_source *nfs;
    core_v1_volume_node_affinity *node_affinity;
    // +optional
    // +kubegen:intern
    const char *persistent_volume_reclaim_policy;
    core_v1_photon_persistent_disk_volume_source *photon_persistent_disk;
    core_v1_portworx_volume_source *portworx_volume;
    core_v1_quobyte_volume_source *quobyte;
    core_v1_rbd_persistent_volume_source *rbd;
    // +json=scaleIO
    core_v1_scale_io_persistent_volume_source *scale_io;
    // +optional
    const char *storage_class_name;
    core_v1_storage_os_persistent_volume_source *storageos;
    // +optional
    const char *volume_attributes_class_name;
    // +optional
    // +kubegen:intern
    const char *volume_mode;
    core_v1_vsphere_virtual_disk_volume_source *vsphere_volume;
    kube_extra extra;
} core_v1_persistent_volume_spec;

typedef struct core_v1_pod_template_spec {
    // +optional
    // +kubegen:sendEmpty
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    core_v1_pod_spec spec;
    kube_extra extra;
} core_v1_pod_template_spec;

typedef struct core_v1_topology_selector_label_requirement {
    const char *key;
    // +listType=atomic
    kube_string_list values;
    kube_extra extra;
} core_v1_topology_selector_label_requirement;
KUBE_DECLARE_LIST(core_v1_topology_selector_label_requirement);

// +structType=atomic
typedef struct core_v1_topology_selector_term {
    // +optional
    // +listType=atomic
    core_v1_topology_selector_label_requirement_list match_label_expressions;
    kube_extra extra;
} core_v1_topology_selector_term;
KUBE_DECLARE_LIST(core_v1_topology_selector_term);

#endif /* CORE_V1_TYPES_H */
