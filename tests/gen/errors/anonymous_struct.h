/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    struct {
        int32_t x;
    } point;
} errors_v1_thing;

#endif
/* expect:
10:7: error: unsupported type 'struct {…}': name the struct: 'typedef struct errors_v1_… {…} errors_v1_…;'
*/
