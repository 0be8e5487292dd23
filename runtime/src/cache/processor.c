/* SPDX-License-Identifier: Apache-2.0 */
#include "processor.h"

#include "base/memory.h"
#include "base/units.h"
#include "base/wait.h"

#include <kube/log.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_RESYNC_MS = 1000,         /* INF-4 */
    RING_SIZE = KUBE__RING_CHANGES, /* in batches: each has a change at least */
    SLOW_MS = 10000,                /* a callback that runs that long is told */
};

struct entry {
    kube__batch *batch;
    bool skip_same_version; /* INF-3: the handler was not due for a resync */
};

struct kube_registration {
    kube__processor *processor;
    kube_registration *next;
    char name[KUBE_HANDLER_NAME_MAX];
    bool (*filter)(void *arg, const kube_object *object); /* NULL = all pass */
    kube_handler_thunk *thunk;
    alignas(max_align_t) unsigned char typed[KUBE_TYPED_HANDLER_MAX];
    void *arg;
    kube__thread thread;
    bool joining; /* someone waits for the thread's end, without the mutex */
    kube__condition wake;
    struct entry ring[RING_SIZE];
    size_t head;
    size_t len;
    size_t pending;          /* changes in the ring */
    size_t resyncs;          /* RESYNC batches in the ring */
    kube__fold overflow;     /* what came when the ring was full, and since */
    _Atomic int64_t call_ns; /* when the call that runs began; 0 = none runs */
    _Atomic int64_t slow_ns; /* the call_ns of the one that was told to be slow */
    bool syncing;            /* takes updates that change nothing (INF-3) */
    int64_t resync_ns;       /* period, 0 = none */
    int64_t next_resync_ns;
    _Atomic bool quit; /* written under the mutex, read between callbacks */
    bool left;         /* removed itself: what is left of it goes when the thread has ended */
    bool ended;        /* the thread has, but for its exit */
    _Atomic bool synced;
};

kube_code kube__processor_init(kube__processor *processor, const char *resource, kube_clock *clock,
                               kube_error *err)
{
    kube_code rc;
    memset(processor, 0, sizeof *processor);
    processor->resource = resource;
    processor->clock = clock;
    rc = kube__mutex_init(&processor->mutex, err);
    if (rc)
        return rc;
    rc = kube__condition_init(&processor->changed, err);
    if (rc)
        kube__mutex_fini(&processor->mutex);
    return rc;
}

/* ---- delivery -------------------------------------------------------------------------------- */

/* What the store did not have may be deleted all the same, and is told (STO-2). */
static const kube_object *known_object(const kube__change *change)
{
    return change->old_object || change->new_object ? change->old_object : change->final_object;
}

static bool passes(const kube_registration *r, const kube_object *object)
{
    return object && (!r->filter || r->filter(r->arg, object));
}

/* INF-11: to the handler there is only what passes. */
static void deliver_one(const kube_registration *r, const kube__change *change, uint32_t flags)
{
    const kube_object *known = known_object(change);
    const kube_object *old = passes(r, known) ? known : NULL;
    const kube_object *new = passes(r, change->new_object) ? change->new_object : NULL;
    const kube_object *final = change->final_object;
    bool in_initial_list = (flags & KUBE__BATCH_INITIAL) != 0;
    if (new)
        r->thunk(r->typed, r->arg, old, new, in_initial_list && !change->old_object);
    else if (old && change->new_object)
        r->thunk(r->typed, r->arg, old, NULL, true);
    else if (old)
        r->thunk(r->typed, r->arg, final ? final : old, NULL, final != NULL);
}

static bool is_no_change(const kube__change *change)
{
    return change->old_object && change->new_object &&
           kube_meta_same_version(kube_object_metadata(change->old_object),
                                  kube_object_metadata(change->new_object));
}

static int64_t now_ns(const kube__processor *processor)
{
    return processor->clock->now_ns(processor->clock);
}

