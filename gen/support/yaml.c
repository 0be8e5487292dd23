/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml.h"

#include "ascii.h"
#include "utf8.h"

#include <string.h>
#include <strings.h>

enum { INDENT = 2, KEY_MAX = 1000 };

static void indent(str *out, size_t depth)
{
    for (size_t i = 0; i < depth * INDENT; i++)
        str_add_char(out, ' ');
}

/* Whether a reader would take the word for a boolean or for null. */
static bool is_reserved(const char *text)
{
    static const char *const words[] = {"true", "false", "yes", "no",   "on",
                                        "off",  "y",     "n",   "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_control(const char *at)
{
    return utf8_len(at) == 0 || utf8_is_hidden(utf8_character(at));
}

static bool has_control(const char *text)
{
    for (; *text; text++)
        if (!utf8_continues(*text) && is_control(text) && *text != '\n')
            return true;
    return false;
}

/* Whether it may stand without quotes. A first character that could begin a number may not. */
static bool is_plain(const char *text)
{
    const char *c;
    if (!ascii_is_alpha(*text) && *text != '/' && *text != '_' &&
        !(*text == '.' && ascii_is_alpha(text[1])))
        return false;
    if (is_reserved(text) || strcasecmp(text, ".inf") == 0 || strcasecmp(text, ".nan") == 0)
        return false;
    for (c = text; *c; c++) {
        bool last = !c[1];
        if (*c == ' ' && (last || c[1] == '#'))
            return false;
        if (*c == ':' && (last || c[1] == ' '))
            return false;
        if ((unsigned char)*c < 0x80 && !ascii_is_alnum(*c) && !strchr(" _./-(),;:'+@=<>?!\"", *c))
            return false;
    }
    return true;
}

static void write_single_quoted(const char *text, str *out)
{
    str_add_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            str_add_char(out, '\'');
        str_add_char(out, *text);
    }
    str_add_char(out, '\'');
}

static void write_double_quoted(const char *text, str *out)
{
    str_add_char(out, '"');
    while (*text) {
        size_t len = utf8_len(text);
        uint32_t c = len ? utf8_character(text) : 0xfffd;
        if (*text == '\n')
            str_add(out, "\\n");
        else if (*text == '"' || *text == '\\')
            str_printf(out, "\\%c", *text);
        else if (len && !utf8_is_hidden(c))
            str_add_len(out, text, len);
        else if (c < 0x100)
            str_printf(out, "\\x%02x", (unsigned)c);
        else if (c < 0x10000)
            str_printf(out, "\\u%04x", (unsigned)c);
        else
            str_printf(out, "\\U%08x", (unsigned)c);
        text += len ? len : 1;
    }
    str_add_char(out, '"');
}

/* Whether a literal block keeps the text: no line begins or ends with what readers fold away. */
static bool is_block(const char *text)
{
    size_t len = strlen(text);
    const char *c;
    if (*text == ' ' || *text == '\n' || text[len - 1] == '\n')
        return false;
    for (c = text; *c; c++)
        if (*c == ' ' && (c[1] == '\n' || !c[1]))
            return false;
    return true;
}

static void write_block(const char *text, size_t depth, str *out)
{
    str_add(out, "|-");
    while (*text) {
        size_t len = strcspn(text, "\n");
        str_add_char(out, '\n');
        if (len)
            indent(out, depth);
        str_add_len(out, text, len);
        text += len + (text[len] == '\n');
    }
}

static void write_text(const char *text, size_t depth, str *out)
{
    if (has_control(text))
        write_double_quoted(text, out);
    else if (strchr(text, '\n') && is_block(text))
        write_block(text, depth, out);
    else if (strchr(text, '\n'))
        write_double_quoted(text, out);
    else if (is_plain(text))
        str_add(out, text);
    else
        write_single_quoted(text, out);
}

static void write_scalar(const json_value *value, size_t depth, str *out)
{
    switch (json_kind_of(value)) {
    case JSON_STRING:
        write_text(json_text(value), depth, out);
        break;
    case JSON_NUMBER:
        str_add(out, json_text(value));
        break;
    case JSON_BOOL:
        str_add(out, json_is_true(value) ? "true" : "false");
        break;
    case JSON_ARRAY:
        str_add(out, "[]");
        break;
    case JSON_OBJECT:
        str_add(out, "{}");
        break;
    case JSON_NULL:
        str_add(out, "null");
        break;
    }
}

static bool is_collection(const json_value *value)
{
    json_kind kind = json_kind_of(value);
    return (kind == JSON_ARRAY || kind == JSON_OBJECT) && json_first(value);
}

/* A key in one line. A long one has to say that it is one. */
static void write_key(const char *text, size_t depth, str *out)
{
    str key = {0};
    if (has_control(text) || strchr(text, '\n'))
        write_double_quoted(text, &key);
    else
        write_text(text, depth, &key);
    str_add(out, key.len > KEY_MAX ? "? " : "");
    str_add(out, str_text(&key));
    if (key.len > KEY_MAX) {
        str_add_char(out, '\n');
        indent(out, depth);
    }
    str_free(&key);
}

/* @inline_first: the first line goes on in a line that has its indentation, behind "- ". */
static void write_collection(const json_value *value, size_t depth, bool inline_first, str *out)
{
    bool is_array = json_kind_of(value) == JSON_ARRAY;
    const json_value *item;
    for (item = json_first(value); item; item = json_next(item)) {
        bool nested = is_collection(item);
        if (!inline_first)
            indent(out, depth);
        inline_first = false;
        if (is_array)
            str_add(out, "- ");
        else
            write_key(json_key(item), depth, out);
        if (!is_array)
            str_add(out, nested ? ":" : ": ");
        if (!nested) {
            write_scalar(item, depth + 1, out);
            str_add_char(out, '\n');
            continue;
        }
        if (!is_array)
            str_add_char(out, '\n');
        write_collection(item, depth + 1, is_array, out);
    }
}

void yaml_write(const json_value *value, str *out)
{
    write_collection(value, 0, false, out);
}
