/* SPDX-License-Identifier: Apache-2.0 */
/* Validation markers: whether they fit the member's type and each other. */
#include "build.h"
#include "pattern.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

static bool is_integer(const model_type *type)
{
    return type->kind == MODEL_INT32 || type->kind == MODEL_INT64 ||
           type->kind == MODEL_OPT_INT32 || type->kind == MODEL_OPT_INT64;
}

static bool is_numeric(const model_type *type)
{
    return is_integer(type) || type->kind == MODEL_DOUBLE || type->kind == MODEL_OPT_DOUBLE;
}

static bool refuse(diag *to, const marker *read, const model_field *field, const char *what)
{
    diag_error(to, read->loc, "'+%s' is for %s, and '%s' has type '%s'", read->spec->name, what,
               field->name, field->type.c_name);
    return false;
}

/* The whole number of a marker on an integer; fractions and great exponents are refused. */
static bool is_whole(const char *text)
{
    return text[strspn(text, "-0123456789")] == '\0';
}

static const char *read_number(diag *to, const attached *above, marker_id id,
                               const model_field *field)
{
    const marker *read = attached_find(above, id);

    if (!read)
        return NULL;
    if (!is_numeric(&field->type)) {
        refuse(to, read, field, "numbers");
        return NULL;
    }
    if (is_integer(&field->type) && !is_whole(read->values[0].text)) {
        diag_error(to, read->values[0].loc, "'%s' is not a whole number, and '%s' has type '%s'",
                   read->values[0].text, field->name, field->type.c_name);
        return NULL;
    }
    return read->values[0].text;
}

static const char *read_divisor(diag *to, const attached *above, const model_field *field)
{
    const char *text = read_number(to, above, MARKER_MULTIPLE_OF, field);

    if (text && strtod(text, NULL) <= 0) {
        diag_error(to, attached_find(above, MARKER_MULTIPLE_OF)->values[0].loc,
                   "'%s' divides nothing: it is above zero", text);
        return NULL;
    }
    return text;
}

/* Whether a bound does not belong to what it allows; @bound is that marker. */
static bool read_exclusive(diag *to, const attached *above, marker_id id, marker_id bound,
                           const model_field *field)
{
    const marker *read = attached_find(above, id);

    if (!read)
        return false;
    if (!is_numeric(&field->type))
        return refuse(to, read, field, "numbers");
    if (!attached_find(above, bound))
        diag_error(to, read->loc, "'+%s' needs '+%s'", read->spec->name, marker_specs[bound].name);
    return strcmp(read->values[0].text, "true") == 0;
}

/* A number of elements or members. */
static const char *read_count(diag *to, const attached *above, marker_id id,
                              const model_field *field, bool fits, const char *what)
{
    const marker *read = attached_find(above, id);

    if (!read)
        return NULL;
    if (!fits)
        return refuse(to, read, field, what), NULL;
    return read->values[0].text;
}

static void read_counts(diag *to, const attached *above, model_field *field)
{
    model_validation *made = &field->validation;
    model_kind kind = field->type.kind;
    bool list = kind == MODEL_LIST || kind == MODEL_STRING_LIST;
    bool members = kind == MODEL_MAP || kind == MODEL_STRING_MAP || kind == MODEL_STRUCT ||
                   kind == MODEL_STRUCT_PTR;

    made->min_items = read_count(to, above, MARKER_MIN_ITEMS, field, list, "lists");
    made->max_items = read_count(to, above, MARKER_MAX_ITEMS, field, list, "lists");
    made->min_properties =
        read_count(to, above, MARKER_MIN_PROPERTIES, field, members, "maps and structs");
    made->max_properties =
        read_count(to, above, MARKER_MAX_PROPERTIES, field, members, "maps and structs");
}

static const char *read_format(diag *to, const attached *above, const model_field *field)
{
    const marker *read = attached_find(above, MARKER_FORMAT);

    if (!read)
        return NULL;
    if (field->type.kind != MODEL_STRING)
        return refuse(to, read, field, "strings"), NULL;
    return read->values[0].text;
}

