/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_file() splits a C file, which kubegen cannot compile, into tokens, as far as they are needed
 * to find its comments.
 */
#ifndef KUBEGEN_SCAN_H
#define KUBEGEN_SCAN_H

#include "clang_parse.h"

/* Each word of code is one token. @path and @text are not copied. */
parse_file *scan_file(arena *in, const char *path, const char *text);

#endif /* KUBEGEN_SCAN_H */
