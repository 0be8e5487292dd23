/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:resource:shortName=t;t;T,singular=A_thing
// +kubebuilder:metadata:annotations="a=b";"a=c"
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:38: error: 't' is listed twice
8:40: error: 'T' is not a resource name: it takes lower-case letters, digits and '-'
8:51: error: 'A_thing' is not a resource name: it takes lower-case letters, digits and '-'
9:44: error: 'a' is given twice
*/
