/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    struct {
        int32_t x;
    };
    int32_t y;
} errors_v1_thing;

#endif
/* expect:
8:5: error: this member has no name: define an inner struct before this one, and give the member a name
*/
