/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table by key (namespace and name). A node is the first member of its owner's struct. The
 * table has no lock; its owner must lock it. */
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
/* Zeroed storage of @size bytes that begins with a node for @key. Returns NULL if out of memory.
 * Not in any map yet; free() gives it back. */
void *kube__keynode_new(size_t size, kube_key key);
/* Returns the node of @key, or NULL. */
void *kube__key_table_find(const kube__key_table *map, kube_key key);
/* Adds a node whose key is not in the map. Never fails: a table that cannot grow gets slower. */
void kube__key_table_insert(kube__key_table *map, kube__keynode *node);
/* Takes a node out, without freeing it. */
void kube__key_table_remove(kube__key_table *map, kube__keynode *node);
/* The node of @key, made and inserted if there is none. All nodes of such a map have one @size.
 * Returns NULL if out of memory. */
void *kube__key_table_get(kube__key_table *map, size_t size, kube_key key);
/* Takes a node out and gives it back, or keeps it for kube__key_table_get(). */
void kube__key_table_drop(kube__key_table *map, kube__keynode *node);

#endif /* KUBE_CONTROL_KEY_TABLE_H */
