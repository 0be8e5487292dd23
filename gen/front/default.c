/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This file checks whether a server would accept a default. Servers refuse a CRD whose default
 * breaks a rule of the schema, and they drop what no member names; both are reported here, where
 * the line is known.
 */
#include "default.h"

#include "build.h"
#include "literal.h"
#include "pattern.h"
#include "support/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct checker {
    builder *b;
    diag_loc loc;
} checker;

json_value *default_value(const model_field *field)
{
    json_value *value = NULL;
    const char *why;
    size_t fault;
    if (field->initial.text)
        value = literal_parse(field->initial.text, field->initial.is_loose, &fault, &why);
    /* Go headers write an empty list so. */
    if (value && field->initial.is_loose && model_is_list(&field->type) &&
        json_kind_of(value) == JSON_OBJECT && !json_first(value)) {
        json_free(value);
        value = json_array();
    }
    return value;
}

static bool same_values(const marker *loose, const marker *strict)
{
    const char *why;
    size_t fault;
    json_value *a = literal_parse(loose->values[0].text, true, &fault, &why);
    json_value *b = literal_parse(strict->values[0].text, false, &fault, &why);
    bool same = literal_equal(a, b);
    json_free(a);
    json_free(b);
    return same;
}

void default_read(builder *b, const attached *above, model_field *field)
{
    const marker *loose = attached_find(above, MARKER_DEFAULT);
    const marker *strict = attached_find(above, MARKER_DEFAULT_JSON);
    const marker *read = loose ? loose : strict;
    if (!read)
        return;
    field->initial.text = read->values[0].text;
    field->initial.is_loose = read == loose;
    field->initial.loc = read->values[0].loc;
    if (loose && strict && !same_values(loose, strict)) {
        diag_error(b->to, strict->values[0].loc, "'+default' differs from '+kubebuilder:default'");
        diag_note(b->to, loose->values[0].loc, "which is here");
    }
}

/* ---- scalars ------------------------------------------------------------------------------- */

/* "a number", "a string"…: what a value is. */
static const char *kind_text(const json_value *value)
{
    switch (json_kind_of(value)) {
    case JSON_BOOL:
        return json_is_true(value) ? "'true'" : "'false'";
    case JSON_ARRAY:
        return "a list";
    case JSON_OBJECT:
        return "an object";
    default:
        return NULL;
    }
}

static void refuse(checker *c, const char *name, const model_type *type, const json_value *value,
                   const char *what)
{
    const char *is = kind_text(value);
    const char *text = is ? is : arena_printf(c->b->in, "'%s'", json_text(value));
    diag_error(c->b->to, c->loc, "%s is not %s, and '%s' has type '%s%s'", text, what, name,
               type->c_name, type->kind == MODEL_STRUCT_PTR ? " *" : "");
}

/* Characters, as the server counts them. */
static size_t length_of(const char *text)
{
    size_t len = 0;
    for (; *text; text++)
        len += !utf8_continues(*text);
    return len;
}

static void check_length(checker *c, const model_validation *rules, const char *text)
{
    size_t len = length_of(text);
    if (rules->min_length && len < strtoull(rules->min_length, NULL, 10))
        diag_error(c->b->to, c->loc, "'%s' is shorter than the MinLength of %s", text,
                   rules->min_length);
    if (rules->max_length && len > strtoull(rules->max_length, NULL, 10))
        diag_error(c->b->to, c->loc, "'%s' is longer than the MaxLength of %s", text,
                   rules->max_length);
}

static void check_text(checker *c, const model_validation *rules, const char *text)
{
    check_length(c, rules, text);
    if (rules->pattern && pattern_excludes(rules->pattern, text))
        diag_error(c->b->to, c->loc, "'%s' does not match the Pattern", text);
}

static void check_enum(checker *c, const model_validation *rules, const json_value *value)
{
    bool is_string = json_kind_of(value) == JSON_STRING;
    const char *text = json_text(value);
    str all = {0};
    for (size_t i = 0; i < rules->enum_len; i++) {
        const model_literal *one = &rules->enums[i];
        if (one->is_string == is_string && strcmp(one->text, text) == 0) {
            str_free(&all);
            return;
        }
        str_printf(&all, "%s%s", i ? ", " : "", one->text);
    }
    if (rules->enum_len)
        diag_error(c->b->to, c->loc, "'%s' is not one of %s", text, str_text(&all));
    str_free(&all);
}

