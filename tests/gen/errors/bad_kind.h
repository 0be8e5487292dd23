/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kind=http-route
// +resourceName=Routes
// +cPlural=Routes
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:10: error: 'http-route' is not a Kind: it takes letters and digits in CamelCase
9:18: error: 'Routes' is not a resource name: it takes lower-case letters, digits and '-'
10:13: error: 'Routes' is not in snake_case: write 'routes'
*/
