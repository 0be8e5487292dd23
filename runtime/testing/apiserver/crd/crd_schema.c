/* SPDX-License-Identifier: Apache-2.0 */
/* The keywords of a CRD's schema: which may be there at all, and which fit together. */
#include "apiserver/core/field_error.h"
#include "apiserver/schema/keyword.h"
#include "apiserver/schema/schema.h"
#include "crd_rules.h"

#include <string.h>

/* Why a default may not stand where the walk is; NULL = it may. */
typedef struct where {
    const char *no_default;
    bool in_meta;
} where;

static void check(kube__api_causes *causes, const kube__json *schema, const char *path,
                  bool is_root, where at);

static const char *text_at(const kube__json *schema, const char *keyword)
{
    return kube__json_string_or(kube__json_get(schema, keyword), "");
}

static bool is_true(const kube__json *schema, const char *keyword)
{
    return kube__json_is_true(kube__json_get(schema, keyword));
}

static bool has_members(const kube__json *value)
{
    return value && value->kind != KUBE__JSON_NULL && value->first;
}

static void refuse(kube__api_causes *causes, const kube__json *value, const char *path,
                   const char *keyword, const char *why)
{
    kube__api_cause_invalid(causes, kube__api_text(causes->ctx, "%s.%s", path, keyword), value,
                            "%s", why);
}

/* ---- keywords that are not supported -------------------------------------------------------- */

static void check_standard(kube__api_causes *causes, const kube__json *schema, const char *path,
                           where at)
{
    static const char *const types[] = {"array",  "boolean", "integer", "number",
                                        "object", "string",  NULL};
    static const char *const unsupported[] = {"patternProperties", "definitions"};
    static const char *const undefined[] = {"additionalItems", "dependencies", "$ref"};
    const kube__json *type = kube__json_get(schema, "type");
    const char *name = kube__json_string_or(type, "");
    const char *const *known = types;
    while (*known && strcmp(*known, name) != 0)
        known++;
    if (name[0] && !*known)
        kube__api_cause_unsupported(causes, kube__api_text(causes->ctx, "%s.type", path), type,
                                    types);
    const kube__json *value = kube__json_get(schema, "default");
    if (value && value->kind != KUBE__JSON_NULL && at.no_default)
        kube__api_rules_forbid(causes, path, "default",
                               kube__api_text(causes->ctx, "must not be set%s%s",
                                              at.no_default[0] ? " " : "", at.no_default));
    if (text_at(schema, "id")[0])
        kube__api_rules_forbid(causes, path, "id", "id is not supported");
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        if (has_members(kube__json_get(schema, unsupported[i])))
            kube__api_rules_forbid(
                causes, path, unsupported[i],
                kube__api_text(causes->ctx, "%s is not supported", unsupported[i]));
    }
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++) {
        const kube__json *keyword = kube__json_get(schema, undefined[i]);
        if (keyword && keyword->kind != KUBE__JSON_NULL)
            kube__api_rules_forbid(
                causes, path, undefined[i],
                kube__api_text(causes->ctx, "%s is not supported", undefined[i]));
    }
    if (strcmp(name, "null") == 0)
        kube__api_rules_forbid(causes, path, "type",
                               "type cannot be set to null, use nullable as an alternative");
    if (kube__json_is(kube__json_get(schema, "items"), KUBE__JSON_ARRAY))
        kube__api_rules_forbid(causes, path, "items",
                               "items must be a schema object and not an array");
    if (at.in_meta && is_true(schema, "x-kubernetes-embedded-resource"))
        kube__api_rules_forbid(causes, path, "x-kubernetes-embedded-resource",
                               "must not be used inside of resource meta");
    if (is_true(schema, "uniqueItems"))
        kube__api_rules_forbid(
            causes, path, "uniqueItems",
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
}

/* ---- lists and maps ------------------------------------------------------------------------- */

/* @keyword demands that type is @wanted. */
static void check_type_of(kube__api_causes *causes, const kube__json *schema, const char *wanted,
                          const char *keyword, const char *path)
{
    const kube__json *type = kube__json_get(schema, "type");
    const char *why = kube__api_text(causes->ctx, "must be %s if %s is specified", wanted, keyword);
    if (!kube__json_string_or(type, "")[0])
        kube__api_rules_require(causes, path, "type", why);
    else
        refuse(causes, type, path, "type", why);
}

