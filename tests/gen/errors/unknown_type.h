/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    errors_v1_cidr cidr;
    bolo enabled;
} errors_v1_thing;

#endif
/* expect:
8:5: error: unknown type name 'errors_v1_cidr'
9:5: error: unknown type name 'bolo'
*/
