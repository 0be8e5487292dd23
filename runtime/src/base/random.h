/* SPDX-License-Identifier: Apache-2.0 */
/* Chance for jitter and for hashes; not for secrets. */
#ifndef KUBE_BASE_RANDOM_H
#define KUBE_BASE_RANDOM_H

#include <stdint.h>

/* From the machine: nobody outside can know it. */
uint64_t kube__random_seed(void);
/* The next number of a sequence, from 0 to below 1. @state is anything at first; neighbouring ones
 * have nothing in common. */
double kube__random01(uint64_t *state);

#endif /* KUBE_BASE_RANDOM_H */
