/* SPDX-License-Identifier: Apache-2.0 */
/* A seeded generator: the same seed, the same uids, names and faults. */
#ifndef KUBE_APISERVER_RANDOM_H
#define KUBE_APISERVER_RANDOM_H

#include "base/random.h"

#include <stddef.h>
#include <stdint.h>

typedef struct kube__api_random {
    uint64_t state;
} kube__api_random;

/* @seed 0 takes one from the machine; returns the seed in use, never 0. */
uint64_t kube__api_random_init(kube__api_random *random, uint64_t seed);
/* Evenly below @bound, which is not 0. */
uint64_t kube__api_random_below(kube__api_random *random, uint64_t bound);
/* In [0, 1). */
double kube__api_random_fraction(kube__api_random *random);
/* The same without a state: the @nth number of stream @number of a seed. */
double kube__api_random_draw(uint64_t seed, uint64_t number, uint64_t nth);
/* A version 4 UUID. */
void kube__api_random_uuid(kube__api_random *random, char out[KUBE__UUID_SIZE]);
/* @len characters as generateName gets them (no vowels, nothing that looks alike), and a NUL. */
void kube__api_random_suffix(kube__api_random *random, char *out, size_t len);

#endif /* KUBE_APISERVER_RANDOM_H */
