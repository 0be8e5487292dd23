/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_hidden errors_v1_hidden;

typedef struct errors_v1_thing {
    errors_v1_hidden *hidden;
} errors_v1_thing;

#endif
/* expect:
10:23: error: unsupported type 'errors_v1_hidden *': the struct is not defined
*/
