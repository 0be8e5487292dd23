/* SPDX-License-Identifier: Apache-2.0 */
#include "vec.h"

#include "xalloc.h"

#include <stdlib.h>
#include <string.h>

void *vec_grow(void *items, size_t len, size_t *cap, size_t size)
{
    if (len == *cap) {
        *cap = *cap ? *cap * 2 : 8;
        items = xrealloc(items, *cap * size);
    }
    memset((unsigned char *)items + len * size, 0, size);
    return items;
}

void *vec_keep(arena *in, void *items, size_t size)
{
    void *kept = arena_copy(in, items, size);
    free(items);
    return kept;
}
