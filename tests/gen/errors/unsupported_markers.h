/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:webhook:path=/check
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    int32_t x;
    kube_string_list y;
} errors_v1_thing;

#endif
/* expect:
8:4: error: '+kubebuilder:webhook:path' is not supported yet
*/
