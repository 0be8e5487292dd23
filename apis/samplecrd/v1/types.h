/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=samplecrd.k8s.io
#ifndef SAMPLECRD_V1_TYPES_H
#define SAMPLECRD_V1_TYPES_H

#include <kube/meta.h>

/** Desired state of a Network. */
typedef struct samplecrd_v1_network_spec {
    /** Address block of the network, such as "10.1.0.0/16" or "fd00:1::/64". */
    // +kubebuilder:validation:MinLength=4
    // +kubebuilder:validation:MaxLength=43
    // +kubebuilder:example="10.1.0.0/16"
    const char *cidr;
    /** Address of the router, inside cidr. */
    // +kubebuilder:validation:MinLength=2
    // +kubebuilder:validation:MaxLength=39
    // +kubebuilder:example="10.1.0.1"
    const char *gateway;
} samplecrd_v1_network_spec;

/** Network describes a routed network. */
// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=nw
// +kubebuilder:printcolumn:name="CIDR",type=string,JSONPath=".spec.cidr"
// +kubebuilder:printcolumn:name="Gateway",type=string,JSONPath=".spec.gateway"
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved, a tutorial's group"
typedef struct samplecrd_v1_network {
    kube_object base; /* type and storage; stands for TypeMeta */
    kube_object_meta metadata;
    samplecrd_v1_network_spec spec;
} samplecrd_v1_network;

#endif /* SAMPLECRD_V1_TYPES_H */
