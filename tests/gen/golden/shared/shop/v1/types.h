/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=shop.example.org
#ifndef SHOP_V1_TYPES_H
#define SHOP_V1_TYPES_H

#include "common.h"

#include <kube/meta.h>
#include <shared/types.h>

typedef struct shop_v1_thing_spec {
    shared_range range;
    shared_range_map by_name;
    shared_area *area;
    // +enum=SHARED_MODE
    const char *mode;
    shop_price_map prices;
    // +optional
    shop_price tax;
} shop_v1_thing_spec;

/** Thing uses structs that other groups use, too. */
// +genclient
typedef struct shop_v1_thing {
    kube_object base;
    kube_object_meta metadata;
    shop_v1_thing_spec spec;
} shop_v1_thing;

#endif /* SHOP_V1_TYPES_H */
