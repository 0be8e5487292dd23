/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long inputs;
static unsigned long accepted_inputs;

void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    abort();
}

static void report(void)
{
    fprintf(stderr, "%s: %lu of %lu inputs were accepted\n", program_invocation_short_name,
            accepted_inputs, inputs);
    if (!accepted_inputs)
        _exit(EXIT_FAILURE);
}

void count_input(bool accepted)
{
    if (inputs++ == 0)
        atexit(report);
    accepted_inputs += accepted;
}
