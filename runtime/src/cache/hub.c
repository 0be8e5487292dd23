/* SPDX-License-Identifier: Apache-2.0 */
#include "hub.h"
#include "base/wait.h"
#include <kube/log.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    kube__batch *batch;
    bool skip_same_version; /* INF-3: the handler was not due for a resync */
};

struct kube_registration {
    kube__hub *hub;
    kube_registration *next;
    const kube_handler_thunks *thunks;
    alignas(max_align_t) unsigned char typed[KUBE_TYPED_HANDLER_MAX];
    void *arg;
    kube__thread thread;
    bool joining; /* someone waits for the thread's end, without the mutex */
    kube__condition wake;
    struct entry ring[KUBE__RING_SIZE];
    size_t head;
    size_t len;
    size_t pending;    /* changes in the ring and in delivery */
    size_t resyncs;    /* RESYNC batches in the ring */
    bool syncing;      /* takes updates that change nothing (INF-3) */
    int64_t resync_ns; /* period, 0 = none */
    int64_t next_resync_ns;
    _Atomic bool quit; /* written under the mutex, read between callbacks */
    _Atomic bool synced;
};

kube_code kube__hub_init(kube__hub *hub, kube_clock *clock, kube_error *err)
{
    kube_code code;
    memset(hub, 0, sizeof *hub);
    hub->clock = clock;
    code = kube__mutex_init(&hub->mutex, err);
    if (code)
        return code;
    code = kube__condition_init(&hub->room, err);
    if (code)
        kube__mutex_fini(&hub->mutex);
    return code;
}

/* ---- delivery ------------------------------------------------------------------------------ */

static void deliver_one(const kube_registration *r, const kube__change *change, uint32_t flags)
{
    if (!change->old_object) {
        if (r->thunks->on_add)
            r->thunks->on_add(r->typed, r->arg, change->new_object,
                              (flags & KUBE__BATCH_INITIAL) != 0);
    } else if (change->new_object) {
        if (r->thunks->on_update)
            r->thunks->on_update(r->typed, r->arg, change->old_object, change->new_object);
    } else if (r->thunks->on_delete) {
        r->thunks->on_delete(r->typed, r->arg, change->old_object,
                             (flags & KUBE__BATCH_LISTED) == 0);
    }
}

static bool is_no_change(const kube__change *change)
{
    return change->old_object && change->new_object &&
           kube_meta_same_version(kube_object_metadata(change->old_object),
                                  kube_object_metadata(change->new_object));
}

/* Returns whether the whole batch was delivered. */
static bool deliver(kube_registration *r, const struct entry *entry)
{
    const kube__batch *batch = entry->batch;
    for (size_t i = 0; i < batch->len; i++) {
        if (atomic_load_explicit(&r->quit, memory_order_acquire))
            return false;
        if (!entry->skip_same_version || !is_no_change(&batch->items[i]))
            deliver_one(r, &batch->items[i], batch->flags);
    }
    return true;
}

static struct entry pop(kube_registration *r)
{
    struct entry entry = r->ring[r->head];
    r->head = (r->head + 1) % KUBE__RING_SIZE;
    r->len--;
    r->resyncs -= (entry.batch->flags & KUBE__BATCH_RESYNC) != 0;
    return entry;
}

static void push(kube_registration *r, kube__batch *batch, bool skip_same_version)
{
    struct entry *entry = &r->ring[(r->head + r->len++) % KUBE__RING_SIZE];
    entry->batch = kube__batch_ref(batch);
    entry->skip_same_version = skip_same_version;
    r->pending += batch->len;
    r->resyncs += (batch->flags & KUBE__BATCH_RESYNC) != 0;
    kube__signal(&r->wake);
}

