/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VEC declares a growing array: `VEC(int) numbers = {0}; *VEC_ADD(&numbers) = 3;
 * free(numbers.items);`. Pointers into it hold until the next VEC_ADD.
 */
#ifndef KUBEGEN_SUPPORT_VEC_H
#define KUBEGEN_SUPPORT_VEC_H

#include "arena.h"

#include <stddef.h>

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t len;                                                                                \
        size_t cap;                                                                                \
    }

/* The address of a new, zeroed last element. */
#define VEC_ADD(vec)                                                                               \
    ((vec)->items = vec_grow((vec)->items, (vec)->len, &(vec)->cap, sizeof *(vec)->items),         \
     &(vec)->items[(vec)->len++])

/* The elements in the arena @in; the vector's own memory is freed. Read its len afterwards. */
#define VEC_KEEP(in, vec) vec_keep(in, (vec)->items, (vec)->len * sizeof *(vec)->items)

void *vec_keep(arena *in, void *items, size_t size);
/* Room for one more element, zeroed; the array may move. */
void *vec_grow(void *items, size_t len, size_t *cap, size_t size);

#endif /* KUBEGEN_SUPPORT_VEC_H */
