/* SPDX-License-Identifier: Apache-2.0 */
#include "import_schema.h"

#include "support/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { REF_DEPTH_MAX = 32, SCHEMA_DEPTH_MAX = 200, KEYWORDS_MAX = 256 };

/* What a schema's keyword holds. */
typedef enum keyword {
    KEYWORD_VALUE,   /* any JSON */
    KEYWORD_TEXT,    /* words for people */
    KEYWORD_SCHEMA,  /* a schema, or true or false */
    KEYWORD_SCHEMAS, /* a list of them */
    KEYWORD_NAMED,   /* an object of them */
} keyword;

static keyword keyword_of(const char *name)
{
    static const struct {
        const char *name;
        keyword is;
    } known[] = {
        {"description", KEYWORD_TEXT},
        {"title", KEYWORD_TEXT},
        {"externalDocs", KEYWORD_TEXT},
        {"example", KEYWORD_TEXT},
        {"examples", KEYWORD_TEXT},
        {"items", KEYWORD_SCHEMA},
        {"not", KEYWORD_SCHEMA},
        {"additionalProperties", KEYWORD_SCHEMA},
        {"allOf", KEYWORD_SCHEMAS},
        {"anyOf", KEYWORD_SCHEMAS},
        {"oneOf", KEYWORD_SCHEMAS},
        {"properties", KEYWORD_NAMED},
        {"definitions", KEYWORD_NAMED},
        {"patternProperties", KEYWORD_NAMED},
        {"dependentSchemas", KEYWORD_NAMED},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].is;
    return KEYWORD_VALUE;
}

const char import_name_keyword[] = "x-kubegen-name";

bool import_is_members(const char *name)
{
    static const char *const keywords[] = {"default",  "description", "example", "externalDocs",
                                           "nullable", "title",       NULL};
    return str_is_one_of(name, keywords);
}

/* ---- references ---------------------------------------------------------------------------- */

static const json_value *follow(importer *im, const json_value *ref, const char *path,
                                const char **name)
{
    const json_value *found;
    *name = openapi_ref_name(json_text(ref));
    found = *name ? openapi_schema(im->api, *name) : NULL;
    if (!found)
        import_fail(im, "%s: there is no schema %s", path,
                    json_kind_of(ref) == JSON_STRING ? json_text(ref) : "behind this $ref");
    return found;
}

const json_value *import_properties(const json_value *schema)
{
    const json_value *properties = json_get(schema, "properties");
    return json_kind_of(properties) == JSON_OBJECT ? json_first(properties) : NULL;
}

/* A schema is looked at by everything that refers to it, so it has to be small. */
static bool is_small(const json_value *list)
{
    size_t count = 0;
    for (const json_value *at = json_first(list); at && count <= KEYWORDS_MAX; at = json_next(at))
        count++;
    return count <= KEYWORDS_MAX;
}

const json_value *import_resolve(importer *im, const json_value *schema, const char *path,
                                 const char **name)
{
    for (int depth = 0; schema && depth < REF_DEPTH_MAX; depth++) {
        const json_value *ref;
        const json_value *all;
        if (!is_small(schema) || !is_small(json_get(schema, "type"))) {
            import_fail(im, "%s: a schema with more than %d keywords", path, KEYWORDS_MAX);
            return NULL;
        }
        ref = json_get(schema, "$ref");
        all = json_first(json_get(schema, "allOf"));
        if (ref)
            schema = follow(im, ref, path, name);
        else if (all && !json_next(all) && !json_get(schema, "properties"))
            schema = all;
        else
            return schema;
    }
    if (schema)
        import_fail(im, "%s: this $ref leads in a circle", path);
    return NULL;
}

/* ---- the document -------------------------------------------------------------------------- */

typedef struct closure {
    importer *im;
    text_list names; /* reached, as found */
    text_map known;  /* the same */
    str path;        /* of what is being written */
} closure;

static int compare_members(const void *a, const void *b)
{
    return strcmp(json_key(*(const json_value *const *)a), json_key(*(const json_value *const *)b));
}

import_members import_sorted_members(const json_value *object)
{
    import_members members = {0};
    for (const json_value *at = json_first(object); at; at = json_next(at))
        *VEC_ADD(&members) = at;
    if (members.len)
        qsort(members.items, members.len, sizeof *members.items, compare_members);
    return members;
}

void import_put_text(str *out, const char *text)
{
    str_add_char(out, '"');
    for (size_t len; *text; text += len) {
        uint32_t c = utf8_character(text); /* json_refuse() has let nothing else in */
        len = utf8_len(text);
        if (*text == '"' || *text == '\\')
            str_printf(out, "\\%c", *text);
        else if (utf8_is_hidden(c) && c < 0x10000)
            str_printf(out, "\\u%04x", (unsigned)c);
        else if (utf8_is_hidden(c))
            str_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)),
                       (unsigned)(0xdc00 + (c & 0x3ff)));
        else
            str_add_len(out, text, len);
    }
    str_add_char(out, '"');
}

