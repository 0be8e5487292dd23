/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O thread decodes what comes into `fresh` without a lock and publishes it to `queue` when
 * there is no more at hand: to wake the reader costs as much as to decode some objects. It is not
 * fed while both hold `limit` bytes or more, so the queue's bound is the limit plus what one chunk
 * completes. Lock order: none, a feed's mutex is held for list work only.
 */
#include "feed.h"
#include "base/wait.h"
#include "options.h"
#include "request.h"
#include "verb.h"
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_BUFFER_BYTES = 4 << 20,
    PUBLISHED_BYTES = 256 << 10, /* so much is published although more is at hand */
    HEAP_STEP_BYTES = 64 << 10,
    MAX_FAILURE_BYTES = 1 << 20,
    MAX_TIMEOUT_SECONDS = 1 << 30, /* beyond it, time has no meaning and arithmetic no room */
    LIST_LIFE_MS = 60000,          /* apiserver's own limit for a request that is no watch */
};

typedef struct entry {
    kube__feed_event event;
    size_t bytes;
} entry;

typedef struct entry_list {
    entry *items;
    size_t head; /* first that was not taken */
    size_t len;  /* end */
    size_t size;
} entry_list;

struct kube__feed {
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
    int64_t started_ns;
    kube__buffer failure; /* the body of an answer other than 200 */
    kube_code broken;     /* why decoding stopped */
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
    bool unanswered;
};

static kube_code no_memory(kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
}

/* ---- events -------------------------------------------------------------------------------- */

void kube__feed_event_fini(kube__feed_event *event)
{
    kube_object_unref(event->object);
    free(event->resource_version);
    free(event->error);
    *event = (kube__feed_event){0};
}

static void list_fini(entry_list *list)
{
    for (size_t i = list->head; i < list->len; i++)
        kube__feed_event_fini(&list->items[i].event);
    free(list->items);
    *list = (entry_list){0};
}

static bool list_reserve(entry_list *list, size_t count)
{
    size_t used = list->len - list->head;
    size_t size = list->size ? list->size : 16;
    entry *items;
    if (list->head > 0) {
        memmove(list->items, list->items + list->head, used * sizeof(*items));
        list->head = 0;
        list->len = used;
    }
    if (used + count <= list->size)
        return true;
    while (size < used + count)
        size *= 2;
    items = realloc(list->items, size * sizeof(*items));
    if (items) {
        list->items = items;
        list->size = size;
    }
    return items != NULL;
}

/* ---- life ---------------------------------------------------------------------------------- */

static void feed_unref(kube__feed *feed)
{
    if (atomic_fetch_sub_explicit(&feed->refs, 1, memory_order_acq_rel) != 1)
        return;
    list_fini(&feed->fresh);
    list_fini(&feed->queue);
    kube__stream_free(feed->stream);
    kube__buffer_fini(&feed->failure);
    kube__condition_fini(&feed->changed);
    kube__mutex_fini(&feed->mutex);
    free(feed->url);
    free(feed);
}

/* ---- on the I/O thread --------------------------------------------------------------------- */

static void feed_head(void *arg, const kube__http_head *head)
{
    kube__feed *feed = arg;
    kube__client_metrics_answer(&feed->client->metrics, "GET", head->status);
    kube__lock(&feed->mutex);
    feed->head = *head;
    feed->answered = true;
    kube__broadcast(&feed->changed);
    kube__unlock(&feed->mutex);
}

/*
 * glibc lets the heap of any thread but the first grow by a page at a time, with a system call for
 * each. Memory that is asked for in one piece and given back makes it grow by that.
 */
static void grow_heap(kube__feed *feed, const kube_object *object)
{
#ifdef __GLIBC__
    void *volatile piece;
    feed->heap_bytes += kube_object_memory(object);
    if (feed->heap_bytes < HEAP_STEP_BYTES)
        return;
    feed->heap_bytes = 0;
    piece = malloc(HEAP_STEP_BYTES);
    free(piece);
#else
    (void)feed;
    (void)object;
#endif
}

