/* SPDX-License-Identifier: Apache-2.0 */
#include "informer.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

#include <kube/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kube_informer {
    kube__informer_options options;
    kube_clock *clock;
    kube__store *store;
    kube_lister lister;
    kube__mutex delta;
    kube__processor processor;
    kube__bad_listener *listeners; /* under `delta` */
    kube_ctx *ctx;                 /* its own root, on its own clock */
    kube__ctx_link link;           /* the user's ctx, which may go before us, -> ours */
    kube__waker waiters;           /* ours -> the processor's */
    bool following;
    kube__reflector *reflector;
    kube__mutex lifecycle; /* of start and stop */
    kube__thread thread;
    _Atomic int state;
    _Atomic bool synced;
    _Atomic int64_t started_ns;
    _Atomic int64_t synced_ns;
    _Atomic int64_t stopped_ns;
};

static int64_t now_ns(const kube_informer *informer)
{
    return informer->clock->now_ns(informer->clock);
}

/* ---- the reflector's sink -------------------------------------------------------------------- */

static kube_code replace(void *arg, kube__table *staged, const char *resource_version,
                         size_t keep_missing, kube_error *err)
{
    kube_informer *informer = arg;
    bool first = !atomic_load(&informer->synced);
    kube__batch *batch = NULL;
    kube_code rc;
    kube__lock(&informer->delta);
    rc = kube__processor_reserve(&informer->processor,
                                 kube__store_count(informer->store) + staged->count, err);
    if (rc) {
        kube__unlock(&informer->delta);
        kube__table_free(staged);
        return rc;
    }
    rc = kube__store_replace(informer->store, staged, resource_version, keep_missing,
                             first ? KUBE__BATCH_INITIAL : 0, &batch, err);
    if (!rc) {
        kube__processor_publish(&informer->processor, batch);
        if (first)
            atomic_store(&informer->synced_ns, now_ns(informer));
        atomic_store(&informer->synced, true);
    }
    kube__unlock(&informer->delta);
    kube__batch_unref(batch);
    if (first && !rc && informer->options.changed)
        informer->options.changed(informer->options.changed_arg);
    return rc;
}

/* What was applied before memory ran out is published: store and handlers stay together. */
static kube_code apply(void *arg, kube__delta *deltas, size_t len, const char *resource_version,
                       kube_error *err)
{
    kube_informer *informer = arg;
    kube__batch *batch;
    size_t applied = 0;
    kube_code rc;
    batch = kube__batch_new(len, 0);
    if (!batch)
        return kube__no_memory(err, "changes of %s", informer->options.type->resource);
    kube__lock(&informer->delta);
    rc = kube__processor_reserve(&informer->processor, len, err);
    if (!rc)
        rc =
            kube__store_apply(informer->store, deltas, len, resource_version, batch, &applied, err);
    if (batch->len > 0)
        kube__processor_publish(&informer->processor, batch);
    kube__unlock(&informer->delta);
    kube__batch_unref(batch);
    return rc;
}

static kube_code resync(void *arg, kube_error *err)
{
    kube_informer *informer = arg;
    kube__batch *batch = NULL;
    kube_code rc = KUBE_OK;
    kube__lock(&informer->delta);
    if (kube__processor_resync_due(&informer->processor))
        rc = kube__store_snapshot(informer->store, KUBE__BATCH_RESYNC, true, &batch, err);
    if (batch)
        kube__processor_publish(&informer->processor, batch);
    kube__unlock(&informer->delta);
    kube__batch_unref(batch);
    return rc;
}

static int64_t resync_due_ns(void *arg)
{
    kube_informer *informer = arg;
    int64_t due = kube__processor_resync_due_ns(&informer->processor);
    int64_t period = informer->options.user.resync_ms * KUBE__NS_PER_MS;
    /* A handler may be added meanwhile: it is looked for after a period at the latest. */
    return period > 0 && now_ns(informer) + period < due ? now_ns(informer) + period : due;
}

