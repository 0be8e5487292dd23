/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects by key, "namespace/name" or "name", in the order of the key's bytes: that of the real
 * server's storage, in which namespace "a-b" stands before "a". A sorted array in chunks, so that
 * neither a change nor a look-up in 100k objects moves or reads much.
 */
#ifndef KUBE_APISERVER_ORDER_H
#define KUBE_APISERVER_ORDER_H

#include "store.h"

enum { KUBE__API_CHUNK = 256 };

typedef struct kube__api_chunk {
    size_t len;
    kube__api_object *items[KUBE__API_CHUNK];
} kube__api_chunk;

typedef struct kube__api_order {
    kube__api_chunk **chunks; /* none is empty */
    size_t len;
    size_t size;
    size_t count; /* objects */
} kube__api_order;

typedef struct kube__api_cursor {
    size_t chunk;
    size_t index;
} kube__api_cursor;

/* As strcmp() of the two keys. */
int kube__api_key_compare(const char *namespace_a, const char *name_a, const char *namespace_b,
                          const char *name_b);
void kube__api_order_fini(kube__api_order *order); /* the objects' references are the caller's */
/* Room for one more, so that the next insert cannot fail. Returns false if out of memory. */
bool kube__api_order_reserve(kube__api_order *order);
void kube__api_order_insert(kube__api_order *order, kube__api_object *object);
/* Where the object of that key is, or NULL. */
kube__api_object **kube__api_order_find(const kube__api_order *order, const char *namespace_,
                                        const char *name);
void kube__api_order_remove(kube__api_order *order, const char *namespace_, const char *name);
/* The first object whose key is not smaller. */
kube__api_cursor kube__api_order_seek(const kube__api_order *order, const char *namespace_,
                                      const char *name);
/* The object at the cursor, which moves on; NULL at the end. */
kube__api_object *kube__api_order_next(const kube__api_order *order, kube__api_cursor *cursor);

#endif /* KUBE_APISERVER_ORDER_H */
