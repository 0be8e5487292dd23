/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
typedef struct errors_v1_thing {
    int32_t x;
} errors_v1_thing;

#endif
/* expect:
8:16: error: a Kind must begin with the member 'kube_object base;'
8:16: error: a Kind needs the member 'kube_object_meta metadata;'
*/
