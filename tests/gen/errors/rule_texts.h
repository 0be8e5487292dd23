/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +kubebuilder:validation:Type=string
typedef kube_raw_json errors_v1_text;

// +kubebuilder:validation:ExactlyOneOf=$ref;text
typedef struct errors_v1_spec {
    // +json=$ref
    // +optional
    const char *ref;
    // +k8s:immutable
    // +optional
    errors_v1_text text;
    // +kubebuilder:validation:XValidation:rule="true",message=""
    const char *a;
} errors_v1_spec;

// +genclient
// +kubebuilder:printcolumn:name="",type=string,JSONPath=.spec.a
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_spec spec;
} errors_v1_thing;

#endif
/* expect:
10:41: error: CEL has no name for '$ref': write a rule without it
18:64: error: the message is empty: write one, or leave it out
23:4: error: a column has a name, which is its heading
*/
