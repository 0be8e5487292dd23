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
19:22: error: 'kind' is written by every Kind already: 'base' stands for it
19:22: error: 'name', which 'common.name' brings in, is the JSON name of two members
17:17: note: the other one is 'name'
*/
