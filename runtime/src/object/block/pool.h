/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings. A pool is filled by one thread (its stream's); every block with a string of it
 * holds a reference, so it ends with the last of them. It is bounded: when full, further strings
 * stay in their blocks, and a stream changes to a fresh pool once too many missed.
 */
#ifndef KUBE_OBJECT_POOL_H
#define KUBE_OBJECT_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct kube__pool kube__pool; /* counted */

enum { KUBE__POOL_MAX_BYTES = 4 << 20, KUBE__POOL_MAX_STRING = 2048 };

kube__pool *kube__pool_new(size_t max_bytes); /* NULL when memory is out; one reference */
kube__pool *kube__pool_ref(kube__pool *pool);
void kube__pool_unref(kube__pool *pool); /* NULL allowed; any thread */
/* The pool's copy, NUL-terminated; NULL when it is full, the string too long, or memory out. */
const char *kube__pool_intern(kube__pool *pool, const char *text, size_t len);
size_t kube__pool_bytes(const kube__pool *pool);
/* Whether a fresh pool would serve better: it is full and most look-ups miss. */
bool kube__pool_is_stale(const kube__pool *pool);

#endif /* KUBE_OBJECT_POOL_H */
