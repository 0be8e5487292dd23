/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include "support/arena.h"

#include <string.h>

const char *const model_verb_names[] = {
    "create", "update", "updateStatus", "delete",      "deleteCollection", "get",         "list",
    "watch",  "patch",  "apply",        "applyStatus", "getScale",         "updateScale", NULL,
};

void model_free(model *loaded)
{
    if (loaded)
        arena_free(loaded->arena);
}

model_type model_element(const model_type *type)
{
    if (type->container)
        return type->container->element;
    return (model_type){.kind = MODEL_STRING, .c_name = "const char *", .alias = type->text};
}

bool model_is_list(const model_type *type)
{
    return type->kind == MODEL_LIST || type->kind == MODEL_STRING_LIST;
}

bool model_is_map(const model_type *type)
{
    return type->kind == MODEL_MAP || type->kind == MODEL_STRING_MAP;
}

bool model_is_struct(const model_type *type)
{
    return type->kind == MODEL_STRUCT || type->kind == MODEL_STRUCT_PTR;
}

bool model_is_integer(const model_type *type)
{
    return type->kind == MODEL_INT32 || type->kind == MODEL_INT64 ||
           type->kind == MODEL_OPT_INT32 || type->kind == MODEL_OPT_INT64;
}

static bool keeps_unknown(const model_validation *rules)
{
    return rules && (rules->preserve || rules->patch);
}

bool model_keeps_unknown(const model_type *type, const model_validation *rules)
{
    for (const model_alias *alias = type->alias; alias; alias = alias->of.alias)
        if (keeps_unknown(&alias->validation))
            return true;
    return keeps_unknown(rules) || (type->record && keeps_unknown(&type->record->validation));
}

bool model_is_required(const model_field *field)
{
    if (field->required || field->unrequired)
        return field->required;
    switch (field->type.kind) {
    case MODEL_STRING:
    case MODEL_BOOL:
    case MODEL_INT32:
    case MODEL_INT64:
    case MODEL_DOUBLE:
    case MODEL_STRUCT:
    case MODEL_LIST:
    case MODEL_MAP:
    case MODEL_STRING_LIST:
    case MODEL_STRING_MAP:
        return !field->optional && !field->status;
    default:
        return false;
    }
}

const model_field *model_find_member(const model_struct *of, const char *json)
{
    return text_map_get(&of->by_json, json);
}
