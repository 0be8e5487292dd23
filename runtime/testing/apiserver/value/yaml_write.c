/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML in the block style of the real server: keys sorted, lists not indented below their key. Long
 * lines are not folded.
 */
#include "base/ascii.h"
#include "yaml.h"

#include <kube/time.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum style { PLAIN, SINGLE, DOUBLE, LITERAL } style;

static void put_value(const kube__json *value, size_t indent, bool in_line, kube__buffer *out);

/* As a write over the limit does. */
static void fail(kube__buffer *out)
{
    (void)kube__buffer_reserve(out, SIZE_MAX / 2);
}

static void put_indent(size_t indent, kube__buffer *out)
{
    for (size_t i = 0; i < indent; i++)
        kube__buffer_add(out, "  ", 2);
}

/* ---- strings -------------------------------------------------------------------------------- */

static bool is_word_of_type(const char *text)
{
    static const char *const words[] = {"~",  "null", "true", "false", "y",    "yes",   "on",   "n",
                                        "no", "off",  "<<",   ".nan",  ".inf", "-.inf", "+.inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0)
            return true;
    }
    return *text == '\0';
}

/* "12", "-1.5e3", "0x1f", "0b1", "0o7", "1_000", "1:30". */
static bool is_number(const char *text)
{
    const char *c = text;
    size_t digits = 0;
    if (*c == '+' || *c == '-')
        c++;
    bool based = *c == '0' && c[1] && strchr("xXbBoO", c[1]);
    if (based)
        return c[2] && c[2 + strspn(c + 2, "0123456789abcdefABCDEF_")] == '\0';
    for (; kube__is_digit(*c) || *c == '_'; c++)
        digits++;
    if (digits && *c == ':')
        return c[strspn(c, "0123456789:._")] == '\0';
    if (*c == '.') {
        for (c++; kube__is_digit(*c) || *c == '_'; c++)
            digits++;
    }
    if (digits && (*c == 'e' || *c == 'E')) {
        c++;
        if (*c == '+' || *c == '-')
            c++;
        if (!kube__is_digit(*c))
            return false;
        while (kube__is_digit(*c))
            c++;
    }
    return digits && !*c;
}

/* A date, with or without a time of day. */
static bool is_time(const char *text)
{
    size_t run = strspn(text, "0123456789");
    if (run != 4 || text[4] != '-')
        return false;
    return text[strspn(text, "0123456789-:.+TtZz \t")] == '\0';
}

static bool is_unprintable(unsigned char c)
{
    return (c < 0x20 && c != '\n') || c == 0x7f;
}

/* Whether it can stand bare in block style. */
static bool may_be_plain(const char *text, size_t len)
{
    if (text[0] == ' ' || text[len - 1] == ' ' || strchr("#,[]{}&*!|>'\"%@`", text[0]))
        return false;
    if (strchr("-?:", text[0]) && (len == 1 || text[1] == ' '))
        return false;
    if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ':' && (i + 1 == len || text[i + 1] == ' '))
            return false;
        if (text[i] == '#' && i && text[i - 1] == ' ')
            return false;
    }
    return true;
}

static style style_of(const char *text, size_t len, bool key)
{
    bool lines = false;
    for (size_t i = 0; i < len; i++) {
        if (is_unprintable((unsigned char)text[i]))
            return DOUBLE;
        lines = lines || text[i] == '\n';
    }
    if (lines) {
        /* A literal's first line shows its indent, which must not begin with a blank. */
        bool blank_before_break = strstr(text, " \n") != NULL;
        return key || text[0] == ' ' || text[0] == '\n' || text[len - 1] == ' ' ||
                       blank_before_break
                   ? DOUBLE
                   : LITERAL;
    }
    if (is_word_of_type(text) || is_number(text) || is_time(text))
        return DOUBLE;
    return may_be_plain(text, len) ? PLAIN : SINGLE;
}

static void put_double(const char *text, size_t len, kube__buffer *out)
{
    static const char named[] = "\"\"\\\\\nn\tt\rr\bb\ff\aa\vv\x1b"
                                "e";
    kube__buffer_add(out, "\"", 1);
    for (size_t i = 0; i < len; i++) {
        const char *escape = text[i] ? strchr(named, text[i]) : NULL;
        /* Every other character of the table is a name: look at the even places alone. */
        while (escape && (escape - named) % 2)
            escape = strchr(escape + 1, text[i]);
        if (escape)
            kube__buffer_printf(out, "\\%c", escape[1]);
        else if (is_unprintable((unsigned char)text[i]) || !text[i])
            kube__buffer_printf(out, "\\x%02X", (unsigned)(unsigned char)text[i]);
        else
            kube__buffer_add(out, &text[i], 1);
    }
    kube__buffer_add(out, "\"", 1);
}

