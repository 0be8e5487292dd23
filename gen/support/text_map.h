/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text_map finds values by text in as many steps as a key has bits, whatever the keys are: it
 * holds names from documents and headers, which may be chosen to make a search slow. It lies in an
 * arena, and does not copy the keys.
 */
#ifndef KUBEGEN_SUPPORT_TEXT_MAP_H
#define KUBEGEN_SUPPORT_TEXT_MAP_H

#include "arena.h"

#include <stdbool.h>

typedef struct text_map {
    struct text_map_node *root;
} text_map;

bool text_map_has(const text_map *map, const char *key);
/* Returns the value of a key, or NULL. */
void *text_map_get(const text_map *map, const char *key);
/* Returns where the value of a key is kept, which is NULL at first. */
void **text_map_at(text_map *map, arena *in, const char *key);
/* Adds a key without a value; false if it is there already. */
bool text_map_add(text_map *map, arena *in, const char *key);
/* Adds a key; returns it, or name_2, name_3 and so on if it is there already. */
const char *text_map_unique(text_map *map, arena *in, const char *name);

#endif /* KUBEGEN_SUPPORT_TEXT_MAP_H */
