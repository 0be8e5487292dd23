/* SPDX-License-Identifier: Apache-2.0 */
/* The structs of the header: one for each schema with properties that a kind reaches. */
#include "front/names.h"
#include "front/symbols.h"
#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_NAME_MAX = 252 }; /* as in build.c: a schema counts `"name":` in a byte */

/* ---- what lies in another header ----------------------------------------------------------- */

bool import_is_shared(const import *im, const char *schema_name)
{
    return !im->options->own_all && import_shared_dir(im->arena, schema_name) &&
           strcmp(import_package(im->arena, schema_name), im->package) != 0;
}

/* Reads <root>/<include> where the header will be read from; "" when it is nowhere. */
static void read_shared(import *im, const char *include, str *text)
{
    const char *path = arena_printf(im->arena, "%s%s", im->root, include);
    const char *more = getenv("KUBEGEN_INCLUDE");

    if (str_read_file(text, path))
        return;
    for (size_t i = 0; i < im->options->include_dirs.len; i++)
        if (str_read_file(text, arena_printf(im->arena, "%s/%s", im->options->include_dirs.items[i],
                                             include)))
            return;
    while (more && *more) {
        size_t len = strcspn(more, ":");

        if (str_read_file(text, arena_printf(im->arena, "%.*s/%s", (int)len, more, include)))
            return;
        more += len + (more[len] == ':');
    }
}

/* Whether the other header declares what @declaration begins with. */
static bool check_shared(import *im, const char *include, const char *declaration, const char *type,
                         const char *path)
{
    str text = {0};
    bool ok = true;

    read_shared(im, include, &text);
    if (text.len == 0)
        ok = import_fail(im,
                         "%s: <%s> is not there: import it first, name its directory with -I, "
                         "or declare its structs here with --inline",
                         path, include);
    else if (!strstr(text.data, declaration))
        ok = import_fail(im, "%s: <%s> does not declare it: import that with --type %s too", path,
                         include, type);
    str_free(&text);
    return ok;
}

static void add_include(import *im, const char *include)
{
    for (size_t i = 0; i < im->includes.len; i++)
        if (strcmp(im->includes.items[i], include) == 0)
            return;
    *VEC_ADD(&im->includes) = include;
}

static const char *shared_prefix(import *im, const char *dir)
{
    size_t len = strcspn(dir, "/");

    return names_prefix(im->arena, arena_strndup(im->arena, dir, len), dir + len + 1);
}

const char *import_shared_name(import *im, const char *schema_name, const char *path)
{
    const char *dir = import_shared_dir(im->arena, schema_name);
    const char *include = arena_printf(im->arena, "%s/types.h", dir);
    const char *last = import_last(schema_name);
    const char *name =
        arena_printf(im->arena, "%s_%s", shared_prefix(im, dir), import_snake(im->arena, last));

    add_include(im, include);
    return check_shared(im, include, arena_printf(im->arena, "struct %s ", name), last, path)
               ? name
               : NULL;
}

/* ---- lists and maps ------------------------------------------------------------------------ */

