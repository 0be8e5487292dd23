/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What a fuzz target defines. Aborts when something is wrong; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#endif /* TESTS_FUZZ_FUZZ_H */
