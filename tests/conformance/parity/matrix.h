/* SPDX-License-Identifier: Apache-2.0 */
/* Verb × class of kind × outcome: each cell has a scenario, or a reason why it has none. */
#ifndef TESTS_PARITY_MATRIX_H
#define TESTS_PARITY_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/* Each a list "a,b,c" or "*". False with a line on stderr when a word is unknown. */
bool parity_matrix_cover(const char *verbs, const char *classes, const char *outcomes,
                         const char *scenario);
bool parity_matrix_excuse(const char *verbs, const char *classes, const char *outcomes,
                          const char *reason);

typedef struct parity_matrix_count {
    size_t cells;
    size_t covered;
    size_t excused;
    size_t faults; /* neither, or both: each is told on stderr */
} parity_matrix_count;

parity_matrix_count parity_matrix_check(void);

#endif /* TESTS_PARITY_MATRIX_H */
