/* SPDX-License-Identifier: Apache-2.0 */
#include "event_lru.h"

#include <stdlib.h>

static void unlink_entry(kube__lru *lru, kube__lru_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &lru->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &lru->oldest) = entry->newer;
    entry->newer = NULL;
    entry->older = NULL;
}

static void link_newest(kube__lru *lru, kube__lru_entry *entry)
{
    entry->older = lru->newest;
    *(entry->older ? &entry->older->newer : &lru->oldest) = entry;
    lru->newest = entry;
}

void kube__lru_fini(kube__lru *lru)
{
    while (lru->oldest)
        kube__lru_drop(lru, lru->oldest);
    kube__key_table_fini(&lru->map);
}

void *kube__lru_look(const kube__lru *lru, kube_key key)
{
    return lru->map.buckets ? kube__key_table_find(&lru->map, key) : NULL;
}

void *kube__lru_use(kube__lru *lru, kube_key key)
{
    kube__lru_entry *entry = kube__lru_look(lru, key);
    if (entry) {
        unlink_entry(lru, entry);
        link_newest(lru, entry);
    }
    return entry;
}

void *kube__lru_add(kube__lru *lru, size_t size, kube_key key)
{
    kube__lru_entry *entry;
    if (!lru->map.buckets && kube__key_table_init(&lru->map, NULL) != KUBE_OK)
        return NULL;
    entry = kube__keynode_new(size, key);
    if (!entry)
        return NULL;
    if (lru->map.count >= lru->most)
        kube__lru_drop(lru, lru->oldest);
    kube__key_table_insert(&lru->map, &entry->node);
    link_newest(lru, entry);
    return entry;
}

void kube__lru_drop(kube__lru *lru, kube__lru_entry *entry)
{
    unlink_entry(lru, entry);
    kube__key_table_remove(&lru->map, &entry->node);
    if (lru->release)
        lru->release(lru->arg, entry);
    free(entry);
}
