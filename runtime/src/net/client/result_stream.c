/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O thread decodes objects into the list `fresh` without a lock, and moves them to `queue`
 * when the socket has no more data, because waking the reader costs as much as decoding several
 * objects. The connection is paused while both lists together hold `limit` bytes, so they exceed it
 * at most by the objects that one chunk completes. No other lock is taken under a stream's mutex.
 */
#include "result_stream.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/units.h"
#include "base/wait.h"
#include "bookmarks.h"
#include "net/transport/failure.h"
#include "options.h"
#include "request.h"
#include "verb.h"
#include "warning.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_BUFFER_BYTES = 4 << 20,
    PUBLISHED_BYTES = 256 << 10, /* so much is published although more is at hand */
    HEAP_STEP_BYTES = 64 << 10,
    MAX_FAILURE_BYTES = 1 << 20,
    MAX_TIMEOUT_SECONDS = 1 << 30, /* beyond it, time has no meaning and arithmetic no room */
};

typedef struct entry {
    kube__result event;
    size_t bytes;
} entry;

typedef struct entry_list {
    entry *items;
    size_t head; /* first that was not taken */
    size_t len;  /* end */
    size_t size;
} entry_list;

struct kube__result_stream {
    _Atomic uint32_t refs; /* the reader's, and the transport's until on_end() */
    kube_client *client;
    kube__exchange *exchange;
    const kube_type *type;
    char *url;
    size_t limit;

    kube__stream *stream; /* the I/O thread's until `ended`, the reader's then */
    entry_list fresh;
    size_t fresh_bytes;
    size_t heap_bytes; /* taken since the heap was made to grow */
    bool is_list;
    bool hides_bookmarks;
    bool has_initial_events;   /* that were asked for, so that their end is told */
    kube__bookmarks bookmarks; /* of a watch */
    int64_t started_ns;
    kube__buffer warnings; /* the I/O thread's until `answered`, the opener's then */
    kube__buffer failure;  /* the body of an answer other than 200 */
    kube_code broken;      /* why decoding stopped */
    kube_error broken_error;

    kube__mutex mutex; /* for all below */
    kube__condition changed;
    entry_list queue;
    size_t queued_bytes;
    size_t queued_peak;
    bool paused;
    bool closed;
    bool answered;
    bool ended;
    kube__http_head head;
    kube_code end_code; /* KUBE_ERR_CLOSED = cleanly */
    kube_error end_error;
    kube__http_loss loss;
};

/* ---- events ---------------------------------------------------------------------------------- */

void kube__result_stream_event_fini(kube__result *event)
{
    kube_object_unref(event->object);
    free(event->resource_version);
    free(event->error);
    free(event->bad);
    *event = (kube__result){0};
}

static void list_fini(entry_list *list)
{
    for (size_t i = list->head; i < list->len; i++)
        kube__result_stream_event_fini(&list->items[i].event);
    free(list->items);
    *list = (entry_list){0};
}

