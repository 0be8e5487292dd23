/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

KUBE_DECLARE_LIST(int);
typedef struct errors_v1_pointer_list {
    struct kube_condition **items;
    size_t len;
} errors_v1_pointer_list;

typedef struct errors_v1_thing {
    int_list numbers;
    errors_v1_pointer_list pointers;
} errors_v1_thing;

#endif
/* expect:
14:14: error: unsupported type 'int' in 'int_list': use 'int32_t'
15:28: error: unsupported type 'struct kube_condition *' in 'errors_v1_pointer_list': lists and maps hold the structs themselves: use 'kube_condition'
*/
