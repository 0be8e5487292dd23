/* SPDX-License-Identifier: Apache-2.0 */
#include "compare_schema.h"

#include "support/ascii.h"
#include "support/str.h"
#include "support/text_map.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How many pairs of names are compared, to find those that are one field. */
enum { RENAMES_MAX = 100000 };

typedef VEC(const json_value *) value_list;

/* The members of an object by their names. */
typedef struct member_index {
    text_map by_name;
    value_list list;
} member_index;

/* ---- paths --------------------------------------------------------------------------------- */

static bool is_plain_name(const char *name)
{
    if (!*name)
        return false;
    while (ascii_is_alnum(*name) || (*name && strchr("_-$", *name)))
        name++;
    return !*name;
}

static const char *member_path(const schema_pair *pair, const char *name)
{
    return arena_printf(pair->in->out->in, is_plain_name(name) ? "%s.%s" : "%s['%s']",
                        pair->about.path, name);
}

static const char *inner_path(const schema_pair *pair, const char *what)
{
    return arena_printf(pair->in->out->in, "%s%s", pair->about.path, what);
}

/* ---- types --------------------------------------------------------------------------------- */

static const char any_type[] = "any";
static const char map_type[] = "map";

/* What kind of value a schema describes, in one word. */
static const char *type_of(const json_value *schema)
{
    const char *type = json_text(json_get(schema, "type"));
    if (json_is_true(json_get(schema, "x-kubernetes-int-or-string")))
        return "integer or string";
    if (json_get(schema, "additionalProperties") && !json_get(schema, "properties"))
        return map_type;
    return type ? type : any_type;
}

static bool is_wider_type(const char *was, const char *is)
{
    if (is == any_type)
        return true;
    if (strcmp(is, "integer or string") == 0)
        return strcmp(was, "integer") == 0 || strcmp(was, "string") == 0;
    return strcmp(was, "integer") == 0 && strcmp(is, "number") == 0;
}

static bool keeps_unknown(const json_value *schema)
{
    return json_is_true(json_get(schema, "x-kubernetes-preserve-unknown-fields"));
}

static bool is_object(const json_value *schema)
{
    const char *type = json_text(json_get(schema, "type"));
    return type && strcmp(type, "object") == 0;
}

/* An object of which nothing was kept may become one of which something is. */
static bool is_bare_object(const json_value *schema)
{
    return is_object(schema) && !json_get(schema, "properties") &&
           !json_get(schema, "additionalProperties") && !keeps_unknown(schema);
}

/* Whether all that was right is, and stays: a map became an object that keeps unknown fields. */
static bool is_wider_map(const json_value *was, const json_value *is)
{
    return is_object(was) && is_object(is) && json_get(was, "additionalProperties") &&
           keeps_unknown(is) && !json_get(is, "properties");
}

/* Returns whether the types are so much alike that the rest may be compared. */
static bool compare_types(const schema_pair *pair)
{
    const char *was = type_of(pair->was);
    const char *is = type_of(pair->is);
    bool wider = is_wider_type(was, is) || is_wider_map(pair->was, pair->is);
    if (strcmp(was, is) == 0 || (is_bare_object(pair->was) && is_object(pair->is)))
        return true;
    if (was == any_type)
        schema_pair_tell(pair, RULE_TYPE_CHANGED, "type", "only type %s is right now", is);
    else
        schema_pair_tell(pair, wider ? RULE_TYPE_WIDENED : RULE_TYPE_CHANGED, "type",
                         "type %s becomes %s", was, is);
    return wider;
}

/* ---- members ------------------------------------------------------------------------------- */

/* Returns the first member; NULL too if @value is no object. */
static const json_value *first_member(const json_value *value)
{
    return json_kind_of(value) == JSON_OBJECT ? json_first(value) : NULL;
}

static member_index index_members(arena *in, const json_value *object)
{
    member_index made = {0};
    for (const json_value *one = first_member(object); one; one = json_next(one)) {
        *text_map_at(&made.by_name, in, json_key(one)) = (void *)one;
        *VEC_ADD(&made.list) = one;
    }
    return made;
}

/* Returns the members of @of that @other lacks. */
static value_list find_missing(const member_index *of, const member_index *other)
{
    value_list list = {0};
    for (size_t i = 0; i < of->list.len; i++)
        if (!text_map_has(&other->by_name, json_key(of->list.items[i])))
            *VEC_ADD(&list) = of->list.items[i];
    return list;
}

/* What servers know of every object, and of one in another, is never pruned. */
static bool is_known_to_servers(const schema_pair *pair, const char *name)
{
    static const char *const names[] = {"apiVersion", "kind", "metadata", NULL};
    static const char *const of_metadata[] = {"name", "generateName", NULL};
    bool whole =
        !*pair->about.path || json_is_true(json_get(pair->is, "x-kubernetes-embedded-resource"));
    return (whole && str_is_one_of(name, names)) ||
           (strcmp(pair->about.path, ".metadata") == 0 && str_is_one_of(name, of_metadata));
}

