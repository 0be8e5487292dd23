/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes a schema structural: types are said outside of value validation (allOf, anyOf, oneOf,
 * not), which says nothing but values, of fields that exist outside of it.
 */
#include "apiserver/core/field_error.h"
#include "apiserver/registry/registry.h"
#include "apiserver/value/regex.h"
#include "crd_rules.h"

#include <stdlib.h>
#include <string.h>

typedef enum depth {
    AT_ROOT,
    AT_ITEMS,
    AT_FIELD,
} depth;

static void check_values(kube__api_causes *causes, const kube__json *schema, const char *path,
                         bool skip_any, bool skip_first_all);

static bool is_true(const kube__json *schema, const char *keyword)
{
    return kube__json_is_true(kube__json_get(schema, keyword));
}

static void refuse(kube__api_causes *causes, const kube__json *schema, const char *path,
                   const char *keyword, const char *why)
{
    const kube__json *value = kube__json_get(schema, keyword);
    const char *field = kube__api_text(causes->ctx, "%s.%s", path, keyword);
    if (value)
        kube__api_cause_invalid(causes, field, value, "%s", why);
    else
        kube__api_cause_invalid_text(causes, field, "", "%s", why);
}

/* ---- value validation ----------------------------------------------------------------------- */

static bool is_only_type(const kube__json *schema, const char *type)
{
    return schema && schema->len == 1 && strcmp(kube__json_string_at(schema, "type"), type) == 0;
}

/* anyOf: [{type: integer}, {type: string}], which may stand with x-kubernetes-int-or-string. */
static bool is_int_or_string(const kube__json *any)
{
    return kube__json_is(any, KUBE__JSON_ARRAY) && any->len == 2 &&
           is_only_type(any->first, "integer") && is_only_type(any->last, "string");
}

static bool says_something(const kube__json *value)
{
    if (!value || value->kind == KUBE__JSON_NULL)
        return false;
    if (value->kind == KUBE__JSON_BOOL)
        return value->boolean;
    return value->kind == KUBE__JSON_NUMBER || value->len > 0;
}

static const struct keyword {
    const char *name;
    const char *why;
} structural_keywords[] = {
    {"type", "must be empty to be structural"},
    {"additionalProperties", "must be undefined to be structural"},
    {"default", "must be undefined to be structural"},
    {"title", "must be empty to be structural"},
    {"description", "must be empty to be structural"},
    {"nullable", "must be false to be structural"},
    {"x-kubernetes-preserve-unknown-fields", "must be false to be structural"},
    {"x-kubernetes-embedded-resource", "must be false to be structural"},
    {"x-kubernetes-int-or-string", "must be false to be structural"},
    {"x-kubernetes-list-map-keys", "must be empty to be structural"},
    {"x-kubernetes-list-type", "must be undefined to be structural"},
    {"x-kubernetes-map-type", "must be undefined to be structural"},
    {"x-kubernetes-validations", "must be empty to be structural"},
};

static void check_nested(kube__api_causes *causes, const kube__json *schema, const char *path,
                         bool skip_any)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    check_values(causes, schema, path, skip_any, false);
    check_nested(causes, kube__json_get(schema, "items"),
                 kube__api_text(causes->ctx, "%s.items", path), false);
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties"))
        check_nested(causes, property,
                     kube__api_text(causes->ctx, "%s.properties[%s]", path, property->key), false);
    for (size_t i = 0; i < sizeof structural_keywords / sizeof *structural_keywords; i++) {
        const struct keyword *keyword = &structural_keywords[i];
        const kube__json *value = kube__json_get(schema, keyword->name);
        bool is_said = strcmp(keyword->name, "default") == 0 ||
                               strcmp(keyword->name, "additionalProperties") == 0
                           ? value && value->kind != KUBE__JSON_NULL
                           : says_something(value);
        if (is_said)
            kube__api_rules_forbid(causes, path, keyword->name, keyword->why);
    }
    if (kube__json_get(kube__json_get(schema, "properties"), "metadata"))
        kube__api_rules_forbid(causes, path, "properties[metadata]",
                               "must not be specified in a nested context");
}

static void check_branches(kube__api_causes *causes, const kube__json *schema, const char *keyword,
                           const char *path, bool skip_first_any)
{
    size_t index = 0;
    KUBE__JSON_EACH (branch, kube__json_get(schema, keyword)) {
        check_nested(causes, branch,
                     kube__api_text(causes->ctx, "%s.%s[%zu]", path, keyword, index),
                     skip_first_any && index == 0);
        index++;
    }
}

