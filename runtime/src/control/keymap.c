/* SPDX-License-Identifier: Apache-2.0 */
#include "keymap.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64 };

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* Eight bytes a step: keys are some thirty bytes long and hashed on every call of a queue. */
static uint64_t hash_text(uint64_t hash, const char *text, size_t len)
{
    uint64_t word;

    while (len >= sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
        text += sizeof word;
        len -= sizeof word;
    }
    word = len;
    memcpy(&word, text, len);
    hash = (hash ^ word ^ (uint64_t)len << 56) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t hash_key(kube_key key)
{
    const char *ns = text_or_empty(key.namespace_);
    const char *name = text_or_empty(key.name);

    return hash_text(hash_text(0, ns, strlen(ns)), name, strlen(name));
}

kube_code kube__keymap_init(kube__keymap *map, kube_error *err)
{
    map->buckets = calloc(FIRST_BUCKETS, sizeof(*map->buckets));
    map->mask = FIRST_BUCKETS - 1;
    map->count = 0;
    if (!map->buckets)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a table of keys");
    return KUBE_OK;
}

void kube__keymap_fini(kube__keymap *map)
{
    if (!map->buckets)
        return;
    for (size_t i = 0; i <= map->mask; i++) {
        kube__keynode *node = map->buckets[i];
        while (node) {
            kube__keynode *next = node->next;
            free(node);
            node = next;
        }
    }
    free(map->buckets);
    map->buckets = NULL;
}

void *kube__keynode_new(size_t size, kube_key key)
{
    const char *ns = text_or_empty(key.namespace_);
    const char *name = text_or_empty(key.name);
    size_t ns_len = strlen(ns);
    size_t name_len = strlen(name);
    kube__keynode *node = calloc(1, size + 2 * ns_len + name_len + 3);
    char *text;

    if (!node)
        return NULL;
    text = (char *)node + size;
    memcpy(text, ns, ns_len);
    node->key.namespace_ = text;
    text += ns_len + 1;
    node->joined = text;
    if (ns_len) {
        memcpy(text, ns, ns_len);
        text[ns_len] = '/';
        text += ns_len + 1;
    }
    memcpy(text, name, name_len);
    node->key.name = text;
    node->hash = hash_key(key);
    return node;
}

void *kube__keymap_find(const kube__keymap *map, kube_key key)
{
    uint64_t hash = hash_key(key);
    kube__keynode *node = map->buckets[hash & map->mask];

    while (node && (node->hash != hash || strcmp(node->key.name, text_or_empty(key.name)) != 0 ||
                    strcmp(node->key.namespace_, text_or_empty(key.namespace_)) != 0))
        node = node->next;
    return node;
}

static void grow(kube__keymap *map)
{
    size_t mask = map->mask * 2 + 1;
    kube__keynode **buckets = calloc(mask + 1, sizeof(*buckets));

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

void kube__keymap_insert(kube__keymap *map, kube__keynode *node)
{
    if (map->count > map->mask)
        grow(map);
    node->next = map->buckets[node->hash & map->mask];
    map->buckets[node->hash & map->mask] = node;
    map->count++;
}

void kube__keymap_remove(kube__keymap *map, kube__keynode *node)
{
    kube__keynode **link = &map->buckets[node->hash & map->mask];

    while (*link != node)
        link = &(*link)->next;
    *link = node->next;
    node->next = NULL;
    map->count--;
}
