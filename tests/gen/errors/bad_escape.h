/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:metadata:annotations="a=\d"
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:41: error: unknown escape in a quoted string: write '\\' for a backslash, or put the text between back-quotes
*/
