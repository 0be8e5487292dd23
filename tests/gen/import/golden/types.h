/*
 * toys.example.com/v1, imported by kubegen.
 *
 * HTTPGate
 * Lens
 * Question
 * Widget: subresources scale, status
 */
// +groupName=toys.example.com
#ifndef TOYS_V1_TYPES_H
#define TOYS_V1_TYPES_H

#include <core/v1/types.h>
#include <kube/meta.h>

KUBE_DECLARE_LIST(int32_t_list);
KUBE_DECLARE_LIST(kube_micro_time);
typedef struct toys_v1_tree toys_v1_tree;
KUBE_DECLARE_LIST(toys_v1_tree);
KUBE_FORWARD_MAP(toys_v1_tree);

typedef struct toys_v1_http_gate_spec {
    // +optional
    kube_string_list hosts;
    kube_extra extra;
} toys_v1_http_gate_spec;

typedef struct toys_v1_http_gate_status {
    kube_opt_bool open;
    kube_extra extra;
} toys_v1_http_gate_status;

// +genclient
// +kind=HTTPGate
// +genclient:nonNamespaced
// +genclient:noStatus
// +genclient:skipVerbs=deleteCollection
typedef struct toys_v1_http_gate {
    kube_object base;
    kube_object_meta metadata;
    toys_v1_http_gate_spec *spec;
    toys_v1_http_gate_status *status;
    kube_extra extra;
} toys_v1_http_gate;

// +genclient
// +genclient:onlyVerbs=create,list,watch
// +resourceName=lens
// +cPlural=lens_objects
typedef struct toys_v1_lens {
    kube_object base;
    kube_object_meta metadata;
    kube_opt_int64 focus;
    kube_extra extra;
} toys_v1_lens;

typedef struct toys_v1_question_spec {
    // +optional
    const char *text;
    kube_extra extra;
} toys_v1_question_spec;

typedef struct toys_v1_question_status {
    const char *answer;
    kube_extra extra;
} toys_v1_question_status;

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
// +genclient:onlyVerbs=create
typedef struct toys_v1_question {
    kube_object base;
    kube_object_meta metadata;
    toys_v1_question_spec spec;
    toys_v1_question_status *status;
    kube_extra extra;
} toys_v1_question;

// +structType=atomic
typedef struct toys_v1_widget_ref_value {
    const char *name;
    kube_extra extra;
} toys_v1_widget_ref_value;

typedef struct toys_v1_widget_spec_port_address {
    // +optional
    const char *ip;
    kube_extra extra;
} toys_v1_widget_spec_port_address;
KUBE_DECLARE_LIST(toys_v1_widget_spec_port_address);

typedef struct toys_v1_widget_spec_port {
    // +optional
    toys_v1_widget_spec_port_address_list addresses;
    int32_t port;
    // +optional
    // +default="TCP"
    const char *protocol;
    kube_extra extra;
} toys_v1_widget_spec_port;
KUBE_DECLARE_LIST(toys_v1_widget_spec_port);

typedef struct toys_v1_branch {
    // +required
    toys_v1_tree *tree;
    kube_extra extra;
} toys_v1_branch;

struct toys_v1_tree {
    toys_v1_branch *branch;
    // +optional
    toys_v1_tree_list children;
    // +optional
    toys_v1_tree_map named;
    toys_v1_tree *not_;
    kube_raw_json value;
    kube_extra extra;
};
KUBE_DECLARE_MAP_ENTRY(toys_v1_tree);

#define TOYS_V1_WIDGET_SPEC_PHASE_VALUE_EMPTY ""
#define TOYS_V1_WIDGET_SPEC_PHASE_VALUE_DOWN "Down"
#define TOYS_V1_WIDGET_SPEC_PHASE_VALUE_GOING_UP "GoingUp"
#define TOYS_V1_WIDGET_SPEC_PHASE_VALUE_UP "Up"
#define TOYS_V1_WIDGET_SPEC_PHASE_VALUE_GOING_UP_2 "going-up"

#define TOYS_V1_WIDGET_SPEC_PHASE_UP_A "a"
#define TOYS_V1_WIDGET_SPEC_PHASE_UP_B "b"

#define TOYS_V1_WIDGET_SPEC_TYPED_BLUE "Blue"
#define TOYS_V1_WIDGET_SPEC_TYPED_RED "Red"

typedef struct toys_v1_widget_spec {
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
    bool on;
    toys_v1_widget_ref_value owner;
    // +optional
    // +enum=TOYS_V1_WIDGET_SPEC_PHASE_VALUE
    // +kubegen:intern
    const char *phase;
    // +optional
    // +enum=TOYS_V1_WIDGET_SPEC_PHASE_UP
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
    toys_v1_widget_spec_port_list ports;
    kube_opt_double ratio;
    kube_label_selector *selector;
    core_v1_object_reference *shared;
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Maximum=100
    int32_t size;
    // +optional
    const char *template_;
    kube_duration timeout;
    toys_v1_tree *tree;
    // +optional
    // +enum=TOYS_V1_WIDGET_SPEC_TYPED
    // +kubegen:intern
    const char *typed;
    // +kubebuilder:validation:Maximum=1.5
    double weight;
    // +required
    kube_time when;
    // +optional
    kube_string_list_map words;
    kube_extra extra;
} toys_v1_widget_spec;

typedef struct toys_v1_widget_status {
    // +optional
    // +listType=map
    // +listMapKey=type
    kube_condition_list conditions;
    kube_opt_int32 ready;
    kube_extra extra;
} toys_v1_widget_status;

// +genclient
// +kubebuilder:subresource:status
typedef struct toys_v1_widget {
    kube_object base;
    kube_object_meta metadata;
    // +optional
    // +kubegen:sendEmpty
    toys_v1_widget_spec spec;
    toys_v1_widget_status *status;
    kube_extra extra;
} toys_v1_widget;

typedef struct toys_v1_box {
    // +optional
    const char *lid;
    kube_extra extra;
} toys_v1_box;
KUBE_DECLARE_LIST(toys_v1_box);

#endif /* TOYS_V1_TYPES_H */