static void check_map_type(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    static const char *const supported[] = {"atomic", "granular", NULL};
    const kube__json *map_type = kube__json_get(schema, "x-kubernetes-map-type");
    const char *text = kube__json_string_or(map_type, "");
    if (!map_type)
        return;
    if (strcmp(text_at(schema, "type"), "object") != 0)
        check_type_of(causes, schema, "object", "x-kubernetes-map-type", path);
    if (strcmp(text, "atomic") != 0 && strcmp(text, "granular") != 0)
        kube__api_cause_unsupported(causes,
                                    kube__api_text(causes->ctx, "%s.x-kubernetes-map-type", path),
                                    map_type, supported);
}

static void check_set(kube__api_causes *causes, const kube__json *items, const char *path)
{
    static const char why[] = "must be atomic as item of a list with x-kubernetes-list-type=set";
    const char *type = text_at(items, "type");
    const kube__json *list_type = kube__json_get(items, "x-kubernetes-list-type");
    if (strcmp(type, "array") == 0 && list_type &&
        strcmp(kube__json_string_or(list_type, ""), "atomic") != 0)
        refuse(causes, list_type, path, "items.x-kubernetes-list-type", why);
    if (strcmp(type, "object") == 0 &&
        strcmp(text_at(items, "x-kubernetes-map-type"), "atomic") != 0)
        refuse(causes, list_type, path, "items.x-kubernetes-map-type", why);
}

static void check_keys(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    const kube__json *keys = kube__json_get(schema, "x-kubernetes-list-map-keys");
    const kube__json *items = kube__json_get(schema, "items");
    KUBE__JSON_EACH (key, keys) {
        const char *name = kube__json_string_or(key, "");
        const kube__json *property = kube__json_get(kube__json_get(items, "properties"), name);
        const char *type = text_at(property, "type");
        if (!property)
            refuse(causes, keys, path, "x-kubernetes-list-map-keys",
                   "entries must all be names of item properties");
        else if (strcmp(type, "array") == 0 || strcmp(type, "object") == 0)
            refuse(causes, kube__json_get(items, "type"),
                   kube__api_text(causes->ctx, "%s.items.properties[%s]", path, name), "type",
                   "must be a scalar type if parent array's x-kubernetes-list-type is map");
        for (const kube__json *other = keys->first; other != key; other = other->next) {
            if (kube__json_equal(other, key)) {
                refuse(causes, keys, path, "x-kubernetes-list-map-keys",
                       "must not contain duplicate entries");
                break;
            }
        }
    }
}

static void check_map(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    const kube__json *items = kube__json_get(schema, "items");
    if (!has_members(kube__json_get(schema, "x-kubernetes-list-map-keys")))
        kube__api_rules_require(causes, path, "x-kubernetes-list-map-keys",
                                "must not be empty if x-kubernetes-list-type is map");
    if (!items)
        kube__api_rules_require(causes, path, "items",
                                "must have a schema if x-kubernetes-list-type is map");
    if (!kube__json_is(items, KUBE__JSON_OBJECT))
        return;
    if (strcmp(text_at(items, "type"), "object") != 0) {
        const kube__json *type = kube__json_get(items, "type");
        refuse(causes, type ? type : kube__json_string(causes->ctx, ""), path, "items.type",
               "must be object if parent array's x-kubernetes-list-type is map");
        return;
    }
    check_keys(causes, schema, path);
}

