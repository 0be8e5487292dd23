/* SPDX-License-Identifier: Apache-2.0 */
/* Strategic merge of lists: elements by merge key or value, and the order they end up in. */
#include "apiserver/value/print.h"
#include "patch_strategic.h"

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

static long index_in(const kube__json *list, const kube__json *element, const char *merge_key)
{
    long index = 0;
    KUBE__JSON_EACH (item, list) {
        if (same(item, element, merge_key))
            return index;
        index++;
    }
    return -1;
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

/* Sorts elements as they stand in @order; one that does not stand there has no place, and passes
 * all others. Mostly they are in order already. */
static void sort_by(kube_ctx *ctx, items *list, const kube__json *order, const char *key)
{
    long *places = kube_ctx_alloc_array(ctx, list->len, sizeof *places);
    for (size_t i = 0; places && i < list->len; i++) {
        kube__json *element = list->at[i];
        long place = index_in(order, element, key);
        size_t j = i;
        for (; j > 0 && (place < 0 || places[j - 1] < 0 || place < places[j - 1]); j--) {
            list->at[j] = list->at[j - 1];
            places[j] = places[j - 1];
        }
        list->at[j] = element;
        places[j] = place;
    }
}

/*
 * Elements that @order names come in its sequence, the others in the sequence of @before. Where
 * both compete, one that was there before another that was stays before it; else the patch's first.
 */
static void arrange(kube__api_strategic *merge, kube__json *merged, const kube__json *before,
                    const kube__json *order, const char *key)
{
    size_t count = len_of(merged);
    items named = new_items(merge->ctx, count);
    items others = new_items(merge->ctx, count);
    items all = new_items(merge->ctx, count);
    if (!all.at || !named.at || !others.at)
        return;
    while (merged->first) {
        kube__json *element = kube__json_remove_item(merged, 0);
        put(index_in(order, element, key) >= 0 ? &named : &others, element);
    }
    sort_by(merge->ctx, &named, order, key);
    sort_by(merge->ctx, &others, before, key);
    for (size_t n = 0, o = 0; n + o < count;) {
        bool other = n == named.len;
        if (!other && o < others.len) {
            long left = index_in(before, others.at[o], key);
            long right = index_in(before, named.at[n], key);
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
    for (size_t i = 0; i < all.len; i++) {
        const kube__json *others = deleting ? patch : original;
        if (index_in(others, all.at[i], NULL) < 0)
            kube__json_append(original, all.at[i]);
    }
    KUBE__JSON_EACH (value, deleting ? NULL : patch)
        if (index_in(original, value, NULL) < 0)
            kube__json_append(original, kube__json_copy(ctx, value));
}

/* Carries out the directives among the patch's elements and takes them out; true: the list is
 * replaced by what is left. */
static bool directives(kube__api_strategic *merge, kube__json *original, kube__json *patch,
                       const char *key)
{
    bool replace = false;
    for (size_t i = 0; i < patch->len && !merge->failure;) {
        kube__json *element = kube__json_item(patch, i);
        const kube__json *directive = kube__json_get(element, KUBE__API_PATCH_DIRECTIVE);
        if (!directive) {
            i++;
            continue;
        }
        const char *what = kube__json_string_or(directive, "");
        if (to_delete(element)) {
            long at;
            if (!kube__json_get(element, key))
                no_merge_key(merge, element, key);
            else
                while ((at = index_in(original, element, key)) >= 0)
                    kube__json_remove_item(original, (size_t)at);
        } else if (strcmp(what, "replace") == 0) {
            replace = true;
        } else if (strcmp(what, "merge") == 0) {
            kube__api_strategic_fail(merge, "merging lists cannot yet be specified in the patch");
        } else {
            kube__api_strategic_fail(merge, "unknown patch type: %s in map: %s",
                                     kube__api_print(merge->ctx, directive),
                                     kube__api_print(merge->ctx, element));
        }
        kube__json_remove_item(patch, i);
    }
    return replace;
}

static void merge_element(kube__api_strategic *merge, const kube__api_schema *schema,
                          kube__json *original, kube__json *element, const char *key)
{
    if (!kube__json_get(element, key)) {
        no_merge_key(merge, element, key);
        return;
    }
    long at = index_in(original, element, key);
    if (at < 0) {
        kube__json_append(original, element);
        return;
    }
    kube__json *old = kube__json_item(original, (size_t)at);
    kube__json *merged = kube__api_strategic_map(merge, schema->items, old, element);
    if (merged && merged != old) {
        kube__json_remove_item(original, (size_t)at);
        kube__json_insert(original, (size_t)at, merged);
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
    while (patch->first && !merge->failure)
        merge_element(merge, schema, original, kube__json_remove_item(patch, 0), key);
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
