/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_names.h"

#include "front/model.h"
#include "front/names.h"
#include "front/symbols.h"
#include "import/import_names.h"

#include <stdlib.h>
#include <string.h>

enum { LEN_MAX = 120 };

typedef struct chooser {
    crd_types *types;
    crd_kind_name *kinds;
    size_t kind_len;
    const json_value *given;
    size_t *words;   /* of each type's path that its name has; 0 = it has its name */
    text_map taken;  /* names of Kinds and types, and how many have one */
    text_map wanted; /* the same of names that are not given yet */
    text_map plural; /* of the functions that call the API */
} chooser;

/* ---- what a name may be -------------------------------------------------------------------- */

/* Whether lists or maps of @stem, or of lists of it, are called @stem and @suffix. */
static bool is_container(const char *suffix)
{
    static const char *const parts[] = {"_list", "_map", "_map_entry"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_has_prefix(suffix, parts[i]) &&
            (!suffix[strlen(parts[i])] || is_container(suffix + strlen(parts[i]))))
            return true;
    return false;
}

static bool is_call(arena *in, const char *suffix)
{
    static const char *const more[] = {"_list_each", "_delete_object", "_patch_diff", NULL};
    for (size_t i = 0; model_verb_names[i]; i++)
        if (strcmp(suffix + 1, names_snake(in, model_verb_names[i])) == 0)
            return true;
    return str_is_one_of(suffix, more);
}

/* Whether generated code has this name for another struct of the header. */
static bool is_generated(chooser *c, const char *name)
{
    arena *in = c->types->in;
    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
        const char *stem = arena_strndup(in, name, (size_t)(at - name));
        bool is_stem = text_map_has(&c->taken, stem) || text_map_has(&c->wanted, stem);
        if (is_stem && (symbols_takes(stem, name) || is_container(at)))
            return true;
        if (text_map_has(&c->plural, stem) && is_call(in, at))
            return true;
    }
    return false;
}

static size_t *count_of(chooser *c, const char *name)
{
    size_t **count = (size_t **)text_map_at(&c->taken, c->types->in, name);
    if (!*count)
        *count = arena_alloc(c->types->in, sizeof **count);
    return *count;
}

/* Returns a name like @name that nothing else has. */
static const char *apart(chooser *c, const char *name, const char *suffix)
{
    arena *in = c->types->in;
    const char *made = name;
    for (size_t i = 1; text_map_has(&c->taken, made) || is_generated(c, made); i++)
        made = i == 1 ? arena_printf(in, "%s_%s", name, suffix)
                      : arena_printf(in, "%s_%s%zu", name, suffix, i);
    ++*count_of(c, made);
    return made;
}

/* ---- Kinds --------------------------------------------------------------------------------- */

static void name_kinds(chooser *c)
{
    arena *in = c->types->in;
    for (size_t i = 0; i < c->kind_len; i++)
        c->kinds[i].name = apart(c, import_snake(in, c->kinds[i].kind), "object");
    for (size_t i = 0; i < c->kind_len; i++) {
        crd_kind_name *kind = &c->kinds[i];
        const char *usual = names_plural(in, kind->name);
        bool is_own = strcmp(kind->plural, names_lower(in, kind->kind)) == 0;
        if (is_own || text_map_has(&c->taken, usual) || !text_map_add(&c->plural, in, usual)) {
            kind->c_plural = arena_printf(in, "%s_objects", kind->name);
            text_map_add(&c->plural, in, kind->c_plural);
        }
    }
}

/* ---- structs ------------------------------------------------------------------------------- */

static const char *word_of(arena *in, const crd_place *place)
{
    const char *word = import_snake(in, place->name);
    return place->in_list || place->in_map ? import_singular(in, word) : word;
}

/* The last @count words of the path. */
static const char *last_words(arena *in, const crd_place *place, size_t count)
{
    const char *name = word_of(in, place);
    for (place = place->up; place && --count > 0; place = place->up)
        name = arena_printf(in, "%s_%s", word_of(in, place), name);
    if (strlen(name) > LEN_MAX) { /* the end says more */
        name += strlen(name) - LEN_MAX;
        name += strcspn(name, "_");
        name = import_snake(in, name);
    }
    return name;
}

static const crd_place *best_place(const crd_type *type)
{
    return type->places.items[0];
}

/* Whether the word says nothing without the one before it. */
static bool is_general(const char *word)
{
    static const char *const words[] = {"spec", "status",   "template", "item",  "value",
                                        "x",    "metadata", "config",   "items", NULL};
    return str_is_one_of(word, words);
}

