/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash of every table in memory, keyed anew in each process: names come from the users of a
 * cluster, who could otherwise choose those that fall on one place. Multiplies 64 by 64 bits and
 * folds the halves, as Go's maps do: SipHash takes about four times as long for strings of a dozen
 * bytes, of which decoding looks up one for each member. Both factors of each product hold secret
 * bits, so nobody can choose text that makes one zero. Every value is a hash like another, 0 too;
 * it may not be stored nor sent.
 */
#ifndef KUBE_BASE_HASH_H
#define KUBE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Written before main() only, and by tests. */
extern uint64_t kube__hash_keys[3];

/* Takes the keys from @seed. Tables that were filled before find nothing any more. */
void kube__hash_set_seed(uint64_t seed);

static inline uint64_t kube__hash_load(const char *at, size_t len)
{
    uint64_t word = 0;
    memcpy(&word, at, len);
    return word;
}

static inline uint64_t kube__hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* @from is 0, or the hash of what comes before: of the namespace, where @data is a name. */
static inline uint64_t kube__hash(uint64_t from, const void *data, size_t len)
{
    const char *at = data;
    uint64_t sum = from ^ kube__hash_keys[0];
    uint64_t a = 0;
    uint64_t b = 0;
    size_t left = len;
    for (; left > 16; at += 16, left -= 16)
        sum = kube__hash_fold(kube__hash_load(at, 8) ^ kube__hash_keys[1],
                              kube__hash_load(at + 8, 8) ^ sum);
    if (left >= 8) {
        a = kube__hash_load(at, 8);
        b = kube__hash_load(at + left - 8, 8);
    } else if (left >= 4) {
        a = kube__hash_load(at, 4);
        b = kube__hash_load(at + left - 4, 4);
    } else if (left) {
        a = (uint64_t)(unsigned char)at[0] << 16 | (uint64_t)(unsigned char)at[left / 2] << 8 |
            (unsigned char)at[left - 1];
    }
    sum = kube__hash_fold(a ^ kube__hash_keys[1], b ^ sum);
    return kube__hash_fold(sum ^ kube__hash_keys[2], len ^ kube__hash_keys[1]);
}

static inline uint64_t kube__hash_text(uint64_t from, const char *text)
{
    return kube__hash(from, text, strlen(text));
}

static inline uint32_t kube__hash_half(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

#endif /* KUBE_BASE_HASH_H */
