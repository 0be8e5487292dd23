/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences that stay: the table below "Differences from kube-apiserver" in
 * docs/apiserver.md, whose rows are
 *     | id | `scenarios` | `difference` | reason |
 * with patterns as the shell has them, of scenarios' names and of lines that the comparison makes.
 * Rows of scenarios "kubectl/…" are kubectl_parity.sh's.
 */
#ifndef TESTS_PARITY_KNOWN_H
#define TESTS_PARITY_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

/* Ends the program when the file has no such table. */
void parity_known_read(const char *path);
/* Whether a row lists this difference; remembers that it did. Any thread. */
bool parity_known(const char *scenario, const char *difference);
size_t parity_known_count(void);
/* Rows that listed nothing, each told on stderr. */
size_t parity_known_stale(void);

#endif /* TESTS_PARITY_KNOWN_H */