/* Whether the longer one begins or ends with the other, in whatever case: tags, labelTags. */
static bool has_other(const char *longer, const char *other)
{
    size_t len = strlen(other);
    size_t rest = strlen(longer) - len;
    return strncasecmp(longer, other, len) == 0 || strcasecmp(longer + rest, other) == 0;
}

/* Whether the names are so near to each other as those of a member that was renamed. */
static bool is_likely_name(const char *was, const char *is)
{
    return diag_nearest(was, &is, 1) ||
           (strlen(was) < strlen(is) ? has_other(is, was) : has_other(was, is));
}

/*
 * Returns the member that @gone has become, or NULL: it is described alike, and either is the only
 * one that came where only one went, or its name is near. Where too many came and went it is not
 * looked for.
 */
static const json_value *find_new_name(const json_value *gone, const value_list *removed,
                                       const value_list *added)
{
    const json_value *found = NULL;
    bool is_few = removed->len * added->len <= RENAMES_MAX;
    for (size_t i = 0; i < added->len && is_few; i++) {
        const json_value *one = added->items[i];
        if (!schema_pair_is_same(gone, one) || !((removed->len == 1 && added->len == 1) ||
                                                 is_likely_name(json_key(gone), json_key(one))))
            continue;
        if (found)
            return NULL; /* it cannot be told which */
        found = one;
    }
    return found;
}

static void tell_removed(const schema_pair *pair, const json_value *gone, const json_value *new)
{
    schema_pair at = schema_pair_at(pair, gone, new, member_path(pair, json_key(gone)));
    if (keeps_unknown(pair->is))
        schema_pair_tell(&at, RULE_FIELD_UNNAMED, "", "the field is not described any more");
    else if (new)
        schema_pair_tell(&at, RULE_FIELD_RENAMED, "", "the field seems to be called %s now",
                         json_key(new));
    else
        schema_pair_tell(&at, RULE_FIELD_REMOVED, "", "the field is gone");
}

/* A field that all objects have is compared with its type, which is all that it had to be. */
static void tell_known(const schema_pair *pair, const json_value *new)
{
    json_value *bare = json_object();
    const char *type = json_text(json_get(new, "type"));
    schema_pair at;
    if (type)
        json_set_text(bare, "type", type);
    at = schema_pair_at(pair, bare, new, member_path(pair, json_key(new)));
    compare_schema(&at);
    json_free(bare);
}

static void tell_added(const schema_pair *pair, const json_value *new)
{
    schema_pair at = schema_pair_at(pair, NULL, new, member_path(pair, json_key(new)));
    bool is_bound = keeps_unknown(pair->was) && (json_get(new, "type") || !keeps_unknown(new));
    if (is_bound)
        schema_pair_tell(&at, RULE_FIELD_NAMED, "",
                         "the field, which could be anything, has a "
                         "schema now");
    else
        schema_pair_tell(&at, RULE_FIELD_ADDED, "", "the field is new");
    if (json_get(new, "default"))
        schema_pair_tell(&at, RULE_DEFAULT_ADDED, "default", "default %s is new",
                         schema_pair_text(pair, json_get(new, "default")));
}

static void compare_missing(const schema_pair *pair, const member_index *was,
                            const member_index *is)
{
    value_list removed = find_missing(was, is);
    value_list added = find_missing(is, was);
    for (size_t i = 0; i < removed.len; i++) {
        const json_value *gone = removed.items[i];
        if (!is_known_to_servers(pair, json_key(gone)))
            tell_removed(pair, gone, find_new_name(gone, &removed, &added));
    }
    for (size_t i = 0; i < added.len; i++) {
        const json_value *new = added.items[i];
        if (is_known_to_servers(pair, json_key(new)))
            tell_known(pair, new);
        else
            tell_added(pair, new);
    }
    free(removed.items);
    free(added.items);
}

static text_map index_texts(arena *in, const json_value *list)
{
    text_map made = {0};
    for (const json_value *one = json_first(list); one; one = json_next(one))
        if (json_text(one))
            text_map_add(&made, in, json_text(one));
    return made;
}

