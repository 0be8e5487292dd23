/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +genclient:onlyVerbs=get,list
// +genclient:skipVerbs=delete
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
9:4: error: '+genclient:skipVerbs' and '+genclient:onlyVerbs' exclude each other
8:4: note: the other one is here
*/
