/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int a;
    float b;
    // +optionl
    int32_t c;
    char *d;
} errors_v1_thing;

#endif
/* expect:
8:9: error: unsupported type 'int': use 'int32_t'
9:11: error: unsupported type 'float': use 'double'
10:8: error: unknown marker '+optionl'; did you mean '+optional'?
12:11: error: unsupported type 'char *': a string is a 'const char *'
*/
