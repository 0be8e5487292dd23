/* SPDX-License-Identifier: Apache-2.0 */
#include "schema_pair.h"

#include "support/str.h"

#include <stdarg.h>
#include <string.h>

enum { TEXT_MAX = 80 };

/* The place of a value, or the one above it. */
static diag_loc place_or(const place_list *places, const json_value *value, diag_loc above)
{
    diag_loc own = place_of(places, value);
    return own.file ? own : above;
}

schema_pair schema_pair_at(const schema_pair *of, const json_value *was, const json_value *is,
                           const char *path)
{
    schema_pair made = {.in = of->in, .was = was, .is = is, .about = of->about};
    made.about.path = path;
    made.about.was = place_or(of->in->was_places, was, of->about.was);
    made.about.is = place_or(of->in->is_places, is, of->about.is);
    return made;
}

void schema_pair_tell(const schema_pair *of, rule_id rule, const char *key, const char *format, ...)
{
    subject about = of->about;
    const char *message;
    va_list args;
    about.was = place_or(of->in->was_places, json_get(of->was, key), about.was);
    about.is = place_or(of->in->is_places, json_get(of->is, key), about.is);
    va_start(args, format);
    message = arena_vprintf(of->in->out->in, format, args);
    va_end(args);
    change_add(of->in->out, rule, &about, "%s", message);
}

const char *schema_pair_text(const schema_pair *of, const json_value *value)
{
    arena *in = of->in->out->in;
    str text = {0};
    const char *made;
    if (!value)
        return "none";
    json_print(value, &text);
    made = text.len <= TEXT_MAX ? arena_strdup(in, str_text(&text))
                                : arena_printf(in, "%.*s…", TEXT_MAX, str_text(&text));
    str_free(&text);
    return made;
}

/* Whether the keyword is for people only. */
static bool is_remark(const char *key)
{
    static const char *const remarks[] = {"description", "title", "example", "externalDocs", NULL};
    return str_is_one_of(key, remarks);
}

static bool are_same_members(const json_value *was, const json_value *is)
{
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        const json_value *other = json_get(is, json_key(one));
        if (!other || !schema_pair_is_same(one, other))
            return false;
    }
    for (const json_value *one = json_first(is); one; one = json_next(one))
        if (!json_get(was, json_key(one)))
            return false;
    return true;
}

/* The same of a keyword that holds schemas by name or in a list. */
static bool are_same_schemas(const json_value *was, const json_value *is)
{
    const json_value *other = json_first(is);
    if (json_kind_of(was) != json_kind_of(is))
        return false;
    if (json_kind_of(was) == JSON_OBJECT)
        return are_same_members(was, is);
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        if (!other || !schema_pair_is_same(one, other))
            return false;
        other = json_next(other);
    }
    return !other;
}

static bool is_same_keyword(const char *key, const json_value *was, const json_value *is)
{
    static const char *const of_one[] = {"items", "additionalProperties", "not", NULL};
    static const char *const of_many[] = {"properties", "allOf", "anyOf", "oneOf", NULL};
    if (is_remark(key))
        return true;
    if (was && is && str_is_one_of(key, of_one))
        return schema_pair_is_same(was, is);
    if (was && is && str_is_one_of(key, of_many))
        return are_same_schemas(was, is);
    return json_equal(was, is);
}

bool schema_pair_is_same(const json_value *was, const json_value *is)
{
    if (json_kind_of(was) != JSON_OBJECT || json_kind_of(is) != JSON_OBJECT)
        return json_equal(was, is);
    for (const json_value *one = json_first(was); one; one = json_next(one))
        if (!is_same_keyword(json_key(one), one, json_get(is, json_key(one))))
            return false;
    for (const json_value *one = json_first(is); one; one = json_next(one))
        if (!json_get(was, json_key(one)) && !is_remark(json_key(one)))
            return false;
    return true;
}
