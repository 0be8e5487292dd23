/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

/* A null where null is not allowed counts as absent if there is a default to put there. */
static bool is_wanting(const kube__json *value, const kube__api_schema *schema)
{
    return !value || (value->kind == KUBE__JSON_NULL && !schema->nullable);
}

static void default_members(kube_ctx *ctx, const kube__api_schema *schema, kube__json *object)
{
    for (size_t i = 0; i < schema->property_count; i++) {
        const kube__api_property *property = &schema->properties[i];
        if (property->schema->default_value &&
            is_wanting(kube__json_get(object, property->name), property->schema))
            kube__json_set(ctx, object, property->name,
                           kube__json_copy(ctx, property->schema->default_value));
    }
    for (kube__json *member = object->first; member; member = member->next) {
        const kube__api_schema *below = kube__api_schema_member(schema, member->key);
        if (below && below == schema->additional && below->default_value &&
            is_wanting(member, below))
            member = kube__json_set(ctx, object, member->key,
                                    kube__json_copy(ctx, below->default_value));
        if (!member)
            return;
        kube__api_schema_default(ctx, below, member);
    }
}

static void default_items(kube_ctx *ctx, const kube__api_schema *items, kube__json *array)
{
    if (!items)
        return;
    for (kube__json *item = array->first; item; item = item->next) {
        if (items->default_value && is_wanting(item, items)) {
            kube__json *value = kube__json_copy(ctx, items->default_value);
            if (!value)
                return;
            kube__json_replace_item(array, item, value);
            item = value;
        }
        kube__api_schema_default(ctx, items, item);
    }
}

void kube__api_schema_default(kube_ctx *ctx, const kube__api_schema *schema, kube__json *object)
{
    if (!schema || !object || schema->builtin || kube_ctx_failed(ctx))
        return;
    if (object->kind == KUBE__JSON_OBJECT)
        default_members(ctx, schema, object);
    else if (object->kind == KUBE__JSON_ARRAY)
        default_items(ctx, schema->items, object);
}
