/* SPDX-License-Identifier: Apache-2.0 */
#include "import_enum.h"

#include "front/names.h"
#include "import_names.h"
#include "support/c_text.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1000000 };

static int compare_values(const void *a, const void *b)
{
    return strcmp(((const import_value *)a)->text, ((const import_value *)b)->text);
}

/* The names of an enum's values: IF_NOT_PRESENT. */
static void name_values(importer *im, import_field *field)
{
    text_map names = {0};
    for (size_t i = 0; i < field->values.len; i++) {
        import_value *value = &field->values.items[i];
        const char *base =
            *value->text ? names_upper(im->arena, import_snake(im->arena, value->text)) : "EMPTY";
        value->define = text_map_unique(&names, im->arena, base);
    }
}

/* Whether a text can stand between quotes in C as it is. */
static bool is_literal(const char *text)
{
    return c_text_is_line(text) && !strpbrk(text, "\"\\?");
}

bool import_read_enum(importer *im, const import_struct *record, import_field *field,
                      const json_value *schema)
{
    const json_value *at = json_first(json_get(schema, "enum"));
    const char *mark = json_text(json_get(schema, "x-kubegen-enum"));
    size_t kept = 0;
    if (!field->shape.is_string || !at)
        return true;
    for (; at; at = json_next(at)) {
        if (json_kind_of(at) == JSON_NULL)
            continue;
        if (json_kind_of(at) != JSON_STRING || !is_literal(json_text(at))) {
            field->values.len = 0;
            return true;
        }
        if (++im->value_count > VALUES_MAX)
            return import_fail(im, "%s/properties/%s/enum: all enums have more than %d values",
                               record->path, field->json, VALUES_MAX);
        VEC_ADD(&field->values)->text = json_text(at);
    }
    if (field->values.len > 1)
        qsort(field->values.items, field->values.len, sizeof *field->values.items, compare_values);
    for (size_t i = 0; i < field->values.len; i++)
        if (i == 0 || strcmp(field->values.items[i].text, field->values.items[kept - 1].text) != 0)
            field->values.items[kept++] = field->values.items[i];
    field->values.len = kept;
    name_values(im, field);
    /* Go types list what they know, and let other values in. */
    field->is_open_enum = field->is_builtin && !(mark && strcmp(mark, "closed") == 0);
    field->enum_prefix =
        text_map_unique(&im->enum_prefixes, im->arena,
                        names_upper(im->arena, arena_printf(im->arena, "%s_%s", record->name,
                                                            import_snake(im->arena, field->json))));
    return true;
}
