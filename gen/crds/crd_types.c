/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_types.h"

#include "import/import_schema.h"
#include "import/import_shape.h"
#include "support/ascii.h"

#include <stdlib.h>
#include <string.h>

static const char *address(arena *in, const json_value *part)
{
    return arena_printf(in, "%p", (const void *)part);
}

void crd_types_free(crd_types *types)
{
    for (size_t i = 0; i < types->items.len; i++) {
        free(types->items.items[i]->places.items);
        free(types->items.items[i]->shipped.items);
    }
    free(types->items.items);
}

/* ---- what schemas are ---------------------------------------------------------------------- */

static bool has_flag(const json_value *schema, const char *keyword)
{
    return json_is_true(json_get(schema, keyword));
}

static bool is_type(const json_value *schema, const char *type)
{
    const json_value *value = json_get(schema, "type");
    return json_kind_of(value) == JSON_STRING && strcmp(json_text(value), type) == 0;
}

crd_use crd_inner_use(const json_value *inner)
{
    return strcmp(json_key(inner), "items") == 0 ? CRD_IN_LIST : CRD_IN_MAP;
}

bool crd_is_struct(const json_value *schema)
{
    return import_properties(schema) && (is_type(schema, "object") || !json_get(schema, "type")) &&
           !has_flag(schema, "x-kubernetes-embedded-resource") &&
           !has_flag(schema, "x-kubernetes-int-or-string");
}

const json_value *crd_inner(const json_value *schema)
{
    const json_value *items = json_get(schema, "items");
    const json_value *values = json_get(schema, "additionalProperties");
    if (has_flag(schema, "x-kubernetes-int-or-string"))
        return NULL;
    if (is_type(schema, "array") && json_kind_of(items) == JSON_OBJECT)
        return items;
    return is_type(schema, "object") && !import_properties(schema) &&
                   !has_flag(schema, "x-kubernetes-embedded-resource") &&
                   json_kind_of(values) == JSON_OBJECT && json_first(values)
               ? values
               : NULL;
}

/* ---- equality ------------------------------------------------------------------------------ */

static void put_node(crd_types *types, const json_value *node, const crd_place *place, str *out);

static const crd_place *descend(crd_types *types, const crd_place *up, const char *name)
{
    crd_place *made;
    if (!up)
        return NULL;
    made = arena_alloc(types->in, sizeof *made);
    *made = (crd_place){.up = up, .name = name, .depth = up->depth + 1};
    return made;
}

static const crd_place *inside(crd_types *types, const crd_place *of, const json_value *inner)
{
    bool is_map = crd_inner_use(inner) == CRD_IN_MAP;
    crd_place *made;
    if (!of)
        return NULL;
    made = arena_copy(types->in, of, sizeof *of);
    made->in_list = !is_map;
    made->in_map = is_map;
    return made;
}

static void put_properties(crd_types *types, const json_value *object, const crd_place *place,
                           str *out)
{
    import_members members = import_sorted_members(object);
    str_add_char(out, '{');
    for (size_t i = 0; i < members.len; i++) {
        const char *name = json_key(members.items[i]);
        import_put_text(out, name);
        if (import_can_be_member(name))
            put_node(types, members.items[i], descend(types, place, name), out);
        else
            import_json_text(out, members.items[i]);
    }
    str_add_char(out, '}');
    free(members.items);
}

static void put_names(str *out, const json_value *list)
{
    text_list names = {0};
    for (const json_value *at = json_first(list); at; at = json_next(at))
        if (json_kind_of(at) == JSON_STRING)
            *VEC_ADD(&names) = json_text(at);
    text_list_sort(&names);
    for (size_t i = 0; i < names.len; i++)
        import_put_text(out, names.items[i]);
    free(names.items);
}

/* All of a schema but what a member says of itself. */
static void put_schema(crd_types *types, const json_value *schema, const crd_place *place, str *out)
{
    import_members members = import_sorted_members(schema);
    bool is_struct = crd_is_struct(schema);
    const json_value *inner = crd_inner(schema);
    for (size_t i = 0; i < members.len; i++) {
        const json_value *member = members.items[i];
        const char *keyword = json_key(member);
        if (import_is_members(keyword))
            continue;
        import_put_text(out, keyword);
        if (is_struct && strcmp(keyword, "properties") == 0)
            put_properties(types, member, place, out);
        else if (member == inner)
            put_node(types, member, inside(types, place, member), out);
        else if (strcmp(keyword, "required") == 0)
            put_names(out, member);
        else
            import_json_text(out, member);
    }
    free(members.items);
}

static crd_type *intern(crd_types *types, const json_value *node, const crd_place *place)
{
    str text = {0};
    crd_type **known;
    put_schema(types, node, place, &text);
    known = (crd_type **)text_map_at(&types->by_text, types->in,
                                     arena_strdup(types->in, str_text(&text)));
    str_free(&text);
    if (!*known) {
        *known = arena_alloc(types->in, sizeof **known);
        **known = (crd_type){.index = types->items.len, .node = node};
        *VEC_ADD(&types->items) = *known;
    }
    if (place)
        *VEC_ADD(&(*known)->places) = place;
    *text_map_at(&types->by_node, types->in, address(types->in, node)) = *known;
    return *known;
}

