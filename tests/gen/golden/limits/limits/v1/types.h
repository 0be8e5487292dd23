/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=limits.example.org
#ifndef LIMITS_V1_TYPES_H
#define LIMITS_V1_TYPES_H

#include <kube/meta.h>

typedef struct limits_v1_range {
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:ExclusiveMinimum=true
    // +kubebuilder:validation:Maximum=1
    // +kubebuilder:validation:ExclusiveMaximum=false
    kube_opt_double share;
    // +kubebuilder:validation:Minimum=-15E-8
    // +kubebuilder:validation:Maximum=1e2
    kube_opt_double ratio;
    // +kubebuilder:validation:MultipleOf=5
    // +kubebuilder:default=15
    kube_opt_int32 minutes;
} limits_v1_range;

typedef struct limits_v1_bound_spec {
    // +kubebuilder:validation:MinItems=1
    // +kubebuilder:validation:MaxItems=3
    // +kubebuilder:default={a}
    kube_string_list names;
    // +kubebuilder:validation:MaxProperties=2
    // +optional
    kube_string_map labels;
    // +kubebuilder:validation:MinProperties=1
    limits_v1_range *range;
    // +kubebuilder:validation:Format=ipv4
    const char *address;
} limits_v1_bound_spec;

/** Bound, as it was. */
// +genclient
// +kubebuilder:deprecatedversion:warning="limits.example.org/v1 goes: use v2beta1"
typedef struct limits_v1_bound {
    kube_object base;
    kube_object_meta metadata;
    limits_v1_bound_spec spec;
} limits_v1_bound;

/** Old has words of the server's about its age. */
// +genclient
// +kubebuilder:deprecatedversion
// +kubebuilder:storageversion
typedef struct limits_v1_old {
    kube_object base;
    kube_object_meta metadata;
} limits_v1_old;

#endif /* LIMITS_V1_TYPES_H */
