/* SPDX-License-Identifier: Apache-2.0 */
#include "controllers.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/verbs/loopback.h"
#include "controllers_parts.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- what happens --------------------------------------------------------------------------- */

static void notice(kube__api_controllers *controllers, const kube__api_change *change)
{
    kube__collector_notice(controllers, change);
    kube__namespaces_notice(controllers, change);
    if (controllers->server->options.workloads)
        kube__workloads_notice(controllers, change);
}

/* Told of every change, under the server's lock. */
static void observe(void *arg, const kube__api_change *change)
{
    kube__api_controllers *controllers = arg;
    if (controllers->stopping)
        return;
    if (!kube__dependents_note(controllers->dependents, change)) {
        controllers->rescan = true;
        kube__signal(&controllers->ready);
    }
    notice(controllers, change);
}

/* ---- everything ----------------------------------------------------------------------------- */

typedef struct scan {
    kube__api_controllers *controllers;
    bool indexing; /* first all dependents are noted, then all objects looked at */
    bool failed;
} scan;

static bool scan_object(void *arg, kube__api_object *object)
{
    scan *s = arg;
    const kube__api_change change = {KUBE__API_ADDED, object, NULL};
    if (s->indexing)
        s->failed |= !kube__dependents_note(s->controllers->dependents, &change);
    else
        notice(s->controllers, &change);
    return true;
}

/* Looks at all objects, as if each were new; again later if out of memory. */
static void rescan(kube__api_controllers *controllers)
{
    const kube__api_store *store = controllers->server->store;
    scan s = {.controllers = controllers, .indexing = true};
    kube__api_collection *collection;
    controllers->rescan = false;
    kube__dependents_clear(controllers->dependents);
    for (size_t i = 0; (collection = kube__api_store_collection_at(store, i)); i++)
        kube__api_store_each(collection, "", scan_object, &s);
    s.indexing = false;
    for (size_t i = 0; (collection = kube__api_store_collection_at(store, i)); i++)
        kube__api_store_each(collection, "", scan_object, &s);
    controllers->rescan |= s.failed;
}

/* ---- the thread ----------------------------------------------------------------------------- */

static void run(kube__api_controllers *controllers, kube_ctx *ctx)
{
    static kube__controller *const controller[KUBE__JOB_KIND_COUNT_] = {
        [KUBE__JOB_NAMESPACE] = kube__run_namespace,
        [KUBE__JOB_DEFINITION] = kube__run_definition,
        [KUBE__JOB_OWNER] = kube__run_owner,
        [KUBE__JOB_DEPENDENT] = kube__run_dependent,
        [KUBE__JOB_DEPLOYMENT] = kube__run_deployment,
        [KUBE__JOB_REPLICA_SET] = kube__run_replica_set,
        [KUBE__JOB_STATEFUL_SET] = kube__run_stateful_set,
        [KUBE__JOB_DAEMON_SET] = kube__run_daemon_set,
        [KUBE__JOB_POD] = kube__run_pod,
    };
    kube__job job;
    if (controllers->rescan) {
        rescan(controllers);
        return;
    }
    if (!kube__jobs_take(controllers->jobs, ctx, &job))
        return;
    const kube__turn turn = {controllers, controllers->server, ctx, &job};
    controller[job.kind](&turn);
    if (kube_ctx_failed(ctx))
        controllers->rescan = true;
}

/* Each job in a hold of the lock of its own, so that requests get their turn. */
static void *work(void *arg)
{
    kube__api_controllers *controllers = arg;
    kube_apiserver *server = controllers->server;
    kube_ctx *ctx = kube_ctx_new_with_clock(server->clock);
    kube__lock(&server->lock);
    while (ctx && !controllers->stopping) {
        if (kube__jobs_empty(controllers->jobs) && !controllers->rescan) {
            kube__wait(&controllers->ready, &server->lock);
            continue;
        }
        run(controllers, ctx);
        kube__unlock(&server->lock);
        kube_ctx_reset(ctx);
        sched_yield();
        kube__lock(&server->lock);
    }
    kube__unlock(&server->lock);
    kube_ctx_free(ctx);
    return NULL;
}

/* ---- start ---------------------------------------------------------------------------------- */

static bool make_namespace(kube_apiserver *server, kube_ctx *ctx, const char *name)
{
    kube__api_failure *failure;
    const kube__api_resource *resource =
        kube__api_registry_find(server->registry, "", "v1", "namespaces");
    if (!resource || kube__api_store_get(resource->collection, "", name))
        return true;
    kube__json *object = kube__json_typed(ctx, "Namespace", "v1");
    kube__json_set_string(ctx, kube__json_ensure_object(ctx, object, "metadata"), "name", name);
    return kube__api_loopback(server, ctx, "POST", "/api/v1/namespaces", NULL, object, &failure);
}

static bool make_namespaces(kube_apiserver *server)
{
    static const char *const names[] = {"kube-system", "kube-public", "default", "kube-node-lease"};
    kube_ctx *ctx = kube_ctx_new();
    bool done = ctx != NULL;
    kube__lock(&server->lock);
    for (size_t i = 0; i < sizeof names / sizeof *names && done; i++)
        done = make_namespace(server, ctx, names[i]);
    kube__unlock(&server->lock);
    kube_ctx_free(ctx);
    return done;
}

static void release(kube__api_controllers *controllers)
{
    kube__jobs_free(controllers->jobs);
    kube__dependents_free(controllers->dependents);
    kube__collector_free(controllers);
    free(controllers);
}

static kube_code no_memory(kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_NO_MEMORY, "start the api server: out of memory");
}

kube_code kube__api_controllers_start(kube_apiserver *server, kube__api_controllers **out,
                                      kube_error *err)
{
    *out = NULL;
    if (!make_namespaces(server))
        return kube_error_set(err, KUBE_ERR_SERVER, "make the first namespaces");
    kube__api_controllers *controllers = calloc(1, sizeof *controllers);
    if (!controllers)
        return no_memory(err);
    controllers->server = server;
    controllers->rescan = true; /* what a data file brought */
    controllers->jobs = kube__jobs_new();
    controllers->dependents = kube__dependents_new();
    kube_code rc = controllers->jobs && controllers->dependents ? KUBE_OK : no_memory(err);
    if (!rc)
        rc = kube__condition_init(&controllers->ready, err);
    if (rc) {
        release(controllers);
        return rc;
    }
    kube__lock(&server->lock);
    bool observed = kube__api_store_observe(server->store, observe, controllers);
    kube__unlock(&server->lock);
    *out = controllers; /* the store knows it now: stop() must free it */
    if (!observed)
        return no_memory(err);
    return kube__thread_start(&controllers->thread, "kube-controller", work, controllers, err);
}

void kube__api_controllers_stop(kube__api_controllers *controllers)
{
    if (!controllers)
        return;
    kube__lock(&controllers->server->lock);
    controllers->stopping = true;
    kube__signal(&controllers->ready);
    kube__unlock(&controllers->server->lock);
    kube__thread_join(&controllers->thread);
    kube__condition_fini(&controllers->ready);
    release(controllers);
}
