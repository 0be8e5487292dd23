/* SPDX-License-Identifier: Apache-2.0 */
/* Networks as an API server sends them, the same ones on every run. */
#ifndef TESTS_BENCH_CORPUS_H
#define TESTS_BENCH_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum corpus_size {
    CORPUS_FULL, /* with managedFields and kubectl's last-applied annotation: 1.6 KB each */
    CORPUS_LEAN, /* without: 0.4 KB each */
} corpus_size;

typedef enum corpus_order {
    CORPUS_SORTED,   /* as custom resources are sent: names sorted, `items` before `metadata` */
    CORPUS_DECLARED, /* as built-in types are: in the order of Go's declaration */
} corpus_order;

typedef struct corpus {
    char *text; /* a whole list, NUL-terminated */
    size_t len;
    size_t *starts; /* of the items in text; one more for the end */
    size_t *ends;
    size_t count;
} corpus;

/* Aborts when memory is out. */
corpus corpus_new(size_t count, corpus_size size, corpus_order order);
void corpus_free(corpus *corpus);

#endif /* TESTS_BENCH_CORPUS_H */
