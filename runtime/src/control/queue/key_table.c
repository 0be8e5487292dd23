/* SPDX-License-Identifier: Apache-2.0 */
#include "key_table.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64, MOST_SPARES = 64 };

/* A key with what is needed of it more than once. */
typedef struct measured {
    const char *ns;
    const char *name;
    size_t ns_len;
    size_t name_len;
    uint64_t hash;
} measured;

static measured measure(kube_key key)
{
    measured m = {.ns = kube__text_or_empty(key.namespace_), .name = kube__text_or_empty(key.name)};
    m.ns_len = strlen(m.ns);
    m.name_len = strlen(m.name);
    m.hash = kube__hash(kube__hash(0, m.ns, m.ns_len), m.name, m.name_len);
    return m;
}

kube_code kube__key_table_init(kube__key_table *map, kube_error *err)
{
    map->buckets = calloc(FIRST_BUCKETS, sizeof *map->buckets);
    map->mask = FIRST_BUCKETS - 1;
    map->count = 0;
    map->spare = NULL;
    map->spare_count = 0;
    if (!map->buckets)
        return kube__no_memory(err, "a table of keys");
    return KUBE_OK;
}

static void free_chain(kube__keynode *node)
{
    while (node) {
        kube__keynode *next = node->next;
        free(node);
        node = next;
    }
}

void kube__key_table_fini(kube__key_table *map)
{
    if (!map->buckets)
        return;
    for (size_t i = 0; i <= map->mask; i++)
        free_chain(map->buckets[i]);
    free_chain(map->spare);
    free(map->buckets);
    map->buckets = NULL;
}

/* What the text of a key takes behind the struct. */
static size_t text_size(const measured *m)
{
    return m->ns_len + m->name_len + 2;
}

static void set_key(kube__keynode *node, size_t size, const measured *m)
{
    char *text = (char *)node + size;
    memcpy(text, m->ns, m->ns_len + 1);
    node->key.namespace_ = text;
    text += m->ns_len + 1;
    memcpy(text, m->name, m->name_len + 1);
    node->key.name = text;
    node->hash = m->hash;
}

static kube__keynode *node_new(size_t size, const measured *m)
{
    size_t room = (text_size(m) + 31) & ~(size_t)31;
    kube__keynode *node = calloc(1, size + room);
    if (!node)
        return NULL;
    node->room = room;
    set_key(node, size, m);
    return node;
}

void *kube__keynode_new(size_t size, kube_key key)
{
    measured m = measure(key);
    return node_new(size, &m);
}

static kube__keynode *find(const kube__key_table *map, const measured *m)
{
    kube__keynode *node = map->buckets[m->hash & map->mask];
    while (node && (node->hash != m->hash || strcmp(node->key.name, m->name) != 0 ||
                    strcmp(node->key.namespace_, m->ns) != 0))
        node = node->next;
    return node;
}

void *kube__key_table_find(const kube__key_table *map, kube_key key)
{
    measured m = measure(key);
    return find(map, &m);
}

static void grow(kube__key_table *map)
{
    size_t mask = map->mask * 2 + 1;
    kube__keynode **buckets = calloc(mask + 1, sizeof *buckets);
    if (!buckets)
        return;
    for (size_t i = 0; i <= map->mask; i++) {
        kube__keynode *node = map->buckets[i];
        while (node) {
            kube__keynode *next = node->next;
            node->next = buckets[node->hash & mask];
            buckets[node->hash & mask] = node;
            node = next;
        }
    }
    free(map->buckets);
    map->buckets = buckets;
    map->mask = mask;
}

void kube__key_table_insert(kube__key_table *map, kube__keynode *node)
{
    if (map->count > map->mask)
        grow(map);
    node->next = map->buckets[node->hash & map->mask];
    map->buckets[node->hash & map->mask] = node;
    map->count++;
}

void kube__key_table_remove(kube__key_table *map, kube__keynode *node)
{
    kube__keynode **link = &map->buckets[node->hash & map->mask];
    while (*link != node)
        link = &(*link)->next;
    *link = node->next;
    node->next = NULL;
    map->count--;
}

/* Returns a spare node whose text has room for the key, or NULL. */
static kube__keynode *take_spare(kube__key_table *map, size_t size, const measured *m)
{
    kube__keynode *node = map->spare;
    size_t room = node ? node->room : 0;
    if (!node || text_size(m) > room)
        return NULL;
    map->spare = node->next;
    map->spare_count--;
    memset(node, 0, size);
    node->room = room;
    set_key(node, size, m);
    return node;
}

void *kube__key_table_get(kube__key_table *map, size_t size, kube_key key)
{
    measured m = measure(key);
    kube__keynode *node = find(map, &m);
    if (node)
        return node;
    node = take_spare(map, size, &m);
    if (!node)
        node = node_new(size, &m);
    if (node)
        kube__key_table_insert(map, node);
    return node;
}

void kube__key_table_drop(kube__key_table *map, kube__keynode *node)
{
    kube__key_table_remove(map, node);
    if (map->spare_count == MOST_SPARES) {
        free(node);
        return;
    }
    node->next = map->spare;
    map->spare = node;
    map->spare_count++;
}
