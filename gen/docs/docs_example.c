/* SPDX-License-Identifier: Apache-2.0 */
#include "docs_example.h"

#include "docs_sample.h"
#include "support/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_LEN_MAX = 4096, ITEMS_MAX = 64 };

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
    const char *text = json_text(json_get(schema, "type"));
    return text && strcmp(text, type) == 0;
}

/* ---- scalars ------------------------------------------------------------------------------- */

/* The least that is allowed, but rather 1 than 0; @which counts on from there. */
static json_value *make_number(arena *in, const json_value *schema, size_t which)
{
    double step = number_of(schema, "multipleOf", 1);
    double most = number_of(schema, "maximum", HUGE_VAL);
    double least = number_of(schema, "minimum", most < 1 ? most : 1);
    double value = ceil(least / step) * step;
    if (value <= least && json_get(schema, "minimum") &&
        json_is_true(json_get(schema, "exclusiveMinimum")))
        value += step;
    if (value >= most && !json_get(schema, "minimum") &&
        json_is_true(json_get(schema, "exclusiveMaximum")))
        value -= step;
    value += (double)which * step;
    if (value > most && !is_type(schema, "integer"))
        value = least + (most - least) / 2;
    return json_number(arena_printf(in, "%.15g", value));
}

static const char *of_format(const char *format)
{
    static const struct {
        const char *format;
        const char *text;
    } known[] = {
        {"date-time", "2026-01-01T00:00:00Z"},
        {"date", "2026-01-01"},
        {"duration", "1m"},
        {"byte", "ZXhhbXBsZQ=="},
        {"ipv4", "192.0.2.1"},
        {"ipv6", "2001:db8::1"},
        {"cidr", "192.0.2.0/24"},
        {"mac", "00:00:5e:00:53:01"},
        {"uri", "https://example.org/"},
        {"email", "somebody@example.org"},
        {"hostname", "example.org"},
        {"uuid", "123e4567-e89b-42d3-a456-426614174000"},
        {"uuid3", "123e4567-e89b-32d3-a456-426614174000"},
        {"uuid4", "123e4567-e89b-42d3-a456-426614174000"},
        {"uuid5", "123e4567-e89b-52d3-a456-426614174000"},
    };
    for (size_t i = 0; format && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].format, format) == 0)
            return known[i].text;
    return NULL;
}

/* The member's own name, as long as it must be. */
static const char *made_up(arena *in, const char *name, size_t least, size_t most, size_t which)
{
    str text = {0};
    const char *made;
    for (const char *c = name; *c && text.len < most; c++)
        str_add_char(&text, *c);
    if (which && text.len + 2 <= most)
        str_printf(&text, "-%zu", which + 1);
    while (text.len < least)
        str_add_char(&text, 'x');
    made = arena_strdup(in, str_text(&text));
    str_free(&text);
    return made;
}

static json_value *make_string(arena *in, const char *name, const json_value *schema, size_t which)
{
    size_t least = size_of(schema, "minLength", 0);
    size_t most = size_of(schema, "maxLength", TEXT_LEN_MAX);
    const char *pattern = json_text(json_get(schema, "pattern"));
    const char *text = of_format(json_text(json_get(schema, "format")));
    if (!text && pattern)
        text = docs_sample(in, pattern, least ? least : 1, most);
    if (!text && pattern)
        text = docs_sample(in, pattern, least, most);
    return json_string(text ? text : made_up(in, name, least, most, which));
}

/* ---- objects and lists --------------------------------------------------------------------- */

static bool is_required(const json_value *schema, const char *name)
{
    const json_value *required = json_get(schema, "required");
    for (const json_value *one = json_first(required); required && one; one = json_next(one))
        if (strcmp(json_text(one), name) == 0)
            return true;
    return false;
}

/* Whether there is something to show that is not made up. */
static bool is_telling(const json_value *schema)
{
    return json_get(schema, "example") || json_get(schema, "default") || json_get(schema, "enum");
}

static json_value *make_object(arena *in, const json_value *schema)
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
        if ((is_required(schema, name) || is_telling(one)) && !json_get(made, name)) {
            json_set(made, name, make(in, name, one, 0));
            len++;
        }
    }
    for (const json_value *one = properties ? json_first(properties) : NULL; one && len < least;
         one = json_next(one)) {
        if (!json_get(made, json_key(one))) {
            json_set(made, json_key(one), make(in, json_key(one), one, 0));
            len++;
        }
    }
    for (size_t i = 0; values && i < (least > ITEMS_MAX ? ITEMS_MAX : least ? least : 1); i++)
        json_set(made, arena_printf(in, i ? "key%zu" : "key", i + 1), make(in, "value", values, i));
    return made;
}

static json_value *make_list(arena *in, const json_value *schema)
{
    const json_value *items = json_get(schema, "items");
    size_t least = size_of(schema, "minItems", 1);
    size_t len = size_of(schema, "maxItems", least) < least ? 0 : least;
    json_value *made = json_array();
    for (size_t i = 0; items && i < (len > ITEMS_MAX ? ITEMS_MAX : len); i++)
        json_push(made, make(in, "item", items, i));
    return made;
}

static json_value *make(arena *in, const char *name, const json_value *schema, size_t which)
{
    const json_value *given = json_get(schema, "example");
    const json_value *choice = json_get(schema, "enum");
    if (!given)
        given = json_get(schema, "default");
    /* An empty object as default gets the defaults of its members. */
    if (given && !which && !(json_kind_of(given) == JSON_OBJECT && !json_first(given)))
        return json_copy(given);
    if (choice) {
        const json_value *one = json_first(choice);
        for (size_t i = 0; i < which && one && json_next(one); i++)
            one = json_next(one);
        return one ? json_copy(one) : json_null();
    }
    if (json_is_true(json_get(schema, "x-kubernetes-int-or-string")))
        return json_number("1");
    if (is_type(schema, "array"))
        return make_list(in, schema);
    if (is_type(schema, "boolean"))
        return json_bool(true);
    if (is_type(schema, "integer") || is_type(schema, "number"))
        return make_number(in, schema, which);
    if (is_type(schema, "string"))
        return make_string(in, name, schema, which);
    return make_object(in, schema);
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
