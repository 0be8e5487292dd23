/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_example.h"

#include "crd/crd_check.h"
#include "docs_sample.h"
#include "support/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many values are tried for a member, and how large they may be on a page. */
enum { TRIES_MAX = 64, TEXT_LEN_MAX = 1024, ITEMS_MAX = 64 };

static json_value *make(arena *in, const char *name, const json_value *schema, size_t which);

static double number_of(const json_value *schema, const char *key, double otherwise)
{
    const char *text = json_text(json_get(schema, key));
    return text ? strtod(text, NULL) : otherwise;
}

static size_t size_of(const json_value *schema, const char *key, size_t otherwise)
{
    double number = number_of(schema, key, (double)otherwise);
    return number < 0 ? 0 : number > TEXT_LEN_MAX ? TEXT_LEN_MAX : (size_t)number;
}

static bool is_type(const json_value *schema, const char *type)
{
    return json_is_text(json_get(schema, "type"), type);
}

/* What stands where no value is found: YAML reads a null, which no server takes for the value. */
static json_value *remark(void)
{
    return json_number("# choose a value that fits the limits of this field");
}

/* ---- scalars ------------------------------------------------------------------------------- */

/* Counts from a bound, if there is one, else from 1, up or down by @step. */
static json_value *make_integer(arena *in, const json_value *schema, size_t which)
{
    const char *least = json_text(json_get(schema, "minimum"));
    const char *most = json_text(json_get(schema, "maximum"));
    long long step = (long long)number_of(schema, "multipleOf", 1);
    long long start = least ? strtoll(least, NULL, 10) : most ? strtoll(most, NULL, 10) : 1;
    long long past;
    long long value;
    step = step < 1 ? 1 : step;
    if (!least && start > 1)
        start = 1;
    past = (start % step + step) % step;
    start += !least && most ? -past : past ? step - past : 0;
    if (__builtin_mul_overflow(step, (long long)which, &value) ||
        (!least && most ? __builtin_sub_overflow(start, value, &value)
                        : __builtin_add_overflow(start, value, &value)))
        value = start;
    return json_number(arena_printf(in, "%lld", value));
}

/* The least that is allowed, but rather 1 than 0; @which counts on from there, and then halves. */
static json_value *make_number(arena *in, const json_value *schema, size_t which)
{
    double step = number_of(schema, "multipleOf", 1);
    double most = number_of(schema, "maximum", HUGE_VAL);
    double least = number_of(schema, "minimum", most < 1 ? most : 1);
    double value = (ceil(least / step) + (double)which) * step;
    if (value > most || (value == most && json_is_true(json_get(schema, "exclusiveMaximum"))))
        value = json_get(schema, "minimum") ? least + (most - least) / (double)(which + 1)
                                            : most - (double)which * step;
    return json_number(arena_printf(in, "%.15g", value));
}

static const char *of_format(const char *format)
{
    static const struct {
        const char *format;
        const char *text; /* each '#' in it may be any digit but 0 */
    } known[] = {
        {"date-time", "2026-01-0#T00:00:00Z"},
        {"date", "2026-01-0#"},
        {"duration", "#m"},
        {"byte", "ZXhhbXBsZS0#"},
        {"ipv4", "192.0.2.#"},
        {"ipv6", "2001:db8::#"},
        {"cidr", "10.#.0.0/16"},
        {"mac", "00:00:5e:00:53:0#"},
        {"uri", "https://example.org/#"},
        {"email", "user#@example.org"},
        {"hostname", "host#.example.org"},
        {"uuid", "123e4567-e89b-42d3-a456-42661417400#"},
        {"uuid3", "123e4567-e89b-32d3-a456-42661417400#"},
        {"uuid4", "123e4567-e89b-42d3-a456-42661417400#"},
        {"uuid5", "123e4567-e89b-52d3-a456-42661417400#"},
    };
    for (size_t i = 0; format && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].format, format) == 0)
            return known[i].text;
    return NULL;
}

static const char *with_digit(arena *in, const char *text, size_t which)
{
    char *made = arena_strdup(in, text);
    char *digit = strchr(made, '#');
    *digit = (char)('1' + which % 9);
    return made;
}

