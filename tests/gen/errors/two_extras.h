/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    kube_extra extra;
    int32_t x;
    kube_extra more;
    // +json=rest
    kube_extra *pointer;
} errors_v1_thing;

#endif
/* expect:
10:16: error: a struct can have only one 'kube_extra'
8:16: note: the other one is here
12:17: error: unsupported type 'kube_extra': it belongs in the struct whose unknown members it keeps
*/