/* Called inside kube__stream_feed(): one decoded thing goes to `fresh`. */
static kube_code take_item(void *arg, const kube__item *item, kube_error *err)
{
    kube__feed *feed = arg;
    entry *e;
    kube_code rc = KUBE_OK;
    if (!list_reserve(&feed->fresh, 1)) {
        kube_object_unref(item->object);
        return no_memory(err);
    }
    e = &feed->fresh.items[feed->fresh.len++];
    *e = (entry){.event = {.type = item->type,
                           .object = item->object,
                           .initial_events_end = item->initial_events_end},
                 .bytes = item->json_len};
    if (item->type == KUBE_EVENT_BOOKMARK && item->resource_version) {
        e->event.resource_version = strdup(item->resource_version);
        rc = e->event.resource_version ? KUBE_OK : no_memory(err);
    }
    if (!rc && item->error) {
        e->event.error = malloc(sizeof(*item->error));
        rc = e->event.error ? KUBE_OK : no_memory(err);
        e->bytes += sizeof(*item->error);
    }
    if (e->event.error)
        *e->event.error = *item->error;
    feed->fresh_bytes += e->bytes;
    if (item->object)
        grow_heap(feed, item->object);
    return rc;
}

/* With the mutex held: what was decoded becomes the reader's. */
static bool publish(kube__feed *feed)
{
    entry_list *fresh = &feed->fresh;
    size_t count = fresh->len;
    if (feed->closed || count == 0) {
        for (size_t i = 0; i < count; i++)
            kube__feed_event_fini(&fresh->items[i].event);
    } else if (feed->queue.head == feed->queue.len) {
        /* The usual case, a reader that keeps up: no copy, and the storage goes round. */
        entry_list empty = feed->queue;
        empty.head = 0;
        empty.len = 0;
        feed->queue = *fresh;
        *fresh = empty;
    } else {
        if (!list_reserve(&feed->queue, count))
            return false;
        memcpy(feed->queue.items + feed->queue.len, fresh->items, count * sizeof(entry));
        feed->queue.len += count;
    }
    fresh->len = 0;
    if (!feed->closed && count > 0) {
        feed->queued_bytes += feed->fresh_bytes;
        kube__broadcast(&feed->changed);
    }
    if (feed->queued_bytes > feed->queued_peak)
        feed->queued_peak = feed->queued_bytes;
    feed->fresh_bytes = 0;
    return true;
}

static void publish_or_break(kube__feed *feed)
{
    bool ok;
    kube__lock(&feed->mutex);
    ok = publish(feed);
    kube__unlock(&feed->mutex);
    if (!ok && !feed->broken)
        feed->broken = no_memory(&feed->broken_error);
}

/* Whether there is room; if not, the reader will say when there is. */
static kube__http_verdict ask_for_room(kube__feed *feed)
{
    kube__http_verdict verdict = KUBE__HTTP_TAKEN;
    kube__lock(&feed->mutex);
    if (feed->closed || feed->broken) {
        verdict = KUBE__HTTP_STOP;
    } else if (feed->queued_bytes + feed->fresh_bytes >= feed->limit) {
        feed->paused = true; /* feed_rest() gives the reader what is fresh */
        verdict = KUBE__HTTP_FULL;
    }
    kube__unlock(&feed->mutex);
    return verdict;
}

/* Whether the answer is one to decode; otherwise it is collected for its message. */
static bool is_good(const kube__feed *feed)
{
    return feed->head.status == 200 &&
           !kube__request_check_type("GET", feed->url, &feed->head, NULL);
}

static kube__http_verdict feed_data(void *arg, const char *data, size_t len)
{
    kube__feed *feed = arg;
    kube__http_verdict verdict = ask_for_room(feed);
    if (verdict != KUBE__HTTP_TAKEN)
        return verdict;
    if (!is_good(feed)) {
        /* Only for a message: what is too much is passed over. */
        if (len <= MAX_FAILURE_BYTES - feed->failure.len)
            kube__buffer_add(&feed->failure, data, len);
        return KUBE__HTTP_TAKEN;
    }
    feed->broken = kube__stream_feed(feed->stream, data, len, &feed->broken_error);
    if (feed->broken || feed->fresh_bytes >= PUBLISHED_BYTES)
        publish_or_break(feed);
    return feed->broken ? KUBE__HTTP_STOP : KUBE__HTTP_TAKEN;
}

