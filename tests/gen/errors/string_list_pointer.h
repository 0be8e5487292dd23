/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    kube_string_list *words;
} errors_v1_thing;

#endif
/* expect:
8:23: error: unsupported type 'kube_string_list *': use 'kube_string_list': it is absent when its items are NULL
*/
