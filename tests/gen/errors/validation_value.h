/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +kubebuilder:validation:Minimum=1.5
    int32_t a;
    // +kubebuilder:validation:Minimum=many
    double b;
    // +kubebuilder:validation:MaxLength=-1
    const char *c;
    // +kubebuilder:validation:Minimum=3
    // +kubebuilder:validation:Maximum=2
    int64_t d;
    // +kubebuilder:validation:MinLength=10
    // +kubebuilder:validation:MaxLength=9
    const char *e;
} errors_v1_thing;

#endif
/* expect:
8:40: error: '1.5' is not a whole number, and 'a' has type 'int32_t'
10:40: error: 'many' is not a number
12:42: error: '-1' is not a whole, positive number
15:40: error: no value is allowed: '2' is below the Minimum of 3
14:40: note: which is here
18:42: error: no value is allowed: '9' is below the MinLength of 10
17:42: note: which is here
*/
