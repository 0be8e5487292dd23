/* SPDX-License-Identifier: Apache-2.0 */
#include "literal.h"

#include "support/ascii.h"
#include "support/str.h"
#include "support/text_map.h"
#include "support/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

typedef struct reader {
    const char *text;
    size_t at;
    bool loose;
    bool has_null; /* it is a value */
    int depth;
    size_t fault;
    const char *why; /* NULL = nothing is wrong so far */
} reader;

static json_value *read_value(reader *r, const char *ends);

static json_value *fail(reader *r, size_t at, const char *why)
{
    if (!r->why) {
        r->fault = at;
        r->why = why;
    }
    return NULL;
}

static char peek(const reader *r)
{
    return r->text[r->at];
}

static void skip_blanks(reader *r)
{
    while (ascii_is_blank(peek(r)))
        r->at++;
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

/* ---- numbers ------------------------------------------------------------------------------- */

static const char *skip_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

bool literal_is_whole(const char *text)
{
    const char *digits = text + (*text == '-');
    const char *end = skip_digits(digits);
    return end > digits && *end == '\0' && (digits[0] != '0' || end == digits + 1);
}

json_value *literal_number(const char *text)
{
    double number = strtod(text, NULL);
    double size = fabs(number);
    bool is_short = size == 0 || (size >= 1e-6 && size < 1e21);
    json_value *made;
    str spelled = {0};
    if (!text[strcspn(text, "eE")] || !isfinite(number))
        return json_number(text);
    for (int digits = is_short ? 0 : 1; digits < 32; digits++) {
        str_clear(&spelled);
        str_printf(&spelled, is_short ? "%.*f" : "%.*e", digits, number);
        if (strtod(str_text(&spelled), NULL) == number)
            break;
    }
    made = json_number(str_text(&spelled));
    str_free(&spelled);
    return made;
}

bool literal_is_number(const char *text)
{
    const char *digits = text + (*text == '-');
    const char *at = skip_digits(digits);
    if (at == digits || (digits[0] == '0' && at > digits + 1))
        return false;
    if (*at == '.') {
        digits = at + 1;
        at = skip_digits(digits);
        if (at == digits)
            return false;
    }
    if (*at == 'e' || *at == 'E') {
        digits = at + 1;
        digits += *digits == '+' || *digits == '-';
        at = skip_digits(digits);
        if (at == digits)
            return false;
    }
    return *at == '\0';
}

/* ---- strings ------------------------------------------------------------------------------- */

/* Returns the number of four hexadecimal digits, or UINT32_MAX if @text has something else. */
static uint32_t hex4(const char *text)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *found = text[i] ? strchr(digits, ascii_lower(text[i])) : NULL;
        if (!found)
            return UINT32_MAX;
        value = value * 16 + (uint32_t)(found - digits);
    }
    return value;
}

