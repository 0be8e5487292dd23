/* SPDX-License-Identifier: Apache-2.0 */
/* The keywords of a schema that say which values are right, and what a server makes of them. */
#include "compare_schema.h"
#include "support/str.h"
#include "support/text_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the text of a keyword, NULL if there is none, or none in it. */
static const char *keyword(const json_value *schema, const char *key)
{
    const char *text = json_text(json_get(schema, key));
    return text && *text ? text : NULL;
}

/* ---- limits -------------------------------------------------------------------------------- */

static long double number_of(const json_value *value)
{
    const char *text = json_text(value);
    return text ? strtold(text, NULL) : 0;
}

/* Whether the values are one: 1 is 1.0, too. */
static bool is_same_value(const json_value *a, const json_value *b)
{
    return json_equal(a, b) || (json_kind_of(a) == JSON_NUMBER && json_kind_of(b) == JSON_NUMBER &&
                                number_of(a) == number_of(b));
}

/* The limit as a lower one: as the least number, where numbers are whole. */
static long double limit_of(const json_value *schema, const char *key, const char *exclusive,
                            int sign)
{
    const char *type = json_text(json_get(schema, "type"));
    long double limit = number_of(json_get(schema, key)) * sign;
    if (!type || strcmp(type, "integer") != 0)
        return limit;
    return exclusive && json_is_true(json_get(schema, exclusive)) ? floorl(limit) + 1
                                                                  : ceill(limit);
}

/* Returns 1 if the limit is tighter than it was, -1 if it is looser. @sign is 1 of a minimum. */
static int compare_limit(const schema_pair *pair, const char *key, const char *exclusive, int sign)
{
    long double was = limit_of(pair->was, key, exclusive, sign);
    long double is = limit_of(pair->is, key, exclusive, sign);
    const char *type = json_text(json_get(pair->is, "type"));
    if (was < is)
        return 1;
    if (was > is)
        return -1;
    if (!exclusive || (type && strcmp(type, "integer") == 0))
        return 0;
    return json_is_true(json_get(pair->is, exclusive)) -
           json_is_true(json_get(pair->was, exclusive));
}

static const char *limit_text(const schema_pair *pair, const json_value *schema, const char *key,
                              const char *exclusive)
{
    const char *text = schema_pair_text(pair, json_get(schema, key));
    if (!exclusive || !json_is_true(json_get(schema, exclusive)))
        return text;
    return arena_printf(pair->in->out->in, "%s (exclusive)", text);
}

static void tell_limit(const schema_pair *pair, const char *key, const char *exclusive, int order)
{
    rule_id rule = order > 0 ? RULE_LIMIT_TIGHTENED : RULE_LIMIT_LOOSENED;
    const char *was = limit_text(pair, pair->was, key, exclusive);
    const char *is = limit_text(pair, pair->is, key, exclusive);
    if (!json_get(pair->was, key))
        schema_pair_tell(pair, rule, key, "%s %s is new", key, is);
    else if (!json_get(pair->is, key))
        schema_pair_tell(pair, rule, key, "%s %s is gone", key, was);
    else
        schema_pair_tell(pair, rule, key, "%s %s becomes %s", key, was, is);
}

/* Whether there is a limit: a least length of 0 is none. */
static bool has_limit(const json_value *schema, const char *key, const char *exclusive, int sign)
{
    const json_value *limit = json_get(schema, key);
    return limit && (exclusive || sign < 0 || number_of(limit) > 0);
}

static void compare_limits(const schema_pair *pair)
{
    static const struct {
        const char *key;
        const char *exclusive;
        int sign;
    } limits[] = {
        {"minimum", "exclusiveMinimum", 1},
        {"maximum", "exclusiveMaximum", -1},
        {"minLength", NULL, 1},
        {"maxLength", NULL, -1},
        {"minItems", NULL, 1},
        {"maxItems", NULL, -1},
        {"minProperties", NULL, 1},
        {"maxProperties", NULL, -1},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const char *key = limits[i].key;
        bool was = has_limit(pair->was, key, limits[i].exclusive, limits[i].sign);
        bool is = has_limit(pair->is, key, limits[i].exclusive, limits[i].sign);
        int order = is - was;
        if (was && is)
            order = compare_limit(pair, key, limits[i].exclusive, limits[i].sign);
        if (order)
            tell_limit(pair, key, limits[i].exclusive, order);
    }
}

/* Whether each multiple of @was is one of @is; 0.3 is one of 0.1, though not in binary. */
static bool is_multiple(long double was, long double is)
{
    long double times = was / is;
    return fabsl(times - roundl(times)) < 1e-9L;
}