static kube__http_verdict feed_rest(void *arg)
{
    kube__feed *feed = arg;
    if (feed->fresh.len > 0)
        publish_or_break(feed);
    return feed->broken ? KUBE__HTTP_STOP : KUBE__HTTP_TAKEN;
}

/* As client-go counts: the time of a list, but not of a watch. */
static void count_answer(const kube__feed *feed)
{
    const kube__client_metrics *metrics = &feed->client->metrics;
    kube_clock *clock = kube_clock_system();
    if (!feed->answered)
        kube__client_metrics_answer(metrics, "GET", 0);
    if (feed->is_list)
        kube__client_metrics_duration(metrics, "GET", clock->now_ns(clock) - feed->started_ns);
}

static void feed_end(void *arg, const kube__http_end *end)
{
    kube__feed *feed = arg;
    kube_code code = end->code;
    kube_error error = end->error;
    count_answer(feed);
    if (!code && !feed->broken && feed->answered && is_good(feed))
        code = kube__stream_finish(feed->stream, &error);
    publish_or_break(feed);
    if (feed->broken) {
        code = feed->broken;
        error = feed->broken_error;
    }
    if (!code)
        code = kube_error_set(&error, KUBE_ERR_CLOSED, "the server ended the answer");
    else if (code == KUBE_ERR_DECODE)
        kube_error_prefix(&error, "GET %.*s", (int)strcspn(feed->url, "?"), feed->url);
    kube__lock(&feed->mutex);
    feed->end_code = code;
    feed->end_error = error;
    feed->unanswered = end->unanswered;
    feed->ended = true;
    kube__broadcast(&feed->changed);
    kube__unlock(&feed->mutex);
    feed_unref(feed);
}

static const kube__http_handler feed_handler = {feed_head, feed_data, feed_rest, feed_end};

/* ---- opening ------------------------------------------------------------------------------- */

static kube_code feed_new(kube_client *client, const kube_type *type,
                          const kube__feed_options *options, const char *url, kube__feed **out,
                          kube_error *err)
{
    const kube__stream_options stream_options = {.form = options->form,
                                                 .drop_managed_fields =
                                                     options->drop_managed_fields,
                                                 .intern = options->intern};
    kube__feed *feed = calloc(1, sizeof(*feed));
    kube_code rc;
    if (!feed)
        return no_memory(err);
    rc = kube__mutex_init(&feed->mutex, err);
    if (rc) {
        free(feed);
        return rc;
    }
    rc = kube__condition_init(&feed->changed, err);
    if (rc) {
        kube__mutex_fini(&feed->mutex);
        free(feed);
        return rc;
    }
    atomic_init(&feed->refs, 1);
    feed->client = client;
    feed->type = type;
    feed->limit = options->buffer_bytes ? options->buffer_bytes : DEFAULT_BUFFER_BYTES;
    kube__buffer_init(&feed->failure, MAX_FAILURE_BYTES);
    feed->url = strdup(url);
    rc = feed->url ? kube__stream_new(type, &stream_options, take_item, feed, &feed->stream, err)
                   : no_memory(err);
    if (rc) {
        feed_unref(feed);
        return rc;
    }
    *out = feed;
    return KUBE_OK;
}

static int64_t life_ms(const kube__feed_options *options)
{
    bool watch = options->form == KUBE__STREAM_WATCH;
    int64_t seconds = watch ? options->watch.timeout_seconds : options->list.timeout_seconds;
    if (seconds <= 0)
        return watch ? 0 : LIST_LIFE_MS;
    return (seconds < MAX_TIMEOUT_SECONDS ? seconds : MAX_TIMEOUT_SECONDS) * 1000;
}

