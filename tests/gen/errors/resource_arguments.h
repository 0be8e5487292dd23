/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=errors.example.com
#ifndef ERRORS_V1_TYPES_H
#define ERRORS_V1_TYPES_H
#include <kube/meta.h>

// +genclient
// +kubebuilder:resource:shortname=t,scope=cluster,path=
typedef struct errors_v1_thing {
    kube_object base;
    kube_object_meta metadata;
} errors_v1_thing;

#endif
/* expect:
8:26: error: '+kubebuilder:resource' has no argument 'shortname'; did you mean 'shortName'?
*/
