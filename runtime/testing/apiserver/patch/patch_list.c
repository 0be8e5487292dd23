/* SPDX-License-Identifier: Apache-2.0 */
/* Strategic merge of lists: elements by merge key or value, and the order they end up in. */
#include "apiserver/value/print.h"
#include "apiserver/value/steps.h"
#include "apiserver/value/table.h"
#include "patch_strategic.h"

#include <stdlib.h>
#include <string.h>

/* Elements that have left their lists. */
typedef struct items {
    kube__json **at;
    size_t len;
} items;

static items new_items(kube_ctx *ctx, size_t size)
{
    return (items){.at = kube_ctx_alloc_array(ctx, size, sizeof(kube__json *))};
}

static void put(items *list, kube__json *value)
{
    if (list->at && value)
        list->at[list->len++] = value;
}

static void take_all(items *list, kube__json *array)
{
    while (array && array->first)
        put(list, kube__json_remove_item(array, 0));
}

static void give_back(const items *list, kube__json *array)
{
    while (array->first)
        kube__json_remove_item(array, 0);
    for (size_t i = 0; i < list->len; i++)
        kube__json_append(array, list->at[i]);
}

static size_t len_of(const kube__json *array)
{
    return array ? array->len : 0;
}

/* ---- telling elements apart ----------------------------------------------------------------- */

/* What an element is known by: the value of the merge key, or itself. */
static const kube__json *identity(const kube__json *element, const char *merge_key)
{
    return merge_key ? kube__json_get(element, merge_key) : element;
}

static bool same(const kube__json *a, const kube__json *b, const char *merge_key)
{
    const kube__json *left = identity(a, merge_key);
    const kube__json *right = identity(b, merge_key);
    return left && right && left->kind == right->kind && kube__json_equal(left, right);
}

/* The elements of a list by what they are known by: the first of each. */
typedef struct lookup {
    const char *merge_key;
    kube__api_table table;
    long count;
} lookup;

typedef struct entry {
    kube__json *element;
    const char *merge_key;
    long index; /* in the list */
} entry;

static bool is_same(const void *item, const void *element)
{
    const entry *e = item;
    return same(e->element, element, e->merge_key);
}

static entry *find(const lookup *list, const kube__json *element)
{
    const kube__json *known_by = element ? identity(element, list->merge_key) : NULL;
    return known_by
               ? kube__api_table_find(&list->table, kube__json_hash(known_by), is_same, element)
               : NULL;
}

static long index_in(const lookup *list, const kube__json *element)
{
    const entry *e = find(list, element);
    return e ? e->index : -1;
}

/* To be called for each element in turn. */
static void know(lookup *list, kube__json *element)
{
    const kube__json *known_by = identity(element, list->merge_key);
    long index = list->count++;
    if (!known_by || find(list, element))
        return;
    entry *e = kube_ctx_alloc(list->table.ctx, sizeof *e);
    if (!e)
        return;
    *e = (entry){element, list->merge_key, index};
    kube__api_table_add(&list->table, kube__json_hash(known_by), e);
}

static lookup look_into(kube_ctx *ctx, const kube__json *list, const char *merge_key)
{
    lookup out = {.merge_key = merge_key, .table = {.ctx = ctx}};
    KUBE__JSON_EACH (element, list)
        know(&out, element);
    return out;
}

static void no_merge_key(kube__api_strategic *merge, const kube__json *element, const char *key)
{
    kube__api_strategic_fail(merge, "map: %s does not contain declared merge key: %s",
                             kube__api_print(merge->ctx, element), key);
}

/* Every element is a map with the merge key. */
static void check_keys(kube__api_strategic *merge, const kube__json *list, const char *key)
{
    KUBE__JSON_EACH (item, list) {
        if (item->kind != KUBE__JSON_OBJECT)
            kube__api_strategic_fail(merge, "expected a map[string]interface {}, but received a %s",
                                     kube__api_strategic_type(item));
        else if (!kube__json_get(item, key))
            no_merge_key(merge, item, key);
        if (merge->failure)
            return;
    }
}

static bool to_delete(const kube__json *element)
{
    const kube__json *directive = kube__json_get(element, KUBE__API_PATCH_DIRECTIVE);
    return strcmp(kube__json_string_or(directive, ""), "delete") == 0;
}

/* ---- order ---------------------------------------------------------------------------------- */

typedef struct placed {
    kube__json *element;
    long place;
    size_t before; /* where it stood */
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *left = a;
    const placed *right = b;
    if (left->place != right->place)
        return left->place < right->place ? -1 : 1;
    return left->before < right->before ? -1 : 1;
}

/* Sorts elements as they stand in @order; one that does not stand there has no place, and passes
 * all others. Mostly they are in order already. */
