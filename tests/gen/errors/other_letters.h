/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_größe {
    const char *größe;
    const char *a__b;
} errors_v1_größe;

#endif
/* expect:
7:16: error: 'errors_v1_größe' is not in snake_case, which takes a to z, digits and '_'
8:17: error: 'größe' is not in snake_case, which takes a to z, digits and '_'
9:17: error: 'a__b' is not in snake_case: name the member 'a_b'
*/
