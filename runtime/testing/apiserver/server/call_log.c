/* SPDX-License-Identifier: Apache-2.0 */
#include "call_log.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/watch/watch.h"
#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)64 << 20)

/* One block: the call, then its texts. */
typedef struct record {
    kube_api_call call;
    size_t size;
    char *late_name; /* that the answer told; may be NULL */
} record;

struct kube__api_call_log {
    kube__mutex mutex;
    kube__condition answered;
    record **ring; /* record of number n in ring[n % limit] */
    size_t limit;
    uint64_t first; /* number of the oldest record; equal to next if nothing is recorded */
    uint64_t next;  /* from 1 */
    size_t bytes;
};

kube__api_call_log *kube__api_call_log_new(size_t limit)
{
    kube__api_call_log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    log->limit = limit;
    log->first = 1;
    log->next = 1;
    log->ring = calloc(limit, sizeof *log->ring);
    if (!log->ring)
        goto fail;
    if (kube__mutex_init(&log->mutex, NULL))
        goto fail;
    if (kube__condition_init(&log->answered, NULL)) {
        kube__mutex_fini(&log->mutex);
        goto fail;
    }
    return log;
fail:
    free(log->ring);
    free(log);
    return NULL;
}

static void forget_oldest(kube__api_call_log *log)
{
    record **slot = &log->ring[log->first++ % log->limit];
    log->bytes -= (*slot)->size;
    free((*slot)->late_name);
    free(*slot);
    *slot = NULL;
}

static void forget_all(kube__api_call_log *log)
{
    while (log->first < log->next)
        forget_oldest(log);
}

void kube__api_call_log_free(kube__api_call_log *log)
{
    if (!log)
        return;
    forget_all(log);
    kube__condition_fini(&log->answered);
    kube__mutex_fini(&log->mutex);
    free(log->ring);
    free(log);
}

/* ---- recording ------------------------------------------------------------------------------ */

const char *kube__api_call_verb(const kube__api_request *request)
{
    return request->is_resource ? request->verb : request->method;
}

const char *kube__api_call_name(const kube__api_request *request)
{
    const kube__json *body;
    if (*request->name || !request->is_resource || strcmp(request->verb, "create") != 0)
        return request->name;
    if (request->created)
        return request->created;
    if (!request->body_len || kube_ctx_failed(request->ctx))
        return "";
    body = kube__json_parse(request->ctx, request->body, request->body_len, NULL, NULL, NULL);
    return body ? kube__json_string_at(body, "metadata.name") : "";
}

/* Every text of a call, so that copying forgets none. */
enum { TEXT_COUNT = 11 };

static void texts_of(kube_api_call *call, const char **texts[TEXT_COUNT])
{
    const char **const all[TEXT_COUNT] = {
        &call->verb,        &call->group,      &call->version,      &call->resource,
        &call->subresource, &call->namespace_, &call->name,         &call->path,
        &call->user,        &call->user_agent, &call->content_type,
    };
    memcpy(texts, all, sizeof all);
}

static size_t size_of(kube_api_call call)
{
    const char **texts[TEXT_COUNT];
    size_t size = call.body ? call.body_len + 1 : 0;
    texts_of(&call, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++)
        size += strlen(*texts[i]) + 1;
    return size;
}

/* Makes the texts of @call copies of them in @memory, which has size_of(call) bytes. */
static void copy_texts(kube_api_call *call, char *memory)
{
    const char **texts[TEXT_COUNT];
    texts_of(call, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        size_t size = strlen(*texts[i]) + 1;
        memcpy(memory, *texts[i], size);
        *texts[i] = memory;
        memory += size;
    }
    if (call->body) {
        memcpy(memory, call->body, call->body_len);
        memory[call->body_len] = '\0';
        call->body = memory;
    }
}

