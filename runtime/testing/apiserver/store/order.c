/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include "store.h"

#include <stdlib.h>
#include <string.h>

int kube__api_key_compare(const char *namespace_a, const char *name_a, const char *namespace_b,
                          const char *name_b)
{
    while (*namespace_a && *namespace_a == *namespace_b) {
        namespace_a++;
        namespace_b++;
    }
    if (!*namespace_a && !*namespace_b)
        return strcmp(name_a, name_b);
    /* The shorter one goes on with the slash, or, for want of a namespace, with the name. */
    int a = *namespace_a ? (unsigned char)*namespace_a : '/';
    int b = *namespace_b ? (unsigned char)*namespace_b : '/';
    return a - b;
}

static int compare(const kube__api_object *object, const char *namespace_, const char *name)
{
    return kube__api_key_compare(object->namespace_, object->name, namespace_, name);
}

void kube__api_order_fini(kube__api_order *order)
{
    for (size_t i = 0; i < order->size; i++)
        free(order->chunks[i]);
    free(order->chunks);
    *order = (kube__api_order){0};
}

/* The last chunk whose first key is not larger; 0 if all are larger. The first chunk, which is
 * empty before the first insert, is not looked at for that. */
static size_t chunk_of(const kube__api_order *order, const char *namespace_, const char *name)
{
    size_t low = 1;
    size_t high = order->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(order->chunks[middle]->items[0], namespace_, name) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/* The first index whose key is not smaller. */
static size_t index_in(const kube__api_chunk *chunk, const char *namespace_, const char *name)
{
    size_t low = 0;
    size_t high = chunk->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(chunk->items[middle], namespace_, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* chunks[len] is a spare one when size > len: an insert splits at most one chunk. */
bool kube__api_order_reserve(kube__api_order *order)
{
    if (order->size > order->len)
        return true;
    kube__api_chunk **grown = realloc(order->chunks, (order->size + 1) * sizeof *grown);
    if (!grown)
        return false;
    order->chunks = grown;
    grown[order->size] = malloc(sizeof **grown);
    if (!grown[order->size])
        return false;
    grown[order->size++]->len = 0;
    return true;
}

/* Moves the spare chunk to @at. */
static kube__api_chunk *take_spare(kube__api_order *order, size_t at)
{
    kube__api_chunk *spare = order->chunks[order->len];
    memmove(order->chunks + at + 1, order->chunks + at, (order->len - at) * sizeof *order->chunks);
    order->chunks[at] = spare;
    order->len++;
    return spare;
}

/* Halves a full chunk, or, where objects arrive in order, starts the next. */
static kube__api_chunk *split(kube__api_order *order, size_t at, size_t *index)
{
    kube__api_chunk *chunk = order->chunks[at];
    kube__api_chunk *next = take_spare(order, at + 1);
    size_t keep = *index == chunk->len ? chunk->len : chunk->len / 2;
    next->len = chunk->len - keep;
    memcpy(next->items, chunk->items + keep, next->len * sizeof *next->items);
    chunk->len = keep;
    if (*index < keep || (*index == keep && next->len > 0))
        return chunk;
    *index -= keep;
    return next;
}

void kube__api_order_insert(kube__api_order *order, kube__api_object *object)
{
    if (order->len == 0)
        take_spare(order, 0);
    size_t at = chunk_of(order, object->namespace_, object->name);
    kube__api_chunk *chunk = order->chunks[at];
    size_t index = index_in(chunk, object->namespace_, object->name);
    if (chunk->len == KUBE__API_CHUNK)
        chunk = split(order, at, &index);
    memmove(chunk->items + index + 1, chunk->items + index,
            (chunk->len - index) * sizeof *chunk->items);
    chunk->items[index] = object;
    chunk->len++;
    order->count++;
}

kube__api_object **kube__api_order_find(const kube__api_order *order, const char *namespace_,
                                        const char *name)
{
    if (order->len == 0)
        return NULL;
    kube__api_chunk *chunk = order->chunks[chunk_of(order, namespace_, name)];
    size_t index = index_in(chunk, namespace_, name);
    if (index == chunk->len || compare(chunk->items[index], namespace_, name) != 0)
        return NULL;
    return &chunk->items[index];
}

void kube__api_order_remove(kube__api_order *order, const char *namespace_, const char *name)
{
    kube__api_object **slot = kube__api_order_find(order, namespace_, name);
    if (!slot)
        return;
    size_t at = chunk_of(order, namespace_, name);
    kube__api_chunk *chunk = order->chunks[at];
    size_t index = (size_t)(slot - chunk->items);
    memmove(slot, slot + 1, (chunk->len - index - 1) * sizeof *slot);
    chunk->len--;
    order->count--;
    if (chunk->len > 0)
        return;
    order->len--;
    memmove(order->chunks + at, order->chunks + at + 1, (order->len - at) * sizeof *order->chunks);
    order->chunks[order->len] = chunk;
    while (order->size > order->len + 1)
        free(order->chunks[--order->size]);
}

kube__api_cursor kube__api_order_seek(const kube__api_order *order, const char *namespace_,
                                      const char *name)
{
    kube__api_cursor cursor = {0};
    if (order->len == 0)
        return cursor;
    cursor.chunk = chunk_of(order, namespace_, name);
    cursor.index = index_in(order->chunks[cursor.chunk], namespace_, name);
    return cursor;
}

kube__api_object *kube__api_order_next(const kube__api_order *order, kube__api_cursor *cursor)
{
    while (cursor->chunk < order->len) {
        const kube__api_chunk *chunk = order->chunks[cursor->chunk];
        if (cursor->index < chunk->len)
            return chunk->items[cursor->index++];
        cursor->chunk++;
        cursor->index = 0;
    }
    return NULL;
}
