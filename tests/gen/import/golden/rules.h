/*
 * toys.example.com/v1, imported by kubegen.
 *
 * Ruled
 */
// +groupName=toys.example.com
#ifndef TOYS_V1_TYPES_H
#define TOYS_V1_TYPES_H

#include <kube/meta.h>

typedef struct toys_v1_ruled_spec_probe {
    // +optional
    const char *path;
    kube_extra extra;
} toys_v1_ruled_spec_probe;

// +kubebuilder:validation:XValidation:rule="self.x != \"\\\\\"",reason="FieldValueInvalid"
typedef struct toys_v1_ruled_spec_rest {
    // +optional
    const char *x;
    kube_extra extra;
} toys_v1_ruled_spec_rest;

#define TOYS_V1_RULED_SPEC_MODE_OFF "Off"
#define TOYS_V1_RULED_SPEC_MODE_ON "On"

// +kubebuilder:validation:XValidation:rule="self.count < 9\n  || self.on",message="a \"lot\"",messageExpression="self.level",fieldPath=".count"
typedef struct toys_v1_ruled_spec {
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Maximum=8
    // +kubebuilder:validation:ExclusiveMinimum=true
    // +kubebuilder:validation:MultipleOf=2
    // +default=4
    kube_opt_int32 count;
    // +default=""
    const char *level;
    // +optional
    const char *misfit;
    // +optional
    // +enum=TOYS_V1_RULED_SPEC_MODE
    // +kubegen:intern
    // +default="On"
    const char *mode;
    // +optional
    // +kubebuilder:validation:MinItems=1
    // +kubebuilder:validation:MaxItems=3
    // +default=["a","b"]
    kube_string_list names;
    // +nullable
    kube_opt_int32 nothing;
    // +default=false
    kube_opt_bool on;
    // +optional
    // +kubebuilder:validation:MaxProperties=2
    kube_string_map pairs;
    kube_opt_int64 point;
    // +required
    // +default="http"
    kube_int_or_string port;
    // +kubebuilder:validation:MinProperties=1
    // +default={"path":"/"}
    toys_v1_ruled_spec_probe *probe;
    // +optional
    // +kubegen:sendEmpty
    // +default={}
    toys_v1_ruled_spec_rest rest;
    kube_extra extra;
} toys_v1_ruled_spec;

// +genclient
// +kubebuilder:validation:XValidation:rule="self.spec == oldSelf.orValue(self).spec",optionalOldSelf=true
typedef struct toys_v1_ruled {
    kube_object base;
    kube_object_meta metadata;
    toys_v1_ruled_spec *spec;
    kube_extra extra;
} toys_v1_ruled;

typedef struct toys_v1_end {
    kube_extra extra;
} toys_v1_end;

#define TOYS_V1_PART_PHASE_READY "Ready"

#define TOYS_V1_PART_STATE_UP "Up"

typedef struct toys_v1_part {
    toys_v1_end end;
    // +optional
    // +kubegen:intern
    // +default=""
    const char *phase;
    int32_t size;
    // +optional
    // +enum=TOYS_V1_PART_STATE
    // +kubegen:intern
    const char *state;
    kube_extra extra;
} toys_v1_part;

#endif /* TOYS_V1_TYPES_H */
