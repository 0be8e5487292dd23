/* SPDX-License-Identifier: Apache-2.0 */
/* All files that read comments and markers, or look for a member, use these functions. */
#include "build.h"

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
    diag_error(b->to, read->loc, "'+%s' is for %s, and '%s' has type '%s'", read->spec->name, what,
               field->name, field->type.c_name);
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
