/* SPDX-License-Identifier: Apache-2.0 */
/* check_package() checks what can be said only when all structs of a header are known. */
#include "json_path.h"
#include "support/str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, SELECTABLE_MAX = 8 };

/* ---- members of a struct, flattened -------------------------------------------------------- */

typedef VEC(model_member) member_vec;

static bool flatten(builder *b, const model_struct *from, const char *path, int depth,
                    member_vec *out)
{
    for (size_t i = 0; i < from->field_len; i++) {
        const model_field *field = &from->fields[i];
        const char *inner = arena_printf(b->in, "%s%s", path, field->name);
        if (field->role == MODEL_MEMBER && field->json)
            *VEC_ADD(out) = (model_member){field, inner};
        if (out->len > MODEL_MEMBERS_MAX || depth == DEPTH_MAX)
            return false;
        if (field->role == MODEL_INLINE &&
            !flatten(b, field->type.record, arena_printf(b->in, "%s.", inner), depth + 1, out))
            return false;
    }
    return true;
}

/* Returns where unknown members go: its own kube_extra, or that of the first inlined struct. */
static const char *find_extra(builder *b, const model_struct *of)
{
    const char *inner = NULL;
    for (size_t i = 0; i < of->field_len; i++) {
        if (of->fields[i].role == MODEL_EXTRA)
            return of->fields[i].name;
    }
    for (size_t i = 0; i < of->field_len && !inner; i++) {
        const model_field *field = &of->fields[i];
        if (field->role == MODEL_INLINE)
            inner = find_extra(b, field->type.record);
        if (inner)
            inner = arena_printf(b->in, "%s.%s", field->name, inner);
    }
    return inner;
}

static void list_members(builder *b, const built_struct *built)
{
    model_struct *of = built->made;
    member_vec members = {0};
    if (!flatten(b, of, "", 0, &members))
        diag_error(b->to, of->loc,
                   "'%s' has more than %d members, or inlines structs more than %d deep", of->name,
                   MODEL_MEMBERS_MAX, DEPTH_MAX);
    else if (built->record->size > MODEL_SIZE_MAX)
        diag_error(b->to, of->loc, "'%s' has %lld bytes, and more than %d cannot be described",
                   of->name, built->record->size, MODEL_SIZE_MAX);
    else
        of->extra = find_extra(b, of);
    of->members = VEC_KEEP(b->in, &members);
    of->member_len = members.len;
    for (size_t i = 0; i < of->member_len; i++) {
        const model_field *field = of->members[i].field;
        const model_field **known =
            (const model_field **)text_map_at(&of->by_json, b->in, field->json);
        *known = *known ? *known : field;
    }
}

/* The member of @of itself through which a flattened one comes. */
static const model_field *own_field(const model_struct *of, const model_member *member)
{
    size_t len = strcspn(member->path, ".");
    for (size_t i = 0; i < of->field_len; i++) {
        const model_field *field = &of->fields[i];
        if (strlen(field->name) == len && strncmp(field->name, member->path, len) == 0)
            return field;
    }
    return member->field;
}

static int compare_json(const void *left, const void *right)
{
    const model_member *a = *(const model_member *const *)left;
    const model_member *b = *(const model_member *const *)right;
    int order = strcmp(a->field->json, b->field->json);
    return order ? order : (a > b) - (a < b);
}

static void report_clash(builder *b, const model_struct *of, const model_member *first,
                         const model_member *second)
{
    const model_field *at = own_field(of, second);
    if (strcmp(second->path, at->name) == 0)
        diag_error(
            b->to, at->loc,
            "'%s' is the JSON name of two members: give one of them another with '// +json=…'",
            second->field->json);
    else
        diag_error(b->to, at->loc, "'%s' is the JSON name of two members, and one of them is '%s'",
                   second->field->json, second->path);
    diag_note(b->to, own_field(of, first)->loc, "the other one is '%s'", first->path);
}

static void check_json_names(builder *b, const model_struct *of)
{
    VEC(const model_member *) sorted = {0};
    for (size_t i = 0; i < of->member_len; i++) {
        const model_member *member = &of->members[i];
        const char *json = member->field->json;
        *VEC_ADD(&sorted) = member;
        if (of->resource && (strcmp(json, "kind") == 0 || strcmp(json, "apiVersion") == 0))
            diag_error(b->to, own_field(of, member)->loc,
                       "'%s' is in every Kind already: 'base' holds it", json);
    }
    if (sorted.len > 1)
        qsort(sorted.items, sorted.len, sizeof *sorted.items, compare_json);
    for (size_t i = 1; i < sorted.len; i++) {
        if (strcmp(sorted.items[i - 1]->field->json, sorted.items[i]->field->json) == 0)
            report_clash(b, of, sorted.items[i - 1], sorted.items[i]);
    }
    free(sorted.items);
}

