/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts rendered C into house format: as clang-format with the project's .clang-format would, for
 * the forms that templates use. Templates can so write one parameter a line, whatever its length.
 */
#ifndef KUBEGEN_LAYOUT_H
#define KUBEGEN_LAYOUT_H

#include "support/str.h"

enum { LAYOUT_COLUMNS = 100 };

/* Appends @text to @out, with statements joined and broken anew, and blank lines folded. */
void layout_c(const char *text, str *out);

#endif /* KUBEGEN_LAYOUT_H */
