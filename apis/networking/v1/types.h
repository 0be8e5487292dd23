/* SPDX-License-Identifier: Apache-2.0 */
/*
 * networking.k8s.io/v1, imported by kubegen.
 *
 * IPAddress
 * Ingress: subresources status
 * IngressClass
 * NetworkPolicy
 * ServiceCIDR: subresources status
 */
// +groupName=networking.k8s.io
#ifndef NETWORKING_V1_TYPES_H
#define NETWORKING_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct networking_v1_parent_reference {
    // +optional
    const char *group;
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    const char *resource;
    kube_extra extra;
} networking_v1_parent_reference;

typedef struct networking_v1_ip_address_spec {
    networking_v1_parent_reference parent_ref;
    kube_extra extra;
} networking_v1_ip_address_spec;

// +genclient
// +kind=IPAddress
// +genclient:nonNamespaced
typedef struct networking_v1_ip_address {
    kube_object base;
    kube_object_meta metadata;
    networking_v1_ip_address_spec spec;
    kube_extra extra;
} networking_v1_ip_address;

// +structType=atomic
typedef struct networking_v1_service_backend_port {
    // +optional
    const char *name;
    kube_opt_int32 number;
    kube_extra extra;
} networking_v1_service_backend_port;

typedef struct networking_v1_ingress_service_backend {
    const char *name;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_service_backend_port port;
    kube_extra extra;
} networking_v1_ingress_service_backend;

typedef struct networking_v1_ingress_backend {
    core_v1_typed_local_object_reference *resource;
    networking_v1_ingress_service_backend *service;
    kube_extra extra;
} networking_v1_ingress_backend;

#define NETWORKING_V1_HTTP_INGRESS_PATH_PATH_TYPE_EXACT "Exact"
#define NETWORKING_V1_HTTP_INGRESS_PATH_PATH_TYPE_IMPLEMENTATION_SPECIFIC "ImplementationSpecific"
#define NETWORKING_V1_HTTP_INGRESS_PATH_PATH_TYPE_PREFIX "Prefix"

typedef struct networking_v1_http_ingress_path {
    networking_v1_ingress_backend backend;
    // +optional
    const char *path;
    // +kubegen:intern
    const char *path_type;
    kube_extra extra;
} networking_v1_http_ingress_path;
KUBE_DECLARE_LIST(networking_v1_http_ingress_path);

typedef struct networking_v1_http_ingress_rule_value {
    // +listType=atomic
    networking_v1_http_ingress_path_list paths;
    kube_extra extra;
} networking_v1_http_ingress_rule_value;

typedef struct networking_v1_ingress_rule {
    // +optional
    const char *host;
    networking_v1_http_ingress_rule_value *http;
    kube_extra extra;
} networking_v1_ingress_rule;
KUBE_DECLARE_LIST(networking_v1_ingress_rule);

typedef struct networking_v1_ingress_tls {
    // +optional
    // +listType=atomic
    kube_string_list hosts;
    // +optional
    const char *secret_name;
    kube_extra extra;
} networking_v1_ingress_tls;
KUBE_DECLARE_LIST(networking_v1_ingress_tls);

typedef struct networking_v1_ingress_spec {
    networking_v1_ingress_backend *default_backend;
    // +optional
    const char *ingress_class_name;
    // +optional
    // +listType=atomic
    networking_v1_ingress_rule_list rules;
    // +optional
    // +listType=atomic
    networking_v1_ingress_tls_list tls;
    kube_extra extra;
} networking_v1_ingress_spec;

#define NETWORKING_V1_INGRESS_PORT_STATUS_PROTOCOL_SCTP "SCTP"
#define NETWORKING_V1_INGRESS_PORT_STATUS_PROTOCOL_TCP "TCP"
#define NETWORKING_V1_INGRESS_PORT_STATUS_PROTOCOL_UDP "UDP"

typedef struct networking_v1_ingress_port_status {
    // +kubebuilder:validation:MaxLength=316
    // +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
    const char *error;
    int32_t port;
    // +kubegen:intern
    const char *protocol;
    kube_extra extra;
} networking_v1_ingress_port_status;
KUBE_DECLARE_LIST(networking_v1_ingress_port_status);

typedef struct networking_v1_ingress_load_balancer_ingress {
    // +optional
    const char *hostname;
    // +optional
    const char *ip;
    // +optional
    // +listType=atomic
    networking_v1_ingress_port_status_list ports;
    kube_extra extra;
} networking_v1_ingress_load_balancer_ingress;
KUBE_DECLARE_LIST(networking_v1_ingress_load_balancer_ingress);