static void check_values(kube__api_causes *causes, const kube__json *schema, const char *path,
                         bool skip_any, bool skip_first_all)
{
    if (!skip_any)
        check_branches(causes, schema, "anyOf", path, false);
    check_branches(causes, schema, "allOf", path, skip_first_all);
    check_branches(causes, schema, "oneOf", path, false);
    check_nested(causes, kube__json_get(schema, "not"), kube__api_text(causes->ctx, "%s.not", path),
                 false);
    const char *pattern = kube__json_string_at(schema, "pattern");
    const char *fault = pattern[0] ? kube__api_regex_fault(causes->ctx, pattern) : NULL;
    if (fault)
        kube__api_cause_invalid_text(causes, kube__api_text(causes->ctx, "%s.pattern", path),
                                     pattern, "must be a valid regular expression, but isn't: %s",
                                     fault);
}

/* ---- structure ------------------------------------------------------------------------------ */

/* Nothing but type, and the rules of the two names that a CRD may restrict. */
static bool is_plain_metadata(const kube__json *metadata)
{
    KUBE__JSON_EACH (keyword, metadata) {
        /* A default is refused elsewhere. */
        if (strcmp(keyword->key, "type") == 0 || strcmp(keyword->key, "default") == 0)
            continue;
        if (strcmp(keyword->key, "properties") != 0)
            return false;
        KUBE__JSON_EACH (property, keyword) {
            if (strcmp(property->key, "name") != 0 && strcmp(property->key, "generateName") != 0)
                return false;
        }
    }
    return true;
}

static void check_type_meta(kube__api_causes *causes, const kube__json *properties,
                            const char *name, const char *path)
{
    const kube__json *property = kube__json_get(properties, name);
    if (property && strcmp(kube__json_string_at(property, "type"), "string") != 0)
        refuse(causes, property, kube__api_text(causes->ctx, "%s.properties[%s]", path, name),
               "type", "must be string");
}

static void check_metadata(kube__api_causes *causes, const kube__json *schema, const char *path,
                           depth level)
{
    const kube__json *properties = kube__json_get(schema, "properties");
    const kube__json *metadata = kube__json_get(properties, "metadata");
    const char *below = kube__api_text(causes->ctx, "%s.properties[metadata]", path);
    if (level == AT_ROOT || is_true(schema, "x-kubernetes-embedded-resource")) {
        check_type_meta(causes, properties, "kind", path);
        check_type_meta(causes, properties, "apiVersion", path);
        if (metadata && strcmp(kube__json_string_at(metadata, "type"), "object") != 0)
            refuse(causes, metadata, below, "type", "must be object");
    }
    if (level == AT_ROOT && metadata && !is_plain_metadata(metadata))
        kube__api_cause_forbidden(causes, below,
                                  "must not specify anything other than name and generateName, "
                                  "but metadata is implicitly specified");
}

static void check_type(kube__api_causes *causes, const kube__json *schema, const char *path,
                       depth level)
{
    static const char *const empty[] = {
        "must not be empty at the root",
        "must not be empty for specified array items",
        "must not be empty for specified object fields",
    };
    const char *type = kube__json_string_at(schema, "type");
    bool is_embedded = is_true(schema, "x-kubernetes-embedded-resource");
    if (is_embedded && strcmp(type, "object") != 0) {
        static const char why[] = "must be object if x-kubernetes-embedded-resource is true";
        if (type[0])
            refuse(causes, schema, path, "type", why);
        else
            kube__api_rules_require(causes, path, "type", why);
    } else if (!type[0] && !is_true(schema, "x-kubernetes-int-or-string") &&
               !is_true(schema, "x-kubernetes-preserve-unknown-fields")) {
        kube__api_rules_require(causes, path, "type", empty[level]);
    }
    if (is_embedded && kube__json_get(schema, "additionalProperties"))
        kube__api_rules_forbid(causes, path, "additionalProperties",
                               "must not be used if x-kubernetes-embedded-resource is set");
    if (level == AT_ROOT && type[0] && strcmp(type, "object") != 0)
        refuse(causes, schema, path, "type", "must be object at the root");
    const kube__json *properties = kube__json_get(schema, "properties");
    if (is_embedded && !is_true(schema, "x-kubernetes-preserve-unknown-fields") &&
        (!properties || !properties->first))
        kube__api_rules_require(
            causes, path, "properties",
            "must not be empty if x-kubernetes-embedded-resource is true without "
            "x-kubernetes-preserve-unknown-fields");
}

static void check_extensions(kube__api_causes *causes, const kube__json *schema, const char *path)
{
    static const char why[] = "must be false if x-kubernetes-int-or-string is true";
    if (!is_true(schema, "x-kubernetes-int-or-string"))
        return;
    if (is_true(schema, "x-kubernetes-preserve-unknown-fields"))
        refuse(causes, schema, path, "x-kubernetes-preserve-unknown-fields", why);
    if (is_true(schema, "x-kubernetes-embedded-resource"))
        refuse(causes, schema, path, "x-kubernetes-embedded-resource", why);
}

