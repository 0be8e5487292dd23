/* SPDX-License-Identifier: Apache-2.0 */
#include "crd_convert.h"

#include "crd_names.h"
#include "import/import_schema.h"
#include "import/import_shape.h"
#include "schema/keywords.h"

#include <string.h>

/* ---- what counts --------------------------------------------------------------------------- */

/* Removes what is for people only; @is_typed: the schema is one of a member or a Kind, whose
 * description may become a comment. */
static void clean(json_value *schema, bool is_typed, bool docs)
{
    static const char *const schemas[] = {"items", "not", "additionalProperties", NULL};
    static const char *const lists[] = {"allOf", "anyOf", "oneOf", NULL};
    if (json_kind_of(schema) != JSON_OBJECT)
        return;
    for (const json_value *at = json_first(schema); at;) {
        const json_value *next = json_next(at);
        if (!keywords_has(json_key(at)) || json_kind_of(at) == JSON_NULL)
            json_drop(schema, json_key(at)); /* as servers do */
        at = next;
    }
    if (!docs || !is_typed)
        json_drop(schema, "description");
    for (const char *const *keyword = schemas; *keyword; keyword++)
        clean((json_value *)json_get(schema, *keyword), is_typed && **keyword != 'n', docs);
    for (const char *const *keyword = lists; *keyword; keyword++)
        for (const json_value *at = json_first(json_get(schema, *keyword)); at; at = json_next(at))
            clean((json_value *)at, false, docs);
    for (const json_value *at = json_first(json_get(schema, "properties")); at; at = json_next(at))
        clean((json_value *)at, is_typed && import_can_be_member(json_key(at)), docs);
}

json_value *crd_simplify(const json_value *schema, bool needs_status, bool docs)
{
    json_value *made = json_copy(schema);
    json_value *properties = (json_value *)json_get(made, "properties");
    clean(made, true, docs);
    if (json_kind_of(properties) != JSON_OBJECT)
        properties = json_put(made, "properties", json_object());
    json_drop(properties, "apiVersion");
    json_drop(properties, "kind");
    json_set_text(json_put(properties, "metadata", json_object()), "type", "object");
    if (needs_status && !json_get(properties, "status"))
        json_set_flag(json_set(properties, "status", json_object()),
                      "x-kubernetes-preserve-unknown-fields", true);
    return made;
}

/* ---- references ---------------------------------------------------------------------------- */

typedef struct converter {
    const crd_types *types;
    const crd_place *const *places; /* where the struct is */
    size_t place_len;
    const json_value *given;
} converter;

static json_value *convert_node(const converter *c, const json_value *node, const char *member,
                                crd_use use)
{
    const crd_type *type = crd_is_struct(node) ? crd_types_of(c->types, node) : NULL;
    const crd_shipped *shipped = type ? crd_types_shipped(type, use, member) : NULL;
    const json_value *inner = crd_inner(node);
    json_value *made = json_object();
    if (type)
        json_set_format(made, "$ref", "#/components/schemas/%s",
                        shipped ? shipped->schema_name : type->name);
    for (const json_value *at = json_first(node); at; at = json_next(at)) {
        if (type && !import_is_members(json_key(at)))
            continue;
        json_set(made, json_key(at),
                 at == inner ? convert_node(c, at, member, crd_inner_use(inner)) : json_copy(at));
    }
    return made;
}

static const char *given_name(const converter *c, const char *json)
{
    const char *name = NULL;
    for (size_t i = 0; !name && c->given && i < c->place_len; i++)
        name = crd_names_member(c->types->in, c->places[i], json, c->given);
    return name;
}

static json_value *convert_properties(const converter *c, const json_value *properties)
{
    json_value *made = json_object();
    for (const json_value *at = json_first(properties); at; at = json_next(at)) {
        const char *json = json_key(at);
        json_value *member;
        if (!import_can_be_member(json) || json_kind_of(at) != JSON_OBJECT) {
            json_set(made, json, json_copy(at));
            continue;
        }
        member = json_set(made, json, convert_node(c, at, json, CRD_MEMBER));
        json_set_text(member, import_name_keyword, given_name(c, json));
    }
    return made;
}

json_value *crd_convert(const crd_types *types, const json_value *schema,
                        const crd_place *const *places, size_t place_len, const json_value *given)
{
    const converter c = {types, places, place_len, given};
    json_value *made = json_object();
    for (const json_value *at = json_first(schema); at; at = json_next(at))
        json_set(made, json_key(at),
                 strcmp(json_key(at), "properties") == 0 ? convert_properties(&c, at)
                                                         : json_copy(at));
    return made;
}
