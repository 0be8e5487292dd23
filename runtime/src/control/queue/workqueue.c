/* SPDX-License-Identifier: Apache-2.0 */
/*
 * client-go keeps three sets of keys (queue, dirty, processing) and a heap of waiting ones. Here a
 * key has one entry with a flag for each, found by one look-up; it goes when no flag is left. What
 * wants processing is never delayed as well, as in controller-runtime's queue (PQ-1).
 *
 * A retry needs no memory: the heap has room for all keys that are delayed and for all that are
 * processed.
 */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/units.h"
#include "key_table.h"
#include "ratelimit.h"
#include "workqueue_metrics.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEAP_GROWTH = 64,
    HEAP_WIDTH = 4,
    BUSY_LOOKED_AT = 8,
    LEAST_NAP_NS = 200000, /* keys that are due within less come together */
    LEVELS = KUBE_PRIORITY_HIGH - KUBE_PRIORITY_LOW + 1,
    UNKNOWN_BACKOFF_MS = 1000, /* of a limiter that has no memory to say it */
};

typedef struct entry {
    kube__keynode node;
    struct entry *next; /* in the queue, or among those processed */
    struct entry *previous;
    size_t heap_place;    /* among the delayed ones, from 1; 0 = it is not delayed */
    signed char priority; /* a kube_priority, kept while it is processed and delayed */
    bool dirty;           /* wants processing: it is in the queue unless it is processed */
    bool processing;
} entry;

/* What a key has in a queue that is timed: in others it would only take room in the cache. */
typedef struct timed_entry {
    entry entry;
    int64_t due_ns;    /* since when it wants processing */
    int64_t waited_ns; /* before it was taken */
    int64_t taken_ns;
} timed_entry;

/* Beside its time, so that the order is found without a look at the entries. */
typedef struct delay {
    int64_t ready_ns;
    entry *entry;
} delay;

typedef struct level {
    entry *first;
    entry *last;
} level;

struct kube_workqueue {
    kube__mutex mutex;
    kube__condition ready;   /* a key was queued, or the queue shut down */
    kube__condition idle;    /* a key was done */
    kube__condition delayed; /* the earliest delayed key changed, or the queue shut down */
    kube__thread thread;
    kube_clock *clock;
    kube_rate_limiter *limiter;
    char *name;
    kube__key_table entries;
    level levels[LEVELS]; /* the highest priority first */
    entry *busy;          /* processed now, the latest first */
    delay *heap;          /* earliest first, HEAP_WIDTH children each */
    size_t heap_len;
    size_t heap_size;
    size_t depth;
    size_t processing;
    uint64_t adds;
    uint64_t retries;
    size_t again; /* keys processed now that want it once more */
    bool timed;   /* reading the clock costs a third of all else */
    bool shut_down;
    kube_metrics *registry; /* NULL = none */
    kube__queue_metrics metrics;
};

/* ---- entries --------------------------------------------------------------------------------- */

static entry *find_or_make(kube_workqueue *queue, kube_key key)
{
    size_t size = queue->timed ? sizeof(timed_entry) : sizeof(entry);
    return kube__key_table_get(&queue->entries, size, key);
}

/* What get() handed out comes back with the same strings: no hash is needed to find it. */
static entry *find_busy(const kube_workqueue *queue, kube_key key)
{
    entry *e = queue->busy;
    for (int i = 0; e && i < BUSY_LOOKED_AT; i++, e = e->next) {
        if (e->node.key.name == key.name && e->node.key.namespace_ == key.namespace_)
            return e;
    }
    return kube__key_table_find(&queue->entries, key);
}

static void drop_if_unused(kube_workqueue *queue, entry *e)
{
    if (e->dirty || e->processing || e->heap_place)
        return;
    kube__key_table_drop(&queue->entries, &e->node);
}

static kube_code no_memory(const kube_workqueue *queue, kube_key key, kube_error *err)
{
    return kube__no_memory(err, "queue %s, key %s/%s", queue->name,
                           key.namespace_ ? key.namespace_ : "", key.name);
}

