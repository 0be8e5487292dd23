/* SPDX-License-Identifier: Apache-2.0 */
#include "failure.h"
#include "apiserver/value/quote.h"

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
    return &failure;
}

kube__api_failure *kube__api_check_heap(const kube__heap *heap)
{
    return heap->failed ? kube__api_fail_no_memory() : NULL;
}

static kube__api_failure *make(kube__heap *heap, int http_status, const char *reason,
                               const char *message)
{
    kube__api_failure *failure = kube__heap_alloc(heap, sizeof *failure);
    if (!failure || !message || heap->failed)
        return kube__api_fail_no_memory();
    failure->http_status = http_status;
    failure->reason = reason;
    failure->message = message;
    return failure;
}

kube__api_failure *kube__api_fail(kube__heap *heap, int http_status, const char *reason,
                                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = kube__heap_vprintf(heap, format, args);
    va_end(args);
    return make(heap, http_status, reason, message);
}

kube__api_failure *kube__api_bad_request(kube__heap *heap, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = kube__heap_vprintf(heap, format, args);
    va_end(args);
    return make(heap, 400, "BadRequest", message);
}

/* "networks.samplecrd.k8s.io", "pods". */
static const char *qualified(kube__heap *heap, const char *group, const char *what)
{
    return *group ? kube__heap_printf(heap, "%s.%s", what, group) : what;
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

kube__api_failure *kube__api_not_found(kube__heap *heap, const char *group, const char *resource,
                                       const char *name)
{
    kube__api_failure *failure =
        kube__api_fail(heap, 404, "NotFound", "%s %s not found", qualified(heap, group, resource),
                       kube__api_quote(heap, name));
    return about(failure, group, resource, name);
}

kube__api_failure *kube__api_no_resource(kube__heap *heap)
{
    kube__api_failure *failure =
        kube__api_fail(heap, 404, "NotFound", "the server could not find the requested resource");
    failure->has_details = true;
    return failure;
}

kube__api_failure *kube__api_no_method(kube__heap *heap)
{
    kube__api_failure *failure =
        kube__api_fail(heap, 405, "MethodNotAllowed",
                       "the server does not allow this method on the requested resource");
    failure->has_details = true;
    return failure;
}

kube__api_failure *kube__api_already_exists(kube__heap *heap, const char *group,
                                            const char *resource, const char *name)
{
    kube__api_failure *failure =
        kube__api_fail(heap, 409, "AlreadyExists", "%s %s already exists",
                       qualified(heap, group, resource), kube__api_quote(heap, name));
    return about(failure, group, resource, name);
}

kube__api_failure *kube__api_conflict(kube__heap *heap, const char *group, const char *resource,
                                      const char *name, const char *why)
{
    kube__api_failure *failure =
        kube__api_fail(heap, 409, "Conflict", "Operation cannot be fulfilled on %s %s: %s",
                       qualified(heap, group, resource), kube__api_quote(heap, name), why);
    return about(failure, group, resource, name);
}

/* ---- causes --------------------------------------------------------------------------------- */

void kube__api_add_cause(kube__heap *heap, kube__api_causes *causes, const char *reason,
                         const char *field, const char *format, ...)
{
    kube__api_cause *cause = kube__heap_alloc(heap, sizeof *cause);
    va_list args;
    va_start(args, format);
    char *message = kube__heap_vprintf(heap, format, args);
    va_end(args);
    if (!cause || !message)
        return;
    cause->reason = reason;
    cause->field = field ? kube__heap_strdup(heap, field) : NULL;
    cause->message = message;
    if (causes->last)
        causes->last->next = cause;
    else
        causes->first = cause;
    causes->last = cause;
    causes->count++;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether an earlier cause reads the same: the message names each once. */
static bool told_before(const kube__api_causes *causes, const kube__api_cause *cause)
{
    for (const kube__api_cause *c = causes->first; c != cause; c = c->next)
        if (same_text(c->field, cause->field) && strcmp(c->message, cause->message) == 0)
            return true;
    return false;
}

/* "a: b", or "[a: b, c: d]" for several; NULL when there is none or memory is out. */
static const char *join(kube__heap *heap, const kube__api_causes *causes)
{
    kube__buffer text;
    size_t told = 0;
    char *joined = NULL;

    kube__buffer_init(&text, SIZE_MAX / 4);
    for (const kube__api_cause *c = causes->first; c; c = c->next) {
        if (told_before(causes, c))
            continue;
        if (told++)
            kube__buffer_add_text(&text, ", ");
        if (c->field) {
            kube__buffer_add_text(&text, c->field);
            kube__buffer_add_text(&text, ": ");
        }
        kube__buffer_add_text(&text, c->message);
    }
    if (text.failed)
        heap->failed = true;
    else if (told)
        joined = kube__heap_printf(heap, told > 1 ? "[%s]" : "%s", text.data);
    kube__buffer_fini(&text);
    return joined;
}

kube__api_failure *kube__api_invalid(kube__heap *heap, const char *group, const char *kind,
                                     const char *name, const kube__api_causes *causes)
{
    const char *why = join(heap, causes);
    const char *what = qualified(heap, group, kind);
    kube__api_failure *failure =
        kube__api_fail(heap, 422, "Invalid", "%s %s is invalid%s%s", what,
                       kube__api_quote(heap, name), why ? ": " : "", why ? why : "");
    if (heap->failed)
        return kube__api_fail_no_memory();
    failure->causes = *causes;
    return about(failure, group, kind, name);
}

/* ---- the document --------------------------------------------------------------------------- */

static kube__json *causes_json(kube__heap *heap, const kube__api_causes *causes)
{
    kube__json *array = kube__json_array(heap);
    for (const kube__api_cause *c = causes->first; c; c = c->next) {
        kube__json *cause = kube__json_append(array, kube__json_object(heap));
        if (c->reason)
            kube__json_set_string(heap, cause, "reason", c->reason);
        if (c->message)
            kube__json_set_string(heap, cause, "message", c->message);
        if (c->field)
            kube__json_set_string(heap, cause, "field", c->field);
    }
    return array;
}

static kube__json *details_json(kube__heap *heap, const kube__api_failure *failure)
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
    kube__json *details = kube__json_object(heap);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text)
            kube__json_set_string(heap, details, texts[i].key, texts[i].text);
    if (failure->causes.first)
        kube__json_set(heap, details, "causes", causes_json(heap, &failure->causes));
    if (failure->retry_after_s)
        kube__json_set_int(heap, details, "retryAfterSeconds", failure->retry_after_s);
    return details;
}

kube__json *kube__api_failure_status(kube__heap *heap, const kube__api_failure *failure)
{
    kube__json *status = kube__json_object(heap);
    kube__json_set_string(heap, status, "kind", "Status");
    kube__json_set_string(heap, status, "apiVersion", "v1");
    kube__json *metadata = kube__json_ensure_object(heap, status, "metadata");
    if (failure->continue_token)
        kube__json_set_string(heap, metadata, "continue", failure->continue_token);
    kube__json_set_string(heap, status, "status", "Failure");
    if (*failure->message)
        kube__json_set_string(heap, status, "message", failure->message);
    if (*failure->reason)
        kube__json_set_string(heap, status, "reason", failure->reason);
    kube__json *details = details_json(heap, failure);
    if (failure->has_details || (details && details->first))
        kube__json_set(heap, status, "details", details);
    kube__json_set_int(heap, status, "code", failure->http_status);
    return status;
}
