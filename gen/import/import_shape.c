/* SPDX-License-Identifier: Apache-2.0 */
/* From schemas to C types, so that what a server sends comes out again the same: a scalar that may
 * be absent is a kube_opt_*, a struct that may be absent is a pointer. */
#include "import_shape.h"

#include "front/model.h"
#include "front/names.h"
#include "import_enum.h"
#include "import_names.h"
#include "import_schema.h"
#include "import_struct.h"
#include "support/c_text.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 200 };

/* As controller-gen and others write a resource.Quantity in place. */
static const char quantity_pattern[] = "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))";
/* As `kubegen crd` writes a metav1.Duration. */
static const char duration_pattern[] = "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|";

static bool text_is(const json_value *schema, const char *key, const char *text)
{
    const json_value *value = json_get(schema, key);
    return json_kind_of(value) == JSON_STRING && strcmp(json_text(value), text) == 0;
}

/* The type; OpenAPI 3.1 writes a list with "null" in it for what may be null. "" = none. */
static const char *type_of(const json_value *schema)
{
    const json_value *type = json_get(schema, "type");
    const char *found = "";
    if (json_kind_of(type) == JSON_STRING)
        return json_text(type);
    for (type = json_first(type); type; type = json_next(type)) {
        const char *text = json_text(type) ? json_text(type) : "";
        if (strcmp(text, "null") == 0)
            continue;
        if (*found)
            return ""; /* of several types: any */
        found = text;
    }
    return found;
}

static bool is_nullable(const json_value *schema)
{
    const json_value *type = json_first(json_get(schema, "type"));
    for (; type; type = json_next(type))
        if (json_text(type) && strcmp(json_text(type), "null") == 0)
            return true;
    return json_is_true(json_get(schema, "nullable"));
}

static bool value(import_shape *out, const char *c_type)
{
    *out = (import_shape){.c_type = c_type, .can_be_absent = true};
    return true;
}

static bool scalar(import_shape *out, const char *plain, const char *optional, bool is_required)
{
    *out = (import_shape){
        .c_type = is_required ? plain : optional,
        .can_be_absent = !is_required,
        .is_number = strcmp(plain, "bool") != 0,
        .is_scalar = true,
    };
    return true;
}

static bool string(const json_value *schema, import_shape *out)
{
    const char *pattern = json_text(json_get(schema, "pattern"));
    if (text_is(schema, "format", "byte"))
        return value(out, "kube_bytes");
    if (text_is(schema, "format", "date-time"))
        return value(out, "kube_time");
    if (pattern && str_has_prefix(pattern, duration_pattern))
        return value(out, "kube_duration");
    *out = (import_shape){.c_type = "const char *", .is_string = true, .is_scalar = true};
    return true;
}

static bool int_or_string(const json_value *schema, import_shape *out)
{
    const char *pattern = json_text(json_get(schema, "pattern"));
    return value(out, pattern && str_has_prefix(pattern, quantity_pattern) ? "kube_quantity"
                                                                           : "kube_int_or_string");
}

/* A list or map of what @element holds. */
static bool container(importer *im, const json_value *element, const char *path, const char *hint,
                      bool is_map, import_shape *out)
{
    import_shape inner;
    if (!import_shape_of(im, element, path, import_singular(im->arena, hint), true, &inner))
        return false;
    *out = (import_shape){
        .record = inner.record,
        .is_list = !is_map,
        .is_map = is_map,
        .holds_structs = inner.is_struct,
        .inner = arena_copy(im->arena, &inner, sizeof inner),
    };
    out->c_type = import_container_of(im, &inner, is_map);
    return out->c_type != NULL;
}

static bool structure(importer *im, const char *name, const json_value *schema, const char *path,
                      const char *hint, bool is_present, import_shape *out)
{
    bool known_struct;
    const char *c_type = name ? import_known(name, &known_struct) : NULL;
    import_struct *record = NULL;
    if (!c_type && name && import_is_shared(im, name)) {
        c_type = import_shared_name(im, name, path);
    }
    if (!c_type) {
        record = import_struct_of(im, name, schema, path, hint);
        if (!record)
            return false;
        if (record->kind)
            return import_fail(im,
                               "%s: the kind %s is a member here, which a kind in C cannot be: "
                               "leave out --kind %s, or give it as --type",
                               path, record->kind, record->kind);
        if (record->state == IMPORT_NEW && !import_read_struct(im, record))
            return false;
        if (record->state == IMPORT_OPEN)
            record->recursive = true;
        c_type = record->name;
    }
    *out = (import_shape){
        .c_type = c_type,
        .record = record,
        .is_struct = true,
        .is_pointer = !is_present || (record && record->state == IMPORT_OPEN),
    };
    return true;
}

