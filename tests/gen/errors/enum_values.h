/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +kubebuilder:validation:Enum=1;two;3
    int32_t a;
    // +kubebuilder:validation:Enum=a;b;a
    const char *b;
    // +kubebuilder:validation:Enum=a;;b
    const char *c;
} errors_v1_thing;

#endif
/* expect:
8:39: error: 'two' is not a whole number, and 'a' has type 'int32_t'
10:41: error: 'a' is listed twice
12:39: error: a value is missing here
*/
