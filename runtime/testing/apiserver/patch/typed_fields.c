/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a document, and what differs between two. */
#include "apiserver/value/steps.h"
#include "apiserver/value/table.h"
#include "typed.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    kube_ctx *ctx;
    kube__field_set *fields;
    kube__changes *changes;
} walk;

/* ---- members by name ------------------------------------------------------------------------ */

static int compare_keys(const void *a, const void *b)
{
    const kube__json *const *left = a;
    const kube__json *const *right = b;
    return strcmp((*left)->key, (*right)->key);
}

/* The members of a map in the order of sets, so that walking many is quick. Returns NULL if
 * out of memory. */
static const kube__json **sorted_members(kube_ctx *ctx, const kube__json *map, size_t *count)
{
    const kube__json **members = kube_ctx_alloc_array(ctx, map ? map->len : 0, sizeof *members);
    bool sorted = true;
    *count = 0;
    if (!members)
        return NULL;
    KUBE__JSON_EACH (member, map) {
        sorted = sorted && (*count == 0 || strcmp(members[*count - 1]->key, member->key) < 0);
        members[(*count)++] = member;
    }
    if (!sorted)
        qsort(members, *count, sizeof *members, compare_keys);
    return members;
}

/* ---- elements by step ----------------------------------------------------------------------- */

/* The elements of a list that one step leads to. */
typedef struct slot {
    kube__step step;
    const kube__json *before; /* the first of them */
    const kube__json *after;
    size_t before_count;
    size_t after_count;
} slot;

static bool is_of_step(const void *item, const void *step)
{
    return kube__step_compare(&((const slot *)item)->step, step) == 0;
}

typedef struct slots {
    slot *at;
    size_t len;
    kube__api_table by_step;
} slots;

static slot *find_slot(slots *list, const kube__step *step)
{
    uint64_t hash = kube__step_hash(step);
    slot *s = kube__api_table_find(&list->by_step, hash, is_of_step, step);
    if (s)
        return s;
    s = &list->at[list->len++];
    *s = (slot){.step = *step};
    kube__api_table_add(&list->by_step, hash, s);
    return s;
}

/* Both lists' elements, each step once, in the order they are met. There are none if out of
 * memory. */
static slots index_items(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *before,
                         const kube__json *after)
{
    size_t most = (before ? before->len : 0) + (after ? after->len : 0);
    slots list = {.at = kube_ctx_alloc_array(ctx, most, sizeof *list.at), .by_step = {.ctx = ctx}};
    kube__step step;
    if (!list.at)
        return list;
    KUBE__JSON_EACH (item, before) {
        if (kube__typed_item_step(ctx, schema, item, &step))
            continue;
        slot *s = find_slot(&list, &step);
        if (!s->before_count++)
            s->before = item;
    }
    KUBE__JSON_EACH (item, after) {
        if (kube__typed_item_step(ctx, schema, item, &step))
            continue;
        slot *s = find_slot(&list, &step);
        if (!s->after_count++)
            s->after = item;
    }
    return list;
}

/* The values of a step that is there more than once: do they differ? */
static bool differ(kube_ctx *ctx, const kube__api_schema *schema, const slot *s,
                   const kube__json *before, const kube__json *after)
{
    if (s->before_count != s->after_count || !kube__api_take_steps(4 * before->len))
        return true;
    const kube__json *left = before->first;
    const kube__json *right = after->first;
    kube__step step;
    for (size_t i = 0; i < s->before_count; i++, left = left->next, right = right->next) {
        while (kube__typed_item_step(ctx, schema, left, &step) ||
               kube__step_compare(&step, &s->step) != 0)
            left = left->next;
        while (kube__typed_item_step(ctx, schema, right, &step) ||
               kube__step_compare(&step, &s->step) != 0)
            right = right->next;
        if (!kube__json_equal(left, right))
            return true;
    }
    return false;
}

/* ---- fields --------------------------------------------------------------------------------- */