static void bad_changed(void *arg, kube_key key, bool is_bad)
{
    kube_informer *informer = arg;
    kube__lock(&informer->delta);
    for (kube__bad_listener *l = informer->listeners; l; l = l->next)
        l->changed(l->arg, key, is_bad);
    kube__unlock(&informer->delta);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void stop_hub(void *arg)
{
    kube_informer *informer = arg;
    kube__processor_stop(&informer->processor);
}

static void cancel_own(void *arg)
{
    kube_informer *informer = arg;
    kube_ctx_cancel(informer->ctx);
}

static void set_stopped(kube_informer *informer)
{
    if (atomic_load(&informer->state) != KUBE__INFORMER_STOPPED)
        atomic_store(&informer->stopped_ns, now_ns(informer));
    atomic_store(&informer->state, KUBE__INFORMER_STOPPED);
}

static void *run(void *arg)
{
    kube_informer *informer = arg;
    kube__reflector_run(informer->reflector);
    /* INF-9: the reflector has ended, now the handlers do. */
    set_stopped(informer);
    kube__processor_stop(&informer->processor);
    if (informer->options.changed)
        informer->options.changed(informer->options.changed_arg);
    return NULL;
}

static kube_code new_reflector(kube_informer *informer, kube_error *err)
{
    const kube_informer_options *user = &informer->options.user;
    kube__reflector_options options = {
        .type = informer->options.type,
        .source = informer->options.source,
        .store = informer->store,
        .sink = {replace, apply, resync, resync_due_ns, bad_changed, informer},
        .ctx = informer->ctx,
        .namespace_ = user->namespace_,
        .label_selector = user->label_selector,
        .field_selector = user->field_selector,
        .keep_managed_fields = user->keep_managed_fields,
        .no_streaming_list = user->no_streaming_list,
        .buffer_bytes = user->buffer_bytes,
        .random01 = informer->options.random01,
        .random_arg = informer->options.random_arg,
        .transform = user->transform,
        .transform_arg = user->transform_arg,
        .on_failure = user->on_failure,
        .on_failure_arg = user->on_failure_arg,
    };
    return kube__reflector_new(&options, &informer->reflector, err);
}

static kube_code init_locks(kube_informer *informer, kube_error *err)
{
    kube_code rc = kube__mutex_init(&informer->delta, err);
    if (rc)
        return rc;
    rc = kube__mutex_init(&informer->lifecycle, err);
    if (rc)
        goto no_lifecycle;
    rc = kube__processor_init(&informer->processor, informer->options.type->resource,
                              informer->clock, err);
    if (!rc)
        return KUBE_OK;
    kube__mutex_fini(&informer->lifecycle);
no_lifecycle:
    kube__mutex_fini(&informer->delta);
    return rc;
}

kube_code kube__informer_new(const kube__informer_options *options, kube_informer **out,
                             kube_error *err)
{
    kube_informer *informer = calloc(1, sizeof *informer);
    kube_code rc;
    *out = NULL;
    if (!informer)
        return kube__no_memory(err, "an informer");
    informer->options = *options;
    informer->clock = options->user.clock ? options->user.clock : kube_clock_system();
    rc = init_locks(informer, err);
    if (rc) {
        free(informer);
        return rc;
    }
    informer->ctx = kube_ctx_new_with_clock(informer->clock);
    if (!informer->ctx)
        rc = kube__no_memory(err, "an informer");
    if (!rc)
        rc = kube__store_new(options->type, &informer->store, err);
    if (!rc && options->user.exit_on_no_memory)
        kube__store_exit_on_no_memory(informer->store);
    if (!rc)
        rc = new_reflector(informer, err);
    informer->lister.store = informer->store;
    if (rc) {
        kube__informer_free(informer);
        return rc;
    }
    informer->lister.bad = kube__reflector_bad_objects(informer->reflector);
    *out = informer;
    return KUBE_OK;
}

void kube__informer_free(kube_informer *informer)
{
    if (!informer)
        return;
    kube__informer_stop(informer);
    kube__reflector_free(informer->reflector);
    kube__processor_fini(&informer->processor);
    kube__mutex_fini(&informer->lifecycle);
    kube__mutex_fini(&informer->delta);
    kube__store_free(informer->store);
    kube_ctx_free(informer->ctx);
    free(informer);
}

/* Nothing of the user's ctx is taken over but its cancel, which comes through the link: a deadline
 * on it is most often one for the start. */
static void follow(kube_informer *informer, kube_ctx *ctx)
{
    informer->waiters.wake = stop_hub;
    informer->waiters.arg = informer;
    kube__ctx_add_waker(informer->ctx, &informer->waiters);
    kube__ctx_link_to(ctx, &informer->link, cancel_own, informer);
    informer->following = true;
}

static void unfollow(kube_informer *informer)
{
    kube__ctx_unlink(&informer->link);
    kube__ctx_remove_waker(informer->ctx, &informer->waiters);
    informer->following = false;
}

static kube_code start(kube_informer *informer, kube_ctx *ctx, kube_error *err)
{
    char name[16];
    kube_code rc;
    snprintf(name, sizeof name, "kube-%.10s", informer->options.type->resource);
    rc = kube__processor_start(&informer->processor, err);
    if (rc)
        return rc;
    follow(informer, ctx);
    atomic_store(&informer->started_ns, now_ns(informer));
    atomic_store(&informer->state, KUBE__INFORMER_RUNNING);
    rc = kube__thread_start_open(&informer->thread, name, run, informer, err);
    if (rc) {
        unfollow(informer);
        set_stopped(informer);
        kube__processor_stop(&informer->processor);
    }
    return rc;
}

kube_code kube__informer_start(kube_informer *informer, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = KUBE_OK;
    kube__lock(&informer->lifecycle);
    if (atomic_load(&informer->state) == KUBE__INFORMER_NEW)
        rc = start(informer, ctx, err);
    kube__unlock(&informer->lifecycle);
    return rc;
}

void kube__informer_cancel(kube_informer *informer)
{
    kube_ctx_cancel(informer->ctx);
}

void kube__informer_stop(kube_informer *informer)
{
    if (informer->ctx)
        kube_ctx_cancel(informer->ctx);
    kube__processor_stop(&informer->processor);
    kube__lock(&informer->lifecycle);
    kube__thread_join(&informer->thread);
    set_stopped(informer);
    kube__processor_join(&informer->processor);
    if (informer->following)
        unfollow(informer);
    kube__unlock(&informer->lifecycle);
}

kube__informer_state kube__informer_get_state(const kube_informer *informer)
{
    return (kube__informer_state)atomic_load(&informer->state);
}

const char *kube__informer_last_error(const kube_informer *informer)
{
    kube__reflector_stats stats;
    kube__reflector_get_stats(informer->reflector, &stats);
    return stats.last_error;
}

/* ---- handlers -------------------------------------------------------------------------------- */

/* INF-5: under the delta lock, so that the snapshot and the changes after it fit together. */
kube_code kube_informer_add_typed_handler(kube_informer *informer, kube_handler_thunk *thunk,
                                          const void *typed, size_t typed_size, void *arg,
                                          const kube_handler_options *options, size_t options_size,
                                          kube_registration **out, kube_error *err)
{
    kube_handler_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__handler handler = {
        .options = *options, .thunk = thunk, .typed = typed, .typed_size = typed_size, .arg = arg};
    kube_registration *registration = NULL;
    kube__batch *backlog = NULL;
    kube_code rc = KUBE_OK;
    if (out)
        *out = NULL;
    if (handler.options.resync_ms < KUBE_NO_RESYNC)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: resync_ms of a handler is %lld",
                              informer->options.type->resource,
                              (long long)handler.options.resync_ms);
    handler.options.resync_ms = handler.options.resync_ms
                                    ? kube__allowed_resync_ms(handler.options.resync_ms)
                                    : informer->options.user.resync_ms;
    kube__lock(&informer->delta);
    if (atomic_load(&informer->synced))
        rc = kube__store_snapshot(informer->store, KUBE__BATCH_INITIAL, false, &backlog, err);
    if (!rc)
        rc = kube__processor_add(&informer->processor, &handler, backlog, &registration, err);
    kube__unlock(&informer->delta);
    if (rc)
        kube__batch_unref(backlog);
    else if (out)
        *out = registration;
    return rc;
}

