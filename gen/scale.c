/* SPDX-License-Identifier: Apache-2.0 */
/* The scale subresource: whether its paths lead to members that it can be made of. */
#include "build.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

/* What one path must be. */
typedef struct wanted {
    const char *argument;
    const char *roots[3]; /* NULL-terminated: the members of the Kind where it may begin */
    bool is_number;
} wanted;

static const model_field *find_member(const model_struct *of, const char *json)
{
    for (size_t i = 0; i < of->member_len; i++) {
        if (strcmp(of->members[i].field->json, json) == 0)
            return of->members[i].field;
    }
    return NULL;
}

static void report_missing(builder *b, const model_struct *of, const char *name, diag_loc loc)
{
    const char **names = arena_alloc(b->in, (of->member_len + 1) * sizeof *names);
    const char *near;

    for (size_t i = 0; i < of->member_len; i++)
        names[i] = of->members[i].field->json;
    near = diag_nearest(name, names, of->member_len);
    if (near)
        diag_error(b->to, loc, "'%s' has no member '%s'; did you mean '%s'?", of->name, name, near);
    else
        diag_error(b->to, loc, "'%s' has no member '%s'", of->name, name);
}

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

static bool is_struct(const model_type *type)
{
    return type->kind == MODEL_STRUCT || type->kind == MODEL_STRUCT_PTR;
}

static bool fits(const model_type *type, bool is_number)
{
    switch (type->kind) {
    case MODEL_INT32:
    case MODEL_INT64:
    case MODEL_OPT_INT32:
    case MODEL_OPT_INT64:
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
    const model_field *field = NULL;
    unsigned column = loc.column;

    if (!path)
        return;
    if (!begins_well(want, path)) {
        diag_error(b->to, loc, "'%s' is a path below .%s%s%s: '.%s.<member>'", want->argument,
                   want->roots[0], want->roots[1] ? " or ." : "",
                   want->roots[1] ? want->roots[1] : "", want->roots[0]);
        return;
    }
    for (const char *at = path; of && *at == '.'; of = field->type.record) {
        size_t len = strcspn(++at, ".");
        const char *name = arena_strndup(b->in, at, len);

        loc.column = column + (unsigned)(at - path);
        at += len;
        field = find_member(of, name);
        if (!field) {
            report_missing(b, of, name, loc);
            return;
        }
        if (*at == '\0')
            break;
        if (!is_struct(&field->type)) {
            diag_error(b->to, loc, "'%s' has type '%s', which has no members", name,
                       field->type.c_name);
            return;
        }
    }
    if (field && !fits(&field->type, want->is_number))
        diag_error(b->to, loc, "'%s' is %s, and '%s' has type '%s'", want->argument,
                   want->is_number ? "a whole number" : "a string", field->json,
                   field->type.c_name);
}

void scale_check(builder *b, const model_resource *resource)
{
    static const wanted spec = {"specpath", {"spec"}, true};
    static const wanted status = {"statuspath", {"status"}, true};
    static const wanted selector = {"selectorpath", {"status", "spec"}, false};
    const model_scale *scale = &resource->scale;

    check_path(b, resource->record, &spec, scale->spec_path, scale->spec_loc);
    check_path(b, resource->record, &status, scale->status_path, scale->status_loc);
    check_path(b, resource->record, &selector, scale->selector_path, scale->selector_loc);
}