/* The member's own name, as long as it must be, with a number from the second on. */
static const char *made_up(arena *in, const char *name, size_t least, size_t most, size_t which)
{
    const char *number = which ? arena_printf(in, "-%zu", which + 1) : "";
    size_t room;
    str text = {0};
    const char *made;
    number += *number && strlen(number) > most;
    room = strlen(number) < most ? most - strlen(number) : 0;
    for (const char *c = name; *c && text.len < room; c++)
        str_add_char(&text, *c & 0x80 ? 'x' : *c);
    while (text.len + strlen(number) < least)
        str_add_char(&text, 'x');
    str_add(&text, number);
    made = arena_strdup(in, str_text(&text));
    str_free(&text);
    return made;
}

static json_value *make_string(arena *in, const char *name, const json_value *schema, size_t which)
{
    size_t least = size_of(schema, "minLength", 0);
    size_t most = size_of(schema, "maxLength", TEXT_LEN_MAX);
    const char *pattern = json_text(json_get(schema, "pattern"));
    const char *format = of_format(json_text(json_get(schema, "format")));
    const char *text = NULL;
    if (format && (!pattern || which < 9))
        text = with_digit(in, format, which);
    else if (pattern)
        text = docs_sample(in, pattern, least ? least : 1, most, which);
    if (!text && pattern && !least)
        text = docs_sample(in, pattern, 0, most, which);
    return json_string(text ? text : made_up(in, name, least, most, which));
}

static json_value *make_choice(const json_value *choice, size_t which)
{
    const json_value *one = json_first(choice);
    for (size_t i = 0; one && i < which; i++)
        one = json_next(one) ? json_next(one) : json_first(choice);
    return one ? json_copy(one) : json_null();
}

static json_value *make_scalar(arena *in, const char *name, const json_value *schema, size_t which)
{
    if (json_get(schema, "enum"))
        return make_choice(json_get(schema, "enum"), which);
    if (is_type(schema, "boolean"))
        return json_bool(which % 2 == 0);
    if (is_type(schema, "integer") || json_is_true(json_get(schema, "x-kubernetes-int-or-string")))
        return make_integer(in, schema, which);
    if (is_type(schema, "number"))
        return make_number(in, schema, which);
    return make_string(in, name, schema, which);
}

/* The @which-th value, or the next one that the schema accepts. */
static json_value *find_scalar(arena *in, const char *name, const json_value *schema, size_t which)
{
    for (size_t i = 0; i < TRIES_MAX; i++) {
        json_value *made = make_scalar(in, name, schema, (which + i) % TRIES_MAX);
        if (crd_accepts(schema, made))
            return made;
        json_free(made);
    }
    return remark();
}

/* ---- objects and lists --------------------------------------------------------------------- */

static bool is_required(const json_value *schema, const char *name)
{
    return json_has_text(json_get(schema, "required"), name);
}

/* Whether there is something to show that is not made up. */
static bool is_telling(const json_value *schema)
{
    return json_get(schema, "example") || json_get(schema, "default") || json_get(schema, "enum");
}

static json_value *make_object(arena *in, const json_value *schema, size_t which)
{
    const json_value *properties = json_get(schema, "properties");
    const json_value *values = json_get(schema, "additionalProperties");
    size_t least = size_of(schema, "minProperties", 0);
    json_value *made = json_object();
    size_t len = 0;
    if (json_is_true(json_get(schema, "x-kubernetes-embedded-resource"))) {
        json_set_text(made, "apiVersion", "v1");
        json_set_text(made, "kind", "ConfigMap");
        json_set_text(json_set(made, "metadata", json_object()), "name", "example");
    }
    for (const json_value *one = properties ? json_first(properties) : NULL; one;
         one = json_next(one)) {
        const char *name = json_key(one);
        if ((is_required(schema, name) ||
             (is_telling(one) && !json_get(schema, "maxProperties"))) &&
            !json_get(made, name)) {
            json_set(made, name, make(in, name, one, which));
            len++;
        }
    }
    for (const json_value *one = properties ? json_first(properties) : NULL; one && len < least;
         one = json_next(one)) {
        if (!json_get(made, json_key(one))) {
            json_set(made, json_key(one), make(in, json_key(one), one, which));
            len++;
        }
    }
    for (size_t i = 0; values && i < (least > ITEMS_MAX ? ITEMS_MAX : least ? least : 1); i++)
        json_set(made, arena_printf(in, i ? "key%zu" : "key", i + 1), make(in, "value", values, i));
    return made;
}

