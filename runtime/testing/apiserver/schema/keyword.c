/* SPDX-License-Identifier: Apache-2.0 */
#include "keyword.h"

#include "apiserver/core/fault.h"

#include <stdarg.h>
#include <string.h>

static bool has(const kube__api_outcome *outcome, const char *text)
{
    for (const kube__api_fault_found *fault = outcome->first; fault; fault = fault->next) {
        if (strcmp(fault->text, text) == 0)
            return true;
    }
    return false;
}

static void append(kube__api_outcome *outcome, kube__api_fault_found *fault)
{
    if (has(outcome, fault->text))
        return;
    fault->next = NULL;
    if (outcome->last)
        outcome->last->next = fault;
    else
        outcome->first = fault;
    outcome->last = fault;
}

void kube__api_outcome_merge(kube__api_outcome *outcome, const kube__api_outcome *other)
{
    kube__api_fault_found *next;
    for (kube__api_fault_found *fault = other->first; fault; fault = next) {
        next = fault->next;
        append(outcome, fault);
    }
    outcome->matches += other->matches;
}

static void add(const kube__validator *checked, kube__api_outcome *outcome, const char *reason,
                const char *cause, const char *text)
{
    kube__api_fault_found *fault = kube_ctx_alloc(checked->ctx, sizeof *fault);
    if (!fault || !cause || !text)
        return;
    *fault = (kube__api_fault_found){
        .reason = reason, .path = checked->path, .text = text, .cause = cause};
    append(outcome, fault);
}

void kube__api_outcome_add(const kube__validator *checked, kube__api_outcome *outcome,
                           const char *bad, const char *format, ...)
{
    va_list args;
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
    va_start(args, format);
    const char *text = kube__api_vtext(checked->ctx, format, args);
    va_end(args);
    add(checked, outcome, reason, cause, text);
}

void kube__api_outcome_add_general(const kube__validator *checked, kube__api_outcome *outcome,
                                   const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = kube__api_vtext(checked->ctx, format, args);
    va_end(args);
    add(checked, outcome, NULL, kube__api_text(checked->ctx, "Invalid value: \"\": %s", text),
        text);
}