static kube_code start(kube__feed *feed, kube_ctx *scratch, const kube__feed_options *options,
                       kube_error *err)
{
    kube_client *client = feed->client;
    kube_clock *clock = kube_clock_system();
    kube__http_request http = {.method = "GET",
                               .url = feed->url,
                               .own_connection = true,
                               .bulk = options->form == KUBE__STREAM_LIST ||
                                       options->watch.send_initial_events,
                               .life_ms = life_ms(options)};
    kube_code rc =
        kube__request_headers(client, scratch, NULL, &http.headers, &http.header_count, err);
    if (rc)
        return rc;
    feed->is_list = options->form == KUBE__STREAM_LIST;
    feed->started_ns = clock->now_ns(clock);
    /* A watch without a time of its own may be silent for as long as the server likes. */
    http.silence_ms = http.life_ms ? client->silence_ms : 0;
    atomic_fetch_add_explicit(&feed->refs, 1, memory_order_relaxed); /* until feed_end() */
    atomic_fetch_add_explicit(&client->request_count, 1, memory_order_relaxed);
    rc = client->streams->start(client->streams, &http, &feed_handler, feed, &feed->exchange, err);
    if (rc)
        feed_unref(feed);
    return rc;
}

/* Waits for the head, or for the end when the answer is none to decode. False: the ctx is over. */
static bool wait_for_head(kube__feed *feed, kube_ctx *ctx)
{
    kube__wait_scope scope;
    bool done;
    kube__wait_begin(&scope, ctx, &feed->mutex, &feed->changed, 0);
    kube__lock(&feed->mutex);
    while (!(done = feed->ended || (feed->answered && is_good(feed))) && kube__wait_step(&scope)) {
    }
    kube__unlock(&feed->mutex);
    kube__wait_end(&scope);
    return done;
}

/* Why there is nothing to read, once the head or the end has come. */
static kube_code check_answer(kube__feed *feed, kube_ctx *scratch, const kube__target *target,
                              kube_error *err)
{
    kube_code rc = KUBE_OK;
    /* A head that says failure is the answer, even when the rest of it was cut. */
    if (!feed->answered || (feed->head.status < 300 && feed->head.status != 200 &&
                            feed->end_code != KUBE_ERR_CLOSED)) {
        if (err)
            *err = feed->end_error;
        return feed->end_code;
    }
    if (feed->head.status != 200)
        rc = kube__request_failure(scratch, "GET", target, &feed->head, feed->failure.data,
                                   feed->failure.len, err);
    else
        rc = kube__request_check_type("GET", feed->url, &feed->head, err);
    return rc;
}

static kube_code open_once(kube_client *client, kube_ctx *ctx, kube_ctx *scratch,
                           const kube__target *target, const kube__feed_options *options,
                           const char *url, int number, bool *again, kube__feed **out,
                           kube_error *err)
{
    kube__feed *feed = NULL;
    kube_code rc = kube_ctx_status(ctx, err);
    *again = false;
    if (!rc)
        rc = feed_new(client, target->type, options, url, &feed, err);
    if (!rc)
        rc = start(feed, scratch, options, err);
    if (rc) {
        kube__feed_close(feed);
        return rc;
    }
    if (!wait_for_head(feed, ctx)) {
        rc = kube_ctx_status(ctx, err);
        rc = rc ? rc : kube_error_set(err, KUBE_ERR_TIMEOUT, "timed out");
        kube_error_prefix(err, "GET %.*s", (int)strcspn(url, "?"), url);
    } else {
        rc = check_answer(feed, scratch, target, err);
        if (rc && options->form == KUBE__STREAM_LIST) {
            /* Watches are reopened by who watches (REQ-5). */
            kube_code next = kube__request_retry(ctx, "GET", feed->answered ? &feed->head : NULL,
                                                 feed->unanswered, number, rc, err);
            *again = next == KUBE_OK;
            rc = next;
            if (*again)
                kube__client_metrics_retry(&client->metrics, "GET",
                                           feed->answered ? feed->head.status : 0);
        }
    }
    if (rc || *again) {
        kube__feed_close(feed);
        return rc;
    }
    *out = feed;
    return KUBE_OK;
}

