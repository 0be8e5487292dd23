/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a text is a regular expression of the API server's dialect (RE2). */
#ifndef KUBEGEN_PATTERN_H
#define KUBEGEN_PATTERN_H

#include "support/arena.h"

#include <stdbool.h>

/* What is wrong with @pattern; NULL = nothing that can be seen here. */
const char *pattern_error(arena *in, const char *pattern);
/*
 * Whether @text certainly does not match. False also where the C library's dialect could differ
 * from the server's, and for a pattern with an error.
 */
bool pattern_excludes(const char *pattern, const char *text);

#endif /* KUBEGEN_PATTERN_H */
