/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include "base/buffer.h"
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/wait.h"
#include "net/transport/failure.h"
#include "object/block/block.h"
#include "object/stream/status.h"
#include "object/stream/stream.h"
#include "warning.h"

#include <kube/log.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_ATTEMPTS = 11,         /* ten retries (REQ-3) */
    SILENT_ATTEMPTS = 2,       /* of a GET that nobody answers for too long */
    LOST_CONNECTION_MS = 1000, /* wait after one, condition B */
    MAX_ANSWER_BYTES = 64 << 20,
};

/* ---- what result streams need too ------------------------------------------------------------ */

/* Whom to ask for credentials may take long: not longer than an attempt may. */
static kube_code authorize(kube_client *client, kube_ctx *scratch, const char *refused,
                           const char **value, kube_error *err)
{
    if (client->call_timeout_ms)
        kube_ctx_set_timeout_ms(scratch, client->call_timeout_ms);
    return kube__credentials_header(client->credentials, scratch, refused, value, err);
}

kube_code kube__request_headers(kube_client *client, kube_ctx *scratch, const char *content_type,
                                kube__authorization *authorization, const kube__http_header **out,
                                size_t *count, kube_error *err)
{
    const kube_config *config = client->config;
    kube__http_header *headers =
        kube_ctx_alloc_array(scratch, config->header_count + 4, sizeof *headers);
    size_t n = 0;
    kube_code rc = kube__ctx_check(scratch, err);
    if (!rc && !authorization->fresh)
        rc = authorize(client, scratch, NULL, &authorization->value, err);
    if (rc)
        return rc;
    authorization->fresh = false;
    headers[n++] = (kube__http_header){"Accept", "application/json"};
    headers[n++] = (kube__http_header){"User-Agent", client->user_agent};
    if (content_type) {
        headers[n++] = (kube__http_header){"Content-Type", content_type};
    }
    if (authorization->value) {
        headers[n++] = (kube__http_header){"Authorization", authorization->value};
    }
    for (size_t i = 0; i < config->header_count; i++)
        headers[n++] = config->headers[i];
    *out = headers;
    *count = n;
    return KUBE_OK;
}

bool kube__request_renew(kube_client *client, kube_ctx *scratch, kube__authorization *authorization,
                         int status, kube_code *rc, kube_error *err)
{
    const char *refused = authorization->value;
    kube_error error;
    kube_code failed;
    if (status != 401 || !refused || authorization->renewed)
        return false;
    authorization->renewed = true;
    failed = authorize(client, scratch, refused, &authorization->value, &error);
    if (failed) {
        kube_error_prefix(&error, "the server refused the last credentials (401)");
        *rc = failed;
        *err = error;
        return false;
    }
    authorization->fresh = authorization->value && strcmp(authorization->value, refused) != 0;
    return authorization->fresh;
}

/* Puts other words into @err and leaves the rest. The arguments may point into its message. */
static void restate(kube_error *err, const char *format, ...) KUBE_PRINTF(2, 3);
static void restate(kube_error *err, const char *format, ...)
{
    kube_error words;
    va_list args;
    va_start(args, format);
    kube_error_vset(&words, err->code, format, args);
    va_end(args);
    memcpy(err->message, words.message, sizeof err->message);
    err->truncated |= words.truncated;
}

/*
 * RBAC says who may not do what; to that comes the rule that would allow it. Other 403 (quota, a
 * namespace that is going) have other remedies.
 */
