/* SPDX-License-Identifier: Apache-2.0 */
#include "fold.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const kube_object_meta *meta_of(const kube__change *change)
{
    if (change->new_object)
        return kube_object_metadata(change->new_object);
    return kube_object_metadata(change->old_object ? change->old_object : change->final_object);
}

static void give_back(const kube__change *change)
{
    kube_object_unref(change->old_object);
    kube_object_unref(change->new_object);
    kube_object_unref(change->final_object);
}

void kube__fold_fini(kube__fold *fold)
{
    for (uint32_t id = 0; id < fold->len; id++)
        give_back(&fold->items[id].change);
    free(fold->items);
    kube__slots_fini(&fold->slots);
    memset(fold, 0, sizeof *fold);
}

bool kube__fold_reserve(kube__fold *fold, size_t more)
{
    size_t least = fold->len + more;
    size_t size = (size_t)fold->size * 2;
    kube__folded *items;
    if (least >= KUBE__NO_ID || !kube__slots_reserve(&fold->slots, more))
        return false;
    if (least <= fold->size)
        return true;
    if (size < least)
        size = least;
    items = realloc(fold->items, size * sizeof *items);
    if (!items)
        return false;
    fold->items = items;
    fold->size = (uint32_t)size;
    return true;
}

static kube__folded *find(const kube__fold *fold, const kube_object_meta *meta, uint32_t hash)
{
    size_t at = kube__slots_first(&fold->slots, hash);
    const kube__hash_slot *slot;
    while ((slot = kube__slots_next(&fold->slots, hash, &at)) != NULL) {
        kube__folded *item = &fold->items[kube__slot_id(slot)];
        const kube_object_meta *have = meta_of(&item->change);
        if (kube__text_same(have->name, meta->name) &&
            kube__text_same(have->namespace_, meta->namespace_))
            return item;
    }
    return NULL;
}

static void append(kube__fold *fold, const kube__change *change, uint32_t hash)
{
    uint32_t id = fold->unused ? fold->unused - 1 : fold->len++;
    kube__folded *item = &fold->items[id];
    if (fold->unused)
        fold->unused = item->next_unused;
    item->change = *change;
    item->hash = hash;
    kube_object_ref(change->old_object);
    kube_object_ref(change->new_object);
    kube_object_ref(change->final_object);
    kube__slots_add(&fold->slots, hash, id, NULL);
    fold->count++;
}

static void drop(kube__fold *fold, kube__folded *item)
{
    uint32_t id = (uint32_t)(item - fold->items);
    kube__slots_remove(&fold->slots, item->hash, id);
    give_back(&item->change);
    memset(item, 0, sizeof *item);
    item->next_unused = fold->unused;
    fold->unused = id + 1;
    fold->count--;
}

bool kube__fold_add(kube__fold *fold, const kube__change *change)
{
    const kube_object_meta *meta = meta_of(change);
    uint32_t hash = kube__slots_hash(meta->namespace_, meta->name);
    kube__folded *item = find(fold, meta, hash);
    if (!item) {
        if (change->old_object || change->new_object)
            append(fold, change, hash);
        return false;
    }
    if (!change->new_object && !item->change.old_object) {
        drop(fold, item);
        return true;
    }
    kube_object_ref(change->new_object);
    kube_object_ref(change->final_object);
    kube_object_unref(item->change.new_object);
    kube_object_unref(item->change.final_object);
    item->change.new_object = change->new_object;
    item->change.final_object = change->final_object;
    return true;
}
