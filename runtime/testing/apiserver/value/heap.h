/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of one request: all of it lives until the request is answered, and nobody frees a piece.
 * A failed allocation is remembered, so that code which builds documents checks once, before its
 * work has an effect: what it builds on is NULL-safe.
 */
#ifndef KUBE_APISERVER_HEAP_H
#define KUBE_APISERVER_HEAP_H

#include <kube/ctx.h>
#include <stdarg.h>
#include <stdbool.h>

typedef struct kube__heap {
    kube_ctx *ctx;
    bool failed; /* memory ran out at least once: what was built is incomplete */
} kube__heap;

/* Zeroed; NULL when memory is out, and then failed. */
void *kube__heap_alloc(kube__heap *heap, size_t size);
void *kube__heap_alloc_array(kube__heap *heap, size_t count, size_t size);
/* NUL-terminated copies. */
char *kube__heap_strndup(kube__heap *heap, const char *text, size_t len);
char *kube__heap_strdup(kube__heap *heap, const char *text);
char *kube__heap_printf(kube__heap *heap, const char *format, ...) KUBE_PRINTF(2, 3);
char *kube__heap_vprintf(kube__heap *heap, const char *format, va_list args) KUBE_PRINTF(2, 0);

#endif /* KUBE_APISERVER_HEAP_H */
