/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=enum.example.org
#ifndef ENUM_VALUES_V1_TYPES_H
#define ENUM_VALUES_V1_TYPES_H

#include <kube/meta.h>

#define ENUM_VALUES_V1_PHASE_READY "Ready"
#define ENUM_VALUES_V1_PHASE_PENDING "Pending"

typedef struct enum_values_v1_light_spec {
    // +enum=ENUM_VALUES_V1_PHASE
    // +optional
    const char *phase;
    // +kubebuilder:validation:Enum=red;green;"on"
    const char *colour;
    // +kubebuilder:validation:Enum=1;2;3
    int32_t level;
} enum_values_v1_light_spec;

/** Light. */
// +genclient
typedef struct enum_values_v1_light {
    kube_object base;
    kube_object_meta metadata;
    enum_values_v1_light_spec spec;
} enum_values_v1_light;

#endif /* ENUM_VALUES_V1_TYPES_H */
