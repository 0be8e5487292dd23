/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=shapes.example.org
#ifndef SHAPES_V1_TYPES_H
#define SHAPES_V1_TYPES_H

#include <kube/meta.h>

/** A port. */
typedef struct shapes_v1_port {
    const char *name;
    int32_t number;
    // +optional
    kube_int_or_string target;
} shapes_v1_port;
KUBE_DECLARE_LIST(shapes_v1_port);
KUBE_DECLARE_LIST(shapes_v1_port_list);
KUBE_DECLARE_MAP(shapes_v1_port);
KUBE_DECLARE_MAP(shapes_v1_port_list);

/** Members that stand in the outer struct in JSON. */
typedef struct shapes_v1_common {
    bool paused;
    // +optional
    const char *reason;
    kube_extra extra; // the outer struct's goes first
} shapes_v1_common;

/** Its kube_extra keeps what the outer struct has no kube_extra for. */
typedef struct shapes_v1_seen {
    // +optional
    int64_t observed_generation;
    kube_extra extra;
} shapes_v1_seen;

/** One member of every shape. */
typedef struct shapes_v1_all_spec {
    const char *text;
    bool flag;
    int32_t small;
    int64_t large;
    double ratio;
    kube_opt_bool maybe_flag;
    kube_opt_int32 maybe_small;
    kube_opt_int64 maybe_large;
    kube_opt_double maybe_ratio;
    kube_time at;
    // +required
    kube_micro_time exactly_at;
    kube_duration timeout;
    kube_quantity memory;
    kube_int_or_string max_unavailable;
    kube_bytes blob;
    kube_raw_json config;
    shapes_v1_port main_port;
    // +optional
    shapes_v1_port spare_port;
    // +optional
    // +kubegen:sendEmpty
    shapes_v1_port next_port;
    shapes_v1_port *other_port;
    shapes_v1_port_list ports;
    shapes_v1_port_list_list port_groups;
    shapes_v1_port_map ports_by_name;
    shapes_v1_port_list_map ports_by_zone;
    kube_string_list names;
    // +kubegen:intern
    kube_string_map labels;
    kube_string_list_list rows;
    kube_string_map_list selectors;
    int32_t_list numbers;
    kube_quantity_map limits;
    kube_label_selector *selector;
    kube_condition_list conditions;
    // +inline
    shapes_v1_common common;
    kube_extra extra;
} shapes_v1_all_spec;

/** What was seen. */
typedef struct shapes_v1_all_status {
    // +inline
    shapes_v1_seen seen;
    // +inline
    shapes_v1_common common;
} shapes_v1_all_status;

/** All has a member of every shape. */
// +genclient
// +kubebuilder:subresource:status
typedef struct shapes_v1_all {
    kube_object base;
    kube_object_meta metadata;
    shapes_v1_all_spec spec;
    // +optional
    shapes_v1_all_status status;
} shapes_v1_all;

#endif /* SHAPES_V1_TYPES_H */