static void compare_multiple(const schema_pair *pair)
{
    const char *key = "multipleOf";
    const json_value *was = json_get(pair->was, key);
    const json_value *is = json_get(pair->is, key);
    int order;
    if (is_same_value(was, is))
        return;
    order = !was ? 1 : !is ? -1 : is_multiple(number_of(was), number_of(is)) ? -1 : 1;
    tell_limit(pair, key, NULL, order);
}

/* ---- enum, pattern, format ----------------------------------------------------------------- */

static bool has_value(const json_value *list, const json_value *value)
{
    for (const json_value *one = json_first(list); one; one = json_next(one))
        if (is_same_value(one, value))
            return true;
    return false;
}

/* Equal values have equal texts: 1 and 1.0. */
static const char *print(arena *in, const json_value *value)
{
    str text = {0};
    const char *made;
    bool is_number = json_kind_of(value) == JSON_NUMBER;
    if (is_number && strpbrk(json_text(value), ".eE"))
        str_printf(&text, "%.17g", strtod(json_text(value), NULL));
    else
        json_print(value, &text);
    made = arena_strdup(in, str_text(&text));
    str_free(&text);
    return made;
}

/* Returns the enum, or NULL if there is none: one with both booleans leaves out nothing. */
static const json_value *enum_of(const json_value *schema)
{
    const json_value *list = json_get(schema, "enum");
    const char *type = keyword(schema, "type");
    bool yes = false;
    bool no = false;
    if (!type || strcmp(type, "boolean") != 0)
        return list;
    for (const json_value *one = json_first(list); one; one = json_next(one)) {
        yes |= json_is_true(one);
        no |= json_kind_of(one) == JSON_BOOL && !json_is_true(one);
    }
    return yes && no ? NULL : list;
}

/* Returns which values of @list @other lacks, as a text, or NULL if none. */
static const char *missing(const schema_pair *pair, const json_value *list, const json_value *other)
{
    arena *in = pair->in->out->in;
    const char *text = NULL;
    text_map known = {0};
    str lost = {0};
    for (const json_value *one = json_first(other); one; one = json_next(one))
        text_map_add(&known, in, print(in, one));
    for (const json_value *one = json_first(list); one; one = json_next(one)) {
        const char *printed = print(in, one);
        /* Objects may be equal although they are printed in another order. */
        if (text_map_has(&known, printed) || (json_first(one) && has_value(other, one)))
            continue;
        str_add(&lost, lost.len ? ", " : "");
        str_add(&lost, printed);
    }
    if (lost.len)
        text = arena_strdup(in, str_text(&lost));
    str_free(&lost);
    return text;
}

static void compare_enum(const schema_pair *pair)
{
    const json_value *was = enum_of(pair->was);
    const json_value *is = enum_of(pair->is);
    const char *lost = was && is ? missing(pair, was, is) : NULL;
    const char *new = was &&is ? missing(pair, is, was) : NULL;
    if (!was && is)
        schema_pair_tell(pair, RULE_ENUM_ADDED, "enum", "only %s are right now",
                         schema_pair_text(pair, is));
    if (was && !is)
        schema_pair_tell(pair, RULE_ENUM_REMOVED, "enum", "any value is right now, not only %s",
                         schema_pair_text(pair, was));
    if (lost)
        schema_pair_tell(pair, RULE_ENUM_NARROWED, "enum", "the enum has lost %s", lost);
    if (new)
        schema_pair_tell(pair, RULE_ENUM_WIDENED, "enum", "the enum has got %s", new);
}

static void compare_pattern(const schema_pair *pair)
{
    const char *was = keyword(pair->was, "pattern");
    const char *is = keyword(pair->is, "pattern");
    if (was && is && strcmp(was, is) != 0)
        schema_pair_tell(pair, RULE_PATTERN_CHANGED, "pattern", "pattern %s becomes %s", was, is);
    else if (!was && is)
        schema_pair_tell(pair, RULE_PATTERN_ADDED, "pattern", "pattern %s is new", is);
    else if (was && !is)
        schema_pair_tell(pair, RULE_PATTERN_REMOVED, "pattern", "pattern %s is gone", was);
}

static bool is_wider_format(const char *was, const char *is)
{
    return (strcmp(was, "int32") == 0 && strcmp(is, "int64") == 0) ||
           (strcmp(was, "float") == 0 && strcmp(is, "double") == 0);
}

static void compare_format(const schema_pair *pair)
{
    const char *was = keyword(pair->was, "format");
    const char *is = keyword(pair->is, "format");
    if (was && is && strcmp(was, is) != 0)
        schema_pair_tell(pair,
                         is_wider_format(was, is) ? RULE_FORMAT_LOOSENED : RULE_FORMAT_CHANGED,
                         "format", "format %s becomes %s", was, is);
    else if (!was && is)
        schema_pair_tell(pair, RULE_FORMAT_ADDED, "format", "format %s is new", is);
    else if (was && !is)
        schema_pair_tell(pair, RULE_FORMAT_LOOSENED, "format", "format %s is gone", was);
}

