/* SPDX-License-Identifier: Apache-2.0 */
/* No other file of gen knows libyaml. */
#include "yaml_read.h"

#include "ascii.h"
#include "str.h"
#include "text_map.h"
#include "utf8.h"
#include "xalloc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    DEPTH_MAX = 200,
    VALUES_MAX = 1000000, /* with those that aliases repeat */
    TAGS_MAX = 100,       /* %TAG lines: libyaml compares each with all others */
    PIECE = 1024,         /* bytes that libyaml gets at once */
};

typedef struct reader {
    yaml_parser_t parser;
    const char *file;
    const char *text; /* that the parser has not read yet */
    size_t len;
    const char *line_at; /* for locate(): the line where it was last, */
    const char *at;      /* the character there, */
    size_t index;        /* and how many are before it */
    const char *end;
    size_t values;
    place_list *places;
    arena *in;        /* of the document at hand */
    text_map anchors; /* its values, the latest of each name */
    diag *to;
    bool failed;
} reader;

/* ---- faults -------------------------------------------------------------------------------- */

/* Goes on to the character that has @index others before it. */
static void go_to(reader *r, size_t index)
{
    for (; r->index < index && r->at < r->end; r->index++)
        do
            r->at++;
        while (r->at < r->end && utf8_continues(*r->at));
}

/* Returns the place in bytes: libyaml counts characters. Places come in the order of the text, so
 * that it is gone through once. */
static diag_loc locate(reader *r, yaml_mark_t mark)
{
    size_t line = mark.index - mark.column;
    if (r->index <= line) {
        go_to(r, line);
        r->line_at = r->at;
    }
    go_to(r, mark.index);
    return (diag_loc){r->file, (unsigned)mark.line + 1, (unsigned)(r->at - r->line_at) + 1};
}

static void fail_at(reader *r, yaml_mark_t mark, const char *what)
{
    if (!r->failed)
        diag_error(r->to, locate(r, mark), "%s", what);
    r->failed = true;
}

/* Returns false at a fault. Otherwise the caller deletes @event. */
static bool next_event(reader *r, yaml_event_t *event)
{
    const yaml_parser_t *parser = &r->parser;
    if (!r->failed && yaml_parser_parse(&r->parser, event))
        return true;
    if (parser->error == YAML_MEMORY_ERROR)
        xchecked(NULL);
    if (parser->error == YAML_READER_ERROR && !r->failed) {
        diag_error(r->to, (diag_loc){r->file, 0, 0}, "this is not YAML: %s (byte %zu)",
                   parser->problem, parser->problem_offset);
        r->failed = true;
    }
    fail_at(r, parser->problem_mark, parser->problem ? parser->problem : "this is not YAML");
    return false;
}

/* ---- scalars ------------------------------------------------------------------------------- */

static const char *skip_digits(const char *c)
{
    while (ascii_is_digit(*c))
        c++;
    return c;
}

/* Whether JSON spells a number so. */
static bool is_json_number(const char *text)
{
    const char *digits = text + (*text == '-');
    const char *c = skip_digits(digits);
    if (c == digits || (*digits == '0' && c > digits + 1))
        return false;
    if (*c == '.' && skip_digits(c + 1) == c + 1)
        return false;
    if (*c == '.')
        c = skip_digits(c + 1);
    if (*c == 'e' || *c == 'E') {
        c += 1 + (c[1] == '+' || c[1] == '-');
        if (!ascii_is_digit(*c))
            return false;
    }
    return !*skip_digits(c);
}

/* Reads digits with a base before them, 0x1f, 0b11, 0o10, 010; or NULL. */
static json_value *whole_number(const char *digits, bool is_negative)
{
    static const char prefixes[] = "xXbBoO";
    static const int bases[] = {16, 16, 2, 2, 8, 8};
    const char *prefix = *digits == '0' && digits[1] ? strchr(prefixes, digits[1]) : NULL;
    int base = prefix ? bases[prefix - prefixes] : *digits == '0' ? 8 : 10;
    char spelled[32];
    char *end;
    unsigned long long value;
    digits += prefix && base != 16 ? 2 : 0;
    errno = 0;
    value = strtoull(digits, &end, base);
    if (!ascii_is_digit(*digits) || *end || errno || (is_negative && value > (1ULL << 63)))
        return NULL;
    snprintf(spelled, sizeof spelled, "%s%llu", is_negative && value ? "-" : "", value);
    return json_number(spelled);
}

/* A number that YAML spells and JSON does not: 0x1f, 010, 1_000, +1, .5; or NULL. One that is too
 * large for a double stays a text. */
