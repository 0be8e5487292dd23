/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that the versions of one group share. */
// +prefix=shop
#ifndef SHOP_V1_COMMON_H
#define SHOP_V1_COMMON_H

#include <kube/meta.h>
#include <shared/types.h>

/** What is paid. */
typedef struct shop_price {
    // +kubebuilder:validation:Enum=EUR;USD
    const char *currency;
    int64_t cents;
    shared_range_list valid;
} shop_price;
KUBE_DECLARE_MAP(shop_price);

#endif /* SHOP_V1_COMMON_H */
