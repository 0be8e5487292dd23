/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a header or a document says becomes text of C only through these functions, so that it stays
 * what it is: text.
 */
#ifndef KUBEGEN_SUPPORT_C_TEXT_H
#define KUBEGEN_SUPPORT_C_TEXT_H

#include "str.h"

/* Appends a string literal of @text: printable ASCII, the rest as escapes. */
void c_text_literal(str *out, const char *text);
/*
 * Appends @len bytes to a block comment: they cannot end it, begin another one or join its lines,
 * and what cannot be seen is written as <U+202E>.
 */
void c_text_comment(str *out, const char *text, size_t len);
/*
 * Says whether @text may stand as it is in one line, in a comment or between quotes: no hidden
 * characters, and nothing at its end that joins the next line.
 */
bool c_text_is_line(const char *text);
/* Says whether @text is a name in C: ASCII letters, digits and underscores, no digit first. */
bool c_text_is_name(const char *text);

#endif /* KUBEGEN_SUPPORT_C_TEXT_H */
