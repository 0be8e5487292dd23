/* SPDX-License-Identifier: Apache-2.0 */
#include "bad_objects.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kube_code kube__bad_objects_init(kube__bad_objects *bad, kube_error *err)
{
    memset(bad, 0, sizeof *bad);
    return kube__mutex_init(&bad->mutex, err);
}

void kube__bad_objects_fini(kube__bad_objects *bad)
{
    kube__bad_objects_clear(bad);
    kube__mutex_fini(&bad->mutex);
}

static uint32_t hash_of(kube_key key)
{
    return kube__slots_hash(key.namespace_, key.name);
}

static const char *behind(const char *text)
{
    return text + strlen(text) + 1;
}

static kube_key key_of(const kube__bad_entry *entry)
{
    return kube_key_of(entry->key, behind(entry->key));
}

static const char *field_of(const kube__bad_entry *entry)
{
    return behind(key_of(entry).name);
}

static const char *message_of(const kube__bad_entry *entry)
{
    return behind(field_of(entry));
}

static uint32_t find(const kube__bad_objects *bad, kube_key key, uint32_t hash)
{
    size_t at = kube__slots_first(&bad->slots, hash);
    const kube__hash_slot *slot;
    while ((slot = kube__slots_next(&bad->slots, hash, &at)) != NULL) {
        kube_key have = key_of(&bad->items[kube__slot_id(slot)]);
        if (strcmp(have.name, key.name) == 0 && kube__text_same(have.namespace_, key.namespace_))
            break;
    }
    return kube__slot_id(slot);
}

static bool reserve(kube__bad_objects *bad)
{
    uint32_t size = bad->size ? bad->size * 2 : 16;
    kube__bad_entry *items;
    if (!kube__slots_reserve(&bad->slots, 1))
        return false;
    if (bad->len < bad->size)
        return true;
    items = realloc(bad->items, size * sizeof *items);
    if (!items)
        return false;
    bad->items = items;
    bad->size = size;
    return true;
}

kube_code kube__bad_objects_put(kube__bad_objects *bad, kube_key key, const char *field,
                                const char *message, bool *is_news, kube_error *err)
{
    const char *ns = kube__text_or_empty(key.namespace_);
    size_t len = strlen(ns) + strlen(key.name) + strlen(field) + strlen(message) + 4;
    char *text = malloc(len);
    uint32_t hash = hash_of(key);
    uint32_t id;
    bool room;
    if (!text)
        return kube__no_memory(err, "a bad object");
    snprintf(text, len, "%s%c%s%c%s%c%s", ns, '\0', key.name, '\0', field, '\0', message);
    kube__lock(&bad->mutex);
    id = find(bad, key, hash);
    if (is_news)
        *is_news = id == KUBE__NO_ID || strcmp(message_of(&bad->items[id]), message) != 0;
    room = id != KUBE__NO_ID || reserve(bad);
    if (room && id == KUBE__NO_ID) {
        id = bad->len++;
        bad->items[id] = (kube__bad_entry){.hash = hash};
        kube__slots_add(&bad->slots, hash, id, NULL);
    }
    if (room) {
        char *old = bad->items[id].key;
        bad->items[id].key = text;
        text = old;
    }
    kube__unlock(&bad->mutex);
    free(text);
    return room ? KUBE_OK : kube__no_memory(err, "a bad object");
}

bool kube__bad_objects_remove(kube__bad_objects *bad, kube_key key)
{
    uint32_t hash;
    uint32_t id;
    if (bad->len == 0)
        return false;
    hash = hash_of(key);
    kube__lock(&bad->mutex);
    id = find(bad, key, hash);
    if (id != KUBE__NO_ID) {
        uint32_t last = --bad->len;
        free(bad->items[id].key);
        kube__slots_remove(&bad->slots, hash, id);
        if (id != last) { /* the last one fills the gap */
            kube__slots_remove(&bad->slots, bad->items[last].hash, last);
            kube__slots_add(&bad->slots, bad->items[last].hash, id, NULL);
            bad->items[id] = bad->items[last];
        }
    }
    kube__unlock(&bad->mutex);
    return id != KUBE__NO_ID;
}

void kube__bad_objects_clear(kube__bad_objects *bad)
{
    kube__lock(&bad->mutex);
    for (uint32_t id = 0; id < bad->len; id++)
        free(bad->items[id].key);
    free(bad->items);
    bad->items = NULL;
    bad->size = 0;
    bad->len = 0;
    kube__slots_fini(&bad->slots);
    kube__unlock(&bad->mutex);
}

kube_code kube__bad_objects_merge(kube__bad_objects *bad, const kube__bad_objects *from,
                                  void (*news)(void *arg, kube_key key), void *arg, kube_error *err)
{
    for (uint32_t id = 0; id < from->len; id++) { /* the writer's own: nobody else looks at it */
        const kube__bad_entry *entry = &from->items[id];
        kube_key key = key_of(entry);
        bool is_news;
        kube_code rc =
            kube__bad_objects_put(bad, key, field_of(entry), message_of(entry), &is_news, err);
        if (rc)
            return rc;
        if (is_news)
            news(arg, key);
    }
    return KUBE_OK;
}

void kube__bad_objects_swap(kube__bad_objects *a, kube__bad_objects *b)
{
    kube__slots slots;
    kube__bad_entry *items;
    uint32_t size;
    uint32_t len;
    kube__lock(&a->mutex);
    kube__lock(&b->mutex); /* one of the two is the writer's own */
    slots = a->slots;
    items = a->items;
    size = a->size;
    len = a->len;
    a->slots = b->slots;
    a->items = b->items;
    a->size = b->size;
    a->len = b->len;
    b->slots = slots;
    b->items = items;
    b->size = size;
    b->len = len;
    kube__unlock(&b->mutex);
    kube__unlock(&a->mutex);
}

static void explain(const kube__bad_entry *entry, kube_error *err)
{
    kube_error_set(err, KUBE_ERR_UNDECODABLE, "%s", message_of(entry));
    if (err)
        snprintf(err->field, sizeof err->field, "%s", field_of(entry));
}

bool kube__bad_objects_find(kube__bad_objects *bad, kube_key key, kube_error *err)
{
    uint32_t id;
    if (bad->len == 0)
        return false;
    kube__lock(&bad->mutex);
    id = find(bad, key, hash_of(key));
    if (id != KUBE__NO_ID)
        explain(&bad->items[id], err);
    kube__unlock(&bad->mutex);
    return id != KUBE__NO_ID;
}

void kube__bad_objects_each(kube__bad_objects *bad,
                            bool (*visit)(void *arg, kube_key key, const char *message), void *arg)
{
    kube__lock(&bad->mutex);
    for (uint32_t id = 0; id < bad->len; id++)
        if (!visit(arg, key_of(&bad->items[id]), message_of(&bad->items[id])))
            break;
    kube__unlock(&bad->mutex);
}
