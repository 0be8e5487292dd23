/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_part {
    // +optional
    kube_string_list names;
    // +optional
    kube_condition_list conditions;
    kube_quantity size;
} errors_v1_part;

// +genclient
// +kubebuilder:printcolumn:name="A",type=string,JSONPath=".spec.siez"
// +kubebuilder:printcolumn:name="B",type=string,JSONPath=.spce.size
// +kubebuilder:printcolumn:name="C",type=date,JSONPath=".metadata.creationTime"
// +kubebuilder:printcolumn:name="D",type=string,JSONPath=`.spec.conditions[?(@.typ=="Ready")].status`
// +kubebuilder:printcolumn:name="E",type=string,JSONPath=`.spec.conditions[?(@.type=="Ready")].state`
// +kubebuilder:printcolumn:name="F",type=string,JSONPath=.spec.conditions.status
// +kubebuilder:printcolumn:name="G",type=string,JSONPath=.spec.size.value
// +kubebuilder:printcolumn:name="H",type=string,JSONPath=".spec['siez']"
// +kubebuilder:printcolumn:name="I",type=string,JSONPath=".spec.names[0"
// +kubebuilder:printcolumn:name="J",type=string,JSONPath=.spec.names[first]
// +kubebuilder:printcolumn:name="K",type=string,JSONPath=.spec.size[0]
// +kubebuilder:printcolumn:name="L",type=string,JSONPath=.spec.names[*].x
// +kubebuilder:printcolumn:name="M",type=string,JSONPath=.nothing
// +kubebuilder:printcolumn:name="N",type=string,JSONPath=.spec.size.*
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_part spec;
} errors_v1_thing;

#endif
/* expect:
16:66: error: 'errors_v1_part' has no member 'siez'; did you mean 'size'?
17:60: error: 'errors_v1_thing' has no member 'spce'; did you mean 'spec'?
18:68: error: 'kube_object_meta' has no member 'creationTime'
19:81: error: 'kube_condition' has no member 'typ'; did you mean 'type'?
20:97: error: 'kube_condition' has no member 'state'; did you mean 'status'?
21:65: error: 'conditions' has type 'kube_condition_list', which has no members: write [*], [0] or [?(@.<member>=="…")] after it
22:65: error: 'size' has type 'kube_quantity', which has no members
23:67: error: 'errors_v1_part' has no member 'siez'; did you mean 'size'?
24:71: error: this '[' has no ']'
25:71: error: 'first' is not an index; the name of a member needs single quotes here
26:70: error: 'size' is not a list, so '[0]' cannot pick anything
27:65: error: 'names[]' has type 'const char *', which has no members
28:60: error: 'errors_v1_thing' has no member 'nothing'
29:70: error: 'size' has type 'kube_quantity', which has no elements
*/
