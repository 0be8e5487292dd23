/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +optional because it has a default
    int32_t x;
    // +json
    int32_t y;
    // +kubebuilder:validation:Minimum
    int32_t z;
} errors_v1_thing;

#endif
/* expect:
8:18: error: '+optional' takes no value
10:8: error: '+json' needs a value: +json=podCIDR
12:8: error: '+kubebuilder:validation:Minimum' needs a value: +kubebuilder:validation:Minimum=0
*/