static void call_untyped(const void *typed, void *arg, const kube_object *old_object,
                         const kube_object *new_object, bool flag)
{
    const kube_handler *handler = typed;
    if (!old_object && handler->on_add)
        handler->on_add(arg, new_object, flag);
    if (old_object && new_object && handler->on_update)
        handler->on_update(arg, old_object, new_object);
    if (!new_object && handler->on_delete)
        handler->on_delete(arg, old_object, flag);
}

kube_code kube_informer_add_handler_sized(kube_informer *informer, const kube_handler *handler,
                                          size_t handler_size, void *arg,
                                          const kube_handler_options *options, size_t options_size,
                                          kube_registration **out, kube_error *err)
{
    kube_handler own;
    if (!handler)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a handler is missing");
    handler = kube__sized(handler, handler_size, &own, sizeof own);
    return kube_informer_add_typed_handler(informer, call_untyped, handler, sizeof *handler, arg,
                                           options, options_size, out, err);
}

void kube_informer_remove_handler(kube_informer *informer, kube_registration *handler)
{
    if (!handler)
        return;
    if (!kube__processor_owns(&informer->processor, handler)) {
        kube_log_error("%s: cannot remove a handler of another informer",
                       informer->options.type->resource);
        return;
    }
    kube__processor_remove(&informer->processor, handler);
}

