/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "base/hash.h"
#include "steps.h"

#include <string.h>

enum { FIRST_SIZE = 32 };

static kube__api_slot *find_free(kube__api_slot *slots, size_t size, uint64_t hash)
{
    while (slots[hash & (size - 1)].item)
        hash++;
    return &slots[hash & (size - 1)];
}

static bool grow(kube__api_table *table)
{
    size_t size = table->size ? 2 * table->size : FIRST_SIZE;
    kube__api_slot *slots = kube_ctx_alloc_array(table->ctx, size, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < table->size; i++)
        if (table->slots[i].item)
            *find_free(slots, size, table->slots[i].hash) = table->slots[i];
    table->slots = slots;
    table->size = size;
    return true;
}

void *kube__api_table_find(const kube__api_table *table, uint64_t hash, kube__api_is_it *is_it,
                           const void *key)
{
    uint64_t at = hash;
    void *item = NULL;
    while (table->size && (item = table->slots[at & (table->size - 1)].item)) {
        kube__api_take_steps(4);
        if (table->slots[at & (table->size - 1)].hash == hash && is_it(item, key))
            return item;
        at++;
    }
    return NULL;
}

void kube__api_table_add(kube__api_table *table, uint64_t hash, void *item)
{
    if (2 * table->used >= table->size && !grow(table))
        return;
    *find_free(table->slots, table->size, hash) = (kube__api_slot){hash, item};
    table->used++;
}

static bool is_text(const void *item, const void *key)
{
    return strcmp(item, key) == 0;
}

bool kube__api_table_has_text(kube__api_table *table, const char *text)
{
    uint64_t hash = kube__hash_text(0, text);
    if (kube__api_table_find(table, hash, is_text, text))
        return true;
    kube__api_table_add(table, hash, (void *)(uintptr_t)text);
    return false;
}
