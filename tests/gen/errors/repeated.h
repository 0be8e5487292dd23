/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +genclient
// +kind=A
// +kind=B
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    // +json=a
    // +json=b
    int32_t x;
} errors_v1_thing;

#endif
/* expect:
8:4: error: '+genclient' is given twice
7:4: note: it was given here before
10:4: error: '+kind' is given twice
9:4: note: it was given here before
15:8: error: '+json' is given twice
14:8: note: it was given here before
*/
