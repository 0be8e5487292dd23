/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_inner {
    int32_t x;
    kube_extra extra;
} errors_v1_inner;

typedef struct errors_v1_thing {
    // +inline
    const char *a;
    // +inline
    errors_v1_inner *b;
    // +inline
    // +json=c
    errors_v1_inner c;
} errors_v1_thing;

#endif
/* expect:
13:8: error: '+inline' is for members that are structs by value, and 'a' has type 'const char *'
15:8: error: '+inline' is for members that are structs by value, and 'b' has type 'errors_v1_inner *'
18:8: error: '+json' has no meaning for 'c', which is not a JSON member
*/