static const char *read_length(diag *to, const attached *above, marker_id id,
                               const model_field *field)
{
    const marker *read = attached_find(above, id);

    if (!read)
        return NULL;
    if (field->type.kind != MODEL_STRING && field->type.kind != MODEL_INT_OR_STRING)
        return refuse(to, read, field, "strings"), NULL;
    return read->values[0].text;
}

static const char *read_pattern(builder *b, const attached *above, const model_field *field)
{
    const marker *read = attached_find(above, MARKER_PATTERN);
    const char *error;

    if (!read)
        return NULL;
    if (field->type.kind != MODEL_STRING && field->type.kind != MODEL_INT_OR_STRING)
        return refuse(b->to, read, field, "strings"), NULL;
    error = pattern_error(b->in, read->values[0].text);
    if (error)
        diag_error(b->to, read->values[0].loc, "not a regular expression: %s", error);
    return read->values[0].text;
}

/* ---- enums --------------------------------------------------------------------------------- */

typedef VEC(model_literal) literal_vec;

static bool add_literal(diag *to, literal_vec *out, const marker_value *value, bool is_string)
{
    for (size_t i = 0; i < out->len; i++) {
        if (strcmp(out->items[i].text, value->text) == 0 && out->items[i].is_string == is_string) {
            diag_error(to, value->loc, "'%s' is listed twice", value->text);
            return false;
        }
    }
    *VEC_ADD(out) = (model_literal){value->text, is_string};
    return true;
}

static void read_values(diag *to, const marker *read, const model_field *field, literal_vec *out)
{
    model_kind kind = field->type.kind;

    if (kind != MODEL_STRING && kind != MODEL_INT_OR_STRING && !is_integer(&field->type)) {
        refuse(to, read, field, "strings and whole numbers");
        return;
    }
    for (size_t i = 0; i < read->value_len; i++) {
        const marker_value *value = &read->values[i];
        bool number = !value->is_quoted && value->text[0] && is_whole(value->text);

        if (is_integer(&field->type) && !number)
            diag_error(to, value->loc, "'%s' is not a whole number, and '%s' has type '%s'",
                       value->text, field->name, field->type.c_name);
        else
            add_literal(to, out, value, kind == MODEL_STRING || !number);
    }
}

static bool token_is(const parse_file *file, const parse_token *token, const char *text)
{
    return token->len == strlen(text) && memcmp(file->text + token->offset, text, token->len) == 0;
}

/* Whether tokens[at] begins `#define <prefix>_…` with a name; the value's token follows it. */
static bool is_define(const parse_file *file, size_t at, const char *prefix)
{
    const parse_token *tokens = file->tokens + at;
    size_t len = strlen(prefix);

    return at + 3 < file->token_len && token_is(file, tokens, "#") &&
           token_is(file, tokens + 1, "define") && tokens[2].len > len + 1 &&
           memcmp(file->text + tokens[2].offset, prefix, len) == 0 &&
           file->text[tokens[2].offset + len] == '_';
}

/* Whether two tokens stand on one line of a directive, which a backslash continues. */
static bool is_same_line(const parse_file *file, const parse_token *from, const parse_token *to)
{
    for (size_t at = from->offset + from->len; at < to->offset; at++) {
        size_t before = at;

        if (file->text[at] != '\n')
            continue;
        before -= before > 0 && file->text[before - 1] == '\r';
        if (before == 0 || file->text[before - 1] != '\\')
            return false;
    }
    return true;
}

/* The text of the string literal after a name, without escapes; NULL when it is something else. */
static const char *literal_text(arena *in, const parse_file *file, const parse_token *name)
{
    const parse_token *token = name + 1;
    const char *text = file->text + token->offset;

    if (token->is_comment || !is_same_line(file, name, token) || token->len < 2 || text[0] != '"' ||
        memchr(text, '\\', token->len))
        return NULL;
    return arena_strndup(in, text + 1, token->len - 2);
}

