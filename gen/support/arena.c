/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include "xalloc.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16 * 1024 };

typedef struct block {
    struct block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char data[];
} block;

struct arena {
    block *blocks; /* the first one is being filled */
};

arena *arena_new(void)
{
    return xcalloc(1, sizeof(arena));
}

void arena_free(arena *in)
{
    if (!in)
        return;
    while (in->blocks) {
        block *next = in->blocks->next;
        free(in->blocks);
        in->blocks = next;
    }
    free(in);
}

void *arena_alloc(arena *in, size_t size)
{
    size_t rounded =
        (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    block *head = in->blocks;
    void *memory;
    if (!head || head->size - head->used < rounded) {
        size_t room = rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE;
        head = xmalloc(sizeof *head + room);
        head->next = in->blocks;
        head->used = 0;
        head->size = room;
        in->blocks = head;
    }
    memory = head->data + head->used;
    head->used += rounded;
    memset(memory, 0, rounded);
    return memory;
}

void *arena_copy(arena *in, const void *data, size_t size)
{
    return size ? memcpy(arena_alloc(in, size), data, size) : NULL;
}

char *arena_strdup(arena *in, const char *text)
{
    return arena_strndup(in, text, strlen(text));
}

char *arena_strndup(arena *in, const char *text, size_t len)
{
    char *copy = arena_alloc(in, len + 1);
    if (len > 0)
        memcpy(copy, text, len);
    return copy;
}

char *arena_vprintf(arena *in, const char *format, va_list args)
{
    va_list again;
    char *text;
    int len;
    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = arena_alloc(in, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

char *arena_printf(arena *in, const char *format, ...)
{
    va_list args;
    char *text;
    va_start(args, format);
    text = arena_vprintf(in, format, args);
    va_end(args);
    return text;
}
