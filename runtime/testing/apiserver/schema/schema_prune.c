/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <stdlib.h>
#include <string.h>

/* In this order they are told: of the root's metadata, of the object, of what is embedded. */
typedef enum place {
    IN_METADATA,
    IN_OBJECT,
    IN_EMBEDDED,
} place;

typedef struct finding {
    place place;
    const char *path;
    struct finding *next;
} finding;

typedef struct pruning {
    kube_ctx *ctx;
    bool wanted; /* somebody asks for the paths */
    finding *first;
    finding *last;
    size_t count;
} pruning;

/* Where the walk is; "" at the root. Not even formatted when nobody asks. */
typedef struct position {
    const char *path;
    place place;
    bool silent;
} position;

static const char *member_path(pruning *pruner, const position *at, const char *key)
{
    if (!pruner->wanted || at->silent)
        return "";
    return at->path[0] ? kube__api_text(pruner->ctx, "%s.%s", at->path, key) : key;
}

static position below_member(pruning *pruner, const position *at, const kube__api_schema *schema,
                             const char *key)
{
    position below = *at;
    below.path = member_path(pruner, at, key);
    if (strcmp(key, "metadata") == 0 && !schema->builtin && at->place == IN_OBJECT) {
        if (!at->path[0])
            below.place = IN_METADATA;
        else if (schema->embedded_resource)
            below.place = IN_EMBEDDED;
    }
    return below;
}

static void tell(pruning *pruner, const position *at, const char *key)
{
    if (!pruner->wanted || at->silent)
        return;
    finding *found = kube_ctx_alloc(pruner->ctx, sizeof *found);
    if (!found)
        return;
    *found = (finding){.place = at->place, .path = member_path(pruner, at, key)};
    if (pruner->last)
        pruner->last->next = found;
    else
        pruner->first = found;
    pruner->last = found;
    pruner->count++;
}

static void walk(pruning *pruner, const kube__api_schema *schema, kube__json *value, position at);

/* A built-in is a Go struct after decoding, which has no null: the zero value stands there. */
static bool drop_null(kube_ctx *ctx, const kube__api_schema *schema, bool in_map,
                      kube__json *object, kube__json *member)
{
    if (member->kind != KUBE__JSON_NULL || !schema || schema->preserve_unknown)
        return false;
    if (!schema->builtin) {
        if (schema->nullable || schema->default_value)
            return false;
        kube__json_remove(object, member->key);
        return true;
    }
    if (in_map && schema->type == KUBE__TYPE_STRING)
        kube__json_set_string(ctx, object, member->key, "");
    else
        kube__json_remove(object, member->key);
    return true;
}

static void walk_object(pruning *pruner, const kube__api_schema *schema, kube__json *object,
                        position at)
{
    kube__json *next;
    for (kube__json *member = object->first; member; member = next) {
        next = member->next;
        const kube__api_schema *known = kube__api_schema_member(schema, member->key);
        if (!known) {
            if (schema->preserve_unknown)
                continue;
            tell(pruner, &at, member->key);
            kube__json_remove(object, member->key);
        } else if (!drop_null(pruner->ctx, known, known == schema->additional, object, member)) {
            walk(pruner, known, member, below_member(pruner, &at, schema, member->key));
        }
    }
}

static void walk_array(pruning *pruner, const kube__api_schema *schema, kube__json *array,
                       position at)
{
    static const kube__api_schema unknown;
    const kube__api_schema *items = schema->items;
    if (!items && schema->preserve_unknown)
        return;
    size_t index = 0;
    KUBE__JSON_EACH (item, array) {
        position below = at;
        if (pruner->wanted && !at.silent) {
            const char *path = kube__api_text(pruner->ctx, "%s[%zu]", at.path, index);
            below.path = path;
        }
        walk(pruner, items ? items : &unknown, item, below);
        index++;
    }
}

static void walk(pruning *pruner, const kube__api_schema *schema, kube__json *value, position at)
{
    at.silent = at.silent || schema->silent;
    if (schema->builtin && schema->preserve_unknown)
        return;
    if (value->kind == KUBE__JSON_OBJECT)
        walk_object(pruner, schema, value, at);
    else if (value->kind == KUBE__JSON_ARRAY)
        walk_array(pruner, schema, value, at);
}

static int by_place_and_path(const void *a, const void *b)
{
    const finding *one = *(const finding *const *)a;
    const finding *other = *(const finding *const *)b;
    if (one->place != other->place)
        return one->place < other->place ? -1 : 1;
    return strcmp(one->path, other->path);
}

/* Custom resources: sorted by path; built-ins: as they were met. */
static void report(pruning *pruner, bool sorted, void (*unknown)(void *arg, const char *path),
                   void *arg)
{
    const finding **list =
        kube_ctx_alloc_array(pruner->ctx, pruner->count, sizeof(const finding *));
    if (!list)
        return;
    size_t count = 0;
    for (const finding *found = pruner->first; found; found = found->next)
        list[count++] = found;
    if (sorted)
        qsort(list, count, sizeof(const finding *), by_place_and_path);
    for (size_t i = 0; i < count; i++)
        unknown(arg, list[i]->path);
}

void kube__api_schema_prune(kube_ctx *ctx, const kube__api_schema *schema, kube__json *object,
                            void (*unknown)(void *arg, const char *path), void *arg)
{
    if (!schema || !object)
        return;
    pruning pruner = {.ctx = ctx, .wanted = unknown != NULL};
    walk(&pruner, schema, object, (position){.path = "", .place = IN_OBJECT});
    if (pruner.first)
        report(&pruner, !schema->builtin, unknown, arg);
}
