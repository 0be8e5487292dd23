/* SPDX-License-Identifier: Apache-2.0 */
#include "import_marker.h"

#include "import_schema.h"
#include "import_shape.h"
#include "support/c_text.h"

#include <stdarg.h>

/*
 * Every marker is written here. The parts before have refused what cannot be one; what they let
 * through all the same ends the import.
 */
void import_put_marker(import_writer *w, const char *indent, const char *format, ...)
{
    va_list args;
    str text = {0};
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    if (c_text_is_line(str_text(&text)))
        str_printf(w->out, "%s// +%s\n", indent, str_text(&text));
    else
        import_fail(w->im, "%s: this cannot be a marker: +%s", w->path, str_text(&text));
    str_free(&text);
}

/* ---- arguments ----------------------------------------------------------------------------- */

bool import_can_quote(const char *text)
{
    str plain = {0};
    bool ok;
    for (; *text; text++)
        if (*text != '\n' && *text != '\t')
            str_add_char(&plain, *text);
    ok = c_text_is_line(str_text(&plain));
    str_free(&plain);
    return ok;
}

/* Appends a text between quotes, as markers take it. */
static void put_quoted(str *out, const char *text)
{
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '\n' || *text == '\t')
            str_add(out, *text == '\n' ? "\\n" : "\\t");
        else if (*text == '"' || *text == '\\')
            str_printf(out, "\\%c", *text);
        else
            str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

void import_put_arg(str *out, const char *name, const char *value, bool is_quoted)
{
    if (!value)
        return;
    str_printf(out, "%s%s=", out->len ? "," : "", name);
    if (is_quoted)
        put_quoted(out, value);
    else
        str_add(out, value);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* The names of a schema's members, which many lists may ask for. */
static const text_map *properties_of(import_writer *w, const json_value *schema)
{
    arena *in = w->im->arena;
    text_map **known =
        (text_map **)text_map_at(&w->im->properties, in, import_address(w->im, schema));
    if (*known)
        return *known;
    *known = arena_alloc(in, sizeof **known);
    for (const json_value *at = import_properties(schema); at; at = json_next(at))
        text_map_add(*known, in, json_key(at));
    return *known;
}

bool import_has_key(import_writer *w, const json_value *schema, const import_shape *list,
                    const json_value *key)
{
    const char *name;
    if (json_kind_of(key) != JSON_STRING || !list->holds_structs ||
        !import_can_be_member(json_text(key)))
        return false;
    if (list->record)
        return text_map_has(&list->record->json_members, json_text(key));
    /* Another header's: what the document says of it must do. */
    schema = import_resolve(w->im, schema, w->path, &name);
    schema = import_resolve(w->im, json_get(schema, "items"), w->path, &name);
    return text_map_has(properties_of(w, schema), json_text(key));
}
