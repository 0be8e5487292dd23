/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_common {
    const char *name;
    const char *kind;
} errors_v1_common;

/** A kind. */
// +genclient
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    const char *name;
    // +inline
    errors_v1_common common;
} errors_v1_thing;

#endif
/* expect:
19:22: error: 'kind' is in every Kind already: 'base' holds it
19:22: error: 'name' is the JSON name of two members, and one of them is 'common.name'
17:17: note: the other one is 'name'
*/