/* What identifies an item must be there, and not be null. */
static void check_nullable(kube__api_causes *causes, const kube__json *schema,
                           const char *list_type, const char *path)
{
    const kube__json *items = kube__json_get(schema, "items");
    if (!kube__json_is(items, KUBE__JSON_OBJECT) ||
        (strcmp(list_type, "set") != 0 && strcmp(list_type, "map") != 0))
        return;
    if (is_true(items, "nullable"))
        kube__api_rules_forbid(
            causes, path, "items.nullable",
            kube__api_text(causes->ctx, "cannot be nullable when x-kubernetes-list-type is %s",
                           list_type));
    if (strcmp(list_type, "map") != 0)
        return;
    KUBE__JSON_EACH (key, kube__json_get(schema, "x-kubernetes-list-map-keys")) {
        const char *name = kube__json_string_or(key, "");
        const kube__json *property = kube__json_get(kube__json_get(items, "properties"), name);
        const char *field = kube__api_text(causes->ctx, "%s.items.properties[%s]", path, name);
        if (!property)
            continue;
        if (!kube__json_has_text(kube__json_get(items, "required"), name) &&
            !kube__json_get(property, "default"))
            kube__api_rules_require(
                causes, field, "default",
                "this property is in x-kubernetes-list-map-keys, so it must have a default or "
                "be a required property");
        if (is_true(property, "nullable"))
            kube__api_rules_forbid(
                causes, field, "nullable",
                "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
    }
}

static void check_list_type(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    static const char *const supported[] = {"atomic", "set", "map", NULL};
    const kube__json *list_type = kube__json_get(schema, "x-kubernetes-list-type");
    const char *text = kube__json_string_or(list_type, "");
    const kube__json *items = kube__json_get(schema, "items");
    if (list_type && strcmp(text_at(schema, "type"), "array") != 0)
        check_type_of(causes, schema, "array", "x-kubernetes-list-type", path);
    else if (strcmp(text, "set") == 0 && kube__json_is(items, KUBE__JSON_OBJECT))
        check_set(causes, items, path);
    if (list_type && strcmp(text, "atomic") != 0 && strcmp(text, "set") != 0 &&
        strcmp(text, "map") != 0)
        kube__api_cause_unsupported(causes,
                                    kube__api_text(causes->ctx, "%s.x-kubernetes-list-type", path),
                                    list_type, supported);
    if (has_members(kube__json_get(schema, "x-kubernetes-list-map-keys")) &&
        strcmp(text, "map") != 0) {
        static const char why[] = "must be map if x-kubernetes-list-map-keys is non-empty";
        if (list_type)
            refuse(causes, list_type, path, "x-kubernetes-list-type", why);
        else
            kube__api_rules_require(causes, path, "x-kubernetes-list-type", why);
    }
    if (strcmp(text, "map") == 0)
        check_map(causes, schema, path);
    check_nullable(causes, schema, text, path);
}

/* Rules are not evaluated here, so of their text only that there is one can be said. */
static void check_rules(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    size_t index = 0;
    KUBE__JSON_EACH (rule, kube__json_get(schema, "x-kubernetes-validations")) {
        const char *text = text_at(rule, "rule");
        const char *below =
            kube__api_text(causes->ctx, "%s.x-kubernetes-validations[%zu]", path, index++);
        if (!text[strspn(text, " \t\n\r")])
            kube__api_rules_require(causes, below, "rule", "rule is not specified");
    }
}

/* ---- the walk ------------------------------------------------------------------------------- */

static bool is_meta(const char *name)
{
    return strcmp(name, "metadata") == 0 || strcmp(name, "kind") == 0 ||
           strcmp(name, "apiVersion") == 0;
}

static void check_properties(kube__api_causes *causes, const kube__json *schema, const char *path,
                             bool is_root, where at)
{
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties")) {
        where below = at;
        if (is_meta(property->key) &&
            (is_root || is_true(schema, "x-kubernetes-embedded-resource"))) {
            below.in_meta = true;
            if (is_root)
                below.no_default = kube__api_text(causes->ctx, "in top-level %s", property->key);
        }
        check(causes, property,
              kube__api_text(causes->ctx, "%s.properties[%s]", path, property->key), false, below);
    }
}

static void check_branches(kube__api_causes *causes, const kube__json *schema, const char *keyword,
                           const char *path, where at)
{
    size_t index = 0;
    KUBE__JSON_EACH (branch, kube__json_get(schema, keyword))
        check(causes, branch, kube__api_text(causes->ctx, "%s.%s[%zu]", path, keyword, index++),
              false, at);
}