static void collect(walk *w, const kube__api_schema *schema, const kube__json *value,
                    const kube__path *path);

static void collect_items(walk *w, const kube__api_schema *schema, const kube__json *list,
                          const kube__path *path)
{
    slots items = index_items(w->ctx, schema, list, NULL);
    for (size_t i = 0; i < items.len; i++) {
        kube__path at = {path, items.at[i].step};
        if (items.at[i].before_count == 1)
            collect(w, schema->items, items.at[i].before, &at);
        kube__field_set_insert(w->ctx, w->fields, &at);
    }
}

static void collect_members(walk *w, const kube__api_schema *schema, const kube__json *map,
                            const kube__path *path)
{
    size_t count;
    const kube__json **members = sorted_members(w->ctx, map, &count);
    for (size_t i = 0; members && i < count; i++) {
        const kube__json *member = members[i];
        bool declared;
        const kube__api_schema *type = kube__typed_member(schema, member->key, &declared);
        kube__path at = {path, {.kind = KUBE__STEP_FIELD, .name = member->key}};
        bool empty =
            member->kind == KUBE__JSON_NULL || (member->kind == KUBE__JSON_OBJECT && !member->len);
        collect(w, type, member, &at);
        if (empty || !declared)
            kube__field_set_insert(w->ctx, w->fields, &at);
    }
}

static void collect(walk *w, const kube__api_schema *schema, const kube__json *value,
                    const kube__path *path)
{
    kube__shape shape = kube__typed_shape(schema, value);
    if (shape == KUBE__SHAPE_SCALAR || !kube__typed_is_granular(schema, shape))
        kube__field_set_insert(w->ctx, w->fields, path);
    else if (shape == KUBE__SHAPE_LIST && value->kind == KUBE__JSON_ARRAY)
        collect_items(w, schema, value, path);
    else if (shape == KUBE__SHAPE_MAP && value->kind == KUBE__JSON_OBJECT)
        collect_members(w, schema, value, path);
}

kube__field_set kube__typed_fields(kube_ctx *ctx, const kube__api_schema *schema,
                                   const kube__json *value)
{
    kube__field_set fields = {0};
    walk w = {.ctx = ctx, .fields = &fields};
    if (value)
        collect(&w, schema, value, NULL);
    kube__field_set_sort(&fields);
    return fields;
}

static void add_parents(kube_ctx *ctx, const kube__api_schema *schema, kube__field_set set,
                        const kube__path *parent, kube__field_set *out)
{
    for (const kube__field *field = set.first; field; field = field->next) {
        kube__path at = {parent, field->step};
        const kube__api_schema *below = NULL;
        bool declared = false;
        if (field->step.kind == KUBE__STEP_FIELD)
            below = kube__typed_member(schema, field->step.name, &declared);
        else if (field->step.kind == KUBE__STEP_KEY)
            below = schema ? schema->items : NULL;
        if (field->member || (declared && field->children.first))
            kube__field_set_insert(ctx, out, &at);
        add_parents(ctx, below, field->children, &at, out);
    }
}

