/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_part {
    const char *a;
    const char *b;
    kube_string_list names;
    kube_quantity size;
} errors_v1_part;

// +genclient
// +kubebuilder:selectablefield:JSONPath=.spec
// +kubebuilder:selectablefield:JSONPath=.spec.names
// +kubebuilder:selectablefield:JSONPath=.spec.size
// +kubebuilder:selectablefield:JSONPath=.spec.c
// +kubebuilder:selectablefield:JSONPath=.metadata.name
// +kubebuilder:selectablefield:JSONPath=spec.a
// +kubebuilder:selectablefield:JSONPath=.spec.a
// +kubebuilder:selectablefield:JSONPath=.spec.a
// +kubebuilder:selectablefield:JSONPath=.spec.b
// +kubebuilder:selectablefield:path=.spec.b
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_part spec;
} errors_v1_thing;

// +kubebuilder:skipversion
typedef struct errors_v1_plain {
    const char *a;
} errors_v1_plain;

#endif
/* expect:
15:43: error: a selectable field is a string, a whole number or a bool, and 'spec' has type 'errors_v1_part'
16:48: error: a selectable field is a string, a whole number or a bool, and 'names' has type 'kube_string_list'
17:48: error: a selectable field is a string, a whole number or a bool, and 'size' has type 'kube_quantity'
18:48: error: 'errors_v1_part' has no member 'c'; did you mean 'a'?
19:42: error: servers can select by metadata.name and metadata.namespace anyway, and by nothing else of 'metadata'
20:42: error: a JSONPath begins with '.': '.spec.<member>'
22:42: error: '.spec.a' is listed twice
23:42: error: a Kind has at most 8 selectable fields
24:33: error: '+kubebuilder:selectablefield' has no argument 'path'
31:4: error: '+kubebuilder:skipversion' needs '+genclient' above the same struct
*/
