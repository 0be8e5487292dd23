/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a manager, from the first listening socket to the last joined thread. */
#include "base/ctx.h"
#include "cache/factory.h"
#include "control/events/recorder.h"
#include "manager_state.h"

#include <kube/log.h>

enum { DRAIN_MS = 2000 };

static bool is_over(const kube_manager *manager)
{
    return kube__ctx_ended(manager->ctx, NULL) != KUBE_OK;
}

static kube_code start_caches(kube_manager *manager, kube_error *err)
{
    kube_error behind;
    kube_code rc;
    kube__lock(&manager->mutex);
    manager->has_caches = true; /* a controller that comes later starts what it needs */
    kube__unlock(&manager->mutex);
    rc = kube_informer_factory_start(manager->factory, manager->cache_ctx, err);
    if (!rc)
        rc = kube_informer_factory_wait_synced(manager->factory, manager->ctx, err);
    if (rc || !manager->elector) /* without it the controllers say so at once */
        return rc;
    if (kube__informer_factory_check(manager->factory, &behind))
        kube_log_warn("%s: %s; waiting for the Lease as %s", manager->options.name, behind.message,
                      kube_elector_identity(manager->elector));
    else
        kube_log_info("%s: caches are synced; waiting for the Lease as %s", manager->options.name,
                      kube_elector_identity(manager->elector));
    return KUBE_OK;
}

/* A lost lease is no failure: the caches go on, and the next term begins with all that happened. */
static kube_code stand_for_election(kube_manager *manager, kube_error *err)
{
    kube_code rc = kube_elector_run(manager->elector, manager->ctx, err);
    while (rc == KUBE_ERR_FENCED && !is_over(manager)) {
        kube_log_warn("%s: %s; waiting for the Lease again", manager->options.name, err->message);
        rc = kube_ctx_sleep_ms(manager->ctx, manager->options.retry_period_ms, err);
        if (!rc)
            rc = kube_elector_run(manager->elector, manager->ctx, err);
    }
    return rc;
}

static kube_code work(kube_manager *manager, kube_error *err)
{
    kube_code rc = kube__manager_serve(manager, err);
    if (!rc)
        rc = start_caches(manager, err);
    if (!rc)
        rc = kube__manager_begin_term(manager, manager->ctx, true, err);
    if (rc)
        return rc;
    if (manager->elector)
        return stand_for_election(manager, err);
    kube__manager_lead(manager, manager->ctx);
    return KUBE_OK;
}

static kube_code begin(kube_manager *manager, kube_error *err)
{
    kube_code rc = kube__manager_check_new(manager, "kube_manager_run()", err);
    kube__lock(&manager->mutex);
    manager->has_run = true;
    kube__unlock(&manager->mutex);
    return rc;
}

static void enter(kube_manager *manager, const char *phase)
{
    kube__lock(&manager->mutex);
    manager->phase = phase;
    kube__unlock(&manager->mutex);
}

static void end(kube_manager *manager)
{
    kube__thread watcher;
    kube__lock(&manager->mutex);
    manager->over = true;
    kube__unlock(&manager->mutex);
    kube_ctx_cancel(manager->ctx);
    kube__manager_begin_watch(manager, &watcher);
    kube__manager_end_term(manager, true);
    enter(manager, "a handler, map, index or transform function");
    kube_informer_factory_stop(manager->factory);
    enter(manager, NULL); /* it has a limit of its own */
    kube__recorder_drain(manager->recorder, DRAIN_MS);
    enter(manager, "the pages");
    kube__manager_stop_serving(manager);
    kube__manager_end_watch(manager, &watcher);
}

kube_code kube_manager_run(kube_manager *manager, kube_error *err)
{
    kube_error failure;
    kube_code rc = begin(manager, err);
    if (rc)
        return rc;
    rc = work(manager, &failure);
    if (rc && !is_over(manager))
        kube__manager_fail(manager, rc, &failure);
    end(manager);
    if (manager->failed && err)
        *err = manager->failure;
    return manager->failed;
}

void kube_manager_stop(kube_manager *manager)
{
    kube_ctx_cancel(manager->ctx);
}
