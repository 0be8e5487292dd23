/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +kubebuilder:validation:Pattern=`^(a`
    const char *a;
    // +kubebuilder:validation:Pattern=`^[a`
    const char *b;
    // +kubebuilder:validation:Pattern=`^a
    const char *c;
} errors_v1_thing;

#endif
/* expect:
8:40: error: not a regular expression: missing ): ^(a
10:40: error: not a regular expression: missing ]: [a
12:40: error: the string has no closing `
*/
