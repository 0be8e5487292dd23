/* SPDX-License-Identifier: Apache-2.0 */
/* One scenario on both servers, step by step. */
#ifndef TESTS_PARITY_RUN_H
#define TESTS_PARITY_RUN_H

#include "conformance/parity/script.h"

typedef struct parity_result {
    size_t exchanges;   /* compared */
    size_t differences; /* not listed */
    size_t listed;
} parity_result;

/* Of one thread: connections to both servers. */
typedef struct parity_runner {
    const parity_server *servers[2];
    parity_connection *connections[2];
    const char *report; /* a directory; NULL = none */
} parity_runner;

void parity_run(parity_runner *runner, const parity_scenario *scenario, parity_result *result);

#endif /* TESTS_PARITY_RUN_H */
