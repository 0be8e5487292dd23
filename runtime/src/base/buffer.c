/* SPDX-License-Identifier: Apache-2.0 */
#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 256 };

void kube__buffer_init(kube__buffer *buffer, size_t limit)
{
    memset(buffer, 0, sizeof *buffer);
    /* The NUL and the doubling must not overflow. */
    buffer->limit = limit < SIZE_MAX / 4 ? limit : SIZE_MAX / 4;
}

void kube__buffer_fini(kube__buffer *buffer)
{
    free(buffer->data);
    buffer->data = NULL;
    buffer->len = 0;
    buffer->size = 0;
}

void kube__buffer_reset(kube__buffer *buffer)
{
    buffer->failed = false;
    buffer->len = 0;
    if (buffer->data)
        buffer->data[0] = '\0';
}

static char *give_up(kube__buffer *buffer)
{
    kube__buffer_fini(buffer);
    buffer->failed = true;
    return NULL;
}

char *kube__buffer_reserve(kube__buffer *buffer, size_t len)
{
    size_t size = buffer->size ? buffer->size : FIRST_SIZE;
    char *data;
    if (buffer->failed)
        return NULL;
    if (len > buffer->limit - buffer->len)
        return give_up(buffer);
    if (buffer->len + len < buffer->size)
        return buffer->data + buffer->len;
    while (size <= buffer->len + len)
        size *= 2;
    if (size > buffer->limit + 1)
        size = buffer->limit + 1;
    data = realloc(buffer->data, size);
    if (!data)
        return give_up(buffer);
    buffer->data = data;
    buffer->size = size;
    buffer->data[buffer->len] = '\0';
    return buffer->data + buffer->len;
}

void kube__buffer_add(kube__buffer *buffer, const void *data, size_t len)
{
    char *end = kube__buffer_reserve(buffer, len);
    if (!end)
        return;
    if (len)
        memcpy(end, data, len);
    end[len] = '\0';
    buffer->len += len;
}

void kube__buffer_add_text(kube__buffer *buffer, const char *text)
{
    kube__buffer_add(buffer, text, strlen(text));
}

void kube__buffer_printf(kube__buffer *buffer, const char *format, ...)
{
    va_list args;
    va_list again;
    char *end = NULL;
    int len;
    va_start(args, format);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, args);
    if (len >= 0)
        end = kube__buffer_reserve(buffer, (size_t)len);
    else
        give_up(buffer);
    if (end) {
        vsnprintf(end, (size_t)len + 1, format, again);
        buffer->len += (size_t)len;
    }
    va_end(again);
    va_end(args);
}
