/* SPDX-License-Identifier: Apache-2.0 */
/* What is generated has the licence of the header that it comes from. */
#ifndef KUBEGEN_SPDX_H
#define KUBEGEN_SPDX_H

#include "arena.h"

#include <stdbool.h>

/* Says whether @text looks like an SPDX expression: "Apache-2.0 OR MIT". */
bool spdx_is_expression(const char *text);
/* Returns the licence identifier that the file @path names, in @memory, or NULL. */
const char *spdx_find(arena *memory, const char *path);

#endif /* KUBEGEN_SPDX_H */
