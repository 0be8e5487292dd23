/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:printcolumn:name="A",JSONPath=".spec.a"
// +kubebuilder:printcolumn:name="B",type=strin,JSONPath=".spec.b"
// +kubebuilder:printcolumn:name="C",type=string,JSONPath="spec.c",priority=high
// +kubebuilder:printcolumn:name="D",type=string,JSONPath="spec.d"
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:4: error: '+kubebuilder:printcolumn' needs 'type='
9:43: error: 'strin' is not a value of 'type'; did you mean 'string'?
10:77: error: 'high' is not a whole number
11:60: error: a JSONPath begins with '.': '.spec.<member>'
*/
