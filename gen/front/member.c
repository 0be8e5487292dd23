/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All files that read comments and markers, look for a member or name a type, use these functions.
 */
#include "build.h"
#include "names.h"
#include "support/str.h"

#include <string.h>

annotations *annotations_of(builder *b, const parse_file *file)
{
    annotations **known = &b->files[file->index];
    if (!*known)
        *known = attach_read(b->in, file, b->to);
    return *known;
}

const marker *member_marker(builder *b, const attached *above, marker_id id,
                            const model_field *field, bool fits, const char *what)
{
    const marker *read = attached_find(above, id);
    if (!read || fits)
        return read;
    if (strcmp(field->name, field->type.c_name) == 0)
        diag_error(b->to, read->loc, "'+%s' is for %s, and '%s' is a struct", read->spec->name,
                   what, field->name);
    else
        diag_error(b->to, read->loc, "'+%s' is for %s, and '%s' has type '%s%s'", read->spec->name,
                   what, field->name, field->type.c_name,
                   field->type.kind == MODEL_STRUCT_PTR ? " *" : "");
    return NULL;
}

const char *member_value(builder *b, const attached *above, marker_id id, const model_field *field,
                         bool fits, const char *what)
{
    const marker *read = member_marker(b, above, id, field, fits, what);
    return read ? read->values[0].text : NULL;
}

void member_report_missing(builder *b, const model_struct *of, const char *json, diag_loc loc)
{
    const char **names;
    if (of->incomplete)
        return;
    names = arena_alloc(b->in, (of->member_len + 1) * sizeof *names);
    for (size_t i = 0; i < of->member_len; i++)
        names[i] = of->members[i].field->json;
    diag_error(b->to, loc, "'%s' has no member '%s'%s", of->name, json,
               diag_meant(b->in, json, names, of->member_len));
}

/* The name with the right prefix: one of the same group's other versions is replaced. */
static const char *prefixed(builder *b, const char *name)
{
    const char *prefix = b->package->prefix;
    size_t common = 0;
    for (size_t i = 0; name[i] && name[i] == prefix[i]; i++) {
        if (name[i] == '_')
            common = i + 1;
    }
    name = names_snake(b->in, name + common);
    /* What is left may begin with another version. */
    if (common > 0 && name[0] == 'v' && strchr(name, '_') &&
        names_is_version(arena_strndup(b->in, name, strcspn(name, "_"))))
        name += strcspn(name, "_") + 1;
    return arena_printf(b->in, "%s_%s", prefix, name);
}

void check_type_name(builder *b, const char *name, diag_loc loc)
{
    const char *prefix = b->package->prefix;
    size_t len = strlen(prefix);
    if (strncmp(name, prefix, len) != 0 || name[len] != '_' || name[len + 1] == '\0') {
        diag_error(b->to, loc, "'%s' does not begin with this header's prefix: name it '%s'", name,
                   prefixed(b, name));
    } else if (!names_is_snake(names_tidy(b->in, name + len + 1))) {
        diag_error(b->to, loc, "'%s' is not in snake_case, which takes a to z, digits and '_'",
                   name);
    } else if (!names_is_snake(name + len + 1) || str_has_suffix(name, "_")) {
        diag_error(b->to, loc, "'%s' is not in snake_case: name it '%s_%s'", name, prefix,
                   names_tidy(b->in, name + len + 1));
    }
}

void check_alignment(builder *b, const parse_typedef *of)
{
    if (of && of->is_laid_out)
        diag_error(b->to, of->loc,
                   "'%s' is aligned by hand, and objects are not allocated so: remove the "
                   "attribute",
                   of->name);
}