static void compare_required(const schema_pair *pair, const member_index *was_members,
                             const member_index *is_members)
{
    arena *in = pair->in->out->in;
    const json_value *was = json_get(pair->was, "required");
    const json_value *is = json_get(pair->is, "required");
    text_map before = index_texts(in, was);
    text_map after = index_texts(in, is);
    for (const json_value *one = json_first(is); one; one = json_next(one)) {
        const char *name = json_text(one);
        bool lost_default;
        schema_pair at;
        if (!name)
            continue;
        at = schema_pair_at(pair, text_map_get(&was_members->by_name, name),
                            text_map_get(&is_members->by_name, name), member_path(pair, name));
        lost_default = json_get(at.was, "default") != NULL;
        if (json_get(at.is, "default") || (text_map_has(&before, name) && !lost_default))
            continue;
        schema_pair_tell(&at, RULE_REQUIRED_ADDED, "", "%s",
                         !at.was        ? "the field is new and required"
                         : lost_default ? "the field is required, and has no default any more"
                                        : "the field is required now");
    }
    for (const json_value *one = json_first(was); one; one = json_next(one)) {
        const char *name = json_text(one);
        schema_pair at;
        if (!name || text_map_has(&after, name) || !text_map_has(&is_members->by_name, name))
            continue;
        at = schema_pair_at(pair, text_map_get(&was_members->by_name, name),
                            text_map_get(&is_members->by_name, name), member_path(pair, name));
        schema_pair_tell(&at, RULE_REQUIRED_REMOVED, "", "the field may be left out now");
    }
}

static void compare_members(const schema_pair *pair)
{
    arena *in = pair->in->out->in;
    member_index was = index_members(in, json_get(pair->was, "properties"));
    member_index is = index_members(in, json_get(pair->is, "properties"));
    for (size_t i = 0; i < was.list.len; i++) {
        const json_value *member = was.list.items[i];
        const json_value *other = text_map_get(&is.by_name, json_key(member));
        if (other) {
            schema_pair at =
                schema_pair_at(pair, member, other, member_path(pair, json_key(member)));
            compare_schema(&at);
        }
    }
    compare_missing(pair, &was, &is);
    compare_required(pair, &was, &is);
    free(was.list.items);
    free(is.list.items);
}

void compare_schema(const schema_pair *pair)
{
    static const struct {
        const char *key;
        const char *path;
    } inner[] = {{"items", "[*]"}, {"additionalProperties", ".*"}};
    if (!compare_types(pair))
        return;
    compare_values(pair);
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        const json_value *was = json_get(pair->was, inner[i].key);
        const json_value *is = json_get(pair->is, inner[i].key);
        if (was && is) {
            schema_pair at = schema_pair_at(pair, was, is, inner_path(pair, inner[i].path));
            compare_schema(&at);
        }
    }
    compare_members(pair);
}

/* ---- what storage loses -------------------------------------------------------------------- */

/* Whether a map's values, or unknown fields, are pruned by the other schema. */
static bool prunes_unknown(const json_value *was, const json_value *is)
{
    return (json_get(was, "additionalProperties") || keeps_unknown(was)) && !keeps_unknown(is) &&
           !json_get(is, "additionalProperties");
}

static void compare_stored_value(const schema_pair *pair)
{
    const char *was = type_of(pair->was);
    const char *is = type_of(pair->is);
    const json_value *filled = json_get(pair->is, "default");
    if (prunes_unknown(pair->was, pair->is))
        schema_pair_tell(pair, RULE_STORAGE_LOSES_FIELD, "",
                         "the version that is stored does not have the fields below");
    else if (strcmp(was, is) != 0 && !is_wider_type(was, is))
        schema_pair_tell(pair, RULE_STORAGE_TYPE_DIFFERS, "type",
                         "type %s is %s in the version that is stored", was, is);
    if (filled && !json_equal(json_get(pair->was, "default"), filled))
        schema_pair_tell(pair, RULE_STORAGE_DEFAULT_DIFFERS, "default",
                         "the version that is stored has the default %s",
                         schema_pair_text(pair, filled));
}

void compare_storage(const schema_pair *pair)
{
    const json_value *stored = json_get(pair->is, "properties");
    const json_value *items = json_get(pair->was, "items");
    const json_value *values = json_get(pair->was, "additionalProperties");
    schema_pair at;
    compare_stored_value(pair);
    for (const json_value *one = first_member(json_get(pair->was, "properties")); one;
         one = json_next(one)) {
        const char *name = json_key(one);
        at = schema_pair_at(pair, one, json_get(stored, name), member_path(pair, name));
        if (at.is)
            compare_storage(&at);
        else if (!keeps_unknown(pair->is) && !json_get(pair->is, "additionalProperties") &&
                 !is_known_to_servers(pair, name))
            schema_pair_tell(&at, RULE_STORAGE_LOSES_FIELD, "",
                             "the version that is stored does not have the field");
    }
    at = schema_pair_at(pair, items, json_get(pair->is, "items"), inner_path(pair, "[*]"));
    if (at.was && at.is)
        compare_storage(&at);
    at = schema_pair_at(pair, values, json_get(pair->is, "additionalProperties"),
                        inner_path(pair, ".*"));
    if (at.was && at.is)
        compare_storage(&at);
}
