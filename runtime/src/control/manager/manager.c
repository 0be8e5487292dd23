/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees a manager, and gives access to its parts. */
#include "base/memory.h"
#include "base/utf8.h"
#include "control/election/election_client.h"
#include "manager_state.h"
#include "net/config/pod.h"
#include "signal.h"

#include <inttypes.h>
#include <kube/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last flush is for what waits for another try: the rest was sent when the run ended. */
enum { LAST_FLUSH_MS = 500 };

/* ---- making -------------------------------------------------------------------------------- */

static void dump_flight(void *arg)
{
    const kube_manager *manager = arg;
    kube_ctx *ctx = kube_ctx_new();
    const char *text = ctx ? kube_flight_text(manager->flight, ctx) : NULL;
    if (text)
        fprintf(stderr, "%s: the last reconciles of %" PRIu64 ":\n%s", manager->options.name,
                kube_flight_count(manager->flight), text);
    kube_ctx_free(ctx);
}

static kube_code make_scopes(kube_manager *manager, kube_ctx *given, kube_error *err)
{
    if (given) {
        manager->ctx = kube_ctx_child(given);
    } else {
        kube_code rc = kube__ctx_new_signal(&manager->ctx, err);
        if (rc)
            return rc;
    }
    manager->cache_ctx = kube_ctx_new();
    return manager->ctx && manager->cache_ctx ? KUBE_OK
                                              : kube__no_memory(err, "%s", manager->options.name);
}

/*
 * How much longer than the fence is open what has left may be on its way: not as long as others
 * wait after the last renewal that they have seen.
 */
static int64_t fence_grace_ms(const kube_manager_options *o)
{
    return (o->lease_duration_ms - o->renew_deadline_ms) * 4 / 5;
}

static kube_code make_clients(kube_manager *manager, kube_error *err)
{
    const kube_manager_options *o = &manager->options;
    const kube_config_options config_options = {
        .kubeconfig = o->kubeconfig,
        .master = o->master,
        .context = o->context,
        .namespace_ = o->namespace_,
    };
    kube_client_options options = {
        .metrics = manager->metrics,
        .fence_grace_ms = fence_grace_ms(o),
    };
    kube_code rc;
    manager->client = o->client;
    if (manager->client)
        return KUBE_OK;
    rc = kube_config_load(&config_options, &manager->config, err);
    if (!rc && o->leader_election) {
        manager->fence = kube_fence_new(manager->clock);
        options.fence = manager->fence;
        rc = manager->fence ? KUBE_OK : kube__no_memory(err, "%s", o->name);
    }
    if (rc)
        return rc;
    manager->client_is_ours = true;
    rc = kube_client_new(manager->config, &options, &manager->client, err);
    if (!rc && o->leader_election)
        rc = kube__election_client_new(manager->config, o->renew_deadline_ms, manager->metrics,
                                       &manager->election_client, err);
    return rc;
}

static kube_code make_caches(kube_manager *manager, kube_error *err)
{
    const kube_manager_options *o = &manager->options;
    kube_informer_options cache = *o->cache;
    kube_recorder_options events = *o->events;
    kube_code rc;
    cache.namespace_ = o->namespace_;
    cache.resync_ms = o->resync_ms;
    cache.exit_on_no_memory = !o->retry_on_no_memory;
    if (!cache.clock)
        cache.clock = o->clock;
    if (!events.clock)
        events.clock = o->clock;
    if (!events.component)
        events.component = o->name;
    rc = kube_informer_factory_new(manager->client, &cache, &manager->factory, err);
    if (!rc)
        rc = kube_recorder_new(manager->client, &events, &manager->recorder, err);
    return rc;
}

/* A pod's own before what it looks at: a shipped Role for the Lease reaches no other namespace. */
static const char *lease_namespace(const kube_manager *manager, const kube_client *client)
{
    const char *name = manager->options.lease_namespace;
    if (!name)
        name = kube__pod_namespace(manager->cache_ctx);
    return name ? name : kube_client_namespace(client);
}