/* Returns a number less than, equal to or greater than 0. Whole numbers are compared exactly. */
static int compare_numbers(const char *a, const char *b)
{
    double x = strtod(a, NULL);
    double y = strtod(b, NULL);
    if (literal_is_whole(a) && literal_is_whole(b)) {
        int64_t m = strtoll(a, NULL, 10);
        int64_t n = strtoll(b, NULL, 10);
        return (m > n) - (m < n);
    }
    return (x > y) - (x < y);
}

/* Says whether one whole number divides another; of other numbers it says yes. */
static bool divides(const char *divisor, const char *text)
{
    return !literal_is_whole(divisor) || !literal_is_whole(text) ||
           strtoll(text, NULL, 10) % strtoll(divisor, NULL, 10) == 0;
}

static void check_range(checker *c, const model_validation *rules, const char *text)
{
    if (rules->minimum &&
        compare_numbers(text, rules->minimum) < (rules->exclusive_minimum ? 1 : 0))
        diag_error(c->b->to, c->loc, "'%s' is %s the Minimum of %s", text,
                   rules->exclusive_minimum ? "not above" : "below", rules->minimum);
    if (rules->maximum &&
        compare_numbers(text, rules->maximum) > (rules->exclusive_maximum ? -1 : 0))
        diag_error(c->b->to, c->loc, "'%s' is %s the Maximum of %s", text,
                   rules->exclusive_maximum ? "not below" : "above", rules->maximum);
    if (rules->multiple_of && !divides(rules->multiple_of, text))
        diag_error(c->b->to, c->loc, "'%s' is not a multiple of %s", text, rules->multiple_of);
}

/* Checks the number of elements or members. A value of another type has been reported before. */
static void check_count(checker *c, const model_validation *rules, bool is_list,
                        const json_value *value)
{
    const char *least = is_list ? rules->min_items : rules->min_properties;
    const char *most = is_list ? rules->max_items : rules->max_properties;
    const char *what = is_list ? "Items" : "Properties";
    size_t count = 0;
    if (json_kind_of(value) != (is_list ? JSON_ARRAY : JSON_OBJECT))
        return;
    for (const json_value *at = json_first(value); at; at = json_next(at))
        count++;
    if (least && count < strtoull(least, NULL, 10))
        diag_error(c->b->to, c->loc, "the default has fewer than the Min%s of %s", what, least);
    if (most && count > strtoull(most, NULL, 10))
        diag_error(c->b->to, c->loc, "the default has more than the Max%s of %s", what, most);
}

static bool fits_integer(const char *text, bool is_wide)
{
    int64_t value;
    errno = 0;
    value = strtoll(text, NULL, 10);
    return errno == 0 && (is_wide || (value >= INT32_MIN && value <= INT32_MAX));
}

static void check_number(checker *c, const char *name, const model_type *type,
                         const model_validation *rules, const json_value *value)
{
    bool is_whole = type->kind != MODEL_DOUBLE && type->kind != MODEL_OPT_DOUBLE;
    bool is_wide = type->kind == MODEL_INT64 || type->kind == MODEL_OPT_INT64;
    const char *text = json_text(value);
    if (json_kind_of(value) != JSON_NUMBER || (is_whole && !literal_is_whole(text))) {
        refuse(c, name, type, value, is_whole ? "a whole number" : "a number");
        return;
    }
    if (is_whole && !fits_integer(text, is_wide)) {
        diag_error(c->b->to, c->loc, "'%s' is more than '%s' of type '%s' can hold", text, name,
                   type->c_name);
        return;
    }
    check_range(c, rules, text);
    check_enum(c, rules, value);
}

/* A string that has to have a form. */
static void check_form(checker *c, const char *name, const model_type *type,
                       const json_value *value, const char *form, const char *what)
{
    const char *text = json_kind_of(value) == JSON_STRING ? json_text(value) : NULL;
    if (!text || pattern_excludes(form, text))
        refuse(c, name, type, value, what);
}

