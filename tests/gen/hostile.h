/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that try to become code, and what shows whether they did. */
#ifndef TESTS_GEN_HOSTILE_H
#define TESTS_GEN_HOSTILE_H

#include "support/output.h"
#include "support/str.h"

/* Each has the word PWNED, which is nowhere a name in C. */
extern const char *const hostile_texts[];
extern const size_t hostile_count;

/*
 * The tokens of C11 without comments, a letter each: i = name, s = string, n = number, X = keyword
 * of no header of data. Words of directives are capitals. Fails the test if a name has PWNED and is
 * not that of a macro.
 */
void hostile_tokens(const char *text, str *out);
/* The events of YAML without the texts, one letter each. Fails the test if it is not YAML. */
void hostile_events(const char *text, str *out);
/* Fails the test unless the text, its line ends aside, has no hidden characters. */
void hostile_check_plain(const char *text);

#endif /* TESTS_GEN_HOSTILE_H */
