/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation that does not fail: kubegen runs for milliseconds, so it says that memory is out and
 * ends. Nothing is half-written then, because output is written last and file by file.
 */
#ifndef KUBEGEN_SUPPORT_XALLOC_H
#define KUBEGEN_SUPPORT_XALLOC_H

#include <stddef.h>

/* Returns @memory unless it is NULL, which means that memory is out. */
void *xchecked(void *memory);
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size); /* zeroed */
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);

#endif /* KUBEGEN_SUPPORT_XALLOC_H */
