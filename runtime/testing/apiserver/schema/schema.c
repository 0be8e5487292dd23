/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include "schema_read.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const kube__api_property *)a)->name, ((const kube__api_property *)b)->name);
}

const kube__api_schema *kube__api_schema_member(const kube__api_schema *schema, const char *name)
{
    if (!schema)
        return NULL;
    const kube__api_property key = {.name = name};
    const kube__api_property *found =
        schema->property_count ? bsearch(&key, schema->properties, schema->property_count,
                                         sizeof *schema->properties, by_name)
                               : NULL;
    return found ? found->schema : schema->additional;
}

static const struct {
    const char *name;
    kube__api_type type;
} types[] = {
    {"object", KUBE__TYPE_OBJECT},   {"array", KUBE__TYPE_ARRAY},   {"string", KUBE__TYPE_STRING},
    {"integer", KUBE__TYPE_INTEGER}, {"number", KUBE__TYPE_NUMBER}, {"boolean", KUBE__TYPE_BOOLEAN},
};

static kube__api_type type_of(const kube__json *source)
{
    if (kube__json_is_true(kube__json_get(source, "x-kubernetes-int-or-string")))
        return KUBE__TYPE_INT_OR_STRING;
    const char *name = kube__json_string_or(kube__json_get(source, "type"), "");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, name) == 0)
            return types[i].type;
    }
    return KUBE__TYPE_ANY;
}

/* The texts of a list of strings; other elements are left out. */
static const char *const *texts_of(kube_ctx *ctx, const kube__json *list, size_t *count)
{
    *count = 0;
    if (!kube__json_is(list, KUBE__JSON_ARRAY) || !list->first)
        return NULL;
    const char **texts = kube_ctx_alloc_array(ctx, list->len, sizeof *texts);
    if (!texts)
        return NULL;
    KUBE__JSON_EACH (item, list) {
        if (item->kind == KUBE__JSON_STRING)
            texts[(*count)++] = item->text;
    }
    return texts;
}

/* "merge,retainKeys" */
static bool has_strategy(const kube__json *source, const char *name)
{
    const char *text =
        kube__json_string_or(kube__json_get(source, "x-kubernetes-patch-strategy"), "");
    size_t len = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += len) {
        if ((at == text || at[-1] == ',') && (at[len] == '\0' || at[len] == ','))
            return true;
    }
    return false;
}

static void read_list(kube_ctx *ctx, const kube__json *source, kube__api_schema *node)
{
    const char *type = kube__json_string_or(kube__json_get(source, "x-kubernetes-list-type"), NULL);
    if (!type)
        return;
    node->list_type = strcmp(type, "map") == 0   ? KUBE__LIST_MAP
                      : strcmp(type, "set") == 0 ? KUBE__LIST_SET
                                                 : KUBE__LIST_ATOMIC;
    node->list_map_keys = texts_of(ctx, kube__json_get(source, "x-kubernetes-list-map-keys"),
                                   &node->list_map_key_count);
}

void kube__api_schema_read_beside(kube_ctx *ctx, const kube__json *source, kube__api_schema *node)
{
    const kube__json *value = kube__json_get(source, "default");
    if (value && value->kind != KUBE__JSON_NULL)
        node->default_value = value;
    if (kube__json_is_true(kube__json_get(source, "nullable")))
        node->nullable = true;
    read_list(ctx, source, node);
    const char *map_type =
        kube__json_string_or(kube__json_get(source, "x-kubernetes-map-type"), "");
    if (node->type == KUBE__TYPE_ARRAY)
        node->atomic = node->list_type == KUBE__LIST_ATOMIC;
    else if (strcmp(map_type, "atomic") == 0)
        node->atomic = true;
    const kube__json *merge_key = kube__json_get(source, "x-kubernetes-patch-merge-key");
    if (merge_key)
        node->patch_merge_key = kube__json_string_or(merge_key, NULL);
    if (kube__json_get(source, "x-kubernetes-patch-strategy")) {
        node->patch_merge = has_strategy(source, "merge");
        node->patch_retain_keys = has_strategy(source, "retainKeys");
    }
}

void kube__api_schema_set_properties(kube__api_schema *node, kube__api_property *list, size_t count)
{
    qsort(list, count, sizeof *list, by_name);
    node->properties = list;
    node->property_count = count;
}

static void read_properties(kube__api_schema_reader *reader, const kube__json *properties,
                            kube__api_schema *node)
{
    if (!kube__json_is(properties, KUBE__JSON_OBJECT) || !properties->first)
        return;
    kube__api_property *list = kube_ctx_alloc_array(reader->ctx, properties->len, sizeof *list);
    if (!list)
        return;
    size_t count = 0;
    KUBE__JSON_EACH (property, properties) {
        const kube__api_schema *schema = reader->child(reader, property);
        if (schema)
            list[count++] = (kube__api_property){.name = property->key, .schema = schema};
    }
    kube__api_schema_set_properties(node, list, count);
}

void kube__api_schema_read(kube__api_schema_reader *reader, const kube__json *source,
                           kube__api_schema *node)
{
    node->source = source;
    node->type = type_of(source);
    node->format = kube__json_string_or(kube__json_get(source, "format"), NULL);
    node->preserve_unknown =
        kube__json_is_true(kube__json_get(source, "x-kubernetes-preserve-unknown-fields"));
    node->embedded_resource =
        kube__json_is_true(kube__json_get(source, "x-kubernetes-embedded-resource"));
    kube__api_schema_read_beside(reader->ctx, source, node);
    read_properties(reader, kube__json_get(source, "properties"), node);
    const kube__json *items = kube__json_get(source, "items");
    if (kube__json_is(items, KUBE__JSON_OBJECT))
        node->items = reader->child(reader, items);
    const kube__json *additional = kube__json_get(source, "additionalProperties");
    if (kube__json_is(additional, KUBE__JSON_OBJECT))
        node->additional = reader->child(reader, additional);
    const kube__json *rules = kube__json_get(source, "x-kubernetes-validations");
    node->has_rules = rules && rules->len > 0;
    for (size_t i = 0; i < node->property_count; i++)
        node->has_rules |= node->properties[i].schema->has_rules;
    node->has_rules |= (node->items && node->items->has_rules) ||
                       (node->additional && node->additional->has_rules);
    node->required =
        texts_of(reader->ctx, kube__json_get(source, "required"), &node->required_count);
}
