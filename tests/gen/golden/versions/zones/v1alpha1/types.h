/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=zones.example.org
// +kubebuilder:skip
#ifndef ZONES_V1ALPHA1_TYPES_H
#define ZONES_V1ALPHA1_TYPES_H
#include <kube/meta.h>

typedef struct zones_v1alpha1_zone_limits {
    kube_time until;
} zones_v1alpha1_zone_limits;

typedef struct zones_v1alpha1_zone_spec {
    const char *name;
    kube_opt_int32 weight;
    zones_v1alpha1_zone_limits *limits;
} zones_v1alpha1_zone_spec;

typedef struct zones_v1alpha1_zone_status {
    bool ready;
} zones_v1alpha1_zone_status;

// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=old,singular=olds
typedef struct zones_v1alpha1_zone {
    kube_object base;
    kube_object_meta metadata;
    zones_v1alpha1_zone_spec spec;
    zones_v1alpha1_zone_status status;
} zones_v1alpha1_zone;

#endif
