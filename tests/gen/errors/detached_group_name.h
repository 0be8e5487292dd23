/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t x;
} errors_v1_thing;

// +groupName=late.example.com

// +enum=X
#define ERRORS_V1_X "x"

#endif
/* expect:
11:4: error: nothing reads '+groupName' here: put it above the first directive or declaration of the header
13:4: error: nothing reads '+enum' here: put it above a typedef or directly above a member of a struct
*/
