/* SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"

#include "random.h"

uint64_t kube__hash_keys[3];

void kube__hash_set_seed(uint64_t seed)
{
    for (size_t i = 0; i < sizeof kube__hash_keys / sizeof *kube__hash_keys; i++)
        kube__hash_keys[i] = kube__random_next(&seed);
}

/* Before main(), so that no look-up has to ask whether it has been done. */
__attribute__((constructor)) static void take_seed(void)
{
    for (size_t i = 0; i < sizeof kube__hash_keys / sizeof *kube__hash_keys; i++)
        kube__hash_keys[i] = kube__random_seed();
}
