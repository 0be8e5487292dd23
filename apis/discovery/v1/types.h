/* SPDX-License-Identifier: Apache-2.0 */
/*
 * discovery.k8s.io/v1, imported by kubegen.
 *
 * EndpointSlice
 */
// +groupName=discovery.k8s.io
#ifndef DISCOVERY_V1_TYPES_H
#define DISCOVERY_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

typedef struct discovery_v1_endpoint_conditions {
    kube_opt_bool ready;
    kube_opt_bool serving;
    kube_opt_bool terminating;
    kube_extra extra;
} discovery_v1_endpoint_conditions;

typedef struct discovery_v1_for_node {
    const char *name;
    kube_extra extra;
} discovery_v1_for_node;
KUBE_DECLARE_LIST(discovery_v1_for_node);

typedef struct discovery_v1_for_zone {
    const char *name;
    kube_extra extra;
} discovery_v1_for_zone;
KUBE_DECLARE_LIST(discovery_v1_for_zone);

typedef struct discovery_v1_endpoint_hints {
    // +optional
    // +listType=atomic
    discovery_v1_for_node_list for_nodes;
    // +optional
    // +listType=atomic
    discovery_v1_for_zone_list for_zones;
    kube_extra extra;
} discovery_v1_endpoint_hints;

typedef struct discovery_v1_endpoint {
    // +listType=set
    kube_string_list addresses;
    // +optional
    // +kubegen:sendEmpty
    discovery_v1_endpoint_conditions conditions;
    // +optional
    kube_string_map deprecated_topology;
    discovery_v1_endpoint_hints *hints;
    // +optional
    const char *hostname;
    // +optional
    const char *node_name;
    core_v1_object_reference *target_ref;
    // +optional
    const char *zone;
    kube_extra extra;
} discovery_v1_endpoint;
KUBE_DECLARE_LIST(discovery_v1_endpoint);

#define DISCOVERY_V1_ENDPOINT_PORT_PROTOCOL_SCTP "SCTP"
#define DISCOVERY_V1_ENDPOINT_PORT_PROTOCOL_TCP "TCP"
#define DISCOVERY_V1_ENDPOINT_PORT_PROTOCOL_UDP "UDP"

// +structType=atomic
typedef struct discovery_v1_endpoint_port {
    // +optional
    const char *app_protocol;
    // +optional
    const char *name;
    kube_opt_int32 port;
    // +optional
    // +kubegen:intern
    const char *protocol;
    kube_extra extra;
} discovery_v1_endpoint_port;
KUBE_DECLARE_LIST(discovery_v1_endpoint_port);

#define DISCOVERY_V1_ENDPOINT_SLICE_ADDRESS_TYPE_FQDN "FQDN"
#define DISCOVERY_V1_ENDPOINT_SLICE_ADDRESS_TYPE_IPV4 "IPv4"
#define DISCOVERY_V1_ENDPOINT_SLICE_ADDRESS_TYPE_IPV6 "IPv6"

// +genclient
typedef struct discovery_v1_endpoint_slice {
    kube_object base;
    kube_object_meta metadata;
    // +kubegen:intern
    const char *address_type;
    // +optional
    // +listType=atomic
    discovery_v1_endpoint_list endpoints;
    // +optional
    // +listType=atomic
    discovery_v1_endpoint_port_list ports;
    kube_extra extra;
} discovery_v1_endpoint_slice;

#endif /* DISCOVERY_V1_TYPES_H */