static void *run(void *arg)
{
    kube_registration *r = arg;
    kube__hub *hub = r->hub;
    kube__lock(&hub->mutex);
    for (;;) {
        struct entry entry;
        bool whole;
        while (!r->quit && r->len == 0)
            kube__wait(&r->wake, &hub->mutex);
        if (r->quit)
            break;
        entry = pop(r);
        kube__unlock(&hub->mutex);
        whole = deliver(r, &entry);
        kube__lock(&hub->mutex);
        r->pending -= entry.batch->len;
        if (whole && (entry.batch->flags & KUBE__BATCH_INITIAL))
            atomic_store(&r->synced, true);
        kube__broadcast(&hub->room);
        kube__unlock(&hub->mutex);
        kube__batch_unref(entry.batch); /* may free many objects: not under the mutex */
        kube__lock(&hub->mutex);
    }
    kube__unlock(&hub->mutex);
    return NULL;
}

/* ---- handlers ------------------------------------------------------------------------------ */

static void free_registration(kube_registration *r)
{
    while (r->len > 0)
        kube__batch_unref(pop(r).batch);
    kube__condition_fini(&r->wake);
    free(r);
}

static kube_code start_thread(kube_registration *r, kube_error *err)
{
    return kube__thread_start(&r->thread, "kube-handler", run, r, err);
}

kube_code kube__hub_add(kube__hub *hub, const kube_handler_thunks *thunks, const void *typed,
                        size_t typed_size, void *arg, kube__batch *backlog, int64_t resync_ms,
                        kube_registration **out, kube_error *err)
{
    kube_registration *r;
    kube_code code;
    *out = NULL;
    if (typed_size > KUBE_TYPED_HANDLER_MAX)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "handler: its struct is too large");
    r = calloc(1, sizeof *r);
    if (!r)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "handler: out of memory");
    code = kube__condition_init(&r->wake, err);
    if (code) {
        free(r);
        return code;
    }
    r->hub = hub;
    r->thunks = thunks;
    memcpy(r->typed, typed, typed_size);
    r->arg = arg;
    r->syncing = true;
    r->resync_ns = resync_ms * 1000000;
    r->next_resync_ns = hub->clock->now_ns(hub->clock) + r->resync_ns;
    kube__lock(&hub->mutex);
    if (backlog)
        push(r, backlog, false);
    if (hub->stopped)
        code = kube_error_set(err, KUBE_ERR_CLOSED, "the informer has been stopped");
    else if (hub->running)
        code = start_thread(r, err);
    if (!code) {
        r->next = hub->first;
        hub->first = r;
    }
    kube__unlock(&hub->mutex);
    if (code) {
        free_registration(r);
        return code;
    }
    kube__batch_unref(backlog);
    *out = r;
    return KUBE_OK;
}

bool kube__hub_owns(const kube__hub *hub, const kube_registration *registration)
{
    return registration->hub == hub;
}

/* Under the mutex, which it leaves meanwhile. */
static void join_thread(kube__hub *hub, kube_registration *r)
{
    while (r->joining)
        kube__wait(&hub->room, &hub->mutex);
    if (!r->thread.started)
        return;
    r->joining = true;
    kube__unlock(&hub->mutex);
    kube__thread_join(&r->thread);
    kube__lock(&hub->mutex);
    r->joining = false;
    kube__broadcast(&hub->room);
}

void kube__hub_remove(kube__hub *hub, kube_registration *registration)
{
    kube_registration **link = &hub->first;
    if (registration->thread.started && pthread_equal(registration->thread.id, pthread_self())) {
        kube_log_error("a handler cannot remove itself from inside its callback");
        return;
    }
    kube__lock(&hub->mutex);
    while (*link && *link != registration)
        link = &(*link)->next;
    if (*link)
        *link = registration->next;
    registration->quit = true;
    kube__signal(&registration->wake);
    kube__broadcast(&hub->room);
    join_thread(hub, registration);
    kube__unlock(&hub->mutex);
    free_registration(registration);
}

kube_code kube__hub_start(kube__hub *hub, kube_error *err)
{
    kube_code code = KUBE_OK;
    kube__lock(&hub->mutex);
    for (kube_registration *r = hub->first; r && !code; r = r->next)
        if (!r->thread.started)
            code = start_thread(r, err);
    hub->running = !code;
    kube__unlock(&hub->mutex);
    return code;
}

