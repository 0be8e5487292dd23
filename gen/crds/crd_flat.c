/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_flat.h"

#include "front/literal.h"
#include "front/names.h"
#include "import/import_schema.h"
#include "support/text_list.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    str *out;
    str line; /* "Widget.toys.example.com/v1", and the path of the node at hand */
} writer;

static void put_node(writer *w, const json_value *schema, bool is_root);

static bool text_is(const json_value *value, const char *text)
{
    return json_kind_of(value) == JSON_STRING && strcmp(json_text(value), text) == 0;
}

/* ---- values -------------------------------------------------------------------------------- */

/* One spelling for each number. */
static void put_number(str *out, const char *text)
{
    if (literal_is_whole(text))
        str_add(out, text);
    else
        str_printf(out, "%.17g", strtod(text, NULL));
}

static void put_value(str *out, const json_value *value)
{
    bool is_object = json_kind_of(value) == JSON_OBJECT;
    import_members members = {0};
    if (json_kind_of(value) == JSON_NUMBER) {
        put_number(out, json_text(value));
        return;
    }
    if (!is_object && json_kind_of(value) != JSON_ARRAY) {
        import_json_text(out, value);
        return;
    }
    if (is_object) {
        members = import_sorted_members(value);
    } else {
        for (const json_value *at = json_first(value); at; at = json_next(at))
            *VEC_ADD(&members) = at;
    }
    str_add_char(out, is_object ? '{' : '[');
    for (size_t i = 0; i < members.len; i++) {
        if (is_object && strcmp(json_key(members.items[i]), "description") == 0 &&
            json_kind_of(members.items[i]) == JSON_STRING)
            continue;
        if (is_object)
            import_put_text(out, json_key(members.items[i]));
        str_add(out, is_object ? ":" : "");
        put_value(out, members.items[i]);
        str_add_char(out, ' ');
    }
    str_add_char(out, is_object ? '}' : ']');
    free(members.items);
}

/* A list whose order says nothing. */
static void put_set(str *out, const json_value *list)
{
    text_list texts = {0};
    text_list owned = {0};
    for (const json_value *at = json_first(list); at; at = json_next(at)) {
        str text = {0};
        put_value(&text, at);
        *VEC_ADD(&texts) = *VEC_ADD(&owned) = text.data;
    }
    text_list_sort(&texts);
    str_add_char(out, '[');
    for (size_t i = 0; i < texts.len; i++)
        str_printf(out, "%s ", texts.items[i]);
    str_add_char(out, ']');
    for (size_t i = 0; i < owned.len; i++)
        free((char *)owned.items[i]);
    free(texts.items);
    free(owned.items);
}

/* ---- schemas ------------------------------------------------------------------------------- */

/* "integer or string", which x-kubernetes-int-or-string says already. */
static bool is_either(const json_value *any)
{
    const json_value *first = json_first(any);
    const json_value *second = first ? json_next(first) : NULL;
    return second && !json_next(second) && text_is(json_get(first, "type"), "integer") &&
           text_is(json_get(second, "type"), "string");
}

/* Whether a keyword only states the default. */
static bool is_void(const json_value *schema, const json_value *keyword)
{
    const char *name = json_key(keyword);
    if (json_kind_of(keyword) == JSON_BOOL)
        return !json_is_true(keyword) && strcmp(name, "default") != 0 &&
               strcmp(name, "example") != 0;
    if (strcmp(name, "description") == 0)
        return true;
    if (strcmp(name, "required") == 0)
        return !json_first(keyword);
    if (strcmp(name, "anyOf") == 0)
        return json_is_true(json_get(schema, "x-kubernetes-int-or-string")) && is_either(keyword);
    return (strcmp(name, "x-kubernetes-list-type") == 0 && text_is(keyword, "atomic")) ||
           (strcmp(name, "x-kubernetes-map-type") == 0 && text_is(keyword, "granular"));
}

static bool is_child(const json_value *keyword)
{
    static const char *const names[] = {"properties", "items", "additionalProperties", NULL};
    return str_is_one_of(json_key(keyword), names) && json_kind_of(keyword) == JSON_OBJECT;
}

