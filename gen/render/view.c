/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include "front/names.h"
#include "support/arena.h"
#include "support/c_text.h"
#include "support/str.h"
#include "support/text_list.h"
#include "support/text_map.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 32 }; /* KUBE_FIELD_KEY_SIZE */

typedef struct view {
    const model_package *package;
    arena *arena; /* texts made on the way */
    json_value *root;
    text_list includes; /* headers of what methods send and get */
} view;

/* KUBE_KIND_… of each kind, without that beginning. */
static const char *const kind_names[] = {
    [MODEL_STRING] = "STRING",
    [MODEL_BOOL] = "BOOL",
    [MODEL_INT32] = "INT32",
    [MODEL_INT64] = "INT64",
    [MODEL_DOUBLE] = "DOUBLE",
    [MODEL_OPT_BOOL] = "OPT_BOOL",
    [MODEL_OPT_INT32] = "OPT_INT32",
    [MODEL_OPT_INT64] = "OPT_INT64",
    [MODEL_OPT_DOUBLE] = "OPT_DOUBLE",
    [MODEL_TIME] = "TIME",
    [MODEL_MICRO_TIME] = "MICRO_TIME",
    [MODEL_DURATION] = "DURATION",
    [MODEL_QUANTITY] = "QUANTITY",
    [MODEL_INT_OR_STRING] = "INT_OR_STRING",
    [MODEL_BYTES] = "BYTES",
    [MODEL_RAW_JSON] = "RAW_JSON",
    [MODEL_STRUCT] = "STRUCT",
    [MODEL_STRUCT_PTR] = "STRUCT_PTR",
    [MODEL_LIST] = "LIST",
    [MODEL_MAP] = "MAP",
    [MODEL_STRING_LIST] = "STRING_LIST",
    [MODEL_STRING_MAP] = "STRING_MAP",
};

static const char *upper(view *v, const char *text)
{
    char *copy = arena_strdup(v->arena, text);
    char *c;
    for (c = copy; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    return copy;
}

/* A name for statics: without the package's prefix, which the file stands for. */
static const char *local_name(const view *v, const char *name)
{
    size_t len = strlen(v->package->prefix);
    if (str_has_prefix(name, v->package->prefix) && name[len] == '_' && name[len + 1])
        return name + len + 1;
    return name;
}

static const char *schema_name(view *v, const model_type *type)
{
    if (type->record)
        return arena_printf(v->arena, "%s_schema", type->record->name);
    if (type->container)
        return arena_printf(v->arena, "%s_schema", type->container->name);
    return NULL;
}

static const char *c_type(view *v, const model_type *type)
{
    if (type->kind == MODEL_STRUCT_PTR)
        return arena_printf(v->arena, "%s *", type->c_name);
    return type->c_name;
}

/* Whether the type that a row must have is not the one of its kind: a list of typedefs has its own.
 */
static bool has_own_type(const model_type *type)
{
    return type->kind == MODEL_STRING_LIST  ? strcmp(type->c_name, "kube_string_list") != 0
           : type->kind == MODEL_STRING_MAP ? strcmp(type->c_name, "kube_string_map") != 0
                                            : type->record || type->container;
}

/* Schemas in the order of their first use, and their indexes, counted from one. */
typedef struct sub_list {
    text_list names;
    text_map indexes;
} sub_list;

static size_t index_of(view *v, sub_list *subs, const char *name)
{
    void **index = text_map_at(&subs->indexes, v->arena, name);
    if (!*index) {
        *VEC_ADD(&subs->names) = name;
        *index = (void *)(uintptr_t)subs->names.len;
    }
    return (size_t)(uintptr_t)*index - 1;
}

static const char *quoted(view *v, const char *text)
{
    str literal = {0};
    const char *copy;
    c_text_literal(&literal, text);
    copy = arena_strdup(v->arena, str_text(&literal));
    str_free(&literal);
    return copy;
}

/* The first flag without KUBE_FIELD_, which the row's macro adds, the others with it. */
static const char *flags_text(view *v, const model_field *field)
{
    const struct {
        bool set;
        const char *name;
    } flags[] = {
        {field->optional && !field->send_empty, "OPTIONAL"},
        {field->intern, "INTERN"},
        {field->server_set, "SERVER"},
        {field->status, "STATUS"},
        {field->managed_fields, "MANAGED"},
    };
    const char *text = NULL;
    size_t i;

    for (i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].set)
            text = text ? arena_printf(v->arena, "%s | KUBE_FIELD_%s", text, flags[i].name)
                        : flags[i].name;
    return text ? text : "REQUIRED";
}

