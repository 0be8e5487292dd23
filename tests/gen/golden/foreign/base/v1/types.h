/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=base.example.org
#ifndef BASE_V1_TYPES_H
#define BASE_V1_TYPES_H

#include <kube/meta.h>

/** Where something is. */
typedef struct base_v1_place {
    const char *zone;
} base_v1_place;
KUBE_DECLARE_LIST(base_v1_place);

/** Claim is made of what others embed. */
// +genclient
typedef struct base_v1_claim {
    kube_object base;
    kube_object_meta metadata;
    base_v1_place spec;
} base_v1_claim;

#endif /* BASE_V1_TYPES_H */
