/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +optional
// +groupName=other.example.com
typedef struct errors_v1_thing {
    // +genclient
    int32_t x;
    // +prefix=a
    int32_t y;
} errors_v1_thing;

#endif
/* expect:
7:4: error: '+optional' does not belong here: put it directly above a member of a struct
8:4: error: '+groupName' does not belong here: put it above the first directive or declaration of the header
10:8: error: '+genclient' does not belong here: put it above a struct
12:8: error: '+prefix' does not belong here: put it above the first directive or declaration of the header
*/