/* ---- the rest -------------------------------------------------------------------------------- */

bool kube_informer_has_synced(const kube_informer *informer)
{
    return atomic_load(&informer->synced);
}

/* Since the first list, or since the last failure ended. */
static int64_t synced_since_ns(const kube_informer *informer, const kube__reflector_stats *stats)
{
    int64_t first = atomic_load(&informer->synced_ns);
    return first > stats->failing_since_ns ? first : stats->failing_since_ns;
}

kube_informer_phase kube_informer_state_sized(const kube_informer *informer,
                                              kube_informer_status *status, size_t status_size)
{
    kube_informer_status own;
    kube__reflector_stats stats;
    kube__reflector_get_stats(informer->reflector, &stats);
    if (atomic_load(&informer->state) == KUBE__INFORMER_STOPPED)
        own = (kube_informer_status){KUBE_INFORMER_STOPPED, atomic_load(&informer->stopped_ns), ""};
    else if (!atomic_load(&informer->synced))
        own = (kube_informer_status){KUBE_INFORMER_STARTING, atomic_load(&informer->started_ns),
                                     stats.failing ? stats.failing : ""};
    else if (stats.failing)
        own = (kube_informer_status){KUBE_INFORMER_BEHIND, stats.failing_since_ns, stats.failing};
    else
        own = (kube_informer_status){KUBE_INFORMER_SYNCED, synced_since_ns(informer, &stats), ""};
    if (status)
        kube__sized_out(status, status_size, &own, sizeof own);
    return own.phase;
}

const char *kube_informer_name(const kube_informer *informer)
{
    return kube__text_or_empty(informer->options.user.name);
}

const kube_type *kube_informer_type(const kube_informer *informer)
{
    return informer->options.type;
}

const kube_lister *kube_informer_lister(const kube_informer *informer)
{
    return &informer->lister;
}