typedef struct networking_v1_ingress_load_balancer_status {
    // +optional
    // +listType=atomic
    networking_v1_ingress_load_balancer_ingress_list ingress;
    kube_extra extra;
} networking_v1_ingress_load_balancer_status;

typedef struct networking_v1_ingress_status {
    // +optional
    // +kubegen:sendEmpty
    networking_v1_ingress_load_balancer_status load_balancer;
    kube_extra extra;
} networking_v1_ingress_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct networking_v1_ingress {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_ingress_spec spec;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_ingress_status status;
    kube_extra extra;
} networking_v1_ingress;

typedef struct networking_v1_ingress_class_parameters_reference {
    // +optional
    // +kubegen:intern
    const char *api_group;
    // +kubegen:intern
    const char *kind;
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    // +optional
    const char *scope;
    kube_extra extra;
} networking_v1_ingress_class_parameters_reference;

typedef struct networking_v1_ingress_class_spec {
    // +optional
    const char *controller;
    networking_v1_ingress_class_parameters_reference *parameters;
    kube_extra extra;
} networking_v1_ingress_class_spec;

// +genclient
// +genclient:nonNamespaced
typedef struct networking_v1_ingress_class {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_ingress_class_spec spec;
    kube_extra extra;
} networking_v1_ingress_class;

#define NETWORKING_V1_NETWORK_POLICY_PORT_PROTOCOL_SCTP "SCTP"
#define NETWORKING_V1_NETWORK_POLICY_PORT_PROTOCOL_TCP "TCP"
#define NETWORKING_V1_NETWORK_POLICY_PORT_PROTOCOL_UDP "UDP"

typedef struct networking_v1_network_policy_port {
    kube_opt_int32 end_port;
    kube_int_or_string port;
    // +optional
    // +kubegen:intern
    const char *protocol;
    kube_extra extra;
} networking_v1_network_policy_port;
KUBE_DECLARE_LIST(networking_v1_network_policy_port);

typedef struct networking_v1_ip_block {
    const char *cidr;
    // +optional
    // +listType=atomic
    kube_string_list except;
    kube_extra extra;
} networking_v1_ip_block;

typedef struct networking_v1_network_policy_peer {
    networking_v1_ip_block *ip_block;
    kube_label_selector *namespace_selector;
    kube_label_selector *pod_selector;
    kube_extra extra;
} networking_v1_network_policy_peer;
KUBE_DECLARE_LIST(networking_v1_network_policy_peer);

typedef struct networking_v1_network_policy_egress_rule {
    // +optional
    // +listType=atomic
    networking_v1_network_policy_port_list ports;
    // +optional
    // +listType=atomic
    networking_v1_network_policy_peer_list to;
    kube_extra extra;
} networking_v1_network_policy_egress_rule;
KUBE_DECLARE_LIST(networking_v1_network_policy_egress_rule);

typedef struct networking_v1_network_policy_ingress_rule {
    // +optional
    // +listType=atomic
    networking_v1_network_policy_peer_list from;
    // +optional
    // +listType=atomic
    networking_v1_network_policy_port_list ports;
    kube_extra extra;
} networking_v1_network_policy_ingress_rule;
KUBE_DECLARE_LIST(networking_v1_network_policy_ingress_rule);

typedef struct networking_v1_network_policy_spec {
    // +optional
    // +listType=atomic
    networking_v1_network_policy_egress_rule_list egress;
    // +optional
    // +listType=atomic
    networking_v1_network_policy_ingress_rule_list ingress;
    // +optional
    // +kubegen:sendEmpty
    kube_label_selector pod_selector;
    // +optional
    // +listType=atomic
    kube_string_list policy_types;
    kube_extra extra;
} networking_v1_network_policy_spec;

// +genclient
typedef struct networking_v1_network_policy {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_network_policy_spec spec;
    kube_extra extra;
} networking_v1_network_policy;

typedef struct networking_v1_service_cidr_spec {
    // +optional
    // +listType=atomic
    kube_string_list cidrs;
    kube_extra extra;
} networking_v1_service_cidr_spec;

typedef struct networking_v1_service_cidr_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchMergeKey=type
    // +patchStrategy=merge
    kube_condition_list conditions;
    kube_extra extra;
} networking_v1_service_cidr_status;

// +genclient
// +kind=ServiceCIDR
// +genclient:nonNamespaced
// +kubebuilder:subresource:status
typedef struct networking_v1_service_cidr {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_service_cidr_spec spec;
    // +optional
    // +kubegen:sendEmpty
    networking_v1_service_cidr_status status;
    kube_extra extra;
} networking_v1_service_cidr;

#endif /* NETWORKING_V1_TYPES_H */
