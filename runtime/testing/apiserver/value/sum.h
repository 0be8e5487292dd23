/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a in 64 bits: the same sum in every process. It goes to disk, and into names that an object
 * keeps when the server starts again; tables have base/hash.h. */
#ifndef KUBE_APISERVER_SUM_H
#define KUBE_APISERVER_SUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t kube__api_sum(const void *data, size_t len)
{
    const unsigned char *bytes = data;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

#endif /* KUBE_APISERVER_SUM_H */
