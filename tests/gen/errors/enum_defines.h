/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

#define ERRORS_V1_COUNT_OF "one"
#define ERRORS_V1_COUNT_TO 2

typedef struct errors_v1_thing {
    // +enum=ERRORS_V1_PHASE
    const char *a;
    // +enum=ERRORS_V1_COUNT
    const char *b;
    // +enum=ERRORS_V1_COUNT
    int32_t c;
    // +enum=ERRORS_V1_COUNT
    // +kubebuilder:validation:Enum=a
    const char *d;
    // +enum
    const char *e;
} errors_v1_thing;

#endif
/* expect:
8:9: error: 'ERRORS_V1_COUNT_TO' is not a plain string literal
13:8: note: it is one of the values of this '+enum'
11:14: error: the header has no '#define ERRORS_V1_PHASE_… "…"'
15:8: error: '+enum' is for strings, and 'c' has type 'int32_t'
17:8: error: '+enum' and '+kubebuilder:validation:Enum' exclude each other
20:8: error: '+enum' needs a value: +enum=SAMPLECRD_V1_PHASE
*/
