/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/text.h"

#include <kube/condition.h>
#include <kube/ctx.h>

/* Place of the condition of that type, or len. */
static size_t place_of(const kube_condition_list *conditions, const char *type)
{
    size_t i = 0;
    while (i < conditions->len && !kube__text_same(conditions->items[i].type, type))
        i++;
    return i;
}

const kube_condition *kube_condition_find(const kube_condition_list *conditions, const char *type)
{
    size_t i = place_of(conditions, type);
    return i < conditions->len ? &conditions->items[i] : NULL;
}

bool kube_condition_is_true(const kube_condition_list *conditions, const char *type)
{
    const kube_condition *condition = kube_condition_find(conditions, type);
    return condition && kube__text_same(condition->status, KUBE_CONDITION_TRUE);
}

static kube_code check(const kube_condition *condition, kube_error *err)
{
    const char *status = kube__text_or_empty(condition->status);
    if (!condition->type || !*condition->type)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a condition needs a type");
    if (strcmp(status, KUBE_CONDITION_TRUE) != 0 && strcmp(status, KUBE_CONDITION_FALSE) != 0 &&
        strcmp(status, KUBE_CONDITION_UNKNOWN) != 0)
        return kube_error_set(
            err, KUBE_ERR_ARGUMENT,
            "the status of condition %s is \"%s\", but must be True, False or Unknown",
            condition->type, status);
    return KUBE_OK;
}

static bool same_condition(const kube_condition *a, const kube_condition *b)
{
    return kube__text_same(a->status, b->status) && kube__text_same(a->reason, b->reason) &&
           kube__text_same(a->message, b->message) &&
           a->observed_generation == b->observed_generation;
}

kube_code kube_condition_set(kube_ctx *ctx, kube_condition_list *conditions,
                             const kube_condition *condition, bool *changed, kube_error *err)
{
    size_t place = place_of(conditions, condition->type);
    const kube_condition *old = place < conditions->len ? &conditions->items[place] : NULL;
    kube_condition *items;
    kube_code rc = kube__ctx_check(ctx, err);
    if (!rc)
        rc = check(condition, err);

    if (changed)
        *changed = false;
    if (rc || (old && same_condition(old, condition)))
        return rc;
    items = kube_ctx_alloc_array(ctx, conditions->len + 1, sizeof *items);
    if (!items)
        return kube__ctx_check(ctx, err);
    if (conditions->len)
        memcpy(items, conditions->items, conditions->len * sizeof *items);
    items[place] = *condition;
    /* Required by every schema of a condition, though there be nothing to say. */
    items[place].reason = kube__text_or_empty(condition->reason);
    items[place].message = kube__text_or_empty(condition->message);
    if (old && kube__text_same(old->status, condition->status))
        items[place].last_transition_time = old->last_transition_time;
    else if (!condition->last_transition_time.set)
        items[place].last_transition_time = kube_time_now(kube_ctx_clock(ctx));
    conditions->items = items;
    if (!old)
        conditions->len++;
    if (changed)
        *changed = true;
    return KUBE_OK;
}

kube_code kube_condition_remove(kube_ctx *ctx, kube_condition_list *conditions, const char *type,
                                bool *changed, kube_error *err)
{
    kube_condition *items;
    size_t len = 0;
    if (changed)
        *changed = false;
    if (!kube_condition_find(conditions, type))
        return kube__ctx_check(ctx, err);
    items = kube_ctx_alloc_array(ctx, conditions->len, sizeof *items);
    if (!items)
        return kube__ctx_check(ctx, err);
    for (size_t i = 0; i < conditions->len; i++) {
        if (!kube__text_same(conditions->items[i].type, type))
            items[len++] = conditions->items[i];
    }
    conditions->items = items;
    conditions->len = len;
    if (changed)
        *changed = true;
    return KUBE_OK;
}
