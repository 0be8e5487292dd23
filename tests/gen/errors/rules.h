/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_thing {
    // +kubebuilder:validation:XValidation:message="no rule"
    int32_t a;
    // +kubebuilder:validation:XValidation:rule=" ",message="two\nlines"
    int32_t b;
    // +kubebuilder:validation:XValidation:rule="self\n> 1"
    int32_t c;
    // +kubebuilder:validation:XValidation:rule="self > 1",reason=Invalid
    int32_t d;
    // +kubebuilder:validation:XValidation:rule="self > 1",fieldPath="spec.d"
    int32_t e;
    // +kubebuilder:validation:XValidation:rule="self > 1",optionalOldSelf=true
    int32_t f;
    // +kubebuilder:validation:XValidation:rule="self > 1",messageExpression=""
    int32_t g;
    // +kubebuilder:validation:Type=string
    int32_t h;
    // +kubebuilder:validation:Type=text
    kube_raw_json i;
    // +kubebuilder:validation:XIntOrString
    const char *j;
    // +kubebuilder:validation:XIntOrString
    // +kubebuilder:validation:Type=string
    kube_raw_json k;
    // +kubebuilder:pruning:PreserveUnknownFields
    const char *l;
    // +kubebuilder:validation:EmbeddedResource
    const char *m;
    // +kubebuilder:validation:Schemaless
    const char *n;
    // +kubebuilder:validation:MinLength=3
    kube_raw_json o;
    // +kubebuilder:validation:Type=integer
    // +kubebuilder:validation:Minimum=1.5
    kube_raw_json p;
    // +kubebuilder:externalDocs:description="no address"
    int32_t q;
    // +kubegen:schema={"anyof":[]}
    int32_t r;
    // +kubegen:schema={"not":{"anyOf":[{"maxLenght":3}]}}
    const char *s;
    // +kubegen:schema={"minLength":"3"}
    const char *t;
    // +kubegen:schema=[1]
    const char *u;
    // +kubegen:schema={"minLength":3
    const char *v;
    // +kubebuilder:validation:Type=boolean
    kube_string_map w;
    // +kubegen:schema={"allOf":[3]}
    const char *x;
} errors_v1_thing;

#endif
/* expect:
8:8: error: '+kubebuilder:validation:XValidation' needs 'rule='
10:49: error: the rule is empty
10:61: error: a message is one line of text, without line breaks
12:8: error: a rule of several lines needs a message="…"
14:67: error: 'Invalid' is not a value of 'reason', which is one of FieldValueInvalid, FieldValueForbidden, FieldValueRequired, FieldValueDuplicate
16:70: error: a fieldPath begins with '.' or '[': '.spec.d'
18:76: error: optionalOldSelf is for rules that use oldSelf
20:78: error: the expression is empty
22:37: error: the JSON of 'h', which has type 'int32_t', is never of type 'string'
24:37: error: 'text' is not a value of '+kubebuilder:validation:Type', which is one of string, integer, number, boolean, array, object
26:8: error: '+kubebuilder:validation:XIntOrString' is for kube_int_or_string and kube_raw_json, and 'j' has type 'const char *'
28:8: error: '+kubebuilder:validation:XIntOrString' and '+kubebuilder:validation:Type' exclude each other
31:8: error: '+kubebuilder:pruning:PreserveUnknownFields' is for structs, maps, lists and kube_raw_json, and 'l' has type 'const char *'
33:8: error: '+kubebuilder:validation:EmbeddedResource' is for structs, maps and kube_raw_json, and 'm' has type 'const char *'
35:8: error: the CRD would say nothing about 'n', which servers refuse: add '+kubebuilder:pruning:PreserveUnknownFields' or '+kubebuilder:validation:Type'
37:8: error: '+kubebuilder:validation:MinLength' is for strings, and 'o' has type 'kube_raw_json'
40:40: error: '1.5' is not a whole number, and 'p' has type 'kube_raw_json'
42:8: error: '+kubebuilder:externalDocs' needs 'url='
44:24: error: 'anyof' is no keyword of a schema in a CRD; did you mean 'anyOf'?
46:24: error: 'maxLenght' is no keyword of a schema in a CRD; did you mean 'maxLength'?
48:24: error: 'minLength' is a number
50:24: error: this is not an object of JSON: {"keyword": value}
52:38: error: expected ',' or '}' after a member
54:37: error: the JSON of 'w', which has type 'kube_string_map', is never of type 'boolean'
56:24: error: 'allOf' has schemas in it, which are objects
*/
