/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=mill.example.org
#ifndef MILL_V1_TYPES_H
#define MILL_V1_TYPES_H

#include <kube/meta.h>
#include <shared/types.h>

typedef struct mill_v1_thing_spec {
    shared_range range;
    shared_range_map by_name;
    shared_area *area;
    // +enum=SHARED_MODE
    const char *mode;
} mill_v1_thing_spec;

/** Thing uses structs that other groups use, too. */
// +genclient
typedef struct mill_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    mill_v1_thing_spec spec;
} mill_v1_thing;

#endif /* MILL_V1_TYPES_H */
