/* SPDX-License-Identifier: Apache-2.0 */
/* This file parses markers: +name, +name=value, +name:arg=value,arg="quoted, text",arg=a;b. */
#include "literal.h"
#include "markers.h"
#include "support/ascii.h"
#include "support/str.h"
#include "support/utf8.h"
#include "support/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    arena *in;
    diag *to;
    const char *text; /* the line from `+` on */
    size_t at;
    diag_loc start;
    const marker_spec *spec;
} reader;

typedef VEC(marker_value) value_vec;

static diag_loc place_of(const reader *r, size_t at)
{
    diag_loc loc = r->start;
    loc.column += (unsigned)at;
    return loc;
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

/* ---- strings ------------------------------------------------------------------------------- */

/* Returns the character of an escape such as \n, or 0 if @c is not one. */
static char escaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '"':
    case '\'':
    case '\\':
        return c;
    default:
        return '\0';
    }
}

/* Reads "text" with escapes, or `text` as it stands. */
static bool read_quoted(reader *r, marker_value *out)
{
    char quote = peek(r);
    size_t begin = r->at++;
    str text = {0};
    bool closed = false;
    out->loc = place_of(r, begin);
    out->is_quoted = true;
    while (peek(r)) {
        char c = r->text[r->at++];
        if (c == quote) {
            closed = true;
            break;
        }
        if (c == '\\' && quote != '`') {
            c = escaped(peek(r));
            if (!c) {
                diag_error(
                    r->to, place_of(r, r->at - 1),
                    "unknown escape in a quoted string: write '\\\\' for a backslash, or put "
                    "the text between back-quotes");
                str_free(&text);
                return false;
            }
            r->at++;
        }
        str_add_char(&text, c);
    }
    if (!closed)
        diag_error(r->to, out->loc, "the string has no closing %c", quote);
    out->text = arena_strdup(r->in, str_text(&text));
    str_free(&text);
    return closed;
}

static bool is_quote(char c)
{
    return c == '"' || c == '`' || c == '\'';
}

/* Reads a string: quoted, or bare up to one of @ends. */
static bool read_string(reader *r, const char *ends, marker_value *out)
{
    size_t begin;
    size_t end;
    skip_blanks(r);
    if (is_quote(peek(r)))
        return read_quoted(r, out);
    begin = r->at;
    r->at += strcspn(r->text + r->at, ends);
    end = r->at;
    while (end > begin && ascii_is_space(r->text[end - 1]))
        end--;
    out->loc = place_of(r, begin);
    out->text = arena_strndup(r->in, r->text + begin, end - begin);
    out->is_quoted = false;
    if (end == begin) {
        diag_error(r->to, out->loc, "a value is missing here");
        return false;
    }
    return true;
}

/* Reads a;b;c up to one of @ends, or {a,b,c}. */
static bool read_list(reader *r, const char *ends, value_vec *out)
{
    bool braces;
    skip_blanks(r);
    braces = peek(r) == '{';
    if (braces)
        r->at++;
    for (;;) {
        marker_value value = {0};
        if (!read_string(r, braces ? ",;}" : ends, &value))
            return false;
        *VEC_ADD(out) = value;
        skip_blanks(r);
        if (peek(r) == ';' || (braces && peek(r) == ',')) {
            r->at++;
            continue;
        }
        if (!braces)
            return true;
        if (peek(r) == '}') {
            r->at++;
            return true;
        }
        diag_error(r->to, place_of(r, r->at), "expected ',' or '}' in the list");
        return false;
    }
}

static bool at_end(reader *r)
{
    skip_blanks(r);
    if (peek(r) == '\0')
        return true;
    diag_error(r->to, place_of(r, r->at), "unexpected text after the value of '+%s'",
               r->spec->name);
    return false;
}

/* ---- checks of single values --------------------------------------------------------------- */

static bool is_count(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 16 && text[digits] == '\0' && (digits == 1 || text[0] != '0');
}