static bool list_reserve(entry_list *list, size_t count)
{
    size_t used = list->len - list->head;
    size_t size = list->size ? list->size : 16;
    entry *items;
    if (list->len + count <= list->size)
        return true;
    if (list->head >= used) { /* what is moved has been paid for by what was taken */
        if (used > 0)
            memmove(list->items, list->items + list->head, used * sizeof *items);
        list->head = 0;
        list->len = used;
    }
    if (list->len + count <= list->size)
        return true;
    while (size < list->len + count)
        size *= 2;
    items = realloc(list->items, size * sizeof *items);
    if (items) {
        list->items = items;
        list->size = size;
    }
    return items != NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void results_unref(kube__result_stream *results)
{
    if (atomic_fetch_sub_explicit(&results->refs, 1, memory_order_acq_rel) != 1)
        return;
    list_fini(&results->fresh);
    list_fini(&results->queue);
    kube__stream_free(results->stream);
    kube__buffer_fini(&results->failure);
    kube__buffer_fini(&results->warnings);
    kube__condition_fini(&results->changed);
    kube__mutex_fini(&results->mutex);
    free(results->url);
    free(results);
}

/* ---- on the I/O thread ----------------------------------------------------------------------- */

static void on_head(void *arg, const kube__http_head *head)
{
    kube__result_stream *results = arg;
    kube__client_metrics_answer(&results->client->metrics, "GET", head->status);
    kube__lock(&results->mutex);
    results->head = *head;
    results->answered = true;
    kube__broadcast(&results->changed);
    kube__unlock(&results->mutex);
}

static void on_warning(void *arg, const char *value)
{
    kube__result_stream *results = arg;
    kube__warning_keep(&results->warnings, value);
}

/*
 * Only time hangs on this: glibc lets the heap of any thread but the first grow by a page at a
 * time, with a system call for each. Memory that is asked for in one piece and given back makes it
 * grow by that, which takes a tenth off the CPU time of a long list. No option of mallopt() does
 * the same.
 */
static void grow_heap(kube__result_stream *results, const kube_object *object)
{
#ifdef __GLIBC__
    void *volatile piece;
    results->heap_bytes += kube_object_memory(object);
    if (results->heap_bytes < HEAP_STEP_BYTES)
        return;
    results->heap_bytes = 0;
    piece = malloc(HEAP_STEP_BYTES);
    free(piece);
#else
    (void)results;
    (void)object;
#endif
}

/* Called inside kube__stream_feed(): one decoded thing goes to `fresh`. */
static kube_code take_item(void *arg, const kube__item *item, kube_error *err)
{
    kube__result_stream *results = arg;
    entry *e;
    kube_code rc = KUBE_OK;
    if (item->type == KUBE_WATCH_BOOKMARK) {
        kube_clock *clock = kube_clock_system();
        kube__bookmarks_saw(&results->bookmarks, clock->now_ns(clock));
        if (results->hides_bookmarks && !(results->has_initial_events && item->initial_events_end))
            return KUBE_OK;
    }
    if (!list_reserve(&results->fresh, 1)) {
        kube_object_unref(item->object);
        return kube__no_memory(err, "an item of an answer");
    }
    e = &results->fresh.items[results->fresh.len++];
    *e = (entry){.event = {.type = item->type,
                           .object = item->object,
                           .initial_events_end = item->initial_events_end},
                 .bytes = item->json_len};
    if (item->type == KUBE_WATCH_BOOKMARK && item->resource_version) {
        e->event.resource_version = strdup(item->resource_version);
        rc = e->event.resource_version ? KUBE_OK : kube__no_memory(err, "a bookmark");
    }
    if (!rc && item->error) {
        e->event.error = malloc(sizeof *item->error);
        rc = e->event.error ? KUBE_OK : kube__no_memory(err, "an error");
        e->bytes += sizeof *item->error;
    }
    if (e->event.error)
        *e->event.error = *item->error;
    if (!rc && item->bad) {
        e->event.bad = malloc(sizeof *item->bad);
        rc = e->event.bad ? KUBE_OK : kube__no_memory(err, "an error");
        e->bytes += sizeof *item->bad;
    }
    if (e->event.bad)
        *e->event.bad = *item->bad;
    results->fresh_bytes += e->bytes;
    if (item->object)
        grow_heap(results, item->object);
    return rc;
}

/* With the mutex held: what was decoded becomes the reader's. */
static bool publish(kube__result_stream *results)
{
    entry_list *fresh = &results->fresh;
    size_t count = fresh->len;
    if (results->closed || count == 0) {
        for (size_t i = 0; i < count; i++)
            kube__result_stream_event_fini(&fresh->items[i].event);
    } else if (results->queue.head == results->queue.len) {
        /* The usual case, a reader that keeps up: no copy, and the storage goes round. */
        entry_list empty = results->queue;
        empty.head = 0;
        empty.len = 0;
        results->queue = *fresh;
        *fresh = empty;
    } else {
        if (!list_reserve(&results->queue, count))
            return false;
        memcpy(results->queue.items + results->queue.len, fresh->items, count * sizeof(entry));
        results->queue.len += count;
    }
    fresh->len = 0;
    if (!results->closed && count > 0) {
        results->queued_bytes += results->fresh_bytes;
        kube__broadcast(&results->changed);
    }
    if (results->queued_bytes > results->queued_peak)
        results->queued_peak = results->queued_bytes;
    results->fresh_bytes = 0;
    return true;
}

static void publish_or_break(kube__result_stream *results)
{
    bool ok;
    kube__lock(&results->mutex);
    ok = publish(results);
    kube__unlock(&results->mutex);
    if (!ok && !results->broken)
        results->broken = kube__no_memory(&results->broken_error, "an answer");
}

/* Whether there is room; if not, the reader will say when there is. */
static kube__http_verdict ask_for_room(kube__result_stream *results)
{
    kube__http_verdict verdict = KUBE__HTTP_TAKEN;
    kube__lock(&results->mutex);
    if (results->closed || results->broken) {
        verdict = KUBE__HTTP_STOP;
    } else if (results->queued_bytes + results->fresh_bytes >= results->limit) {
        results->paused = true; /* on_rest() gives the reader what is fresh */
        verdict = KUBE__HTTP_FULL;
    }
    kube__unlock(&results->mutex);
    return verdict;
}

/* Whether the answer is one to decode; otherwise it is collected for its message. */
static bool is_good(const kube__result_stream *results)
{
    return results->head.status == 200 &&
           !kube__request_check_type("GET", results->url, &results->head, NULL);
}

static kube__http_verdict on_data(void *arg, const char *data, size_t len)
{
    kube__result_stream *results = arg;
    kube__http_verdict verdict = ask_for_room(results);
    if (verdict != KUBE__HTTP_TAKEN)
        return verdict;
    if (!is_good(results)) {
        /* Only for a message: what is too much is passed over. */
        if (len <= MAX_FAILURE_BYTES - results->failure.len)
            kube__buffer_add(&results->failure, data, len);
        return KUBE__HTTP_TAKEN;
    }
    results->broken = kube__stream_feed(results->stream, data, len, &results->broken_error);
    if (results->broken || results->fresh_bytes >= PUBLISHED_BYTES)
        publish_or_break(results);
    return results->broken ? KUBE__HTTP_STOP : KUBE__HTTP_TAKEN;
}

static kube__http_verdict on_rest(void *arg)
{
    kube__result_stream *results = arg;
    if (results->fresh.len > 0)
        publish_or_break(results);
    return results->broken ? KUBE__HTTP_STOP : KUBE__HTTP_TAKEN;
}

/* As client-go counts: the time of a list, but not of a watch. */
static void count_answer(const kube__result_stream *results, const kube__http_end *end)
{
    const kube__client_metrics *metrics = &results->client->metrics;
    kube_clock *clock = kube_clock_system();
    if (!results->answered)
        kube__client_metrics_answer(metrics, "GET", 0);
    if (end->code && !strcmp(end->error.reason, "Idle"))
        kube__client_metrics_dead(metrics, results->is_list ? "list" : "watch");
    if (results->is_list)
        kube__client_metrics_duration(metrics, "GET", clock->now_ns(clock) - results->started_ns);
}

static void on_end(void *arg, const kube__http_end *end)
{
    kube__result_stream *results = arg;
    kube_code rc = end->code;
    kube_error error = end->error;
    count_answer(results, end);
    if (!rc && !results->broken && results->answered && is_good(results))
        rc = kube__stream_finish(results->stream, &error);
    publish_or_break(results);
    if (results->broken) {
        rc = results->broken;
        error = results->broken_error;
    }
    if (!rc)
        rc = kube_error_set(&error, KUBE_ERR_CLOSED, "the server ended the answer");
    else if (rc == KUBE_ERR_DECODE)
        kube__failure_prefix(&error, "GET", results->url);
    kube__lock(&results->mutex);
    results->end_code = rc;
    results->end_error = error;
    results->loss = end->loss;
    results->ended = true;
    kube__broadcast(&results->changed);
    kube__unlock(&results->mutex);
    results_unref(results);
}

static int64_t silence_ms(void *arg)
{
    const kube__result_stream *results = arg;
    const kube_client *client = results->client;
    bool waits_for_head = !results->answered && client->idle_timeout_ms;
    if (results->is_list || waits_for_head)
        return client->idle_timeout_ms;
    return kube__bookmarks_patience_ms(&results->bookmarks, client->watch_silence_ms);
}

static const kube__http_handler handler = {on_head, on_data,    on_rest,
                                           on_end,  silence_ms, on_warning};

/* ---- opening --------------------------------------------------------------------------------- */

static kube_code stream_new(kube_client *client, const kube_type *type,
                            const kube__result_stream_options *options, const char *url,
                            kube__result_stream **out, kube_error *err)
{
    const kube__stream_options stream_options = {.form = options->form,
                                                 .drop_managed_fields =
                                                     options->drop_managed_fields,
                                                 .named = true,
                                                 .intern = options->intern};
    kube__result_stream *results = calloc(1, sizeof *results);
    kube_code rc;
    if (!results)
        return kube__no_memory(err, "an answer about %s", type->resource);
    rc = kube__mutex_init(&results->mutex, err);
    if (rc) {
        free(results);
        return rc;
    }
    rc = kube__condition_init(&results->changed, err);
    if (rc) {
        kube__mutex_fini(&results->mutex);
        free(results);
        return rc;
    }
    atomic_init(&results->refs, 1);
    results->client = client;
    results->type = type;
    results->limit = options->buffer_bytes ? options->buffer_bytes : DEFAULT_BUFFER_BYTES;
    kube__buffer_init(&results->failure, MAX_FAILURE_BYTES);
    kube__buffer_init(&results->warnings, SIZE_MAX);
    results->url = strdup(url);
    rc = results->url
             ? kube__stream_new(type, &stream_options, take_item, results, &results->stream, err)
             : kube__no_memory(err, "a URL");
    if (rc) {
        results_unref(results);
        return rc;
    }
    *out = results;
    return KUBE_OK;
}

static kube_code start(kube__result_stream *results, kube_ctx *scratch,
                       kube__authorization *authorization,
                       const kube__result_stream_options *options, kube_error *err)
{
    kube_client *client = results->client;
    kube_clock *clock = kube_clock_system();
    kube__http_request http = {.method = "GET",
                               .url = results->url,
                               .own_connection = true,
                               .packed = client->packed,
                               .bulk = options->form == KUBE__STREAM_LIST ||
                                       options->watch.send_initial_events};
    kube_code rc = kube__request_headers(client, scratch, NULL, authorization, &http.headers,
                                         &http.header_count, err);
    if (rc)
        return rc;
    results->is_list = options->form == KUBE__STREAM_LIST;
    results->hides_bookmarks = options->hides_bookmarks;
    results->has_initial_events = options->watch.send_initial_events;
    results->started_ns = clock->now_ns(clock);
    http.limit_ms = results->is_list ? client->set_timeout_ms : 0;
    atomic_fetch_add_explicit(&results->refs, 1, memory_order_relaxed); /* until on_end() */
    atomic_fetch_add_explicit(&client->request_count, 1, memory_order_relaxed);
    rc = client->streams->start(client->streams, &http, &handler, results, &results->exchange, err);
    if (rc)
        results_unref(results);
    return rc;
}

/* Waits for the head of the answer or, if the answer will not be decoded, for its end. Returns
 * false if the ctx has ended. */
static bool wait_for_head(kube__result_stream *results, kube_ctx *ctx)
{
    kube__wait_scope scope;
    bool done;
    kube__wait_begin(&scope, ctx, &results->mutex, &results->changed, 0);
    kube__lock(&results->mutex);
    while (!(done = results->ended || (results->answered && is_good(results))) &&
           kube__wait_step(&scope)) {
    }
    kube__unlock(&results->mutex);
    kube__wait_end(&scope);
    return done;
}

/* Why there is nothing to read, once the head or the end has come. */
static kube_code check_answer(kube__result_stream *results, kube_ctx *scratch,
                              const kube__target *target, kube_error *err)
{
    kube_code rc = KUBE_OK;
    /* A head that says failure is the answer, even when the rest of it was cut. */
    if (!results->answered || (results->head.status < 300 && results->head.status != 200 &&
                               results->end_code != KUBE_ERR_CLOSED)) {
        if (err)
            *err = results->end_error;
        return results->end_code;
    }
    if (results->head.status != 200)
        rc = kube__request_failure(scratch, "GET", target, &results->head, results->failure.data,
                                   results->failure.len, err);
    else
        rc = kube__request_check_type("GET", results->url, &results->head, err);
    return rc;
}

/* What is asked for, as often as it takes. */
typedef struct opening {
    kube_client *client;
    kube_ctx *ctx;
    kube_ctx *scratch;
    const kube__target *target;
    const kube__result_stream_options *options;
    const char *url;
    kube__authorization *authorization;
} opening;

/* The @number-th attempt. With KUBE_OK and *@again there is to be a further one. */
static kube_code open_once(const opening *o, int number, bool *again, kube__result_stream **out,
                           kube_error *err)
{
    kube__result_stream *results = NULL;
    kube_code rc = kube_ctx_status(o->ctx, err);
    *again = false;
    if (!rc)
        rc = stream_new(o->client, o->target->type, o->options, o->url, &results, err);
    if (!rc)
        rc = start(results, o->scratch, o->authorization, o->options, err);
    if (rc) {
        kube__result_stream_close(results);
        return rc;
    }
    if (!wait_for_head(results, o->ctx)) {
        rc = kube_ctx_status(o->ctx, err);
        rc = rc ? rc : kube_error_set(err, KUBE_ERR_TIMEOUT, "timed out");
        kube__failure_prefix(err, "GET", o->url);
    } else {
        int status = results->answered ? results->head.status : 0;
        kube__warning_tell(o->client, &results->warnings);
        rc = check_answer(results, o->scratch, o->target, err);
        if (rc && kube__request_renew(o->client, o->scratch, o->authorization, status, &rc, err)) {
            *again = true;
            rc = KUBE_OK;
        } else if (rc) {
            /* A new connection that a watch lost is a matter of who watches (REQ-5). */
            bool theirs =
                o->options->form == KUBE__STREAM_WATCH && results->loss == KUBE__HTTP_LOST;
            kube_code next =
                kube__request_retry(o->ctx, "GET", results->answered ? &results->head : NULL,
                                    theirs ? KUBE__HTTP_NOT_LOST : results->loss, number, rc, err);
            *again = next == KUBE_OK;
            rc = next;
        }
        if (*again)
            kube__client_metrics_retry(&o->client->metrics, "GET", status);
    }
    if (rc || *again) {
        kube__result_stream_close(results);
        return rc;
    }
    *out = results;
    return KUBE_OK;
}

static kube_code open_stream(const opening *o, kube__result_stream **out, kube_error *err)
{
    bool again = true;
    kube_code rc = KUBE_OK;
    for (int number = 1; !rc && again; number++)
        rc = open_once(o, number, &again, out, err);
    return rc;
}

kube_code kube__result_stream_open(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                   const kube__result_stream_options *options,
                                   kube__result_stream **out, kube_error *err)
{
    bool watch = options->form == KUBE__STREAM_WATCH;
    kube__target target = {.type = type, .verb = watch ? "watch" : "list"};
    kube__authorization authorization = {0};
    kube_error local;
    kube_ctx *scratch;
    kube__buffer url;
    kube_code rc;
    *out = NULL;
    err = err ? err : &local;
    rc = kube__verb_namespace(ctx, type, target.verb, options->namespace_, NULL, false,
                              &target.namespace_, err);
    if (!rc)
        rc = kube__url_start(&url, client->config, &target, err);
    if (rc)
        return rc;
    if (watch)
        kube__options_watch(&url, &options->watch);
    else
        kube__options_list(&url, &options->list);
    kube__url_add_timeout(&url, watch ? 0 : client->set_timeout_ms);
    rc = kube__ctx_scope(ctx, &scratch, err);
    if (!rc)
        rc = kube__url_check(&url, err);
    if (!rc)
        rc = open_stream(
            &(opening){client, ctx, scratch, &target, options, url.data, &authorization}, out, err);
    kube_ctx_free(scratch);
    kube__buffer_fini(&url);
    return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* With the mutex held: moves what there is, at most @max; true = the connection may go on. */
static bool take(kube__result_stream *results, kube__result *events, size_t max, size_t *count)
{
    entry_list *queue = &results->queue;
    while (*count < max && queue->head < queue->len) {
        entry *e = &queue->items[queue->head++];
        events[(*count)++] = e->event;
        results->queued_bytes -= e->bytes;
    }
    if (results->paused && results->queued_bytes < (results->limit + 1) / 2) {
        results->paused = false;
        return true;
    }
    return false;
}

kube_code kube__result_stream_next(kube__result_stream *results, kube_ctx *ctx,
                                   kube__result *events, size_t max, size_t *count, kube_error *err)
{
    kube__wait_scope scope;
    bool resume;
    kube_code rc = kube_ctx_status(ctx, err);
    *count = 0;
    if (rc)
        return rc;
    kube__wait_begin(&scope, ctx, &results->mutex, &results->changed, 0);
    kube__lock(&results->mutex);
    while (results->queue.head == results->queue.len && !results->ended &&
           kube__wait_step(&scope)) {
    }
    resume = take(results, events, max, count);
    if (*count == 0 && results->ended) {
        rc = results->end_code;
        if (err)
            *err = results->end_error;
    }
    kube__unlock(&results->mutex);
    kube__wait_end(&scope);
    if (resume)
        results->client->streams->resume(results->client->streams, results->exchange);
    if (*count == 0 && !rc) {
        rc = kube_ctx_status(ctx, err);
        rc = rc ? rc : kube_error_set(err, KUBE_ERR_TIMEOUT, "timed out");
    }
    return rc;
}

const kube_list_meta *kube__result_stream_list_meta(const kube__result_stream *results)
{
    return kube__stream_list_meta(results->stream);
}

size_t kube__result_stream_queued_peak(const kube__result_stream *results)
{
    size_t peak;
    kube__lock(kube__mutable(&results->mutex));
    peak = results->queued_peak;
    kube__unlock(kube__mutable(&results->mutex));
    return peak;
}

void kube__result_stream_close(kube__result_stream *results)
{
    entry_list dropped;
    if (!results)
        return;
    kube__lock(&results->mutex);
    results->closed = true;
    dropped = results->queue;
    results->queue = (entry_list){0};
    results->queued_bytes = 0;
    kube__unlock(&results->mutex);
    list_fini(&dropped);
    if (results->exchange)
        results->client->streams->end(results->client->streams, results->exchange);
    results_unref(results);
}