/* ---- the heap of delayed keys ---------------------------------------------------------------- */

static void heap_put(kube_workqueue *queue, size_t index, delay d)
{
    queue->heap[index] = d;
    d.entry->heap_place = index + 1;
}

static void heap_up(kube_workqueue *queue, size_t index)
{
    delay d = queue->heap[index];
    while (index > 0 && queue->heap[(index - 1) / HEAP_WIDTH].ready_ns > d.ready_ns) {
        heap_put(queue, index, queue->heap[(index - 1) / HEAP_WIDTH]);
        index = (index - 1) / HEAP_WIDTH;
    }
    heap_put(queue, index, d);
}

/* Returns the index of the earliest child of @index, or heap_len if it has no children. */
static size_t earliest_child(const kube_workqueue *queue, size_t index)
{
    size_t first = HEAP_WIDTH * index + 1;
    size_t end = first + HEAP_WIDTH;
    size_t earliest = first;
    if (first >= queue->heap_len)
        return queue->heap_len;
    if (end > queue->heap_len)
        end = queue->heap_len;
    for (size_t child = first + 1; child < end; child++) {
        if (queue->heap[child].ready_ns < queue->heap[earliest].ready_ns)
            earliest = child;
    }
    return earliest;
}

static void heap_down(kube_workqueue *queue, size_t index)
{
    delay d = queue->heap[index];
    size_t child;
    while ((child = earliest_child(queue, index)) < queue->heap_len &&
           queue->heap[child].ready_ns < d.ready_ns) {
        heap_put(queue, index, queue->heap[child]);
        index = child;
    }
    heap_put(queue, index, d);
}

static void heap_remove(kube_workqueue *queue, entry *e)
{
    size_t index = e->heap_place - 1;
    delay last = queue->heap[--queue->heap_len];
    e->heap_place = 0;
    if (last.entry == e)
        return;
    heap_put(queue, index, last);
    heap_up(queue, index);
    heap_down(queue, last.entry->heap_place - 1);
}

/* Makes room for one more that is delayed or processed. */
static bool heap_make_room(kube_workqueue *queue)
{
    size_t size = queue->heap_size * 2 + HEAP_GROWTH;
    delay *grown;
    if (queue->heap_len + queue->processing < queue->heap_size)
        return true;
    grown = realloc(queue->heap, size * sizeof *grown);
    if (!grown)
        return false;
    queue->heap = grown;
    queue->heap_size = size;
    return true;
}

/* ---- the queue (WQ-1) ------------------------------------------------------------------------ */

static level *level_of(kube_workqueue *queue, const entry *e)
{
    return &queue->levels[KUBE_PRIORITY_HIGH - e->priority];
}

static void push(kube_workqueue *queue, entry *e)
{
    level *l = level_of(queue, e);
    e->next = NULL;
    e->previous = l->last;
    if (l->last)
        l->last->next = e;
    else
        l->first = e;
    l->last = e;
    queue->depth++;
    kube__signal(&queue->ready);
}

static void unlink_entry(kube_workqueue *queue, entry *e)
{
    level *l = level_of(queue, e);
    if (e->next)
        e->next->previous = e->previous;
    else
        l->last = e->previous;
    if (e->previous)
        e->previous->next = e->next;
    else
        l->first = e->next;
    queue->depth--;
}

/* There is one: depth is not 0. */
static entry *first_entry(kube_workqueue *queue)
{
    level *l = queue->levels;
    while (!l->first)
        l++;
    return l->first;
}

static int64_t now_if_timed(const kube_workqueue *queue)
{
    return queue->timed ? queue->clock->now_ns(queue->clock) : 0;
}

static timed_entry *times_of(entry *e)
{
    return (timed_entry *)e;
}

static void note_taken(const kube_workqueue *queue, entry *e)
{
    timed_entry *times = times_of(e);
    times->taken_ns = now_if_timed(queue);
    times->waited_ns = times->taken_ns - times->due_ns;
    if (queue->registry)
        kube__observe_ns(queue->metrics.waited, times->waited_ns);
}

