/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +required
    kube_time at;
    // +optional
    // +required
    kube_duration timeout;
    // +optional
    // +kubebuilder:validation:Required
    kube_time until;
    // +required
    kube_extra extra;
} errors_v1_thing;

#endif
/* expect:
11:8: error: '+required' and '+optional' exclude each other
14:8: error: '+kubebuilder:validation:Required' and '+optional' exclude each other
16:8: error: '+required' has no meaning for 'extra', which is not a JSON member
*/
