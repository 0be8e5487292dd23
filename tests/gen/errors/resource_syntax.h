/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:resource:shortName
// +kubebuilder:metadata:annotations="a
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

// +genclient
// +kubebuilder:resource:path=a,path=b
// +kubebuilder:metadata:labels=nothing
// +kubebuilder:metadata:labels={"a=b",
typedef struct errors_v1_other {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_other;

#endif
/* expect:
8:35: error: expected '=' and a value after 'shortName'
9:38: error: the string has no closing "
16:33: error: 'path' is given twice
17:33: error: 'nothing' is not of the form key=value
18:40: error: a value is missing here
*/
