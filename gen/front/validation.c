/* SPDX-License-Identifier: Apache-2.0 */
/* validation_read() reads the validation markers; they must fit the member's type and each other.
 */
#include "build.h"
#include "literal.h"
#include "pattern.h"
#include "support/ascii.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

static bool is_integer(const model_field *field)
{
    return model_is_integer(&field->type) || rules_is_raw(field, "integer");
}

static bool is_numeric(const model_field *field)
{
    return is_integer(field) || rules_is_raw(field, "number") || field->type.kind == MODEL_DOUBLE ||
           field->type.kind == MODEL_OPT_DOUBLE;
}

/* A number; fractions and great exponents are refused on an integer. */
static const char *read_number(builder *b, const attached *above, marker_id id,
                               const model_field *field)
{
    const marker *read = member_marker(b, above, id, field, is_numeric(field), "numbers");
    if (!read)
        return NULL;
    if (is_integer(field) && !literal_is_whole(read->values[0].text)) {
        diag_error(b->to, read->values[0].loc, "'%s' is not a whole number, and '%s' has type '%s'",
                   read->values[0].text, field->name, field->type.c_name);
        return NULL;
    }
    return read->values[0].text;
}

static const char *read_divisor(builder *b, const attached *above, const model_field *field)
{
    const char *text = read_number(b, above, MARKER_MULTIPLE_OF, field);
    if (text && strtod(text, NULL) <= 0) {
        diag_error(b->to, attached_find(above, MARKER_MULTIPLE_OF)->values[0].loc,
                   "'%s' cannot divide numbers: write one that is greater than zero", text);
        return NULL;
    }
    return text;
}

/* Says whether a limit itself is refused; @bound is the marker of the limit. */
static bool read_exclusive(builder *b, const attached *above, marker_id id, marker_id bound,
                           const model_field *field)
{
    const marker *read = member_marker(b, above, id, field, is_numeric(field), "numbers");
    if (read && !attached_find(above, bound))
        diag_error(b->to, read->loc, "'+%s' needs '+%s'", read->spec->name,
                   marker_specs[bound].name);
    return read && strcmp(read->values[0].text, "true") == 0;
}

static void read_numbers(builder *b, const attached *above, model_field *field)
{
    model_validation *made = &field->validation;
    made->minimum = read_number(b, above, MARKER_MINIMUM, field);
    made->maximum = read_number(b, above, MARKER_MAXIMUM, field);
    made->exclusive_minimum =
        read_exclusive(b, above, MARKER_EXCLUSIVE_MINIMUM, MARKER_MINIMUM, field);
    made->exclusive_maximum =
        read_exclusive(b, above, MARKER_EXCLUSIVE_MAXIMUM, MARKER_MAXIMUM, field);
    made->multiple_of = read_divisor(b, above, field);
}

static void read_counts(builder *b, const attached *above, model_field *field)
{
    static const char members[] = "maps and structs";
    model_validation *made = &field->validation;
    bool list = model_is_list(&field->type) || rules_is_raw(field, "array");
    bool map = model_is_map(&field->type) || model_is_struct(&field->type) ||
               rules_is_raw(field, "object");
    made->min_items = member_value(b, above, MARKER_MIN_ITEMS, field, list, "lists");
    made->max_items = member_value(b, above, MARKER_MAX_ITEMS, field, list, "lists");
    made->min_properties = member_value(b, above, MARKER_MIN_PROPERTIES, field, map, members);
    made->max_properties = member_value(b, above, MARKER_MAX_PROPERTIES, field, map, members);
}