static void call(kube_registration *r, const kube__change *change, uint32_t flags)
{
    int64_t began = now_ns(r->processor);
    atomic_store_explicit(&r->call_ns, began, memory_order_relaxed);
    deliver_one(r, change, flags);
    if (atomic_load_explicit(&r->slow_ns, memory_order_relaxed) == began)
        kube_log_info("%s: handler \"%s\": the call returned after %lld s", r->processor->resource,
                      r->name, (long long)((now_ns(r->processor) - began) / KUBE__NS_PER_S));
    atomic_store_explicit(&r->call_ns, 0, memory_order_relaxed);
}

static bool has_quit(const kube_registration *r)
{
    return atomic_load_explicit(&r->quit, memory_order_acquire);
}

/* Returns whether the whole batch was delivered. */
static bool deliver(kube_registration *r, const struct entry *entry)
{
    const kube__batch *batch = entry->batch;
    for (size_t i = 0; i < batch->len; i++) {
        if (has_quit(r))
            return false;
        if (!entry->skip_same_version || !is_no_change(&batch->items[i]))
            call(r, &batch->items[i], batch->flags);
    }
    return true;
}

static void deliver_folded(kube_registration *r, const kube__fold *fold)
{
    for (uint32_t id = 0; id < fold->len && !has_quit(r); id++)
        if (fold->items[id].change.old_object || fold->items[id].change.new_object)
            call(r, &fold->items[id].change, 0);
}

static struct entry pop(kube_registration *r)
{
    struct entry entry = r->ring[r->head];
    r->head = (r->head + 1) % RING_SIZE;
    r->len--;
    r->pending -= entry.batch->len;
    r->resyncs -= (entry.batch->flags & KUBE__BATCH_RESYNC) != 0;
    return entry;
}

static void push(kube_registration *r, kube__batch *batch, bool skip_same_version)
{
    struct entry *entry = &r->ring[(r->head + r->len++) % RING_SIZE];
    entry->batch = kube__batch_ref(batch);
    entry->skip_same_version = skip_same_version;
    r->pending += batch->len;
    r->resyncs += (batch->flags & KUBE__BATCH_RESYNC) != 0;
    kube__signal(&r->wake);
}

static void drop_pending(kube_registration *r)
{
    while (r->len > 0)
        kube__batch_unref(pop(r).batch);
    kube__fold_fini(&r->overflow);
}

/* Under the mutex, which it leaves meanwhile; so does the next one. Each may free many objects, and
 * not under it. */
static void deliver_batch(kube_registration *r)
{
    kube__processor *processor = r->processor;
    struct entry entry = pop(r);
    bool whole;
    kube__unlock(&processor->mutex);
    whole = deliver(r, &entry);
    if (whole && (entry.batch->flags & KUBE__BATCH_INITIAL)) {
        kube__lock(&processor->mutex);
        atomic_store(&r->synced, true);
        kube__broadcast(&processor->changed);
        kube__unlock(&processor->mutex);
    }
    kube__batch_unref(entry.batch);
    kube__lock(&processor->mutex);
}

/* The whole of it at once: what comes now goes to the ring again, which is empty. */
static void deliver_overflow(kube_registration *r)
{
    kube__fold fold = r->overflow;
    memset(&r->overflow, 0, sizeof r->overflow);
    kube__unlock(&r->processor->mutex);
    deliver_folded(r, &fold);
    kube__fold_fini(&fold);
    kube__lock(&r->processor->mutex);
}

static void *run(void *arg)
{
    kube_registration *r = arg;
    kube__processor *processor = r->processor;
    kube__lock(&processor->mutex);
    for (;;) {
        while (!r->quit && r->len == 0 && r->overflow.count == 0)
            kube__wait(&r->wake, &processor->mutex);
        if (r->quit)
            break;
        if (r->len > 0)
            deliver_batch(r);
        else
            deliver_overflow(r);
    }
    kube__unlock(&processor->mutex);
    if (r->left) /* what it holds goes now: the rest of it may stay until the informer ends */
        drop_pending(r);
    kube__lock(&processor->mutex);
    r->ended = true;
    kube__unlock(&processor->mutex);
    return NULL;
}

