/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    const char *kind;
    const char *api_version;
} errors_v1_thing;

#endif
/* expect:
11:17: error: 'kind' is in every Kind already: 'base' holds it
12:17: error: 'apiVersion' is in every Kind already: 'base' holds it
*/
