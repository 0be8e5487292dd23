/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages in a compiler's form: `file:line:col: error: text`, the source line, a caret, notes.
 * They are collected and printed together, sorted by place, so that a run shows all of them.
 */
#ifndef KUBEGEN_DIAG_H
#define KUBEGEN_DIAG_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* line 0 = the file as a whole; file NULL = the run as a whole. */
typedef struct diag_loc {
    const char *file;
    unsigned line;
    unsigned column; /* 1-based, in bytes */
} diag_loc;

typedef struct diag diag;

diag *diag_new(void);
void diag_free(diag *to);

/* Adds an error; one at the same place with the same text is kept once. */
__attribute__((format(printf, 3, 4))) void diag_error(diag *to, diag_loc loc, const char *format,
                                                      ...);
/* Adds a note to the error that was added last; without a place (file NULL) it is one line. */
__attribute__((format(printf, 3, 4))) void diag_note(diag *to, diag_loc loc, const char *format,
                                                     ...);
size_t diag_error_count(const diag *to);

/* Prints everything on stderr, in colour where that is wanted; returns whether there is no error.
 */
bool diag_report(diag *to);
/* Prints everything, sorted. */
void diag_print(diag *to, FILE *out, bool colour);
/* Whether messages for @out should be coloured: a terminal, and neither NO_COLOR nor TERM=dumb. */
bool diag_wants_colour(FILE *out);

/*
 * The one of @words that @word was probably meant to be, or NULL when none is near. For "did you
 * mean".
 */
const char *diag_nearest(const char *word, const char *const *words, size_t len);
/* "; did you mean '…'?" with that one, or "" if none is near; lies in @in. */
const char *diag_meant(arena *in, const char *word, const char *const *words, size_t len);

#endif /* KUBEGEN_DIAG_H */
