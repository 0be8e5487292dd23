/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int a;
    unsigned b;
    short c;
    long d;
    size_t e;
    uint32_t f;
    uint16_t g;
    char h;
    signed char i_;
    unsigned long long j;
} errors_v1_thing;

#endif
/* expect:
8:9: error: unsupported type 'int': use 'int32_t'
9:14: error: unsupported type 'unsigned int': use 'int64_t'
10:11: error: unsupported type 'short': use 'int32_t'
11:10: error: unsupported type 'long': use 'int64_t'
12:12: error: unsupported type 'size_t': use 'int64_t'
13:14: error: unsupported type 'uint32_t': use 'int64_t'
14:14: error: unsupported type 'uint16_t': use 'int32_t'
15:10: error: unsupported type 'char': use 'const char *' for text, 'int32_t' for a number
16:17: error: unsupported type 'signed char': use 'int32_t'
17:24: error: unsupported type 'unsigned long long': use 'int64_t'
*/
