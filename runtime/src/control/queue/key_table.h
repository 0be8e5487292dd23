/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of things that belong to a namespace/name key. Nodes are embedded in their owner's
 * struct, which begins with one. Not synchronised: the owner locks. */
#ifndef KUBE_CONTROL_KEY_TABLE_H
#define KUBE_CONTROL_KEY_TABLE_H

#include <kube/workqueue.h>

typedef struct kube__keynode {
    struct kube__keynode *next;
    uint64_t hash;
    kube_key key; /* points behind the owner's struct */
    size_t room;  /* of the text there */
} kube__keynode;

typedef struct kube__key_table {
    kube__keynode **buckets;
    size_t mask;
    size_t count;
    kube__keynode *spare; /* dropped ones, to be used again: keys come and go all the time */
    size_t spare_count;
} kube__key_table;

KUBE__CHECKED kube_code kube__key_table_init(kube__key_table *map, kube_error *err);
/* Frees the buckets and every node by free(). */
void kube__key_table_fini(kube__key_table *map);
/* Zeroed storage of @size bytes that begins with a node for @key; NULL when memory is out. Not in
 * any map yet; free() gives it back. */
void *kube__keynode_new(size_t size, kube_key key);
/* The node of @key; NULL if there is none. */
void *kube__key_table_find(const kube__key_table *map, kube_key key);
/* Adds a node whose key is not in the map. Never fails: a table that cannot grow gets slower. */
void kube__key_table_insert(kube__key_table *map, kube__keynode *node);
/* Takes a node out, without freeing it. */
void kube__key_table_remove(kube__key_table *map, kube__keynode *node);
/* The node of @key, made and inserted if there is none. All nodes of such a map have one @size.
 * NULL when memory is out. */
void *kube__key_table_get(kube__key_table *map, size_t size, kube_key key);
/* Takes a node out and gives it back, or keeps it for kube__key_table_get(). */
void kube__key_table_drop(kube__key_table *map, kube__keynode *node);

#endif /* KUBE_CONTROL_KEY_TABLE_H */
