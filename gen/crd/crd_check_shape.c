/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_check_shape.h"

#include "front/pattern.h"
#include "support/arena.h"
#include "support/str.h"

#include <string.h>

static bool is_text(const json_value *value, const char *text)
{
    const char *is = json_text(value);
    return is && strcmp(is, text) == 0;
}

static bool is_type(const json_value *schema, const char *type)
{
    return is_text(json_get(schema, "type"), type);
}

/* ---- lists and maps ------------------------------------------------------------------------ */

static void check_list(const json_value *schema, diag_loc loc, diag *to)
{
    const json_value *list_type = json_get(schema, "x-kubernetes-list-type");
    const json_value *keys = json_get(schema, "x-kubernetes-list-map-keys");
    const json_value *items = json_get(schema, "items");
    bool is_map = is_text(list_type, "map");
    if (is_type(schema, "array") && !items)
        diag_error(to, loc, "a schema of type 'array' says with 'items' what is in the list");
    if ((list_type || keys) && !is_type(schema, "array"))
        diag_error(to, loc, "'x-kubernetes-list-type' is for schemas of type 'array'");
    else if (keys && !is_map)
        diag_error(to, loc, "'x-kubernetes-list-map-keys' needs 'x-kubernetes-list-type' 'map'");
    else if (is_map && !json_first(keys))
        diag_error(to, loc, "a list of type 'map' names the keys in 'x-kubernetes-list-map-keys'");
    else if (is_map && items && !is_type(items, "object"))
        diag_error(to, loc, "the elements of a list of type 'map' are objects");
}

static void check_object(const json_value *schema, diag_loc loc, diag *to)
{
    const json_value *others = json_get(schema, "additionalProperties");
    if (json_get(schema, "x-kubernetes-map-type") && !is_type(schema, "object"))
        diag_error(to, loc, "'x-kubernetes-map-type' is for schemas of type 'object'");
    if (!others)
        return;
    if (json_kind_of(others) == JSON_BOOL && !json_is_true(others))
        diag_error(to, loc, "servers refuse 'additionalProperties' that is false: leave it out");
    else if (json_first(json_get(schema, "properties")))
        diag_error(to, loc, "'properties' and 'additionalProperties' exclude each other");
}

/* ---- objects that a server looks into ------------------------------------------------------ */

static void check_embedded_default(const json_value *initial, diag_loc loc, diag *to)
{
    static const char *const names[] = {"apiVersion", "kind"};
    for (size_t i = 0; json_kind_of(initial) == JSON_OBJECT && i < 2; i++) {
        const char *text = json_text(json_get(initial, names[i]));
        if (!text || !*text)
            diag_error(to, loc, "the default of an embedded resource needs '%s'", names[i]);
    }
}

static void check_embedded(const json_value *schema, diag_loc loc, diag *to)
{
    static const struct {
        const char *name;
        const char *type;
    } members[] = {{"apiVersion", "string"}, {"kind", "string"}, {"metadata", "object"}};
    const json_value *properties = json_get(schema, "properties");
    const json_value *initial = json_get(schema, "default");
    if (!is_type(schema, "object")) {
        diag_error(to, loc, "an embedded resource is of type 'object'");
        return;
    }
    if (!json_first(properties) &&
        !json_is_true(json_get(schema, "x-kubernetes-preserve-unknown-fields")))
        diag_error(to, loc,
                   "an embedded resource has members in its schema, or "
                   "'+kubebuilder:pruning:PreserveUnknownFields'");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_value *member = json_get(properties, members[i].name);
        if (member && !is_type(member, members[i].type))
            diag_error(to, loc, "'%s' of an embedded resource is of type '%s'", members[i].name,
                       members[i].type);
    }
    if (initial)
        check_embedded_default(initial, loc, to);
}

/* ---- values of keywords -------------------------------------------------------------------- */

static void check_counts(const json_value *schema, diag_loc loc, diag *to)
{
    static const char *const names[] = {"minLength", "maxLength",     "minItems",
                                        "maxItems",  "minProperties", "maxProperties"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = json_text(json_get(schema, names[i]));
        if (text && text[strspn(text, "-0123456789")])
            diag_error(to, loc, "'%s' is a whole number, and %s is not", names[i], text);
    }
}