/* ---- handlers -------------------------------------------------------------------------------- */

static void free_registration(kube_registration *r)
{
    drop_pending(r);
    kube__condition_fini(&r->wake);
    free(r);
}

static kube_code start_thread(kube_registration *r, kube_error *err)
{
    return kube__thread_start_open(&r->thread, "kube-handler", run, r, err);
}

/* Frees the handlers that have removed themselves, except one whose thread is being joined, which
 * that caller still uses. Under the mutex, which it leaves meanwhile. */
static void reap(kube__processor *processor)
{
    kube_registration **link = &processor->first;
    while (*link) {
        kube_registration *r = *link;
        if (!r->left || !r->ended || r->joining) {
            link = &r->next;
            continue;
        }
        *link = r->next;
        kube__unlock(&processor->mutex);
        kube__thread_join(&r->thread);
        free_registration(r);
        kube__lock(&processor->mutex);
        link = &processor->first;
    }
}

int64_t kube__allowed_resync_ms(int64_t ms)
{
    if (ms <= 0 || ms >= LEAST_RESYNC_MS)
        return kube__ms_bounded(ms);
    kube_log_warn("the resync period of %lld ms is too short and was raised to %d ms",
                  (long long)ms, LEAST_RESYNC_MS);
    return LEAST_RESYNC_MS;
}

static void configure(kube_registration *r, const kube__handler *handler)
{
    kube__processor *processor = r->processor;
    int64_t resync_ms = handler->options.resync_ms;
    r->thunk = handler->thunk;
    memcpy(r->typed, handler->typed, handler->typed_size);
    r->arg = handler->arg;
    r->filter = handler->options.filter;
    r->syncing = true;
    r->resync_ns = resync_ms > 0 ? resync_ms * KUBE__NS_PER_MS : 0;
    r->next_resync_ns = now_ns(processor) + r->resync_ns;
}

kube_code kube__processor_add(kube__processor *processor, const kube__handler *handler,
                              kube__batch *backlog, kube_registration **out, kube_error *err)
{
    kube_registration *r;
    kube_code rc;
    *out = NULL;
    if (handler->typed_size > KUBE_TYPED_HANDLER_MAX)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the struct of a typed handler is too large");
    r = calloc(1, sizeof *r);
    if (!r)
        return kube__no_memory(err, "a handler");
    rc = kube__condition_init(&r->wake, err);
    if (rc) {
        free(r);
        return rc;
    }
    r->processor = processor;
    configure(r, handler);
    kube__lock(&processor->mutex);
    reap(processor);
    processor->added++;
    if (handler->options.name)
        snprintf(r->name, sizeof r->name, "%s", handler->options.name);
    else
        snprintf(r->name, sizeof r->name, "%u", processor->added);
    if (backlog)
        push(r, backlog, false);
    if (processor->stopped)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "the informer has been stopped");
    else if (processor->running)
        rc = start_thread(r, err);
    if (!rc) {
        r->next = processor->first;
        processor->first = r;
    }
    kube__unlock(&processor->mutex);
    if (rc) {
        free_registration(r);
        return rc;
    }
    kube__batch_unref(backlog);
    *out = r;
    return KUBE_OK;
}

bool kube__processor_owns(const kube__processor *processor, const kube_registration *registration)
{
    return registration->processor == processor;
}

/* Under the mutex, which it leaves meanwhile; others read r->thread under the mutex, so a copy of
 * it is joined. Whoever waits here for another caller owns @r: it is out of the list. */
static void join_thread(kube__processor *processor, kube_registration *r)
{
    kube__thread thread;
    while (r->joining)
        kube__wait(&processor->changed, &processor->mutex);
    if (!r->thread.started)
        return;
    thread = r->thread;
    r->joining = true;
    kube__unlock(&processor->mutex);
    kube__thread_join(&thread);
    kube__lock(&processor->mutex);
    r->thread.started = false;
    r->joining = false;
    kube__broadcast(&processor->changed);
}

