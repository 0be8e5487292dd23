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
 * Each target says of every input whether it went all the way: decoded, applied, answered with 200.
 * One that reads an input in several ways counts each of them; @way is a literal. At its end the
 * process says how many did, and fails if a way took none: what refuses everything tests little.
 */
void count_input(const char *way, bool accepted);

/* A piece of an input. */
typedef struct fuzz_text {
    const char *data;
    size_t len;
} fuzz_text;

/* Takes what comes before the next line "%%" off the front of @rest; false at the end. */
bool next_part(fuzz_text *rest, fuzz_text *part);
/* A copy with a NUL behind it, to be freed. */
char *copy_part(fuzz_text part);

#endif /* TESTS_FUZZ_FUZZ_H */
