/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/field_error.h"
#include "apiserver/value/format.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/regex.h"
#include "base/utf8.h"
#include "keyword.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- type ----------------------------------------------------------------------------------- */

const char *kube__keyword_type(const kube__validator *checked)
{
    if (kube__json_is_true(kube__json_get(checked->schema, "x-kubernetes-int-or-string")))
        return "integer,string";
    return kube__json_string_or(kube__json_get(checked->schema, "type"), "");
}

const char *kube__keyword_format(const kube__validator *checked)
{
    const char *format = kube__json_string_or(kube__json_get(checked->schema, "format"), "");
    const char *type = kube__keyword_type(checked);
    bool known = false;
    if (strcmp(type, "integer") == 0)
        known = strcmp(format, "int32") == 0 || strcmp(format, "int64") == 0;
    else if (strcmp(type, "number") == 0)
        known = strcmp(format, "float") == 0 || strcmp(format, "double") == 0;
    else if (type[0] == '\0' || strcmp(type, "string") == 0 || strchr(type, ','))
        known = kube__api_format_known(format);
    return known ? format : NULL;
}

static bool allows(const char *types, const char *type)
{
    return type[0] && strstr(types, type);
}

static void wrong_type(const kube__validator *checked, kube__api_outcome *outcome,
                       const char *wanted, const char *found)
{
    const char *quoted = kube__api_quote(checked->ctx, found);
    const char *text = kube__api_text(checked->ctx, "%s in body must be of type %s: %s",
                                      checked->path, wanted, quoted);
    const char *cause = kube__api_text(checked->ctx, "Invalid value: %s: %s", quoted, text);
    kube__api_outcome_add_as(checked, outcome, "FieldValueTypeInvalid", cause, "%s", text);
}

static const char *type_of(const kube__json *value)
{
    int64_t number;
    if (value->kind == KUBE__JSON_BOOL)
        return "boolean";
    return kube__json_to_int(value, &number) ? "integer" : kube__json_kind_name(value);
}

void kube__validate_type(const kube__validator *checked, kube__api_outcome *outcome)
{
    const char *types = kube__keyword_type(checked);
    const char *format = kube__keyword_format(checked);
    const kube__json *value = checked->value;
    if (!types[0] && !format)
        return;
    if (value->kind == KUBE__JSON_NULL) {
        if (types[0] && !kube__json_is_true(kube__json_get(checked->schema, "nullable")))
            wrong_type(checked, outcome, types, "null");
        else
            outcome->matches++;
        return;
    }
    const char *type = type_of(value);
    bool is_int = strcmp(type, "integer") == 0;
    const char *value_format = is_int ? "int64" : strcmp(type, "number") == 0 ? "float64" : "";
    bool fits = allows(types, type) || (is_int && allows(types, "number"));
    bool is_run = value->kind == KUBE__JSON_STRING || value->kind == KUBE__JSON_ARRAY;
    bool is_numeric = allows(types, "number") || allows(types, "integer");
    if (format && !is_run && !fits && strcmp(value_format, format) != 0)
        wrong_type(checked, outcome, format, value_format);
    else if (!(format && is_run && !is_numeric) && !fits)
        wrong_type(checked, outcome, types, type);
    else
        outcome->matches++;
}

/* ---- strings -------------------------------------------------------------------------------- */

/* Characters, not bytes. */
static int64_t length_of(const kube__json *value)
{
    int64_t count = 0;
    for (size_t i = 0; i < value->len; i++)
        count += !kube__utf8_is_inner(value->text[i]);
    return count;
}

void kube__validate_string(const kube__validator *checked, kube__api_outcome *outcome)
{
    const kube__json *schema = checked->schema;
    const kube__json *value = checked->value;
    const char *path = checked->path;
    int64_t bound;
    if (kube__json_to_int(kube__json_get(schema, "maxLength"), &bound) &&
        length_of(value) > bound) {
        const char *cause =
            kube__api_text(checked->ctx, "Too long: may not be more than %lld byte%s",
                           (long long)bound, bound == 1 ? "" : "s");
        kube__api_outcome_add_as(checked, outcome, "FieldValueTooLong", cause,
                                 "%s in body should be at most %lld chars long", path,
                                 (long long)bound);
        return;
    }
    if (kube__json_to_int(kube__json_get(schema, "minLength"), &bound) &&
        length_of(value) < bound) {
        kube__api_outcome_add(checked, outcome, kube__api_cause_value(checked->ctx, value),
                              "%s in body should be at least %lld chars long", path,
                              (long long)bound);
        return;
    }
    const char *pattern = kube__json_string_or(kube__json_get(schema, "pattern"), "");
    if (pattern[0] && !kube__api_regex_matches(checked->ctx, pattern, value->text, value->len))
        kube__api_outcome_add(checked, outcome, kube__api_cause_value(checked->ctx, value),
                              "%s in body should match '%s'", path, pattern);
}

