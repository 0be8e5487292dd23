/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A typedef of a string, a number, a list, a map or a struct may have rules, which hold wherever it
 * is used. What it is in C and in JSON is what it stands for.
 */
#include "build.h"

#include <string.h>

/* The typedef of this name, unless it is what a struct is called, or the system's. */
static const parse_typedef *find_typedef(builder *b, const parse_type *type, const char *name)
{
    const char *record = type->record ? type->record->typedef_name : NULL;
    return record && strcmp(record, name) == 0 ? NULL : text_map_get(&b->unit->typedef_names, name);
}

static model_alias *read_alias(builder *b, const parse_typedef *from, const model_type *of)
{
    annotations *read = annotations_of(b, from->file);
    attached above = attach_type(read, from->first_line, MARKER_TYPEDEF);
    model_field value = {.name = from->name, .loc = from->loc, .type = *of};
    model_alias *made = arena_alloc(b->in, sizeof *made);
    check_alignment(b, from);
    validation_read(b, read, &above, &value);
    merge_read(b, &above, &value);
    made->name = from->name;
    made->doc = above.doc;
    made->loc = from->loc;
    made->of = *of;
    made->validation = value.validation;
    made->merge = value.merge;
    if (above.len > 0 && from->file == b->unit->main)
        check_type_name(b, from->name, from->loc);
    return made;
}

const model_alias *alias_of(builder *b, const parse_type *type, const model_type *of)
{
    model_type inner = *of; /* of a pointer, with the typedef of what it points to */
    /* From the one that stands for the type itself to the one that was written. */
    for (size_t i = type->alias_len; i > 0; i--) {
        const parse_typedef *from = find_typedef(b, type, type->aliases[i - 1]);
        model_alias **known;
        if (!from || !from->file)
            continue;
        known = (model_alias **)text_map_at(&b->aliases, b->in, from->name);
        if (!*known) {
            *known = read_alias(b, from, &inner);
            *VEC_ADD(&b->alias_list) = *known;
        }
        inner.alias = *known;
    }
    return inner.alias;
}

static bool has_marker(const comment_group *group)
{
    for (size_t i = 0; group && i < group->line_len; i++) {
        if (group->lines[i].is_marker)
            return true;
    }
    return false;
}

/* Says whether a marker stands above a typedef. */
static bool has_rules(builder *b, const parse_typedef *of)
{
    comments *all = annotations_of(b, of->file)->comments;
    return has_marker(comments_closest(all, of->first_line)) ||
           has_marker(comments_second_closest(all, of->first_line));
}

bool alias_is_unused(builder *b, const parse_typedef *from)
{
    return find_typedef(b, from->type, from->name) && !text_map_has(&b->aliases, from->name) &&
           has_rules(b, from);
}
