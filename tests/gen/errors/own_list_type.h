/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;
KUBE_DECLARE_LIST(errors_v1_thing);

#endif
/* expect:
12:1: error: 'errors_v1_thing_list' is generated, because 'errors_v1_thing' is a Kind: remove it
*/
