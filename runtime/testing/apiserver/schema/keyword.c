/* SPDX-License-Identifier: Apache-2.0 */
#include "keyword.h"

#include "apiserver/core/fault.h"

#include <stdarg.h>
#include <string.h>

enum { MOST_TOLD = 1 << 20 };

static void append(kube__api_outcome *outcome, kube__api_fault_found *fault)
{
    if (outcome->last)
        outcome->last->next = fault;
    else
        outcome->first = fault;
    outcome->last = fault;
}

void kube__api_outcome_merge(kube__api_outcome *outcome, const kube__api_outcome *other)
{
    if (other->first) {
        append(outcome, other->first);
        outcome->last = other->last;
    }
    outcome->matches += other->matches;
}

bool kube__api_outcome_is_full(const kube__validator *checked)
{
    return *checked->told >= MOST_TOLD;
}

static void add(const kube__validator *checked, kube__api_outcome *outcome, const char *reason,
                const char *cause, const char *text)
{
    kube__api_fault_found *fault = kube_ctx_alloc(checked->ctx, sizeof *fault);
    if (!fault || !cause || !text)
        return;
    *fault = (kube__api_fault_found){
        .reason = reason, .path = checked->path, .text = text, .cause = cause};
    *checked->told += strlen(text) + strlen(cause);
    append(outcome, fault);
}

/* The value is wrong all the same. True = this has been done. */
static bool add_too_many(const kube__validator *checked, kube__api_outcome *outcome)
{
    if (!kube__api_outcome_is_full(checked))
        return false;
    if (!outcome->first)
        add(checked, outcome, NULL, "Invalid value: \"\": too many errors", "too many errors");
    return true;
}

void kube__api_outcome_add(const kube__validator *checked, kube__api_outcome *outcome,
                           const char *bad, const char *format, ...)
{
    va_list args;
    if (add_too_many(checked, outcome))
        return;
    va_start(args, format);
    const char *text = kube__api_vtext(checked->ctx, format, args);
    va_end(args);
    add(checked, outcome, "FieldValueInvalid",
        kube__api_text(checked->ctx, "Invalid value: %s: %s", bad, text), text);
}

void kube__api_outcome_add_as(const kube__validator *checked, kube__api_outcome *outcome,
                              const char *reason, const char *cause, const char *format, ...)
{
    va_list args;
    if (add_too_many(checked, outcome))
        return;
    va_start(args, format);
    const char *text = kube__api_vtext(checked->ctx, format, args);
    va_end(args);
    add(checked, outcome, reason, cause, text);
}

void kube__api_outcome_add_general(const kube__validator *checked, kube__api_outcome *outcome,
                                   const char *format, ...)
{
    va_list args;
    if (add_too_many(checked, outcome))
        return;
    va_start(args, format);
    const char *text = kube__api_vtext(checked->ctx, format, args);
    va_end(args);
    add(checked, outcome, NULL, kube__api_text(checked->ctx, "Invalid value: \"\": %s", text),
        text);
}
