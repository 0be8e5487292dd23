/* SPDX-License-Identifier: Apache-2.0 */
/* A crit-bit tree: an inner node names the first bit in which the keys below it differ. */
#include "text_map.h"

#include "str.h"

#include <stddef.h>
#include <string.h>

typedef struct text_map_node {
    const char *key; /* NULL = an inner node */
    void *value;
    struct text_map_node *child[2];
    size_t byte;
    unsigned bit; /* of that byte, as a mask */
} node;

/* The side of an inner node on which a key lies. A key ends in zeros without end. */
static int side(const node *at, const char *key, size_t len)
{
    unsigned char c = at->byte < len ? (unsigned char)key[at->byte] : 0;
    return (c & at->bit) != 0;
}

/* The only key that can be equal. */
static const node *nearest(const node *at, const char *key, size_t len)
{
    while (at && !at->key)
        at = at->child[side(at, key, len)];
    return at;
}

static const node *find(const text_map *map, const char *key)
{
    const node *found = nearest(map->root, key, strlen(key));
    return found && strcmp(found->key, key) == 0 ? found : NULL;
}

bool text_map_has(const text_map *map, const char *key)
{
    return find(map, key) != NULL;
}

void *text_map_get(const text_map *map, const char *key)
{
    const node *found = find(map, key);
    return found ? found->value : NULL;
}

static node *new_leaf(arena *in, const char *key)
{
    node *made = arena_alloc(in, sizeof *made);
    made->key = key;
    return made;
}

static node *insert(text_map *map, arena *in, const char *key, size_t len, size_t byte,
                    unsigned bit)
{
    node **link = &map->root;
    node *leaf = new_leaf(in, key);
    node *inner = arena_alloc(in, sizeof *inner);
    inner->byte = byte;
    inner->bit = bit;
    while (!(*link)->key && ((*link)->byte < byte || ((*link)->byte == byte && (*link)->bit > bit)))
        link = &(*link)->child[side(*link, key, len)];
    inner->child[side(inner, key, len)] = leaf;
    inner->child[!side(inner, key, len)] = *link;
    *link = inner;
    return leaf;
}

/* Returns the leaf of a key, and whether it was made now. */
static node *reach(text_map *map, arena *in, const char *key, bool *is_new)
{
    size_t len = strlen(key);
    node *found = (node *)nearest(map->root, key, len);
    size_t byte = 0;
    unsigned differ;
    unsigned bit = 0x80;
    *is_new = !found;
    if (!found)
        return map->root = new_leaf(in, key);
    while (found->key[byte] && found->key[byte] == key[byte])
        byte++;
    differ = (unsigned char)found->key[byte] ^ (unsigned char)key[byte];
    if (!differ)
        return found;
    while (!(differ & bit))
        bit >>= 1;
    *is_new = true;
    return insert(map, in, key, len, byte, bit);
}

void **text_map_at(text_map *map, arena *in, const char *key)
{
    bool is_new;
    return &reach(map, in, key, &is_new)->value;
}

bool text_map_add(text_map *map, arena *in, const char *key)
{
    bool is_new;
    reach(map, in, key, &is_new);
    return is_new;
}

const char *text_map_unique(text_map *map, arena *in, const char *name)
{
    size_t **next;
    const char *made;
    if (text_map_add(map, in, name))
        return name;
    next = (size_t **)text_map_at(map, in, name);
    if (!*next) {
        *next = arena_alloc(in, sizeof **next);
        **next = 2;
    }
    do
        made = arena_printf(in, "%s%s%zu", name, str_has_suffix(name, "_") ? "" : "_", (**next)++);
    while (!text_map_add(map, in, made));
    return made;
}
