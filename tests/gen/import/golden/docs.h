/* SPDX-License-Identifier: MIT */
/*
 * toys.example.com/v1, imported by kubegen.
 *
 * Widget: subresources scale, status
 */
// +groupName=toys.example.com
#ifndef THINGS_V1_TYPES_H
#define THINGS_V1_TYPES_H

#include <kube/meta.h>

KUBE_DECLARE_LIST(int32_t_list);
KUBE_DECLARE_LIST(kube_micro_time);
typedef struct things_v1_tree things_v1_tree;
KUBE_DECLARE_LIST(things_v1_tree);
KUBE_FORWARD_MAP(things_v1_tree);

// +structType=atomic
typedef struct things_v1_widget_ref_value {
    const char *name;
    kube_extra extra;
} things_v1_widget_ref_value;

typedef struct things_v1_widget_spec_port_address {
    // +optional
    const char *ip;
    kube_extra extra;
} things_v1_widget_spec_port_address;
KUBE_DECLARE_LIST(things_v1_widget_spec_port_address);

typedef struct things_v1_widget_spec_port {
    // +optional
    things_v1_widget_spec_port_address_list addresses;
    int32_t port;
    // +optional
    // +default="TCP"
    const char *protocol;
    kube_extra extra;
} things_v1_widget_spec_port;
KUBE_DECLARE_LIST(things_v1_widget_spec_port);

typedef struct things_v1_object_reference {
    // +optional
    const char *name;
    kube_extra extra;
} things_v1_object_reference;

typedef struct things_v1_branch {
    // +required
    things_v1_tree *tree;
    kube_extra extra;
} things_v1_branch;

struct things_v1_tree {
    things_v1_branch *branch;
    // +optional
    things_v1_tree_list children;
    // +optional
    things_v1_tree_map named;
    things_v1_tree *not_;
    kube_raw_json value;
    kube_extra extra;
};
KUBE_DECLARE_MAP_ENTRY(things_v1_tree);

#define THINGS_V1_WIDGET_SPEC_PHASE_VALUE_EMPTY ""
#define THINGS_V1_WIDGET_SPEC_PHASE_VALUE_DOWN "Down"
#define THINGS_V1_WIDGET_SPEC_PHASE_VALUE_GOING_UP "GoingUp"
#define THINGS_V1_WIDGET_SPEC_PHASE_VALUE_UP "Up"
#define THINGS_V1_WIDGET_SPEC_PHASE_VALUE_GOING_UP_2 "going-up"

#define THINGS_V1_WIDGET_SPEC_PHASE_UP_A "a"
#define THINGS_V1_WIDGET_SPEC_PHASE_UP_B "b"

#define THINGS_V1_WIDGET_SPEC_TYPED_BLUE "Blue"
#define THINGS_V1_WIDGET_SPEC_TYPED_RED "Red"

typedef struct things_v1_widget_spec {
    // +optional
    // +json=$ref
    const char *ref;
    kube_raw_json anything;
    kube_raw_json bag;
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:ExclusiveMinimum=true
    kube_opt_int64 count;
    kube_raw_json default_;
    // +optional
    // +nullable
    const char *either;
    kube_raw_json embedded;
    // +optional
    kube_string_map extra_;
    // +optional
    // +json=fooBar
    const char *foo_bar_2;
    // +optional
    // +json=foo_bar
    const char *foo_bar;
    // +optional
    kube_opt_bool_map gaps;
    // +optional
    int32_t_list_list grid;
    // +optional
    kube_opt_int32_list holes;
    // +listType=set
    kube_string_list ids;
    kube_bytes key;
    // +mapType=atomic
    kube_string_map labels;
    // +optional
    kube_quantity_map limits;
    // +required
    // +nullable
    kube_opt_int64 maybe;
    kube_quantity memory;
    kube_micro_time moment;
    // +optional
    kube_micro_time_list moments;
    /**
     * What it is called, in words that go on for so long that they need a second line in a comment.
     */
    // +kubebuilder:validation:MinLength=1
    // +kubebuilder:validation:MaxLength=63
    // +kubebuilder:validation:Pattern=`^[a-z]+$`
    const char *name;
    // +optional
    // +kubegen:intern
    const char *namespace_;
    // +optional
    const char *odd;
    kube_opt_bool off;
    /** '+on is no marker.' */
    bool on;
    things_v1_widget_ref_value owner;
    // +optional
    // +enum=THINGS_V1_WIDGET_SPEC_PHASE_VALUE
    // +kubegen:intern
    const char *phase;
    // +optional
    // +enum=THINGS_V1_WIDGET_SPEC_PHASE_UP
    // +kubegen:intern
    const char *phase_up;
    // +optional
    // +json=podCIDR
    const char *pod_cidr;
    kube_int_or_string port;
    // +optional
    // +listType=map
    // +listMapKey=port
    // +listMapKey=protocol
    // +patchMergeKey=port
    // +patchStrategy=merge,retainKeys
    things_v1_widget_spec_port_list ports;
    kube_opt_double ratio;
    kube_label_selector *selector;
    things_v1_object_reference *shared;
    /** In metres. */
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Maximum=100
    int32_t size;
    // +optional
    const char *template_;
    kube_duration timeout;
    things_v1_tree *tree;
    // +optional
    // +enum=THINGS_V1_WIDGET_SPEC_TYPED
    // +kubegen:intern
    const char *typed;
    // +kubebuilder:validation:Maximum=1.5
    double weight;
    // +required
    kube_time when;
    // +optional
    kube_string_list_map words;
    kube_extra extra;
} things_v1_widget_spec;

typedef struct things_v1_widget_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    kube_condition_list conditions;
    kube_opt_int32 ready;
    kube_extra extra;
} things_v1_widget_status;

/**
 * Widget is a toy.
 *
 * '+ends' with * / and has
 * / * a comment in it
 */
// +genclient
// +kubebuilder:subresource:status
typedef struct things_v1_widget {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    things_v1_widget_spec spec;
    things_v1_widget_status *status;
    kube_extra extra;
} things_v1_widget;

#endif /* THINGS_V1_TYPES_H */
