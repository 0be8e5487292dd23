/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defaults, held against the schema as it stands in the CRD, whichever markers made it. The front
 * end has said what it can of the member's own; this is what is left.
 */
#include "crd_check.h"
#include "crd_format.h"
#include "front/pattern.h"
#include "support/arena.h"
#include "support/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct checker {
    arena *in;
    diag *to;
    diag_loc loc;
} checker;

/* ---- scalars ------------------------------------------------------------------------------- */

/* Servers count what has neither fraction nor exponent as an int64, and its limits too. */
static bool is_counted(const char *text)
{
    return text[strcspn(text, ".eE")] == '\0';
}

static double limit_of(const json_value *schema, const char *name, bool counted, double without)
{
    const json_value *limit = json_get(schema, name);
    double value = limit ? strtod(json_text(limit), NULL) : without;
    return limit && counted ? trunc(value) : value;
}

static bool is_multiple(double value, double factor, bool counted)
{
    double times = factor < 1 ? 1 / factor * value : value / factor;
    if (counted)
        return factor >= 1 && fmod(value, factor) == 0;
    return factor > 0 && fabs(times - round(times)) < 1e-9 * fmax(1, fabs(times));
}

static const char *number_fault(const json_value *schema, const char *text)
{
    bool counted = is_counted(text);
    double value = strtod(text, NULL);
    double least = limit_of(schema, "minimum", counted, -INFINITY);
    double most = limit_of(schema, "maximum", counted, INFINITY);
    if (!isfinite(value))
        return "is more than a number can be";
    if (value < least || (value == least && json_is_true(json_get(schema, "exclusiveMinimum"))))
        return "is below the minimum";
    if (value > most || (value == most && json_is_true(json_get(schema, "exclusiveMaximum"))))
        return "is above the maximum";
    if (json_get(schema, "multipleOf") &&
        !is_multiple(value, limit_of(schema, "multipleOf", counted, 1), counted))
        return "is not a multiple of multipleOf, as servers compute it";
    return NULL;
}

static size_t count_of(const json_value *schema, const char *name, size_t without)
{
    const char *text = json_text(json_get(schema, name));
    return text ? strtoull(text, NULL, 10) : without;
}

static const char *text_fault(const json_value *schema, const char *text)
{
    const char *pattern = json_text(json_get(schema, "pattern"));
    const char *format = json_text(json_get(schema, "format"));
    size_t len = 0;
    for (const char *at = text; *at; at++)
        len += !utf8_continues(*at);
    if (len < count_of(schema, "minLength", 0))
        return "is too short";
    if (len > count_of(schema, "maxLength", SIZE_MAX))
        return "is too long";
    if (pattern && pattern_excludes(pattern, text))
        return "does not match the pattern";
    if (format && crd_format_excludes(format, text))
        return "does not have the format";
    return NULL;
}

/* Values of an enum are scalars. */
static bool is_listed(const json_value *values, const json_value *value)
{
    for (const json_value *at = json_first(values); at; at = json_next(at)) {
        if (json_equal(at, value) ||
            (json_kind_of(at) == JSON_NUMBER && json_kind_of(value) == JSON_NUMBER &&
             strtod(json_text(at), NULL) == strtod(json_text(value), NULL)))
            return true;
    }
    return false;
}

/* Whether a value is of the schema's type. */
static bool has_type(const json_value *schema, const json_value *value)
{
    const json_value *type = json_get(schema, "type");
    bool is_any = json_is_true(json_get(schema, "x-kubernetes-int-or-string"));
    switch (json_kind_of(value)) {
    case JSON_NULL:
        return json_is_true(json_get(schema, "nullable"));
    case JSON_BOOL:
        return !is_any && (!type || json_is_text(type, "boolean"));
    case JSON_NUMBER:
        return !type || json_is_text(type, "number") ||
               (json_is_text(type, "integer") && fmod(strtod(json_text(value), NULL), 1) == 0);
    case JSON_STRING:
        return !type || json_is_text(type, "string");
    case JSON_ARRAY:
        return !is_any && (!type || json_is_text(type, "array"));
    default:
        return !is_any && (!type || json_is_text(type, "object"));
    }
}

