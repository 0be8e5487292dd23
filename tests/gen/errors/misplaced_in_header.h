/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
// +genclient
// +optional
#pragma once
#include <kube/meta.h>

typedef struct errors_v1_thing {
    int32_t x;
} errors_v1_thing;
/* expect:
3:4: error: '+genclient' does not belong here: put it above a struct
4:4: error: '+optional' does not belong here: put it directly above a member of a struct
*/