static kube_code make_elector(kube_manager *manager, kube_error *err)
{
    const kube_manager_options *o = &manager->options;
    kube_client *client = manager->election_client ? manager->election_client : manager->client;
    const kube_elector_options options = {
        .namespace_ = lease_namespace(manager, client),
        .name = o->lease_name,
        .identity = o->lease_identity,
        .lease_duration_ms = o->lease_duration_ms,
        .renew_deadline_ms = o->renew_deadline_ms,
        .retry_period_ms = o->retry_period_ms,
        .lead = kube__manager_lead,
        .arg = manager,
        .fence = manager->fence,
        .recorder = manager->recorder,
        .clock = manager->clock,
    };
    if (!o->leader_election)
        return KUBE_OK;
    return kube_elector_new(client, &options, &manager->elector, err);
}

static kube_code make_process_metrics(kube_manager *manager, kube_error *err)
{
    const kube__process_parts parts = {
        .name = manager->options.name,
        .version = manager->options.version,
        .factory = manager->factory,
        .elector = manager->elector,
        .lease_name = manager->options.lease_name,
        .recorder = manager->recorder,
    };
    return kube__process_metrics_new(manager->metrics, &parts, &manager->process_metrics, err);
}

static kube_code make_parts(kube_manager *manager, kube_error *err)
{
    kube_code rc = make_scopes(manager, manager->options.ctx, err);
    manager->metrics = kube_metrics_new();
    if (!rc && !manager->metrics)
        rc = kube__no_memory(err, "%s", manager->options.name);
    if (!rc)
        rc = kube_flight_new(manager->options.flight_records, &manager->flight, err);
    if (!rc)
        rc = make_clients(manager, err);
    if (!rc)
        rc = make_caches(manager, err);
    if (!rc)
        rc = make_elector(manager, err);
    if (!rc)
        rc = make_process_metrics(manager, err);
    if (!rc)
        rc = kube__manager_pages_init(manager, err);
    if (!rc)
        kube__signal_on_dump(manager->ctx, dump_flight, manager);
    return rc;
}

/* An empty manager: what it takes to free it. */
static kube_code make(const kube_manager_options *options, kube_manager **out, kube_error *err)
{
    kube_manager *manager = calloc(1, sizeof *manager);
    *out = NULL;
    if (!manager || kube__mutex_init(&manager->mutex, NULL))
        goto no_mutex;
    if (kube__condition_init(&manager->changed, NULL))
        goto no_condition;
    atomic_init(&manager->leads, false);
    atomic_init(&manager->address, NULL);
    manager->options = *options;
    kube__manager_options_complete(&manager->options);
    manager->clock = options->clock ? options->clock : kube_clock_system();
    manager->started_ns = manager->clock->now_ns(manager->clock);
    *out = manager;
    return KUBE_OK;

no_condition:
    kube__mutex_fini(&manager->mutex);
no_mutex:
    free(manager);
    return kube__no_memory(err, "%s", options->name);
}

kube_code kube_manager_new_sized(const kube_manager_options *options, size_t options_size,
                                 size_t cache_size, size_t events_size, kube_manager **out,
                                 kube_error *err)
{
    kube_manager_options own = {0};
    kube_informer_options cache;
    kube_recorder_options events;
    kube_manager *manager;
    kube_code rc;
    *out = NULL;
    own = *(const kube_manager_options *)kube__sized(options, options_size, &own, sizeof own);
    own.cache = kube__sized(own.cache, cache_size, &cache, sizeof cache);
    own.events = kube__sized(own.events, events_size, &events, sizeof events);
    if (!own.name || !*own.name)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a manager needs a name");
    rc = make(&own, &manager, err);
    if (!rc)
        rc = make_parts(manager, err);
    if (rc) {
        kube_manager_free(manager);
        kube_error_prefix(err, "%s", own.name);
        return rc;
    }
    manager->options.cache = NULL; /* were the caller's, or ours here */
    manager->options.events = NULL;
    *out = manager;
    return KUBE_OK;
}

/* ---- unmaking ------------------------------------------------------------------------------ */

