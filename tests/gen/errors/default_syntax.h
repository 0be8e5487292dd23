/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
// +kubebuilder:default=1
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +default=1
typedef struct errors_v1_thing {
    // +kubebuilder:default
    const char *a;
    // +kubebuilder:default=
    const char *b;
    // +kubebuilder:default="x
    const char *c;
    // +kubebuilder:default="x" y
    const char *d;
    // +kubebuilder:default={a, b
    kube_string_list e;
    // +kubebuilder:default={a: 1, a: 2}
    kube_string_map f;
    // +kubebuilder:default={a: 1, b}
    kube_string_map g;
    // +default=word
    const char *h;
    // +default=ref(example.com/pkg.Constant)
    const char *i;
    // +default={"a":1,}
    kube_raw_json j;
    // +default=null
    kube_raw_json k;
    // +default="\q"
    const char *l;
    // +kubebuilder:default=1
    // +kubebuilder:default=2
    kube_opt_int32 m;
    // +kubebuilder:validation:Default=1
    kube_opt_int32 n;
    const char *o; // +kubebuilder:default=x
    // +kubebuilder:default=x
    kube_extra extra;
} errors_v1_thing;

#endif
/* expect:
3:4: error: '+kubebuilder:default' does not belong here: put it directly above a member of a struct
8:4: error: '+default' does not belong here: put it directly above a member of a struct
10:8: error: '+kubebuilder:default' needs a value: +kubebuilder:default=3
12:29: error: a value is missing here
14:29: error: the string has no closing quote
16:33: error: unexpected text after the value
18:34: error: expected a comma or the end of the list
20:38: error: the key before this is given twice
22:37: error: expected ':' after a key
24:17: error: this is not JSON: a string needs "double quotes"
26:17: error: this names a constant of Go: write its value
28:24: error: a key needs "double quotes"
30:17: error: null is not a value: leave it out
32:18: error: unknown escape in a quoted string
35:8: error: '+kubebuilder:default' is given twice
34:8: note: it was given here before
37:8: error: unknown marker '+kubebuilder:validation:Default'; did you mean '+kubebuilder:default'?
39:23: error: a marker after code is not read: put '// +kubebuilder:default' on a line of its own above
40:8: error: '+kubebuilder:default' has no meaning for 'extra', which is not a JSON member
*/
