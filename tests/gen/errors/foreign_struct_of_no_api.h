/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

#include <kube/shapes.h>
#include <time.h>

typedef struct errors_v1_thing {
    struct timespec when;
    struct tm *date;
} errors_v1_thing;

#endif
/* expect:
11:21: error: unsupported type 'struct timespec': it is not declared in an API header: define it in a types.h
12:16: error: unsupported type 'struct tm': it is not declared in an API header: define it in a types.h
*/
