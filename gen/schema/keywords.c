/* SPDX-License-Identifier: Apache-2.0 */
#include "keywords.h"

#include "support/diag.h"

#include <string.h>

/* What the value of a keyword is. */
typedef enum keyword_kind {
    KEYWORD_TEXT,
    KEYWORD_NUMBER,
    KEYWORD_FLAG,
    KEYWORD_ANY,
    KEYWORD_OBJECT,
    KEYWORD_LIST,
    KEYWORD_TEXTS, /* a list of strings */
    KEYWORD_RULES, /* a list of objects with a rule */
    KEYWORD_SCHEMA,
    KEYWORD_SCHEMA_OR_FLAG,
    KEYWORD_SCHEMAS,      /* a list of schemas */
    KEYWORD_NAMED_SCHEMAS /* an object of schemas */
} keyword_kind;

static const struct {
    const char *name;
    keyword_kind kind;
} keywords[] = {
    {"additionalProperties", KEYWORD_SCHEMA_OR_FLAG},
    {"allOf", KEYWORD_SCHEMAS},
    {"anyOf", KEYWORD_SCHEMAS},
    {"default", KEYWORD_ANY},
    {"description", KEYWORD_TEXT},
    {"enum", KEYWORD_LIST},
    {"example", KEYWORD_ANY},
    {"exclusiveMaximum", KEYWORD_FLAG},
    {"exclusiveMinimum", KEYWORD_FLAG},
    {"externalDocs", KEYWORD_OBJECT},
    {"format", KEYWORD_TEXT},
    {"items", KEYWORD_SCHEMA},
    {"maxItems", KEYWORD_NUMBER},
    {"maxLength", KEYWORD_NUMBER},
    {"maxProperties", KEYWORD_NUMBER},
    {"maximum", KEYWORD_NUMBER},
    {"minItems", KEYWORD_NUMBER},
    {"minLength", KEYWORD_NUMBER},
    {"minProperties", KEYWORD_NUMBER},
    {"minimum", KEYWORD_NUMBER},
    {"multipleOf", KEYWORD_NUMBER},
    {"not", KEYWORD_SCHEMA},
    {"nullable", KEYWORD_FLAG},
    {"oneOf", KEYWORD_SCHEMAS},
    {"pattern", KEYWORD_TEXT},
    {"properties", KEYWORD_NAMED_SCHEMAS},
    {"required", KEYWORD_TEXTS},
    {"title", KEYWORD_TEXT},
    {"type", KEYWORD_TEXT},
    {"x-kubernetes-embedded-resource", KEYWORD_FLAG},
    {"x-kubernetes-int-or-string", KEYWORD_FLAG},
    {"x-kubernetes-list-map-keys", KEYWORD_TEXTS},
    {"x-kubernetes-list-type", KEYWORD_TEXT},
    {"x-kubernetes-map-type", KEYWORD_TEXT},
    {"x-kubernetes-preserve-unknown-fields", KEYWORD_FLAG},
    {"x-kubernetes-validations", KEYWORD_RULES},
};
enum { KEYWORD_COUNT = sizeof keywords / sizeof *keywords };

static const char *wanted(keyword_kind kind)
{
    switch (kind) {
    case KEYWORD_TEXT:
        return "a string";
    case KEYWORD_NUMBER:
        return "a number";
    case KEYWORD_FLAG:
        return "true or false";
    case KEYWORD_LIST:
    case KEYWORD_TEXTS:
    case KEYWORD_RULES:
    case KEYWORD_SCHEMAS:
        return "a list";
    case KEYWORD_SCHEMA_OR_FLAG:
        return "an object, true or false";
    default:
        return "an object";
    }
}

static bool fits(keyword_kind kind, json_kind value)
{
    switch (kind) {
    case KEYWORD_TEXT:
        return value == JSON_STRING;
    case KEYWORD_NUMBER:
        return value == JSON_NUMBER;
    case KEYWORD_FLAG:
        return value == JSON_BOOL;
    case KEYWORD_ANY:
        return true;
    case KEYWORD_LIST:
    case KEYWORD_TEXTS:
    case KEYWORD_RULES:
    case KEYWORD_SCHEMAS:
        return value == JSON_ARRAY;
    case KEYWORD_SCHEMA_OR_FLAG:
        return value == JSON_OBJECT || value == JSON_BOOL;
    case KEYWORD_OBJECT:
    case KEYWORD_SCHEMA:
    case KEYWORD_NAMED_SCHEMAS:
        break;
    }
    return value == JSON_OBJECT;
}

/* Checks the elements of a list of schemas, or the members of an object of them. */
static const char *check_each(arena *in, const json_value *of, const char *name)
{
    const char *why = NULL;
    for (const json_value *at = json_first(of); at && !why; at = json_next(at)) {
        if (json_kind_of(at) == JSON_NULL && json_kind_of(of) == JSON_OBJECT)
            continue;
        why = json_kind_of(at) == JSON_OBJECT
                  ? keywords_check(in, at)
                  : arena_printf(in, "'%s' has schemas in it, which are objects", name);
    }
    return why;
}

static const char *check_texts(arena *in, const json_value *list)
{
    for (const json_value *at = json_first(list); at; at = json_next(at))
        if (json_kind_of(at) != JSON_STRING)
            return arena_printf(in, "'%s' has strings in it", json_key(list));
    return NULL;
}

static const char *check_rules(arena *in, const json_value *list)
{
    for (const json_value *at = json_first(list); at; at = json_next(at))
        if (!json_get(at, "rule") || json_kind_of(json_get(at, "rule")) != JSON_STRING)
            return arena_printf(in, "'%s' has objects in it, each with a string 'rule'",
                                json_key(list));
    return NULL;
}

static const char *check_value(arena *in, const json_value *value, keyword_kind kind)
{
    json_kind is = json_kind_of(value);
    if (is == JSON_NULL)
        return NULL;
    if (!fits(kind, is))
        return arena_printf(in, "'%s' is %s", json_key(value), wanted(kind));
    if (kind == KEYWORD_SCHEMAS || kind == KEYWORD_NAMED_SCHEMAS)
        return check_each(in, value, json_key(value));
    if (kind == KEYWORD_TEXTS)
        return check_texts(in, value);
    if (kind == KEYWORD_RULES)
        return check_rules(in, value);
    return is == JSON_OBJECT && (kind == KEYWORD_SCHEMA || kind == KEYWORD_SCHEMA_OR_FLAG)
               ? keywords_check(in, value)
               : NULL;
}

static const char *check_member(arena *in, const json_value *member)
{
    const char *names[KEYWORD_COUNT];
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        if (strcmp(keywords[i].name, json_key(member)) == 0)
            return check_value(in, member, keywords[i].kind);
        names[i] = keywords[i].name;
    }
    return arena_printf(in, "'%s' is no keyword of a schema in a CRD%s", json_key(member),
                        diag_meant(in, json_key(member), names, KEYWORD_COUNT));
}

bool keywords_has(const char *name)
{
    for (size_t i = 0; i < KEYWORD_COUNT; i++)
        if (strcmp(keywords[i].name, name) == 0)
            return true;
    return false;
}

const char *keywords_check(arena *in, const json_value *schema)
{
    const char *why = NULL;
    for (const json_value *at = json_first(schema); at && !why; at = json_next(at))
        why = check_member(in, at);
    return why;
}