/* What the runtime's headers declare. */
static bool is_declared(const char *name)
{
    static const char *const names[] = {
        "bool_list",
        "int32_t_list",
        "int64_t_list",
        "double_list",
        "kube_string_list_list",
        "kube_string_map_list",
        "bool_map",
        "int32_t_map",
        "int64_t_map",
        "double_map",
        "kube_string_list_map",
        "kube_string_map_map",
        "kube_int_or_string_list",
        "kube_raw_json_list",
        "kube_raw_json_map",
        "kube_bytes_list",
        "kube_bytes_map",
        "kube_time_list",
        "kube_duration_list",
        "kube_quantity_list",
        "kube_quantity_map",
        "kube_owner_reference_list",
        "kube_managed_fields_entry_list",
        "kube_label_selector_list",
        "kube_label_selector_requirement_list",
        "kube_field_selector_requirement_list",
        "kube_condition_list",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The header of a struct that is neither this one's nor the runtime's; NULL = it is. */
static const char *shared_include_of(import *im, const char *c_type)
{
    for (size_t i = 0; i < im->includes.len; i++) {
        const char *include = im->includes.items[i];
        const char *dir = arena_strndup(im->arena, include, strlen(include) - strlen("/types.h"));

        if (str_has_prefix(c_type, arena_printf(im->arena, "%s_", shared_prefix(im, dir))) &&
            !str_has_prefix(c_type, arena_printf(im->arena, "%s_", im->prefix)))
            return include;
    }
    return NULL;
}

const char *import_container_of(import *im, const import_shape *element, bool is_map)
{
    const char *name;
    const char *include;
    import_container *made;

    if (element->is_string)
        return is_map ? "kube_string_map" : "kube_string_list";
    name = arena_printf(im->arena, "%s_%s", element->c_type, is_map ? "map" : "list");
    include = element->record ? NULL : shared_include_of(im, element->c_type);
    if (include && element->is_struct) {
        const char *declaration = arena_printf(im->arena, "KUBE_DECLARE_%s(%s);",
                                               is_map ? "MAP" : "LIST", element->c_type);
        const char *bare =
            element->c_type +
            strlen(shared_prefix(im, arena_strndup(im->arena, include, strlen(include) - 8))) + 1;

        return check_shared(im, include, declaration,
                            arena_printf(im->arena, "%s[]", names_kind(im->arena, bare)), name)
                   ? name
                   : NULL;
    }
    if (is_declared(name))
        return name;
    for (size_t i = 0; i < im->containers.len; i++)
        if (strcmp(im->containers.items[i].name, name) == 0)
            return name;
    made = VEC_ADD(&im->containers);
    *made = (import_container){name, element->c_type, is_map, element->record};
    return name;
}

/* ---- structs ------------------------------------------------------------------------------- */

static bool is_taken(const import *im, const char *name)
{
    for (size_t i = 0; i < im->structs.len; i++)
        if (strcmp(im->structs.items[i]->name, name) == 0)
            return true;
    return false;
}

bool import_check_names(import *im)
{
    for (size_t i = 0; i < im->containers.len; i++) {
        const import_container *made = &im->containers.items[i];

        if (is_taken(im, made->name))
            return import_fail(im, "%s would be both a struct and a %s of %s", made->name,
                               made->is_map ? "map" : "list", made->element);
    }
    return true;
}

/* The first of name, name_2, name_3 that no other struct has. */
static const char *free_name(import *im, const char *name)
{
    const char *made = name;

    for (unsigned i = 2; is_taken(im, made); i++)
        made = arena_printf(im->arena, "%s_%u", name, i);
    return made;
}

/* RoleRef is not called like the function _ref of Role. */
static const char *beside_kinds(import *im, const char *name)
{
    for (size_t i = 0; i < im->structs.len; i++)
        if (im->structs.items[i]->kind && symbols_takes(im->structs.items[i]->name, name))
            return arena_printf(im->arena, "%s_value", name);
    return name;
}

static const char *struct_name(import *im, const char *schema_name, const char *hint)
{
    const char *name;
    const char *package;

    if (!schema_name)
        return free_name(im, beside_kinds(im, hint));
    name = arena_printf(im->arena, "%s_%s", im->prefix,
                        import_snake(im->arena, import_last(schema_name)));
    package = import_package(im->arena, schema_name);
    /* A namesake from elsewhere: tell them apart by the package's last word. */
    if (is_taken(im, name) && strcmp(package, im->package) != 0)
        name = arena_printf(im->arena, "%s_%s_%s", im->prefix,
                            import_snake(im->arena, import_last(package)),
                            import_snake(im->arena, import_last(schema_name)));
    return free_name(im, beside_kinds(im, name));
}

import_struct *import_struct_of(import *im, const char *schema_name, const json_value *schema,
                                const char *path, const char *hint)
{
    import_struct *made;

    for (size_t i = 0; i < im->structs.len; i++)
        if (im->structs.items[i]->schema == schema)
            return im->structs.items[i];
    made = arena_alloc(im->arena, sizeof *made);
    made->schema_name = schema_name;
    made->schema = schema;
    made->path =
        schema_name ? arena_printf(im->arena, "#/components/schemas/%s", schema_name) : path;
    made->name = struct_name(im, schema_name, hint);
    made->doc = im->options->docs ? json_text(json_get(schema, "description")) : NULL;
    *VEC_ADD(&im->structs) = made;
    return made;
}

/* ---- members ------------------------------------------------------------------------------- */

static bool is_required(const json_value *schema, const char *name)
{
    const json_value *at = json_first(json_get(schema, "required"));

    for (; at; at = json_next(at))
        if (json_kind_of(at) == JSON_STRING && strcmp(json_text(at), name) == 0)
            return true;
    return false;
}

/* kube_extra keeps what cannot be a member. */
static bool can_be_member(const char *json)
{
    return *json && strlen(json) <= JSON_NAME_MAX && strcmp(json, "-") != 0 &&
           !strpbrk(json, " \"\\`\t\r\n\f\v");
}

static const char *member_name(import *im, const import_struct *record, const char *json)
{
    const char *name = import_field_name(im->arena, json);
    const char *made = name;

    for (size_t i = 0, next = 2; i < record->fields.len; i++) {
        if (strcmp(record->fields.items[i].name, made) == 0) {
            made = arena_printf(im->arena, "%s_%zu", name, next++);
            i = (size_t)-1;
        }
    }
    return made;
}

static int compare_values(const void *a, const void *b)
{
    return strcmp(((const import_value *)a)->text, ((const import_value *)b)->text);
}

/* The names of an enum's values: IF_NOT_PRESENT. */
static void name_values(import *im, import_field *field)
{
    for (size_t i = 0; i < field->values.len; i++) {
        import_value *value = &field->values.items[i];
        const char *base =
            *value->text ? import_upper(im->arena, import_snake(im->arena, value->text)) : "EMPTY";

        value->define = base;
        for (size_t n = 0, next = 2; n < i; n++) {
            if (strcmp(field->values.items[n].define, value->define) == 0) {
                value->define = arena_printf(im->arena, "%s_%zu", base, next++);
                n = (size_t)-1;
            }
        }
    }
}

/* Strings only, and such as can stand between quotes in C as they are. */
static void read_enum(import *im, const import_struct *record, import_field *field,
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
    qsort(field->values.items, field->values.len, sizeof *field->values.items, compare_values);
    for (size_t i = 0; i < field->values.len; i++)
        if (i == 0 || strcmp(field->values.items[i].text, field->values.items[kept - 1].text) != 0)
            field->values.items[kept++] = field->values.items[i];
    field->values.len = kept;
    name_values(im, field);
    field->enum_prefix =
        import_upper(im->arena, arena_printf(im->arena, "%s_%s", record->name,
                                             import_snake(im->arena, field->json)));
}

static bool read_member(import *im, import_struct *record, const json_value *property)
{
    const char *json = json_key(property);
    const char *path = arena_printf(im->arena, "%s/properties/%s", record->path, json);
    const char *hint =
        arena_printf(im->arena, "%s_%s", record->name, import_snake(im->arena, json));
    import_field made = {.json = json, .schema = property};
    const char *name = NULL;
    const json_value *resolved;

    if (json_kind_of(property) != JSON_OBJECT)
        return import_fail(im, "%s: not a schema", path);
    made.is_required = is_required(record->schema, json);
    made.is_metadata = record->kind && strcmp(json, "metadata") == 0;
    made.doc = im->options->docs && !made.is_metadata ? json_text(json_get(property, "description"))
                                                      : NULL;
    if (!import_shape_of(im, property, path, hint, made.is_required || made.is_metadata,
                         &made.shape))
        return false;
    if (made.is_metadata && strcmp(made.shape.c_type, "kube_object_meta") != 0)
        made.shape = (import_shape){.c_type = "kube_object_meta", .is_struct = true};
    resolved = import_resolve(im, property, path, &name);
    if (!resolved)
        return false;
    made.name = member_name(im, record, json);
    read_enum(im, record, &made, json_get(property, "enum") ? property : resolved);
    *VEC_ADD(&record->fields) = made;
    return true;
}

static int compare_properties(const void *a, const void *b)
{
    return strcmp(json_key(*(const json_value *const *)a), json_key(*(const json_value *const *)b));
}

/* By name, but metadata first: what a kind is called comes before what it is. */
static bool read_members(import *im, import_struct *record)
{
    VEC(const json_value *) properties = {0};
    const json_value *metadata = json_get(json_get(record->schema, "properties"), "metadata");
    const json_value *at = import_properties(record->schema);
    bool ok = true;

    for (; at; at = json_next(at)) {
        const char *name = json_key(at);
        bool is_base = strcmp(name, "apiVersion") == 0 || strcmp(name, "kind") == 0;

        if (at != metadata && can_be_member(name) && !(record->kind && is_base))
            *VEC_ADD(&properties) = at;
    }
    if (properties.len)
        qsort(properties.items, properties.len, sizeof *properties.items, compare_properties);
    if (metadata)
        ok = read_member(im, record, metadata);
    else if (record->kind)
        ok = import_fail(im, "%s: a kind without metadata", record->path);
    for (size_t i = 0; ok && i < properties.len; i++)
        ok = read_member(im, record, properties.items[i]);
    free(properties.items);
    return ok;
}

bool import_read_struct(import *im, import_struct *record)
{
    record->state = IMPORT_OPEN;
    if (!read_members(im, record))
        return false;
    record->state = IMPORT_DONE;
    *VEC_ADD(&im->order) = record;
    return true;
}