static bool check_choice(reader *r, const marker_value *value, const char *const *choices,
                         const char *what)
{
    const char *all = "";
    const char *near;
    size_t len = 0;
    for (; choices && choices[len]; len++) {
        if (strcmp(choices[len], value->text) == 0)
            return true;
    }
    if (len == 0)
        return true;
    near = diag_nearest(value->text, choices, len);
    if (near) {
        diag_error(r->to, value->loc, "'%s' is not a value of %s; did you mean '%s'?", value->text,
                   what, near);
        return false;
    }
    for (size_t i = 0; i < len; i++)
        all = arena_printf(r->in, "%s%s%s", all, i > 0 ? ", " : "", choices[i]);
    diag_error(r->to, value->loc, "'%s' is not a value of %s, which is one of %s", value->text,
               what, all);
    return false;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static const marker_arg_spec *find_arg(reader *r, const char *name, size_t begin)
{
    const char *names[16];
    size_t len = 0;
    for (; r->spec->args[len].name; len++) {
        if (strcmp(r->spec->args[len].name, name) == 0)
            return &r->spec->args[len];
        names[len] = r->spec->args[len].name;
    }
    diag_error(r->to, place_of(r, begin), "'+%s' has no argument '%s'%s", r->spec->name, name,
               diag_meant(r->in, name, names, len));
    return NULL;
}

static bool check_pairs(reader *r, const value_vec *values)
{
    for (size_t i = 0; i < values->len; i++) {
        const marker_value *pair = &values->items[i];
        if (!strchr(pair->text, '=') || pair->text[0] == '=') {
            diag_error(r->to, pair->loc, "'%s' is not of the form key=value", pair->text);
            return false;
        }
    }
    return true;
}

static bool read_arg_value(reader *r, marker_arg *arg)
{
    const marker_arg_spec *spec = arg->spec;
    value_vec values = {0};
    bool ok;
    if (spec->kind == MARKER_ARG_LIST || spec->kind == MARKER_ARG_PAIRS)
        ok = read_list(r, ",;", &values);
    else
        ok = read_string(r, ",", VEC_ADD(&values));
    if (ok && spec->kind == MARKER_ARG_PAIRS)
        ok = check_pairs(r, &values);
    if (ok && spec->kind == MARKER_ARG_COUNT && !is_count(values.items[0].text)) {
        diag_error(r->to, values.items[0].loc, "'%s' is not a whole number", values.items[0].text);
        ok = false;
    }
    if (ok && spec->choices)
        ok = check_choice(r, &values.items[0], spec->choices,
                          arena_printf(r->in, "'%s'", spec->name));
    arg->values = VEC_KEEP(r->in, &values);
    arg->value_len = values.len;
    return ok;
}

static bool read_arg(reader *r, marker_arg *arg, const marker_arg *before, size_t before_len)
{
    size_t begin;
    size_t len;
    const char *name;
    skip_blanks(r);
    begin = r->at;
    len = strcspn(r->text + begin, "=,:; \t");
    name = arena_strndup(r->in, r->text + begin, len);
    r->at += len;
    arg->loc = place_of(r, begin);
    if (len == 0) {
        diag_error(r->to, arg->loc, "the name of an argument is missing here");
        return false;
    }
    arg->spec = find_arg(r, name, begin);
    if (!arg->spec)
        return false;
    for (size_t i = 0; i < before_len; i++) {
        if (before[i].spec == arg->spec) {
            diag_error(r->to, arg->loc, "'%s' is given twice", name);
            return false;
        }
    }
    if (peek(r) != '=') {
        diag_error(r->to, place_of(r, r->at), "expected '=' and a value after '%s'", name);
        return false;
    }
    r->at++;
    return read_arg_value(r, arg);
}

static bool check_required(reader *r, const marker_arg *args, size_t len)
{
    for (const marker_arg_spec *spec = r->spec->args; spec->name; spec++) {
        bool given = !spec->is_required;
        for (size_t i = 0; i < len; i++)
            given |= args[i].spec == spec;
        if (!given) {
            diag_error(r->to, r->start, "'+%s' needs '%s='", r->spec->name, spec->name);
            return false;
        }
    }
    return true;
}

/* The value of a first argument that is not named. */
static bool read_first(reader *r, marker_arg *arg)
{
    skip_blanks(r);
    arg->loc = place_of(r, r->at);
    arg->spec = r->spec->args;
    return read_arg_value(r, arg);
}

static bool read_args(reader *r, marker *out)
{
    VEC(marker_arg) args = {0};
    bool leads = r->spec->leads_with_value;
    bool ok = true;
    if (peek(r) == ':' || peek(r) == '=') {
        r->at += r->text[r->at] == ':' && r->text[r->at + 1] == '=' ? 2 : 1;
        do {
            marker_arg arg = {0};
            ok = leads ? read_first(r, &arg) : read_arg(r, &arg, args.items, args.len);
            leads = false;
            *VEC_ADD(&args) = arg;
            if (ok)
                skip_blanks(r);
        } while (ok && peek(r) == ',' && r->at++ > 0);
    }
    ok = ok && at_end(r) && check_required(r, args.items, args.len);
    out->args = VEC_KEEP(r->in, &args);
    out->arg_len = args.len;
    return ok;
}

/* ---- markers ------------------------------------------------------------------------------- */

static bool read_text(reader *r, value_vec *out)
{
    marker_value value = {0};
    skip_blanks(r);
    if (is_quote(peek(r))) {
        if (!read_quoted(r, &value) || !at_end(r))
            return false;
    } else {
        value.loc = place_of(r, r->at);
        value.text = arena_strdup(r->in, r->text + r->at);
    }
    if (value.text[0] == '\0' && !r->spec->may_be_empty) {
        diag_error(r->to, r->start, "'+%s' needs a value: %s", r->spec->name, r->spec->usage);
        return false;
    }
    *VEC_ADD(out) = value;
    return check_choice(r, &value, r->spec->choices, arena_printf(r->in, "'+%s'", r->spec->name));
}

static bool read_words(reader *r, value_vec *out)
{
    do {
        marker_value value = {0};
        if (!read_string(r, ",", &value))
            return false;
        if (!check_choice(r, &value, r->spec->choices, arena_printf(r->in, "'+%s'", r->spec->name)))
            return false;
        *VEC_ADD(out) = value;
        skip_blanks(r);
    } while (peek(r) == ',' && r->at++ > 0);
    return at_end(r);
}

/* Reads a value of any type: only whether it is well formed; its text is kept. */
static bool read_literal(reader *r, value_vec *out)
{
    marker_value value = {0};
    const char *why = NULL;
    size_t fault = 0;
    json_value *read;
    skip_blanks(r);
    value.loc = place_of(r, r->at);
    value.text = r->text + r->at;
    if (r->spec->syntax == MARKER_PATCH)
        read = literal_parse_json(value.text, &fault, &why);
    else
        read = literal_parse(value.text, r->spec->syntax == MARKER_LOOSE, &fault, &why);
    if (read && r->spec->syntax == MARKER_PATCH && json_kind_of(read) != JSON_OBJECT) {
        json_free(read);
        read = NULL;
        why = "this is not an object of JSON: {\"keyword\": value}";
    }
    if (!read) {
        if (str_has_prefix(value.text, "ref("))
            why = "this names a constant of Go: write its value";
        diag_error(r->to, place_of(r, r->at + fault), "%s", why);
        return false;
    }
    json_free(read);
    *VEC_ADD(out) = value;
    return true;
}

static bool read_values(reader *r, value_vec *out)
{
    switch (r->spec->syntax) {
    case MARKER_TEXT:
        return read_text(r, out);
    case MARKER_WORDS:
        return read_words(r, out);
    case MARKER_LOOSE:
    case MARKER_JSON_VALUE:
    case MARKER_PATCH:
        return read_literal(r, out);
    case MARKER_LITERALS:
        return read_list(r, ",;", out) && at_end(r);
    case MARKER_NUMBER:
    case MARKER_COUNT:
        if (!read_text(r, out))
            return false;
        if (r->spec->syntax == MARKER_COUNT ? is_count(out->items[0].text)
                                            : literal_is_number(out->items[0].text) &&
                                                  isfinite(strtod(out->items[0].text, NULL)))
            return true;
        diag_error(r->to, out->items[0].loc, "'%s' is not a %snumber", out->items[0].text,
                   r->spec->syntax == MARKER_COUNT ? "whole, positive " : "");
        return false;
    case MARKER_BARE:
    case MARKER_ARGS:
    case MARKER_UNREAD:
        break;
    }
    return true;
}

static bool read_value(reader *r, marker *out)
{
    value_vec values = {0};
    bool ok;
    if (r->spec->syntax == MARKER_BARE) {
        skip_blanks(r);
        if (peek(r) == '\0')
            return true;
        diag_error(r->to, place_of(r, r->at), "'+%s' takes no value", r->spec->name);
        return true; /* it counts all the same, so that nothing else seems to be wrong */
    }
    if (r->spec->may_be_bare && r->text[r->at + strspn(r->text + r->at, " \t")] == '\0')
        return true;
    r->at += peek(r) == ':' && r->text[r->at + 1] == '=' ? 1 : 0;
    if (peek(r) != '=') {
        diag_error(r->to, r->start, "'+%s' needs a value: %s", r->spec->name, r->spec->usage);
        return false;
    }
    r->at++;
    ok = read_values(r, &values);
    out->values = VEC_KEEP(r->in, &values);
    out->value_len = values.len;
    return ok;
}

static void report_unknown(reader *r)
{
    size_t len = strcspn(r->text + 1, "= \t");
    const char *name;
    const char *near;
    const char *known;
    if (len > 1 && r->text[len] == ':' && r->text[1 + len] == '=')
        len--;
    name = arena_strndup(r->in, r->text + 1, len);
    known = marker_unsupported(name);
    near = marker_nearest(r->in, name);
    if (known)
        diag_error(r->to, r->start, "'+%s' %s", name, known);
    else if (near)
        diag_error(r->to, r->start, "unknown marker '+%s'; did you mean '+%s'?", name, near);
    else
        diag_error(r->to, r->start, "unknown marker '+%s'; 'kubegen explain' lists all", name);
}

/* Returns the first character before a quote that a reader does not see, or NULL. */
static const char *find_unseen(const char *text)
{
    for (; *text && !is_quote(*text); text++) {
        if (utf8_unseen_len(text) > 0)
            return text;
    }
    return NULL;
}

/* Markers of declarative validation end where a comment begins. */
static const char *without_comment(arena *in, const char *text)
{
    size_t len = strcspn(text, "#");
    while (len > 0 && ascii_is_blank(text[len - 1]))
        len--;
    return str_has_prefix(text, "+k8s:") ? arena_strndup(in, text, len) : text;
}

bool marker_parse(arena *in, const char *file, const comment_line *line, marker *out, diag *to)
{
    reader r = {.in = in, .to = to, .start = {file, line->line, line->column}};
    const char *unseen = find_unseen(line->text);
    r.text = without_comment(in, line->text);
    *out = (marker){.text = line->text, .loc = r.start};
    if (unseen) {
        diag_error(to, place_of(&r, (size_t)(unseen - line->text)),
                   "the character U+%04X, which is not seen, stands in this marker: remove it",
                   (unsigned)utf8_character(unseen));
        return false;
    }
    r.spec = marker_item_rule(in, line->text + 1);
    out->for_items = r.spec != NULL;
    r.spec = out->spec = r.spec ? r.spec : marker_match(line->text + 1);
    if (!r.spec) {
        report_unknown(&r);
        return false;
    }
    if (r.spec->places & MARKER_INERT) {
        out->id = MARKER_ID_COUNT;
        return true;
    }
    out->id = r.spec->same_as ? r.spec->same_as : (marker_id)(r.spec - marker_specs);
    if (line->is_continued) {
        diag_error(to, r.start, "the backslash at the end makes the next line part of the comment");
        return false;
    }
    r.at = 1 + strlen(r.spec->name);
    return r.spec->syntax == MARKER_ARGS ? read_args(&r, out) : read_value(&r, out);
}
