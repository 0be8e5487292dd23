/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=zones.example.org
#ifndef ZONES_V1BETA1_TYPES_H
#define ZONES_V1BETA1_TYPES_H
#include <kube/meta.h>

typedef struct zones_v1beta1_zone_limits {
    kube_time until;
} zones_v1beta1_zone_limits;

typedef struct zones_v1beta1_zone_spec {
    const char *name;
    kube_opt_int32 weight;
    zones_v1beta1_zone_limits *limits;
} zones_v1beta1_zone_spec;

typedef struct zones_v1beta1_zone_status {
    bool ready;
} zones_v1beta1_zone_status;

// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:deprecatedversion:warning="use v1"
// +kubebuilder:resource:categories=all;net
// +kubebuilder:metadata:annotations="example.com/team=net";"example.com/since=v1beta1",labels="tier=b"
// +kubebuilder:selectablefield:JSONPath=".spec.name"
typedef struct zones_v1beta1_zone {
    kube_object base;
    kube_object_meta metadata;
    zones_v1beta1_zone_spec spec;
    zones_v1beta1_zone_status status;
} zones_v1beta1_zone;

#endif