static void check_pattern(const json_value *schema, diag_loc loc, diag *to)
{
    arena *in = arena_new();
    const char *pattern = json_text(json_get(schema, "pattern"));
    const char *why = pattern ? pattern_error(in, pattern) : NULL;
    if (why)
        diag_error(to, loc, "servers refuse the pattern '%s': %s", pattern, why);
    arena_free(in);
}

static void check_names(const json_value *object, const char *what, const char *const *names,
                        diag_loc loc, diag *to)
{
    for (const json_value *at = json_first(object); at; at = json_next(at)) {
        if (!str_is_one_of(json_key(at), names))
            diag_error(to, loc, "'%s' is no member of %s", json_key(at), what);
    }
}

static void check_rule(const json_value *rule, diag_loc loc, diag *to)
{
    static const char *const names[] = {
        "fieldPath", "message", "messageExpression", "optionalOldSelf", "reason", "rule", NULL};
    static const char *const reasons[] = {"FieldValueDuplicate", "FieldValueForbidden",
                                          "FieldValueInvalid", "FieldValueRequired", NULL};
    const char *text = json_text(json_get(rule, "rule"));
    const char *reason = json_text(json_get(rule, "reason"));
    check_names(rule, "a rule in 'x-kubernetes-validations'", names, loc, to);
    if (!text || !text[strspn(text, " \t\n")])
        diag_error(to, loc, "a rule in 'x-kubernetes-validations' has no 'rule'");
    if (reason && !str_is_one_of(reason, reasons))
        diag_error(to, loc,
                   "servers know no reason '%s': it is FieldValueInvalid, FieldValueForbidden, "
                   "FieldValueRequired or FieldValueDuplicate",
                   reason);
}

/* Servers compile no rule for a value that may be any JSON, or has such elements. */
static bool is_seen(const json_value *schema)
{
    const json_value *inner = json_get(schema, "additionalProperties");
    if (json_is_true(json_get(schema, "x-kubernetes-int-or-string")) ||
        json_is_true(json_get(schema, "x-kubernetes-embedded-resource")))
        return true;
    inner = is_type(schema, "array") ? json_get(schema, "items") : inner;
    return json_get(schema, "type") && (json_kind_of(inner) != JSON_OBJECT || is_seen(inner));
}

static void check_rules(const json_value *schema, diag_loc loc, diag *to)
{
    const json_value *rules = json_get(schema, "x-kubernetes-validations");
    for (const json_value *at = json_first(rules); at; at = json_next(at))
        check_rule(at, loc, to);
    if (json_first(rules) && !is_seen(schema))
        diag_error(to, loc,
                   "rules of CEL do not see what may be any JSON, here or in its elements: say "
                   "what it is with '+kubebuilder:validation:Type' or "
                   "'+kubebuilder:validation:items:Type'");
}

/* Of an integer or a string servers take one choice of types alone. */
static void check_either(const json_value *schema, diag_loc loc, diag *to)
{
    static const char *const lists[] = {"anyOf", "oneOf"};
    for (size_t i = 0; i < 2; i++) {
        const json_value *first = json_first(json_get(schema, lists[i]));
        const json_value *second = first ? json_next(first) : NULL;
        bool has_type = false;
        if (i == 0 && second && !json_next(second) && is_type(first, "integer") &&
            is_type(second, "string"))
            continue;
        for (const json_value *at = first; at; at = json_next(at))
            has_type |= json_get(at, "type") != NULL;
        if (has_type)
            diag_error(to, loc,
                       "types below '%s' of an integer or a string are {\"type\":\"integer\"} and "
                       "{\"type\":\"string\"} of anyOf, in this order",
                       lists[i]);
    }
}

void crd_check_shape(const json_value *schema, diag_loc loc, diag *to)
{
    static const char *const docs[] = {"description", "url", NULL};
    const json_value *preserve = json_get(schema, "x-kubernetes-preserve-unknown-fields");
    check_list(schema, loc, to);
    check_object(schema, loc, to);
    if (json_is_true(json_get(schema, "x-kubernetes-embedded-resource")))
        check_embedded(schema, loc, to);
    if (json_is_true(json_get(schema, "x-kubernetes-int-or-string")))
        check_either(schema, loc, to);
    if (preserve && !json_is_true(preserve))
        diag_error(to, loc, "'x-kubernetes-preserve-unknown-fields' is true, or is left out");
    check_counts(schema, loc, to);
    check_pattern(schema, loc, to);
    check_names(json_get(schema, "externalDocs"), "'externalDocs'", docs, loc, to);
    check_rules(schema, loc, to);
}
