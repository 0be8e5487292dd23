/* SPDX-License-Identifier: Apache-2.0 */
/*
 * These functions never return NULL: kubegen runs for milliseconds, so it says that it is out of
 * memory and ends. Nothing is half-written then, because output is written last and file by file.
 */
#ifndef KUBEGEN_SUPPORT_XALLOC_H
#define KUBEGEN_SUPPORT_XALLOC_H

#include <stddef.h>

/* Returns @memory, or ends the process if that is NULL. */
void *xchecked(void *memory);
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size); /* zeroed */
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *text);

#endif /* KUBEGEN_SUPPORT_XALLOC_H */