static record *make_record(const kube__api_request *request)
{
    kube_api_call call = {
        .verb = kube__api_call_verb(request),
        .group = request->group,
        .version = request->version,
        .resource = request->plural,
        .subresource = request->subresource,
        .namespace_ = request->namespace_,
        .name = request->name,
        .path = request->path,
        .user = request->user.name ? request->user.name : "",
        .user_agent = kube__api_header(request, "user-agent"),
        .content_type = kube__api_header(request, "content-type"),
        .body = request->body_len ? request->body : NULL,
        .body_len = request->body_len,
    };
    if (*request->query_text) {
        call.path = kube__api_text(request->ctx, "%s?%s", request->path, request->query_text);
        if (!call.path)
            return NULL;
    }
    size_t size = sizeof(record) + size_of(call);
    record *r = malloc(size);
    if (!r)
        return NULL;
    r->call = call;
    r->size = size;
    r->late_name = NULL;
    copy_texts(&r->call, (char *)(r + 1));
    return r;
}

uint64_t kube__api_call_log_begin(kube__api_call_log *log, const kube__api_request *request)
{
    record *r = make_record(request);
    uint64_t number;
    if (!r)
        return 0;
    kube__lock(&log->mutex);
    while (log->first < log->next &&
           (log->next - log->first == log->limit || log->bytes + r->size > MAX_BYTES))
        forget_oldest(log);
    number = log->next++;
    log->ring[number % log->limit] = r;
    log->bytes += r->size;
    kube__unlock(&log->mutex);
    return number;
}

/* Without memory for it the call stays nameless. */
static void set_name(kube__api_call_log *log, record *r, const char *name)
{
    if (!*name || *r->call.name)
        return;
    r->late_name = strdup(name);
    if (!r->late_name)
        return;
    r->call.name = r->late_name;
    r->size += strlen(name) + 1;
    log->bytes += strlen(name) + 1;
}

void kube__api_call_log_end(kube__api_call_log *log, uint64_t number, int http_status,
                            const char *name)
{
    kube__lock(&log->mutex);
    if (number >= log->first && number < log->next) {
        record *r = log->ring[number % log->limit];
        set_name(log, r, name);
        r->call.http_status = http_status;
        kube__broadcast(&log->answered);
    }
    kube__unlock(&log->mutex);
}

/* ---- asking --------------------------------------------------------------------------------- */

static bool same_or_any(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

static bool is_write(const char *verb)
{
    static const char *const writes[] = {"create", "update",           "patch",
                                         "delete", "deletecollection", NULL};
    return kube__api_is_one_of(verb, writes);
}

static bool matches(const kube_api_call_filter *filter, const kube_api_call *call)
{
    return !filter ||
           (same_or_any(filter->verb, call->verb) &&
            same_or_any(filter->resource, call->resource) &&
            same_or_any(filter->subresource, call->subresource) &&
            same_or_any(filter->namespace_, call->namespace_) &&
            same_or_any(filter->name, call->name) && same_or_any(filter->user, call->user) &&
            (!filter->writes || is_write(call->verb)));
}

/* Under the log's lock. */
static size_t count_matches(const kube__api_call_log *log, const kube_api_call_filter *filter,
                            bool answered_only)
{
    size_t count = 0;
    for (uint64_t n = log->first; n < log->next; n++) {
        const kube_api_call *call = &log->ring[n % log->limit]->call;
        count += (!answered_only || call->http_status) && matches(filter, call);
    }
    return count;
}

static kube_code copy_matches(const kube__api_call_log *log, kube_ctx *ctx,
                              const kube_api_call_filter *filter, kube_api_call_list *out)
{
    size_t count = count_matches(log, filter, false);
    kube_api_call *items = kube_ctx_alloc_array(ctx, count ? count : 1, sizeof *items);
    size_t len = 0;
    if (!items)
        return KUBE_ERR_NO_MEMORY;
    for (uint64_t n = log->first; n < log->next; n++) {
        const kube_api_call *call = &log->ring[n % log->limit]->call;
        if (!matches(filter, call))
            continue;
        char *memory = kube_ctx_alloc(ctx, size_of(*call));
        if (!memory)
            return KUBE_ERR_NO_MEMORY;
        items[len] = *call;
        copy_texts(&items[len++], memory);
    }
    out->items = items;
    out->len = len;
    return KUBE_OK;
}

kube_code kube_apiserver_calls(kube_apiserver *server, kube_ctx *ctx,
                               const kube_api_call_filter *filter, kube_api_call_list *out,
                               kube_error *err)
{
    kube__api_call_log *log = server->calls;
    kube_code rc;
    *out = (kube_api_call_list){0};
    kube__lock(&log->mutex);
    rc = copy_matches(log, ctx, filter, out);
    kube__unlock(&log->mutex);
    return rc ? kube_error_set(err, rc, "recorded calls: out of memory") : KUBE_OK;
}

void kube_apiserver_forget_calls(kube_apiserver *server)
{
    kube__lock(&server->calls->mutex);
    forget_all(server->calls);
    kube__unlock(&server->calls->mutex);
}

size_t kube_apiserver_watch_count(kube_apiserver *server, const kube_api_call_filter *filter)
{
    return kube__api_watchers_count(server->watchers, filter);
}

static void wake_waiters(void *arg)
{
    kube__api_call_log *log = arg;
    kube__lock(&log->mutex);
    kube__broadcast(&log->answered);
    kube__unlock(&log->mutex);
}

/* What is said of a wait in vain; what does not fit is cut. */
typedef struct line {
    char text[400];
    size_t len;
} line;

static void add(line *l, const char *format, ...) KUBE_PRINTF(2, 3);

static void add(line *l, const char *format, ...)
{
    size_t left = sizeof l->text - l->len;
    va_list args;
    int len;
    va_start(args, format);
    len = vsnprintf(l->text + l->len, left, format, args);
    va_end(args);
    if (len > 0)
        l->len += (size_t)len < left ? (size_t)len : left - 1;
}

static void describe_filter(const kube_api_call_filter *filter, line *out)
{
    static const kube_api_call_filter all;
    const kube_api_call_filter *f = filter ? filter : &all;
    const struct {
        const char *name;
        const char *wanted;
    } texts[] = {
        {"verb", f->verb},
        {"resource", f->resource},
        {"subresource", f->subresource},
        {"namespace", f->namespace_},
        {"name", f->name},
        {"user", f->user},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].wanted)
            add(out, "%s%s=%.80s", out->len ? "," : " of ", texts[i].name, texts[i].wanted);
    if (f->writes)
        add(out, "%swrites", out->len ? "," : " of ");
}

