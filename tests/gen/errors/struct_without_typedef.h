/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

struct errors_v1_point {
    int32_t x;
};

typedef struct errors_v1_thing {
    struct errors_v1_point point;
} errors_v1_thing;

#endif
/* expect:
7:8: error: 'struct errors_v1_point' has no typedef: 'typedef struct errors_v1_point {…} errors_v1_point;'
12:28: error: unsupported type 'struct errors_v1_point': define it as 'typedef struct errors_v1_point {…} errors_v1_point;'
*/