static void check_quantity(checker *c, const char *name, const model_type *type,
                           const json_value *value)
{
    static const char form[] = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)"
                               "([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$";
    json_kind kind = json_kind_of(value);
    if ((kind != JSON_STRING && kind != JSON_NUMBER) || pattern_excludes(form, json_text(value)))
        refuse(c, name, type, value, "a quantity, such as 500m or 1Gi");
}

static void check_int_or_string(checker *c, const char *name, const model_type *type,
                                const model_validation *rules, const json_value *value)
{
    json_kind kind = json_kind_of(value);
    if (kind == JSON_STRING) {
        check_text(c, rules, json_text(value));
    } else if (kind != JSON_NUMBER || !literal_is_whole(json_text(value)) ||
               !fits_integer(json_text(value), false)) {
        refuse(c, name, type, value, "a whole number or a string");
        return;
    }
    check_enum(c, rules, value);
}

static void check_string(checker *c, const char *name, const model_type *type,
                         const model_validation *rules, const json_value *value)
{
    if (json_kind_of(value) == JSON_STRING) {
        check_text(c, rules, json_text(value));
        check_enum(c, rules, value);
    } else if (kind_text(value) && json_kind_of(value) != JSON_BOOL) {
        refuse(c, name, type, value, "a string");
    } else {
        const char *text = json_kind_of(value) == JSON_BOOL
                               ? (json_is_true(value) ? "true" : "false")
                               : json_text(value);
        diag_error(c->b->to, c->loc, "'%s' is not a string, and '%s' has type '%s': write \"%s\"",
                   text, name, type->c_name, text);
    }
}

/* ---- structs, lists and maps --------------------------------------------------------------- */

static void check_value(checker *c, const char *name, const model_type *type,
                        const model_validation *rules, const json_value *value);

static void check_struct(checker *c, const char *name, const model_type *type,
                         const model_validation *rules, const json_value *value)
{
    const model_struct *of = type->record;
    text_map given = {0};
    if (json_kind_of(value) != JSON_OBJECT) {
        refuse(c, name, type, value, "an object");
        return;
    }
    if (strcmp(of->name, "kube_object_meta") == 0)
        return; /* what a CRD says of it is held against the default there */
    for (const json_value *at = json_first(value); at; at = json_next(at)) {
        const model_field *member = model_find_member(of, json_key(at));
        text_map_add(&given, c->b->in, json_key(at));
        if (member)
            check_value(c, arena_printf(c->b->in, "%s.%s", name, member->json), &member->type,
                        &member->validation, at);
        else if (!model_keeps_unknown(type, rules))
            member_report_missing(c->b, of, json_key(at), c->loc);
    }
    check_count(c, &of->validation, false, value);
    for (size_t i = 0; i < of->member_len; i++) {
        const model_field *member = of->members[i].field;
        /* A default of its own does not count: servers check this one as it stands. */
        if (model_is_required(member) && !text_map_has(&given, member->json))
            diag_error(c->b->to, c->loc, "the default lacks '%s', which '%s' requires",
                       member->json, of->name);
    }
}

/* Elements of a list, or values of a map. */
static void check_items(checker *c, const char *name, const model_type *type,
                        const model_validation *rules, bool is_map, const json_value *value)
{
    static const model_validation no_rules = {0};
    const model_type element = model_element(type);
    size_t index = 0;
    if (json_kind_of(value) != (is_map ? JSON_OBJECT : JSON_ARRAY)) {
        refuse(c, name, type, value, is_map ? "an object" : "a list");
        return;
    }
    for (const json_value *at = json_first(value); at; at = json_next(at), index++)
        check_value(c,
                    is_map ? arena_printf(c->b->in, "%s[%s]", name, json_key(at))
                           : arena_printf(c->b->in, "%s[%zu]", name, index),
                    &element, rules->items ? rules->items : &no_rules, at);
}