static void free_runners(kube_manager *manager)
{
    while (manager->runners) {
        kube__manager_runner *runner = manager->runners;
        manager->runners = runner->next;
        free(runner);
    }
}

void kube_manager_free(kube_manager *manager)
{
    if (!manager)
        return;
    kube__signal_on_dump(manager->ctx, NULL, NULL);
    kube__manager_free_controllers(manager);
    free_runners(manager);
    kube__manager_pages_fini(manager);
    kube__process_metrics_free(manager->process_metrics);
    kube_elector_free(manager->elector);
    kube_recorder_free(manager->recorder, manager->has_run ? LAST_FLUSH_MS : 0);
    kube_informer_factory_free(manager->factory);
    if (manager->client_is_ours)
        kube_client_free(manager->client);
    kube_client_free(manager->election_client);
    kube_fence_free(manager->fence);
    kube_config_free(manager->config);
    kube_flight_free(manager->flight);
    kube_metrics_free(manager->metrics);
    kube_ctx_free(manager->cache_ctx);
    kube_ctx_free(manager->ctx);
    kube__condition_fini(&manager->changed);
    kube__mutex_fini(&manager->mutex);
    free(manager);
}

/* Ends standard error's line. */
static void print_message(const char *message)
{
    char shown[KUBE__SHOWN_SIZE];
    while (*message)
        fwrite(shown, 1, kube__utf8_show(&message, shown), stderr);
    fputc('\n', stderr);
}

int kube_manager_end(kube_manager *manager, kube_code rc, const kube_error *err)
{
    const char *message = err ? err->message : kube_code_name(rc);
    int status = 0;
    if (rc == KUBE_ERR_CLOSED && !manager) {
        rc = KUBE_OK; /* --help, --version */
    } else if (rc && manager) {
        fprintf(stderr, "%s: ", manager->options.name);
        print_message(message);
        status = 1;
    } else if (rc) {
        print_message(message); /* which names the program */
        status = rc == KUBE_ERR_ARGUMENT ? 2 : 1;
    }
    kube_manager_free(manager);
    return status;
}

/* ---- handing out --------------------------------------------------------------------------- */

kube_client *kube_manager_client(kube_manager *manager)
{
    return manager->client;
}

const kube_config *kube_manager_config(const kube_manager *manager)
{
    return manager->config;
}

kube_informer_factory *kube_manager_factory(kube_manager *manager)
{
    return manager->factory;
}

kube_recorder *kube_manager_recorder(kube_manager *manager)
{
    return manager->recorder;
}

kube_metrics *kube_manager_metrics(kube_manager *manager)
{
    return manager->metrics;
}

kube_flight *kube_manager_flight(kube_manager *manager)
{
    return manager->flight;
}

kube_ctx *kube_manager_ctx(kube_manager *manager)
{
    return manager->ctx;
}

const char *kube_manager_address(const kube_manager *manager)
{
    return atomic_load(&manager->address);
}

bool kube_manager_is_leader(const kube_manager *manager)
{
    return manager->elector ? kube_elector_is_leader(manager->elector)
                            : atomic_load(&manager->leads);
}

/* ---- taking in ----------------------------------------------------------------------------- */

kube_code kube_manager_add_runnable_sized(kube_manager *manager, const kube_runnable *runnable,
                                          size_t runnable_size, kube_error *err)
{
    kube_runnable own;
    runnable = kube__sized(runnable, runnable_size, &own, sizeof own);
    kube__manager_runner **last = &manager->runners;
    kube__manager_runner *runner;
    kube_code rc = kube__manager_check_new(manager, "a runnable", err);
    if (rc)
        return rc;
    if (!runnable || !runnable->name || !runnable->run)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a runnable needs a name and a function");
    runner = calloc(1, sizeof *runner);
    if (!runner)
        return kube__no_memory(err, "%s", runnable->name);
    runner->runnable = *runnable;
    runner->manager = manager;
    while (*last)
        last = &(*last)->next;
    *last = runner;
    return KUBE_OK;
}
