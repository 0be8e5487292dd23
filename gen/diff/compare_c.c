/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_c.h"

#include "support/str.h"

#include <string.h>

/* "const char *", "samplecrd_v1_port", "samplecrd_v1_port *". */
static const char *type_text(arena *in, const model_type *type)
{
    return type->kind == MODEL_STRUCT_PTR ? arena_printf(in, "%s *", type->c_name) : type->c_name;
}

static const model_member *find_json(const model_struct *of, const char *json)
{
    const model_field *field = text_map_get(&of->by_json, json);
    for (size_t i = 0; field && i < of->member_len; i++)
        if (of->members[i].field == field)
            return &of->members[i];
    return NULL;
}

static void compare_member(change_list *out, const char *record, const model_member *was,
                           const model_member *is)
{
    const subject about = {record, arena_printf(out->in, ".%s", was->path), was->field->loc,
                           is->field->loc};
    const char *before = type_text(out->in, &was->field->type);
    const char *after = type_text(out->in, &is->field->type);
    if (strcmp(was->path, is->path) != 0)
        change_add(out, RULE_C_MEMBER_RENAMED, &about, "the member is called %s in C now",
                   is->path);
    if (strcmp(before, after) != 0)
        change_add(out, RULE_C_MEMBER_TYPE_CHANGED, &about, "its C type %s becomes %s", before,
                   after);
}

static void compare_struct(change_list *out, const model_struct *was, const model_struct *is)
{
    for (size_t i = 0; i < was->member_len; i++) {
        const model_member *other = find_json(is, was->members[i].field->json);
        if (other)
            compare_member(out, was->name, &was->members[i], other);
    }
}

static const model_struct *find_struct(const model_package *package, const char *name)
{
    for (size_t i = 0; i < package->struct_len; i++)
        if (strcmp(package->structs[i]->name, name) == 0)
            return package->structs[i];
    for (size_t i = 0; i < package->foreign_len; i++)
        if (strcmp(package->foreign[i]->name, name) == 0)
            return package->foreign[i];
    return NULL;
}

static void compare_structs(change_list *out, const model_package *was, const model_package *is)
{
    for (size_t i = 0; i < was->struct_len; i++) {
        const model_struct *old = was->structs[i];
        const model_struct *new = find_struct(is, old->name);
        const subject about = {old->name, "", old->loc, {is->header, 0, 0}};
        if (new)
            compare_struct(out, old, new);
        else
            change_add(out, RULE_C_TYPE_REMOVED, &about, "the C type is gone");
    }
}

/* The macro of an include guard is not for use. */
static bool is_guard(const char *name)
{
    return str_has_suffix(name, "_H") || str_has_suffix(name, "_H_");
}

/* Constants, macros, typedefs and functions that stand beside the structs. */
static void compare_declared(change_list *out, const model_package *was, const model_package *is)
{
    text_map names = {0};
    for (size_t i = 0; i < is->declared_len; i++)
        text_map_add(&names, out->in, is->declared[i].name);
    for (size_t i = 0; i < was->declared_len; i++) {
        const model_declared *old = &was->declared[i];
        const subject about = {old->name, "", old->loc, {is->header, 0, 0}};
        if (text_map_add(&names, out->in, old->name) && !is_guard(old->name))
            change_add(out, RULE_C_NAME_REMOVED, &about, "%s is gone", old->what);
    }
}

static const model_resource *find_kind(const model_package *package, const char *kind)
{
    for (size_t i = 0; i < package->resource_len; i++)
        if (strcmp(package->resources[i]->kind, kind) == 0)
            return package->resources[i];
    return NULL;
}

static void compare_kind(change_list *out, const model_resource *was, const model_resource *is)
{
    const subject about = {was->record->name, "", was->record->loc, is->record->loc};
    unsigned lost = was->verbs & ~is->verbs;
    if (strcmp(was->c_plural, is->c_plural) != 0)
        change_add(out, RULE_C_FUNCTIONS_RENAMED, &about,
                   "its functions are called %s_… now, not %s_…", is->c_plural, was->c_plural);
    for (size_t i = 0; model_verb_names[i]; i++)
        if (lost & (1u << i))
            change_add(out, RULE_C_VERB_REMOVED, &about, "there is no function for %s any more",
                       model_verb_names[i]);
}

static bool is_same_api(const model_package *a, const model_package *b)
{
    if (!a->group || !b->group)
        return a->group == b->group && strcmp(a->include, b->include) == 0;
    return strcmp(a->group, b->group) == 0 && strcmp(a->version, b->version) == 0;
}

void compare_c(change_list *out, const model *was, const model *is)
{
    for (size_t i = 0; i < was->package_len; i++) {
        const model_package *old = was->packages[i];
        const model_package *new = NULL;
        for (size_t n = 0; n < is->package_len && !new; n++)
            new = is_same_api(old, is->packages[n]) ? is->packages[n] : NULL;
        if (!new)
            continue;
        compare_structs(out, old, new);
        compare_declared(out, old, new);
        for (size_t n = 0; n < old->resource_len; n++) {
            const model_resource *kind = find_kind(new, old->resources[n]->kind);
            if (kind)
                compare_kind(out, old->resources[n], kind);
        }
    }
}
