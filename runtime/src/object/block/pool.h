/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of interned strings. One thread fills it, that of its stream. Every block with a string of
 * the pool holds a reference, so the pool lives as long as the last of these blocks. Its size is
 * bounded: when it is full, further strings stay in their blocks, and after too many of them the
 * stream begins a new pool.
 */
#ifndef KUBE_OBJECT_POOL_H
#define KUBE_OBJECT_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct kube__pool kube__pool; /* counted */

enum { KUBE__POOL_MAX_BYTES = 4 << 20, KUBE__POOL_MAX_STRING = 2048 };

kube__pool *kube__pool_new(size_t max_bytes); /* Returns NULL if out of memory; one reference */
kube__pool *kube__pool_ref(kube__pool *pool);
void kube__pool_unref(kube__pool *pool); /* NULL allowed; any thread */
/* The pool's copy, NUL-terminated; NULL when it is full, the string too long, or memory out. */
const char *kube__pool_intern(kube__pool *pool, const char *text, size_t len);
size_t kube__pool_bytes(const kube__pool *pool);
/* Whether a fresh pool would serve better: it is full and most look-ups miss. */
bool kube__pool_is_stale(const kube__pool *pool);

#endif /* KUBE_OBJECT_POOL_H */
