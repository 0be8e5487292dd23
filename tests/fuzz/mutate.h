/* SPDX-License-Identifier: Apache-2.0 */
/* What the mutators share: one of them is linked with a target where random bytes do not get far.
 */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own: changes, adds and removes bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t len, size_t max);
/* What libFuzzer calls in its place. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t max, unsigned seed);

#endif /* TESTS_FUZZ_MUTATE_H */
