/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +kubebuilder:storageversion
typedef struct errors_v1_thing {
    // +kubebuilder:validation:ExclusiveMinimum=true
    int32_t a;
    // +kubebuilder:validation:Maximum=3
    // +kubebuilder:validation:ExclusiveMaximum=yes
    int32_t b;
    // +kubebuilder:validation:MultipleOf=0
    int32_t c;
    // +kubebuilder:validation:MultipleOf=2
    const char *d;
    // +kubebuilder:validation:MinItems=2
    kube_string_map e;
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:validation:MaxItems=1
    kube_string_list f;
    // +kubebuilder:validation:MaxProperties=2
    kube_string_list g;
    // +kubebuilder:validation:Format=ipv4
    int32_t h;
    // +kubebuilder:validation:UniqueItems=true
    kube_string_list i;
    // +kubebuilder:validation:MaxItems=-1
    kube_string_list j;
    // +kubebuilder:validation:MinItems=2
    // +kubebuilder:default={a}
    kube_string_list k;
    // +kubebuilder:validation:MaxItems=1
    // +kubebuilder:default=a;b
    kube_string_list l;
    // +kubebuilder:validation:MinProperties=1
    // +kubebuilder:default={}
    kube_string_map m;
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:ExclusiveMinimum=true
    // +kubebuilder:default=1
    kube_opt_int32 n;
    // +kubebuilder:validation:MultipleOf=5
    // +kubebuilder:default=7
    kube_opt_int32 o;
} errors_v1_thing;

#endif
/* expect:
7:4: error: '+kubebuilder:storageversion' needs '+genclient' above the same struct
9:8: error: '+kubebuilder:validation:ExclusiveMinimum' needs '+kubebuilder:validation:Minimum'
12:49: error: 'yes' is not a value of '+kubebuilder:validation:ExclusiveMaximum', which is one of true, false
14:43: error: '0' cannot divide numbers: write one that is greater than zero
16:8: error: '+kubebuilder:validation:MultipleOf' is for numbers, and 'd' has type 'const char *'
18:8: error: '+kubebuilder:validation:MinItems' is for lists, and 'e' has type 'kube_string_map'
21:41: error: no value is allowed: '1' is below the MinItems of 2
20:41: note: which is here
23:8: error: '+kubebuilder:validation:MaxProperties' is for maps and structs, and 'g' has type 'kube_string_list'
25:8: error: '+kubebuilder:validation:Format' is for strings, and 'h' has type 'int32_t'
27:8: error: '+kubebuilder:validation:UniqueItems' is refused by servers: with '+listType=set' they refuse equal elements
29:41: error: '-1' is not a whole, positive number
32:29: error: the default has fewer than the MinItems of 2
35:29: error: the default has more than the MaxItems of 1
38:29: error: the default has fewer than the MinProperties of 1
42:29: error: '1' is not above the Minimum of 1
45:29: error: '7' is not a multiple of 5
*/