static void sort_by(kube_ctx *ctx, items *list, const lookup *order)
{
    placed *all = kube_ctx_alloc_array(ctx, list->len, sizeof *all);
    bool have_places = true;
    for (size_t i = 0; all && i < list->len; i++) {
        all[i] = (placed){list->at[i], index_in(order, list->at[i]), i};
        have_places = have_places && all[i].place >= 0;
    }
    if (!all)
        return;
    if (have_places)
        qsort(all, list->len, sizeof *all, by_place);
    for (size_t i = 1; !have_places && i < list->len; i++) {
        placed one = all[i];
        size_t j = i;
        for (; j > 0 && kube__api_take_steps(1) &&
               (one.place < 0 || all[j - 1].place < 0 || one.place < all[j - 1].place);
             j--)
            all[j] = all[j - 1];
        all[j] = one;
    }
    for (size_t i = 0; i < list->len; i++)
        list->at[i] = all[i].element;
}

/*
 * Elements that @order names come in its sequence, the others in the sequence of @before. Where
 * both compete, one that was there before another that was stays before it; else the patch's first.
 */
static void arrange(kube__api_strategic *merge, kube__json *merged, const kube__json *before_list,
                    const kube__json *order_list, const char *key)
{
    const lookup before = look_into(merge->ctx, before_list, key);
    const lookup order = look_into(merge->ctx, order_list, key);
    size_t count = len_of(merged);
    items named = new_items(merge->ctx, count);
    items others = new_items(merge->ctx, count);
    items all = new_items(merge->ctx, count);
    if (!all.at || !named.at || !others.at)
        return;
    while (merged->first) {
        kube__json *element = kube__json_remove_item(merged, 0);
        put(index_in(&order, element) >= 0 ? &named : &others, element);
    }
    sort_by(merge->ctx, &named, &order);
    sort_by(merge->ctx, &others, &before);
    for (size_t n = 0, o = 0; n + o < count;) {
        bool other = n == named.len;
        if (!other && o < others.len) {
            long left = index_in(&before, others.at[o]);
            long right = index_in(&before, named.at[n]);
            other = left >= 0 && right >= 0 && left < right;
        }
        put(&all, other ? others.at[o++] : named.at[n++]);
    }
    give_back(&all, merged);
}

/* The merge key of lists of maps, NULL for lists of scalars. */
static const char *key_of(const kube__api_schema *schema)
{
    return schema ? schema->patch_merge_key : NULL;
}

void kube__api_strategic_order(kube__api_strategic *merge, const kube__api_schema *schema,
                               kube__json *merged, const kube__json *original,
                               const kube__json *order)
{
    const char *key = key_of(schema);
    size_t index = 0;
    KUBE__JSON_EACH (item, order) {
        if (key && item->kind != KUBE__JSON_OBJECT) {
            kube__api_strategic_fail(merge, "value for key %zu is not a map", index);
            return;
        }
        index++;
    }
    if (key)
        check_keys(merge, order, key);
    if (key && !merge->failure)
        check_keys(merge, merged, key);
    if (merged && !merge->failure)
        arrange(merge, merged, original, order, key);
}

void kube__api_strategic_check_order(kube__api_strategic *merge, const kube__api_schema *schema,
                                     const kube__json *patch, const kube__json *order)
{
    const char *key = key_of(schema);
    if (!order->len || !patch->len)
        return;
    const kube__json *element = patch->first;
    for (const kube__json *next = order->first; element;) {
        if (kube__json_get(element, KUBE__API_PATCH_DIRECTIVE)) {
            element = element->next;
        } else if (!next) {
            kube__api_strategic_fail(
                merge, "The order in patch list:\n%s\n doesn't match $setElementOrder list:\n%s\n",
                kube__api_print(merge->ctx, patch), kube__api_print(merge->ctx, order));
            return;
        } else {
            if (key && (!kube__json_get(element, key) || !kube__json_get(next, key))) {
                check_keys(merge, patch, key);
                check_keys(merge, order, key);
                return;
            }
            if (same(element, next, key))
                element = element->next;
            next = next->next;
        }
    }
}

/* ---- merging -------------------------------------------------------------------------------- */

/* All elements are of one type, which is no list. */
static void check_elements(kube__api_strategic *merge, const kube__json *original,
                           const kube__json *patch)
{
    const kube__json *first = len_of(original) ? original->first : patch->first;
    if (first->kind == KUBE__JSON_ARRAY) {
        merge->failure =
            kube__api_fail(merge->ctx, 422, "Invalid",
                           "the server rejected our request due to an error in our request");
        if (merge->failure->http_status == 422)
            merge->failure->has_details = true;
        return;
    }
    const kube__json *lists[] = {original, patch};
    for (size_t i = 0; i < 2; i++) {
        KUBE__JSON_EACH (item, lists[i]) {
            if (item->kind == first->kind)
                continue;
            kube__api_strategic_fail(merge, "list element types are not identical: [%s %s]",
                                     kube__api_print(merge->ctx, original),
                                     kube__api_print(merge->ctx, patch));
            return;
        }
    }
}

