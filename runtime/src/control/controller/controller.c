/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources put keys into the queue and note why; workers take keys and reconcile. Both begin with
 * the start and rest after the stop; what is left in the queue then, and what the sources hold from
 * then on, waits for the next start.
 */
#include "controller.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/units.h"
#include "base/wait.h"
#include "cache/factory.h"

#include <kube/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_NAME_MAX = 16, NO_MEMORY_PAUSE_MS = 100 };

struct kube__worker {
    kube_controller *controller;
    kube__thread thread;
    kube_ctx *ctx;     /* until it is stopped */
    kube_ctx *run_ctx; /* of one run after the other */
};

/* ---- workers ------------------------------------------------------------------------------- */

static void wake_idle(kube_controller *controller)
{
    kube__lock(&controller->mutex);
    kube__broadcast(&controller->idle);
    kube__unlock(&controller->mutex);
}

/* A new leader may begin with caches that synced long ago and that nothing feeds now. */
static void tell_start(const kube_controller *controller, kube_code rc, const kube_error *err)
{
    kube_error behind;
    if (rc)
        kube_log_debug("%s: %s", controller->name, err->message);
    else if (kube__informer_factory_check(controller->factory, &behind))
        kube_log_warn("%s: %d workers, but %s", controller->name, controller->worker_count,
                      behind.message);
    else
        kube_log_info("%s: caches are synced, %d workers", controller->name,
                      controller->worker_count);
}

/* A reconcile function reads caches: none runs before its handlers have seen what was listed. */
static bool wait_for_caches(kube__worker *worker)
{
    kube_controller *controller = worker->controller;
    kube_error err;
    kube_code rc = kube__controller_wait_sources(controller, worker->ctx, &err);
    bool first;
    kube__lock(&controller->mutex);
    first = controller->waiting == controller->worker_count;
    controller->waiting--;
    kube__broadcast(&controller->idle);
    kube__unlock(&controller->mutex);
    if (first)
        tell_start(controller, rc, &err);
    return !rc;
}

static void process(kube__worker *worker, kube_key key)
{
    kube_controller *controller = worker->controller;
    if (kube__controller_is_source_key(key))
        kube__controller_map_missed(controller, key);
    else
        kube__controller_reconcile(controller, worker->ctx, worker->run_ctx, key);
    kube_workqueue_done(controller->queue, key);
    wake_idle(controller);
}

static void *run_worker(void *arg)
{
    kube__worker *worker = arg;
    kube_controller *controller = worker->controller;
    kube_key key;
    kube_error err;
    if (!wait_for_caches(worker))
        return NULL;
    for (;;) {
        kube_code rc = kube_workqueue_get(controller->queue, worker->ctx, &key, &err);
        if (rc == KUBE_ERR_NO_MEMORY)
            rc = kube_ctx_sleep_ms(worker->ctx, NO_MEMORY_PAUSE_MS, NULL);
        else if (!rc)
            process(worker, key);
        if (rc)
            return NULL;
    }
}

/* All that a worker needs, so that it cannot fail once it runs. */
static kube_code make_workers(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    bool complete;
    controller->run_ctx = kube_ctx_child(ctx);
    controller->workers = calloc((size_t)controller->worker_count, sizeof *controller->workers);
    complete = controller->run_ctx && controller->workers;
    for (int i = 0; complete && i < controller->worker_count; i++) {
        kube__worker *worker = &controller->workers[i];
        worker->controller = controller;
        worker->ctx = kube_ctx_child(controller->run_ctx);
        worker->run_ctx = worker->ctx ? kube_ctx_child(worker->ctx) : NULL;
        complete = worker->run_ctx;
    }
    if (complete)
        return KUBE_OK;
    return kube__no_memory(err, "workers of %s", controller->name);
}

static void set_waiting(kube_controller *controller, int count)
{
    kube__lock(&controller->mutex);
    controller->waiting = count;
    kube__broadcast(&controller->idle);
    kube__unlock(&controller->mutex);
}

static kube_code check_at_rest(const kube_controller *controller, kube_error *err)
{
    if (controller->workers)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: the controller has been started already",
                              controller->name);
    if (controller->ended)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: the controller has ended",
                              controller->name);
    return KUBE_OK;
}

/* From here on the sources listen; the workers are made but do not run yet. */
static kube_code prepare(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = make_workers(controller, ctx, err);
    set_waiting(controller, controller->worker_count);
    if (!rc)
        rc = kube__controller_start_sources(controller, err);
    if (!rc)
        kube__controller_start_undecodable(controller);
    return rc;
}

