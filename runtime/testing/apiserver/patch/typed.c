/* SPDX-License-Identifier: Apache-2.0 */
#include "typed.h"

#include "apiserver/schema/schema.h"

#include <string.h>

/* ---- metadata ------------------------------------------------------------------------------- */

static const kube__api_schema text_type = {.type = KUBE__TYPE_STRING};
static const kube__api_schema number_type = {.type = KUBE__TYPE_INTEGER};
static const kube__api_schema texts_type = {.type = KUBE__TYPE_OBJECT, .additional = &text_type};
static const kube__api_schema finalizers_type = {
    .type = KUBE__TYPE_ARRAY, .items = &text_type, .list_type = KUBE__LIST_SET};
static const kube__api_schema any_list_type = {.type = KUBE__TYPE_ARRAY, .atomic = true};

static const kube__api_property owner_fields[] = {
    {"apiVersion", &text_type},
    {"blockOwnerDeletion", &(kube__api_schema){.type = KUBE__TYPE_BOOLEAN}},
    {"controller", &(kube__api_schema){.type = KUBE__TYPE_BOOLEAN}},
    {"kind", &text_type},
    {"name", &text_type},
    {"uid", &text_type},
};
static const kube__api_schema owner_type = {
    .type = KUBE__TYPE_OBJECT,
    .atomic = true,
    .properties = owner_fields,
    .property_count = sizeof owner_fields / sizeof *owner_fields,
};
static const char *const owner_keys[] = {"uid"};
static const kube__api_schema owners_type = {
    .type = KUBE__TYPE_ARRAY,
    .items = &owner_type,
    .list_type = KUBE__LIST_MAP,
    .list_map_keys = owner_keys,
    .list_map_key_count = 1,
};

static const kube__api_property metadata_fields[] = {
    {"annotations", &texts_type},
    {"creationTimestamp", &text_type},
    {"deletionGracePeriodSeconds", &number_type},
    {"deletionTimestamp", &text_type},
    {"finalizers", &finalizers_type},
    {"generateName", &text_type},
    {"generation", &number_type},
    {"labels", &texts_type},
    {"managedFields", &any_list_type},
    {"name", &text_type},
    {"namespace", &text_type},
    {"ownerReferences", &owners_type},
    {"resourceVersion", &text_type},
    {"selfLink", &text_type},
    {"uid", &text_type},
};
static const kube__api_schema metadata_type = {
    .type = KUBE__TYPE_OBJECT,
    .properties = metadata_fields,
    .property_count = sizeof metadata_fields / sizeof *metadata_fields,
};

/* What every object has; NULL = another member. */
static const kube__api_schema *object_member(const char *name)
{
    if (strcmp(name, "metadata") == 0)
        return &metadata_type;
    return strcmp(name, "kind") == 0 || strcmp(name, "apiVersion") == 0 ? &text_type : NULL;
}

/* ---- what a value is ------------------------------------------------------------------------ */

kube__shape kube__typed_shape(const kube__api_schema *schema, const kube__json *value)
{
    switch (schema ? schema->type : KUBE__TYPE_ANY) {
    case KUBE__TYPE_OBJECT:
        return KUBE__SHAPE_MAP;
    case KUBE__TYPE_ARRAY:
        return KUBE__SHAPE_LIST;
    case KUBE__TYPE_STRING:
    case KUBE__TYPE_INTEGER:
    case KUBE__TYPE_NUMBER:
    case KUBE__TYPE_BOOLEAN:
        return KUBE__SHAPE_SCALAR;
    case KUBE__TYPE_INT_OR_STRING:
    case KUBE__TYPE_ANY:
        break;
    }
    if (!value || value->kind == KUBE__JSON_NULL || value->kind == KUBE__JSON_OBJECT)
        return KUBE__SHAPE_MAP;
    return value->kind == KUBE__JSON_ARRAY ? KUBE__SHAPE_LIST : KUBE__SHAPE_SCALAR;
}

bool kube__typed_is_granular(const kube__api_schema *schema, kube__shape shape)
{
    if (shape == KUBE__SHAPE_LIST)
        return schema && schema->list_type != KUBE__LIST_ATOMIC;
    return shape == KUBE__SHAPE_MAP && !(schema && schema->atomic);
}

