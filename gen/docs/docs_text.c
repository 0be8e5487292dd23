/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_text.h"

#include <string.h>

/* Whether backticks come in pairs. Otherwise one would make code of what follows the text. */
static bool has_code(const char *text)
{
    size_t count = 0;
    for (const char *c = text; *c; c++)
        count += *c == '`';
    return count % 2 == 0 && !strstr(text, "``");
}

void docs_prose(str *out, const char *text, bool cell)
{
    const bool may_code = has_code(text);
    bool is_code = false;
    for (const char *c = text; *c; c++) {
        is_code ^= may_code && *c == '`';
        if (*c == '`' && !may_code)
            str_add(out, "\\`");
        else if (*c == '\n' && cell)
            str_add_char(out, ' ');
        else if (*c == '|' && cell)
            str_add(out, "\\|");
        else if (*c == '<' && !is_code)
            str_add(out, "&lt;");
        else if ((*c == '*' || *c == '[') && !is_code)
            str_printf(out, "\\%c", *c);
        else if (*c == '#' && !cell && (c == text || c[-1] == '\n'))
            str_add(out, "\\#");
        else
            str_add_char(out, *c);
    }
}

void docs_code(str *out, const char *text)
{
    size_t fence = 1;
    size_t run = 0;
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        if (run >= fence)
            fence = run + 1;
    }
    for (size_t i = 0; i < fence; i++)
        str_add_char(out, '`');
    if (fence > 1 || !*text)
        str_add_char(out, ' ');
    for (const char *c = text; *c; c++) {
        if (*c == '|')
            str_add_char(out, '\\');
        str_add_char(out, *c == '\n' ? ' ' : *c);
    }
    if (fence > 1)
        str_add_char(out, ' ');
    for (size_t i = 0; i < fence; i++)
        str_add_char(out, '`');
}

void docs_value(str *out, const json_value *value)
{
    str text = {0};
    if (json_kind_of(value) == JSON_STRING && *json_text(value))
        str_add(&text, json_text(value));
    else
        json_print(value, &text);
    docs_code(out, str_text(&text));
    str_free(&text);
}

/* ---- limits -------------------------------------------------------------------------------- */

/* Keywords with a column, a name or a sentence of their own. */
static const char *const told_elsewhere[] = {
    "description",
    "default",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "anyOf",
    "allOf",
    "x-kubernetes-int-or-string",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "x-kubernetes-list-map-keys",
    NULL,
};

static const struct {
    const char *keyword;
    const char *before;
    const char *after;
} words[] = {
    {"minLength", "at least ", " characters"},
    {"maxLength", "at most ", " characters"},
    {"minItems", "at least ", " items"},
    {"maxItems", "at most ", " items"},
    {"minProperties", "at least ", " members"},
    {"maxProperties", "at most ", " members"},
    {"multipleOf", "multiple of ", ""},
    {"pattern", "pattern ", ""},
    {"format", "format ", ""},
    {"example", "example: ", ""},
    {"title", "title: ", ""},
};

static void separate(str *out, size_t start)
{
    if (out->len > start)
        str_add(out, "; ");
}

static void add_values(str *out, const char *before, const json_value *values)
{
    str_add(out, before);
    for (const json_value *one = json_first(values); one; one = json_next(one)) {
        str_add(out, one == json_first(values) ? " " : ", ");
        docs_value(out, one);
    }
}

static void add_rules(str *out, const json_value *rules)
{
    for (const json_value *one = json_first(rules); one; one = json_next(one)) {
        const char *message = json_text(json_get(one, "message"));
        str_add(out, one == json_first(rules) ? "rule " : "; rule ");
        docs_code(out, json_text(json_get(one, "rule")));
        if (message) {
            str_add(out, " (");
            docs_prose(out, message, true);
            str_add_char(out, ')');
        }
    }
}

static void add_bound(str *out, const json_value *schema, const char *sign, const char *exclusive,
                      const json_value *bound)
{
    str_printf(out, "%s%s ", sign, json_is_true(json_get(schema, exclusive)) ? "" : "=");
    docs_value(out, bound);
}

static void add_keyword(str *out, const json_value *schema, const json_value *value)
{
    const char *key = json_key(value);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].keyword, key) == 0) {
            str_add(out, words[i].before);
            docs_value(out, value);
            str_add(out, words[i].after);
            return;
        }
    }
    if (strcmp(key, "minimum") == 0)
        add_bound(out, schema, ">", "exclusiveMinimum", value);
    else if (strcmp(key, "maximum") == 0)
        add_bound(out, schema, "<", "exclusiveMaximum", value);
    else if (strcmp(key, "enum") == 0)
        add_values(out, "one of", value);
    else if (strcmp(key, "nullable") == 0)
        str_add(out, "may be null");
    else if (strcmp(key, "x-kubernetes-validations") == 0)
        add_rules(out, value);
    else if (strcmp(key, "x-kubernetes-list-type") == 0 && strcmp(json_text(value), "map") == 0)
        add_values(out, "unique by", json_get(schema, "x-kubernetes-list-map-keys"));
    else if (strcmp(key, "x-kubernetes-list-type") == 0 && strcmp(json_text(value), "set") == 0)
        str_add(out, "no item twice");
    else if ((strcmp(key, "x-kubernetes-list-type") == 0 ||
              strcmp(key, "x-kubernetes-map-type") == 0) &&
             strcmp(json_text(value), "atomic") == 0)
        str_add(out, "an apply replaces the whole");
    else if (strcmp(key, "x-kubernetes-preserve-unknown-fields") == 0)
        str_add(out, "members that are not described are kept");
    else if (strcmp(key, "x-kubernetes-embedded-resource") == 0)
        str_add(out, "a whole object, with apiVersion, kind and metadata");
    else {
        str_printf(out, "%s: ", key);
        docs_value(out, value);
    }
}

/* What the type says already. */
static bool is_plain(const json_value *schema, const json_value *value)
{
    static const char *const plain[] = {"int32", "int64", "double", "date-time", "byte", NULL};
    if (strcmp(json_key(value), "x-kubernetes-preserve-unknown-fields") == 0)
        return !json_get(schema, "type"); /* any JSON */
    return strcmp(json_key(value), "format") == 0 && str_is_one_of(json_text(value), plain);
}

void docs_limits(str *out, const json_value *schema)
{
    size_t start = out->len;
    for (const json_value *one = json_first(schema); one; one = json_next(one)) {
        bool is_items = strcmp(json_key(one), "items") == 0;
        str inner = {0};
        if (is_items || strcmp(json_key(one), "additionalProperties") == 0) {
            docs_limits(&inner, one);
            if (inner.len) {
                separate(out, start);
                str_printf(out, "each %s: %s", is_items ? "item" : "value", str_text(&inner));
            }
        } else if (!str_is_one_of(json_key(one), told_elsewhere) && !is_plain(schema, one)) {
            separate(out, start);
            add_keyword(out, schema, one);
        }
        str_free(&inner);
    }
}
