/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a in 64 bits: quick for short keys; not for keys that an enemy chooses. */
#ifndef KUBE_BASE_HASH_H
#define KUBE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define KUBE__HASH_START UINT64_C(0xcbf29ce484222325)

/* Goes on from @hash with the bytes of @data. */
static inline uint64_t kube__hash_add(uint64_t hash, const void *data, size_t len)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif /* KUBE_BASE_HASH_H */
