/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    void (*call)(int32_t number);
} errors_v1_thing;

#endif
/* expect:
8:12: error: unsupported type 'void (*)(int32_t)': a function is not data
*/
