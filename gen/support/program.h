/* SPDX-License-Identifier: Apache-2.0 */
/* program_run() runs another program, without a shell: whatever is in an argument stays one. */
#ifndef KUBEGEN_PROGRAM_H
#define KUBEGEN_PROGRAM_H

#include "str.h"

typedef struct program_options {
    const char *input;    /* file that it reads as its standard input; NULL = nothing */
    const char *variable; /* one of its environment, with the value; NULL = none */
    const char *value;
} program_options;

/*
 * Runs @argv, which ends with NULL, and appends what it prints to @out. Its errors go to ours.
 * Returns false unless it ended with status 0; with a line in @error if it could not be run.
 */
bool program_run(const char *const *argv, const program_options *options, str *out, str *error);

#endif /* KUBEGEN_PROGRAM_H */
