/* SPDX-License-Identifier: Apache-2.0 */
/* docs_sample() makes a text that a regular expression of the API server's dialect (RE2) takes. */
#ifndef KUBEGEN_DOCS_SAMPLE_H
#define KUBEGEN_DOCS_SAMPLE_H

#include "support/arena.h"

#include <stddef.h>

/*
 * Returns a text that matches @pattern and has @least to @most characters, or NULL. Another @which
 * may find another text: the first one is made of first branches and as few repeats as possible.
 */
const char *docs_sample(arena *in, const char *pattern, size_t least, size_t most, size_t which);

#endif /* KUBEGEN_DOCS_SAMPLE_H */
