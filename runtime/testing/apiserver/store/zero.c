/* SPDX-License-Identifier: Apache-2.0 */
#include "zero.h"

#include "apiserver/schema/schema.h"

#include <string.h>

static void fill(kube_ctx *ctx, kube__json *object, const kube__json *zero)
{
    KUBE__JSON_EACH (member, zero) {
        kube__json *value = kube__json_get(object, member->key);
        if (!value)
            kube__json_set(ctx, object, member->key, kube__json_copy(ctx, member));
        else if (kube__json_is(value, KUBE__JSON_NULL) && !kube__json_is(member, KUBE__JSON_NULL))
            kube__json_set(ctx, object, member->key, kube__json_copy(ctx, member));
        else if (kube__json_is(value, KUBE__JSON_OBJECT))
            fill(ctx, value, member);
    }
}

void kube__api_fill_zero(kube_ctx *ctx, const kube__api_resource *resource, kube__json *document)
{
    const char *zero = resource->zero;
    if (zero)
        fill(ctx, document, kube__json_parse(ctx, zero, strlen(zero), NULL, NULL, NULL));
}

/* Members that are sent even when they are empty. */
static bool is_kept_empty(const char *key)
{
    static const char *const kept[] = {"containers", "rules",          "verbs", "versions",
                                       "conditions", "storedVersions", NULL};
    return kube__api_is_one_of(key, kept);
}

/* A Go slice or map, which may be left out; a struct may not. */
static bool is_empty_list(const kube__api_schema *schema, const kube__json *value)
{
    if (kube__json_is(value, KUBE__JSON_ARRAY))
        return value->len == 0;
    return kube__json_is(value, KUBE__JSON_OBJECT) && value->len == 0 && schema &&
           schema->additional && schema->property_count == 0;
}

static void drop_empty(const kube__api_schema *schema, kube__json *value)
{
    kube__json *next;
    if (!schema || !value)
        return;
    for (kube__json *child = value->first; child; child = next) {
        next = child->next;
        if (kube__json_is(value, KUBE__JSON_ARRAY)) {
            drop_empty(schema->items, child);
            continue;
        }
        const kube__api_schema *member = kube__api_schema_member(schema, child->key);
        if (schema->property_count && is_empty_list(member, child) && !is_kept_empty(child->key) &&
            strcmp(child->key, "managedFields") != 0)
            kube__json_remove(value, child->key);
        else
            drop_empty(member, child);
    }
}

void kube__api_drop_empty(const kube__api_resource *resource, kube__json *document)
{
    if (!resource->custom && (kube__json_is(document, KUBE__JSON_OBJECT)))
        drop_empty(resource->schema, document);
}