/* ---- base and extra ------------------------------------------------------------------------ */

static void check_extra(builder *b, const model_struct *of)
{
    const model_field *first = NULL;
    for (size_t i = 0; i < of->field_len; i++) {
        const model_field *field = &of->fields[i];
        if (field->role != MODEL_EXTRA)
            continue;
        if (first) {
            diag_error(b->to, field->loc, "a struct can have only one 'kube_extra'");
            diag_note(b->to, first->loc, "the other one is here");
        } else {
            first = field;
        }
    }
}

static void check_struct(builder *b, const built_struct *built)
{
    const model_struct *of = built->made;
    if (built->record->field_len == 0)
        diag_error(b->to, of->loc,
                   "'%s' has no members: declare 'kube_extra extra;' if it takes any", of->name);
    for (size_t i = 1; i < of->field_len; i++) {
        if (of->fields[i].role == MODEL_BASE && of->resource)
            diag_error(b->to, of->fields[i].loc, "'%s' must be the first member of '%s'",
                       of->fields[i].name, of->name);
    }
    check_json_names(b, of);
}

/* ---- Kinds --------------------------------------------------------------------------------- */

static void check_unique(builder *b)
{
    const model_package *package = b->package;
    text_map plurals = {0};
    for (size_t i = 0; i < package->resource_len; i++) {
        const model_resource *made = package->resources[i];
        const model_resource *before =
            i > 0 ? package->resources[i - 1] : NULL; /* sorted by Kind */
        const model_resource **known =
            (const model_resource **)text_map_at(&plurals, b->in, made->plural);
        bool same_kind = before && strcmp(before->kind, made->kind) == 0;
        before = same_kind ? before : *known;
        *known = made;
        if (!before)
            continue;
        diag_error(b->to, made->record->loc, "two structs are the %s '%s'",
                   same_kind ? "Kind" : "resource", same_kind ? made->kind : made->plural);
        diag_note(b->to, before->record->loc, "the other one is here");
    }
}

/* A list of the author's own where the generated one goes. */
static void check_list_types(builder *b)
{
    text_map lists = {0};
    for (size_t i = 0; i < b->package->resource_len; i++)
        *text_map_at(&lists, b->in, b->package->resources[i]->c_list) =
            (void *)(uintptr_t)b->package->resources[i];
    for (size_t i = 0; i < b->unit->record_len; i++) {
        const parse_record *record = b->unit->records[i];
        const model_resource *resource =
            record->typedef_name ? text_map_get(&lists, record->typedef_name) : NULL;
        if (resource)
            diag_error(b->to, record->loc, "'%s' is generated, because '%s' is a Kind: remove it",
                       resource->c_list, resource->record->name);
    }
}

static void check_columns(builder *b, const model_resource *resource)
{
    for (size_t i = 0; i < resource->column_len; i++) {
        const model_column *column = &resource->columns[i];
        json_path_place end;
        if (column->json_path[0] == '.')
            json_path_follow(b, resource->record, JSON_PATH_FULL, column->json_path,
                             column->path_loc, &end);
        else
            diag_error(b->to, column->path_loc, "a JSONPath begins with '.': '.spec.<member>'");
    }
}

/* ---- the scale subresource ------------------------------------------------------------------ */

/* What one path must be. */
typedef struct wanted {
    const char *argument;
    const char *roots[3]; /* NULL-terminated: the members of the Kind where it may begin */
    bool is_number;
} wanted;

/* Whether a path begins with the root of one that is wanted, and goes on below it. */
static bool begins_well(const wanted *want, const char *path)
{
    for (size_t i = 0; want->roots[i]; i++) {
        size_t len = strlen(want->roots[i]);
        if (path[0] == '.' && strncmp(path + 1, want->roots[i], len) == 0 && path[1 + len] == '.' &&
            path[2 + len])
            return true;
    }
    return false;
}

