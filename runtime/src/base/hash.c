/* SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"

#include "random.h"

uint64_t kube__hash_keys[3];

void kube__hash_set_seed(uint64_t seed)
{
    for (size_t i = 0; i < sizeof kube__hash_keys / sizeof *kube__hash_keys; i++)
        kube__hash_keys[i] = kube__random_next(&seed);
}

/* Before main(), and before the constructors of a program, which may make tables: so no look-up has
 * to ask whether it has been done. 101 is the first priority that is not the compiler's. */
__attribute__((constructor(101))) static void take_seed(void)
{
    for (size_t i = 0; i < sizeof kube__hash_keys / sizeof *kube__hash_keys; i++)
        kube__hash_keys[i] = kube__random_seed();
}