static void add_field(view *v, json_value *fields, const model_struct *record,
                      const model_member *member, size_t index, sub_list *subs)
{
    const model_field *field = member->field;
    json_value *row = json_push(fields, json_object());
    const char *key = arena_printf(v->arena, "\"%s\":", field->json);
    const char *sub = schema_name(v, &field->type);
    bool is_long = strlen(key) > KEY_SIZE;
    json_set_text(row, "struct", record->name);
    json_set_text(row, "member", member->path);
    json_set_text(row, "json", quoted(v, field->json));
    json_set_text(row, "kind", kind_names[field->type.kind]);
    json_set_text(row, "flags", flags_text(v, field));
    json_set_flag(row, "has_type", has_own_type(&field->type));
    json_set_format(row, "sub", "%zu", sub ? index_of(v, subs, sub) : 0);
    json_set_text(row, "type", c_type(v, &field->type));
    json_set_format(row, "index", "%zu", index);
    json_set_flag(row, "long", is_long);
    if (is_long) {
        json_set_text(row, "key", quoted(v, key));
        json_set_text(row, "head", quoted(v, arena_strndup(v->arena, key, KEY_SIZE)));
        json_set_format(row, "key_len", "%zu", strlen(key));
    }
}

static json_value *struct_view(view *v, const model_struct *record)
{
    json_value *row = json_object();
    json_value *fields = json_array();
    sub_list subs = {0};
    str list = {0};
    bool has_long = false;
    size_t i;
    json_set_text(row, "struct", record->name);
    json_set_text(row, "local", local_name(v, record->name));
    json_set_format(row, "schema", "%s_schema", record->name);
    for (i = 0; i < record->member_len; i++) {
        add_field(v, fields, record, &record->members[i], i, &subs);
        has_long |= strlen(record->members[i].field->json) + 3 > KEY_SIZE;
    }
    for (i = 0; i < subs.names.len; i++)
        str_printf(&list, "%s&%s", i ? ", " : "", subs.names.items[i]);
    json_set_flag(row, "has_fields", record->member_len > 0);
    json_set_flag(row, "has_long_keys", has_long);
    json_set_flag(row, "has_subs", subs.names.len > 0);
    json_set_text(row, "subs", str_text(&list));
    json_set_text(row, "subs_table",
                  subs.names.len ? arena_printf(v->arena, "%s_subs", local_name(v, record->name))
                                 : "NULL");
    json_set_text(row, "macro", record->extra ? "KUBE_OPEN_STRUCT_SCHEMA" : "KUBE_STRUCT_SCHEMA");
    json_set_text(row, "extra", record->extra);
    json_set(row, "fields", fields);
    str_free(&list);
    free(subs.names.items);
    return row;
}

/* Lists and maps, those that others hold first: their schemas are static. */
static void add_container(view *v, json_value *rows, const model_container *container,
                          text_map *done)
{
    static const char *const macros[2][2] = {{"KUBE_LIST_SCHEMA", "KUBE_LIST_SCHEMA_OF"},
                                             {"KUBE_MAP_SCHEMA", "KUBE_MAP_SCHEMA_OF"}};
    const model_type *element = &container->element;
    bool has_sub = element->record || element->container;
    json_value *row;
    if (element->container)
        add_container(v, rows, element->container, done);
    if (!text_map_add(done, v->arena, container->name))
        return;
    row = json_push(rows, json_object());
    json_set_text(row, "name", container->name);
    json_set_text(row, "schema", schema_name(v, &(model_type){.container = container}));
    json_set_text(row, "macro", macros[container->kind == MODEL_MAP][has_sub]);
    json_set_text(row, "parts",
                  container->kind == MODEL_MAP ? "KUBE_MAP_PARTS" : "KUBE_LIST_PARTS");
    json_set_flag(row, "has_type", !has_sub && has_own_type(element));
    json_set_text(row, "element", c_type(v, element));
    json_set_text(row, "element_kind", kind_names[element->kind]);
    json_set_text(row, "entry", container->entry);
    json_set_flag(row, "has_sub", has_sub);
}

