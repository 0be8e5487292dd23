/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_text.h"

#include "support/ascii.h"

#include <string.h>

/* The length of a code span's text behind its backtick at @open, in one paragraph; 0 = none. */
static size_t span_len(const char *text, const char *open)
{
    size_t len = strcspn(open + 1, "`");
    const char *end = open + 1 + len;
    if ((open > text && open[-1] == '`') || *end != '`' || end[1] == '`')
        return 0;
    for (const char *c = open + 1; c < end; c++)
        if (*c == '\n' && c[1 + strspn(c + 1, " \t\r")] == '\n')
            return 0;
    return len;
}

/* Whether the '.' or ')' at @c would make the number before it, which begins a line, a list's. */
static bool ends_list_number(const char *line, const char *c)
{
    return (*c == '.' || *c == ')') && c > line && line + strspn(line, "0123456789") == c;
}

/* Appends the character at @c, of the line that begins at @line, such that it means itself. */
static void add_escaped(str *out, const char *line, const char *c)
{
    bool in_word = c > line && ascii_is_alnum(c[-1]) && ascii_is_alnum(c[1]);
    if (*c == '<')
        str_add(out, "&lt;");
    else if (*c == '&')
        str_add(out, "&amp;");
    else if (strchr("\\`*[~|", *c) || (*c == '_' && !in_word) ||
             (c == line && strchr("#>+-=", *c)) || ends_list_number(line, c))
        str_printf(out, "\\%c", *c);
    else
        str_add_char(out, *c);
}

void docs_prose(str *out, const char *text, bool cell)
{
    const char *line = text += strspn(text, " \t\r\n");
    for (const char *c = text; *c; c++) {
        size_t code = *c == '`' ? span_len(text, c) : 0;
        if (code) {
            str span = {0};
            str_add_len(&span, c + 1, code);
            docs_code(out, str_text(&span));
            str_free(&span);
            c += code + 1;
        } else if (*c == '\n') {
            str_add_char(out, cell ? ' ' : '\n');
            c += strspn(c + 1, " \t\r"); /* else four of them would make code */
            line = cell ? line : c + 1;
        } else if (*c != '\r') {
            add_escaped(out, line, c);
        }
    }
}

/* A table would end its cell at a '|' in backticks, and text beside a table shows its escape. */
static void add_element(str *out, const char *text)
{
    str_add(out, "<code>");
    for (const char *c = text; *c; c++) {
        if (*c == '|')
            str_add(out, "&vert;");
        else if (*c == '\n' || *c == '\r')
            str_add_char(out, ' ');
        else
            add_escaped(out, text, c);
    }
    str_add(out, "</code>");
}

void docs_code(str *out, const char *text)
{
    size_t fence = 1;
    size_t run = 0;
    if (strchr(text, '|')) {
        add_element(out, text);
        return;
    }
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        if (run >= fence)
            fence = run + 1;
    }
    for (size_t i = 0; i < fence; i++)
        str_add_char(out, '`');
    if (fence > 1 || !*text)
        str_add_char(out, ' ');
    for (const char *c = text; *c; c++)
        str_add_char(out, *c == '\n' || *c == '\r' ? ' ' : *c);
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
