/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include <sys/random.h>
#include <time.h>

#define STEP UINT64_C(0x9e3779b97f4a7c15)

/* Spreads every bit of @x over all of them (the finaliser of a 64-bit mix generator). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* A Weyl sequence through the mixer: one word of state, and every seed is a good one. */
static uint64_t next(kube__api_random *random)
{
    return mix(random->state += STEP);
}

static double as_fraction(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

static uint64_t machine_seed(void)
{
    uint64_t seed = 0;
    struct timespec now;
    if (getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed && seed)
        return seed;
    clock_gettime(CLOCK_REALTIME, &now);
    seed = (uint64_t)now.tv_sec * UINT64_C(1000000007) ^ (uint64_t)now.tv_nsec;
    return seed ? seed : 1;
}

uint64_t kube__api_random_init(kube__api_random *random, uint64_t seed)
{
    if (!seed)
        seed = machine_seed();
    random->state = seed;
    return seed;
}

uint64_t kube__api_random_below(kube__api_random *random, uint64_t bound)
{
    /* Values beyond the largest multiple of bound would favour the small results. */
    uint64_t excess = (UINT64_MAX % bound + 1) % bound;
    uint64_t value;
    do
        value = next(random);
    while (value > UINT64_MAX - excess);
    return value % bound;
}

double kube__api_random_fraction(kube__api_random *random)
{
    return as_fraction(next(random));
}

double kube__api_random_draw(uint64_t seed, uint64_t number, uint64_t nth)
{
    return as_fraction(mix(mix(seed + number * STEP) + nth * STEP));
}

void kube__api_random_uuid(kube__api_random *random, char out[37])
{
    static const char digits[] = "0123456789abcdef";
    uint64_t words[2] = {next(random), next(random)};
    words[0] = (words[0] & ~UINT64_C(0xf000)) | UINT64_C(0x4000);
    words[1] = (words[1] & ~(UINT64_C(3) << 62)) | (UINT64_C(2) << 62);
    char *p = out;
    for (unsigned i = 0; i < 32; i++) {
        if (i == 8 || i == 12 || i == 16 || i == 20)
            *p++ = '-';
        *p++ = digits[words[i / 16] >> (60 - 4 * (i % 16)) & 15];
    }
    *p = '\0';
}

void kube__api_random_suffix(kube__api_random *random, char *out, size_t len)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    for (size_t i = 0; i < len; i++)
        out[i] = letters[kube__api_random_below(random, sizeof letters - 1)];
    out[len] = '\0';
}