/* Values once each, the old ones first; or the old ones without the patch's. */
static void merge_values(kube_ctx *ctx, kube__json *original, const kube__json *patch,
                         bool deleting)
{
    items all = new_items(ctx, original->len);
    if (!all.at)
        return;
    take_all(&all, original);
    const lookup patched = look_into(ctx, patch, NULL);
    lookup kept = look_into(ctx, original, NULL);
    for (size_t i = 0; i < all.len; i++) {
        if (find(deleting ? &patched : &kept, all.at[i]))
            continue;
        kube__json_append(original, all.at[i]);
        know(&kept, all.at[i]);
    }
    KUBE__JSON_EACH (value, deleting ? NULL : patch) {
        if (find(&kept, value))
            continue;
        know(&kept, value);
        kube__json_append(original, kube__json_copy(ctx, value));
    }
}

/* Carries out the directives among the patch's elements and takes them out; true: the list is
 * replaced by what is left. */
static bool directives(kube__api_strategic *merge, kube__json *original, kube__json *patch,
                       const char *key)
{
    bool replace = false;
    lookup gone = {.merge_key = key, .table = {.ctx = merge->ctx}};
    for (kube__json *element = patch->first, *next; element && !merge->failure; element = next) {
        const kube__json *directive = kube__json_get(element, KUBE__API_PATCH_DIRECTIVE);
        next = element->next;
        if (!directive)
            continue;
        const char *what = kube__json_string_or(directive, "");
        if (to_delete(element)) {
            if (!kube__json_get(element, key))
                no_merge_key(merge, element, key);
            else
                know(&gone, element);
        } else if (strcmp(what, "replace") == 0) {
            replace = true;
        } else if (strcmp(what, "merge") == 0) {
            kube__api_strategic_fail(merge, "merging lists cannot yet be specified in the patch");
        } else {
            kube__api_strategic_fail(merge, "unknown patch type: %s in map: %s",
                                     kube__api_print(merge->ctx, directive),
                                     kube__api_print(merge->ctx, element));
        }
        kube__json_take_item(patch, element);
    }
    for (kube__json *element = original->first, *next; element && gone.count; element = next) {
        next = element->next;
        if (find(&gone, element))
            kube__json_take_item(original, element);
    }
    return replace;
}

static void merge_element(kube__api_strategic *merge, const kube__api_schema *schema,
                          kube__json *original, lookup *known, kube__json *element)
{
    if (!kube__json_get(element, known->merge_key)) {
        no_merge_key(merge, element, known->merge_key);
        return;
    }
    entry *e = find(known, element);
    if (!e) {
        know(known, element);
        kube__json_append(original, element);
        return;
    }
    kube__json *merged = kube__api_strategic_map(merge, schema->items, e->element, element);
    if (merged && merged != e->element) {
        kube__json_replace_item(original, e->element, merged);
        e->element = merged;
    }
}

static void merge_maps(kube__api_strategic *merge, const kube__api_schema *schema,
                       kube__json *original, kube__json *patch)
{
    const char *key = key_of(schema);
    if (!key) {
        kube__api_strategic_fail(merge, "cannot merge lists without merge key");
        return;
    }
    if (directives(merge, original, patch, key)) {
        items left = new_items(merge->ctx, patch->len);
        if (left.at)
            take_all(&left, patch);
        give_back(&left, original);
    }
    if (merge->failure)
        return;
    const kube__json *before = kube__json_copy(merge->ctx, original);
    const kube__json *order = kube__json_copy(merge->ctx, patch);
    lookup known = look_into(merge->ctx, original, key);
    while (patch->first && !merge->failure)
        merge_element(merge, schema, original, &known, kube__json_remove_item(patch, 0));
    if (merge->failure)
        return;
    check_keys(merge, original, key);
    if (!merge->failure)
        arrange(merge, original, before, order, key);
}

void kube__api_strategic_list(kube__api_strategic *merge, const kube__api_schema *schema,
                              kube__json *original, kube__json *patch, bool deleting)
{
    if (!original->len && !patch->len)
        return;
    check_elements(merge, original, patch);
    if (merge->failure)
        return;
    const kube__json *first = original->len ? original->first : patch->first;
    if (first->kind == KUBE__JSON_OBJECT) {
        merge_maps(merge, schema, original, patch);
        return;
    }
    const kube__json *before = kube__json_copy(merge->ctx, original);
    merge_values(merge->ctx, original, patch, deleting);
    if (!deleting)
        arrange(merge, original, before, patch, NULL);
}
