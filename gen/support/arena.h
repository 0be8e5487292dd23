/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of an arena is freed all at once. */
#ifndef KUBEGEN_SUPPORT_ARENA_H
#define KUBEGEN_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *in);
void *arena_alloc(arena *in, size_t size); /* zeroed */
/* Returns NULL if @size is 0. */
void *arena_copy(arena *in, const void *data, size_t size);
char *arena_strdup(arena *in, const char *text);
char *arena_strndup(arena *in, const char *text, size_t len);
__attribute__((format(printf, 2, 3))) char *arena_printf(arena *in, const char *format, ...);
__attribute__((format(printf, 2, 0))) char *arena_vprintf(arena *in, const char *format,
                                                          va_list args);

#endif /* KUBEGEN_SUPPORT_ARENA_H */
