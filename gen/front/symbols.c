/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Singular names are types and functions on data, plural names are API calls. A Kind whose plural
 * is its singular (Endpoints) gets both, and `…_endpoints_list` would be a type and a call.
 */
#include "symbols.h"

#include "support/arena.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct symbol {
    const char *name;
    const char *what;               /* "the list type of Endpoints" */
    const model_resource *resource; /* NULL = a struct's, of the header itself or generated */
    diag_loc loc;
    bool is_call; /* begins with the plural */
    size_t order;
} symbol;

typedef struct symbol_list {
    VEC(symbol) all;
    arena *arena;
} symbol_list;

static void add(symbol_list *list, const model_struct *record, const char *stem, const char *suffix,
                const char *what)
{
    const model_resource *resource = record->resource;
    symbol *s = VEC_ADD(&list->all);

    s->name = arena_printf(list->arena, "%s%s", stem, suffix);
    s->what = arena_printf(list->arena, "%s of %s", what, resource ? resource->kind : record->name);
    s->resource = resource;
    s->loc = record->loc;
    s->is_call =
        resource && strcmp(stem, resource->c_plural) == 0 && strcmp(stem, record->name) != 0;
    s->order = list->all.len;
}

/* Suffixes of what a Kind gets beside its calls. */
static const char *const kind_suffixes[][2] = {
    {"_type", "the descriptor"},
    {"_ref", "the function _ref"},
    {"_unref", "the function _unref"},
    {"_decode", "the function _decode"},
    {"_encode", "the function _encode"},
    {"_diff", "the function _diff"},
    {"_visit", "the visitor type"},
    {"_watch", "the watch type"},
    {"_watch_next", "the function _watch_next"},
    {"_watch_free", "the function _watch_free"},
    {"_event", "the event type"},
    {"_cached_list", "the cached list type"},
    {"_lister", "the lister type"},
    {"_lister_get", "the function _lister_get"},
    {"_lister_list", "the function _lister_list"},
    {"_lister_by_index", "the function _lister_by_index"},
    {"_lister_count", "the function _lister_count"},
    {"_handler", "the handler type"},
    {"_index", "the index type"},
    {"_informer", "the informer type"},
    {"_informer_get", "the function _informer_get"},
    {"_informer_add_handler", "the function _informer_add_handler"},
    {"_informer_remove_handler", "the function _informer_remove_handler"},
    {"_informer_add_index", "the function _informer_add_index"},
    {"_informer_has_synced", "the function _informer_has_synced"},
    {"_informer_lister", "the function _informer_lister"},
    {"_informer_untyped", "the function _informer_untyped"},
};

bool symbols_takes(const char *kind, const char *name)
{
    static const char *const of_all[] = {"_list", "_schema", "_deep_copy", "_equal"};
    size_t len = strlen(kind);
    bool found = false;
    size_t i;

    if (strncmp(name, kind, len) != 0)
        return false;
    for (i = 0; i < sizeof of_all / sizeof *of_all; i++)
        found |= strcmp(name + len, of_all[i]) == 0;
    for (i = 0; i < sizeof kind_suffixes / sizeof *kind_suffixes; i++)
        found |= strcmp(name + len, kind_suffixes[i][0]) == 0;
    return found;
}

static const struct {
    unsigned verb;
    const char *suffix;
    const char *what;
} calls[] = {
    {MODEL_CREATE, "_create", "the create call"},
    {MODEL_UPDATE, "_update", "the update call"},
    {MODEL_UPDATE_STATUS, "_update_status", "the update_status call"},
    {MODEL_DELETE, "_delete", "the delete call"},
    {MODEL_DELETE_COLLECTION, "_delete_collection", "the delete_collection call"},
    {MODEL_GET, "_get", "the get call"},
    {MODEL_LIST_VERB, "_list", "the list call"},
    {MODEL_LIST_VERB, "_list_each", "the list_each call"},
    {MODEL_WATCH, "_watch", "the watch call"},
    {MODEL_PATCH, "_patch", "the patch call"},
    {MODEL_PATCH, "_patch_diff", "the patch_diff call"},
    {MODEL_APPLY, "_apply", "the apply call"},
    {MODEL_APPLY_STATUS, "_apply_status", "the apply_status call"},
    {MODEL_GET_SCALE, "_get_scale", "the get_scale call"},
    {MODEL_UPDATE_SCALE, "_update_scale", "the update_scale call"},
};

static void add_resource(symbol_list *list, const model_resource *resource)
{
    const model_struct *record = resource->record;
    size_t i;

    add(list, record, resource->c_list, "", "the list type");
    for (i = 0; i < sizeof kind_suffixes / sizeof *kind_suffixes; i++)
        add(list, record, record->name, kind_suffixes[i][0], kind_suffixes[i][1]);
    for (i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!(resource->verbs & calls[i].verb))
            continue;
        add(list, record, resource->c_plural, calls[i].suffix, calls[i].what);
        list->all.items[list->all.len - 1].is_call = true;
    }
}

static void collect(symbol_list *list, const model_package *package)
{
    size_t i;

    for (i = 0; i < package->struct_len; i++) {
        const model_struct *record = package->structs[i];

        add(list, record, record->name, "", "the struct");
        add(list, record, record->name, "_schema", "the schema");
        add(list, record, record->name, "_deep_copy", "the function _deep_copy");
        add(list, record, record->name, "_equal", "the function _equal");
    }
    /* A Kind that KUBE_DECLARE_LIST was used on: its list type is generated. */
    for (i = 0; i < package->container_len; i++)
        if (package->containers[i]->element.record &&
            package->containers[i]->element.record->resource)
            add(list, package->containers[i]->element.record, package->containers[i]->name, "",
                "the declared list");
    for (i = 0; i < package->resource_len; i++)
        add_resource(list, package->resources[i]);
}

static int compare(const void *a, const void *b)
{
    const symbol *left = a;
    const symbol *right = b;
    int order = strcmp(left->name, right->name);

    if (order)
        return order;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* One error a place: what else clashes there has the same cure. */
static void report(const model_package *package, const symbol *first, const symbol *second,
                   diag *to)
{
    const symbol *call = first->is_call ? first : second;

    diag_error(to, second->loc, "%s would be both %s and %s", second->name, first->what,
               second->what);
    if (call->is_call)
        diag_note(to, (diag_loc){0}, "give the calls another name, such as // +cPlural=%s_objects",
                  call->resource->record->name + strlen(package->prefix) + 1);
    else
        diag_note(to, (diag_loc){0},
                  "rename one of the structs; // +kind= can keep the name of a Kind");
}

void symbols_check(const model_package *package, diag *to)
{
    symbol_list list = {.arena = arena_new()};
    const char *reported = NULL; /* the last one, by its struct */
    size_t i;

    if (package->group)
        collect(&list, package);
    if (list.all.len)
        qsort(list.all.items, list.all.len, sizeof *list.all.items, compare);
    for (i = 1; i < list.all.len; i++) {
        const symbol *first = &list.all.items[i - 1];
        const symbol *second = &list.all.items[i];
        const char *place = second->resource ? second->resource->kind : second->name;

        if (strcmp(first->name, second->name) != 0)
            continue;
        if (!reported || strcmp(reported, place) != 0)
            report(package, first, second, to);
        reported = place;
    }
    free(list.all.items);
    arena_free(list.arena);
}