/*
 * Notes the schema of a struct that must be declared first: neither <kube/generated.h> nor the
 * API's own register.h does, and shared structs have no register.h.
 */
static void note_foreign(view *v, text_list *names, const model_type *type)
{
    if (type->record && (type->record->foreign || !v->package->group) &&
        !str_has_prefix(type->record->include, "kube/"))
        *VEC_ADD(names) = schema_name(v, type);
}

static void add_foreign(view *v)
{
    json_value *rows = json_set(v->root, "foreign", json_array());
    const model_package *package = v->package;
    text_list names = {0};
    size_t i;
    size_t j;
    for (i = 0; i < package->struct_len; i++)
        for (j = 0; j < package->structs[i]->member_len; j++)
            note_foreign(v, &names, &package->structs[i]->members[j].field->type);
    for (i = 0; i < package->container_len; i++)
        note_foreign(v, &names, &package->containers[i]->element);
    text_list_sort(&names);
    for (i = 0; i < names.len; i++)
        json_set_text(json_push(rows, json_object()), "schema", names.items[i]);
    json_set_flag(v->root, "has_foreign", names.len > 0);
    free(names.items);
}

static void add_doc(json_value *row, const char *doc)
{
    json_value *lines = json_set(row, "doc", json_array());
    while (*doc) {
        size_t len = strcspn(doc, "\n");
        str line = {0};
        str_add(&line, len ? " " : "");
        c_text_comment(&line, doc, len);
        json_set_text(json_push(lines, json_object()), "line", str_text(&line));
        str_free(&line);
        doc += len + (doc[len] == '\n');
    }
}

static void add_verbs(view *v, json_value *row, unsigned verbs)
{
    json_value *set = verbs ? json_set(row, "verbs", json_object()) : NULL;
    for (size_t i = 0; set && model_verb_names[i]; i++) {
        unsigned bit = 1U << i;
        const char *name = names_snake(v->arena, model_verb_names[i]);
        json_value *verb = json_set(set, name, verbs & bit ? json_object() : json_bool(false));
        if (verbs & bit) {
            json_set_text(verb, "verb", name);
            json_set_text(verb, "options",
                          bit & (MODEL_APPLY | MODEL_APPLY_STATUS) ? "kube_apply_options"
                                                                   : "kube_write_options");
        }
    }
}

static void add_method(view *v, json_value *methods, const model_method *method)
{
    bool reads = strcmp(method->verb, "get") == 0;
    bool applies = strcmp(method->verb, "apply") == 0;
    json_value *row = json_push(methods, json_object());
    json_set_text(row, "method", method->name);
    json_set_text(row, "verb", method->verb);
    json_set_text(row, "right", applies ? "patch" : method->verb);
    json_set_flag(row, "reads", reads);
    json_set_flag(row, "writes", !reads);
    json_set_text(row, "subresource", quoted(v, method->subresource));
    json_set_text(row, "part", method->subresource);
    json_set_text(row, "input", method->input.c_name);
    json_set_text(row, "result", method->result.c_name);
    json_set_text(row, "options",
                  reads     ? "kube_get_options"
                  : applies ? "kube_apply_options"
                            : "kube_write_options");
    if (method->input.include)
        *VEC_ADD(&v->includes) = method->input.include;
    if (method->result.include)
        *VEC_ADD(&v->includes) = method->result.include;
}

/* What the types of methods need, each header once. */
static void add_includes(view *v, bool has_methods)
{
    json_value *rows = json_set(v->root, "includes", json_array());
    if (has_methods)
        *VEC_ADD(&v->includes) = "kube/subresource.h";
    text_list_sort(&v->includes);
    for (size_t i = 0; i < v->includes.len; i++)
        json_set_text(json_push(rows, json_object()), "header", v->includes.items[i]);
    free(v->includes.items);
}