static void explain_forbidden(const kube__target *target, kube_error *err)
{
    const kube_type *type = target->type;
    bool scoped = target->namespace_ && *target->namespace_;
    /* Who lists, watches next. */
    bool reads = strcmp(target->verb, "list") == 0 || strcmp(target->verb, "watch") == 0;
    const char *slash = target->subresource ? "/" : "";
    const char *subresource = kube__text_or_empty(target->subresource);
    kube__buffer text;
    if (!strstr(err->message, "\" cannot "))
        return;
    kube__buffer_init(&text, 4 * sizeof err->message);
    kube__buffer_printf(&text, "not allowed to %s %s%s%s", target->verb, type->resource, slash,
                        subresource);
    if (scoped)
        kube__buffer_printf(&text, " in namespace \"%s\"", target->namespace_);
    else if (type->namespaced)
        kube__buffer_add_text(&text, " in all namespaces");
    kube__buffer_printf(&text, "; the missing %s rule: {apiGroups: [\"%s\"], ",
                        scoped ? "Role" : "ClusterRole", kube__text_or_empty(type->group));
    kube__buffer_printf(&text, "resources: [\"%s%s%s\"], verbs: [\"%s\"]}", type->resource, slash,
                        subresource, reads ? "list\", \"watch" : target->verb);
    /* What was refused comes first: the server's text may be cut. */
    if (!text.failed)
        restate(err, "%s; %s", text.data, err->message);
    kube__buffer_fini(&text);
}

/* The server tells an unknown path as text, an unknown object as a Status. */
static void explain_unserved(const kube__target *target, const kube__http_head *head,
                             kube_error *err)
{
    if (kube__text_starts_with(head->content_type, "text/plain"))
        restate(err, "%s; is %s %s served? its CRD may not be applied", err->message,
                target->type->api_version, target->type->kind);
}

kube_code kube__request_failure(kube_ctx *scratch, const char *method, const kube__target *target,
                                const kube__http_head *head, const char *body, size_t len,
                                kube_error *err)
{
    kube_error local;
    const char *what = kube__target_text(scratch, target);
    kube_error *error = err ? err : &local;
    kube_code rc = kube__status_to_error(method, what ? what : target->type->resource, head->status,
                                         head->content_type, body ? body : "", len,
                                         head->retry_after_ms, error);
    if (rc == KUBE_ERR_FORBIDDEN)
        explain_forbidden(target, error);
    else if (rc == KUBE_ERR_NOT_FOUND)
        explain_unserved(target, head, error);
    return rc;
}

kube_code kube__request_check_type(const char *method, const char *url, const kube__http_head *head,
                                   kube_error *err)
{
    const char *type = head->content_type;
    size_t len = strcspn(type, "; \t");
    static const char json[] = "application/json";
    if (len == 0 || (len == strlen(json) && !strncasecmp(type, json, len)))
        return KUBE_OK;
    kube_error_set(err, KUBE_ERR_SERVER,
                   "the answer is %.*s, not JSON (is there a proxy in between?)", (int)len, type);
    kube__failure_prefix(err, method, url);
    if (err)
        err->http_status = head->status;
    return KUBE_ERR_SERVER;
}

kube_code kube__request_retry(kube_ctx *ctx, const char *method, const kube__http_head *head,
                              kube__http_loss loss, int attempt, kube_code rc, kube_error *err)
{
    int most = loss == KUBE__HTTP_SILENT ? SILENT_ATTEMPTS : MAX_ATTEMPTS;
    int64_t wait_ms;
    char last[160];
    kube_code over;
    if (head && head->has_retry_after && (head->status == 429 || head->status >= 500))
        wait_ms = head->retry_after_ms;
    else if (!head && loss == KUBE__HTTP_REFUSED)
        wait_ms = 0;
    else if (!head && loss && !strcmp(method, "GET"))
        wait_ms = loss == KUBE__HTTP_LOST ? LOST_CONNECTION_MS : 0;
    else
        return rc;
    if (attempt >= most) {
        kube_error_prefix(err, "gave up after %d attempts", attempt);
        return rc;
    }
    kube_log_debug("trying again in %lld ms: %s", (long long)wait_ms, err ? err->message : "");
    snprintf(last, sizeof(last), "%.159s", err ? err->message : "");
    over = kube_ctx_sleep_ms(ctx, wait_ms, err);
    if (over)
        kube_error_prefix(err, "while waiting for attempt %d, after \"%s\"", attempt + 1, last);
    return over;
}

/* ---- one attempt ----------------------------------------------------------------------------- */