static void read_strings(builder *b, const attached *above, model_field *field)
{
    static const char strings[] = "strings";
    model_validation *made = &field->validation;
    bool fits = rules_is_text(field);
    const marker *pattern = member_marker(b, above, MARKER_PATTERN, field, fits, strings);
    const char *error = pattern ? pattern_error(b->in, pattern->values[0].text) : NULL;
    made->format = member_value(b, above, MARKER_FORMAT, field,
                                fits && field->type.kind != MODEL_INT_OR_STRING, strings);
    made->min_length = member_value(b, above, MARKER_MIN_LENGTH, field, fits, strings);
    made->max_length = member_value(b, above, MARKER_MAX_LENGTH, field, fits, strings);
    made->pattern = pattern ? pattern->values[0].text : NULL;
    if (error)
        diag_error(b->to, pattern->values[0].loc, "not a regular expression: %s", error);
}

/* ---- enums --------------------------------------------------------------------------------- */

typedef struct literal_vec {
    model_literal *items;
    size_t len;
    size_t cap;
    text_map known[2]; /* numbers, and strings */
} literal_vec;

static void add_literal(builder *b, literal_vec *out, const marker_value *value, bool is_string)
{
    if (text_map_add(&out->known[is_string], b->in, value->text))
        *VEC_ADD(out) = (model_literal){value->text, is_string};
    else
        diag_error(b->to, value->loc, "'%s' is listed twice", value->text);
}

static void read_values(builder *b, const marker *read, const model_field *field, literal_vec *out)
{
    bool whole = is_integer(field);
    for (size_t i = 0; i < read->value_len; i++) {
        const marker_value *value = &read->values[i];
        bool number = !value->is_quoted && literal_is_whole(value->text);
        if (whole && !number)
            diag_error(b->to, value->loc, "'%s' is not a whole number, and '%s' has type '%s'",
                       value->text, field->name, field->type.c_name);
        else
            add_literal(b, out, value, field->type.kind == MODEL_STRING || !number);
    }
}

static bool token_is(const parse_file *file, const parse_token *token, const char *text)
{
    return token->len == strlen(text) && memcmp(file->text + token->offset, text, token->len) == 0;
}

/* Whether a name is @prefix, `_` and more. */
static bool has_enum_prefix(const char *name, size_t len, const char *prefix)
{
    size_t prefix_len = strlen(prefix);
    return len > prefix_len + 1 && memcmp(name, prefix, prefix_len) == 0 && name[prefix_len] == '_';
}

/* What the names of the values of a typedef begin with, if its marker does not say it. */
static const char *typedef_prefix(builder *b, const char *name)
{
    char *prefix = arena_strdup(b->in, name);
    for (char *c = prefix; *c; c++)
        *c = ascii_upper(*c);
    return prefix;
}

static const char *enum_prefix(builder *b, const marker *read, const model_field *field)
{
    return read->value_len > 0 ? read->values[0].text : typedef_prefix(b, field->name);
}

static void note_prefix(builder *b, const char *prefix)
{
    if (text_map_add(&b->enum_known, b->in, prefix))
        *VEC_ADD(&b->enum_prefixes) = prefix;
}

/* Notes the prefixes of the `+enum` markers of a file. */
static void note_enums(builder *b, const parse_file *file)
{
    static const char lead[] = "+enum=";
    const comments *read = annotations_of(b, file)->comments;
    for (size_t g = 0; g < read->group_len; g++) {
        for (size_t i = 0; i < read->groups[g].line_len; i++) {
            const char *value = read->groups[g].lines[i].text;
            if (!str_has_prefix(value, lead))
                continue;
            value += sizeof lead - 1;
            value = arena_strndup(b->in, value, strcspn(value, " \t"));
            note_prefix(b, value);
        }
    }
}

static bool is_bare_enum(const comment_group *group)
{
    for (size_t i = 0; group && i < group->line_len; i++) {
        if (strcmp(group->lines[i].text, "+enum") == 0 ||
            strcmp(group->lines[i].text, "+k8s:enum") == 0)
            return true;
    }
    return false;
}

/* The same for a typedef whose name says the prefix. */
static void note_typedef(builder *b, const parse_typedef *of)
{
    comments *read = annotations_of(b, of->file)->comments;
    if (is_bare_enum(comments_closest(read, of->first_line)) ||
        is_bare_enum(comments_second_closest(read, of->first_line)))
        note_prefix(b, typedef_prefix(b, of->name));
}

