/* SPDX-License-Identifier: Apache-2.0 */
#include "event_series.h"

#include "base/text.h"

enum { RUNNING_MAX = 4096 };
static const int64_t refresh_period_ns = INT64_C(1800000000000); /* 30 min */
static const int64_t idle_ns = INT64_C(360000000000);            /* 6 min, then it has ended */

typedef struct running {
    kube__lru_entry entry;
    kube__event *event; /* the first one, with the count of all */
    int64_t seen_ns;    /* the last one's time; the oldest entry has the smallest */
} running;

static void write_event(kube__event_series *series, kube__event *event)
{
    if (event->waits)
        return;
    event->tries = 0;
    series->write(series->arg, kube__event_ref(event));
}

/* The end of a series, for want of further events or of room: its count is written a last time. */
static void release_running(void *arg, kube__lru_entry *entry)
{
    kube__event_series *series = arg;
    running *r = (running *)entry;
    if (r->event && r->event->count > 1 && series->write)
        write_event(series, r->event);
    kube__event_unref(r->event);
}

void kube__event_series_init(kube__event_series *series,
                             void (*write)(void *arg, kube__event *event), void *arg)
{
    *series = (kube__event_series){.write = write, .arg = arg};
    series->running.most = RUNNING_MAX;
    series->running.release = release_running;
    series->running.arg = series;
}

void kube__event_series_fini(kube__event_series *series)
{
    series->write = NULL;
    kube__lru_fini(&series->running);
}

/* Controller and instance are the same for all events of a recorder. */
static kube_key key_of(kube_ctx *ctx, const kube__event *event)
{
    const kube__wire_object_reference *a = &event->regarding;
    const kube__wire_object_reference *b = &event->related;
    return (kube_key){
        kube__event_namespace(event),
        kube_printf(ctx,
                    "%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s"
                    "\x1f%s",
                    event->type, event->action, event->reason, kube__text_or_empty(a->api_version),
                    kube__text_or_empty(a->kind), kube__text_or_empty(a->name),
                    kube__text_or_empty(a->uid), kube__text_or_empty(a->resource_version),
                    kube__text_or_empty(b->api_version), kube__text_or_empty(b->kind),
                    kube__text_or_empty(b->namespace_), kube__text_or_empty(b->name),
                    kube__text_or_empty(b->uid), kube__text_or_empty(b->resource_version))};
}

static void go_on(kube__event_series *series, running *r, const kube__event *repeat)
{
    kube__event *event = r->event;
    r->seen_ns = repeat->now_ns;
    event->last_ns = repeat->wall_ns;
    if (event->count < INT32_MAX)
        event->count++;
    if (event->count == 2)
        write_event(series, event);
}

static void begin(kube__event_series *series, kube_key key, kube__event *event)
{
    running *r = key.name ? kube__lru_add(&series->running, sizeof *r, key) : NULL;
    if (r) {
        if (series->running.map.count == 1)
            series->refresh_ns = event->now_ns + refresh_period_ns;
        r->event = kube__event_ref(event);
        r->seen_ns = event->now_ns;
    }
    write_event(series, event);
}

void kube__event_series_observe(kube__event_series *series, kube_ctx *ctx, kube__event *event)
{
    kube_key key = key_of(ctx, event);
    running *r = key.name ? kube__lru_use(&series->running, key) : NULL;
    if (r)
        go_on(series, r, event);
    else
        begin(series, key, event);
    kube__event_unref(event);
}

int64_t kube__event_series_due_ns(const kube__event_series *series)
{
    const running *oldest = (const running *)series->running.oldest;
    int64_t end_ns;
    if (!oldest)
        return INT64_MAX;
    end_ns = oldest->seen_ns + idle_ns;
    return end_ns < series->refresh_ns ? end_ns : series->refresh_ns;
}

static void write_all(kube__event_series *series, bool unwritten_only)
{
    for (kube__lru_entry *e = series->running.oldest; e; e = e->newer) {
        kube__event *event = ((running *)e)->event;
        if (event->count > 1 && (!unwritten_only || event->count > event->written))
            write_event(series, event);
    }
}

void kube__event_series_step(kube__event_series *series, int64_t now_ns)
{
    const running *oldest;
    while ((oldest = (const running *)series->running.oldest) != NULL &&
           oldest->seen_ns + idle_ns <= now_ns)
        kube__lru_drop(&series->running, series->running.oldest);
    if (oldest && series->refresh_ns <= now_ns) {
        series->refresh_ns = now_ns + refresh_period_ns;
        write_all(series, false);
    }
}

void kube__event_series_flush(kube__event_series *series)
{
    write_all(series, true);
}