static entry *pop(kube_workqueue *queue)
{
    entry *e = first_entry(queue);
    unlink_entry(queue, e);
    e->dirty = false;
    e->processing = true;
    queue->processing++;
    e->previous = NULL;
    e->next = queue->busy;
    if (e->next)
        e->next->previous = e;
    queue->busy = e;
    if (queue->timed)
        note_taken(queue, e);
    return e;
}

static void end_processing(kube_workqueue *queue, entry *e)
{
    if (queue->registry)
        kube__observe_ns(queue->metrics.worked, now_if_timed(queue) - times_of(e)->taken_ns);
    e->processing = false;
    queue->processing--;
    if (e->next)
        e->next->previous = e->previous;
    if (e->previous)
        e->previous->next = e->next;
    else
        queue->busy = e->next;
}

/* What waits already keeps the higher priority; it goes behind those that have it. */
static void raise(kube_workqueue *queue, entry *e, kube_priority priority)
{
    if (e->priority >= (int)priority)
        return;
    if (!e->processing)
        unlink_entry(queue, e);
    e->priority = (signed char)priority;
    if (!e->processing)
        push(queue, e);
}

static void add_entry(kube_workqueue *queue, entry *e, kube_priority priority, int64_t due_ns)
{
    if (e->dirty) {
        raise(queue, e, priority);
        return;
    }
    if (!e->heap_place || e->priority < (int)priority)
        e->priority = (signed char)priority;
    if (e->heap_place)
        heap_remove(queue, e); /* now is earlier */
    queue->adds++;
    if (queue->timed)
        times_of(e)->due_ns = due_ns;
    e->dirty = true;
    if (e->processing)
        queue->again++;
    else
        push(queue, e);
}

static kube_code check_key(const kube_workqueue *queue, kube_key key, kube_error *err)
{
    if (key.name && *key.name)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "queue %s: a key without a name", queue->name);
}

kube_code kube_workqueue_add_priority(kube_workqueue *queue, kube_key key, kube_priority priority,
                                      kube_error *err)
{
    entry *e;
    kube_code rc = check_key(queue, key, err);
    if (!rc && ((int)priority < KUBE_PRIORITY_LOW || priority > KUBE_PRIORITY_HIGH))
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "queue %s: there is no priority %d",
                            queue->name, (int)priority);
    if (rc)
        return rc;
    kube__lock(&queue->mutex);
    if (!queue->shut_down) {
        e = find_or_make(queue, key);
        if (e)
            add_entry(queue, e, priority, now_if_timed(queue));
        else
            rc = no_memory(queue, key, err);
    }
    kube__unlock(&queue->mutex);
    return rc;
}

kube_code kube_workqueue_add(kube_workqueue *queue, kube_key key, kube_error *err)
{
    return kube_workqueue_add_priority(queue, key, KUBE_PRIORITY_NORMAL, err);
}

static bool has_work(const kube_workqueue *queue)
{
    return queue->depth || queue->shut_down;
}

static void wake_waiters(void *arg)
{
    kube_workqueue *queue = arg;
    kube__lock(&queue->mutex);
    kube__broadcast(&queue->ready);
    kube__broadcast(&queue->idle);
    kube__unlock(&queue->mutex);
}

/* Waits until @done says so or the ctx ends. Called, and returns, with the mutex held. */
static kube_code wait_for(kube_workqueue *queue, kube__condition *condition, kube_ctx *ctx,
                          bool (*done)(const kube_workqueue *queue), kube_error *err)
{
    kube__waker waker = {.wake = wake_waiters, .arg = queue};
    kube_code rc = KUBE_OK;
    if (done(queue))
        return KUBE_OK;
    kube__unlock(&queue->mutex);
    kube__ctx_add_waker(ctx, &waker);
    kube__lock(&queue->mutex);
    while (!done(queue)) {
        rc = kube_ctx_status(ctx, err);
        if (rc)
            break;
        if (ctx)
            kube__wait_until(kube_ctx_clock(ctx), condition, &queue->mutex,
                             kube__ctx_deadline_ns(ctx));
        else
            kube__wait(condition, &queue->mutex);
    }
    kube__unlock(&queue->mutex);
    kube__ctx_remove_waker(ctx, &waker);
    kube__lock(&queue->mutex);
    return rc;
}

