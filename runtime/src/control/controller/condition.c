/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ascii.h"
#include "base/ctx.h"
#include "base/text.h"
#include "base/utf8.h"
#include "object/label/requirement.h"

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

/* ---- rules, as meta.h gives them to a CRD --------------------------------------------------- */

enum { TYPE_MAX = 316, REASON_MAX = 1024, MESSAGE_MAX = 32768 };

/* A label's key but for the lengths of its parts: "Ready", "example.org/Ready". */
static bool is_type(const char *text)
{
    const char *slash = strchr(text, '/');
    const char *name = slash ? slash + 1 : text;
    return strlen(text) <= TYPE_MAX && kube__label_is_name(name, strlen(name)) &&
           (!slash || kube__label_is_domain(text, (size_t)(slash - text)));
}

static bool is_reason(const char *text)
{
    size_t len = strlen(text);
    if (len > REASON_MAX || !kube__is_letter(*text) ||
        (!kube__is_alnum(text[len - 1]) && text[len - 1] != '_'))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!kube__is_alnum(text[i]) && !strchr("_,:", text[i]))
            return false;
    }
    return true;
}

static bool is_status(const char *text)
{
    return strcmp(text, KUBE_CONDITION_TRUE) == 0 || strcmp(text, KUBE_CONDITION_FALSE) == 0 ||
           strcmp(text, KUBE_CONDITION_UNKNOWN) == 0;
}

/* A server counts characters. */
static bool is_message(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += !kube__utf8_is_inner(*text);
    return count <= MESSAGE_MAX;
}

static kube_code check(const kube_condition *condition, kube_error *err)
{
    const char *type = kube__text_or_empty(condition->type);
    const char *status = kube__text_or_empty(condition->status);
    const char *reason = kube__text_or_empty(condition->reason);
    if (!*type)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a condition needs a type");
    if (!is_type(type))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "\"%.80s\" cannot be the type of a condition: write a name of at "
                              "most %d letters, digits, '-', '_' and '.', such as Ready or "
                              "example.org/Ready",
                              type, TYPE_MAX);
    if (!is_status(status))
        return kube_error_set(
            err, KUBE_ERR_ARGUMENT,
            "the status of condition %s is \"%.80s\", but must be True, False or Unknown", type,
            status);
    if (!*reason)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "condition %s needs a reason", type);
    if (!is_reason(reason))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "the reason of condition %s is \"%.80s\", but must be a word of at "
                              "most %d letters, digits, '_', ',' and ':', such as RollingOut",
                              type, reason, REASON_MAX);
    if (!is_message(kube__text_or_empty(condition->message)))
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "the message of condition %s is longer than %d characters", type,
                              MESSAGE_MAX);
    if (condition->observed_generation < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "the generation that condition %s observed is below zero", type);
    return KUBE_OK;
}

/* ---- set and remove ------------------------------------------------------------------------- */

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
