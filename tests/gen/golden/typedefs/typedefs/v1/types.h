/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=typedefs.example.org
#ifndef TYPEDEFS_V1_TYPES_H
#define TYPEDEFS_V1_TYPES_H

#include <kube/meta.h>

#define TYPEDEFS_V1_PHASE_DOWN "Down"
#define TYPEDEFS_V1_PHASE_UP "Up"

/** How long something takes. */
// +kubebuilder:validation:Pattern=`^([0-9]+(s|m|h))+$`
// +kubebuilder:validation:MaxLength=20
typedef const char *typedefs_v1_duration;
KUBE_DECLARE_LIST(typedefs_v1_duration);
KUBE_DECLARE_MAP(typedefs_v1_duration);
KUBE_DECLARE_LIST(typedefs_v1_duration_list);
KUBE_DECLARE_MAP(typedefs_v1_duration_list);

/** One that is short. */
// +kubebuilder:validation:MaxLength=4
// +kubebuilder:validation:XValidation:rule="self != '0s'",message="no time at all"
typedef typedefs_v1_duration typedefs_v1_moment;

// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=65535
typedef int32_t typedefs_v1_port;
KUBE_DECLARE_LIST(typedefs_v1_port);
KUBE_DECLARE_MAP(typedefs_v1_port);

// +kubebuilder:validation:Minimum=1
typedef kube_opt_int32 typedefs_v1_opt_port;

// +enum
typedef const char *typedefs_v1_phase;

// +kubebuilder:validation:MinItems=1
// +listType=set
typedef kube_string_list typedefs_v1_names;

/** Ports, each once. */
// +listType=set
// +kubebuilder:validation:MaxItems=3
typedef typedefs_v1_port_list typedefs_v1_ports;

// +kubebuilder:validation:MaxProperties=4
typedef kube_string_map typedefs_v1_labels;

/** A range of ports. */
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:XValidation:rule="!has(self.last) || self.first <= self.last",message="last is below first"
// +kubebuilder:title=Range
typedef struct typedefs_v1_range {
    typedefs_v1_port first;
    // +optional
    typedefs_v1_port last;
} typedefs_v1_range;
KUBE_DECLARE_LIST(typedefs_v1_range);

// +kubebuilder:pruning:PreserveUnknownFields
typedef typedefs_v1_range typedefs_v1_open_range;

// +kubebuilder:validation:XValidation:rule="has(self.common)"
typedef struct typedefs_v1_common {
    const char *common;
} typedefs_v1_common;

/** Either is there. */
// +kubegen:schema={"oneOf":[{"required":["left"]},{"required":["right"]}]}
// +structType=atomic
typedef struct typedefs_v1_sides {
    // +optional
    const char *left;
    // +optional
    const char *right;
} typedefs_v1_sides;

// +kubebuilder:validation:MaxProperties=20
typedef typedefs_v1_sides typedefs_v1_few_sides;

// +kubegen:schema={"oneOf":[{"required":["interval"]},{"required":["phase"]}]}
// +kubebuilder:validation:XValidation:rule="self.port != 1"
typedef struct typedefs_v1_probe_spec {
    // +inline
    typedefs_v1_common common;
    // +inline
    typedefs_v1_few_sides sides;
    // +kubebuilder:validation:MaxLength=10
    // +kubebuilder:validation:MinLength=2
    // +optional
    typedefs_v1_duration interval;
    /** Not long at all. */
    // +optional
    typedefs_v1_moment pause;
    // +kubebuilder:validation:Maximum=1024
    typedefs_v1_port port;
    // +optional
    typedefs_v1_opt_port other;
    // +optional
    // +kubebuilder:default=Up
    typedefs_v1_phase phase;
    // +kubebuilder:validation:MaxItems=9
    // +optional
    typedefs_v1_duration_list steps;
    // +optional
    typedefs_v1_duration_map by_name;
    // +optional
    typedefs_v1_duration_list_list table;
    // +optional
    typedefs_v1_duration_list_map rows;
    // +optional
    typedefs_v1_port_list ports;
    // +optional
    typedefs_v1_port_map named_ports;
    // +optional
    typedefs_v1_names names;
    // +optional
    // +kubebuilder:validation:MaxItems=2
    typedefs_v1_ports few;
    // +optional
    typedefs_v1_labels labels;
    // +kubebuilder:validation:MinProperties=1
    // +kubebuilder:validation:MaxProperties=2
    // +kubebuilder:validation:XValidation:rule="self.first > 10"
    typedefs_v1_range range;
    typedefs_v1_range *more;
    // +optional
    typedefs_v1_range_list ranges;
    // +optional
    typedefs_v1_open_range open;
    // +optional
    typedefs_v1_open_range *open_pointer;
} typedefs_v1_probe_spec;

// +genclient
// +kubebuilder:validation:XValidation:rule="self.metadata.name != 'none'"
typedef struct typedefs_v1_probe {
    kube_object base;
    kube_object_meta metadata;
    // +kubebuilder:example={"common":"a","left":"b","port":2,"range":{"first":11}}
    typedefs_v1_probe_spec spec;
} typedefs_v1_probe;

#endif /* TYPEDEFS_V1_TYPES_H */
