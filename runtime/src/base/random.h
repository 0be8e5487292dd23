/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for jitter and hashes. They are not good enough for secrets. */
#ifndef KUBE_BASE_RANDOM_H
#define KUBE_BASE_RANDOM_H

#include <stdint.h>

#define KUBE__RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* From the machine: nobody outside can know it. */
uint64_t kube__random_seed(void);
/* Spreads every bit of @x over all of them. */
uint64_t kube__random_mix(uint64_t x);
/* The next number of a sequence. @state is anything at first: neighbouring ones have nothing in
 * common. */
uint64_t kube__random_next(uint64_t *state);
/* The same, from 0 to below 1. */
double kube__random01(uint64_t *state);

enum { KUBE__UUID_SIZE = 37 }; /* with the NUL */

/* Writes a version 4 UUID of 122 of the bits. */
void kube__random_uuid(uint64_t high, uint64_t low, char out[KUBE__UUID_SIZE]);

#endif /* KUBE_BASE_RANDOM_H */
