/* SPDX-License-Identifier: Apache-2.0 */
/* Starts and stops what runs while a manager leads. */
#include "base/ctx.h"
#include "base/units.h"
#include "manager_state.h"

#include <inttypes.h>
#include <kube/log.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TELL_MS = 5000, NAMES_MAX = 256 };

void kube__manager_fail(kube_manager *manager, kube_code rc, const kube_error *err)
{
    kube__lock(&manager->mutex);
    if (!manager->failed) {
        manager->failed = rc;
        manager->failure = *err;
    }
    kube__unlock(&manager->mutex);
    kube_ctx_cancel(manager->ctx);
}

/* ---- runnables ----------------------------------------------------------------------------- */

static void *run_runner(void *arg)
{
    kube__manager_runner *runner = arg;
    kube_manager *manager = runner->manager;
    const char *name = runner->runnable.name;
    kube_error err = {0};
    kube_code rc = runner->runnable.run(runner->runnable.arg, runner->ctx, &err);
    bool over = kube__ctx_ended(runner->ctx, NULL) != KUBE_OK;
    if (rc && !*err.message)
        kube_error_set(&err, rc, "%s", kube_code_name(rc));
    if (rc && over && rc != KUBE_ERR_CANCELED && rc != KUBE_ERR_TIMEOUT)
        kube_log_warn("%s: %s", name, err.message);
    if (rc && !over) {
        kube_error_prefix(&err, "%s", name);
        kube__manager_fail(manager, rc, &err);
    }
    kube__lock(&manager->mutex);
    runner->running = false;
    kube__unlock(&manager->mutex);
    return NULL;
}

static kube_code start_runner(kube__manager_runner *runner, kube_ctx *ctx, kube_error *err)
{
    kube_code rc;
    rc = kube__ctx_scope(ctx, &runner->ctx, err);
    if (rc)
        return rc;
    runner->running = true;
    rc = kube__thread_start(&runner->thread, runner->runnable.name, run_runner, runner, err);
    if (rc)
        runner->running = false;
    return rc;
}

kube_code kube__manager_start_runners(kube_manager *manager, kube_ctx *ctx, bool without_lease,
                                      kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (kube__manager_runner *r = manager->runners; !rc && r; r = r->next) {
        if (r->runnable.without_lease == without_lease)
            rc = start_runner(r, ctx, err);
    }
    return rc;
}

/* ---- the end of work ----------------------------------------------------------------------- */

static void add_name(char *names, size_t size, const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

/* Who has not returned; the mutex is held. */
static void name_running(const kube_manager *manager, char names[NAMES_MAX])
{
    kube_controller_stats stats;
    *names = '\0';
    for (size_t i = 0; i < manager->controller_len; i++) {
        kube_controller_get_stats(manager->controllers[i], &stats);
        if (stats.active > 0)
            add_name(names, NAMES_MAX, kube_controller_name(manager->controllers[i]));
    }
    for (const kube__manager_runner *r = manager->runners; r; r = r->next) {
        if (r->running && kube__ctx_ended(r->ctx, NULL))
            add_name(names, NAMES_MAX, r->runnable.name);
    }
}

/*
 * A thread that is stuck cannot be taken away, and while it may still write, the lease must not
 * go to another. So it is waited for, aloud, and in the end the process goes.
 */
static void *watch_the_end(void *arg)
{
    kube_manager *manager = arg;
    kube_clock *clock = manager->clock;
    int64_t begun = manager->ending_ns ? manager->ending_ns : clock->now_ns(clock);
    int64_t deadline = kube__ms_after(begun, manager->stop_timeout_ms);
    int64_t tell = begun + TELL_MS * KUBE__NS_PER_MS;
    char names[NAMES_MAX];
    kube__lock(&manager->mutex);
    while (manager->stopping) {
        int64_t now = clock->now_ns(clock);
        name_running(manager, names);
        if (now >= deadline && *names) {
            kube_log_error("%s: still running after %" PRId64 " s: %s; ending the process",
                           manager->name, (now - begun) / KUBE__NS_PER_S, names);
            _exit(1);
        }
        if (now >= tell && *names)
            kube_log_warn("%s: waiting for %s to return", manager->name, names);
        if (now >= tell)
            tell = now + TELL_MS * KUBE__NS_PER_MS;
        kube__wait_until(clock, &manager->all_stopped, &manager->mutex,
                         now < deadline && deadline < tell ? deadline : tell);
    }
    kube__unlock(&manager->mutex);
    return NULL;
}

static void begin_watch(kube_manager *manager, kube__thread *watcher)
{
    kube_error err;
    if (!manager->ending_ns && kube__ctx_ended(manager->ctx, NULL))
        manager->ending_ns = manager->clock->now_ns(manager->clock);
    kube__lock(&manager->mutex);
    manager->stopping = true;
    kube__unlock(&manager->mutex);
    *watcher = (kube__thread){0};
    if (kube__thread_start(watcher, "kube-stop", watch_the_end, manager, &err))
        kube_log_error("%s: %s", manager->name, err.message);
}

static void end_watch(kube_manager *manager, kube__thread *watcher)
{
    kube__lock(&manager->mutex);
    manager->stopping = false;
    kube__broadcast(&manager->all_stopped);
    kube__unlock(&manager->mutex);
    kube__thread_join(watcher);
}

static void join_runners(kube_manager *manager, bool without_lease)
{
    for (kube__manager_runner *r = manager->runners; r; r = r->next) {
        if (r->runnable.without_lease != without_lease)
            continue;
        kube__thread_join(&r->thread);
        kube_ctx_free(r->ctx);
        r->ctx = NULL;
    }
}

static bool has_started(const kube_manager *manager, bool without_lease)
{
    for (const kube__manager_runner *r = manager->runners; r; r = r->next) {
        if (r->runnable.without_lease == without_lease && r->ctx)
            return true;
    }
    return false;
}

void kube__manager_join_runners(kube_manager *manager, bool without_lease)
{
    kube__thread watcher;
    if (!has_started(manager, without_lease))
        return;
    begin_watch(manager, &watcher);
    join_runners(manager, without_lease);
    end_watch(manager, &watcher);
}

/* ---- leading ------------------------------------------------------------------------------- */

static kube_code start_controllers(kube_manager *manager, kube_ctx *ctx, size_t *started,
                                   kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (*started = 0; *started < manager->controller_len; ++*started) {
        rc = kube_controller_start(manager->controllers[*started], ctx, err);
        if (rc)
            break;
    }
    return rc;
}

static void wait_for_end(kube_ctx *ctx)
{
    while (kube_ctx_sleep_ms(ctx, INT64_MAX / KUBE__NS_PER_MS, NULL) == KUBE_OK)
        continue;
}

void kube__manager_lead(void *arg, kube_ctx *ctx)
{
    kube_manager *manager = arg;
    kube__thread watcher;
    size_t started;
    kube_error err;
    kube_code rc = start_controllers(manager, ctx, &started, &err);
    if (!rc)
        rc = kube__manager_start_runners(manager, ctx, false, &err);
    if (rc) {
        kube__manager_fail(manager, rc, &err);
    } else {
        atomic_store(&manager->leads, true);
        wait_for_end(ctx);
    }
    atomic_store(&manager->leads, false);
    begin_watch(manager, &watcher);
    for (size_t i = 0; i < started; i++)
        kube_controller_stop(manager->controllers[i]);
    join_runners(manager, false);
    end_watch(manager, &watcher);
}
