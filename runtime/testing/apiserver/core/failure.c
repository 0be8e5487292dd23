/* SPDX-License-Identifier: Apache-2.0 */
#include "failure.h"

#include "apiserver/value/quote.h"
#include "apiserver/value/steps.h"
#include "apiserver/value/table.h"
#include "base/ctx.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

kube__api_failure *kube__api_fail_no_memory(void)
{
    /* One a thread, and made anew each time: callers may add to what they were given. */
    static _Thread_local kube__api_failure failure;
    failure = (kube__api_failure){
        .http_status = 500,
        .reason = "InternalError",
        .message = "Internal error occurred: out of memory",
    };
    if (!kube__api_take_steps(0))
        failure = (kube__api_failure){
            .http_status = 504,
            .reason = "Timeout",
            .message = "Timeout: request did not complete within requested timeout - context "
                       "deadline exceeded",
        };
    return &failure;
}

kube__api_failure *kube__api_check_memory(kube_ctx *ctx)
{
    return !kube__api_check_steps(ctx) || kube_ctx_failed(ctx) ? kube__api_fail_no_memory() : NULL;
}

static kube__api_failure *make(kube_ctx *ctx, int http_status, const char *reason,
                               const char *message)
{
    kube__api_failure *failure = kube_ctx_alloc(ctx, sizeof *failure);
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    failure->http_status = http_status;
    failure->reason = reason;
    failure->message = message;
    failure->causes.ctx = ctx;
    return failure;
}

kube__api_failure *kube__api_fail(kube_ctx *ctx, int http_status, const char *reason,
                                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = kube__api_vtext(ctx, format, args);
    va_end(args);
    return make(ctx, http_status, reason, message);
}

kube__api_failure *kube__api_bad_request(kube_ctx *ctx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = kube__api_vtext(ctx, format, args);
    va_end(args);
    return make(ctx, 400, "BadRequest", message);
}

/* "networks.samplecrd.k8s.io", "pods". */
static const char *qualified(kube_ctx *ctx, const char *group, const char *what)
{
    return *group ? kube__api_text(ctx, "%s.%s", what, group) : what;
}

/* A failure about one object, which its details name. */
static kube__api_failure *about(kube__api_failure *failure, const char *group, const char *kind,
                                const char *name)
{
    failure->has_details = true;
    failure->group = *group ? group : NULL;
    failure->kind = kind;
    failure->name = *name ? name : NULL;
    return failure;
}

kube__api_failure *kube__api_not_found(kube_ctx *ctx, const char *group, const char *resource,
                                       const char *name)
{
    kube__api_failure *failure =
        kube__api_fail(ctx, 404, "NotFound", "%s %s not found", qualified(ctx, group, resource),
                       kube__api_quote(ctx, name));
    return about(failure, group, resource, name);
}

kube__api_failure *kube__api_no_resource(kube_ctx *ctx)
{
    kube__api_failure *failure =
        kube__api_fail(ctx, 404, "NotFound", "the server could not find the requested resource");
    failure->has_details = true;
    return failure;
}

kube__api_failure *kube__api_no_method(kube_ctx *ctx)
{
    kube__api_failure *failure =
        kube__api_fail(ctx, 405, "MethodNotAllowed",
                       "the server does not allow this method on the requested resource");
    failure->has_details = true;
    return failure;
}

kube__api_failure *kube__api_already_exists(kube_ctx *ctx, const char *group, const char *resource,
                                            const char *name)
{
    kube__api_failure *failure =
        kube__api_fail(ctx, 409, "AlreadyExists", "%s %s already exists",
                       qualified(ctx, group, resource), kube__api_quote(ctx, name));
    return about(failure, group, resource, name);
}

kube__api_failure *kube__api_conflict(kube_ctx *ctx, const char *group, const char *resource,
                                      const char *name, const char *why)
{
    kube__api_failure *failure =
        kube__api_fail(ctx, 409, "Conflict", "Operation cannot be fulfilled on %s %s: %s",
                       qualified(ctx, group, resource), kube__api_quote(ctx, name), why);
    return about(failure, group, resource, name);
}

/* ---- causes --------------------------------------------------------------------------------- */

enum { MOST_TOLD = 1 << 20 }; /* bytes of causes */

static void append(kube__api_causes *causes, const char *reason, const char *field,
                   const char *message)
{
    kube__api_cause *cause = kube_ctx_alloc(causes->ctx, sizeof *cause);
    if (!cause)
        return;
    *cause = (kube__api_cause){.reason = reason, .message = message, .field = field};
    if (causes->last)
        causes->last->next = cause;
    else
        causes->first = cause;
    causes->last = cause;
    causes->count++;
    causes->bytes += strlen(message) + (field ? strlen(field) : 0);
}