/* ---- lists and objects --------------------------------------------------------------------- */

static void check_value(checker *c, const json_value *schema, const char *path,
                        const json_value *value);

static const char *size_fault(const json_value *schema, const json_value *value, const char *least,
                              const char *most)
{
    size_t count = 0;
    for (const json_value *at = json_first(value); at; at = json_next(at))
        count++;
    return count < count_of(schema, least, 0)         ? "has too few parts"
           : count > count_of(schema, most, SIZE_MAX) ? "has too many parts"
                                                      : NULL;
}

static void check_list(checker *c, const json_value *schema, const char *path,
                       const json_value *value)
{
    const json_value *items = json_get(schema, "items");
    size_t index = 0;
    for (const json_value *at = json_first(value); at && items; at = json_next(at))
        check_value(c, items, arena_printf(c->in, "%s[%zu]", path, index++), at);
}

static void check_object(checker *c, const json_value *schema, const char *path,
                         const json_value *value)
{
    const json_value *all = json_get(schema, "additionalProperties");
    bool is_open = json_is_true(json_get(schema, "x-kubernetes-preserve-unknown-fields")) ||
                   json_is_true(json_get(schema, "x-kubernetes-embedded-resource"));
    for (const json_value *at = json_first(value); at; at = json_next(at)) {
        const json_value *inner = json_get(json_get(schema, "properties"), json_key(at));
        const char *name = arena_printf(c->in, "%s.%s", path, json_key(at));
        inner = inner ? inner : all;
        if (inner && json_kind_of(inner) == JSON_OBJECT)
            check_value(c, inner, name, at);
        else if (!inner && !is_open)
            diag_error(
                c->to, c->loc,
                "servers refuse the default: '%s' is not in the schema, and would be dropped",
                name);
    }
    for (const json_value *name = json_first(json_get(schema, "required")); name;
         name = json_next(name)) {
        if (!json_get(value, json_text(name)))
            diag_error(c->to, c->loc, "servers refuse the default: it lacks '%s.%s'", path,
                       json_text(name));
    }
}

static void check_value(checker *c, const json_value *schema, const char *path,
                        const json_value *value)
{
    const json_value *listed = json_get(schema, "enum");
    json_kind kind = json_kind_of(value);
    const char *fault = NULL;
    if (!has_type(schema, value))
        fault = "has another type";
    else if (kind == JSON_NULL)
        return;
    else if (listed && !is_listed(listed, value))
        fault = "is not one of the enum";
    else if (kind == JSON_NUMBER)
        fault = number_fault(schema, json_text(value));
    else if (kind == JSON_STRING)
        fault = text_fault(schema, json_text(value));
    else if (kind == JSON_ARRAY)
        fault = size_fault(schema, value, "minItems", "maxItems");
    else if (kind == JSON_OBJECT)
        fault = size_fault(schema, value, "minProperties", "maxProperties");
    if (fault)
        diag_error(c->to, c->loc, "servers refuse the default: '%s' %s", path, fault);
    else if (kind == JSON_ARRAY)
        check_list(c, schema, path, value);
    else if (kind == JSON_OBJECT)
        check_object(c, schema, path, value);
}

bool crd_accepts(const json_value *schema, const json_value *value)
{
    checker c = {.in = arena_new(), .to = diag_new()};
    bool accepts;
    check_value(&c, schema, "value", value);
    accepts = !diag_error_count(c.to);
    diag_free(c.to);
    arena_free(c.in);
    return accepts;
}

void crd_check_default(const json_value *schema, diag_loc loc, diag *to)
{
    const json_value *initial = json_get(schema, "default");
    checker c = {.to = to, .loc = loc};
    if (!initial)
        return;
    c.in = arena_new();
    check_value(&c, schema, json_key(schema) ? json_key(schema) : "default", initial);
    arena_free(c.in);
}
