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

typedef struct errors_v1_user {
    kube_object_list list;
    kube_object *object;
    errors_v1_thing thing;
} errors_v1_user;

#endif
/* expect:
14:22: error: unsupported type 'kube_object_list': the list of a Kind is generated
15:18: error: unsupported type 'kube_object': it can only be the first member of a Kind
*/