static bool object(importer *im, const char *name, const json_value *schema, const char *path,
                   const char *hint, bool is_present, import_shape *out)
{
    const json_value *additional = json_get(schema, "additionalProperties");
    if (json_is_true(json_get(schema, "x-kubernetes-embedded-resource")))
        return value(out, "kube_raw_json");
    if (import_properties(schema) || (name && import_is_builtin(name) && !additional))
        return structure(im, name, schema, path, hint, is_present, out);
    if (json_kind_of(additional) == JSON_OBJECT && json_first(additional))
        return container(im, additional, arena_printf(im->arena, "%s/additionalProperties", path),
                         hint, true, out);
    return value(out, "kube_raw_json");
}

static bool is_empty_object(const json_value *value)
{
    return json_kind_of(value) == JSON_OBJECT && !json_first(value);
}

static bool read_shape(importer *im, const json_value *schema, const char *path, const char *hint,
                       bool is_required, import_shape *out)
{
    const char *name = NULL;
    const json_value *resolved = import_resolve(im, schema, path, &name);
    bool is_struct = false;
    const char *known = name ? import_known(name, &is_struct) : NULL;
    const char *type;
    if (!resolved)
        return false;
    if (known && !is_struct)
        return value(out, known);
    if (json_is_true(json_get(resolved, "x-kubernetes-int-or-string")) ||
        (text_is(resolved, "format", "int-or-string") && !im->is_exact))
        return int_or_string(resolved, out);
    type = type_of(resolved);
    is_required = is_required && !is_nullable(schema) && !is_nullable(resolved);
    if (strcmp(type, "string") == 0)
        return string(resolved, out);
    if (strcmp(type, "boolean") == 0)
        return scalar(out, "bool", "kube_opt_bool", is_required);
    if (strcmp(type, "number") == 0)
        return scalar(out, "double", "kube_opt_double", is_required);
    if (strcmp(type, "integer") == 0 && text_is(resolved, "format", "int32"))
        return scalar(out, "int32_t", "kube_opt_int32", is_required);
    if (strcmp(type, "integer") == 0)
        return scalar(out, "int64_t", "kube_opt_int64", is_required);
    if (strcmp(type, "array") == 0 && json_get(resolved, "items"))
        return container(im, json_get(resolved, "items"), arena_printf(im->arena, "%s/items", path),
                         hint, false, out);
    if (strcmp(type, "object") == 0 || (!*type && import_properties(resolved)))
        return object(
            im, name, resolved, path, hint,
            is_required || (!im->is_exact && is_empty_object(json_get(schema, "default"))), out);
    return value(out, "kube_raw_json");
}

bool import_shape_of(importer *im, const json_value *schema, const char *path, const char *hint,
                     bool is_required, import_shape *out)
{
    bool ok;
    if (im->depth == DEPTH_MAX)
        return import_fail(im, "%s: this is nested deeper than %d, or holds itself without end",
                           path, DEPTH_MAX);
    im->depth++;
    ok = read_shape(im, schema, path, hint, is_required, out);
    im->depth--;
    return ok;
}

/* ---- members ------------------------------------------------------------------------------- */

static void read_required(importer *im, import_struct *record, text_map *names)
{
    const json_value *at = json_first(json_get(record->schema, "required"));
    for (; at; at = json_next(at))
        if (json_kind_of(at) == JSON_STRING)
            text_map_add(names, im->arena, json_text(at));
}

bool import_can_be_member(const char *json)
{
    return *json && strlen(json) <= NAMES_JSON_MAX && strcmp(json, "-") != 0 &&
           !strpbrk(json, " \"\\`") && c_text_is_line(json);
}

static bool read_member(importer *im, import_struct *record, const text_map *required,
                        const text_map *names, const json_value *property)
{
    const char *json = json_key(property);
    const char *path = arena_printf(im->arena, "%s/properties/%s", record->path, json);
    const char *hint =
        arena_printf(im->arena, "%s_%s", record->name, import_snake(im->arena, json));
    import_field made = {.json = json, .schema = property};
    const char *name = NULL;
    const json_value *resolved;
    if (json_kind_of(property) != JSON_OBJECT)
        return import_fail(im, "%s: this is not a schema", path);
    made.is_required = text_map_has(required, json);
    made.is_metadata = record->kind && strcmp(json, "metadata") == 0;
    made.is_builtin = record->schema_name && import_is_builtin(record->schema_name);
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
    made.is_nullable = is_nullable(property) || is_nullable(resolved);
    made.name = text_map_get(names, json);
    if (made.shape.is_scalar)
        text_map_add(&record->json_members, im->arena, json);
    if (!import_read_enum(im, record, &made, json_get(property, "enum") ? property : resolved)) {
        free(made.values.items);
        return false;
    }
    *VEC_ADD(&record->fields) = made;
    return true;
}

