/* SPDX-License-Identifier: Apache-2.0 */
#include "ctx.h"

#include <kube/shapes.h>
#include <string.h>

bool kube_text_has_nul(const char *text)
{
    return text && strstr(text, KUBE_TEXT_NUL);
}

static bool has_key(const kube_string_map_entry *entry, const char *key)
{
    return entry->key && strcmp(entry->key, key) == 0;
}

/* Position of @key, or len. Not a binary search: users write maps by hand, in any order. */
static size_t find(const kube_string_map *map, const char *key)
{
    size_t i = 0;
    while (i < map->len && !has_key(&map->items[i], key))
        i++;
    return i;
}

const char *kube_string_map_get(const kube_string_map *map, const char *key)
{
    size_t i;
    if (!map || !key)
        return NULL;
    i = find(map, key);
    return i < map->len ? map->items[i].value : NULL;
}

/* Where @key, which is not in @map, goes: its place when the map is sorted, else the end. */
static size_t place_for(const kube_string_map *map, const char *key)
{
    size_t place = map->len;
    for (size_t i = 0; i < map->len; i++) {
        if (!map->items[i].key || (i > 0 && strcmp(map->items[i - 1].key, map->items[i].key) > 0))
            return map->len;
        if (place == map->len && strcmp(map->items[i].key, key) > 0)
            place = i;
    }
    return place;
}

/* A copy of the entries in @ctx with a free one at @gap; gap > len = none. */
static kube_string_map_entry *copy_entries(kube_ctx *ctx, const kube_string_map *map, size_t gap)
{
    size_t head = gap < map->len ? gap : map->len;
    kube_string_map_entry *items = kube_ctx_alloc_array(ctx, map->len + 1, sizeof *items);
    if (!items)
        return NULL;
    if (head)
        memcpy(items, map->items, head * sizeof *items);
    if (head < map->len)
        memcpy(items + head + 1, map->items + head, (map->len - head) * sizeof *items);
    return items;
}

static kube_code replace(kube_ctx *ctx, kube_string_map *map, const char *key, const char *value,
                         kube_error *err)
{
    kube_string_map_entry *items = copy_entries(ctx, map, SIZE_MAX);
    if (!items)
        return kube__ctx_check(ctx, err);
    for (size_t i = 0; i < map->len; i++) {
        if (has_key(&items[i], key))
            items[i].value = value;
    }
    map->items = items;
    return KUBE_OK;
}

static kube_code insert(kube_ctx *ctx, kube_string_map *map, const char *key, const char *value,
                        kube_error *err)
{
    size_t place = place_for(map, key);
    /* At the end the ctx's storage may grow in place: nobody has seen what lies past it. */
    kube_string_map_entry *items = place == map->len
                                       ? kube_list_grow(ctx, map->items, map->len, sizeof *items)
                                       : copy_entries(ctx, map, place);
    if (!items)
        return kube__ctx_check(ctx, err);
    items[place].key = key;
    items[place].value = value;
    map->items = items;
    map->len++;
    return KUBE_OK;
}

kube_code kube_string_map_set(kube_ctx *ctx, kube_string_map *map, const char *key,
                              const char *value, kube_error *err)
{
    if (!key)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "map entry without a key");
    if (find(map, key) < map->len)
        return replace(ctx, map, key, value, err);
    return insert(ctx, map, key, value, err);
}

kube_code kube_string_map_remove(kube_ctx *ctx, kube_string_map *map, const char *key,
                                 kube_error *err)
{
    kube_string_map_entry *items;
    size_t len = 0;
    if (!key)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "map entry without a key");
    if (find(map, key) == map->len)
        return kube__ctx_check(ctx, err);
    items = kube_ctx_alloc_array(ctx, map->len, sizeof *items);
    if (!items)
        return kube__ctx_check(ctx, err);
    for (size_t i = 0; i < map->len; i++) {
        if (!has_key(&map->items[i], key))
            items[len++] = map->items[i];
    }
    map->items = items; /* not NULL without entries: the map was present and stays so */
    map->len = len;
    return KUBE_OK;
}

kube_code kube_string_list_append(kube_ctx *ctx, kube_string_list *list, const char *text,
                                  kube_error *err)
{
    const char **items = kube_list_grow(ctx, list->items, list->len, sizeof *items);
    if (!items)
        return kube__ctx_check(ctx, err);
    items[list->len++] = text;
    list->items = items;
    return KUBE_OK;
}

bool kube_string_list_contains(const kube_string_list *list, const char *text)
{
    for (size_t i = 0; list && text && i < list->len; i++) {
        if (list->items[i] && strcmp(list->items[i], text) == 0)
            return true;
    }
    return false;
}
