/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t len_of_it;
    double numbers[];
} errors_v1_thing;

#endif
/* expect:
9:12: error: unsupported type 'double[]': for a list use 'double_list', which knows its length
*/