static int compare_literals(const void *left, const void *right)
{
    return strcmp(((const model_literal *)left)->text, ((const model_literal *)right)->text);
}

static void read_defines(builder *b, const parse_file *file, const marker *read,
                         const model_field *field, literal_vec *out)
{
    const char *prefix = read->values[0].text;

    if (field->type.kind != MODEL_STRING) {
        refuse(b->to, read, field, "strings");
        return;
    }
    for (size_t i = 0; i < file->token_len; i++) {
        const parse_token *name = &file->tokens[i] + 2;
        marker_value value = {0};

        if (!is_define(file, i, prefix))
            continue;
        value.loc = (diag_loc){file->path, name->line, name->column};
        value.text = literal_text(b->in, file, name);
        if (value.text) {
            add_literal(b->to, out, &value, true);
        } else {
            diag_error(b->to, value.loc, "'%.*s' is not a plain string literal", (int)name->len,
                       file->text + name->offset);
            diag_note(b->to, read->loc, "it is one of the values of this '+enum'");
        }
    }
    if (out->len > 1)
        qsort(out->items, out->len, sizeof *out->items, compare_literals);
    if (out->len == 0)
        diag_error(b->to, read->values[0].loc, "the header has no '#define %s_… \"…\"'", prefix);
}

static void read_enum(builder *b, const annotations *of, const attached *above, model_field *field)
{
    const marker *listed = attached_find(above, MARKER_ENUM_VALUES);
    const marker *defined = attached_find(above, MARKER_ENUM);
    literal_vec literals = {0};

    if (listed && defined) {
        diag_error(b->to, defined->loc, "'+enum' and '+%s' exclude each other", listed->spec->name);
        return;
    }
    if (listed)
        read_values(b->to, listed, field, &literals);
    if (defined)
        read_defines(b, of->file, defined, field, &literals);
    field->validation.enums =
        arena_copy(b->in, literals.items, literals.len * sizeof *literals.items);
    field->validation.enum_len = literals.len;
    free(literals.items);
}

/* ---- together ------------------------------------------------------------------------------ */

static void check_order(diag *to, const attached *above, marker_id least, marker_id greatest)
{
    const marker *from = attached_find(above, least);
    const marker *upto = attached_find(above, greatest);

    if (from && upto && strtod(from->values[0].text, NULL) > strtod(upto->values[0].text, NULL)) {
        diag_error(to, upto->values[0].loc, "no value is allowed: '%s' is below the %s of %s",
                   upto->values[0].text, strrchr(from->spec->name, ':') + 1, from->values[0].text);
        diag_note(to, from->values[0].loc, "which is here");
    }
}

void validation_read(builder *b, const annotations *of, const attached *above, model_field *field)
{
    model_validation *made = &field->validation;

    made->minimum = read_number(b->to, above, MARKER_MINIMUM, field);
    made->maximum = read_number(b->to, above, MARKER_MAXIMUM, field);
    made->exclusive_minimum =
        read_exclusive(b->to, above, MARKER_EXCLUSIVE_MINIMUM, MARKER_MINIMUM, field);
    made->exclusive_maximum =
        read_exclusive(b->to, above, MARKER_EXCLUSIVE_MAXIMUM, MARKER_MAXIMUM, field);
    made->multiple_of = read_divisor(b->to, above, field);
    made->format = read_format(b->to, above, field);
    read_counts(b->to, above, field);
    made->min_length = read_length(b->to, above, MARKER_MIN_LENGTH, field);
    made->max_length = read_length(b->to, above, MARKER_MAX_LENGTH, field);
    made->pattern = read_pattern(b, above, field);
    read_enum(b, of, above, field);
    check_order(b->to, above, MARKER_MINIMUM, MARKER_MAXIMUM);
    check_order(b->to, above, MARKER_MIN_LENGTH, MARKER_MAX_LENGTH);
    check_order(b->to, above, MARKER_MIN_ITEMS, MARKER_MAX_ITEMS);
    check_order(b->to, above, MARKER_MIN_PROPERTIES, MARKER_MAX_PROPERTIES);
}
