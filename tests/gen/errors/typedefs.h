/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +kubebuilder:validation:Minimum=3
typedef const char *errors_v1_word;

// +kubebuilder:validation:MaxLength=3
// +kubebuilder:validation:Pattern=`[`
typedef errors_v1_word errors_v1_short;

// +genclient
// +optional
typedef int32_t errors_v1_number;

// +kubebuilder:validation:Minimum=3
typedef int32_t number;

// +enum
typedef const char *errors_v1_phase;

// +kubebuilder:validation:MinLength=3
typedef unsigned errors_v1_count;

typedef void (*errors_v1_function)(int32_t);

// +kubebuilder:validation:Minimum=10
// +kubebuilder:validation:Maximum=3
typedef kube_opt_int32 errors_v1_range;

// +kubebuilder:validation:MinLength=3
// +kubebuilder:validation:Schemaless
// +kubebuilder:validation:XValidation:rule=""
typedef struct errors_v1_thing {
    // +kubebuilder:default=five
    errors_v1_short a;
    // +kubebuilder:default={1,-1}
    number b;
    // +enum
    const char *c;
} errors_v1_thing;

// +kubebuilder:validation:MaxProperties=1
typedef struct errors_v1_one {
    // +optional
    const char *a;
    // +optional
    errors_v1_short b;
} errors_v1_one;
KUBE_DECLARE_LIST(errors_v1_one);

// +listType=map
// +listMapKey=name
typedef errors_v1_one_list errors_v1_by_name;

// +listType=map
typedef errors_v1_one_list errors_v1_by_nothing;

// +listType=set
typedef int32_t errors_v1_no_list;
KUBE_DECLARE_LIST(errors_v1_short);

typedef struct errors_v1_more {
    errors_v1_by_name by_name;
    // +kubebuilder:default={a: x, b: y}
    errors_v1_one one;
    // +kubebuilder:default={ab, abcd}
    errors_v1_short_list list;
    // +kubebuilder:validation:MaxLength=9
    // +kubebuilder:default=abcde
    errors_v1_short text;
} errors_v1_more;

#endif
/* expect:
7:4: error: '+kubebuilder:validation:Minimum' is for numbers, and 'errors_v1_word' has type 'const char *'
11:36: error: not a regular expression: missing ]: [
14:4: error: '+genclient' does not belong here: put it above a struct
15:4: error: '+optional' does not belong here: put it directly above a member of a struct
19:17: error: 'number' does not begin with this header's prefix: name it 'errors_v1_number'
25:18: error: unsupported type 'errors_v1_count': use 'int32_t'
30:36: error: no value is allowed: '3' is below the Minimum of 10
29:36: note: which is here
33:4: error: '+kubebuilder:validation:MinLength' is for strings, and 'errors_v1_thing' is a struct
34:4: error: '+kubebuilder:validation:Schemaless' does not belong here: put it directly above a member of a struct
35:45: error: the rule is empty
37:29: error: 'five' is longer than the MaxLength of 3
39:29: error: a list is not a whole number, and 'b' has type 'int32_t'
41:8: error: '+enum' needs a value: +enum=SAMPLECRD_V1_PHASE
55:16: error: 'errors_v1_one' has no member 'name'
58:4: error: '+listType=map' needs a '+listMapKey=…'
61:4: error: '+listType' is for lists, and 'errors_v1_no_list' has type 'int32_t'
67:29: error: the default has more than the MaxProperties of 1
69:29: error: 'abcd' is longer than the MaxLength of 3
72:29: error: 'abcde' is longer than the MaxLength of 3
*/
