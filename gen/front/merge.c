/* SPDX-License-Identifier: Apache-2.0 */
/* This file reads the markers that say how lists, maps and structs are merged, and checks them. */
#include "build.h"

#include <stdlib.h>
#include <string.h>

/* Returns the struct of a list's elements, or NULL if the type is not a list of structs. */
static const model_struct *element_of(const model_type *type)
{
    return type->kind == MODEL_LIST && model_is_struct(&type->container->element)
               ? type->container->element.record
               : NULL;
}

static void read_keys(builder *b, const attached *above, model_field *field)
{
    VEC(model_key) keys = {0};
    text_map known = {0};
    for (size_t i = 0; i < above->len; i++) {
        const marker *read = &above->markers[i];
        if (read->id != MARKER_LIST_MAP_KEY)
            continue;
        if (!text_map_add(&known, b->in, read->values[0].text))
            diag_error(b->to, read->values[0].loc, "'%s' is listed twice", read->values[0].text);
        *VEC_ADD(&keys) = (model_key){read->values[0].text, read->values[0].loc};
    }
    field->merge.keys = VEC_KEEP(b->in, &keys);
    field->merge.key_len = keys.len;
}

static void read_list(builder *b, const attached *above, model_field *field)
{
    const model_type *type = &field->type;
    bool structs = element_of(type) != NULL;
    const marker *list =
        member_marker(b, above, MARKER_LIST_TYPE, field, model_is_list(type), "lists");
    const marker *key =
        member_marker(b, above, MARKER_LIST_MAP_KEY, field, structs, "lists of structs");
    const char *list_type = list ? list->values[0].text : "";
    bool by_key = strcmp(list_type, "map") == 0;
    field->merge.list_type = list ? list_type : NULL;
    if (by_key && !structs)
        diag_error(b->to, list->values[0].loc,
                   "'+listType=map' is for lists of structs, and '%s' has type '%s'", field->name,
                   type->c_name);
    else if (by_key && !attached_find(above, MARKER_LIST_MAP_KEY))
        diag_error(b->to, list->loc, "'+listType=map' needs a '+listMapKey=…'");
    else if (key && !by_key)
        diag_error(b->to, key->loc, "'+listMapKey' needs '+listType=map'");
    if (key)
        read_keys(b, above, field);
}

void merge_read(builder *b, const attached *above, model_field *field)
{
    const model_type *type = &field->type;
    bool merges = model_is_list(type) || model_is_map(type) || model_is_struct(type) ||
                  type->kind == MODEL_RAW_JSON;
    const marker *map = member_marker(b, above, MARKER_MAP_TYPE, field, model_is_map(type), "maps");
    const marker *structure =
        member_marker(b, above, MARKER_STRUCT_TYPE, field, model_is_struct(type), "structs");
    const marker *key = member_marker(b, above, MARKER_PATCH_MERGE_KEY, field,
                                      element_of(type) != NULL, "lists of structs");
    read_list(b, above, field);
    member_marker(b, above, MARKER_PATCH_STRATEGY, field, merges, "lists, maps and structs");
    if (map)
        field->merge.map_type = map->values[0].text;
    if (structure)
        field->merge.map_type = structure->values[0].text;
    if (key)
        field->merge.patch_key = (model_key){key->values[0].text, key->values[0].loc};
}

void merge_read_struct(const attached *above, model_struct *made)
{
    const marker *read = attached_find(above, MARKER_STRUCT_TYPE);
    if (read)
        made->map_type = read->values[0].text;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static bool is_scalar(const model_type *type)
{
    return type->kind <= MODEL_OPT_DOUBLE;
}

static void check_key(builder *b, const model_struct *of, const model_key *key)
{
    const model_field *member = model_find_member(of, key->json);
    if (!member && of->incomplete)
        return;
    if (!member)
        diag_error(b->to, key->loc, "'%s' has no member '%s'", of->name, key->json);
    else if (!is_scalar(&member->type))
        diag_error(b->to, key->loc, "'%s' of '%s' has type '%s': a key is a string or a number",
                   key->json, of->name, member->type.c_name);
}

static void check_keys(builder *b, const model_type *type, const model_merge *merge)
{
    const model_struct *element = element_of(type);
    for (size_t k = 0; element && k < merge->key_len; k++)
        check_key(b, element, &merge->keys[k]);
    if (element && merge->patch_key.json)
        check_key(b, element, &merge->patch_key);
}

void merge_check(builder *b, const model_struct *of)
{
    for (size_t i = 0; i < of->field_len; i++) {
        const model_field *field = &of->fields[i];
        if (field->role == MODEL_MEMBER && field->json)
            check_keys(b, &field->type, &field->merge);
    }
}

void merge_check_alias(builder *b, const model_alias *of)
{
    check_keys(b, &of->of, &of->merge);
}
