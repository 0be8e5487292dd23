/* SPDX-License-Identifier: Apache-2.0 */
/* The licence of what is generated: that of the header it comes from. */
#ifndef KUBEGEN_SPDX_H
#define KUBEGEN_SPDX_H

#include "arena.h"

/* The licence identifier that the file @path names, in @memory; NULL when it names none. */
const char *spdx_find(arena *memory, const char *path);

#endif /* KUBEGEN_SPDX_H */