/* ---- default, null, unknown fields --------------------------------------------------------- */

static void compare_default(const schema_pair *pair)
{
    const json_value *was = json_get(pair->was, "default");
    const json_value *is = json_get(pair->is, "default");
    if (is_same_value(was, is))
        return;
    if (!was)
        schema_pair_tell(pair, RULE_DEFAULT_ADDED, "default", "default %s is new",
                         schema_pair_text(pair, is));
    else if (!is)
        schema_pair_tell(pair, RULE_DEFAULT_REMOVED, "default", "default %s is gone",
                         schema_pair_text(pair, was));
    else
        schema_pair_tell(pair, RULE_DEFAULT_CHANGED, "default", "default %s becomes %s",
                         schema_pair_text(pair, was), schema_pair_text(pair, is));
}

static void compare_flags(const schema_pair *pair)
{
    static const struct {
        const char *key;
        rule_id removed;
        rule_id added;
        const char *removed_text;
        const char *added_text;
    } flags[] = {
        {"nullable", RULE_NULLABLE_REMOVED, RULE_NULLABLE_ADDED, "null is not accepted any more",
         "null is accepted"},
        {"x-kubernetes-preserve-unknown-fields", RULE_PRESERVE_UNKNOWN_REMOVED,
         RULE_PRESERVE_UNKNOWN_ADDED, "fields that are not described are pruned now",
         "fields that are not described are kept now"},
        {"x-kubernetes-embedded-resource", RULE_EMBEDDED_RESOURCE_REMOVED,
         RULE_EMBEDDED_RESOURCE_ADDED, "the value is no object with apiVersion and kind any more",
         "the value has to be an object with apiVersion and kind"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        bool was = json_is_true(json_get(pair->was, flags[i].key));
        bool is = json_is_true(json_get(pair->is, flags[i].key));
        if (was && !is)
            schema_pair_tell(pair, flags[i].removed, flags[i].key, "%s", flags[i].removed_text);
        else if (is && !was)
            schema_pair_tell(pair, flags[i].added, flags[i].key, "%s", flags[i].added_text);
    }
}

/* ---- how lists and maps merge -------------------------------------------------------------- */

static void compare_list_type(const schema_pair *pair)
{
    const char *key = "x-kubernetes-list-type";
    const char *keys = "x-kubernetes-list-map-keys";
    const char *was = keyword(pair->was, key);
    const char *is = keyword(pair->is, key);
    const json_value *was_keys = json_get(pair->was, keys);
    const json_value *is_keys = json_get(pair->is, keys);
    was = was ? was : "atomic";
    is = is ? is : "atomic";
    if (strcmp(was, is) != 0)
        schema_pair_tell(
            pair, strcmp(is, "atomic") == 0 ? RULE_LIST_TYPE_CHANGED : RULE_LIST_TYPE_TIGHTENED,
            key, "list type %s becomes %s", was, is);
    else if (missing(pair, was_keys, is_keys) || missing(pair, is_keys, was_keys))
        schema_pair_tell(pair, RULE_LIST_KEYS_CHANGED, keys, "list map keys %s become %s",
                         schema_pair_text(pair, was_keys), schema_pair_text(pair, is_keys));
}

static void compare_map_type(const schema_pair *pair)
{
    const char *key = "x-kubernetes-map-type";
    const char *was = keyword(pair->was, key);
    const char *is = keyword(pair->is, key);
    was = was ? was : "granular";
    is = is ? is : "granular";
    if (strcmp(was, is) != 0)
        schema_pair_tell(pair, RULE_MAP_TYPE_CHANGED, key, "map type %s becomes %s", was, is);
}

/* ---- rules of CEL -------------------------------------------------------------------------- */

static const char cel_key[] = "x-kubernetes-validations";

static const json_value *find_text(const json_value *list, const char *key, const char *text)
{
    for (const json_value *one = json_first(list); one && text; one = json_next(one)) {
        const char *own = keyword(one, key);
        if (own && strcmp(own, text) == 0)
            return one;
    }
    return NULL;
}

static void tell_cel(const schema_pair *pair, rule_id rule, const json_value *was,
                     const json_value *is, const char *verb)
{
    schema_pair at = schema_pair_at(pair, was, is, pair->about.path);
    schema_pair_tell(&at, rule, "rule", "rule %s %s",
                     schema_pair_text(pair, json_get(is ? is : was, "rule")), verb);
}

/* Whether a rule of transition is evaluated where there is no old value, too. */
static bool is_for_new(const json_value *rule)
{
    return json_is_true(json_get(rule, "optionalOldSelf"));
}

/* A rule that has gone and one that has come are one that changed if they say the same. */
static void compare_cel(const schema_pair *pair)
{
    const json_value *was = json_get(pair->was, cel_key);
    const json_value *is = json_get(pair->is, cel_key);
    for (const json_value *one = json_first(is); one; one = json_next(one)) {
        const json_value *before = find_text(was, "message", keyword(one, "message"));
        const json_value *same = find_text(was, "rule", keyword(one, "rule"));
        if (same && is_for_new(one) && !is_for_new(same))
            tell_cel(pair, RULE_CEL_RULE_CHANGED, same, one, "is for new values now, too");
        if (same)
            continue;
        if (before && !find_text(is, "rule", keyword(before, "rule")))
            tell_cel(pair, RULE_CEL_RULE_CHANGED, before, one, "is another one");
        else
            tell_cel(pair, RULE_CEL_RULE_ADDED, NULL, one, "is new");
    }
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        if (!find_text(is, "rule", keyword(one, "rule")) &&
            !find_text(is, "message", keyword(one, "message")))
            tell_cel(pair, RULE_CEL_RULE_REMOVED, one, NULL, "is gone");
    }
}