static kube_code start_workers(kube_controller *controller, kube_error *err)
{
    char name[THREAD_NAME_MAX];
    kube_code rc = KUBE_OK;
    for (int i = 0; !rc && i < controller->worker_count; i++) {
        kube__worker *worker = &controller->workers[i];
        snprintf(name, sizeof name, "kube-work-%d", i % 10000);
        rc = kube__thread_start_open(&worker->thread, name, run_worker, worker, err);
    }
    return rc;
}

kube_code kube_controller_start(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = check_at_rest(controller, err);
    if (rc)
        return rc;
    rc = prepare(controller, ctx, err);
    if (!rc)
        rc = start_workers(controller, err);
    if (rc)
        kube_controller_stop(controller);
    return rc;
}

void kube_controller_stop(kube_controller *controller)
{
    kube_ctx_cancel(controller->run_ctx);
    for (int i = 0; controller->workers && i < controller->worker_count; i++) {
        kube__worker *worker = &controller->workers[i];
        kube__thread_join(&worker->thread);
        kube_ctx_free(worker->run_ctx);
        kube_ctx_free(worker->ctx);
    }
    if (controller->run_ctx) {
        kube__controller_stop_undecodable(controller);
        kube__controller_stop_sources(controller);
    }
    free(controller->workers);
    controller->workers = NULL;
    kube_ctx_free(controller->run_ctx);
    controller->run_ctx = NULL;
    set_waiting(controller, 0);
}

/* Waits until the ctx ends; its status is the way out, not a failure. */
static void wait_for_end(kube_ctx *ctx)
{
    while (kube_ctx_sleep_ms(ctx, INT64_MAX, NULL) == KUBE_OK)
        continue;
}

kube_code kube_controller_run(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    if (!rc)
        rc = check_at_rest(controller, err);
    if (rc)
        return rc;
    rc = prepare(controller, ctx, err);
    if (!rc) /* without the ctx: its end is not that of others who use the caches */
        rc = kube_informer_factory_start(controller->factory, NULL, err);
    if (!rc)
        rc = kube_informer_factory_wait_synced(controller->factory, ctx, err);
    if (!rc)
        rc = start_workers(controller, err);
    if (!rc)
        wait_for_end(ctx);
    else if (kube__ctx_ended(ctx, NULL))
        rc = KUBE_OK; /* cancelled before it was ready: an orderly end */
    kube_controller_stop(controller);
    kube__controller_end_sources(controller);
    controller->ended = true;
    kube_workqueue_shut_down(controller->queue);
    return rc;
}

static bool is_idle(kube_controller *controller)
{
    kube_workqueue_stats stats;
    kube_workqueue_get_stats(controller->queue, &stats);
    return !controller->waiting && !stats.depth && !stats.processing;
}

kube_code kube_controller_wait_idle(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube__wait_scope scope;
    kube_code rc = kube__ctx_check(ctx, err);
    kube__wait_begin(&scope, ctx, &controller->mutex, &controller->idle, 0);
    kube__lock(&controller->mutex);
    while (!rc && !is_idle(controller)) {
        if (!kube__wait_step(&scope))
            rc = kube_ctx_status(ctx, err);
    }
    kube__unlock(&controller->mutex);
    kube__wait_end(&scope);
    return rc;
}

/* ---- life ---------------------------------------------------------------------------------- */

static kube_code init_idle(kube_controller *controller, kube_error *err)
{
    kube_code rc = kube__mutex_init(&controller->mutex, err);
    if (rc)
        return rc;
    rc = kube__condition_init(&controller->idle, err);
    if (rc)
        goto no_condition;
    rc = kube__reason_book_init(&controller->reasons, err);
    if (rc)
        goto no_book;
    return KUBE_OK;

no_book:
    kube__condition_fini(&controller->idle);
no_condition:
    kube__mutex_fini(&controller->mutex);
    return rc;
}

static kube_code init(kube_controller *controller, const kube_controller_options *options,
                      kube_error *err)
{
    const kube_workqueue_options queue = {
        .clock = controller->clock,
        .limiter = options->limiter,
        .metrics = options->metrics,
        .timed = options->flight != NULL,
    };
    const kube__source_options own = {
        .kind = KUBE__SOURCE_FOR, .type = options->for_, .predicate = options->predicate};
    kube_code rc = kube_workqueue_new(options->name, &queue, &controller->queue, err);
    if (rc)
        return rc;
    controller->name = strdup(options->name);
    if (!controller->name)
        return kube__no_memory(err, "%s", options->name);
    rc = kube__run_metrics_init(controller, options->metrics, err);
    if (!rc)
        rc = kube_informer_factory_informer(controller->factory, options->for_, NULL,
                                            &controller->informer, err);
    if (!rc)
        rc = kube__controller_add_source(controller, &own, err);
    return rc || !options->setup ? rc : options->setup(options->arg, controller, err);
}

