/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a fuzz target defines. Aborts when something is wrong; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Ends the process with a message unless @ok. */
void must(bool ok, const char *what);

/*
 * Each target says of every input whether it was accepted. At its end the process says how many
 * were, and fails when none was: a target that refuses everything tests little.
 */
void count_input(bool accepted);

#endif /* TESTS_FUZZ_FUZZ_H */
