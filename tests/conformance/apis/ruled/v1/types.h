/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=ruled.example.org
#ifndef RULED_V1_TYPES_H
#define RULED_V1_TYPES_H

#include <kube/meta.h>

#define RULED_V1_PHASE_DOWN "Down"
#define RULED_V1_PHASE_UP "Up"

// +kubebuilder:validation:Pattern=`^([0-9]+(s|m|h))+$`
// +kubebuilder:validation:MaxLength=8
typedef const char *ruled_v1_duration;
KUBE_DECLARE_LIST(ruled_v1_duration);
KUBE_DECLARE_MAP(ruled_v1_duration);

// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=65535
typedef int32_t ruled_v1_port;
KUBE_DECLARE_LIST(ruled_v1_port);

// +enum
typedef const char *ruled_v1_phase;

// +listType=set
// +kubebuilder:validation:MaxItems=3
// +kubebuilder:validation:items:MaxLength=4
typedef kube_string_list ruled_v1_tags;

// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:XValidation:rule="!has(self.least) || !has(self.most) || self.least <= self.most",message="least is above most",fieldPath=".least",reason=FieldValueForbidden
typedef struct ruled_v1_range {
    kube_opt_int32 least;
    kube_opt_int32 most;
} ruled_v1_range;

// +kubebuilder:validation:ExactlyOneOf=secret;file
typedef struct ruled_v1_source {
    // +optional
    const char *secret;
    // +optional
    const char *file;
} ruled_v1_source;

typedef struct ruled_v1_gauge_spec {
    // +kubebuilder:validation:MaxLength=4
    // +optional
    ruled_v1_duration interval;
    // +optional
    ruled_v1_duration_list steps;
    // +optional
    ruled_v1_duration_map by_name;
    // +kubebuilder:validation:Maximum=1024
    ruled_v1_port port;
    // +optional
    ruled_v1_port_list ports;
    // +optional
    ruled_v1_phase phase;
    // +optional
    ruled_v1_tags tags;
    ruled_v1_range *range;
    ruled_v1_source *source;
    // +k8s:immutable
    // +optional
    // +kubebuilder:validation:MaxLength=20
    const char *zone;
    // +kubebuilder:validation:XIntOrString
    // +kubebuilder:validation:Pattern=`^[0-9]+%$`
    kube_int_or_string surge;
    // +kubebuilder:validation:Type=integer
    // +kubebuilder:validation:Minimum=3
    kube_raw_json count;
    // +kubebuilder:validation:EmbeddedResource
    kube_raw_json template_;
    // +kubebuilder:pruning:PreserveUnknownFields
    ruled_v1_range *open;
    // +kubegen:schema={"anyOf":[{"minLength":3},{"enum":["a","b"]}]}
    // +optional
    const char *odd;
    // +nullable
    // +optional
    const char *note;
} ruled_v1_gauge_spec;

/** Gauge has a rule of each kind. */
// +genclient
typedef struct ruled_v1_gauge {
    kube_object base;
    kube_object_meta metadata;
    ruled_v1_gauge_spec spec;
} ruled_v1_gauge;

#endif /* RULED_V1_TYPES_H */
