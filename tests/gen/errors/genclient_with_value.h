/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient=true
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

// +genclient
// +genclient:nonNamespaced=true
typedef struct errors_v1_other {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_other;

#endif
/* expect:
7:14: error: '+genclient' takes no value
14:28: error: '+genclient:nonNamespaced' takes no value
*/
