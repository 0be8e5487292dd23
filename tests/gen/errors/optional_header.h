/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
// +kubebuilder:validation:Optional
// +kubebuilder:validation:Required
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +kubebuilder:validation:Optional
typedef struct errors_v1_thing {
    kube_time at;
} errors_v1_thing;

#endif
/* expect:
4:4: error: '+kubebuilder:validation:Required' and '+kubebuilder:validation:Optional' exclude each other
9:4: error: '+kubebuilder:validation:Optional' does not belong here: put it directly above a member, or above the first directive or declaration of the header
*/