void kube__processor_remove(kube__processor *processor, kube_registration *registration)
{
    kube_registration **link = &processor->first;
    kube__lock(&processor->mutex);
    reap(processor);
    if (registration->thread.started && pthread_equal(registration->thread.id, pthread_self())) {
        registration->quit = true;
        registration->left = true;
        kube__broadcast(&processor->changed);
        kube__unlock(&processor->mutex);
        return;
    }
    while (*link && *link != registration)
        link = &(*link)->next;
    if (*link)
        *link = registration->next;
    registration->quit = true;
    kube__signal(&registration->wake);
    kube__broadcast(&processor->changed);
    join_thread(processor, registration);
    kube__unlock(&processor->mutex);
    free_registration(registration);
}

kube_code kube__processor_start(kube__processor *processor, kube_error *err)
{
    kube_code rc = KUBE_OK;
    kube__lock(&processor->mutex);
    for (kube_registration *r = processor->first; r && !rc; r = r->next)
        if (!r->thread.started)
            rc = start_thread(r, err);
    processor->running = !rc;
    kube__unlock(&processor->mutex);
    return rc;
}

void kube__processor_stop(kube__processor *processor)
{
    kube__lock(&processor->mutex);
    processor->stopped = true;
    for (kube_registration *r = processor->first; r; r = r->next) {
        r->quit = true;
        kube__signal(&r->wake);
    }
    kube__broadcast(&processor->changed);
    kube__unlock(&processor->mutex);
}

/* From the start again after each, and after each wait: the list may have changed meanwhile, and a
 * handler that another thread has joined may be gone. */
void kube__processor_join(kube__processor *processor)
{
    kube_registration *r;
    kube__lock(&processor->mutex);
    do {
        for (r = processor->first; r && !r->thread.started; r = r->next)
            ;
        if (r && r->joining)
            kube__wait(&processor->changed, &processor->mutex);
        else if (r)
            join_thread(processor, r);
    } while (r);
    kube__unlock(&processor->mutex);
}

void kube__processor_fini(kube__processor *processor)
{
    kube__processor_join(processor);
    while (processor->first) {
        kube_registration *r = processor->first;
        processor->first = r->next;
        free_registration(r);
    }
    kube__condition_fini(&processor->changed);
    kube__mutex_fini(&processor->mutex);
}

bool kube_registration_has_synced(const kube_registration *registration)
{
    return atomic_load(&registration->synced);
}

kube_code kube__registration_wait_synced(kube_registration *registration, kube_ctx *ctx,
                                         kube_error *err)
{
    kube__processor *processor = registration->processor;
    kube_code rc = KUBE_OK;
    kube__wait_scope scope;
    kube__wait_begin(&scope, ctx, &processor->mutex, &processor->changed, 0);
    kube__lock(&processor->mutex);
    while (!rc && processor->running && !registration->synced) {
        if (processor->stopped)
            rc = kube_error_set(err, KUBE_ERR_CLOSED, "the informer has been stopped");
        else if (!kube__wait_step(&scope))
            rc = kube_ctx_status(ctx, err);
    }
    kube__unlock(&processor->mutex);
    kube__wait_end(&scope);
    return rc;
}

/* ---- publishing ------------------------------------------------------------------------------ */

/* Once a change has been folded, the later ones are, too: those of one object stay in order. */
static bool must_fold(const kube_registration *r)
{
    return r->overflow.count > 0 || r->pending >= KUBE__RING_CHANGES || r->len >= RING_SIZE;
}

/* A handler may empty its ring meanwhile, and then has no need of the room. */
kube_code kube__processor_reserve(kube__processor *processor, size_t changes, kube_error *err)
{
    bool room = true;
    kube__lock(&processor->mutex);
    for (kube_registration *r = processor->first; r && room; r = r->next)
        if (!r->quit && must_fold(r))
            room = kube__fold_reserve(&r->overflow, changes);
    kube__unlock(&processor->mutex);
    return room ? KUBE_OK : kube__no_memory(err, "changes of %s", processor->resource);
}