/* Says whether the value is one of the typedef's; it is one of what that stands for then. */
static bool check_alias(checker *c, const char *name, const model_alias *alias,
                        const json_value *value)
{
    size_t before = diag_error_count(c->b->to);
    check_value(c, name, &alias->of, &alias->validation, value);
    return diag_error_count(c->b->to) == before;
}

static void check_value(checker *c, const char *name, const model_type *type,
                        const model_validation *rules, const json_value *value)
{
    static const char time[] = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
                               "([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$";
    static const char duration[] = "^[+-]?(0|([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|ms|s|m|h))+$";
    static const char base64[] = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
    if (type->alias && !check_alias(c, name, type->alias, value))
        return;
    switch (type->kind) {
    case MODEL_STRING:
        check_string(c, name, type, rules, value);
        break;
    case MODEL_BOOL:
    case MODEL_OPT_BOOL:
        if (json_kind_of(value) != JSON_BOOL)
            refuse(c, name, type, value, "true or false");
        break;
    case MODEL_INT32:
    case MODEL_INT64:
    case MODEL_DOUBLE:
    case MODEL_OPT_INT32:
    case MODEL_OPT_INT64:
    case MODEL_OPT_DOUBLE:
        check_number(c, name, type, rules, value);
        break;
    case MODEL_TIME:
    case MODEL_MICRO_TIME:
        check_form(c, name, type, value, time, "a time, such as 2026-01-31T12:00:00Z");
        break;
    case MODEL_DURATION:
        check_form(c, name, type, value, duration, "a duration, such as 1h30m");
        break;
    case MODEL_QUANTITY:
        check_quantity(c, name, type, value);
        break;
    case MODEL_INT_OR_STRING:
        check_int_or_string(c, name, type, rules, value);
        break;
    case MODEL_BYTES:
        check_form(c, name, type, value, base64, "base64");
        break;
    case MODEL_RAW_JSON:
        break;
    case MODEL_STRUCT:
    case MODEL_STRUCT_PTR:
        check_struct(c, name, type, rules, value);
        check_count(c, rules, false, value);
        break;
    case MODEL_LIST:
    case MODEL_STRING_LIST:
    case MODEL_MAP:
    case MODEL_STRING_MAP:
        check_items(c, name, type, rules, !model_is_list(type), value);
        check_count(c, rules, model_is_list(type), value);
        break;
    }
}

/* ---- together ------------------------------------------------------------------------------ */

/* Returns the type that tells a zero from nothing, or NULL if @type does. */
static const char *type_with_zero(builder *b, const model_type *type)
{
    switch (type->kind) {
    case MODEL_BOOL:
        return "kube_opt_bool";
    case MODEL_INT32:
        return "kube_opt_int32";
    case MODEL_INT64:
        return "kube_opt_int64";
    case MODEL_DOUBLE:
        return "kube_opt_double";
    case MODEL_STRUCT:
        return arena_printf(b->in, "%s *", type->c_name);
    default:
        return NULL;
    }
}

static bool is_zero(const json_value *value)
{
    switch (json_kind_of(value)) {
    case JSON_BOOL:
        return !json_is_true(value);
    case JSON_NUMBER:
        return strtod(json_text(value), NULL) == 0;
    case JSON_OBJECT:
        return json_first(value) == NULL;
    default:
        return true;
    }
}

/*
 * A zero of an optional member is left out, and the server would put the default in its place: an
 * object that is read and written again would change.
 */
static void check_zero(builder *b, const model_field *field, const json_value *value)
{
    const char *other =
        field->optional && !field->send_empty ? type_with_zero(b, &field->type) : NULL;
    if (other && !is_zero(value))
        diag_error(
            b->to, field->initial.loc,
            "a zero in '%s' is not sent, so the server would replace it by this default; use '%s'",
            field->name, other);
}

void default_check(builder *b, const model_struct *of)
{
    for (size_t i = 0; i < of->field_len; i++) {
        const model_field *field = &of->fields[i];
        checker c = {b, field->initial.loc};
        json_value *value = field->role == MODEL_MEMBER ? default_value(field) : NULL;
        if (!value)
            continue;
        check_value(&c, field->json, &field->type, &field->validation, value);
        check_zero(b, field, value);
        json_free(value);
    }
}
