/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=net.example.com
#ifndef NET_V1_TYPES_H
#define NET_V1_TYPES_H

#include <kube/meta.h>

#define NET_V1_MODE_FAST "Fast"
enum { NET_V1_PORT = 80 };

typedef struct net_v1_rule {
    const char *name;
    int64_t port;
} net_v1_rule;
KUBE_DECLARE_LIST(net_v1_rule);

typedef struct net_v1_net_spec {
    // +kubebuilder:validation:MaxLength=15
    // +kubebuilder:validation:XValidation:rule="self != ''"
    // +kubebuilder:validation:XValidation:rule="self.contains('/')"
    const char *cidr;
    // +kubebuilder:default=5
    // +optional
    kube_opt_int32 replicas;
    // +kubebuilder:validation:Enum=Fast
    const char *mode;
    // +listType=map
    // +listMapKey=name
    net_v1_rule_list rules;
    // +json=maxHops
    int32_t hops;
    // +optional
    kube_string_list dns;
} net_v1_net_spec;

// +genclient
// +genclient:skipVerbs=deleteCollection
// +cPlural=networks
// +kubebuilder:resource:path=nets
// +kubebuilder:subresource:status
typedef struct net_v1_net {
    kube_object base;
    kube_object_meta metadata;
    net_v1_net_spec spec;
    // +optional
    net_v1_rule status;
} net_v1_net;

#endif /* NET_V1_TYPES_H */