/* Shared by the waiting thread and the I/O thread: the first may leave before the answer comes. */
typedef struct call {
    _Atomic uint32_t refs;
    kube__mutex mutex;
    kube__condition changed;
    bool done;     /* under the mutex; the I/O thread touches nothing below once it is set */
    bool answered; /* head is filled */
    kube__http_head head;
    kube__buffer body;
    kube__buffer warnings;
    bool too_large;
    kube__http_end end;
} call;

static void call_unref(call *c)
{
    if (atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1)
        return;
    kube__buffer_fini(&c->body);
    kube__buffer_fini(&c->warnings);
    kube__condition_fini(&c->changed);
    kube__mutex_fini(&c->mutex);
    free(c);
}

static kube_code call_new(call **out, kube_error *err)
{
    call *c = calloc(1, sizeof *c);
    kube_code rc;
    if (!c)
        return kube__no_memory(err, "a request");
    rc = kube__mutex_init(&c->mutex, err);
    if (rc) {
        free(c);
        return rc;
    }
    rc = kube__condition_init(&c->changed, err);
    if (rc) {
        kube__mutex_fini(&c->mutex);
        free(c);
        return rc;
    }
    atomic_init(&c->refs, 1);
    kube__buffer_init(&c->body, SIZE_MAX); /* so that a failure is want of memory */
    kube__buffer_init(&c->warnings, SIZE_MAX);
    *out = c;
    return KUBE_OK;
}

static void call_head(void *arg, const kube__http_head *head)
{
    call *c = arg;
    c->head = *head;
    c->answered = true;
}

static void call_warning(void *arg, const char *value)
{
    call *c = arg;
    kube__warning_keep(&c->warnings, value);
}

static kube__http_verdict call_data(void *arg, const char *data, size_t len)
{
    call *c = arg;
    c->too_large = len > MAX_ANSWER_BYTES - c->body.len;
    if (!c->too_large)
        kube__buffer_add(&c->body, data, len);
    return c->too_large || c->body.failed ? KUBE__HTTP_STOP : KUBE__HTTP_TAKEN;
}

static void call_end(void *arg, const kube__http_end *end)
{
    call *c = arg;
    kube__lock(&c->mutex);
    c->end = *end;
    if (c->answered && c->head.status >= 400 && end->code == KUBE_ERR_TRANSPORT) {
        /* A server that refuses a body before it has read it all may reset the connection under
         * its own answer (413): the refusal counts, though its text may be cut. */
        c->end = (kube__http_end){0};
    }
    c->done = true;
    kube__broadcast(&c->changed);
    kube__unlock(&c->mutex);
    call_unref(c);
}

static const kube__http_handler call_handler = {
    .on_head = call_head, .on_data = call_data, .on_end = call_end, .on_warning = call_warning};

/* Waits for the answer. True = it is there; false = the ctx is over. */
static bool call_wait(call *c, kube_ctx *ctx)
{
    kube__wait_scope scope;
    bool done;
    kube__wait_begin(&scope, ctx, &c->mutex, &c->changed, 0);
    kube__lock(&c->mutex);
    while (!c->done && kube__wait_step(&scope)) {
    }
    done = c->done;
    kube__unlock(&c->mutex);
    kube__wait_end(&scope);
    return done;
}

/* Why no answer was waited for. */
static kube_code left_early(kube_ctx *ctx, const kube__request *request, kube_error *err)
{
    kube_code rc = kube_ctx_status(ctx, err);
    if (!rc) /* a clock that a test turned back */
        rc = kube_error_set(err, KUBE_ERR_TIMEOUT, "timed out");
    kube__failure_prefix(err, request->method, request->url.data);
    return rc;
}

/*
 * Whether the head says that the request failed. Then that is the answer even when the rest of it
 * was cut, as happens with a 413, for which the server does not read on.
 */
static bool is_refusal(const call *c)
{
    return c->answered && c->head.status >= 300;
}

/* 0 = there was no answer. */
static int status_of(const call *c)
{
    return c->answered && (!c->end.code || is_refusal(c)) ? c->head.status : 0;
}