bool kube__api_causes_full(kube__api_causes *causes)
{
    if (causes->bytes < MOST_TOLD)
        return false;
    if (causes->bytes < SIZE_MAX / 2 && causes->ctx)
        append(causes, "FieldValueInvalid", "<nil>", "Invalid value: \"\": too many errors");
    causes->bytes = SIZE_MAX / 2;
    return true;
}

void kube__api_add_cause(kube__api_causes *causes, const char *reason, const char *field,
                         const char *format, ...)
{
    kube_ctx *ctx = causes->ctx;
    if (!ctx || kube__api_causes_full(causes))
        return;
    va_list args;
    va_start(args, format);
    const char *message = kube__api_vtext(ctx, format, args);
    va_end(args);
    append(causes, reason, field ? kube_ctx_strdup(ctx, field) : NULL, message);
}

/* "a: b", or "[a: b, c: d]" for several; NULL without causes. */
static const char *join(kube_ctx *ctx, const kube__api_causes *causes)
{
    kube__buffer text;
    kube__api_table told_before = {.ctx = ctx};
    size_t told = 0;
    const char *joined;
    kube__buffer_init(&text, SIZE_MAX / 4);
    for (const kube__api_cause *c = causes->first; c; c = c->next) {
        const char *one =
            c->field ? kube__api_text(ctx, "%s: %s", c->field, c->message) : c->message;
        if (kube__api_table_has_text(&told_before, one))
            continue; /* each is named once */
        if (told++)
            kube__buffer_add_text(&text, ", ");
        kube__buffer_add_text(&text, one);
    }
    joined = kube__api_take_text(ctx, &text, NULL);
    return told > 1 ? kube__api_text(ctx, "[%s]", joined) : told ? joined : NULL;
}

kube__api_failure *kube__api_invalid(kube_ctx *ctx, const char *group, const char *kind,
                                     const char *name, const kube__api_causes *causes)
{
    const char *why = join(ctx, causes);
    const char *what = qualified(ctx, group, kind);
    kube__api_failure *failure =
        kube__api_fail(ctx, 422, "Invalid", "%s %s is invalid%s%s", what,
                       kube__api_quote(ctx, name), why ? ": " : "", kube__text_or_empty(why));
    if (kube_ctx_failed(ctx))
        return kube__api_fail_no_memory();
    failure->causes = *causes;
    return about(failure, group, kind, name);
}

/* ---- the document --------------------------------------------------------------------------- */

static kube__json *causes_json(kube_ctx *ctx, const kube__api_causes *causes)
{
    kube__json *array = kube__json_array(ctx);
    for (const kube__api_cause *c = causes->first; c; c = c->next) {
        kube__json *cause = kube__json_append(array, kube__json_object(ctx));
        if (c->reason)
            kube__json_set_string(ctx, cause, "reason", c->reason);
        if (c->message)
            kube__json_set_string(ctx, cause, "message", c->message);
        if (c->field)
            kube__json_set_string(ctx, cause, "field", c->field);
    }
    return array;
}

static kube__json *details_json(kube_ctx *ctx, const kube__api_failure *failure)
{
    const struct {
        const char *key;
        const char *text;
    } texts[] = {
        {"name", failure->name},
        {"group", failure->group},
        {"kind", failure->kind},
        {"uid", failure->uid},
    };
    kube__json *details = kube__json_object(ctx);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text)
            kube__json_set_string(ctx, details, texts[i].key, texts[i].text);
    if (failure->causes.first)
        kube__json_set(ctx, details, "causes", causes_json(ctx, &failure->causes));
    if (failure->retry_after_s)
        kube__json_set_int(ctx, details, "retryAfterSeconds", failure->retry_after_s);
    return details;
}

kube__json *kube__api_success(kube_ctx *ctx)
{
    kube__json *status = kube__json_typed(ctx, "Status", "v1");
    kube__json_set(ctx, status, "metadata", kube__json_object(ctx));
    kube__json_set_string(ctx, status, "status", "Success");
    return status;
}

kube__json *kube__api_failure_status(kube_ctx *ctx, const kube__api_failure *failure)
{
    kube__json *status = kube__json_typed(ctx, "Status", "v1");
    kube__json *metadata = kube__json_ensure_object(ctx, status, "metadata");
    if (failure->continue_token)
        kube__json_set_string(ctx, metadata, "continue", failure->continue_token);
    kube__json_set_string(ctx, status, "status", "Failure");
    if (*failure->message)
        kube__json_set_string(ctx, status, "message", failure->message);
    if (*failure->reason)
        kube__json_set_string(ctx, status, "reason", failure->reason);
    kube__json *details = details_json(ctx, failure);
    if (failure->has_details || (details && details->first))
        kube__json_set(ctx, status, "details", details);
    kube__json_set_int(ctx, status, "code", failure->http_status);
    return status;
}