static void put_single(const char *text, size_t len, kube__buffer *out)
{
    kube__buffer_add(out, "'", 1);
    for (size_t i = 0; i < len; i++)
        kube__buffer_add(out, text[i] == '\'' ? "''" : &text[i], text[i] == '\'' ? 2 : 1);
    kube__buffer_add(out, "'", 1);
}

static void put_literal(const char *text, size_t len, size_t indent, kube__buffer *out)
{
    bool ends = text[len - 1] == '\n';
    bool ends_twice = ends && len > 1 && text[len - 2] == '\n';
    kube__buffer_add_text(out, ends_twice ? "|+" : ends ? "|" : "|-");
    size_t stop = ends ? len - 1 : len;
    for (size_t i = 0; i <= stop;) {
        const char *end = memchr(text + i, '\n', stop - i);
        size_t line = end ? (size_t)(end - text) - i : stop - i;
        kube__buffer_add(out, "\n", 1);
        if (line)
            put_indent(indent, out);
        kube__buffer_add(out, text + i, line);
        i += line + 1;
    }
}

static void put_string(const char *text, size_t len, size_t indent, bool key, kube__buffer *out)
{
    switch (style_of(text, len, key)) {
    case PLAIN:
        kube__buffer_add(out, text, len);
        break;
    case SINGLE:
        put_single(text, len, out);
        break;
    case DOUBLE:
        put_double(text, len, out);
        break;
    case LITERAL:
        put_literal(text, len, indent, out);
        break;
    }
}

/* ---- maps and lists ------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const kube__json *const *left = a;
    const kube__json *const *right = b;
    return strcmp((*left)->key, (*right)->key);
}

static bool is_block(const kube__json *value)
{
    return value->len &&
           (kube__json_is(value, KUBE__JSON_OBJECT) || kube__json_is(value, KUBE__JSON_ARRAY));
}

/* @in_line: the first line goes on where the text stands. */
static void put_object(const kube__json *object, size_t indent, bool in_line, kube__buffer *out)
{
    const kube__json **members = calloc(object->len, sizeof *members);
    size_t count = 0;
    if (!members) {
        fail(out);
        return;
    }
    KUBE__JSON_EACH (member, object)
        members[count++] = member;
    qsort(members, count, sizeof *members, by_key);
    for (size_t i = 0; i < count; i++) {
        const kube__json *member = members[i];
        if (i || !in_line)
            put_indent(indent, out);
        put_string(member->key, strlen(member->key), 0, true, out);
        kube__buffer_add(out, ":", 1);
        if (is_block(member)) {
            kube__buffer_add(out, "\n", 1);
            bool list = kube__json_is(member, KUBE__JSON_ARRAY);
            put_value(member, list ? indent : indent + 1, false, out);
        } else {
            kube__buffer_add(out, " ", 1);
            put_value(member, indent + 1, true, out);
        }
    }
    free(members);
}

static void put_array(const kube__json *array, size_t indent, bool in_line, kube__buffer *out)
{
    KUBE__JSON_EACH (item, array) {
        if (item != array->first || !in_line)
            put_indent(indent, out);
        kube__buffer_add(out, "- ", 2);
        put_value(item, indent + 1, true, out);
    }
}

/* Ends the line. */
static void put_value(const kube__json *value, size_t indent, bool in_line, kube__buffer *out)
{
    switch (value->kind) {
    case KUBE__JSON_OBJECT:
        if (value->len) {
            put_object(value, indent, in_line, out);
            return;
        }
        kube__buffer_add_text(out, "{}");
        break;
    case KUBE__JSON_ARRAY:
        if (value->len) {
            put_array(value, indent, in_line, out);
            return;
        }
        kube__buffer_add_text(out, "[]");
        break;
    case KUBE__JSON_STRING:
        put_string(value->text, value->len, indent, false, out);
        break;
    case KUBE__JSON_NUMBER:
        kube__buffer_add(out, value->text, value->len);
        break;
    case KUBE__JSON_BOOL:
        kube__buffer_add_text(out, value->boolean ? "true" : "false");
        break;
    case KUBE__JSON_NULL:
        kube__buffer_add_text(out, "null");
        break;
    }
    kube__buffer_add(out, "\n", 1);
}

void kube__yaml_write(const kube__json *value, kube__buffer *out)
{
    if (value)
        put_value(value, 0, false, out);
    else
        fail(out);
}
