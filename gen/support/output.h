/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An output_set writes all of its files or no file: they are collected in memory, written beside
 * their places, and renamed only when every one of them is on disk, with signals that end the
 * program held back meanwhile. A file that would not change is not touched. Pipes and devices are
 * written to at the end; a link is replaced, unless it is one of /dev or /proc.
 */
#ifndef KUBEGEN_OUTPUT_H
#define KUBEGEN_OUTPUT_H

#include "str.h"

#include <stdio.h>

typedef struct output_set output_set;

output_set *output_new(void);
void output_free(output_set *output);
/* Names the input that the files are made of which are planned from here on. */
void output_set_input(output_set *output, const char *input);
/* Plans a file. @text is copied. Another text for the same path makes a fault of the set. */
void output_add(output_set *output, const char *path, const char *text);
size_t output_count(const output_set *output);
const char *output_path(const output_set *output, size_t index);
const char *output_text(const output_set *output, size_t index);

/* Returns a line about the first path that got two texts, or NULL. */
const char *output_fault(const output_set *output);
/* Writes what has changed and makes directories. Returns false with a line in @error. */
bool output_write(output_set *output, str *error);
/* Prints to @diffs how the files on disk differ; returns how many do. */
size_t output_compare(const output_set *output, FILE *diffs);

#endif /* KUBEGEN_OUTPUT_H */