/* The character of \uXXXX, or of two of them; the text is behind the `u`. */
static bool read_unicode(reader *r, str *out)
{
    uint32_t c = hex4(r->text + r->at);
    uint32_t low;
    if (c == UINT32_MAX || c == 0)
        return false;
    r->at += 4;
    if (c >= 0xd800 && c < 0xdc00 && peek(r) == '\\' && r->text[r->at + 1] == 'u') {
        low = hex4(r->text + r->at + 2);
        if (low < 0xdc00 || low >= 0xe000)
            return false;
        r->at += 6;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    if (c >= 0xd800 && c < 0xe000)
        return false;
    utf8_add(out, c);
    return true;
}

/* The text is behind the backslash. */
static bool read_escape(reader *r, str *out)
{
    static const char names[] = "ntrbf\"\\/'";
    static const char values[] = "\n\t\r\b\f\"\\/'";
    char c = peek(r);
    const char *found = c ? strchr(names, c) : NULL;
    if (!c)
        return false;
    r->at++;
    if (c == 'u')
        return read_unicode(r, out);
    if (!found || (c == '\'' && !r->loose))
        return false;
    str_add_char(out, values[found - names]);
    return true;
}

/* Reads "text" with escapes or `text` as it stands into @out. */
static bool read_quoted(reader *r, str *out)
{
    size_t begin = r->at;
    char quote = r->text[r->at++];
    while (peek(r) && peek(r) != quote) {
        size_t at = r->at;
        char c = r->text[r->at++];
        if (c != '\\' || quote == '`') {
            str_add_char(out, c);
        } else if (!read_escape(r, out)) {
            fail(r, at, "unknown escape in a quoted string");
            return false;
        }
    }
    if (peek(r) != quote) {
        fail(r, begin, "the string has no closing quote");
        return false;
    }
    r->at++;
    return true;
}

static bool is_quote(const reader *r, char c)
{
    return c == '"' || (r->loose && (c == '`' || c == '\''));
}

static json_value *read_string(reader *r)
{
    str text = {0};
    json_value *value = NULL;
    if (read_quoted(r, &text))
        value = json_string(str_text(&text));
    str_free(&text);
    return value;
}

/* What has no quotes, up to one of @ends. */
static json_value *read_bare(reader *r, const char *ends)
{
    size_t begin = r->at;
    json_value *value = NULL;
    const char *word;
    str text = {0};
    r->at += strcspn(r->text + begin, ends);
    str_add_len(&text, r->text + begin, r->at - begin);
    while (text.len > 0 && ascii_is_blank(text.data[text.len - 1]))
        text.data[--text.len] = '\0';
    word = str_text(&text);
    if (!*word)
        fail(r, begin, "a value is missing here");
    else if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        value = json_bool(word[0] == 't');
    else if (literal_is_number(word))
        value = literal_number(word);
    else if (r->loose)
        value = json_string(word);
    else if (r->has_null && strcmp(word, "null") == 0)
        value = json_null();
    else if (strcmp(word, "null") == 0)
        fail(r, begin, "null is not a value: leave it out");
    else
        fail(r, begin, "this is not JSON: a string needs \"double quotes\"");
    str_free(&text);
    return value;
}

/* ---- lists and maps ------------------------------------------------------------------------ */

static json_value *read_items(reader *r, json_value *first, const char *separators, char end,
                              const char *ends)
{
    json_value *list = json_array();
    for (json_value *item = first; item;) {
        json_push(list, item);
        skip_blanks(r);
        if (end && take(r, end))
            return list;
        if (peek(r) && strchr(separators, peek(r))) {
            r->at++;
            item = read_value(r, ends);
        } else if (!end) {
            return list;
        } else {
            item = fail(r, r->at, "expected a comma or the end of the list");
        }
    }
    json_free(list);
    return NULL;
}

/* Goes on behind a key and its colon. */
static json_value *read_members(reader *r, json_value *key)
{
    json_value *object = json_object();
    arena *in = arena_new();
    text_map known = {0};
    while (key) {
        const char *name = json_text(key);
        json_value *value = NULL;
        if (json_kind_of(key) == JSON_BOOL)
            name = json_is_true(key) ? "true" : "false";
        if (!text_map_add(&known, in, arena_strdup(in, name)))
            fail(r, r->at, "the key before this is given twice");
        else
            value = read_value(r, ",}");
        if (value)
            json_set(object, name, value);
        json_free(key);
        key = NULL;
        if (!value)
            break;
        if (take(r, '}')) {
            arena_free(in);
            return object;
        }
        if (!take(r, ',')) {
            fail(r, r->at, "expected ',' or '}' after a member");
            break;
        }
        skip_blanks(r);
        key = is_quote(r, peek(r)) ? read_string(r)
              : r->loose           ? read_bare(r, ",;:}")
                                   : fail(r, r->at, "a key needs \"double quotes\"");
        if (key && !take(r, ':')) {
            fail(r, r->at, "expected ':' after a key");
            break;
        }
    }
    arena_free(in);
    json_free(key);
    json_free(object);
    return NULL;
}

/* {a, b}, {key: value} or {}. */
static json_value *read_braces(reader *r)
{
    json_value *first;
    size_t begin;
    r->at++;
    if (take(r, '}'))
        return json_object();
    begin = r->at;
    if (r->loose) {
        first = read_value(r, ",;:}");
    } else {
        skip_blanks(r);
        first = peek(r) == '"' ? read_string(r) : fail(r, r->at, "a key needs \"double quotes\"");
    }
    if (!first)
        return NULL;
    if (take(r, ':')) {
        if (json_kind_of(first) != JSON_ARRAY && json_kind_of(first) != JSON_OBJECT)
            return read_members(r, first);
        json_free(first);
        return fail(r, begin, "a key is a word or a string");
    }
    if (r->loose)
        return read_items(r, first, ",;", '}', ",;}");
    json_free(first);
    return fail(r, r->at, "expected ':' after a key");
}

static json_value *read_brackets(reader *r)
{
    r->at++;
    if (take(r, ']'))
        return json_array();
    return read_items(r, read_value(r, ",]"), ",", ']', ",]");
}

static json_value *read_value(reader *r, const char *ends)
{
    json_value *value;
    skip_blanks(r);
    if (r->depth >= DEPTH_MAX)
        return fail(r, r->at, "the value is nested too deeply");
    r->depth++;
    if (is_quote(r, peek(r)))
        value = read_string(r);
    else if (peek(r) == '{')
        value = read_braces(r);
    else if (peek(r) == '[')
        value = read_brackets(r);
    else
        value = read_bare(r, ends);
    r->depth--;
    return value;
}

static json_value *read_all(reader *r, size_t *fault, const char **why)
{
    json_value *value = read_value(r, r->loose ? ";" : "");
    skip_blanks(r);
    if (value && r->loose && peek(r) == ';') {
        value = read_items(r, value, ";", '\0', ";");
        skip_blanks(r);
    }
    if (value && peek(r)) {
        json_free(value);
        value = fail(r, r->at, "unexpected text after the value");
    }
    *fault = r->fault;
    *why = r->why;
    return value;
}

json_value *literal_parse(const char *text, bool loose, size_t *fault, const char **why)
{
    reader r = {.text = text, .loose = loose};
    return read_all(&r, fault, why);
}

json_value *literal_parse_json(const char *text, size_t *fault, const char **why)
{
    reader r = {.text = text, .has_null = true};
    return read_all(&r, fault, why);
}

/* ---- equality ------------------------------------------------------------------------------ */

static size_t count(const json_value *of)
{
    size_t n = 0;
    for (const json_value *at = json_first(of); at; at = json_next(at))
        n++;
    return n;
}

bool literal_equal(const json_value *a, const json_value *b)
{
    json_kind kind = json_kind_of(a);
    bool same = kind == json_kind_of(b);
    switch (kind) {
    case JSON_NULL:
        return same;
    case JSON_BOOL:
        return same && json_is_true(a) == json_is_true(b);
    case JSON_NUMBER:
    case JSON_STRING:
        return same && strcmp(json_text(a), json_text(b)) == 0;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    same = same && count(a) == count(b);
    b = kind == JSON_ARRAY && same ? json_first(b) : b;
    for (const json_value *at = json_first(a); same && at; at = json_next(at)) {
        const json_value *other = kind == JSON_ARRAY ? b : json_get(b, json_key(at));
        same = other && literal_equal(at, other);
        b = kind == JSON_ARRAY && other ? json_next(other) : b;
    }
    return same;
}
