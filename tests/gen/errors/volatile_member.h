/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    volatile int32_t number;
    const int32_t fixed;
} errors_v1_thing;

#endif
/* expect:
8:22: error: unsupported type 'volatile int32_t': 'volatile' has no meaning for data
9:19: error: unsupported type 'const int32_t': a const member could not be set: remove the const
*/
