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
    rc = kube__thread_start_open(&runner->thread, runner->runnable.name, run_runner, runner, err);
    if (rc)
        runner->running = false;
    return rc;
}

static kube_code start_runners(kube_manager *manager, kube_ctx *ctx, bool without_lease,
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

/* Somebody waits for its end, or it runs something. */
static bool is_active(const kube__manager_controller *c)
{
    kube_controller_stats stats;
    if (c->busy || !c->controller)
        return c->busy;
    kube_controller_get_stats(c->controller, &stats);
    return stats.active + stats.mapping > 0;
}

/* What may hold up the end of the whole, when all who work have ended. */
static void name_rest(const kube_manager *manager, char names[NAMES_MAX])
{
    const char *check = NULL;
    for (int i = 0; !check && i < KUBE__MANAGER_CHECKS; i++)
        check = kube__health_running(manager->health[i]);
    if (check) {
        add_name(names, NAMES_MAX, "health check ");
        strncat(names, check, NAMES_MAX - strlen(names) - 1);
    } else if (!*names && manager->phase) {
        add_name(names, NAMES_MAX, manager->phase);
    }
}

/* Who has not returned; the mutex is held. */
static void name_running(const kube_manager *manager, char names[NAMES_MAX])
{
    *names = '\0';
    for (const kube__manager_controller *c = manager->controllers; c; c = c->next) {
        if (!manager->terms[c->without_lease] && is_active(c))
            add_name(names, NAMES_MAX, c->name);
    }
    for (const kube__manager_runner *r = manager->runners; r; r = r->next) {
        if (r->running && kube__ctx_ended(r->ctx, NULL))
            add_name(names, NAMES_MAX, r->runnable.name);
    }
    if (manager->over)
        name_rest(manager, names);
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
    int64_t deadline = kube__ms_after(begun, manager->options.stop_timeout_ms);
    int64_t tell = begun + TELL_MS * KUBE__NS_PER_MS;
    char names[NAMES_MAX];
    kube__lock(&manager->mutex);
    while (manager->stopping) {
        int64_t now = clock->now_ns(clock);
        name_running(manager, names);
        if (now >= deadline && *names) {
            kube_log_error("%s: still running after %" PRId64 " s: %s; ending the process",
                           manager->options.name, (now - begun) / KUBE__NS_PER_S, names);
            _exit(1);
        }
        if (now >= tell && *names)
            kube_log_warn("%s: waiting for %s to return", manager->options.name, names);
        if (now >= tell)
            tell = now + TELL_MS * KUBE__NS_PER_MS;
        kube__wait_until(clock, &manager->changed, &manager->mutex,
                         now < deadline && deadline < tell ? deadline : tell);
    }
    kube__unlock(&manager->mutex);
    return NULL;
}

void kube__manager_begin_watch(kube_manager *manager, kube__thread *watcher)
{
    kube_error err;
    if (!manager->ending_ns && kube__ctx_ended(manager->ctx, NULL))
        manager->ending_ns = manager->clock->now_ns(manager->clock);
    kube__lock(&manager->mutex);
    manager->stopping = true;
    kube__unlock(&manager->mutex);
    *watcher = (kube__thread){0};
    if (kube__thread_start(watcher, "kube-stop", watch_the_end, manager, &err))
        kube_log_error("%s: %s", manager->options.name, err.message);
}

void kube__manager_end_watch(kube_manager *manager, kube__thread *watcher)
{
    kube__lock(&manager->mutex);
    manager->stopping = false;
    kube__broadcast(&manager->changed);
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

/* ---- terms --------------------------------------------------------------------------------- */

kube_code kube__manager_begin_term(kube_manager *manager, kube_ctx *ctx, bool without_lease,
                                   kube_error *err)
{
    kube_code rc = kube__manager_start_controllers(manager, ctx, without_lease, err);
    return rc ? rc : start_runners(manager, ctx, without_lease, err);
}

void kube__manager_end_term(kube_manager *manager, bool without_lease)
{
    kube__manager_stop_controllers(manager, without_lease);
    join_runners(manager, without_lease);
}

static void wait_for_end(kube_ctx *ctx)
{
    while (kube_ctx_sleep_ms(ctx, INT64_MAX, NULL) == KUBE_OK)
        continue;
}

void kube__manager_lead(void *arg, kube_ctx *ctx)
{
    kube_manager *manager = arg;
    kube__thread watcher;
    kube_error err;
    kube_code rc = kube__manager_begin_term(manager, ctx, false, &err);
    if (rc) {
        kube__manager_fail(manager, rc, &err);
    } else {
        atomic_store(&manager->leads, true);
        wait_for_end(ctx);
    }
    atomic_store(&manager->leads, false);
    kube__manager_begin_watch(manager, &watcher);
    kube__manager_end_term(manager, false);
    kube__manager_end_watch(manager, &watcher);
}