static void check(kube__api_causes *causes, const kube__json *schema, const char *path,
                  bool is_root, where at)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    const kube__json *additional = kube__json_get(schema, "additionalProperties");
    const kube__json *preserve = kube__json_get(schema, "x-kubernetes-preserve-unknown-fields");
    check_standard(causes, schema, path, at);
    if (additional && has_members(kube__json_get(schema, "properties")) &&
        !kube__json_is_true(additional))
        kube__api_rules_forbid(causes, path, "additionalProperties",
                               "additionalProperties and properties are mutual exclusive");
    where in_additional = at;
    if (at.in_meta)
        in_additional.no_default = "inside additionalProperties applying to object metadata";
    check(causes, additional, kube__api_text(causes->ctx, "%s.additionalProperties", path), false,
          in_additional);
    check_properties(causes, schema, path, is_root, at);
    check(causes, kube__json_get(schema, "not"), kube__api_text(causes->ctx, "%s.not", path), false,
          at);
    check_branches(causes, schema, "allOf", path, at);
    check_branches(causes, schema, "oneOf", path, at);
    check_branches(causes, schema, "anyOf", path, at);
    check(causes, kube__json_get(schema, "items"), kube__api_text(causes->ctx, "%s.items", path),
          false, at);
    if (kube__json_is(preserve, KUBE__JSON_BOOL) && !preserve->boolean)
        refuse(causes, preserve, path, "x-kubernetes-preserve-unknown-fields",
               "must be true or undefined");
    check_map_type(causes, schema, path);
    check_list_type(causes, schema, path);
    check_rules(causes, schema, path);
}

/* ---- defaults ------------------------------------------------------------------------------- */

/* A default must be valid itself, and hold nothing that would be pruned. */
static void check_default(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    const kube__json *value = kube__json_get(schema, "default");
    if (!value || value->kind == KUBE__JSON_NULL)
        return;
    const char *field = kube__api_text(causes->ctx, "%s.default", path);
    const kube__api_schema *node = kube__api_schema_node(causes->ctx, schema);
    kube__json *pruned = kube__json_copy(causes->ctx, value);
    kube__api_schema_prune(causes->ctx, node, pruned, NULL, NULL);
    if (!kube__json_equal(pruned, value))
        kube__api_cause_invalid(causes, field, value, "must not have unknown fields");
    kube__api_schema_validate_at(causes->ctx, schema, value, field, causes);
}

static void check_defaults(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    check_default(causes, schema, path);
    check_defaults(causes, kube__json_get(schema, "items"),
                   kube__api_text(causes->ctx, "%s.items", path));
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties"))
        check_defaults(causes, property,
                       kube__api_text(causes->ctx, "%s.properties[%s]", path, property->key));
}

/* Keywords that have no place in a structure, somewhere outside of value validation: it is not
 * looked at then. */
static bool has_foreign(const kube__json *schema)
{
    static const char *const foreign[] = {"id",           "$schema",         "$ref",
                                          "dependencies", "additionalItems", "patternProperties",
                                          "definitions"};
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return false;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (kube__json_get(schema, foreign[i]))
            return true;
    }
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties")) {
        if (has_foreign(property))
            return true;
    }
    return has_foreign(kube__json_get(schema, "items")) ||
           has_foreign(kube__json_get(schema, "additionalProperties"));
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* With a status subresource the root may say no more than this. */
static void check_root(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    /* clang-format off */
    static const char *const allowed[] = {
        "description", "type", "format", "title", "maximum", "exclusiveMaximum", "minimum",
        "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems",
        "uniqueItems", "multipleOf", "required", "items", "properties", "externalDocs", "example",
        "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations",
        "x-kubernetes-map-type", NULL,
    };
    /* clang-format on */
    if (strcmp(text_at(schema, "type"), "object") != 0) {
        refuse(causes, kube__json_get(schema, "type"), path, "type",
               "only \"object\" is allowed as the type at the root of the schema if the status "
               "subresource is enabled");
        return;
    }
    KUBE__JSON_EACH (keyword, schema) {
        if (kube__api_is_one_of(keyword->key, allowed))
            continue;
        kube__api_cause_invalid(
            causes, path, schema,
            "only [Description Type Format Title Maximum ExclusiveMaximum Minimum "
            "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems "
            "MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
            "XValidations XMapType] fields are allowed at the root of the schema if the status "
            "subresource is enabled");
        return;
    }
}

void kube__api_check_schema(kube__api_causes *causes, const kube__json *schema, bool has_status,
                            const char *path)
{
    if (has_status)
        check_root(causes, schema, path);
    if (is_true(schema, "nullable"))
        kube__api_rules_forbid(causes, path, "nullable", "nullable cannot be true at the root");
    size_t before = causes->count;
    if (!has_foreign(schema))
        kube__api_check_structural(causes, schema, path);
    if (causes->count == before)
        check_defaults(causes, schema, path);
    check(causes, schema, path, true, (where){0});
}
