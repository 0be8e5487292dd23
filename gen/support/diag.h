/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A diag collects messages and prints them together, sorted by place, so that a run shows all of
 * them. They have the form of a compiler's: `file:line:col: error: text`, the source line, a caret,
 * notes.
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

typedef enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } diag_level;

typedef struct diag diag;

diag *diag_new(void);
void diag_free(diag *to);

/* Adds an error; one at the same place with the same text is kept once. */
__attribute__((format(printf, 3, 4))) void diag_error(diag *to, diag_loc loc, const char *format,
                                                      ...);
/* Adds a warning, which does not count as an error. */
__attribute__((format(printf, 3, 4))) void diag_warning(diag *to, diag_loc loc, const char *format,
                                                        ...);
/* Adds a message that goes by a rule with a name of its own: of others it is made of their words.
 */
__attribute__((format(printf, 5, 6))) void diag_tell(diag *to, diag_level level, const char *rule,
                                                     diag_loc loc, const char *format, ...);
/* Adds a note to the error or warning that was added last; without a place (file NULL) it is one
 * line. */
__attribute__((format(printf, 3, 4))) void diag_note(diag *to, diag_loc loc, const char *format,
                                                     ...);
/* Counts the errors, also those that are not kept; the first one always is. */
size_t diag_error_count(const diag *to);
/* Says whether there is an error and no further message is kept. */
bool diag_is_full(const diag *to);

/* Shows the files below @dir with @as in place of it and its slash: "v1.0:". */
void diag_show_as(diag *to, const char *dir, const char *as);
/* Returns the name that a file is shown by. */
const char *diag_file(diag *to, const char *file);

/* Prints everything, sorted. */
void diag_print(diag *to, FILE *out, bool colour);
/* A message as a program reads it. */
typedef struct diag_item {
    diag_level level;
    const char *rule; /* "unknown-marker"; NULL of a note */
    const char *text;
    diag_loc loc;        /* of the file as it is shown */
    unsigned characters; /* the column, in characters */
} diag_item;

/* Gets the errors and warnings, sorted by place, each followed by its notes; false at the end. */
bool diag_next(diag *to, size_t *at, size_t *note, diag_item *out);

/* Says whether @out is a terminal with colours: neither NO_COLOR nor TERM=dumb is set. */
bool diag_wants_colour(FILE *out);

/* Returns the one of @words that @word was probably meant to be, or NULL if no word is near. */
const char *diag_nearest(const char *word, const char *const *words, size_t len);
/* Returns "; did you mean '…'?" with that word, which lies in @in, or "" if no word is near. */
const char *diag_meant(arena *in, const char *word, const char *const *words, size_t len);

#endif /* KUBEGEN_DIAG_H */
