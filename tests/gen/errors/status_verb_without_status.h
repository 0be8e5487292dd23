/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +genclient:onlyVerbs=get,updateStatus
// +kubebuilder:subresource:status
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:29: error: 'updateStatus' needs a member 'status'
9:4: error: '+kubebuilder:subresource:status' needs a member 'status'
*/
