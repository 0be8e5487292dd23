/* SPDX-License-Identifier: Apache-2.0 */
/* What is generated has the licence of the header that it comes from. */
#ifndef KUBEGEN_SPDX_H
#define KUBEGEN_SPDX_H

#include "arena.h"

/* Returns the licence identifier that the file @path names, in @memory, or NULL. */
const char *spdx_find(arena *memory, const char *path);

#endif /* KUBEGEN_SPDX_H */