static kube_code check_options(const kube_informer_factory *factory,
                               const kube_controller_options *options, kube_error *err)
{
    const char *wrong = NULL;
    if (!options->name || !*options->name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a controller needs a name");
    if (!factory)
        wrong = "a factory";
    else if (!options->for_)
        wrong = "a type to reconcile (for_)";
    else if (!options->reconcile)
        wrong = "a reconcile function";
    else if (options->workers < 0)
        wrong = "workers";
    else if (options->reconcile_timeout_ms < 0)
        wrong = "a reconcile_timeout_ms that is not negative";
    return wrong ? kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: a controller needs %s",
                                  options->name, wrong)
                 : KUBE_OK;
}

kube_code kube_controller_new_sized(kube_informer_factory *factory,
                                    const kube_controller_options *options, size_t options_size,
                                    kube_controller **out, kube_error *err)
{
    kube_controller_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube_controller *controller;
    kube_code rc = check_options(factory, options, err);
    *out = NULL;
    if (rc) {
        kube_rate_limiter_free(options->limiter);
        return rc;
    }
    controller = calloc(1, sizeof *controller);
    if (!controller || init_idle(controller, err)) {
        kube_rate_limiter_free(options->limiter);
        free(controller);
        return kube__no_memory(err, "%s", options->name);
    }
    controller->factory = factory;
    controller->clock = kube_informer_factory_clock(factory);
    controller->exit_on_no_memory = kube__informer_factory_exits_on_no_memory(factory);
    controller->type = options->for_;
    controller->reconcile = options->reconcile;
    controller->arg = options->arg;
    controller->worker_count = options->workers > 0 ? options->workers : 1;
    controller->reconcile_timeout_ms = options->reconcile_timeout_ms;
    controller->flight = options->flight;
    controller->reconcile_bad = options->reconcile_bad;
    rc = init(controller, options, err);
    if (rc) {
        kube_controller_free(controller);
        return rc;
    }
    *out = controller;
    return KUBE_OK;
}

void kube_controller_free(kube_controller *controller)
{
    if (!controller)
        return;
    kube_controller_stop(controller);
    kube__controller_free_sources(controller);
    kube_workqueue_free(controller->queue);
    kube__reason_book_fini(&controller->reasons);
    kube__condition_fini(&controller->idle);
    kube__mutex_fini(&controller->mutex);
    free(controller->name);
    free(controller);
}

/* ---- from outside -------------------------------------------------------------------------- */

kube_code kube_controller_enqueue(kube_controller *controller, kube_key key, kube_error *err)
{
    if (!key.name || !*key.name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: a key without a name", controller->name);
    kube__reason_note(&controller->reasons, key, NULL, NULL);
    return kube_workqueue_add(controller->queue, key, err);
}

uint64_t kube_controller_run_count(const kube_controller *controller)
{
    return atomic_load_explicit(&controller->runs, memory_order_relaxed);
}

const char *kube_controller_name(const kube_controller *controller)
{
    return controller->name;
}

void kube_controller_get_stats_sized(kube_controller *controller, kube_controller_stats *stats,
                                     size_t stats_size)
{
    kube_controller_stats own = {0};
    own.runs = atomic_load_explicit(&controller->runs, memory_order_relaxed);
    own.failures = atomic_load_explicit(&controller->failures, memory_order_relaxed);
    own.terminal = atomic_load_explicit(&controller->terminal, memory_order_relaxed);
    own.interrupted = atomic_load_explicit(&controller->interrupted, memory_order_relaxed);
    own.workers = controller->worker_count;
    own.active = atomic_load_explicit(&controller->active, memory_order_relaxed);
    own.mapping = atomic_load_explicit(&controller->mapping, memory_order_relaxed);
    own.pending_changes = atomic_load_explicit(&controller->missed, memory_order_relaxed);
    own.last_run_ns = atomic_load_explicit(&controller->last_run_ns, memory_order_relaxed);
    kube__sized_out(stats, stats_size, &own, sizeof own);
}

void kube_controller_get_queue_stats_sized(kube_controller *controller, kube_workqueue_stats *stats,
                                           size_t stats_size)
{
    kube_workqueue_get_stats_sized(controller->queue, stats, stats_size);
}