const kube__api_schema *kube__typed_member(const kube__api_schema *schema, const char *name,
                                           bool *declared)
{
    bool ignored;
    declared = declared ? declared : &ignored;
    *declared = false;
    if (!schema)
        return NULL;
    const kube__api_schema *found = schema->embedded_resource ? object_member(name) : NULL;
    if (!found)
        found = kube__api_schema_member(schema, name);
    *declared = found && found != schema->additional;
    return found;
}

/* ---- elements ------------------------------------------------------------------------------- */

static const char *quoted_keys(kube_ctx *ctx, const kube__api_schema *schema)
{
    const char *text = "";
    for (size_t i = 0; i < schema->list_map_key_count; i++)
        text = kube__api_text(ctx, "%s%s\"%s\"", text, i ? " " : "", schema->list_map_keys[i]);
    return text;
}

static const char *key_step(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *item,
                            kube__step *out)
{
    if (item->kind == KUBE__JSON_NULL)
        return "associative list with keys may not have a null element";
    if (item->kind != KUBE__JSON_OBJECT)
        return "associative list with keys may not have non-map elements";
    kube__json *key = kube__json_object(ctx);
    for (size_t i = 0; i < schema->list_map_key_count; i++) {
        const char *name = schema->list_map_keys[i];
        const kube__json *value = kube__json_get(item, name);
        const kube__api_schema *field = kube__typed_member(schema->items, name, NULL);
        if (!value && field)
            value = field->default_value;
        if (value)
            kube__json_set(ctx, key, name, kube__json_copy(ctx, value));
    }
    if (key && !key->len) {
        return kube__api_text(
            ctx,
            "associative list with keys has an element that omits all key fields [%s] (and doesn't "
            "have default values for any key fields)",
            quoted_keys(ctx, schema));
    }
    kube__json_sort(key);
    *out = (kube__step){.kind = KUBE__STEP_KEY, .value = key};
    return NULL;
}

const char *kube__typed_item_step(kube_ctx *ctx, const kube__api_schema *schema,
                                  const kube__json *item, kube__step *out)
{
    *out = (kube__step){.kind = KUBE__STEP_VALUE, .value = item};
    if (schema->list_type == KUBE__LIST_MAP)
        return key_step(ctx, schema, item, out);
    switch (item->kind) {
    case KUBE__JSON_OBJECT:
        return "associative list without keys has an element that's a map type";
    case KUBE__JSON_ARRAY:
        return "not supported: associative list with lists as elements";
    case KUBE__JSON_NULL:
        return "associative list without keys has an element that's an explicit null";
    case KUBE__JSON_BOOL:
    case KUBE__JSON_NUMBER:
    case KUBE__JSON_STRING:
        break;
    }
    return NULL;
}

/* ---- the root ------------------------------------------------------------------------------- */

/* Puts a property in its place among the sorted ones, taking the place of one of that name. */
static size_t put_property(kube__api_property *list, size_t count, kube__api_property property)
{
    size_t at = 0;
    while (at < count && strcmp(list[at].name, property.name) < 0)
        at++;
    if (at == count || strcmp(list[at].name, property.name) != 0) {
        memmove(list + at + 1, list + at, (count - at) * sizeof *list);
        count++;
    }
    list[at] = property;
    return count;
}

const kube__api_schema *kube__typed_root(kube_ctx *ctx, const kube__api_schema *schema)
{
    static const kube__api_schema any_object = {.type = KUBE__TYPE_OBJECT,
                                                .preserve_unknown = true};
    if (!schema)
        schema = &any_object;
    kube__api_schema *root = kube_ctx_alloc(ctx, sizeof *root);
    kube__api_property *list = kube_ctx_alloc_array(ctx, schema->property_count + 3, sizeof *list);
    if (!root || !list)
        return schema;
    *root = *schema;
    root->type = KUBE__TYPE_OBJECT;
    if (schema->property_count)
        memcpy(list, schema->properties, schema->property_count * sizeof *list);
    size_t count =
        put_property(list, schema->property_count, (kube__api_property){"apiVersion", &text_type});
    count = put_property(list, count, (kube__api_property){"kind", &text_type});
    count = put_property(list, count, (kube__api_property){"metadata", &metadata_type});
    root->properties = list;
    root->property_count = count;
    /* without any property of its own it took everything */
    root->preserve_unknown |= !schema->property_count;
    return root;
}