kube__field_set kube__typed_with_parents(kube_ctx *ctx, const kube__api_schema *schema,
                                         kube__field_set set)
{
    kube__field_set out = {0};
    add_parents(ctx, schema, set, NULL, &out);
    kube__field_set_sort(&out);
    return out;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static void compare(walk *w, const kube__api_schema *schema, const kube__json *before,
                    const kube__json *after, const kube__path *path);

static void insert(walk *w, kube__field_set *set, const kube__path *path)
{
    kube__field_set_insert(w->ctx, set, path);
}

static void compare_leaf(walk *w, const kube__json *before, const kube__json *after,
                         const kube__path *path)
{
    if (!before)
        insert(w, &w->changes->added, path);
    else if (!after)
        insert(w, &w->changes->removed, path);
    else if (!kube__json_equal(before, after))
        insert(w, &w->changes->modified, path);
}

static void compare_items(walk *w, const kube__api_schema *schema, const kube__json *before,
                          const kube__json *after, const kube__path *path)
{
    slots items = index_items(w->ctx, schema, before, after);
    for (size_t i = 0; i < items.len; i++) {
        const slot *s = &items.at[i];
        kube__path at = {path, s->step};
        bool many_before = s->before_count > 1;
        bool many_after = s->after_count > 1;
        if (many_before && many_after) {
            if (differ(w->ctx, schema, s, before, after))
                insert(w, &w->changes->modified, &at);
        } else if (many_before) {
            if (s->after)
                compare(w, schema->items, NULL, s->after, &at);
            insert(w, &w->changes->removed, &at);
        } else if (many_after) {
            if (s->before)
                compare(w, schema->items, s->before, NULL, &at);
            insert(w, &w->changes->added, &at);
        } else {
            compare(w, schema->items, s->before, s->after, &at);
        }
    }
}

static void compare_members(walk *w, const kube__api_schema *schema, const kube__json *before,
                            const kube__json *after, const kube__path *path)
{
    size_t left_count, right_count;
    const kube__json **left = sorted_members(w->ctx, before, &left_count);
    const kube__json **right = sorted_members(w->ctx, after, &right_count);
    size_t l = 0, r = 0;
    while (left && right && (l < left_count || r < right_count)) {
        int order = l == left_count    ? 1
                    : r == right_count ? -1
                                       : strcmp(left[l]->key, right[r]->key);
        const kube__json *was = order <= 0 ? left[l++] : NULL;
        const kube__json *is = order >= 0 ? right[r++] : NULL;
        kube__path at = {path, {.kind = KUBE__STEP_FIELD, .name = was ? was->key : is->key}};
        compare(w, kube__typed_member(schema, at.step.name, NULL), was, is, &at);
    }
}

/* Compares both as what @shape says; true when that makes a leaf of them. */
static bool compare_as(walk *w, const kube__api_schema *schema, kube__shape shape,
                       const kube__json *before, const kube__json *after, const kube__path *path)
{
    kube__json_kind kind = shape == KUBE__SHAPE_MAP ? KUBE__JSON_OBJECT : KUBE__JSON_ARRAY;
    const kube__json *left = kube__json_is(before, kind) && before->len ? before : NULL;
    const kube__json *right = kube__json_is(after, kind) && after->len ? after : NULL;
    if (shape == KUBE__SHAPE_SCALAR || !kube__typed_is_granular(schema, shape) ||
        (!left && !right)) {
        compare_leaf(w, before, after, path);
        return true;
    }
    if (shape == KUBE__SHAPE_LIST)
        compare_items(w, schema, left, right, path);
    else
        compare_members(w, schema, left, right, path);
    return false;
}

static void compare(walk *w, const kube__api_schema *schema, const kube__json *before,
                    const kube__json *after, const kube__path *path)
{
    kube__shape was = kube__typed_shape(schema, before);
    kube__shape is = kube__typed_shape(schema, after);
    bool leaf;
    if (!after) {
        leaf = compare_as(w, schema, was, before, after, path);
    } else {
        if (before && was != is)
            compare_as(w, schema, was, before, after, path);
        leaf = compare_as(w, schema, is, before, after, path);
    }
    /* what is no leaf comes and goes with what is below it */
    if (!leaf && !before)
        insert(w, &w->changes->added, path);
    else if (!leaf && !after)
        insert(w, &w->changes->removed, path);
}

kube__changes kube__typed_compare(kube_ctx *ctx, const kube__api_schema *schema,
                                  const kube__json *before, const kube__json *after)
{
    kube__changes changes = {{0}, {0}, {0}};
    walk w = {.ctx = ctx, .changes = &changes};
    if (before || after)
        compare(&w, schema, before, after, NULL);
    kube__field_set_sort(&changes.added);
    kube__field_set_sort(&changes.modified);
    kube__field_set_sort(&changes.removed);
    return changes;
}
