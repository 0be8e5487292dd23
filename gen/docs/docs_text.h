/* SPDX-License-Identifier: Apache-2.0 */
/* These functions write texts into Markdown, such that they stay what they are. */
#ifndef KUBEGEN_DOCS_TEXT_H
#define KUBEGEN_DOCS_TEXT_H

#include "support/json_value.h"
#include "support/str.h"

/* Appends the text of a comment, of which only code spans are Markdown. In a table's cell (@cell)
 * it is one line. */
void docs_prose(str *out, const char *text, bool cell);
/* Appends a code span, for a table's cell or beside one. */
void docs_code(str *out, const char *text);
/* Appends a value as compact JSON, in a code span. */
void docs_value(str *out, const json_value *value);
/* Appends what a member's schema says beside its type, description and default, or nothing. */
void docs_limits(str *out, const json_value *schema);

#endif /* KUBEGEN_DOCS_TEXT_H */
