/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Resource quantities such as "500m" or "1.5Gi". An object keeps the text as it was written;
 * these functions compute with it.
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

/** Returns whether the text is a quantity: a sign or none, a decimal number, a suffix or none. */
KUBE_API bool kube_quantity_is_valid(kube_quantity q);
/** Gives the value, rounded up to a whole number as by Go's Value(). Returns false if @p q is
 * invalid or does not fit. */
KUBE_API bool kube_quantity_value(kube_quantity q, int64_t *out);
/** The same in thousandths, as Go's MilliValue(). */
KUBE_API bool kube_quantity_milli_value(kube_quantity q, int64_t *out);
/**
 * Compares the values, so that "1000m" equals "1". @p order gets -1, 0 or 1. Returns false if one
 * of them is invalid.
 */
KUBE_API bool kube_quantity_compare(kube_quantity a, kube_quantity b, int *order);
/** Adds two quantities. The sum is written with the kind of suffix that @p a has, and its text
 * lives in @p ctx. */
KUBE_CHECKED kube_code kube_quantity_add(kube_ctx *ctx, kube_quantity a, kube_quantity b,
                                         kube_quantity *out, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_QUANTITY_H */
