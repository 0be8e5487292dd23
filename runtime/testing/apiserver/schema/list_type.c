/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/core/field_error.h"
#include "apiserver/value/table.h"
#include "keyword.h"
#include "schema.h"

#include <string.h>

static void check(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                  const char *path, kube__api_causes *causes);

typedef struct seen {
    const kube__json *value;
    bool told;
} seen;

static bool is_value(const void *item, const void *value)
{
    return kube__json_equal(((const seen *)item)->value, value);
}

/* Each value that is there again is told once, at its second place. */
static void check_distinct(kube_ctx *ctx, const kube__json *values, const char *path,
                           kube__api_causes *causes)
{
    kube__api_table table = {.ctx = ctx};
    seen *all = kube_ctx_alloc_array(ctx, values ? values->len : 0, sizeof *all);
    size_t index = 0;
    KUBE__JSON_EACH (value, all ? values : NULL) {
        uint64_t hash = kube__json_hash(value);
        seen *earlier = kube__api_table_find(&table, hash, is_value, value);
        if (!earlier) {
            all[index].value = value;
            kube__api_table_add(&table, hash, &all[index]);
        } else if (!earlier->told) {
            earlier->told = true;
            kube__api_cause_duplicate(causes, kube__api_text(ctx, "%s[%zu]", path, index), value);
        }
        index++;
    }
}

static kube__json *keys_of(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *item)
{
    kube__json *keys = kube__json_object(ctx);
    for (size_t i = 0; i < schema->list_map_key_count; i++) {
        const char *name = schema->list_map_keys[i];
        kube__json_set(ctx, keys, name, kube__json_copy(ctx, kube__json_get(item, name)));
    }
    return keys;
}

static void check_map(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *list,
                      const char *path, kube__api_causes *causes)
{
    kube__json *all = kube__json_array(ctx);
    size_t index = 0;
    KUBE__JSON_EACH (item, list) {
        if (item->kind != KUBE__JSON_OBJECT && item->kind != KUBE__JSON_NULL) {
            kube__api_cause_invalid(causes, kube__api_text(ctx, "%s[%zu]", path, index), item,
                                    "must be an object for an array of list-type map");
            return;
        }
        kube__json_append(all, keys_of(ctx, schema, item));
        index++;
    }
    check_distinct(ctx, all, path, causes);
}

static void check_array(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *list,
                        const char *path, kube__api_causes *causes)
{
    if (schema->list_type == KUBE__LIST_SET)
        check_distinct(ctx, list, path, causes);
    else if (schema->list_type == KUBE__LIST_MAP)
        check_map(ctx, schema, list, path, causes);
    size_t index = 0;
    KUBE__JSON_EACH (item, list) {
        if (item->kind == KUBE__JSON_ARRAY || item->kind == KUBE__JSON_OBJECT)
            check(ctx, schema->items, item, kube__api_text(ctx, "%s[%zu]", path, index), causes);
        index++;
    }
}

static void check_object(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *object,
                         const char *path, kube__api_causes *causes)
{
    KUBE__JSON_EACH (member, object) {
        if (member->kind != KUBE__JSON_ARRAY && member->kind != KUBE__JSON_OBJECT)
            continue;
        const kube__api_schema *known = kube__api_schema_member(schema, member->key);
        const char *below = member->key;
        if (known && known == schema->additional)
            below = kube__api_text(ctx, "%s[%s]", path, member->key);
        else if (path[0])
            below = kube__api_text(ctx, "%s.%s", path, member->key);
        check(ctx, known, member, below, causes);
    }
}

static void check(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                  const char *path, kube__api_causes *causes)
{
    if (!schema || schema->builtin || !path)
        return;
    if (value->kind == KUBE__JSON_ARRAY)
        check_array(ctx, schema, value, path, causes);
    else if (value->kind == KUBE__JSON_OBJECT)
        check_object(ctx, schema, value, path, causes);
}

void kube__validate_lists(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *object,
                          kube__api_causes *causes)
{
    check(ctx, schema, object, "", causes);
}
