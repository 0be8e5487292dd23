/* SPDX-License-Identifier: Apache-2.0 */
/* scale_check() checks whether the paths of a scale subresource lead to members of the right types.
 */
#include "json_path.h"

#include <string.h>

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
    json_path_place end;
    if (!path)
        return;
    if (!begins_well(want, path)) {
        diag_error(b->to, loc, "'%s' must be a path below .%s%s%s: '.%s.<member>'", want->argument,
                   want->roots[0], want->roots[1] ? " or ." : "",
                   want->roots[1] ? want->roots[1] : "", want->roots[0]);
        return;
    }
    if (json_path_follow(b, of, JSON_PATH_MEMBERS, path, loc, &end) &&
        !fits(end.type, want->is_number))
        diag_error(b->to, end.loc, "'%s' is %s, and '%s' has type '%s'", want->argument,
                   want->is_number ? "a whole number" : "a string", end.name, end.type->c_name);
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