static const char *status_member(const model_struct *record)
{
    size_t i;
    for (i = 0; i < record->member_len; i++)
        if (record->members[i].field->status)
            return record->members[i].path;
    return NULL;
}

static json_value *kind_view(view *v, const model_resource *resource)
{
    const unsigned reads = MODEL_GET | MODEL_LIST_VERB;
    const unsigned follows = MODEL_LIST_VERB | MODEL_WATCH;
    const char *name = resource->record->name;
    json_value *row = json_object();
    json_value *methods = json_set(row, "methods", json_array());
    json_set_text(row, "type", name);
    json_set_text(row, "local", local_name(v, name));
    json_set_text(row, "macro", upper(v, name));
    json_set_text(row, "kind", resource->kind);
    json_set_text(row, "list_kind", resource->list_kind);
    json_set_text(row, "resource", resource->plural);
    json_set_text(row, "singular", resource->singular);
    json_set_text(row, "list_type", resource->c_list);
    json_set_text(row, "plural", resource->c_plural);
    json_set_flag(row, "namespaced", resource->namespaced);
    json_set_flag(row, "has_status", resource->has_status);
    json_set_text(row, "status_member", status_member(resource->record));
    json_set_text(row, "ns_argument", resource->namespaced ? "ns" : "NULL");
    /* A lister reads what an informer keeps; it needs the verbs of both (G-20, G-23). */
    json_set_flag(row, "has_lister", (resource->verbs & reads) == reads);
    json_set_flag(row, "has_informer",
                  (resource->verbs & follows) == follows && (resource->verbs & reads) == reads);
    add_doc(row, resource->record->doc);
    add_verbs(v, row, resource->verbs);
    for (size_t i = 0; i < resource->method_len; i++)
        add_method(v, methods, &resource->methods[i]);
    return row;
}

static void add_header(view *v, const char *spdx)
{
    const model_package *package = v->package;
    const char *slash = strrchr(package->include, '/');
    const char *dir =
        slash ? arena_strndup(v->arena, package->include, (size_t)(slash - package->include)) : "";
    json_set_text(v->root, "source", package->include);
    json_set_text(v->root, "spdx", spdx);
    json_set_text(v->root, "include", package->include);
    json_set_text(v->root, "include_dir", dir);
    json_set_text(v->root, "guard", upper(v, dir));
    json_set_text(v->root, "macro_prefix", upper(v, package->prefix));
    if (!package->group)
        return;
    json_set_text(v->root, "group", package->group);
    json_set_text(v->root, "version", package->version);
    json_set_format(v->root, "api_version", "%s%s%s", package->group, *package->group ? "/" : "",
                    package->version);
}

json_value *view_new(const model_package *package, const char *spdx)
{
    view v = {.package = package, .arena = arena_new(), .root = json_object()};
    json_value *structs = json_set(v.root, "structs", json_array());
    json_value *parts = json_set(v.root, "parts", json_array()); /* structs that are no Kind */
    json_value *containers = json_set(v.root, "containers", json_array());
    json_value *kinds = json_set(v.root, "kinds", json_array());
    unsigned verbs = 0; /* of any Kind */
    bool has_methods = false;
    text_map done = {0};
    size_t i;
    add_header(&v, spdx);
    for (i = 0; i < package->struct_len; i++) {
        json_push(structs, struct_view(&v, package->structs[i]));
        if (!package->structs[i]->resource)
            json_push(parts, struct_view(&v, package->structs[i]));
    }
    json_set_flag(v.root, "has_structs", package->struct_len > 0);
    for (i = 0; i < package->container_len; i++)
        add_container(&v, containers, package->containers[i], &done);
    add_foreign(&v);
    for (i = 0; i < package->resource_len; i++) {
        json_push(kinds, kind_view(&v, package->resources[i]));
        verbs |= package->resources[i]->verbs;
        has_methods |= package->resources[i]->method_len > 0;
    }
    json_set_flag(v.root, "has_client", verbs != 0 || has_methods);
    if (verbs & (MODEL_GET_SCALE | MODEL_UPDATE_SCALE))
        *VEC_ADD(&v.includes) = "kube/scale.h";
    add_includes(&v, has_methods);
    arena_free(v.arena);
    return v.root;
}