/* Each attempt asks anew, the first thing and, in the transport, the last. */
static kube_code check_fence(kube_client *client, const kube__request *request, kube_error *err)
{
    kube_code rc = kube_fence_check(client->fence, err);
    if (rc)
        kube__failure_prefix(err, request->method, request->url.data);
    return rc;
}

/* What is sent, as often as it takes. */
typedef struct sending {
    const kube__request *request;
    kube_ctx *scratch;
    kube__authorization *authorization;
    bool unknown; /* what became of an attempt */
} sending;

/* Sends once and waits. KUBE_OK = an answer came, whatever it says. @started: it was given to the
 * transport. @done: @c is no longer shared. */
static kube_code attempt(kube_client *client, kube_ctx *ctx, const sending *s, call *c,
                         bool *started, bool *done, kube_error *err)
{
    const kube__request *request = s->request;
    kube__http_request http = {.method = request->method,
                               .url = request->url.data,
                               .body = request->content_type ? request->body : NULL,
                               .body_len = request->body_len,
                               .limit_ms = client->call_timeout_ms};
    kube__exchange *exchange;
    kube_code rc = kube_ctx_status(ctx, err);
    *done = false;
    http.fenced = client->fence && strcmp(request->method, "GET") != 0;
    if (!rc && http.fenced)
        rc = check_fence(client, request, err);
    if (!rc)
        rc = kube__request_headers(client, s->scratch, request->content_type, s->authorization,
                                   &http.headers, &http.header_count, err);
    if (rc)
        return rc;
    atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed); /* until call_end() */
    atomic_fetch_add_explicit(&client->request_count, 1, memory_order_relaxed);
    rc = client->transport->start(client->transport, &http, &call_handler, c, &exchange, err);
    if (rc) {
        call_unref(c);
        return rc;
    }
    *started = true;
    *done = call_wait(c, ctx);
    if (!*done || c->end.code != KUBE_ERR_FENCED)
        kube__client_metrics_answer(&client->metrics, request->method, *done ? status_of(c) : 0);
    if (!*done) {
        rc = left_early(ctx, request, err);
    } else if (c->body.failed) {
        rc = kube__no_memory(err, "an answer");
    } else if (c->too_large) {
        rc = kube_error_set(err, KUBE_ERR_DECODE, "the answer is larger than %d MiB",
                            MAX_ANSWER_BYTES >> 20);
        kube__failure_prefix(err, request->method, request->url.data);
    } else if (c->end.code && !is_refusal(c)) {
        rc = c->end.code;
        if (err)
            *err = c->end.error;
    }
    client->transport->end(client->transport, exchange);
    return rc;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* What decoding one object found. */
typedef struct found {
    kube_object *object;
    kube_code code;
    kube_error error;
} found;

static kube_code take_object(void *arg, const kube__item *item, kube_error *err)
{
    found *f = arg;
    (void)err;
    if (item->object) {
        kube_object_unref(f->object);
        f->object = item->object;
    } else if (item->error) {
        f->code = item->error->code ? item->error->code : KUBE_ERR_DECODE;
        f->error = *item->error;
    }
    return KUBE_OK;
}

static kube_code decode_body(const kube__request *request, const char *body, size_t len, found *f,
                             kube_error *err)
{
    const kube_type *type = request->result_type ? request->result_type : request->target.type;
    const kube__stream_options options = {.form = KUBE__STREAM_OBJECT,
                                          .named = !strcmp(request->method, "GET")};
    kube__stream *stream = NULL;
    kube_code rc = kube__stream_new(type, &options, take_object, f, &stream, err);
    if (!rc)
        rc = kube__stream_feed(stream, body, len, err);
    if (!rc)
        rc = kube__stream_finish(stream, err);
    if (!rc && f->code) {
        rc = f->code;
        if (err)
            *err = f->error;
    }
    if (!rc && !f->object)
        rc = kube_error_set(err, KUBE_ERR_DECODE, "the answer contains no object");
    kube__stream_free(stream);
    return rc;
}

