/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    errors_v1_thing *next;
    struct errors_v1_thing again;
} errors_v1_thing;

#endif
/* expect:
8:5: error: must use 'struct' tag to refer to type 'errors_v1_thing'
9:28: error: field has incomplete type 'struct errors_v1_thing'
7:16: note: definition of 'struct errors_v1_thing' is not complete until the closing '}'
*/
