/* SPDX-License-Identifier: Apache-2.0 */
#include "import_enum.h"

#include "front/names.h"
#include "import_names.h"

#include <stdlib.h>
#include <string.h>

static int compare_values(const void *a, const void *b)
{
    return strcmp(((const import_value *)a)->text, ((const import_value *)b)->text);
}

/* The names of an enum's values: IF_NOT_PRESENT. */
static void name_values(importer *im, import_field *field)
{
    for (size_t i = 0; i < field->values.len; i++) {
        import_value *value = &field->values.items[i];
        const char *base =
            *value->text ? names_upper(im->arena, import_snake(im->arena, value->text)) : "EMPTY";
        value->define = base;
        for (size_t n = 0, next = 2; n < i; n++) {
            if (strcmp(field->values.items[n].define, value->define) == 0) {
                value->define = arena_printf(im->arena, "%s_%zu", base, next++);
                n = (size_t)-1;
            }
        }
    }
}

void import_read_enum(importer *im, const import_struct *record, import_field *field,
                      const json_value *schema)
{
    const json_value *at = json_first(json_get(schema, "enum"));
    size_t kept = 0;
    if (!field->shape.is_string || !at)
        return;
    for (; at; at = json_next(at)) {
        const char *text = json_kind_of(at) == JSON_STRING ? json_text(at) : NULL;
        bool plain = text != NULL;
        for (const char *c = text; plain && *c; c++)
            plain = (unsigned char)*c >= ' ' && *c != '"' && *c != '\\' && *c != '?';
        if (!plain) {
            if (json_kind_of(at) == JSON_NULL)
                continue;
            field->values.len = 0;
            return;
        }
        VEC_ADD(&field->values)->text = text;
    }
    if (field->values.len > 1)
        qsort(field->values.items, field->values.len, sizeof *field->values.items, compare_values);
    for (size_t i = 0; i < field->values.len; i++)
        if (i == 0 || strcmp(field->values.items[i].text, field->values.items[kept - 1].text) != 0)
            field->values.items[kept++] = field->values.items[i];
    field->values.len = kept;
    name_values(im, field);
    field->enum_prefix = names_upper(im->arena, arena_printf(im->arena, "%s_%s", record->name,
                                                             import_snake(im->arena, field->json)));
}