static kube_code decode_answer(kube_ctx *ctx, const kube__request *request, const call *c,
                               kube_object **out, kube_error *err)
{
    found f = {0};
    kube_code rc;
    if (!c->body.len)
        rc = kube_error_set(err, KUBE_ERR_DECODE, "the answer is empty (http status %d)",
                            c->head.status);
    else
        rc = decode_body(request, c->body.data, c->body.len, &f, err);
    if (rc == KUBE_ERR_DECODE || rc == KUBE_ERR_UNDECODABLE)
        kube__failure_prefix(err, request->method, request->url.data);
    if (!rc)
        rc = kube_object_keep(ctx, f.object, err);
    if (!rc) {
        /* Nobody else has seen it: the caller may edit what the server gave back. */
        kube__block_unseal(f.object);
        *out = f.object;
    }
    kube_object_unref(f.object);
    return rc;
}

static kube_code understand(kube_ctx *ctx, kube_ctx *scratch, const kube__request *request,
                            const call *c, kube_object **out, kube_error *err)
{
    kube_code rc;
    if (c->head.status < 200 || c->head.status > 299)
        return kube__request_failure(scratch, request->method, &request->target, &c->head,
                                     c->body.data, c->body.len, err);
    rc = c->body.len ? kube__request_check_type(request->method, request->url.data, &c->head, err)
                     : KUBE_OK;
    if (rc)
        return rc;
    if (out)
        return decode_answer(ctx, request, c, out, err);
    /* The stream decoder would see it: a success that is a failure (REQ-6). */
    return kube__status_read(c->body.data, c->body.len, c->head.status, &rc, err) ? rc : KUBE_OK;
}

/* Whether something of the attempt may have reached the server. */
static bool was_sent(const call *c, bool done, bool started)
{
    return started && (!done || c->answered || c->end.sent);
}

static kube_code send_once(kube_client *client, kube_ctx *ctx, sending *s, int number, bool *again,
                           kube_object **out, kube_error *err)
{
    const kube__request *request = s->request;
    call *c = NULL;
    bool started = false;
    bool done;
    kube_code rc = call_new(&c, err);
    *again = false;
    if (rc)
        return rc;
    rc = attempt(client, ctx, s, c, &started, &done, err);
    if (done)
        kube__warning_tell(client, &c->warnings);
    if (!rc)
        rc = understand(ctx, s->scratch, request, c, out, err);
    err->sent = was_sent(c, done, started);
    s->unknown = s->unknown || (rc && kube_error_outcome(err) == KUBE_OUTCOME_UNKNOWN);
    if (rc && done &&
        kube__request_renew(client, s->scratch, s->authorization, status_of(c), &rc, err)) {
        *again = true;
        rc = KUBE_OK;
    } else if (rc && done) {
        kube_code next = kube__request_retry(ctx, request->method,
                                             c->end.code && !is_refusal(c) ? NULL : &c->head,
                                             c->end.loss, number, rc, err);
        *again = next == KUBE_OK;
        rc = next;
    }
    if (*again)
        kube__client_metrics_retry(&client->metrics, request->method, status_of(c));
    call_unref(c);
    return rc;
}

kube_code kube__request_send(kube_client *client, kube_ctx *ctx, const kube__request *request,
                             kube_object **out, kube_error *err)
{
    kube_error local;
    /* Deadlines of the network are in real time, also with a fake clock. */
    kube_clock *clock = kube_clock_system();
    int64_t started = clock->now_ns(clock);
    kube__authorization authorization = {0};
    sending s = {request, NULL, &authorization, false};
    bool again;
    int number = 0;
    kube_code rc = kube__url_check(&request->url, err);
    err = err ? err : &local;
    if (!rc)
        rc = kube__ctx_scope(ctx, &s.scratch, err);
    if (rc)
        return rc;
    do {
        rc = send_once(client, ctx, &s, ++number, &again, out, err);
    } while (again);
    err->sent = err->sent || s.unknown; /* an attempt that was waited for in vain, then a stop */
    kube_ctx_free(s.scratch);
    kube__client_metrics_duration(&client->metrics, request->method,
                                  clock->now_ns(clock) - started);
    return rc;
}