static const char *given_name(chooser *c, const crd_type *type)
{
    const json_value *structs = json_get(c->given, "structs");
    for (size_t i = 0; structs && i < type->places.len; i++) {
        const char *name =
            json_text(json_get(structs, crd_path(c->types->in, type->places.items[i])));
        if (name)
            return name;
    }
    return NULL;
}

/* Takes the names of the file; of two structs with one name there the first has it. */
static bool take_given(chooser *c, str *error)
{
    for (size_t i = 0; i < c->types->items.len; i++) {
        crd_type *type = c->types->items.items[i];
        const char *name = type->is_own ? given_name(c, type) : NULL;
        c->words[i] = type->is_own ? 1 : 0;
        if (!name || text_map_has(&c->taken, name))
            continue;
        if (!names_is_snake(name) || str_has_suffix(name, "_")) {
            str_printf(error, "names: '%s' is not in snake_case, without the prefix", name);
            return false;
        }
        type->name = name;
        c->words[i] = 0;
        ++*count_of(c, name);
    }
    return true;
}

/* Lengthens the names that several have; returns whether there were some. */
static bool lengthen(chooser *c)
{
    arena *in = c->types->in;
    bool changed = false;
    text_map fixed = c->taken;
    c->taken = (text_map){0};
    for (size_t i = 0; i < c->kind_len; i++)
        ++*count_of(c, c->kinds[i].name);
    for (size_t i = 0; i < c->types->items.len; i++) {
        crd_type *type = c->types->items.items[i];
        if (c->words[i])
            type->name = last_words(in, best_place(type), c->words[i]);
        if (type->is_own)
            ++*count_of(c, type->name);
    }
    for (size_t i = 0; i < c->types->items.len; i++) {
        const crd_type *type = c->types->items.items[i];
        bool clashes =
            c->words[i] && (*count_of(c, type->name) > 1 || text_map_has(&fixed, type->name) ||
                            is_generated(c, type->name));
        if (!clashes || c->words[i] > best_place(type)->depth)
            continue;
        c->words[i]++;
        changed = true;
    }
    c->wanted = c->taken;
    c->taken = fixed;
    return changed;
}

static void name_structs(chooser *c)
{
    arena *in = c->types->in;
    for (size_t i = 0; i < c->types->items.len; i++) {
        const crd_type *type = c->types->items.items[i];
        if (c->words[i] && is_general(word_of(in, best_place(type))))
            c->words[i] = 2;
    }
    while (lengthen(c))
        continue;
    for (size_t i = 0; i < c->types->items.len; i++) {
        crd_type *type = c->types->items.items[i];
        if (c->words[i])
            type->name = apart(c, last_words(in, best_place(type), c->words[i]), "value");
    }
}

bool crd_names_choose(crd_types *types, crd_kind_name *kinds, size_t kind_len,
                      const json_value *given, str *error)
{
    chooser c = {.types = types, .kinds = kinds, .kind_len = kind_len, .given = given};
    bool ok;
    c.words = arena_alloc(types->in, (types->items.len + 1) * sizeof *c.words);
    name_kinds(&c);
    ok = take_given(&c, error);
    if (ok)
        name_structs(&c);
    return ok;
}

/* ---- the file ------------------------------------------------------------------------------ */

const char *crd_names_path(arena *in, const crd_place *place, const char *json)
{
    return arena_printf(in, "%s.%s", crd_path(in, place), json);
}

const char *crd_names_member(arena *in, const crd_place *place, const char *json,
                             const json_value *given)
{
    const json_value *members = json_get(given, "members");
    const char *path = members ? crd_names_path(in, place, json) : NULL;
    return path ? json_text(json_get(members, path)) : NULL;
}

json_value *crd_names_suggest(const crd_types *types, const json_value *given,
                              const json_value *members)
{
    json_value *made = given ? json_copy(given) : json_object();
    json_value *all_members = json_object();
    json_value *structs = json_object();
    json_merge(structs, json_get(given, "structs"));
    for (size_t i = 0; i < types->items.len; i++) {
        const crd_type *type = types->items.items[i];
        if (type->is_own)
            json_put(structs, crd_path(types->in, best_place(type)), json_string(type->name));
    }
    json_put(made, "structs", structs);
    json_merge(all_members, json_get(given, "members"));
    json_merge(all_members, members);
    if (json_first(all_members))
        json_put(made, "members", all_members);
    else
        json_free(all_members);
    return made;
}