static void check_structure(kube__api_causes *causes, const kube__json *schema, const char *path,
                            depth level)
{
    if (!kube__json_is(schema, KUBE__JSON_OBJECT))
        return;
    const kube__json *items = kube__json_get(schema, "items");
    const kube__json *additional = kube__json_get(schema, "additionalProperties");
    const kube__json *all = kube__json_get(schema, "allOf");
    if (strcmp(kube__json_string_at(schema, "type"), "array") == 0 && !items)
        kube__api_rules_require(causes, path, "items", "must be specified");
    check_structure(causes, items, kube__api_text(causes->ctx, "%s.items", path), AT_ITEMS);
    KUBE__JSON_EACH (property, kube__json_get(schema, "properties"))
        check_structure(causes, property,
                        kube__api_text(causes->ctx, "%s.properties[%s]", path, property->key),
                        AT_FIELD);
    if (additional && level == AT_ROOT)
        kube__api_rules_forbid(causes, path, "additionalProperties",
                               "must not be used at the root");
    check_structure(causes, additional,
                    kube__api_text(causes->ctx, "%s.additionalProperties", path), AT_FIELD);
    check_extensions(causes, schema, path);
    check_values(causes, schema, path, is_int_or_string(kube__json_get(schema, "anyOf")),
                 is_int_or_string(kube__json_get(kube__json_item(all, 0), "anyOf")));
    check_type(causes, schema, path, level);
    check_metadata(causes, schema, path, level);
}

/* ---- completeness --------------------------------------------------------------------------- */

static void check_complete(kube__api_causes *causes, const kube__json *values,
                           const kube__json *schema, const char *schema_path,
                           const char *values_path, bool is_branch);

static void check_complete_branches(kube__api_causes *causes, const kube__json *values,
                                    const kube__json *schema, const char *schema_path,
                                    const char *values_path)
{
    static const char *const keywords[] = {"allOf", "anyOf", "oneOf"};
    const kube__json *not = kube__json_get(values, "not");
    check_complete(causes, not, schema, schema_path,
                   kube__api_text(causes->ctx, "%s.not", values_path), true);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        size_t index = 0;
        KUBE__JSON_EACH (branch, kube__json_get(values, keywords[i]))
            check_complete(
                causes, branch, schema, schema_path,
                kube__api_text(causes->ctx, "%s.%s[%zu]", values_path, keywords[i], index++), true);
    }
}

/* What a branch names must be in the structure. */
static void check_complete(kube__api_causes *causes, const kube__json *values,
                           const kube__json *schema, const char *schema_path,
                           const char *values_path, bool is_branch)
{
    if (!kube__json_is(values, KUBE__JSON_OBJECT))
        return;
    if (!kube__json_is(schema, KUBE__JSON_OBJECT)) {
        kube__api_cause_required(
            causes, schema_path,
            kube__api_text(causes->ctx, "because it is defined in %s", values_path));
        return;
    }
    check_complete_branches(causes, values, schema, schema_path, values_path);
    if (!is_branch)
        return;
    check_complete(causes, kube__json_get(values, "items"), kube__json_get(schema, "items"),
                   kube__api_text(causes->ctx, "%s.items", schema_path),
                   kube__api_text(causes->ctx, "%s.items", values_path), true);
    KUBE__JSON_EACH (property, kube__json_get(values, "properties"))
        check_complete(
            causes, property, kube__json_get(kube__json_get(schema, "properties"), property->key),
            kube__api_text(causes->ctx, "%s.properties[%s]", schema_path, property->key),
            kube__api_text(causes->ctx, "%s.properties[%s]", values_path, property->key), true);
}

/* ---- order ---------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const kube__api_cause *one = *(const kube__api_cause *const *)a;
    const kube__api_cause *other = *(const kube__api_cause *const *)b;
    int order = strcmp(one->field, other->field);
    return order ? order : strcmp(one->message, other->message);
}

/* The real server sorts these, because it meets properties in no order. */
static void add_sorted(kube__api_causes *causes, const kube__api_causes *found)
{
    const kube__api_cause **list =
        kube_ctx_alloc_array(causes->ctx, found->count, sizeof(const kube__api_cause *));
    size_t count = 0;
    if (!list)
        return;
    for (const kube__api_cause *cause = found->first; cause; cause = cause->next)
        list[count++] = cause;
    qsort(list, count, sizeof *list, by_text);
    for (size_t i = 0; i < count; i++)
        kube__api_add_cause(causes, list[i]->reason, list[i]->field, "%s", list[i]->message);
}

void kube__api_check_structural(kube__api_causes *causes, const kube__json *schema,
                                const char *path)
{
    kube__api_causes found = {.ctx = causes->ctx};
    check_structure(&found, schema, path, AT_ROOT);
    check_complete(&found, schema, schema, path, path, false);
    add_sorted(causes, &found);
}
