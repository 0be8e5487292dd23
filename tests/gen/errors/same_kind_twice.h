/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

// +genclient
// +kind=Thing
typedef struct errors_v1_other {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_other;

#endif
/* expect:
15:16: error: two structs are the Kind 'Thing'
8:16: note: the other one is here
*/
