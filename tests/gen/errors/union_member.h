/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    union {
        int32_t a;
        int64_t b;
    } either;
} errors_v1_thing;

#endif
/* expect:
11:7: error: unsupported type 'union {…}': use a struct with a pointer for each choice
*/
