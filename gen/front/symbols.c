/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Singular names are types and functions on data, plural names are API calls. A Kind whose plural
 * is its singular (Endpoints) gets both, and `…_endpoints_list` would be a type and a call.
 */
#include "symbols.h"

#include "names.h"
#include "support/arena.h"
#include "support/ascii.h"
#include "support/path.h"
#include "support/str.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct symbol {
    const char *name;
    const char *what;               /* "the list type of Endpoints" */
    const model_resource *resource; /* NULL = a struct's, of the header itself or generated */
    diag_loc loc;
    bool is_call;     /* begins with the plural */
    bool is_declared; /* by the author */
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

/* Suffixes of what a Kind gets beside its calls; each list ends with NULL. */
static const char *const kind_types[] = {
    "_visit",   "_watch", "_event",    "_cached_list", "_lister",
    "_handler", "_index", "_informer", NULL,
};
static const char *const kind_functions[] = {
    "_ref",
    "_unref",
    "_decode",
    "_encode",
    "_diff",
    "_finalize",
    "_set_controller_reference",
    "_watch_next",
    "_watch_free",
    "_lister_get",
    "_lister_list",
    "_lister_by_index",
    "_lister_count",
    "_informer_get",
    "_informer_add_handler",
    "_informer_remove_handler",
    "_informer_add_index",
    "_informer_has_synced",
    "_informer_lister",
    "_informer_untyped",
    NULL,
};

bool symbols_takes(const char *kind, const char *name)
{
    static const char *const of_all[] = {"_type", "_list", "_schema", "_deep_copy", "_equal", NULL};
    const char *suffix = str_has_prefix(name, kind) ? name + strlen(kind) : "";
    return str_is_one_of(suffix, of_all) || str_is_one_of(suffix, kind_types) ||
           str_is_one_of(suffix, kind_functions);
}

static void add_call(symbol_list *list, const model_resource *resource, const char *verb)
{
    add(list, resource->record, resource->c_plural, arena_printf(list->arena, "_%s", verb),
        arena_printf(list->arena, "the %s call", verb));
    list->all.items[list->all.len - 1].is_call = true;
}

static void add_resource(symbol_list *list, const model_resource *resource)
{
    const model_struct *record = resource->record;
    add(list, record, resource->c_list, "", "the list type");
    add(list, record, record->name, "_type", "the descriptor");
    for (const char *const *suffix = kind_types; *suffix; suffix++)
        add(list, record, record->name, *suffix,
            arena_printf(list->arena, "the %s type", *suffix + 1));
    for (const char *const *suffix = kind_functions; *suffix; suffix++)
        add(list, record, record->name, *suffix,
            arena_printf(list->arena, "the function %s", *suffix));
    for (size_t i = 0; model_verb_names[i]; i++) {
        if (resource->verbs & 1U << i)
            add_call(list, resource, names_snake(list->arena, model_verb_names[i]));
    }
    for (size_t i = 0; i < resource->method_len; i++)
        add_call(list, resource, resource->methods[i].name);
    if (resource->verbs & MODEL_LIST_VERB)
        add_call(list, resource, "list_each");
    if (resource->verbs & MODEL_DELETE)
        add_call(list, resource, "delete_object");
    if (resource->verbs & MODEL_PATCH)
        add_call(list, resource, "patch_diff");
}

static void collect(symbol_list *list, const model_package *package)
{
    for (size_t i = 0; i < package->struct_len; i++) {
        const model_struct *record = package->structs[i];
        add(list, record, record->name, "", "the struct");
        add(list, record, record->name, "_schema", "the schema");
        add(list, record, record->name, "_deep_copy", "the function _deep_copy");
        add(list, record, record->name, "_equal", "the function _equal");
    }
    /* A Kind that KUBE_DECLARE_LIST was used on: its list type is generated. */
    for (size_t i = 0; i < package->container_len; i++)
        if (package->containers[i]->element.record &&
            package->containers[i]->element.record->resource)
            add(list, package->containers[i]->element.record, package->containers[i]->name, "",
                "the declared list");
    for (size_t i = 0; i < package->resource_len; i++)
        add_resource(list, package->resources[i]);
}

/* A macro or a constant that is generated: @stem and @suffix in upper case. */
static void add_macro(symbol_list *list, diag_loc loc, const char *stem, const char *suffix,
                      const char *what)
{
    symbol *s = VEC_ADD(&list->all);
    char *name = names_upper(list->arena, arena_printf(list->arena, "%s_%s", stem, suffix));
    for (char *at = name; *at; at++)
        *at = ascii_is_alnum(*at) ? *at : '_';
    *s = (symbol){.name = name, .what = what, .loc = loc, .order = list->all.len};
}

static void collect_macros(symbol_list *list, const model_package *package)
{
    static const char *const guards[] = {"register_h", "deepcopy_h", "json_h", "client_h",
                                         "lister_h",   "informer_h", "api_h"};
    static const char *const constants[] = {"group", "version", "api_version"};
    const diag_loc loc = {package->header, 0, 0};
    const char *dir = path_parent(list->arena, package->include);
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
        add_macro(list, loc, dir, guards[i], "the guard of a generated header");
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        add_macro(list, loc, package->prefix, constants[i], "a generated macro");
    for (size_t i = 0; i < package->resource_len; i++) {
        const model_struct *record = package->resources[i]->record;
        add_macro(list, record->loc, record->name, "kind", "a generated macro");
        add_macro(list, record->loc, record->name, "resource", "a generated macro");
    }
}

/* What the author has declared; it comes last, so that it is where clashes are reported. */
static void collect_declared(symbol_list *list, const model_package *package)
{
    for (size_t i = 0; i < package->declared_len; i++) {
        const model_declared *from = &package->declared[i];
        symbol *s = VEC_ADD(&list->all);
        *s = (symbol){.name = from->name,
                      .what = from->what,
                      .loc = from->loc,
                      .is_declared = true,
                      .order = list->all.len};
    }
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
    if (second->is_declared)
        diag_note(to, (diag_loc){0}, "kubegen generates this name: choose another one");
    else if (call->is_call)
        diag_note(to, (diag_loc){0}, "give the calls another name, such as // +cPlural=%s_objects",
                  call->resource->record->name + strlen(package->prefix) + 1);
    else
        diag_note(to, (diag_loc){0},
                  "rename one of the structs, such as %s_value; // +kind= can keep the name of a "
                  "Kind",
                  second->name);
}

void symbols_check(const model_package *package, diag *to)
{
    symbol_list list = {.arena = arena_new()};
    const char *reported = NULL; /* the last one, by its struct */
    if (package->group) {
        collect(&list, package);
        collect_macros(&list, package);
        collect_declared(&list, package);
    }
    if (list.all.len)
        qsort(list.all.items, list.all.len, sizeof *list.all.items, compare);
    for (size_t i = 1; i < list.all.len; i++) {
        const symbol *first = &list.all.items[i - 1];
        const symbol *second = &list.all.items[i];
        const char *place = second->resource ? second->resource->kind : second->name;
        if (strcmp(first->name, second->name) != 0 || first->is_declared)
            continue; /* the compiler has seen what is declared twice */
        if (!reported || strcmp(reported, place) != 0)
            report(package, first, second, to);
        reported = place;
    }
    free(list.all.items);
    arena_free(list.arena);
}
