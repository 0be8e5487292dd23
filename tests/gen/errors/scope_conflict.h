/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +genclient:nonNamespaced
// +kubebuilder:resource:scope=Namespaced,path=stuff
// +resourceName=things
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
9:32: error: the scope differs from '+genclient:nonNamespaced'
8:4: note: which is here
9:48: error: 'path' differs from '+resourceName'
10:18: note: which is here
*/
