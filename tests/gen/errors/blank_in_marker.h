/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// + genclient
// +  kubebuilder:resource:shortName=th
typedef struct errors_v1_thing {
    // + optional
    int32_t x;
    // + optional things are text, like
    // + whatever
    int32_t y;
    // + json=why
    int32_t z;
} errors_v1_thing;

#endif
/* expect:
7:4: error: a blank after the '+' makes this line plain text; did you mean '+genclient'?
8:4: error: a blank after the '+' makes this line plain text; did you mean '+kubebuilder:resource'?
10:8: error: a blank after the '+' makes this line plain text; did you mean '+optional'?
15:8: error: a blank after the '+' makes this line plain text; did you mean '+json'?
*/
