/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

uint64_t kube__api_random_init(kube__api_random *random, uint64_t seed)
{
    if (!seed)
        seed = kube__random_seed() | 1; /* not zero, which would stand for another next time */
    random->state = seed;
    return seed;
}

uint64_t kube__api_random_below(kube__api_random *random, uint64_t bound)
{
    /* Values beyond the largest multiple of bound would favour the small results. */
    uint64_t excess = (UINT64_MAX % bound + 1) % bound;
    uint64_t value;
    do
        value = kube__random_next(&random->state);
    while (value > UINT64_MAX - excess);
    return value % bound;
}

double kube__api_random_fraction(kube__api_random *random)
{
    return kube__random01(&random->state);
}

double kube__api_random_draw(uint64_t seed, uint64_t number, uint64_t nth)
{
    uint64_t state = kube__random_mix(seed + number * KUBE__RANDOM_STEP);
    state += (nth - 1) * KUBE__RANDOM_STEP;
    return kube__random01(&state);
}

void kube__api_random_uuid(kube__api_random *random, char out[KUBE__UUID_SIZE])
{
    uint64_t high = kube__random_next(&random->state);
    kube__random_uuid(high, kube__random_next(&random->state), out);
}

void kube__api_random_suffix(kube__api_random *random, char *out, size_t len)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    for (size_t i = 0; i < len; i++)
        out[i] = letters[kube__api_random_below(random, sizeof letters - 1)];
    out[len] = '\0';
}