void kube__validate_format(const kube__validator *checked, kube__api_outcome *outcome)
{
    const char *format = kube__keyword_format(checked);
    if (kube__api_format_matches(checked->ctx, format, checked->value->text))
        return;
    const char *quoted = kube__api_quote(checked->ctx, checked->value->text);
    const char *text = kube__api_text(checked->ctx, "%s in body must be of type %s: %s",
                                      checked->path, format, quoted);
    const char *cause = kube__api_text(checked->ctx, "Invalid value: %s: %s", quoted, text);
    kube__api_outcome_add_as(checked, outcome, "FieldValueTypeInvalid", cause, "%s", text);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool is_in_range(const kube__json *number, const char *type, const char *format)
{
    int64_t value;
    double real;
    if (strcmp(type, "integer") == 0) {
        if (!kube__json_to_int(number, &value))
            return false;
        return !format || strcmp(format, "int32") != 0 ||
               (value >= INT32_MIN && value <= INT32_MAX);
    }
    if (strcmp(type, "number") == 0 && format && strcmp(format, "float") == 0)
        return kube__json_to_double(number, &real) && fabs(real) <= 3.4028234663852886e38;
    return true;
}

/* Tells when @number, the value or a keyword's, is beyond what type and format can hold. */
static bool check_range(const kube__validator *checked, const kube__json *number, const char *what,
                        kube__api_outcome *outcome)
{
    const char *type = kube__keyword_type(checked);
    const char *format = kube__keyword_format(checked);
    if (strcmp(type, "integer") != 0 && strcmp(type, "number") != 0)
        return true;
    if (is_in_range(number, type, format))
        return true;
    if (format)
        kube__api_outcome_add_general(checked, outcome,
                                      "%s value must be of type %s with format %s in %s", what,
                                      type, format, checked->path);
    else
        kube__api_outcome_add_general(checked, outcome,
                                      "%s value must be of type %s (default format) in %s", what,
                                      type, checked->path);
    return false;
}

/* As Go's %v: exponents from 1e-05 down and 1e+21 up, of two digits at least. */
static const char *number_text(const kube__validator *checked, const kube__json *number)
{
    int64_t whole;
    double real = 0;
    if (kube__json_to_int(number, &whole) || !kube__json_to_double(number, &real))
        return number->text;
    if (fabs(real) >= 1e-4 && fabs(real) < 1e21)
        return number->text;
    for (int digits = 0; digits <= 16; digits++) {
        const char *text = kube__api_text(checked->ctx, "%.*e", digits, real);
        if (strtod(text, NULL) == real)
            return text;
    }
    return number->text;
}

/* A bound as it is compared with the value: cut to an integer when that is one. */
static const char *bound_text(const kube__validator *checked, const kube__json *bound, bool as_int)
{
    double real;
    if (as_int && kube__json_to_double(bound, &real))
        return kube__api_text(checked->ctx, "%.0f", trunc(real));
    return number_text(checked, bound);
}

static int compare(const kube__json *value, const kube__json *bound, bool as_int)
{
    int64_t whole;
    double a = 0;
    double b = 0;
    kube__json_to_double(value, &a);
    kube__json_to_double(bound, &b);
    /* Bounds are doubles to Go, whatever they were written as. */
    if (as_int && fabs(b) < 9223372036854775807.0 && kube__json_to_int(value, &whole)) {
        int64_t limit = (int64_t)b;
        return whole < limit ? -1 : whole > limit;
    }
    return a < b ? -1 : a > b;
}

static void check_bound(const kube__validator *checked, const char *keyword, int direction,
                        kube__api_outcome *outcome)
{
    const kube__json *bound = kube__json_get(checked->schema, keyword);
    if (!kube__json_is(bound, KUBE__JSON_NUMBER))
        return;
    bool is_max = direction > 0;
    bool exclusive = kube__json_is_true(
        kube__json_get(checked->schema, is_max ? "exclusiveMaximum" : "exclusiveMinimum"));
    bool as_int =
        check_range(checked, bound, is_max ? "Maximum boundary" : "Minimum boundary", outcome) &&
        strcmp(type_of(checked->value), "integer") == 0;
    int order = compare(checked->value, bound, as_int) * direction;
    if (order < 0 || (order == 0 && !exclusive))
        return;
    const char *text = bound_text(checked, bound, as_int);
    kube__api_outcome_add(checked, outcome, number_text(checked, checked->value),
                          "%s in body should be %s%s %s", checked->path,
                          is_max ? "less than" : "greater than", exclusive ? "" : " or equal to",
                          text);
}

/* What is left when one is divided by the other may be a rounding error. */
static bool is_whole(double ratio)
{
    return isfinite(ratio) && fabs(ratio - nearbyint(ratio)) < 1e-9 &&
           fabs(ratio) < 9007199254740992;
}

static void check_multiple(const kube__validator *checked, kube__api_outcome *outcome)
{
    const kube__json *keyword = kube__json_get(checked->schema, "multipleOf");
    double factor;
    double real;
    int64_t whole;
    if (!kube__json_to_double(keyword, &factor))
        return;
    bool as_int = check_range(checked, keyword, "MultipleOf", outcome) &&
                  kube__json_to_int(checked->value, &whole);
    if (as_int)
        factor = trunc(factor);
    kube__json_to_double(checked->value, &real);
    const char *text = bound_text(checked, keyword, as_int);
    if (factor <= 0)
        kube__api_outcome_add(checked, outcome, text,
                              "factor MultipleOf declared for %s must be positive: %s",
                              checked->path, text);
    else if (as_int ? whole % (int64_t)factor != 0
                    : !is_whole(factor < 1 ? 1 / factor * real : real / factor))
        kube__api_outcome_add(checked, outcome, number_text(checked, checked->value),
                              "%s in body should be a multiple of %s", checked->path, text);
}

void kube__validate_number(const kube__validator *checked, kube__api_outcome *outcome)
{
    check_range(checked, checked->value, "Checked", outcome);
    check_multiple(checked, outcome);
    check_bound(checked, "minimum", -1, outcome);
    check_bound(checked, "maximum", 1, outcome);
    outcome->matches++;
}

/* ---- enum ----------------------------------------------------------------------------------- */

static const char *enum_list(kube_ctx *ctx, const kube__json *values)
{
    kube__buffer list;
    kube__buffer_init(&list, SIZE_MAX / 4);
    KUBE__JSON_EACH (value, values) {
        const char *plain =
            value->kind == KUBE__JSON_STRING ? value->text : kube__api_cause_value(ctx, value);
        kube__buffer_printf(&list, "%s%s", list.len ? ", " : "", kube__api_quote(ctx, plain));
    }
    return kube__api_take_text(ctx, &list, NULL);
}

void kube__validate_enum(const kube__validator *checked, kube__api_outcome *outcome)
{
    const kube__json *values = kube__json_get(checked->schema, "enum");
    if (!kube__json_is(values, KUBE__JSON_ARRAY) || !values->first)
        return;
    KUBE__JSON_EACH (value, values) {
        /* A null of the list is never met: Go compares types first. */
        if (value->kind != KUBE__JSON_NULL && kube__json_equal(value, checked->value))
            return;
    }
    kube_ctx *ctx = checked->ctx;
    /* The list is as long as the schema likes, and comes with each wrong value. */
    bool is_full = kube__api_outcome_is_full(checked);
    const char *list = is_full ? "" : enum_list(ctx, values);
    const char *value = is_full ? "" : kube__api_cause_value(ctx, checked->value);
    const char *cause =
        kube__api_text(ctx, "Unsupported value: %s: supported values: %s", value, list);
    kube__api_outcome_add_as(checked, outcome, "FieldValueNotSupported", cause,
                             "%s in body should be one of %s", checked->path, list);
}
