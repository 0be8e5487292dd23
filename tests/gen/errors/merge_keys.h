/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_port {
    const char *name;
    kube_string_list hosts;
} errors_v1_port;
KUBE_DECLARE_LIST(errors_v1_port);

typedef struct errors_v1_thing {
    // +listType=map
    // +listMapKey=name
    // +listMapKey=protocol
    errors_v1_port_list a;
    // +listType=map
    // +listMapKey=hosts
    errors_v1_port_list b;
    // +patchMergeKey=Name
    errors_v1_port_list c;
    // +listType=map
    // +listMapKey=name
    // +listMapKey=name
    errors_v1_port_list d;
} errors_v1_thing;

#endif
/* expect:
16:20: error: 'errors_v1_port' has no member 'protocol'
19:20: error: 'hosts' of 'errors_v1_port' has type 'kube_string_list': a key is a string or a number
21:23: error: 'errors_v1_port' has no member 'Name'
25:20: error: 'name' is listed twice
*/
