/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas for tests of what needs one, from OpenAPI's keywords with their x-kubernetes- kin. */
#ifndef TESTS_TESTING_SCHEMA_KIT_H
#define TESTS_TESTING_SCHEMA_KIT_H

#include "apiserver/schema/schema.h"

#include <stdlib.h>
#include <string.h>

static inline const kube__api_schema *schema_of(kube_ctx *ctx, const kube__json *text);

static inline int schema_by_name(const void *a, const void *b)
{
    return strcmp(((const kube__api_property *)a)->name, ((const kube__api_property *)b)->name);
}

static inline const char *const *schema_texts(kube_ctx *ctx, const kube__json *list, size_t *count)
{
    const char **texts = kube_ctx_alloc_array(ctx, list ? list->len + 1 : 1, sizeof *texts);
    *count = 0;
    for (const kube__json *item = list && texts ? list->first : NULL; item; item = item->next)
        texts[(*count)++] = item->text;
    return texts;
}

static inline kube__api_type schema_type(const kube__json *text)
{
    static const char *const names[] = {"",        "object", "array",  "string",
                                        "integer", "number", "boolean"};
    const char *name = kube__json_string_at(text, "type");
    if (kube__json_is_true(kube__json_get(text, "x-kubernetes-int-or-string")))
        return KUBE__TYPE_INT_OR_STRING;
    for (int i = 1; i < 7; i++)
        if (strcmp(names[i], name) == 0)
            return (kube__api_type)i;
    return KUBE__TYPE_ANY;
}

static inline const kube__api_schema *schema_of(kube_ctx *ctx, const kube__json *text)
{
    if (!text)
        return NULL;
    kube__api_schema *out = kube_ctx_alloc(ctx, sizeof *out);
    if (!out)
        return NULL;
    const char *list = kube__json_string_at(text, "x-kubernetes-list-type");
    const char *map = kube__json_string_at(text, "x-kubernetes-map-type");
    const char *strategy = kube__json_string_at(text, "x-kubernetes-patch-strategy");
    const kube__json *properties = kube__json_get(text, "properties");
    out->type = schema_type(text);
    out->source = text;
    out->preserve_unknown =
        kube__json_is_true(kube__json_get(text, "x-kubernetes-preserve-unknown-fields"));
    out->embedded_resource =
        kube__json_is_true(kube__json_get(text, "x-kubernetes-embedded-resource"));
    out->nullable = kube__json_is_true(kube__json_get(text, "nullable"));
    out->list_type = strcmp(list, "set") == 0   ? KUBE__LIST_SET
                     : strcmp(list, "map") == 0 ? KUBE__LIST_MAP
                                                : KUBE__LIST_ATOMIC;
    out->atomic = strcmp(map, "atomic") == 0 ||
                  (out->type == KUBE__TYPE_ARRAY && out->list_type == KUBE__LIST_ATOMIC);
    out->list_map_keys = schema_texts(ctx, kube__json_get(text, "x-kubernetes-list-map-keys"),
                                      &out->list_map_key_count);
    out->default_value = kube__json_get(text, "default");
    out->patch_merge_key =
        kube__json_string_or(kube__json_get(text, "x-kubernetes-patch-merge-key"), NULL);
    out->patch_merge = strstr(strategy, "merge") != NULL;
    out->items = schema_of(ctx, kube__json_get(text, "items"));
    out->additional = schema_of(ctx, kube__json_get(text, "additionalProperties"));
    if (properties) {
        kube__api_property *all = kube_ctx_alloc_array(ctx, properties->len, sizeof *all);
        for (const kube__json *property = all ? properties->first : NULL; property;
             property = property->next)
            all[out->property_count++] =
                (kube__api_property){property->key, schema_of(ctx, property)};
        if (all)
            qsort(all, out->property_count, sizeof *all, schema_by_name);
        out->properties = all;
    }
    return out;
}

#endif /* TESTS_TESTING_SCHEMA_KIT_H */
