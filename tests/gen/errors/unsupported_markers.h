/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:skipversion
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    int32_t x;
    kube_string_list y;
} errors_v1_thing;

#endif
/* expect:
8:4: error: '+kubebuilder:skipversion' is not supported yet
*/