/*
 * Notes which prefixes are in use, so that the names of a longer one can be told from those of a
 * shorter one: SHOP_V1_PHASE and SHOP_V1_PHASE_REASON.
 */
static void note_all_enums(builder *b)
{
    if (b->enum_prefixes.len > 0)
        return;
    for (size_t i = 0; i < b->unit->file_len; i++) {
        if (b->unit->files[i]->text)
            note_enums(b, b->unit->files[i]);
    }
    for (size_t i = 0; i < b->unit->typedef_len; i++)
        note_typedef(b, b->unit->typedefs[i]);
}

/* Whether the name belongs to another `+enum`, whose prefix is longer. */
static bool has_longer_prefix(const builder *b, const char *name, size_t len, const char *prefix)
{
    for (size_t i = 0; i < b->enum_prefixes.len; i++) {
        const char *other = b->enum_prefixes.items[i];
        if (has_enum_prefix(other, strlen(other), prefix) && has_enum_prefix(name, len, other))
            return true;
    }
    return false;
}

/* Whether tokens[at] begins `#define <prefix>_…` with a name; the value's token follows it. */
static bool is_define(const builder *b, const parse_file *file, size_t at, const char *prefix)
{
    const parse_token *tokens = file->tokens + at;
    const char *name;
    if (at + 3 >= file->token_len || !token_is(file, tokens, "#") ||
        !token_is(file, tokens + 1, "define"))
        return false;
    name = file->text + tokens[2].offset;
    return has_enum_prefix(name, tokens[2].len, prefix) &&
           !has_longer_prefix(b, name, tokens[2].len, prefix);
}

/* Returns the text of the plain string literal after a name, or NULL if something else follows. */
static const char *literal_text(arena *in, const parse_file *file, const parse_token *name)
{
    const parse_token *token = name + 1;
    const char *text = file->text + token->offset;
    if (token->is_comment || !directive_is_same_line(file, name, token) || token->len < 2 ||
        text[0] != '"' || memchr(text, '\\', token->len))
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
    const char *prefix = enum_prefix(b, read, field);
    for (size_t i = 0; i < file->token_len; i++) {
        const parse_token *name = &file->tokens[i] + 2;
        const parse_token *condition;
        marker_value value = {0};
        if (!is_define(b, file, i, prefix))
            continue;
        value.loc = (diag_loc){file->path, name->line, name->column};
        condition = directive_condition(b, file, i);
        if (condition) {
            diag_error(b->to, value.loc,
                       "this value of '+enum=%s' is there under a condition only, but CRDs are "
                       "generated once: remove the condition",
                       prefix);
            diag_note(b->to, (diag_loc){file->path, condition->line, condition->column},
                      "the condition is here");
            continue;
        }
        value.text = literal_text(b->in, file, name);
        if (value.text) {
            add_literal(b, out, &value, true);
        } else {
            diag_error(b->to, value.loc, "'%.*s' is not a plain string literal", (int)name->len,
                       file->text + name->offset);
            diag_note(b->to, read->loc, "it is one of the values of this '+enum'");
        }
    }
}

/* Of the header itself, or of the first one it includes that has any. */
static void find_defines(builder *b, const parse_file *file, const marker *read,
                         const model_field *field, literal_vec *out)
{
    size_t before = diag_error_count(b->to);
    note_all_enums(b);
    read_defines(b, file, read, field, out);
    for (size_t i = 0; i < b->unit->file_len; i++) {
        if (out->len > 0 || diag_error_count(b->to) > before)
            break;
        if (b->unit->files[i]->text && b->unit->files[i] != file)
            read_defines(b, b->unit->files[i], read, field, out);
    }
    if (out->len > 1)
        qsort(out->items, out->len, sizeof *out->items, compare_literals);
    /* Types from Go have the marker without a value, and controller-gen makes nothing of it. */
    if (out->len == 0 && diag_error_count(b->to) == before && read->value_len > 0)
        diag_error(b->to, read->values[0].loc, "the header has no '#define %s_… \"…\"'",
                   enum_prefix(b, read, field));
}

