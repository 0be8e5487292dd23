/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t kube__random_seed(void)
{
    uint64_t seed;
    struct timespec now = {0, 0};

    if (getentropy(&seed, sizeof seed) == 0)
        return seed;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32 ^ (uint64_t)(uintptr_t)&seed;
}

/* Splitmix64. */
double kube__random01(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (double)(x >> 11) / 9007199254740992.0; /* 2^53 */
}
