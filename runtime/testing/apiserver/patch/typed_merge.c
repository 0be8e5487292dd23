/* SPDX-License-Identifier: Apache-2.0 */
/* Merging an applied configuration into a document, and taking fields out of one. */
#include "apiserver/value/table.h"
#include "typed.h"

static kube__json *merge(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *live,
                         const kube__json *config);

static kube__json *merge_members(kube_ctx *ctx, const kube__api_schema *schema,
                                 const kube__json *live, const kube__json *config)
{
    kube__json *out = kube__json_object(ctx);
    KUBE__JSON_EACH (member, live)
        kube__json_set(ctx, out, member->key,
                       merge(ctx, kube__typed_member(schema, member->key, NULL), member,
                             kube__json_get(config, member->key)));
    KUBE__JSON_EACH (member, config)
        if (!kube__json_get(live, member->key))
            kube__json_set(ctx, out, member->key,
                           merge(ctx, kube__typed_member(schema, member->key, NULL), NULL, member));
    return out && out->len ? out : NULL;
}

/* ---- lists ---------------------------------------------------------------------------------- */

typedef struct item {
    kube__step step;
    const kube__json *value;
    const kube__json *other; /* the live element that this one is merged with */
    bool repeated;           /* not the only one of its step */
    bool shared;             /* its step is in the other list */
    bool merged;
} item;

typedef struct items {
    item *at;
    size_t len;
    kube__api_table by_step; /* the first of each step */
} items;

static bool is_of_step(const void *one, const void *step)
{
    return kube__step_compare(&((const item *)one)->step, step) == 0;
}

static item *find_item(const items *list, const kube__step *step)
{
    return kube__api_table_find(&list->by_step, kube__step_hash(step), is_of_step, step);
}

static items index_items(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *list)
{
    items out = {.at = kube_ctx_alloc_array(ctx, list ? list->len : 0, sizeof(item)),
                 .by_step = {.ctx = ctx}};
    KUBE__JSON_EACH (value, out.at ? list : NULL) {
        item *next = &out.at[out.len];
        *next = (item){.value = value};
        if (kube__typed_item_step(ctx, schema, value, &next->step))
            continue;
        out.len++;
        item *first = find_item(&out, &next->step);
        if (first)
            first->repeated = next->repeated = true;
        else
            kube__api_table_add(&out.by_step, kube__step_hash(&next->step), next);
    }
    return out;
}

static void relate(items *live, items *config)
{
    for (size_t i = 0; i < live->len; i++)
        live->at[i].shared = find_item(config, &live->at[i].step) != NULL;
    for (size_t i = 0; i < config->len; i++) {
        const item *other = find_item(live, &config->at[i].step);
        config->at[i].shared = other != NULL;
        /* one that is there more than once is replaced as a whole */
        config->at[i].other = other && !other->repeated ? other->value : NULL;
    }
}

/* The next of the configuration's elements, from @at on, that the live list has too. */
static const item *next_shared(items config, size_t *at)
{
    while (*at < config.len)
        if (config.at[(*at)++].shared)
            return &config.at[*at - 1];
    return NULL;
}

static bool same(const item *a, const item *b)
{
    return kube__step_compare(&a->step, &b->step) == 0;
}

/* Out of memory the element is not found, and nothing comes of the merge. */
static bool is_merged(const items *config, const item *live)
{
    const item *found = find_item(config, &live->step);
    return !found || found->merged;
}

/*
 * Elements go in the order of the configuration; those that it does not have keep their place among
 * the live ones. Goes through both lists at once: a live element that the configuration has is
 * passed over unless it is the next that both have.
 */