/* Whether servers take two items for one: in a set by all they are, in a map by their keys. */
static bool is_same(const json_value *keys, const json_value *a, const json_value *b)
{
    if (!keys)
        return json_equal(a, b);
    for (const json_value *key = json_first(keys); key; key = json_next(key)) {
        const json_value *first = json_get(a, json_text(key));
        const json_value *second = json_get(b, json_text(key));
        if (!first != !second || (first && !json_equal(first, second)))
            return false;
    }
    return true;
}

static bool is_listed(const json_value *list, const json_value *schema, const json_value *item)
{
    const json_value *keys = json_get(schema, "x-kubernetes-list-map-keys");
    const char *type = json_text(json_get(schema, "x-kubernetes-list-type"));
    for (const json_value *one = type ? json_first(list) : NULL; one; one = json_next(one))
        if (strcmp(type, "atomic") != 0 && is_same(keys, one, item))
            return true;
    return false;
}

static json_value *make_list(arena *in, const json_value *schema)
{
    const json_value *items = json_get(schema, "items");
    size_t least = size_of(schema, "minItems", 1);
    size_t len = size_of(schema, "maxItems", least) < least ? 0 : least;
    size_t which = 0;
    json_value *made = json_array();
    for (size_t i = 0; items && i < (len > ITEMS_MAX ? ITEMS_MAX : len); i++) {
        json_value *item = make(in, "item", items, which++);
        while (is_listed(made, schema, item) && which < TRIES_MAX) {
            json_free(item);
            item = make(in, "item", items, which++);
        }
        if (is_listed(made, schema, item) || (i + 1 == ITEMS_MAX && len > ITEMS_MAX)) {
            json_free(item);
            item = remark();
            which = TRIES_MAX;
            len = i;
        }
        json_push(made, item);
    }
    return made;
}

/* The member's example, else its default, of which servers make the same; NULL = none is right. */
static const json_value *given_value(const json_value *schema)
{
    static const char *const keys[] = {"example", "default"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_value *given = json_get(schema, keys[i]);
        /* An empty object as default gets the defaults of its members. */
        if (given && !(json_kind_of(given) == JSON_OBJECT && !json_first(given)) &&
            crd_accepts(schema, given))
            return given;
    }
    return NULL;
}

static json_value *make(arena *in, const char *name, const json_value *schema, size_t which)
{
    const json_value *given = which ? NULL : given_value(schema);
    if (given)
        return json_copy(given);
    if (json_get(schema, "enum") || json_is_true(json_get(schema, "x-kubernetes-int-or-string")) ||
        is_type(schema, "boolean") || is_type(schema, "integer") || is_type(schema, "number") ||
        is_type(schema, "string"))
        return find_scalar(in, name, schema, which);
    return is_type(schema, "array") ? make_list(in, schema) : make_object(in, schema, which);
}

json_value *docs_example(const model_package *package, const model_resource *resource,
                         const json_value *schema)
{
    const json_value *properties = json_get(schema, "properties");
    arena *in = arena_new();
    json_value *made = json_object();
    json_value *metadata;
    json_set_text(made, "apiVersion",
                  *package->group ? arena_printf(in, "%s/%s", package->group, package->version)
                                  : package->version);
    json_set_text(made, "kind", resource->kind);
    metadata = json_set(made, "metadata", json_object());
    json_set_text(metadata, "name", "example");
    if (resource->namespaced)
        json_set_text(metadata, "namespace", "default");
    for (const json_value *one = json_first(properties); one; one = json_next(one)) {
        const char *name = json_key(one);
        if (!json_get(made, name) && strcmp(name, "status") != 0 &&
            (is_required(schema, name) || is_telling(one) || strcmp(name, "spec") == 0))
            json_set(made, name, make(in, name, one, 0));
    }
    arena_free(in);
    return made;
}