static void fold(kube_registration *r, const kube__batch *batch, bool skip_same_version)
{
    for (size_t i = 0; i < batch->len; i++)
        if (!skip_same_version || !is_no_change(&batch->items[i]))
            r->processor->folded += kube__fold_add(&r->overflow, &batch->items[i]);
    kube__signal(&r->wake);
}

void kube__processor_publish(kube__processor *processor, kube__batch *batch)
{
    bool resync = (batch->flags & KUBE__BATCH_RESYNC) != 0;
    bool initial = (batch->flags & KUBE__BATCH_INITIAL) != 0;
    int64_t now = now_ns(processor);
    kube__lock(&processor->mutex);
    for (kube_registration *r = processor->first; r && !processor->stopped; r = r->next) {
        if (!r->quit && (!resync || r->syncing)) {
            if (must_fold(r))
                fold(r, batch, !r->syncing);
            else
                push(r, batch, !r->syncing);
        }
        if (initial)
            r->next_resync_ns = now + r->resync_ns;
    }
    kube__unlock(&processor->mutex);
}

int64_t kube__processor_resync_due_ns(kube__processor *processor)
{
    int64_t due = INT64_MAX;
    kube__lock(&processor->mutex);
    for (const kube_registration *r = processor->first; r; r = r->next)
        if (!r->quit && r->resync_ns > 0 && r->next_resync_ns < due)
            due = r->next_resync_ns;
    kube__unlock(&processor->mutex);
    return due;
}

/* Finds a handler whose call is slow and has not been told to be. Under the mutex. */
static bool find_slow(kube__processor *processor, int64_t now, char *name, int64_t *ms)
{
    for (kube_registration *r = processor->first; r; r = r->next) {
        int64_t began = atomic_load_explicit(&r->call_ns, memory_order_relaxed);
        *ms = began ? (now - began) / KUBE__NS_PER_MS : 0;
        if (*ms >= SLOW_MS &&
            atomic_exchange_explicit(&r->slow_ns, began, memory_order_relaxed) != began) {
            memcpy(name, r->name, sizeof r->name);
            return true;
        }
    }
    return false;
}

/* Logs without the mutex, which publishing and the handlers need. */
static void tell_slow(kube__processor *processor, int64_t now)
{
    char name[KUBE_HANDLER_NAME_MAX];
    int64_t ms;
    bool slow;
    do {
        kube__lock(&processor->mutex);
        slow = find_slow(processor, now, name, &ms);
        kube__unlock(&processor->mutex);
        if (slow)
            kube_log_warn("%s: handler \"%s\" has not returned from a call for %lld s; others go "
                          "on, and its changes are folded by object",
                          processor->resource, name, (long long)(ms / 1000));
    } while (slow);
}

void kube__processor_look(kube__processor *processor, kube__handlers_state *state)
{
    int64_t now = now_ns(processor);
    memset(state, 0, sizeof *state);
    kube__lock(&processor->mutex);
    state->folded = processor->folded;
    for (const kube_registration *r = processor->first; r; r = r->next) {
        int64_t began = atomic_load_explicit(&r->call_ns, memory_order_relaxed);
        int64_t ms = began ? (now - began) / KUBE__NS_PER_MS : 0;
        if (ms > state->longest_ms) {
            state->longest_ms = ms;
            memcpy(state->longest, r->name, sizeof state->longest);
        }
    }
    kube__unlock(&processor->mutex);
    tell_slow(processor, now);
}

/* A handler that has not yet taken its last resync is not given another one on top. */
bool kube__processor_resync_due(kube__processor *processor)
{
    int64_t now = now_ns(processor);
    bool any = false;
    kube__lock(&processor->mutex);
    for (kube_registration *r = processor->first; r; r = r->next) {
        bool due = !r->quit && r->resync_ns > 0 && now >= r->next_resync_ns;
        r->syncing = due && r->resyncs == 0 && !must_fold(r);
        if (due)
            r->next_resync_ns = now + r->resync_ns;
        any = any || r->syncing;
    }
    kube__unlock(&processor->mutex);
    return any;
}