void import_json_text(str *out, const json_value *value)
{
    import_members members = {0};
    const json_value *at;
    switch (json_kind_of(value)) {
    case JSON_NULL:
        str_add(out, "null");
        break;
    case JSON_BOOL:
        str_add(out, json_is_true(value) ? "true" : "false");
        break;
    case JSON_NUMBER:
        str_add(out, json_text(value));
        break;
    case JSON_STRING:
        import_put_text(out, json_text(value));
        break;
    case JSON_ARRAY:
        str_add_char(out, '[');
        for (at = json_first(value); at; at = json_next(at)) {
            import_json_text(out, at);
            str_add(out, json_next(at) ? "," : "");
        }
        str_add_char(out, ']');
        break;
    case JSON_OBJECT:
        members = import_sorted_members(value);
        str_add_char(out, '{');
        for (size_t i = 0; i < members.len; i++) {
            str_add(out, i ? "," : "");
            import_put_text(out, json_key(members.items[i]));
            str_add_char(out, ':');
            import_json_text(out, members.items[i]);
        }
        str_add_char(out, '}');
        break;
    }
    free(members.items);
}

static void reach(closure *c, const char *name)
{
    if (text_map_add(&c->known, c->im->arena, name))
        *VEC_ADD(&c->names) = name;
}

/* Goes one step down the path; returns where to go back to. */
static size_t descend(closure *c, const char *name)
{
    size_t before = c->path.len;
    str_printf(&c->path, "/%s", name);
    return before;
}

static void ascend(closure *c, size_t len)
{
    c->path.data[c->path.len = len] = '\0';
}

static bool put_schema(closure *c, const json_value *schema, int depth, str *out);

static bool put_schemas(closure *c, const json_value *list, int depth, str *out)
{
    size_t index = 0;
    bool ok = true;
    str_add_char(out, '[');
    for (const json_value *at = json_first(list); ok && at; at = json_next(at), index++) {
        char number[32];
        size_t before;
        snprintf(number, sizeof number, "%zu", index);
        before = descend(c, number);
        str_add(out, index ? "," : "");
        ok = put_schema(c, at, depth, out);
        ascend(c, before);
    }
    str_add_char(out, ']');
    return ok;
}

static bool put_named(closure *c, const json_value *object, int depth, str *out)
{
    import_members members = import_sorted_members(object);
    bool ok = true;
    str_add_char(out, '{');
    for (size_t i = 0; ok && i < members.len; i++) {
        const char *name = json_key(members.items[i]);
        size_t before = descend(c, name);
        str_add(out, i ? "," : "");
        import_put_text(out, name);
        str_add_char(out, ':');
        ok = put_schema(c, members.items[i], depth, out);
        ascend(c, before);
    }
    str_add_char(out, '}');
    free(members.items);
    return ok;
}

static bool put_keyword(closure *c, const json_value *member, int depth, str *out)
{
    const char *name = json_key(member);
    if (strcmp(name, "$ref") == 0) {
        const char *target;
        if (!follow(c->im, member, str_text(&c->path), &target))
            return false;
        reach(c, target);
    }
    if (keyword_of(name) == KEYWORD_SCHEMA)
        return put_schema(c, member, depth, out);
    if (keyword_of(name) == KEYWORD_SCHEMAS && json_kind_of(member) == JSON_ARRAY)
        return put_schemas(c, member, depth, out);
    if (keyword_of(name) == KEYWORD_NAMED && json_kind_of(member) == JSON_OBJECT)
        return put_named(c, member, depth, out);
    import_json_text(out, member);
    return true;
}

/* A schema without its texts. */
static bool put_schema(closure *c, const json_value *schema, int depth, str *out)
{
    import_members members;
    bool ok = true;
    bool is_first = true;
    if (json_kind_of(schema) != JSON_OBJECT) {
        import_json_text(out, schema);
        return true;
    }
    if (depth == 0)
        return import_fail(c->im, "%s: nested deeper than %d", str_text(&c->path),
                           SCHEMA_DEPTH_MAX);
    members = import_sorted_members(schema);
    str_add_char(out, '{');
    for (size_t i = 0; ok && i < members.len; i++) {
        const char *name = json_key(members.items[i]);
        size_t before;
        if (keyword_of(name) == KEYWORD_TEXT)
            continue;
        before = descend(c, name);
        str_add(out, is_first ? "" : ",");
        is_first = false;
        import_put_text(out, name);
        str_add_char(out, ':');
        ok = put_keyword(c, members.items[i], depth - 1, out);
        ascend(c, before);
    }
    str_add_char(out, '}');
    free(members.items);
    return ok;
}

typedef struct named_text {
    const char *name;
    str text;
} named_text;

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const named_text *)a)->name, ((const named_text *)b)->name);
}

bool import_write_closure(importer *im, const text_list *roots, str *out)
{
    closure c = {.im = im};
    VEC(named_text) texts = {0};
    bool ok = true;
    for (size_t i = 0; i < roots->len; i++)
        reach(&c, roots->items[i]);
    for (size_t i = 0; ok && i < c.names.len; i++) {
        named_text *made = VEC_ADD(&texts);
        made->name = c.names.items[i];
        str_clear(&c.path);
        str_printf(&c.path, "#/components/schemas/%s", made->name);
        ok = put_schema(&c, openapi_schema(im->api, made->name), SCHEMA_DEPTH_MAX, &made->text);
    }
    if (texts.len)
        qsort(texts.items, texts.len, sizeof *texts.items, compare_texts);
    str_add(out, "{\"openapi\":\"3.0.0\",\"components\":{\"schemas\":{");
    for (size_t i = 0; i < texts.len; i++) {
        str_add(out, i ? ",\n" : "\n");
        import_put_text(out, texts.items[i].name);
        str_add_char(out, ':');
        str_add(out, str_text(&texts.items[i].text));
        str_free(&texts.items[i].text);
    }
    str_add(out, "\n}}}\n");
    free(texts.items);
    free(c.names.items);
    str_free(&c.path);
    return ok;
}
