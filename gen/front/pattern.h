/* SPDX-License-Identifier: Apache-2.0 */
/* These functions check regular expressions of the API server's dialect (RE2). */
#ifndef KUBEGEN_PATTERN_H
#define KUBEGEN_PATTERN_H

#include "support/arena.h"

#include <stdbool.h>

/* Returns what is wrong with @pattern, or NULL. */
const char *pattern_error(arena *in, const char *pattern);
/* Says whether @text does not match. Returns false for a pattern with an error. */
bool pattern_excludes(const char *pattern, const char *text);

#endif /* KUBEGEN_PATTERN_H */
