/* SPDX-License-Identifier: Apache-2.0 */
/* docs_sample() makes a text that a regular expression of the API server's dialect (RE2) takes. */
#ifndef KUBEGEN_DOCS_SAMPLE_H
#define KUBEGEN_DOCS_SAMPLE_H

#include "support/arena.h"

#include <stddef.h>

/*
 * Returns a text that matches @pattern and has @least to @most characters, or NULL if none is
 * found: the first branch of each choice is tried, and repeats as few as possible.
 */
const char *docs_sample(arena *in, const char *pattern, size_t least, size_t most);

#endif /* KUBEGEN_DOCS_SAMPLE_H */