void kube__hub_stop(kube__hub *hub)
{
    kube__lock(&hub->mutex);
    hub->stopped = true;
    for (kube_registration *r = hub->first; r; r = r->next) {
        r->quit = true;
        kube__signal(&r->wake);
    }
    kube__broadcast(&hub->room);
    kube__unlock(&hub->mutex);
}

/* From the start again after each: the list may have changed meanwhile. */
void kube__hub_join(kube__hub *hub)
{
    kube_registration *r;
    kube__lock(&hub->mutex);
    do {
        for (r = hub->first; r && !r->thread.started; r = r->next)
            ;
        if (r)
            join_thread(hub, r);
    } while (r);
    kube__unlock(&hub->mutex);
}

void kube__hub_fini(kube__hub *hub)
{
    kube__hub_join(hub);
    while (hub->first) {
        kube_registration *r = hub->first;
        hub->first = r->next;
        free_registration(r);
    }
    kube__condition_fini(&hub->room);
    kube__mutex_fini(&hub->mutex);
}

bool kube_registration_has_synced(const kube_registration *registration)
{
    return atomic_load(&registration->synced);
}

kube_code kube__registration_wait_synced(kube_registration *registration, kube_ctx *ctx,
                                         kube_error *err)
{
    kube__hub *hub = registration->hub;
    kube_code code = KUBE_OK;
    kube__wait_scope scope;
    kube__wait_begin(&scope, ctx, &hub->mutex, &hub->room, 0);
    kube__lock(&hub->mutex);
    while (!code && hub->running && !registration->synced) {
        if (hub->stopped)
            code = kube_error_set(err, KUBE_ERR_CLOSED, "the informer has been stopped");
        else if (!kube__wait_step(&scope))
            code = kube_ctx_status(ctx, err);
    }
    kube__unlock(&hub->mutex);
    kube__wait_end(&scope);
    return code;
}

/* ---- publishing ---------------------------------------------------------------------------- */

static bool has_room(const kube__hub *hub)
{
    for (const kube_registration *r = hub->first; r; r = r->next)
        if (r->pending >= KUBE__RING_SIZE || r->len >= KUBE__RING_SIZE)
            return false;
    return true;
}

kube_code kube__hub_wait_room(kube__hub *hub, kube_ctx *ctx, kube_error *err)
{
    kube_code code = KUBE_OK;
    kube__lock(&hub->mutex);
    while (!hub->stopped && !code && !has_room(hub)) {
        kube__wait_until(kube_ctx_clock(ctx), &hub->room, &hub->mutex, kube__ctx_deadline_ns(ctx));
        code = kube_ctx_status(ctx, err);
    }
    if (hub->stopped && !code)
        code = kube_error_set(err, KUBE_ERR_CANCELED, "canceled");
    kube__unlock(&hub->mutex);
    return code;
}

void kube__hub_publish(kube__hub *hub, kube__batch *batch)
{
    bool resync = (batch->flags & KUBE__BATCH_RESYNC) != 0;
    kube__lock(&hub->mutex);
    for (kube_registration *r = hub->first; r && !hub->stopped; r = r->next)
        if (!resync || r->syncing)
            push(r, batch, !r->syncing);
    kube__unlock(&hub->mutex);
}

/* A handler that has not yet taken its last resync is not given another one on top. */
bool kube__hub_resync_due(kube__hub *hub)
{
    int64_t now = hub->clock->now_ns(hub->clock);
    bool any = false;
    kube__lock(&hub->mutex);
    for (kube_registration *r = hub->first; r; r = r->next) {
        r->syncing = r->resync_ns > 0 && now >= r->next_resync_ns && r->resyncs == 0;
        if (!r->syncing)
            continue;
        r->next_resync_ns = now + r->resync_ns;
        any = true;
    }
    kube__unlock(&hub->mutex);
    return any;
}