kube_code kube_workqueue_get(kube_workqueue *queue, kube_ctx *ctx, kube_key *key, kube_error *err)
{
    kube_code rc;
    key->namespace_ = NULL;
    key->name = NULL;
    rc = kube_ctx_status(ctx, err);
    if (rc)
        return rc; /* a cancelled worker takes no further key, even when there is one */
    kube__lock(&queue->mutex);
    do {
        /* Between the end of a wait and its return another worker may have taken the key. */
        rc = wait_for(queue, &queue->ready, ctx, has_work, err);
    } while (!rc && !has_work(queue));
    if (!rc && !queue->depth)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "queue %s has been shut down", queue->name);
    if (!rc && !heap_make_room(queue))
        rc = kube__no_memory(err, "queue %s", queue->name);
    if (!rc)
        *key = pop(queue)->node.key;
    kube__unlock(&queue->mutex);
    return rc;
}

void kube_workqueue_done(kube_workqueue *queue, kube_key key)
{
    entry *e;
    kube__lock(&queue->mutex);
    e = find_busy(queue, key);
    if (e && e->processing) {
        end_processing(queue, e);
        if (e->dirty) {
            queue->again--;
            push(queue, e);
        } else {
            drop_if_unused(queue, e);
        }
        if (queue->shut_down)
            kube__broadcast(&queue->idle); /* for drain(), which has shut it down */
    }
    kube__unlock(&queue->mutex);
}

/* ---- delays (WQ-4) --------------------------------------------------------------------------- */

/* Lets @e wait until @ready_ns, unless it comes sooner anyway. */
static bool delay_entry(kube_workqueue *queue, entry *e, int64_t ready_ns)
{
    delay d = {ready_ns, e};
    size_t index = e->heap_place - 1;
    if (e->dirty)
        return true;
    if (!e->heap_place) {
        if (!e->processing && !heap_make_room(queue))
            return false;
        index = queue->heap_len++;
    } else if (ready_ns >= queue->heap[index].ready_ns) {
        return true;
    }
    queue->heap[index] = d;
    heap_up(queue, index);
    if (e->heap_place == 1)
        kube__signal(&queue->delayed);
    return true;
}

static kube_code add_after(kube_workqueue *queue, entry *e, int64_t delay_ms, kube_error *err)
{
    queue->retries++;
    if (delay_ms <= 0) {
        add_entry(queue, e, e->priority, now_if_timed(queue));
    } else if (!delay_entry(queue, e,
                            kube__ms_after(queue->clock->now_ns(queue->clock), delay_ms))) {
        kube_code rc = no_memory(queue, e->node.key, err);
        drop_if_unused(queue, e);
        return rc;
    }
    return KUBE_OK;
}

kube_code kube_workqueue_add_after(kube_workqueue *queue, kube_key key, int64_t delay_ms,
                                   kube_error *err)
{
    kube_code rc = check_key(queue, key, err);
    if (rc)
        return rc;
    kube__lock(&queue->mutex);
    if (!queue->shut_down) {
        entry *e = find_or_make(queue, key);
        rc = e ? add_after(queue, e, delay_ms, err) : no_memory(queue, key, err);
    }
    kube__unlock(&queue->mutex);
    return rc;
}

/* Adds the keys that are due. Returns when the next one will be due, or INT64_MAX. */
static int64_t add_due(kube_workqueue *queue)
{
    int64_t now = queue->clock->now_ns(queue->clock);
    int64_t next;
    while (queue->heap_len && queue->heap[0].ready_ns <= now) {
        entry *e = queue->heap[0].entry;
        int64_t due = queue->heap[0].ready_ns;
        heap_remove(queue, e);
        add_entry(queue, e, e->priority, due);
    }
    if (!queue->heap_len)
        return INT64_MAX;
    next = queue->heap[0].ready_ns;
    return next - now < LEAST_NAP_NS ? now + LEAST_NAP_NS : next;
}