/* A part of a schema: of a struct only which one it is. */
static void put_node(crd_types *types, const json_value *node, const crd_place *place, str *out)
{
    str_add_char(out, '{');
    if (crd_is_struct(node))
        str_printf(out, "#%zu", intern(types, node, place)->index);
    else
        put_schema(types, node, place, out);
    for (const json_value *at = json_first(node); at; at = json_next(at)) {
        if (import_is_members(json_key(at)) && strcmp(json_key(at), "description") != 0) {
            import_put_text(out, json_key(at));
            import_json_text(out, at);
        }
    }
    str_add_char(out, '}');
}

void crd_types_add_shipped(crd_types *types, const crd_shipped *added)
{
    if (crd_is_struct(added->schema))
        *VEC_ADD(&intern(types, added->schema, NULL)->shipped) = added;
}

void crd_types_add_kind(crd_types *types, const char *kind, const json_value *schema)
{
    crd_place *place = arena_alloc(types->in, sizeof *place);
    str text = {0};
    place->name = kind;
    put_schema(types, schema, place, &text);
    str_free(&text);
}

const crd_type *crd_types_of(const crd_types *types, const json_value *node)
{
    char key[32];
    snprintf(key, sizeof key, "%p", (const void *)node);
    return text_map_get(&types->by_node, key);
}

enum { ALIKE = 5 };

/* How many letters two names have in common in one place: secretKeyRef is a SecretKeySelector. */
static size_t likeness(const char *member, const char *schema_name)
{
    size_t best = 0;
    for (const char *at = strrchr(schema_name, '.') + 1; *at; at++) {
        for (const char *from = member; *from; from++) {
            size_t len = 0;
            while (from[len] && ascii_lower(from[len]) == ascii_lower(at[len]))
                len++;
            best = len > best ? len : best;
        }
    }
    return best < ALIKE ? 0 : best;
}

/* Whether @left is the better name for what a member has; the shorter one says less that is wrong.
 */
static bool is_better(const char *member, const char *left, const char *right)
{
    size_t of_left = likeness(member, left);
    size_t of_right = likeness(member, right);
    if (of_left != of_right)
        return of_left > of_right;
    if (strlen(left) != strlen(right))
        return strlen(left) < strlen(right);
    return strcmp(left, right) < 0;
}

const crd_shipped *crd_types_shipped(const crd_type *type, crd_use use, const char *member)
{
    const crd_shipped *best = NULL;
    for (size_t i = 0; i < type->shipped.len; i++) {
        const crd_shipped *at = type->shipped.items[i];
        bool fits = use == CRD_MEMBER || (use == CRD_IN_LIST ? at->has_list : at->has_map);
        if (fits && (!best || is_better(member, at->schema_name, best->schema_name)))
            best = at;
    }
    return best;
}

void crd_types_reach(crd_types *types, const json_value *schema)
{
    const json_value *inner = crd_inner(schema);
    const json_value *at = inner ? inner : crd_is_struct(schema) ? import_properties(schema) : NULL;
    for (; at; at = inner ? NULL : json_next(at)) {
        crd_type *type = (crd_type *)crd_types_of(types, at);
        crd_use use = inner ? crd_inner_use(inner) : CRD_MEMBER;
        if (type && (type->is_own || crd_types_shipped(type, use, "")))
            continue;
        if (type)
            type->is_own = true;
        crd_types_reach(types, type ? type->node : at);
    }
}

/* ---- places -------------------------------------------------------------------------------- */

const char *crd_path(arena *in, const crd_place *place)
{
    size_t len = 0;
    char *path;
    for (const crd_place *at = place; at; at = at->up)
        len += strlen(at->name) + (at->up ? 1 : 0) + (at->in_list || at->in_map ? 2 : 0);
    path = arena_alloc(in, len + 1);
    for (const crd_place *at = place; at; at = at->up) {
        const char *name = at->name;
        if (at->in_list || at->in_map)
            memcpy(path + (len -= 2), at->in_list ? "[]" : "{}", 2);
        len -= strlen(name);
        memcpy(path + len, name, strlen(name));
        if (at->up)
            path[--len] = '.';
    }
    return path;
}

/* By depth, then by the members from the Kind down. */
static int compare_places(const crd_place *left, const crd_place *right)
{
    int order;
    if (left->depth != right->depth)
        return left->depth < right->depth ? -1 : 1;
    if (left == right)
        return 0;
    order = left->up ? compare_places(left->up, right->up) : 0;
    order = order ? order : strcmp(left->name, right->name);
    order = order ? order : (int)left->in_list - (int)right->in_list;
    return order ? order : (int)left->in_map - (int)right->in_map;
}

static int compare_place_items(const void *a, const void *b)
{
    return compare_places(*(const crd_place *const *)a, *(const crd_place *const *)b);
}

static int compare_types(const void *a, const void *b)
{
    const crd_type *left = *(const crd_type *const *)a;
    const crd_type *right = *(const crd_type *const *)b;
    if (!left->places.len || !right->places.len)
        return (left->places.len == 0) - (right->places.len == 0);
    return compare_places(left->places.items[0], right->places.items[0]);
}

void crd_types_order(crd_types *types)
{
    for (size_t i = 0; i < types->items.len; i++) {
        crd_type *type = types->items.items[i];
        if (type->places.len)
            qsort(type->places.items, type->places.len, sizeof *type->places.items,
                  compare_place_items);
    }
    if (types->items.len)
        qsort(types->items.items, types->items.len, sizeof *types->items.items, compare_types);
}