/* Returns how many bytes a member has at least, without what aligns it. */
static size_t least_size(const import_shape *shape)
{
    if (shape->is_list || shape->is_map)
        return 16;
    if (shape->is_struct && !shape->is_pointer && shape->record)
        return shape->record->size;
    return strstr(shape->c_type, "bool") ? 1 : strcmp(shape->c_type, "int32_t") == 0 ? 4 : 8;
}

/* Fails where `generate` would, which could not say what in the document is too large. */
static bool check_size(importer *im, import_struct *record)
{
    for (size_t i = 0; i < record->fields.len; i++)
        record->size += least_size(&record->fields.items[i].shape);
    return (record->size <= MODEL_SIZE_MAX && record->fields.len <= MODEL_MEMBERS_MAX) ||
           import_fail(im, "%s: the struct would have more than %d bytes or %d members",
                       record->path, MODEL_SIZE_MAX, MODEL_MEMBERS_MAX);
}

/* Whether kube_object has the property. */
static bool is_base(const import_struct *record, const char *json)
{
    return record->kind && (strcmp(json, "apiVersion") == 0 || strcmp(json, "kind") == 0);
}

/* How well a name in C fits its JSON name: what is given there comes before what is equal to it. */
enum { NAME_GIVEN, NAME_EQUAL, NAME_OTHER };

static int name_rank(const char *given, const char *json, const char *name)
{
    return given ? NAME_GIVEN : strcmp(json, name) == 0 ? NAME_EQUAL : NAME_OTHER;
}

/* A name of the file, as it is if a member can be called so. */
static const char *given_name(importer *im, const char *given)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    bool is_name = c_text_is_name(given) && given[strspn(given, letters)] == '\0' &&
                   *given != '_' && !names_is_reserved(given);
    return is_name && strcmp(given, "extra") != 0 && strcmp(given, "base") != 0
               ? given
               : import_field_name(im->arena, given);
}

/* Gives the members their names in C, of which each is one's alone; @out gets them by JSON name. */
static void name_members(importer *im, import_struct *record, const import_members *properties,
                         text_map *out)
{
    for (int rank = NAME_GIVEN; rank <= NAME_OTHER; rank++) {
        for (size_t i = 0; i < properties->len; i++) {
            const json_value *property = properties->items[i];
            const char *json = json_key(property);
            const char *given =
                im->is_exact ? json_text(json_get(property, import_name_keyword)) : NULL;
            const char *name = given ? given_name(im, given) : import_field_name(im->arena, json);
            if (import_can_be_member(json) && !is_base(record, json) &&
                name_rank(given, json, name) == rank)
                *text_map_at(out, im->arena, json) =
                    (void *)text_map_unique(&record->members, im->arena, name);
        }
    }
}

/* By name, but metadata first: what a kind is called comes before what it is. */
static bool read_members(importer *im, import_struct *record)
{
    const json_value *object = json_get(record->schema, "properties");
    const json_value *metadata = json_get(object, "metadata");
    import_members properties = import_sorted_members(object);
    text_map required = {0};
    text_map names = {0};
    bool ok = true;
    name_members(im, record, &properties, &names);
    read_required(im, record, &required);
    if (metadata)
        ok = read_member(im, record, &required, &names, metadata);
    else if (record->kind)
        ok = import_fail(im, "%s: a kind needs the property metadata", record->path);
    for (size_t i = 0; ok && i < properties.len; i++) {
        const char *name = json_key(properties.items[i]);
        if (properties.items[i] != metadata && import_can_be_member(name) && !is_base(record, name))
            ok = read_member(im, record, &required, &names, properties.items[i]);
    }
    free(properties.items);
    return ok;
}

bool import_read_struct(importer *im, import_struct *record)
{
    record->state = IMPORT_OPEN;
    if (!read_members(im, record) || !check_size(im, record))
        return false;
    record->state = IMPORT_DONE;
    *VEC_ADD(&im->order) = record;
    return true;
}
