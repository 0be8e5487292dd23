/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +k8s:deepcopy-gen=false
typedef struct errors_v1_thing {
    int32_t x;
} errors_v1_thing;

// +k8s:deepcopy-gen=yes
typedef struct errors_v1_other {
    int32_t x;
} errors_v1_other;

#endif
/* expect:
7:22: error: every struct has a deep copy: remove '+k8s:deepcopy-gen=false'
12:22: error: 'yes' is not a value of '+k8s:deepcopy-gen', which is one of true, false, package, package,register
*/
