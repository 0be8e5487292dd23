/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the text of a quantity into sign, digits and suffix, without computing a value, which
 * could overflow. */
#ifndef KUBE_BASE_QUANTITY_H
#define KUBE_BASE_QUANTITY_H

#include <kube/quantity.h>

typedef enum kube__quantity_family {
    KUBE__DECIMAL_SI,       /* n u m k M G T P E */
    KUBE__DECIMAL_EXPONENT, /* e3 */
    KUBE__BINARY_SI,        /* Ki Mi Gi Ti Pi Ei */
} kube__quantity_family;

/* ±digits * 10^exponent * multiplier, where digits is a text with a point somewhere in it. */
typedef struct kube__quantity_parts {
    bool negative;
    const char *digits;  /* first significant one; == end for zero */
    const char *end;     /* past the last significant one */
    int64_t exponent;    /* of the last digit */
    int64_t count;       /* of digits, without the point */
    uint64_t multiplier; /* a power of 1024 up to 2^60 */
    kube__quantity_family family;
} kube__quantity_parts;

bool kube__quantity_split(kube_quantity q, kube__quantity_parts *out);

/*
 * The decimal digits of a magnitude from the least significant one on: the multiplication by 1024^n
 * is done on the way, as at school, so no length of text needs memory.
 */
typedef struct kube__quantity_digits {
    const char *start;
    const char *next; /* past the digit that comes next */
    uint64_t multiplier;
    uint64_t carry;
    int64_t position; /* power of ten of the digit that comes next */
} kube__quantity_digits;

kube__quantity_digits kube__quantity_digits_of(const kube__quantity_parts *parts);
bool kube__quantity_has_digit(const kube__quantity_digits *digits);
unsigned kube__quantity_next_digit(kube__quantity_digits *digits);

#endif /* KUBE_BASE_QUANTITY_H */
