/* SPDX-License-Identifier: Apache-2.0 */
// +groupName=shop.example.org
#ifndef SHOP_V2_TYPES_H
#define SHOP_V2_TYPES_H

#include <kube/meta.h>
#include <shared/types.h>
#include <shop/v1/common.h>

typedef struct shop_v2_thing_spec {
    shared_range range;
    shared_range_map by_name;
    shared_area *area;
    // +enum=SHARED_MODE
    const char *mode;
    shop_price_map prices;
    // +optional
    shop_price tax;
} shop_v2_thing_spec;

/** Thing uses structs that other groups use, too. */
// +genclient
typedef struct shop_v2_thing {
    kube_object base;
    kube_object_meta metadata;
    shop_v2_thing_spec spec;
} shop_v2_thing;

#endif /* SHOP_V2_TYPES_H */
