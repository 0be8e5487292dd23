/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +kubebuilder:validation:MinLength=1
    int32_t a;
    // +kubebuilder:validation:Minimum=1
    const char *b;
    // +kubebuilder:validation:Pattern=`^a`
    kube_time c;
    // +kubebuilder:validation:Enum=a;b
    bool d;
    // +kubebuilder:validation:Maximum=3
    kube_quantity e;
} errors_v1_thing;

#endif
/* expect:
8:8: error: '+kubebuilder:validation:MinLength' is for strings, and 'a' has type 'int32_t'
10:8: error: '+kubebuilder:validation:Minimum' is for numbers, and 'b' has type 'const char *'
12:8: error: '+kubebuilder:validation:Pattern' is for strings, and 'c' has type 'kube_time'
14:8: error: '+kubebuilder:validation:Enum' is for strings and whole numbers, and 'd' has type 'bool'
16:8: error: '+kubebuilder:validation:Maximum' is for numbers, and 'e' has type 'kube_quantity'
*/
