/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a text is a regular expression of the API server's dialect (RE2). */
#ifndef KUBEGEN_PATTERN_H
#define KUBEGEN_PATTERN_H

#include "support/arena.h"

/* What is wrong with @pattern; NULL = nothing that can be seen here. */
const char *pattern_error(arena *in, const char *pattern);

#endif /* KUBEGEN_PATTERN_H */
