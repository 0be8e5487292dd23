/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient


// Two blank lines are too many.


typedef struct errors_v1_thing {
    // +optional

    int32_t x;
    int32_t y;
    // +json=z
} errors_v1_thing;

// +kind=Thing

#endif
/* expect:
7:4: error: nothing reads '+genclient' here: put it above a struct
13:1: note: this is the next struct: leave at most one blank line above it
14:8: error: nothing reads '+optional' here: put it directly above a member
18:8: error: nothing reads '+json' here: put it directly above a member
21:4: error: nothing reads '+kind' here: put it above a struct
*/
