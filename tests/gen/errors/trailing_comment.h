/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t x; // +optional
    int32_t y; /* +json=z */
} errors_v1_thing;

#endif
/* expect:
8:19: error: a marker after code is not read: put '// +optional' on a line of its own above
9:19: error: a marker after code is not read: put '// +json' on a line of its own above
*/
