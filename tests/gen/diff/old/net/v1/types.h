/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=net.example.com
#ifndef NET_V1_TYPES_H
#define NET_V1_TYPES_H

#include <kube/meta.h>

#define NET_V1_FAST "Fast"
enum { NET_V1_SLOW_PORT = 80 };

typedef struct net_v1_rule {
    const char *name;
    int32_t port;
} net_v1_rule;
KUBE_DECLARE_LIST(net_v1_rule);

typedef struct net_v1_unused {
    const char *name;
} net_v1_unused;

typedef struct net_v1_net_spec {
    // +kubebuilder:validation:MaxLength=18
    // +kubebuilder:validation:XValidation:rule="self != ''"
    const char *cidr;
    const char *gateway;
    // +kubebuilder:default=3
    // +optional
    kube_opt_int32 replicas;
    // +kubebuilder:validation:Enum=Fast;Slow
    const char *mode;
    // +listType=map
    // +listMapKey=name
    net_v1_rule_list rules;
    int32_t max_hops;
} net_v1_net_spec;

// +genclient
// +kubebuilder:resource:path=nets,shortName=nt
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="CIDR",type=string,JSONPath=".spec.cidr"
typedef struct net_v1_net {
    kube_object base;
    kube_object_meta metadata;
    net_v1_net_spec spec;
    // +optional
    net_v1_rule status;
} net_v1_net;

#endif /* NET_V1_TYPES_H */
