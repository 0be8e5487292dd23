/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:resource:shortName=t;t;T,categories={all}x
// +kubebuilder:metadata:annotations="a=b";"a=c"
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:58: error: unexpected text after the value of '+kubebuilder:resource'
9:44: error: 'a' is given twice
*/
