/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +kubebuilder:validation:items:MinLength=1
typedef kube_string_list errors_v1_words;

typedef struct errors_v1_part {
    const char *name;
} errors_v1_part;

// +kubebuilder:validation:items:MinLength=1
typedef struct errors_v1_thing {
    // +kubebuilder:validation:items:MinLength=1
    const char *a;
    // +kubebuilder:validation:items:Minimum=1
    kube_string_list b;
    // +kubebuilder:validation:items:MaxLength=9
    errors_v1_words c;
    // +kubebuilder:validation:items:MaxLength=9
    // +kubebuilder:validation:items:MaxLength=8
    // +kubebuilder:validation:MaxItems=9
    kube_string_list d;
    // +kubebuilder:validation:items:MaxLength=3
    // +kubebuilder:validation:items:MinLength=4
    kube_string_list e;
    // +kubebuilder:validation:items:MaxLength=3
    // +kubebuilder:default={abc,abcd}
    kube_string_list f;
    // +kubebuilder:validation:items:Schemaless
    kube_string_list g;
    // +kubebuilder:validation:items:MaxLen=3
    kube_string_list h;
    // +kubebuilder:validation:items:MaxLength=3
    // +inline
    errors_v1_part part;
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:validation:Type=array
    // +kubebuilder:validation:items:MaxLength=3
    kube_string_list i;
} errors_v1_thing;

#endif
/* expect:
14:4: error: '+kubebuilder:validation:items:MinLength' is for lists, and 'errors_v1_thing' has type 'errors_v1_thing'
16:8: error: '+kubebuilder:validation:items:MinLength' is for lists, and 'a' has type 'const char *'
18:8: error: '+kubebuilder:validation:items:Minimum' is for numbers, and 'b[]' has type 'const char *'
20:8: error: what the elements of a 'errors_v1_words' are is said above it: put '+kubebuilder:validation:items:MaxLength' there
23:8: error: '+kubebuilder:validation:items:MaxLength' is given twice
22:8: note: it was given here before
26:48: error: no value is allowed: '3' is below the MinLength of 4
27:48: note: which is here
30:29: error: 'abcd' is longer than the MaxLength of 3
32:8: error: unknown marker '+kubebuilder:validation:items:Schemaless'; 'kubegen explain' lists all
34:8: error: unknown marker '+kubebuilder:validation:items:MaxLen'; did you mean '+kubebuilder:validation:items:MaxLength'?
36:8: error: '+kubebuilder:validation:items:MaxLength' has no meaning for 'part', which is not a JSON member
41:8: error: '+kubebuilder:validation:Schemaless' leaves no elements to 'i' in the CRD
*/
