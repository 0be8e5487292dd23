/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

typedef struct errors_v1_part {
    kube_opt_int32 replicas;
    const char *selector;
} errors_v1_part;

// +genclient
// +kubebuilder:subresource:scale:specpath=.spec.replica,statuspath=.spec.replicas,selectorpath=.status.replicas
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_part spec;
    errors_v1_part status;
} errors_v1_thing;

// +genclient
// +kubebuilder:subresource:scale:specpath=.spec.replicas.inner,statuspath=.status.selector
typedef struct errors_v1_other {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_part *spec;
    errors_v1_part *status;
} errors_v1_other;

// +genclient
// +kubebuilder:subresource:scale:specpath=.spec.replicas
typedef struct errors_v1_third {
    kube_object base;
    kube_object_meta metadata;
    errors_v1_part spec;
} errors_v1_third;

// +genclient
// +genclient:onlyVerbs=get,getScale
typedef struct errors_v1_fourth {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_fourth;

// +kubebuilder:subresource:scale:specPath=.spec.replicas,statuspath=.status.replicas
typedef struct errors_v1_fifth {
    int32_t x;
} errors_v1_fifth;

// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
typedef struct errors_v1_sixth {
    int32_t x;
} errors_v1_sixth;

#endif
/* expect:
13:50: error: 'errors_v1_part' has no member 'replica'; did you mean 'replicas'?
13:69: error: 'statuspath' must be a path below .status: '.status.<member>'
13:105: error: 'selectorpath' is a string, and 'replicas' has type 'kube_opt_int32'
22:50: error: 'replicas' has type 'kube_opt_int32', which has no members
22:84: error: 'statuspath' is a whole number, and 'selector' has type 'const char *'
31:4: error: '+kubebuilder:subresource:scale' needs 'statuspath='
39:29: error: 'getScale' needs '+kubebuilder:subresource:scale'
45:35: error: '+kubebuilder:subresource:scale' has no argument 'specPath'; did you mean 'specpath'?
50:4: error: '+kubebuilder:subresource:scale' needs '+genclient' above the same struct
*/
