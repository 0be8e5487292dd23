/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t numbers[4];
    char name[16];
    kube_time times[2];
    const char *words[3];
} errors_v1_thing;

#endif
/* expect:
8:13: error: unsupported type 'int32_t[4]': for a list use 'int32_t_list', which knows its length
9:10: error: unsupported type 'char[16]': a string is a 'const char *'
10:15: error: unsupported type 'kube_time[2]': for a list use 'kube_time_list', which knows its length
11:17: error: unsupported type 'const char *[3]': for a list use 'kube_string_list', which knows its length
*/