static kube_code open_url(kube_client *client, kube_ctx *ctx, kube_ctx *scratch,
                          const kube__target *target, const kube__feed_options *options,
                          const kube__buffer *url, kube__feed **out, kube_error *err)
{
    bool again;
    int number = 0;
    kube_code rc = kube__url_check(url, err);
    if (rc)
        return rc;
    do {
        rc =
            open_once(client, ctx, scratch, target, options, url->data, ++number, &again, out, err);
    } while (again);
    return rc;
}

kube_code kube__feed_open(kube_client *client, kube_ctx *ctx, const kube_type *type,
                          const kube__feed_options *options, kube__feed **out, kube_error *err)
{
    bool watch = options->form == KUBE__STREAM_WATCH;
    kube__target target = {.type = type, .verb = watch ? "watch" : "list"};
    kube_error local;
    kube_ctx *scratch;
    kube__buffer url;
    kube_code rc;
    *out = NULL;
    err = err ? err : &local;
    rc = kube__verb_namespace(type, target.verb, options->namespace_, NULL, false,
                              &target.namespace_, err);
    if (!rc)
        rc = kube__url_start(&url, client->config, &target, err);
    if (rc)
        return rc;
    if (watch)
        kube__options_watch(&url, &options->watch);
    else
        kube__options_list(&url, &options->list);
    scratch = kube_ctx_child(ctx);
    rc =
        scratch ? open_url(client, ctx, scratch, &target, options, &url, out, err) : no_memory(err);
    kube_ctx_free(scratch);
    kube__buffer_fini(&url);
    return rc;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* With the mutex held: moves what there is, at most @max; true = the connection may go on. */
static bool take(kube__feed *feed, kube__feed_event *events, size_t max, size_t *count)
{
    entry_list *queue = &feed->queue;
    while (*count < max && queue->head < queue->len) {
        entry *e = &queue->items[queue->head++];
        events[(*count)++] = e->event;
        feed->queued_bytes -= e->bytes;
    }
    if (feed->paused && feed->queued_bytes < (feed->limit + 1) / 2) {
        feed->paused = false;
        return true;
    }
    return false;
}

kube_code kube__feed_next(kube__feed *feed, kube_ctx *ctx, kube__feed_event *events, size_t max,
                          size_t *count, kube_error *err)
{
    kube__wait_scope scope;
    bool resume;
    kube_code rc = kube_ctx_status(ctx, err);
    *count = 0;
    if (rc)
        return rc;
    kube__wait_begin(&scope, ctx, &feed->mutex, &feed->changed, 0);
    kube__lock(&feed->mutex);
    while (feed->queue.head == feed->queue.len && !feed->ended && kube__wait_step(&scope)) {
    }
    resume = take(feed, events, max, count);
    if (*count == 0 && feed->ended) {
        rc = feed->end_code;
        if (err)
            *err = feed->end_error;
    }
    kube__unlock(&feed->mutex);
    kube__wait_end(&scope);
    if (resume)
        feed->client->streams->resume(feed->client->streams, feed->exchange);
    if (*count == 0 && !rc) {
        rc = kube_ctx_status(ctx, err);
        rc = rc ? rc : kube_error_set(err, KUBE_ERR_TIMEOUT, "timed out");
    }
    return rc;
}

const kube_list_meta *kube__feed_list_meta(const kube__feed *feed)
{
    return kube__stream_list_meta(feed->stream);
}

size_t kube__feed_queued_peak(const kube__feed *feed)
{
    size_t peak;
    /* Reading it changes nothing but the mutex. */
    kube__mutex *mutex = (kube__mutex *)(uintptr_t)&feed->mutex;
    kube__lock(mutex);
    peak = feed->queued_peak;
    kube__unlock(mutex);
    return peak;
}

void kube__feed_close(kube__feed *feed)
{
    entry_list dropped;
    if (!feed)
        return;
    kube__lock(&feed->mutex);
    feed->closed = true;
    dropped = feed->queue;
    feed->queue = (entry_list){0};
    feed->queued_bytes = 0;
    kube__unlock(&feed->mutex);
    list_fini(&dropped);
    if (feed->exchange)
        feed->client->streams->end(feed->client->streams, feed->exchange);
    feed_unref(feed);
}
