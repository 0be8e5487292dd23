/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +kubebuilder:validation:ExactlyOneOf=first;secnd
// +kubebuilder:validation:AtMostOneOf={number,spec.first}
// +kubebuilder:validation:AtLeastOneOf=
// +kubebuilder:validation:AtLeastOneOf=first;raw
// +k8s:immutable
typedef struct errors_v1_thing {
    // +optional
    const char *first;
    const char *second;
    // +kubebuilder:validation:ExactlyOneOf=first;second
    int32_t number;
    kube_raw_json raw;
    // +k8s:immutable
    // +kubebuilder:validation:XValidation:rule="self == 1"
    kube_raw_json other;
} errors_v1_thing;

#endif
/* expect:
7:47: error: 'errors_v1_thing' has no member 'secnd'; did you mean 'second'?
8:41: error: 'number' is required, so it cannot be one of several to choose from: it needs '+optional'
8:48: error: 'errors_v1_thing' has no member 'spec.first'
9:41: error: a value is missing here
10:47: error: rules of CEL do not see 'raw', which may be any JSON: say what it is with '+kubebuilder:validation:Type'
11:4: error: '+k8s:immutable' does not belong here: put it directly above a member of a struct
16:8: error: '+kubebuilder:validation:ExactlyOneOf' does not belong here: put it above a struct
20:8: error: rules of CEL do not see 'other', which may be any JSON: say what it is with '+kubebuilder:validation:Type'
*/
