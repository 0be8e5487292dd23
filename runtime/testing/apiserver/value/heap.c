/* SPDX-License-Identifier: Apache-2.0 */
#include "heap.h"

#include <stdio.h>

static void *told(kube__heap *heap, void *memory)
{
    if (!memory)
        heap->failed = true;
    return memory;
}

void *kube__heap_alloc(kube__heap *heap, size_t size)
{
    return told(heap, kube_ctx_alloc(heap->ctx, size));
}

void *kube__heap_alloc_array(kube__heap *heap, size_t count, size_t size)
{
    return told(heap, kube_ctx_alloc_array(heap->ctx, count ? count : 1, size));
}

char *kube__heap_strndup(kube__heap *heap, const char *text, size_t len)
{
    return told(heap, kube_ctx_strndup(heap->ctx, text, len));
}

char *kube__heap_strdup(kube__heap *heap, const char *text)
{
    return told(heap, kube_ctx_strdup(heap->ctx, text));
}

char *kube__heap_vprintf(kube__heap *heap, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *text = len < 0 ? NULL : kube_ctx_alloc(heap->ctx, (size_t)len + 1);
    if (text)
        vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return told(heap, text);
}

char *kube__heap_printf(kube__heap *heap, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = kube__heap_vprintf(heap, format, args);
    va_end(args);
    return text;
}