kube_code kube_informer_add_index(kube_informer *informer, const char *name,
                                  kube_index_function *index, void *arg, kube_error *err)
{
    kube_code rc;
    kube__lock(&informer->delta);
    if (atomic_load(&informer->state) == KUBE__INFORMER_STOPPED)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "the informer has been stopped");
    else if (!name || !*name || !index)
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "an index needs a name and a function");
    else
        rc = kube__store_add_index(informer->store, name, index, arg, err);
    kube__unlock(&informer->delta);
    return rc;
}

void kube__informer_look(kube_informer *informer, kube__handlers_state *state)
{
    kube__processor_look(&informer->processor, state);
}

void kube_informer_get_stats_sized(const kube_informer *informer, kube_informer_stats *stats,
                                   size_t stats_size)
{
    kube_informer_stats own = {0};
    kube__reflector_stats inner;
    kube__handlers_state handlers;
    kube__informer_look((kube_informer *)(uintptr_t)informer, &handlers);
    own.handler_ms = handlers.longest_ms;
    memcpy(own.handler, handlers.longest, sizeof own.handler);
    own.folded = handlers.folded;
    kube__reflector_get_stats(informer->reflector, &inner);
    own.lists = inner.lists;
    own.watches = inner.watches;
    own.events = inner.events;
    own.bad_objects = inner.bad_objects;
    own.unusable = inner.unusable;
    own.backoffs = inner.backoffs;
    own.objects = kube__store_count(informer->store);
    own.object_bytes = kube__store_object_bytes(informer->store);
    own.queued_bytes_peak = inner.queued_bytes_peak;
    own.last_error = inner.last_error;
    own.synced = atomic_load(&informer->synced);
    own.last_list_ns = inner.last_list_ns;
    own.last_event_ns = inner.last_event_ns;
    own.last_heard_ns = inner.last_heard_ns;
    kube__sized_out(stats, stats_size, &own, sizeof own);
}

void kube_informer_each_bad(const kube_informer *informer,
                            bool (*visit)(void *arg, kube_key key, const char *why), void *arg)
{
    kube__bad_objects_each(informer->lister.bad, visit, arg);
}

void kube__informer_listen(kube_informer *informer, kube__bad_listener *listener)
{
    kube__lock(&informer->delta);
    listener->next = informer->listeners;
    informer->listeners = listener;
    kube__unlock(&informer->delta);
}

void kube__informer_unlisten(kube_informer *informer, kube__bad_listener *listener)
{
    kube__lock(&informer->delta);
    for (kube__bad_listener **l = &informer->listeners; *l; l = &(*l)->next) {
        if (*l == listener) {
            *l = listener->next;
            break;
        }
    }
    kube__unlock(&informer->delta);
}

bool kube__informer_find_bad(const kube_informer *informer, kube_key key, kube_error *err)
{
    return kube__bad_objects_find(informer->lister.bad, key, err);
}

static kube_code keep_none(void *arg, const kube_object *object)
{
    (void)arg;
    (void)object;
    return KUBE_OK;
}

bool kube__informer_has(const kube_informer *informer, kube_key key)
{
    kube__name name = {kube__text_or_empty(key.namespace_), key.name};
    kube_code rc;
    return kube__store_visit(informer->store, name, keep_none, NULL, &rc);
}

kube_code kube_informer_enter(kube_informer *informer, const kube_object *object, bool deleted,
                              kube_error *err)
{
    kube__delta delta = {(kube_object *)(uintptr_t)kube_object_ref(object), deleted};
    kube__batch *batch = NULL;
    size_t applied;
    kube_code rc;
    kube__lock(&informer->delta);
    if (atomic_load(&informer->state) != KUBE__INFORMER_NEW) {
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT,
                            "cache of %s: no object can be entered after the informer was started",
                            informer->options.type->resource);
    } else {
        batch = kube__batch_new(1, 0);
        rc = batch ? kube__store_apply(informer->store, &delta, 1, NULL, batch, &applied, err)
                   : kube__no_memory(err, "an informer");
    }
    kube__unlock(&informer->delta);
    kube__batch_unref(batch);
    kube_object_unref(delta.object); /* NULL once the cache has it */
    return rc;
}