static void read_enum(builder *b, const annotations *of, const attached *above, model_field *field)
{
    const marker *listed = attached_find(above, MARKER_ENUM_VALUES);
    const marker *defined = attached_find(above, MARKER_ENUM);
    bool is_text = field->type.kind == MODEL_STRING;
    literal_vec literals = {0};
    if (listed && defined && defined->value_len == 0 && !field->json)
        defined = NULL; /* above a typedef: the values are listed */
    if (listed && defined) {
        diag_error(b->to, defined->loc, "'+enum' and '+%s' exclude each other", listed->spec->name);
        return;
    }
    listed = member_marker(b, above, MARKER_ENUM_VALUES, field,
                           rules_is_text(field) || is_integer(field), "strings and whole numbers");
    defined = member_marker(b, above, MARKER_ENUM, field, is_text, "strings");
    if (listed)
        read_values(b, listed, field, &literals);
    if (defined && defined->value_len == 0 && field->role == MODEL_MEMBER && field->json)
        diag_error(b->to, defined->loc, "'+enum' needs a value: %s", defined->spec->usage);
    else if (defined)
        find_defines(b, of->file, defined, field, &literals);
    field->validation.enums = VEC_KEEP(b->in, &literals);
    field->validation.enum_len = literals.len;
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

/* Those of a list's elements; the list is the member's own, or that of a typedef. */
static void read_items(builder *b, const annotations *of, const attached *above, model_field *field)
{
    const attached inner = {.markers = above->items, .len = above->item_len, .doc = ""};
    model_field item = {.loc = field->loc};
    if (above->item_len == 0)
        return;
    if (!model_is_list(&field->type)) {
        diag_error(b->to, above->items[0].loc, "'+%s' is for lists, and '%s' has type '%s'",
                   above->items[0].spec->name, field->name, field->type.c_name);
        return;
    }
    if (field->schemaless) {
        diag_error(b->to, above->items[0].loc,
                   "'+kubebuilder:validation:Schemaless' leaves no elements to '%s' in the CRD",
                   field->name);
        return;
    }
    if (field->type.alias) {
        diag_error(b->to, above->items[0].loc,
                   "what the elements of a '%s' are is said above it: put '+%s' there",
                   field->type.alias->name, above->items[0].spec->name);
        return;
    }
    item.name = arena_printf(b->in, "%s[]", field->name);
    item.type = model_element(&field->type);
    validation_read(b, of, &inner, &item);
    field->validation.items = arena_copy(b->in, &item.validation, sizeof item.validation);
}

void validation_read(builder *b, const annotations *of, const attached *above, model_field *field)
{
    rules_read_types(b, above, field);
    read_numbers(b, above, field);
    read_counts(b, above, field);
    read_strings(b, above, field);
    read_enum(b, of, above, field);
    check_order(b->to, above, MARKER_MINIMUM, MARKER_MAXIMUM);
    check_order(b->to, above, MARKER_MIN_LENGTH, MARKER_MAX_LENGTH);
    check_order(b->to, above, MARKER_MIN_ITEMS, MARKER_MAX_ITEMS);
    check_order(b->to, above, MARKER_MIN_PROPERTIES, MARKER_MAX_PROPERTIES);
    rules_read(b, above, field);
    read_items(b, of, above, field);
}

void validation_read_struct(builder *b, const annotations *of, const attached *above,
                            model_struct *made)
{
    model_field whole = {.name = made->name, .loc = made->loc};
    whole.type = (model_type){.kind = MODEL_STRUCT, .c_name = made->name, .record = made};
    validation_read(b, of, above, &whole);
    made->validation = whole.validation;
}
