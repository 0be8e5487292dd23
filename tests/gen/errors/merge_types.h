/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +structType=shallow
typedef struct errors_v1_port {
    const char *name;
    int32_t number;
    kube_string_list hosts;
} errors_v1_port;
KUBE_DECLARE_LIST(errors_v1_port);

typedef struct errors_v1_thing {
    // +listType=set
    const char *a;
    // +listType=bag
    kube_string_list b;
    // +listType=map
    kube_string_list c;
    // +listType=map
    errors_v1_port_list d;
    // +listMapKey=name
    errors_v1_port_list e;
    // +mapType=atomic
    kube_string_list f;
    // +structType=atomic
    kube_string_map g;
    // +patchMergeKey=name
    kube_string_list h;
    // +patchStrategy=merge
    int32_t i;
    // +patchStrategy=merge,mix
    kube_string_list j;
} errors_v1_thing;

#endif
/* expect:
7:16: error: 'shallow' is not a value of '+structType', which is one of atomic, granular
16:8: error: '+listType' is for lists, and 'a' has type 'const char *'
18:18: error: 'bag' is not a value of '+listType', which is one of atomic, set, map
20:18: error: '+listType=map' is for lists of structs, and 'c' has type 'kube_string_list'
22:8: error: '+listType=map' needs a '+listMapKey=…'
24:8: error: '+listMapKey' needs '+listType=map'
26:8: error: '+mapType' is for maps, and 'f' has type 'kube_string_list'
28:8: error: '+structType' is for structs, and 'g' has type 'kube_string_map'
30:8: error: '+patchMergeKey' is for lists of structs, and 'h' has type 'kube_string_list'
32:8: error: '+patchStrategy' is for lists, maps and structs, and 'i' has type 'int32_t'
34:29: error: 'mix' is not a value of '+patchStrategy', which is one of merge, replace, retainKeys
*/
