/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of nodes: slots, each with a list. */
#include "controllers_parts.h"

#include <stdlib.h>

bool kube__chains_init(kube__chains *table, size_t slot_count)
{
    *table = (kube__chains){calloc(slot_count, sizeof *table->at), slot_count, 0};
    return table->at;
}

kube__chain_node **kube__chains_of(const kube__chains *table, uint64_t hash)
{
    return &table->at[hash & (table->slot_count - 1)];
}

static void put(kube__chains *table, kube__chain_node *node)
{
    kube__chain_node **slot = kube__chains_of(table, node->hash);
    node->next = *slot;
    *slot = node;
}

static void grow(kube__chains *table)
{
    kube__chains more;
    if (table->count < table->slot_count * 2 || !kube__chains_init(&more, table->slot_count * 4))
        return;
    for (size_t i = 0; i < table->slot_count; i++) {
        for (kube__chain_node *node = table->at[i], *next; node; node = next) {
            next = node->next;
            put(&more, node);
        }
    }
    more.count = table->count;
    free(table->at);
    *table = more;
}

void kube__chains_add(kube__chains *table, kube__chain_node *node)
{
    grow(table);
    put(table, node);
    table->count++;
}

void kube__chains_remove(kube__chains *table, kube__chain_node **at)
{
    *at = (*at)->next;
    table->count--;
}