static kube__json *merge_items(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *live_list, const kube__json *config_list)
{
    items live = index_items(ctx, schema, live_list);
    items config = index_items(ctx, schema, config_list);
    kube__json *out = kube__json_array(ctx);
    relate(&live, &config);
    size_t shared_at = 0;
    const item *shared = next_shared(config, &shared_at);
    for (size_t l = 0, c = 0; l < live.len || c < config.len;) {
        if (l < live.len && c < config.len && !same(&live.at[l], &config.at[c]) &&
            live.at[l].shared && shared && !same(shared, &live.at[l])) {
            l++;
            continue;
        }
        if (l < live.len && !live.at[l].shared) {
            kube__json_append(out, merge(ctx, schema->items, live.at[l++].value, NULL));
            continue;
        }
        bool both = l < live.len && c < config.len && same(&live.at[l], &config.at[c]);
        if (!both && l < live.len && is_merged(&config, &live.at[l]))
            l++;
        if (c == config.len)
            continue;
        item *next = &config.at[c++];
        next->merged = true;
        kube__json_append(out, merge(ctx, schema->items, next->other, next->value));
        if (both)
            l++;
        if (both || (shared && same(shared, next)))
            shared = next_shared(config, &shared_at);
    }
    return out && out->len ? out : NULL;
}

/* ---- merging -------------------------------------------------------------------------------- */

static kube__json *merge(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *live,
                         const kube__json *config)
{
    kube__shape shape = kube__typed_shape(schema, config ? config : live);
    kube__json_kind kind = shape == KUBE__SHAPE_MAP ? KUBE__JSON_OBJECT : KUBE__JSON_ARRAY;
    const kube__json *left = kube__json_is(live, kind) && live->len ? live : NULL;
    const kube__json *right = kube__json_is(config, kind) && config->len ? config : NULL;
    if (shape == KUBE__SHAPE_SCALAR || !kube__typed_is_granular(schema, shape) || (!left && !right))
        return kube__json_copy(ctx, config ? config : live);
    if (shape == KUBE__SHAPE_LIST)
        return merge_items(ctx, schema, left, right);
    return merge_members(ctx, schema, left, right);
}

kube__json *kube__typed_merge(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *live,
                              const kube__json *config)
{
    return live || config ? merge(ctx, schema, live, config) : NULL;
}

/* ---- removing ------------------------------------------------------------------------------- */

static kube__json *without(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                           kube__field_set set);

/* A child in @set as a copy without what is below; NULL when it goes. */
static kube__json *child_without(kube_ctx *ctx, const kube__api_schema *schema,
                                 const kube__json *child, const kube__field *field)
{
    if (!field)
        return kube__json_copy(ctx, child);
    if (field->member)
        return NULL;
    kube__json *left = without(ctx, schema, child, field->children);
    return left ? left : kube__json_null(ctx);
}

static kube__json *without(kube_ctx *ctx, const kube__api_schema *schema, const kube__json *value,
                           kube__field_set set)
{
    kube__shape shape = kube__typed_shape(schema, value);
    kube__json *out;
    if (shape == KUBE__SHAPE_SCALAR)
        return kube__json_copy(ctx, value);
    if (!kube__typed_is_granular(schema, shape) || !value->len)
        return NULL;
    kube__field_set_index(ctx, &set);
    if (value->kind == KUBE__JSON_ARRAY) {
        out = kube__json_array(ctx);
        KUBE__JSON_EACH (element, value) {
            kube__step step;
            const char *fault = kube__typed_item_step(ctx, schema, element, &step);
            kube__json_append(out, child_without(ctx, schema->items, element,
                                                 fault ? NULL : kube__field_set_get(set, &step)));
        }
    } else {
        out = kube__json_object(ctx);
        KUBE__JSON_EACH (member, value) {
            kube__step step = {.kind = KUBE__STEP_FIELD, .name = member->key};
            kube__json *left = child_without(ctx, kube__typed_member(schema, member->key, NULL),
                                             member, kube__field_set_get(set, &step));
            if (left)
                kube__json_set(ctx, out, member->key, left);
        }
    }
    return out && out->len ? out : NULL;
}

kube__json *kube__typed_remove(kube_ctx *ctx, const kube__api_schema *schema,
                               const kube__json *value, kube__field_set set)
{
    if (!set.first || !value)
        return kube__json_copy(ctx, value);
    return without(ctx, schema, value, set);
}