static void describe_call(const kube_api_call *call, line *out)
{
    bool is_resource = *call->resource;
    add(out, "%s %.60s%s%s", call->verb, is_resource ? call->resource : call->path,
        *call->subresource ? "/" : "", call->subresource);
    if (*call->namespace_ || *call->name)
        add(out, " %s%s%s", call->namespace_, *call->namespace_ ? "/" : "", call->name);
    if (!call->http_status)
        add(out, " (not answered)");
}

/* Under the log's lock. */
static void describe_newest(const kube__api_call_log *log, line *out)
{
    enum { SHOWN_CALLS = 6 };

    if (log->first == log->next) {
        add(out, "there was none at all");
        return;
    }
    add(out, "the newest there were: ");
    for (uint64_t n = log->next; n > log->first && log->next - n < SHOWN_CALLS; n--) {
        add(out, "%s", n < log->next ? ", " : "");
        describe_call(&log->ring[(n - 1) % log->limit]->call, out);
    }
}

kube_code kube_apiserver_wait_for_calls(kube_apiserver *server, kube_ctx *ctx,
                                        const kube_api_call_filter *filter, size_t count,
                                        kube_error *err)
{
    kube__api_call_log *log = server->calls;
    kube__waker waker = {.wake = wake_waiters, .arg = log};
    line wanted = {0};
    line newest = {0};
    kube_error why;
    kube_code rc = KUBE_OK;
    size_t found;
    kube__ctx_add_waker(ctx, &waker);
    kube__lock(&log->mutex);
    while ((found = count_matches(log, filter, true)) < count) {
        rc = kube_ctx_status(ctx, &why);
        if (rc) {
            describe_newest(log, &newest);
            break;
        }
        kube__wait_until(kube_ctx_clock(ctx), &log->answered, &log->mutex,
                         kube__ctx_deadline_ns(ctx));
    }
    kube__unlock(&log->mutex);
    kube__ctx_remove_waker(ctx, &waker);
    if (!rc)
        return KUBE_OK;
    describe_filter(filter, &wanted);
    return kube_error_set(err, rc, "%zu of %zu calls%.220s: %.80s; %s", found, count, wanted.text,
                          why.message, newest.text);
}