static json_value *other_number(arena *in, const char *text)
{
    char *plain;
    size_t len = 0;
    const char *digits;
    char *end;
    json_value *whole;
    double value;
    char spelled[32];
    if (!strchr("+-.0123456789", *text))
        return NULL;
    plain = arena_strdup(in, text);
    for (const char *c = text; *c; c++)
        if (*c != '_')
            plain[len++] = *c;
    plain[len] = '\0';
    digits = plain + (*plain == '-' || *plain == '+');
    if (!ascii_is_digit(*digits) && *digits != '.')
        return NULL;
    whole = whole_number(digits, *plain == '-');
    if (whole || plain[strspn(plain, "+-.eE0123456789")])
        return whole;
    value = strtod(plain, &end);
    if (end == plain || *end || !isfinite(value))
        return NULL;
    snprintf(spelled, sizeof spelled, "%.17g", value);
    return json_number(spelled);
}

static json_value *plain_scalar(arena *in, const char *text)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const trues[] = {"true", "True", "TRUE", "yes", "Yes",
                                        "YES",  "on",   "On",   "ON",  NULL};
    static const char *const falses[] = {"false", "False", "FALSE", "no",  "No",
                                         "NO",    "off",   "Off",   "OFF", NULL};
    json_value *number;
    if (str_is_one_of(text, nulls))
        return json_null();
    if (str_is_one_of(text, trues))
        return json_bool(true);
    if (str_is_one_of(text, falses))
        return json_bool(false);
    if (is_json_number(text))
        return json_number(text);
    number = other_number(in, text);
    return number ? number : json_string(text);
}

static json_value *read_scalar(reader *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const char *tag = (const char *)event->data.scalar.tag;
    if (memchr(text, '\0', event->data.scalar.length)) {
        fail_at(r, event->start_mark, "a string cannot hold U+0000");
        return NULL;
    }
    if (tag && strcmp(tag, YAML_STR_TAG) != 0 && strcmp(tag, "!") != 0) {
        fail_at(r, event->start_mark, "values with tags are not read: remove the tag");
        return NULL;
    }
    return event->data.scalar.plain_implicit ? plain_scalar(r->in, text) : json_string(text);
}

/* ---- collections --------------------------------------------------------------------------- */

static const char too_deep[] = "this is nested deeper than 200";

static json_value *read_value(reader *r, const yaml_event_t *event, unsigned depth);

/* Reads the value that comes next; @where is its place, or NULL for where it begins. */
static json_value *read_next(reader *r, const yaml_mark_t *where, unsigned depth)
{
    yaml_event_t event;
    json_value *value;
    diag_loc loc;
    if (!next_event(r, &event))
        return NULL;
    loc = locate(r, where ? *where : event.start_mark);
    value = read_value(r, &event, depth);
    if (value)
        place_set(r->places, value, loc);
    yaml_event_delete(&event);
    return value;
}

static bool read_elements(reader *r, json_value *array, unsigned depth)
{
    yaml_event_t event;
    while (next_event(r, &event)) {
        bool ended = event.type == YAML_SEQUENCE_END_EVENT;
        diag_loc loc = locate(r, event.start_mark);
        json_value *value = ended ? NULL : read_value(r, &event, depth + 1);
        if (value)
            place_set(r->places, value, loc);
        yaml_event_delete(&event);
        if (!value)
            return ended;
        json_push(array, value);
    }
    return false;
}

/* Returns a member's name, or NULL after an error. */
static const char *read_key(reader *r, const yaml_event_t *event, text_map *keys)
{
    const char *key = (const char *)event->data.scalar.value;
    if (event->type != YAML_SCALAR_EVENT || memchr(key, '\0', event->data.scalar.length)) {
        fail_at(r, event->start_mark, "the name of a member is a string");
        return NULL;
    }
    if (event->data.scalar.plain_implicit && strcmp(key, "<<") == 0) {
        fail_at(r, event->start_mark, "'<<' is not read: write out what it merges");
        return NULL;
    }
    key = arena_strdup(r->in, key);
    if (text_map_add(keys, r->in, key))
        return key;
    fail_at(r, event->start_mark, "this name is in its map already");
    return NULL;
}

static bool read_members(reader *r, json_value *object, unsigned depth)
{
    text_map keys = {0};
    yaml_event_t event;
    while (next_event(r, &event)) {
        bool ended = event.type == YAML_MAPPING_END_EVENT;
        yaml_mark_t where = event.start_mark;
        const char *key = ended ? NULL : read_key(r, &event, &keys);
        json_value *value = key ? read_next(r, &where, depth + 1) : NULL;
        yaml_event_delete(&event);
        if (!value)
            return ended;
        json_set(object, key, value);
    }
    return false;
}

