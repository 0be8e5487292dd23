/* SPDX-License-Identifier: Apache-2.0 */
#include "openapi.h"

#include "support/text_list.h"
#include "support/text_map.h"
#include "support/xalloc.h"

#include <stdlib.h>
#include <string.h>

const char openapi_gvk[] = "x-kubernetes-group-version-kind";

enum { SCHEMA_NAME_MAX = 1000 };

struct openapi {
    VEC(json_value *) documents;
    arena *arena;
    text_map schemas; /* by name */
};

openapi *openapi_new(void)
{
    openapi *api = xcalloc(1, sizeof *api);
    api->arena = arena_new();
    return api;
}

void openapi_free(openapi *api)
{
    if (!api)
        return;
    for (size_t i = 0; i < api->documents.len; i++)
        json_free(api->documents.items[i]);
    free(api->documents.items);
    arena_free(api->arena);
    free(api);
}

static const json_value *schemas_of(const json_value *document)
{
    return json_get(json_get(document, "components"), "schemas");
}

/* Returns what is wrong with a document, or NULL. */
static const char *find_fault(const json_value *document)
{
    const char *version = json_text(json_get(document, "openapi"));
    const json_value *first_path = json_first(json_get(document, "paths"));
    if (json_get(document, "swagger"))
        return "this is OpenAPI v2: take the v3 of one group, such as /openapi/v3/apis/apps/v1";
    if (!version && json_get(first_path, "serverRelativeURL"))
        return "this is the index of documents: take one of them, such as /openapi/v3/apis/apps/v1";
    if (!version || !str_has_prefix(version, "3."))
        return "not an OpenAPI v3 document";
    if (json_kind_of(schemas_of(document)) != JSON_OBJECT)
        return "the document has no components.schemas";
    return NULL;
}

/* A manifest, which people take for the document of the API that it declares. */
static bool is_yaml(const char *text)
{
    return str_has_prefix(text, "---") || str_has_prefix(text, "apiVersion:") ||
           strstr(text, "\napiVersion:");
}

static void say_no_json(const char *name, const char *text, size_t at, str *error)
{
    if (text[strspn(text, " \t\r\n")] == '\0')
        str_printf(error, "%s: it is empty", name);
    else if (is_yaml(text))
        str_printf(error, "%s: this is YAML: 'kubegen import crd' reads CRDs", name);
    else
        str_printf(error, "%s: not JSON, at byte %zu", name, at);
}

/*
 * Whether every object has each of its members once. Otherwise @path, which leads to @value, gets
 * that of the second one.
 */
static bool has_no_repeats(const json_value *value, str *path)
{
    bool is_object = json_kind_of(value) == JSON_OBJECT;
    arena *in = is_object ? arena_new() : NULL;
    size_t before = path->len;
    text_map keys = {0};
    bool ok = true;
    size_t index = 0;
    for (const json_value *at = json_first(value); ok && at; at = json_next(at), index++) {
        if (is_object)
            str_printf(path, "/%s", json_key(at));
        else
            str_printf(path, "/%zu", index);
        ok = (!is_object || text_map_add(&keys, in, json_key(at))) && has_no_repeats(at, path);
        if (ok)
            path->data[path->len = before] = '\0';
    }
    arena_free(in);
    return ok;
}

/* Returns what is wrong with the names in a document, or NULL; @path gets the place. */
static const char *find_name_fault(const json_value *document, str *path)
{
    str_add_char(path, '#');
    if (!has_no_repeats(document, path))
        return "this member is there twice";
    for (const json_value *at = json_first(schemas_of(document)); at; at = json_next(at)) {
        if (strlen(json_key(at)) <= SCHEMA_NAME_MAX)
            continue;
        str_clear(path);
        str_add(path, "#/components/schemas");
        return "a schema's name is longer than 1000 bytes";
    }
    return NULL;
}

static void index_schemas(openapi *api, const json_value *document)
{
    for (const json_value *at = json_first(schemas_of(document)); at; at = json_next(at)) {
        const json_value **known =
            (const json_value **)text_map_at(&api->schemas, api->arena, json_key(at));
        if (!*known)
            *known = at;
    }
}

bool openapi_add(openapi *api, const char *name, const str *text, str *error)
{
    size_t at = 0;
    const char *fault = json_refuse(str_text(text), text->len, &at);
    json_value *document = fault ? NULL : json_parse(str_text(text), &at);
    str path = {0};
    if (strcmp(name, "-") == 0)
        name = "standard input";
    if (fault)
        str_printf(error, "%s: %s, at byte %zu", name, fault, at);
    else if (!document)
        say_no_json(name, str_text(text), at, error);
    else if ((fault = find_fault(document)))
        str_printf(error, "%s: %s", name, fault);
    else if ((fault = find_name_fault(document, &path)))
        str_printf(error, "%s: %s: %s", name, str_text(&path), fault);
    str_free(&path);
    if (error->len) {
        json_free(document);
        return false;
    }
    openapi_add_tree(api, document);
    return true;
}

