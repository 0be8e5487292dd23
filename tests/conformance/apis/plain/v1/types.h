/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=
#ifndef PLAIN_V1_TYPES_H
#define PLAIN_V1_TYPES_H

#include <kube/meta.h>

/** ConfigMap holds configuration; written by hand, as a user without an importer would. */
// +genclient
typedef struct plain_v1_config_map {
    kube_object base;
    kube_object_meta metadata;
    kube_string_map data;
    kube_opt_bool immutable;
} plain_v1_config_map;

#endif /* PLAIN_V1_TYPES_H */
