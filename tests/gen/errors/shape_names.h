/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    kube_int64_list a;
    kube_bool_map b;
} errors_v1_thing;

#endif
/* expect:
8:5: error: unknown type name 'kube_int64_list'
note: kube/shapes.h declares 'int64_t_list'
9:5: error: unknown type name 'kube_bool_map'
note: kube/shapes.h declares 'bool_map'
*/