static void *run_delays(void *arg)
{
    kube_workqueue *queue = arg;
    kube__lock(&queue->mutex);
    while (!queue->shut_down)
        kube__wait_until(queue->clock, &queue->delayed, &queue->mutex, add_due(queue));
    kube__unlock(&queue->mutex);
    return NULL;
}

/* ---- failures -------------------------------------------------------------------------------- */

/* The limiter is asked without the queue's mutex: what it does takes as long as what the queue
 * does.
 */
int64_t kube_workqueue_backoff_ms(kube_workqueue *queue, kube_key key)
{
    int64_t delay_ms = queue->limiter->when_ms(queue->limiter, key);
    return delay_ms < 0 ? UNKNOWN_BACKOFF_MS : delay_ms;
}

kube_code kube_workqueue_add_rate_limited(kube_workqueue *queue, kube_key key, kube_error *err)
{
    kube_code rc = check_key(queue, key, err);
    return rc ? rc
              : kube_workqueue_add_after(queue, key, kube_workqueue_backoff_ms(queue, key), err);
}

void kube_workqueue_forget(kube_workqueue *queue, kube_key key)
{
    queue->limiter->forget(queue->limiter, key);
}

int kube_workqueue_failures(kube_workqueue *queue, kube_key key)
{
    return queue->limiter->failures(queue->limiter, key);
}

/* ---- measures -------------------------------------------------------------------------------- */

int64_t kube_workqueue_waited_ns(kube_workqueue *queue, kube_key key)
{
    int64_t waited = 0;
    entry *e;
    kube__lock(&queue->mutex);
    e = queue->timed ? find_busy(queue, key) : NULL;
    if (e && e->processing)
        waited = times_of(e)->waited_ns;
    kube__unlock(&queue->mutex);
    return waited;
}

static void add_load_of(entry *e, int64_t now, kube__queue_load *load)
{
    int64_t ns = now - times_of(e)->taken_ns;
    load->unfinished_ns += ns;
    if (ns > load->longest_ns)
        load->longest_ns = ns;
}

static void collect(void *arg)
{
    kube_workqueue *queue = arg;
    kube__queue_load load = {0};
    int64_t now;
    kube__lock(&queue->mutex);
    load.depth = queue->depth + queue->again;
    load.adds = queue->adds;
    load.retries = queue->retries;
    now = now_if_timed(queue);
    for (entry *e = queue->busy; e; e = e->next)
        add_load_of(e, now, &load);
    kube__unlock(&queue->mutex);
    kube__queue_metrics_show(&queue->metrics, &load);
}

static kube_code measure(kube_workqueue *queue, kube_metrics *registry, kube_error *err)
{
    kube_code rc = kube__queue_metrics_init(&queue->metrics, registry, queue->name, err);
    if (!rc)
        rc = kube_metrics_add_collector(registry, collect, queue, err);
    if (rc)
        return rc;
    queue->registry = registry;
    return KUBE_OK;
}

