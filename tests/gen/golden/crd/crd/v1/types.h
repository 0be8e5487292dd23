/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=crd.example.org
#ifndef CRD_V1_TYPES_H
#define CRD_V1_TYPES_H

#include <kube/meta.h>

// +structType=atomic
typedef struct crd_v1_widget_port {
    const char *name;
    int32_t number;
} crd_v1_widget_port;
KUBE_DECLARE_LIST(crd_v1_widget_port);

/** What is embedded in others: a server prunes what neither names. */
typedef struct crd_v1_widget_template {
    /** As controller-gen writes it. */
    // +optional
    kube_object_meta metadata;
    kube_extra extra;
} crd_v1_widget_template;

/** All that can be absent by itself is required only if the header says so. */
typedef struct crd_v1_widget_needs {
    // +required
    kube_opt_bool flag;
    // +required
    kube_opt_int32 small;
    // +required
    kube_opt_int64 large;
    // +required
    kube_opt_double ratio;
    // +required
    kube_time since;
    // +required
    kube_micro_time exactly;
    // +required
    kube_duration wait;
    // +required
    kube_quantity amount;
    // +required
    kube_int_or_string port;
    // +required
    kube_bytes blob;
    // +required
    kube_raw_json config;
    // +required
    crd_v1_widget_port *pointer;
    // +required
    crd_v1_widget_port_list ports;
    // +required
    kube_string_list names;
    // +required
    kube_string_map labels;
    // +required
    kube_opt_bool_map gaps;
} crd_v1_widget_needs;

/**
 * Text that a YAML reader could misread.
 * Second line: with a colon, # and 'quotes'.
 */
typedef struct crd_v1_widget_spec {
    /** yes */
    // +kubebuilder:validation:Pattern=^[a-z]+: #?$
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=63
    const char *name;
    /** 1.5 */
    // +kubebuilder:validation:Minimum=-1.5
    // +kubebuilder:validation:Maximum=9007199254740993
    // +optional
    double weight;
    /** - not a list */
    kube_opt_int64 size;
    /** ends with a colon: */
    // +nullable
    kube_time since;
    // +optional
    kube_opt_int32_list holes;
    // +optional
    kube_opt_bool_map gaps;
    // +listType=map
    // +listMapKey=name
    // +listMapKey=number
    // +patchMergeKey=name
    // +patchStrategy=merge,retainKeys
    crd_v1_widget_port_list ports;
    // +listType=set
    // +optional
    kube_string_list tags;
    // +mapType=atomic
    // +optional
    kube_string_map labels;
    // +structType=granular
    crd_v1_widget_port *main;
    // +optional
    crd_v1_widget_template template_;
    crd_v1_widget_needs *needs;
    kube_extra extra;
} crd_v1_widget_spec;

/** Widget: has columns. */
// +genclient
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Size",type=integer,format=int64,JSONPath=".spec.size",priority=1,description="in bytes"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
// +kubebuilder:metadata:annotations="note=true"
// +kubebuilder:metadata:labels="tier=1"
typedef struct crd_v1_widget {
    kube_object base;
    kube_object_meta metadata;
    crd_v1_widget_spec spec;
    // +optional
    kube_label_selector status;
} crd_v1_widget;

#endif /* CRD_V1_TYPES_H */
