/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclinet
typedef struct errors_v1_thing {
    // +kubebuilder:validation:minLength=3
    const char *a;
    // +Optional
    const char *b;
    // +whatever
    const char *c;
    // +kubebuilder:validaton:Enum=a;b
    const char *d;
} errors_v1_thing;

#endif
/* expect:
7:4: error: unknown marker '+genclinet'; did you mean '+genclient'?
9:8: error: unknown marker '+kubebuilder:validation:minLength'; did you mean '+kubebuilder:validation:MinLength'?
11:8: error: unknown marker '+Optional'; did you mean '+optional'?
13:8: error: unknown marker '+whatever'; 'kubegen explain' lists all
15:8: error: unknown marker '+kubebuilder:validaton:Enum'; did you mean '+kubebuilder:validation:Enum'?
*/