/* What was counted last is shown to the end of the process. */
static void end_measures(kube_workqueue *queue)
{
    if (!queue->registry)
        return;
    kube_metrics_remove_collector(queue->registry, collect, queue);
    collect(queue);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void fini(kube_workqueue *queue)
{
    end_measures(queue);
    kube__key_table_fini(&queue->entries);
    free(queue->heap);
    kube_rate_limiter_free(queue->limiter);
    kube__condition_fini(&queue->delayed);
    kube__condition_fini(&queue->idle);
    kube__condition_fini(&queue->ready);
    kube__mutex_fini(&queue->mutex);
    free(queue->name);
    free(queue);
}

static kube_code init_sync(kube_workqueue *queue, kube_error *err)
{
    kube_code rc = kube__mutex_init(&queue->mutex, err);
    if (rc)
        return rc;
    rc = kube__condition_init(&queue->ready, err);
    if (rc)
        goto no_ready;
    rc = kube__condition_init(&queue->idle, err);
    if (rc)
        goto no_idle;
    rc = kube__condition_init(&queue->delayed, err);
    if (rc)
        goto no_delayed;
    return KUBE_OK;

no_delayed:
    kube__condition_fini(&queue->idle);
no_idle:
    kube__condition_fini(&queue->ready);
no_ready:
    kube__mutex_fini(&queue->mutex);
    return rc;
}

static kube_code init(kube_workqueue *queue, const char *name,
                      const kube_workqueue_options *options, kube_error *err)
{
    kube_code rc = kube__rate_limiter_check(queue->limiter, err);
    if (rc)
        return rc;
    queue->clock = options->clock ? options->clock : kube_clock_system();
    queue->timed = options->timed || options->metrics;
    queue->name = strdup(name);
    if (!queue->name)
        return kube__no_memory(err, "queue %s", name);
    rc = kube__key_table_init(&queue->entries, err);
    if (!rc && options->metrics)
        rc = measure(queue, options->metrics, err);
    return rc ? rc : kube__thread_start(&queue->thread, "kube-queue", run_delays, queue, err);
}

/* Returns NULL if out of memory, and frees @limiter then. */
static kube_workqueue *allocate(kube_rate_limiter *limiter)
{
    kube_workqueue *queue = calloc(1, sizeof *queue);
    if (!queue || init_sync(queue, NULL)) {
        kube_rate_limiter_free(limiter);
        free(queue);
        return NULL;
    }
    queue->limiter = limiter;
    return queue;
}

kube_code kube_workqueue_new_sized(const char *name, const kube_workqueue_options *options,
                                   size_t options_size, kube_workqueue **out, kube_error *err)
{
    kube_workqueue_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube_rate_limiter *limiter = options->limiter;
    kube_workqueue *queue;
    kube_code rc;
    *out = NULL;
    if (!name || !*name) {
        kube_rate_limiter_free(limiter);
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a queue without a name");
    }
    queue = allocate(limiter ? limiter : kube_rate_limiter_default());
    if (!queue)
        return kube__no_memory(err, "queue %s", name);
    rc = init(queue, name, options, err);
    if (rc) {
        fini(queue);
        return rc;
    }
    *out = queue;
    return KUBE_OK;
}

void kube_workqueue_shut_down(kube_workqueue *queue)
{
    kube__lock(&queue->mutex);
    queue->shut_down = true;
    kube__broadcast(&queue->ready);
    kube__broadcast(&queue->idle);
    kube__broadcast(&queue->delayed);
    kube__unlock(&queue->mutex);
}

static bool is_drained(const kube_workqueue *queue)
{
    return queue->depth == 0 && queue->processing == 0;
}

kube_code kube_workqueue_drain(kube_workqueue *queue, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    if (rc)
        return rc;
    kube_workqueue_shut_down(queue);
    kube__lock(&queue->mutex);
    rc = wait_for(queue, &queue->idle, ctx, is_drained, err);
    kube__unlock(&queue->mutex);
    return rc;
}

void kube_workqueue_free(kube_workqueue *queue)
{
    if (!queue)
        return;
    kube_workqueue_shut_down(queue);
    kube__thread_join(&queue->thread);
    fini(queue);
}

size_t kube_workqueue_len(kube_workqueue *queue)
{
    size_t depth;
    kube__lock(&queue->mutex);
    depth = queue->depth;
    kube__unlock(&queue->mutex);
    return depth;
}

void kube_workqueue_get_stats_sized(kube_workqueue *queue, kube_workqueue_stats *stats,
                                    size_t stats_size)
{
    kube_workqueue_stats own = {0};
    kube__lock(&queue->mutex);
    own.adds = queue->adds;
    own.retries = queue->retries;
    own.depth = queue->depth;
    own.processing = queue->processing;
    own.delayed = queue->heap_len;
    kube__unlock(&queue->mutex);
    kube__sized_out(stats, stats_size, &own, sizeof own);
}
