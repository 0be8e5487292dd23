/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_nothing {
} errors_v1_nothing;

#endif
/* expect:
7:16: error: 'errors_v1_nothing' has no members: declare 'kube_extra extra;' if it takes any
*/
