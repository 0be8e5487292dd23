/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include <stdio.h>
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

uint64_t kube__random_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Splitmix64: a Weyl sequence through the mixer. */
uint64_t kube__random_next(uint64_t *state)
{
    return kube__random_mix(*state += KUBE__RANDOM_STEP);
}

double kube__random01(uint64_t *state)
{
    return (double)(kube__random_next(state) >> 11) * 0x1p-53;
}

void kube__random_uuid(uint64_t high, uint64_t low, char out[KUBE__UUID_SIZE])
{
    snprintf(out, KUBE__UUID_SIZE, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(high >> 32),
             (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xfff),
             (unsigned)(0x8000 | (low >> 48 & 0x3fff)), (unsigned long long)(low & 0xffffffffffff));
}
