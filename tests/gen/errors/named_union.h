/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

union errors_v1_either {
    int32_t a;
    double b;
};

typedef struct errors_v1_thing {
    union errors_v1_either either;
    union errors_v1_either *other;
} errors_v1_thing;

#endif
/* expect:
13:28: error: unsupported type 'union errors_v1_either': use a struct with a pointer for each choice
14:29: error: unsupported type 'union errors_v1_either': use a struct with a pointer for each choice
*/