static void put_keywords(writer *w, const json_value *schema)
{
    import_members members = import_sorted_members(schema);
    str_add(w->out, str_text(&w->line));
    for (size_t i = 0; i < members.len; i++) {
        const json_value *at = members.items[i];
        const char *name = json_key(at);
        if (is_child(at) || is_void(schema, at))
            continue;
        str_printf(w->out, " %s=", name);
        if (strcmp(name, "required") == 0 || strcmp(name, "enum") == 0)
            put_set(w->out, at);
        else
            put_value(w->out, at);
    }
    str_add_char(w->out, '\n');
    free(members.items);
}

static void put_child(writer *w, const char *before, const char *name, const json_value *schema)
{
    size_t len = w->line.len;
    str_add(&w->line, before);
    if (name)
        import_put_text(&w->line, name);
    put_node(w, schema, false);
    w->line.data[w->line.len = len] = '\0';
}

/* Members of every object, of which servers know all. */
static bool is_usual(const json_value *member)
{
    const char *name = json_key(member);
    return strcmp(name, "apiVersion") == 0 || strcmp(name, "kind") == 0 ||
           (strcmp(name, "metadata") == 0 && text_is(json_get(member, "type"), "object") &&
            !json_get(member, "properties"));
}

static void put_node(writer *w, const json_value *schema, bool is_root)
{
    import_members members = import_sorted_members(json_get(schema, "properties"));
    const json_value *items = json_get(schema, "items");
    const json_value *values = json_get(schema, "additionalProperties");
    put_keywords(w, schema);
    for (size_t i = 0; i < members.len; i++)
        if (!is_root || !is_usual(members.items[i]))
            put_child(w, ".", json_key(members.items[i]), members.items[i]);
    if (json_kind_of(items) == JSON_OBJECT)
        put_child(w, "[]", NULL, items);
    if (json_kind_of(values) == JSON_OBJECT)
        put_child(w, "{}", NULL, values);
    free(members.items);
}

/* ---- what stands beside the schema --------------------------------------------------------- */

static void put_fact(writer *w, const char *name, const json_value *value)
{
    bool is_held = json_kind_of(value) == JSON_ARRAY || json_kind_of(value) == JSON_OBJECT;
    if (!value || (is_held && !json_first(value)))
        return;
    str_printf(w->out, "%s %s: ", str_text(&w->line), name);
    import_json_text(w->out, value);
    str_add_char(w->out, '\n');
}

static void put_names(writer *w, const crd_version *version)
{
    const json_value *names = json_get(version->spec, "names");
    const char *singular = json_text(json_get(names, "singular"));
    const char *list = json_text(json_get(names, "listKind"));
    arena *in = arena_new();
    str_printf(w->out, "%s: %s %s %s %s\n", str_text(&w->line), version->plural,
               singular && *singular ? singular : names_lower(in, version->kind),
               list && *list ? list : arena_printf(in, "%sList", version->kind),
               version->namespaced ? "Namespaced" : "Cluster");
    put_fact(w, "shortNames", json_get(names, "shortNames"));
    put_fact(w, "categories", json_get(names, "categories"));
    arena_free(in);
}

static void put_columns(writer *w, const json_value *columns)
{
    for (const json_value *at = json_first(columns); at; at = json_next(at)) {
        json_value *column = json_copy(at);
        if (text_is(json_get(column, "description"), ""))
            json_drop(column, "description");
        if (json_text(json_get(column, "priority")) &&
            strcmp(json_text(json_get(column, "priority")), "0") == 0)
            json_drop(column, "priority");
        put_fact(w, "column", column);
        json_free(column);
    }
}

void crd_flat_add(const crd_version *version, str *out)
{
    writer w = {.out = out};
    str_printf(&w.line, "%s.%s/%s", version->kind, version->group, version->version);
    put_names(&w, version);
    str_printf(out, "%s:%s%s%s\n", str_text(&w.line),
               json_is_true(json_get(version->node, "served")) ? " served" : "",
               json_is_true(json_get(version->node, "storage")) ? " stored" : "",
               json_is_true(json_get(version->node, "deprecated")) ? " deprecated" : "");
    put_fact(&w, "deprecationWarning", json_get(version->node, "deprecationWarning"));
    put_fact(&w, "subresources", json_get(version->node, "subresources"));
    put_fact(&w, "selectableFields", json_get(version->node, "selectableFields"));
    put_columns(&w, json_get(version->node, "additionalPrinterColumns"));
    str_add(&w.line, " ");
    put_node(&w, version->schema, true);
    str_free(&w.line);
}
