/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=limits.example.org
#ifndef LIMITS_V2BETA1_TYPES_H
#define LIMITS_V2BETA1_TYPES_H

#include <kube/meta.h>

/** Bound as it is going to be: stored already. */
// +genclient
// +kubebuilder:storageversion
typedef struct limits_v2beta1_bound {
    kube_object base;
    kube_object_meta metadata;
    kube_raw_json spec;
} limits_v2beta1_bound;

/** Old is not served any more in its second version. */
// +genclient
// +kubebuilder:unservedversion
typedef struct limits_v2beta1_old {
    kube_object base;
    kube_object_meta metadata;
} limits_v2beta1_old;

#endif /* LIMITS_V2BETA1_TYPES_H */