void openapi_add_tree(openapi *api, json_value *document)
{
    *VEC_ADD(&api->documents) = document;
    index_schemas(api, document);
}

const json_value *openapi_schema(const openapi *api, const char *name)
{
    return text_map_get(&api->schemas, name);
}

const char *openapi_ref_name(const char *ref)
{
    static const char prefix[] = "#/components/schemas/";
    return ref && str_has_prefix(ref, prefix) && ref[sizeof prefix - 1] ? ref + sizeof prefix - 1
                                                                        : NULL;
}

static bool text_is(const json_value *object, const char *key, const char *text)
{
    const char *value = json_text(json_get(object, key));
    return strcmp(value ? value : "", text) == 0;
}

bool openapi_is_kind(const json_value *gvk, const char *group, const char *version,
                     const char *kind)
{
    return text_is(gvk, "group", group) && text_is(gvk, "version", version) &&
           (!kind || text_is(gvk, "kind", kind));
}

/* The entry of a schema's kinds that is of this group and version; any kind when @kind is NULL. */
static const json_value *find_gvk(const json_value *schema, const char *group, const char *version,
                                  const char *kind)
{
    const json_value *gvk = json_first(json_get(schema, openapi_gvk));
    for (; gvk; gvk = json_next(gvk))
        if (openapi_is_kind(gvk, group, version, kind))
            return gvk;
    return NULL;
}

const char *openapi_find_kind(const openapi *api, const char *group, const char *version,
                              const char *kind)
{
    for (size_t i = 0; i < api->documents.len; i++) {
        const json_value *schema = json_first(schemas_of(api->documents.items[i]));
        for (; schema; schema = json_next(schema))
            if (find_gvk(schema, group, version, kind))
                return json_key(schema);
    }
    return NULL;
}

/* Appends the names, sorted and each once, and frees the list; returns how many there were. */
static size_t join(text_list *names, str *out)
{
    size_t count;
    text_list_sort(names);
    count = names->len;
    for (size_t i = 0; i < count; i++)
        str_printf(out, "%s%s", i ? ", " : "", names->items[i]);
    free(names->items);
    return count;
}

/* DeleteOptions and the like are kinds of every group. */
static bool is_of_all_groups(const json_value *schema)
{
    return str_has_prefix(json_key(schema), "io.k8s.apimachinery.");
}

static bool is_list(const json_value *schema)
{
    const json_value *properties = json_get(schema, "properties");
    return str_has_suffix(json_key(schema), "List") && json_get(properties, "items") &&
           json_get(properties, "metadata");
}

size_t openapi_list_kinds(const openapi *api, const char *group, const char *version, str *out)
{
    text_list names = {0};
    for (size_t i = 0; i < api->documents.len; i++) {
        const json_value *schema = json_first(schemas_of(api->documents.items[i]));
        for (; schema; schema = json_next(schema)) {
            const json_value *gvk = find_gvk(schema, group, version, NULL);
            const char *kind = json_text(json_get(gvk, "kind"));
            if (kind && !is_of_all_groups(schema) && !is_list(schema))
                *VEC_ADD(&names) = kind;
        }
    }
    return join(&names, out);
}

void openapi_list_versions(const openapi *api, str *out)
{
    text_list names = {0};
    text_list texts = {0};
    for (size_t i = 0; i < api->documents.len; i++) {
        const json_value *schema = json_first(schemas_of(api->documents.items[i]));
        for (; schema; schema = json_next(schema)) {
            const json_value *gvk = json_first(json_get(schema, openapi_gvk));
            const char *group = json_text(json_get(gvk, "group"));
            const char *version = json_text(json_get(gvk, "version"));
            str text = {0};
            if (!version || is_of_all_groups(schema))
                continue;
            if (group && *group)
                str_printf(&text, "%s/", group);
            str_add(&text, version);
            *VEC_ADD(&names) = *VEC_ADD(&texts) = text.data;
        }
    }
    join(&names, out);
    for (size_t i = 0; i < texts.len; i++)
        free((char *)texts.items[i]);
    free(texts.items);
}

void openapi_each_path(const openapi *api,
                       void (*visit)(void *arg, const char *path, const json_value *item),
                       void *arg)
{
    for (size_t i = 0; i < api->documents.len; i++) {
        const json_value *item = json_first(json_get(api->documents.items[i], "paths"));
        for (; item; item = json_next(item))
            visit(arg, json_key(item), item);
    }
}
