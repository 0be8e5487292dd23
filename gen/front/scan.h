/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of a file, as far as they are needed to find its comments: for C files, which kubegen
 * cannot compile.
 */
#ifndef KUBEGEN_SCAN_H
#define KUBEGEN_SCAN_H

#include "clang_parse.h"

/* Code is one token a line and word; @path and @text are not copied. */
parse_file *scan_file(arena *in, const char *path, const char *text);

#endif /* KUBEGEN_SCAN_H */
