/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Resource quantities ("500m", "1.5Gi"): the exact text survives, arithmetic is on demand.
 */
#ifndef KUBE_QUANTITY_H
#define KUBE_QUANTITY_H

#include <kube/shapes.h>

KUBE_BEGIN_DECLS

typedef struct kube_quantity {
    const char *text; /* NULL = absent */
} kube_quantity;

KUBE_DECLARE_LIST(kube_quantity);
KUBE_DECLARE_MAP(kube_quantity);

/** Whether the text follows the quantity grammar (sign, decimal, one of the suffixes). */
KUBE_API bool kube_quantity_is_valid(kube_quantity q);
/** The value rounded up to a whole number, as Go's Value(); false when invalid or out of range. */
KUBE_API bool kube_quantity_value(kube_quantity q, int64_t *out);
/** The value in thousandths, rounded up, as Go's MilliValue(). */
KUBE_API bool kube_quantity_milli_value(kube_quantity q, int64_t *out);
/**
 * Compares by value, whatever the spelling ("1000m" equals "1"). @p order gets -1, 0 or 1; false
 * when either is invalid.
 */
KUBE_API bool kube_quantity_compare(kube_quantity a, kube_quantity b, int *order);
/** a + b in the spelling family of @p a, text in @p ctx. */
KUBE_CHECKED kube_code kube_quantity_add(kube_ctx *ctx, kube_quantity a, kube_quantity b,
                                         kube_quantity *out, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_QUANTITY_H */
