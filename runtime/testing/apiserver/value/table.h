/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table in the memory of a request, for what would otherwise be compared with all others:
 * the elements of a list with keys, the texts of an answer. A zeroed one with a ctx is empty.
 */
#ifndef KUBE_APISERVER_TABLE_H
#define KUBE_APISERVER_TABLE_H

#include <kube/ctx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kube__api_slot {
    uint64_t hash;
    void *item; /* NULL = free */
} kube__api_slot;

typedef struct kube__api_table {
    kube_ctx *ctx;
    kube__api_slot *slots;
    size_t size; /* a power of two */
    size_t used;
} kube__api_table;

/* Whether @item, which is in the table, is the one that @key looks for. */
typedef bool kube__api_is_it(const void *item, const void *key);

/* The item. Returns NULL if it is missing. */
void *kube__api_table_find(const kube__api_table *table, uint64_t hash, kube__api_is_it *is_it,
                           const void *key);
/* Adds one that is missing. Out of memory it stays away, and the ctx has failed. */
void kube__api_table_add(kube__api_table *table, uint64_t hash, void *item);

/* A text: adds it unless it is there. Returns whether it was. */
bool kube__api_table_has_text(kube__api_table *table, const char *text);

#endif /* KUBE_APISERVER_TABLE_H */