/* ---- allOf, anyOf, oneOf, not -------------------------------------------------------------- */

/* Whether each schema of @list is one of @other. */
static bool is_within(const json_value *list, const json_value *other)
{
    for (const json_value *one = json_first(list); one; one = json_next(one)) {
        const json_value *same = json_first(other);
        while (same && !schema_pair_is_same(one, same))
            same = json_next(same);
        if (!same)
            return false;
    }
    return true;
}

/* Whether what the old keyword accepts is accepted by the new one for sure. */
static bool accepts_all(const char *key, const json_value *was, const json_value *is)
{
    if (!is)
        return true;
    if (!was)
        return false;
    if (strcmp(key, "allOf") == 0)
        return is_within(is, was);
    return strcmp(key, "anyOf") == 0 && is_within(was, is);
}

static size_t count_same(const json_value *list, const json_value *schema)
{
    size_t count = 0;
    for (const json_value *one = json_first(list); one; one = json_next(one))
        count += schema_pair_is_same(one, schema);
    return count;
}

/* Whether each schema is in either list as often: of oneOf, two that are the same match nothing. */
static bool are_as_often(const json_value *was, const json_value *is)
{
    for (const json_value *one = json_first(was); one; one = json_next(one))
        if (count_same(was, one) != count_same(is, one))
            return false;
    return is_within(is, was);
}

static bool is_same_combination(const char *key, const json_value *was, const json_value *is)
{
    if (!was || !is)
        return was == is;
    if (strcmp(key, "not") == 0)
        return schema_pair_is_same(was, is);
    if (strcmp(key, "oneOf") == 0)
        return are_as_often(was, is);
    return is_within(was, is) && is_within(is, was);
}

/* Whether the list is {type: integer}, {type: string}. */
static bool is_integer_or_string(const json_value *list)
{
    static const char *const types[] = {"integer", "string"};
    size_t i = 0;
    for (const json_value *one = json_first(list); one; one = json_next(one)) {
        const char *type = keyword(one, "type");
        if (i >= sizeof types / sizeof *types || !type || strcmp(type, types[i++]) != 0)
            return false;
    }
    return i == sizeof types / sizeof *types;
}

/* Returns the keyword, or NULL: anyOf integer and string is what an integer or string is anyway. */
static const json_value *combination_of(const json_value *schema, const char *key)
{
    const json_value *value = json_get(schema, key);
    bool redundant = strcmp(key, "anyOf") == 0 && is_integer_or_string(value) &&
                     json_is_true(json_get(schema, "x-kubernetes-int-or-string"));
    return redundant ? NULL : value;
}

static void compare_combinations(const schema_pair *pair)
{
    static const char *const keys[] = {"allOf", "anyOf", "oneOf", "not"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_value *was = combination_of(pair->was, keys[i]);
        const json_value *is = combination_of(pair->is, keys[i]);
        if (is_same_combination(keys[i], was, is))
            continue;
        schema_pair_tell(pair,
                         accepts_all(keys[i], was, is) ? RULE_COMBINATION_LOOSENED
                                                       : RULE_COMBINATION_TIGHTENED,
                         keys[i], "%s %s", keys[i],
                         !was  ? "is new"
                         : !is ? "is gone"
                               : "is another one");
    }
}

void compare_values(const schema_pair *pair)
{
    compare_limits(pair);
    compare_multiple(pair);
    compare_enum(pair);
    compare_pattern(pair);
    compare_format(pair);
    compare_default(pair);
    compare_flags(pair);
    compare_list_type(pair);
    compare_map_type(pair);
    compare_cel(pair);
    compare_combinations(pair);
}
