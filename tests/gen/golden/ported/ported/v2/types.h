/* SPDX-License-Identifier: Apache-2.0 */
/* A header whose members are optional in CRDs unless they say otherwise. */
// +groupName=ported.example.com
// +kubebuilder:validation:Optional
#ifndef PORTED_V2_TYPES_H
#define PORTED_V2_TYPES_H
#include <kube/meta.h>
#include <ported/v1/types.h>

/** PoolSpec says what is wanted. */
typedef struct ported_v2_pool_spec {
    const char *zone;
    int32_t count;
    // +required
    const char *owner;
    // +kubebuilder:validation:Required
    kube_time since;
    /* Of the other header, whose members are required. */
    ported_v1_pool_mode mode;
} ported_v2_pool_spec;

/** Pool has members that YAML may leave out. */
// +genclient
typedef struct ported_v2_pool {
    kube_object base;
    kube_object_meta metadata;
    ported_v2_pool_spec spec;
} ported_v2_pool;

#endif
