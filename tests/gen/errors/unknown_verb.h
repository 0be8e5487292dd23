/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +genclient:onlyVerbs=get,lst,explode
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

// +genclient
// +genclient:skipVerbs=updatestatus
typedef struct errors_v1_other {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_other;

#endif
/* expect:
8:29: error: 'lst' is not a value of '+genclient:onlyVerbs'; did you mean 'list'?
15:25: error: 'updatestatus' is not a value of '+genclient:skipVerbs'; did you mean 'updateStatus'?
*/
