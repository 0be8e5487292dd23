/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct {
    int32_t x;
} errors_v1_point;

typedef struct errors_v1_thing {
    errors_v1_point point;
} errors_v1_thing;

#endif
/* expect:
7:9: error: the struct's tag is not its name: 'typedef struct errors_v1_point {…} errors_v1_point;'
*/