static bool scale_fits(const model_type *type, bool is_number)
{
    switch (type->kind) {
    case MODEL_INT32:
    case MODEL_INT64:
    case MODEL_OPT_INT32:
    case MODEL_OPT_INT64:
    case MODEL_DOUBLE: /* servers look at the value */
    case MODEL_OPT_DOUBLE:
        return is_number;
    case MODEL_STRING:
        return !is_number;
    default:
        return false;
    }
}

static void check_path(builder *b, const model_struct *of, const wanted *want, const char *path,
                       diag_loc loc)
{
    json_path_place end;
    if (!path)
        return;
    if (!begins_well(want, path)) {
        diag_error(b->to, loc, "'%s' must be a path below .%s%s%s: '.%s.<member>'", want->argument,
                   want->roots[0], want->roots[1] ? " or ." : "",
                   want->roots[1] ? want->roots[1] : "", want->roots[0]);
        return;
    }
    if (json_path_follow(b, of, JSON_PATH_OBJECT, path, loc, &end) && !end.is_free &&
        !scale_fits(end.type, want->is_number))
        diag_error(b->to, end.loc, "'%s' is %s, and '%s' has type '%s'", want->argument,
                   want->is_number ? "a whole number" : "a string", end.name, end.type->c_name);
}

static void check_scale(builder *b, const model_resource *resource)
{
    static const wanted spec = {"specpath", {"spec"}, true};
    static const wanted status = {"statuspath", {"status"}, true};
    static const wanted selector = {"selectorpath", {"status", "spec"}, false};
    const model_scale *scale = &resource->scale;
    check_path(b, resource->record, &spec, scale->spec_path, scale->spec_loc);
    check_path(b, resource->record, &status, scale->status_path, scale->status_loc);
    check_path(b, resource->record, &selector, scale->selector_path, scale->selector_loc);
}

/* ---- selectable fields ---------------------------------------------------------------------- */

static bool is_selectable(const model_type *type)
{
    switch (type ? type->kind : MODEL_STRUCT) {
    case MODEL_STRING:
    case MODEL_BOOL:
    case MODEL_INT32:
    case MODEL_INT64:
    case MODEL_OPT_BOOL:
    case MODEL_OPT_INT32:
    case MODEL_OPT_INT64:
    case MODEL_TIME:
    case MODEL_MICRO_TIME:
    case MODEL_DURATION:
    case MODEL_BYTES:
        return true;
    default:
        return false;
    }
}

/* What servers demand of a selectable field. */
static void check_selectable(builder *b, const model_resource *resource)
{
    text_map known = {0};
    for (size_t i = 0; i < resource->selectable_len; i++) {
        const model_path *path = &resource->selectable[i];
        json_path_place end;
        if (path->text[0] != '.') {
            diag_error(b->to, path->loc, "a JSONPath begins with '.': '.spec.<member>'");
        } else if (str_has_prefix(path->text, ".metadata")) {
            diag_error(b->to, path->loc,
                       "servers can select by metadata.name and metadata.namespace anyway, and by "
                       "nothing else of 'metadata'");
        } else if (json_path_follow(b, resource->record, JSON_PATH_MEMBERS, path->text, path->loc,
                                    &end) &&
                   !is_selectable(end.type)) {
            diag_error(b->to, end.loc,
                       "a selectable field is a string, a whole number or a bool, and '%s' has "
                       "type '%s'",
                       end.name, end.type->c_name);
        }
        if (!text_map_add(&known, b->in, path->text))
            diag_error(b->to, path->loc, "'%s' is listed twice", path->text);
    }
    if (resource->selectable_len > SELECTABLE_MAX)
        diag_error(b->to, resource->selectable[SELECTABLE_MAX].loc,
                   "a Kind has at most %d selectable fields", SELECTABLE_MAX);
}

void check_package(builder *b)
{
    for (size_t i = 0; i < b->structs.len; i++) {
        check_extra(b, b->structs.items[i]->made);
        list_members(b, b->structs.items[i]);
    }
    for (size_t i = 0; i < b->structs.len; i++) {
        check_struct(b, b->structs.items[i]);
        merge_check(b, b->structs.items[i]->made);
        default_check(b, b->structs.items[i]->made);
        rules_check(b, b->structs.items[i]->made);
    }
    for (size_t i = 0; i < b->alias_list.len; i++)
        merge_check_alias(b, b->alias_list.items[i]);
    for (size_t i = 0; i < b->package->resource_len; i++) {
        check_scale(b, b->package->resources[i]);
        check_columns(b, b->package->resources[i]);
        check_selectable(b, b->package->resources[i]);
    }
    check_unique(b);
    check_list_types(b);
}
