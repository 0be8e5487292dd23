/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_rules.h"

#include "front/literal.h"
#include "support/str.h"

#include <string.h>

static const char cel_keyword[] = "x-kubernetes-validations";

/* ---- the rules alone ----------------------------------------------------------------------- */

static void add_limits(json_value *schema, const model_validation *rules)
{
    const struct {
        const char *name;
        const char *number;
    } numbers[] = {
        {"minimum", rules->minimum},
        {"maximum", rules->maximum},
        {"minLength", rules->min_length},
        {"maxLength", rules->max_length},
        {"multipleOf", rules->multiple_of},
        {"minItems", rules->min_items},
        {"maxItems", rules->max_items},
        {"minProperties", rules->min_properties},
        {"maxProperties", rules->max_properties},
    };
    json_value *values;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].number)
            json_set(schema, numbers[i].name, literal_number(numbers[i].number));
    }
    if (rules->exclusive_minimum)
        json_set_flag(schema, "exclusiveMinimum", true);
    if (rules->exclusive_maximum)
        json_set_flag(schema, "exclusiveMaximum", true);
    json_set_text(schema, "pattern", rules->pattern);
    json_set_text(schema, "format", rules->format);
    values = rules->enum_len ? json_set(schema, "enum", json_array()) : NULL;
    for (size_t i = 0; i < rules->enum_len; i++)
        json_push(values, rules->enums[i].is_string ? json_string(rules->enums[i].text)
                                                    : literal_number(rules->enums[i].text));
}

static void add_docs(json_value *schema, const model_validation *rules)
{
    const char *why;
    size_t fault;
    json_value *docs = rules->docs_url ? json_set(schema, "externalDocs", json_object()) : NULL;
    json_set_text(schema, "title", rules->title);
    if (docs) {
        json_set_text(docs, "description", rules->docs_description);
        json_set_text(docs, "url", rules->docs_url);
    }
    if (rules->example)
        json_set(schema, "example", literal_parse(rules->example, true, &fault, &why));
}

static void add_cel(json_value *schema, const model_validation *rules)
{
    json_value *list = rules->cel_len ? json_set(schema, cel_keyword, json_array()) : NULL;
    for (size_t i = 0; i < rules->cel_len; i++) {
        const model_cel *cel = &rules->cel[i];
        json_value *rule = json_push(list, json_object());
        json_set_text(rule, "fieldPath", cel->field_path);
        json_set_text(rule, "message", cel->message);
        json_set_text(rule, "messageExpression", cel->message_expression);
        if (cel->optional_old_self)
            json_set_flag(rule, "optionalOldSelf", strcmp(cel->optional_old_self, "true") == 0);
        json_set_text(rule, "reason", cel->reason);
        json_set_text(rule, "rule", cel->rule);
    }
}

static json_value *schema_of_rules(const model_validation *rules)
{
    json_value *schema = json_object();
    json_set_text(schema, "type", rules->type);
    add_limits(schema, rules);
    add_docs(schema, rules);
    add_cel(schema, rules);
    if (rules->embedded)
        json_set_flag(schema, "x-kubernetes-embedded-resource", true);
    if (rules->preserve)
        json_set_flag(schema, "x-kubernetes-preserve-unknown-fields", true);
    return schema;
}

/* ---- into the schema of a type ------------------------------------------------------------- */

/* Rules of a member come before those of its type. */
static void add_before(json_value *schema, const json_value *rules)
{
    json_value *all = json_copy(rules);
    const json_value *own = json_get(schema, cel_keyword);
    for (const json_value *at = json_first(own); at; at = json_next(at))
        json_push(all, json_copy(at));
    json_put(schema, cel_keyword, all);
}

/*
 * Says whether a keyword that the type has, too, stays as the type has it or is replaced, so that
 * one remains. Of all others both must hold, which takes an allOf.
 */
static bool settle(json_value *schema, const json_value *rule, const json_value *own)
{
    static const char *const replaced[] = {
        "title", "example", "externalDocs", "x-kubernetes-preserve-unknown-fields", "type", NULL};
    /* controller-gen leaves the type's values, whatever the member's are. */
    static const char *const kept[] = {"enum", NULL};
    /* Texts and flags are one if they are the same, numbers only here: controller-gen's way. */
    static const char *const compared[] = {"pattern",
                                           "format",
                                           "exclusiveMinimum",
                                           "exclusiveMaximum",
                                           "minProperties",
                                           "maxProperties",
                                           "x-kubernetes-embedded-resource",
                                           NULL};
    const char *name = json_key(rule);
    if (strcmp(name, cel_keyword) == 0)
        add_before(schema, rule);
    else if (str_is_one_of(name, replaced))
        json_put(schema, name, json_copy(rule));
    else if (!str_is_one_of(name, kept) &&
             !(str_is_one_of(name, compared) && literal_equal(rule, own)))
        return false;
    return true;
}