/* Counts the values of @value with those in it. Returns how many collections are in each other. */
static unsigned measure(const json_value *value, size_t *count)
{
    bool holds = json_kind_of(value) == JSON_ARRAY || json_kind_of(value) == JSON_OBJECT;
    unsigned height = 0;
    ++*count;
    for (const json_value *child = json_first(value); child; child = json_next(child)) {
        unsigned own = measure(child, count);
        height = own > height ? own : height;
    }
    return height + holds;
}

static json_value *read_alias(reader *r, const yaml_event_t *event, unsigned depth)
{
    const json_value *value = text_map_get(&r->anchors, (const char *)event->data.alias.anchor);
    if (!value) {
        fail_at(r, event->start_mark, "no anchor before has this name");
        return NULL;
    }
    if (depth + measure(value, &r->values) > DEPTH_MAX)
        fail_at(r, event->start_mark, too_deep);
    else if (r->values > VALUES_MAX)
        fail_at(r, event->start_mark, "the aliases make more than a million values");
    else
        return json_copy(value);
    return NULL;
}

static void set_anchor(reader *r, const yaml_char_t *name, json_value *value)
{
    if (name)
        *text_map_at(&r->anchors, r->in, arena_strdup(r->in, (const char *)name)) = value;
}

static json_value *read_collection(reader *r, const yaml_event_t *event, unsigned depth)
{
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    json_value *made = is_map ? json_object() : json_array();
    if (depth >= DEPTH_MAX)
        fail_at(r, event->start_mark, too_deep);
    if (r->failed || !(is_map ? read_members(r, made, depth) : read_elements(r, made, depth))) {
        json_free(made);
        return NULL;
    }
    set_anchor(r, is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
               made);
    return made;
}

static json_value *read_value(reader *r, const yaml_event_t *event, unsigned depth)
{
    json_value *value;
    if (++r->values > VALUES_MAX) {
        fail_at(r, event->start_mark, "there are more than a million values");
        return NULL;
    }
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return read_alias(r, event, depth);
    case YAML_SCALAR_EVENT:
        value = read_scalar(r, event);
        if (value)
            set_anchor(r, event->data.scalar.anchor, value);
        return value;
    default:
        return read_collection(r, event, depth);
    }
}

/* ---- documents ----------------------------------------------------------------------------- */

/* libyaml asks for more. It gets so little at once that it cannot read many more %TAG lines than
 * are allowed. */
static int give_piece(void *arg, unsigned char *out, size_t size, size_t *given)
{
    reader *r = arg;
    const yaml_parser_t *parser = &r->parser;
    size_t len = r->len < size ? r->len : size;
    if (parser->tag_directives.top - parser->tag_directives.start > TAGS_MAX) {
        fail_at(r, parser->mark, "a document has at most 100 %TAG lines");
        return 0;
    }
    len = len < PIECE ? len : PIECE;
    if (len)
        memcpy(out, r->text, len);
    r->text += len;
    r->len -= len;
    *given = len;
    return 1;
}

static void read_document(reader *r, json_list *out)
{
    json_value *root;
    r->in = arena_new();
    r->anchors = (text_map){0};
    root = read_next(r, NULL, 0);
    if (root && json_kind_of(root) == JSON_NULL)
        json_free(root);
    else if (root)
        *VEC_ADD(out) = root;
    arena_free(r->in);
}

bool yaml_read(const char *file, const char *text, size_t len, place_list *places, json_list *out,
               diag *to)
{
    reader r = {.file = file, .text = text, .len = len, .places = places, .to = to};
    r.line_at = r.at = text + (str_has_prefix(text, "\xef\xbb\xbf") ? 3 : 0);
    r.end = text + len;
    bool ended = false;
    yaml_event_t event;
    if (!yaml_parser_initialize(&r.parser))
        xchecked(NULL);
    yaml_parser_set_input(&r.parser, give_piece, &r);
    while (!ended && next_event(&r, &event)) {
        bool begins = event.type == YAML_DOCUMENT_START_EVENT;
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (begins)
            read_document(&r, out);
    }
    yaml_parser_delete(&r.parser);
    return !r.failed;
}

void json_list_free(json_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        json_free(list->items[i]);
    free(list->items);
    *list = (json_list){0};
}
