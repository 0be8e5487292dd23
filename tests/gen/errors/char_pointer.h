/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    char *name;
} errors_v1_thing;

#endif
/* expect:
8:11: error: unsupported type 'char *': a string is a 'const char *'
*/
