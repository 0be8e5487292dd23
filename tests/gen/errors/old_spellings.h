/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +nonNamespaced=true
// +noMethods=true
// +genclientstatus=false
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    // +kubebuilder:validation:optional
    int32_t x;
    // +k8s:enum
    const char *y;
} errors_v1_thing;

#endif
/* expect:
8:4: error: unknown marker '+nonNamespaced'; did you mean '+genclient:nonNamespaced'?
9:4: error: unknown marker '+noMethods'; did you mean '+genclient:noVerbs'?
10:4: error: unknown marker '+genclientstatus'; did you mean '+genclient:noStatus'?
14:8: error: unknown marker '+kubebuilder:validation:optional'; did you mean '+optional'?
16:8: error: '+k8s:enum' does not belong here: put it above a typedef
*/