/* Adds a schema that holds beside that of a named type. */
static void flatten(json_value *schema, const json_value *rules)
{
    json_value *both[2] = {json_object(), json_object()};
    json_value *all;
    for (const json_value *at = json_first(rules); at; at = json_next(at)) {
        const char *name = json_key(at);
        const json_value *own = json_get(schema, name);
        if (!own) {
            json_set(schema, name, json_copy(at));
        } else if (!settle(schema, at, own)) {
            json_set(both[0], name, json_copy(own));
            json_set(both[1], name, json_copy(at));
            json_drop(schema, name);
        }
    }
    if (!json_first(both[0])) {
        json_free(both[0]);
        json_free(both[1]);
        return;
    }
    all = json_get(schema, "allOf") ? json_copy(json_get(schema, "allOf")) : json_array();
    json_push(all, both[0]);
    json_push(all, both[1]);
    json_put(schema, "allOf", all);
}

/* What a marker says of the JSON's type goes before what the type in C may be. */
static void narrow(json_value *schema, const model_validation *rules)
{
    bool is_either = json_get(schema, "x-kubernetes-int-or-string") != NULL;
    if (rules->type && is_either) {
        json_drop(schema, "anyOf");
        json_drop(schema, "x-kubernetes-int-or-string");
        if (strcmp(rules->type, "string") != 0)
            json_drop(schema, "pattern");
    }
    if (rules->int_or_string && !is_either) {
        json_value *any = json_put(schema, "anyOf", json_array());
        json_set_text(json_push(any, json_object()), "type", "integer");
        json_set_text(json_push(any, json_object()), "type", "string");
        json_put(schema, "x-kubernetes-int-or-string", json_bool(true));
        json_drop(schema, "x-kubernetes-preserve-unknown-fields");
    }
    if (rules->embedded && !json_get(schema, "type"))
        json_set_text(schema, "type", "object");
}

void crd_rules_add(json_value *schema, const model_validation *rules, bool is_named)
{
    json_value *own = schema_of_rules(rules);
    narrow(schema, rules);
    if (is_named) {
        flatten(schema, own);
    } else {
        for (const json_value *at = json_first(own); at; at = json_next(at))
            json_put(schema, json_key(at), json_copy(at));
    }
    json_free(own);
}

static json_value *read_patch(const model_validation *rules)
{
    const char *why;
    size_t fault;
    return rules->patch ? literal_parse_json(rules->patch, &fault, &why) : NULL;
}

void crd_rules_patch(json_value *schema, const model_validation *rules)
{
    json_value *patch = read_patch(rules);
    json_merge(schema, patch);
    json_free(patch);
}

static bool has_element(const json_value *list, const json_value *element)
{
    const json_value *at = json_first(list);
    while (at && !json_equal(at, element))
        at = json_next(at);
    return at != NULL;
}

static void add_elements(json_value *list, const json_value *added)
{
    for (const json_value *at = json_first(added); at; at = json_next(at)) {
        if (!has_element(list, at))
            json_push(list, json_copy(at));
    }
}

void crd_rules_patch_inlined(json_value *schema, const model_validation *rules)
{
    static const char *const lists[] = {"required", "allOf", cel_keyword, NULL};
    static const char *const merged[] = {"properties", "description", NULL};
    json_value *patch = read_patch(rules);
    json_value *alone = json_object();
    json_value *beside = json_object();
    for (const json_value *at = json_first(patch); at; at = json_next(at)) {
        const char *name = json_key(at);
        json_value *own = json_at(schema, name);
        if (own && json_kind_of(own) == JSON_ARRAY && str_is_one_of(name, lists))
            add_elements(own, at);
        else if (!own || json_kind_of(at) == JSON_NULL || str_is_one_of(name, merged))
            json_set(alone, name, json_copy(at));
        else
            json_set(beside, name, json_copy(at));
    }
    json_merge(schema, alone);
    flatten(schema, beside);
    json_free(alone);
    json_free(beside);
    json_free(patch);
}
