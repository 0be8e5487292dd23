/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a manager, which its files share. */
#ifndef KUBE_CONTROL_MANAGER_STATE_H
#define KUBE_CONTROL_MANAGER_STATE_H

#include "base/thread.h"
#include "health.h"
#include "manager_options.h"
#include "process_metrics.h"

#include <kube/manager.h>
#include <stdatomic.h>

/* A runnable, and its thread while it runs. */
typedef struct kube__manager_runner {
    kube_runnable runnable;
    kube_manager *manager;
    kube_ctx *ctx;
    kube__thread thread;
    bool running; /* under the manager's mutex */
    struct kube__manager_runner *next;
} kube__manager_runner;

enum { KUBE__MANAGER_SERVERS = 3 };

/* An address, and what is shown there. */
typedef struct kube__manager_server {
    const kube_manager *manager;
    unsigned pages;
    kube__http *http; /* NULL = not served */
} kube__manager_server;

struct kube_manager {
    const char *name;
    const char *version;
    kube__manager_settings settings;
    int64_t stop_timeout_ms;
    kube_clock *clock;
    kube_ctx *signal_ctx; /* ours to free; NULL when the program gave a ctx */
    kube_ctx *ctx;        /* of a run: its end is the end of it */
    kube_ctx *cache_ctx;  /* of the informers, which last longer */

    kube_config *config; /* NULL when the program gave a client */
    kube_client *client;
    bool client_is_ours;
    kube_client *election_client; /* of the elector, which no fence holds up; NULL as config */
    kube_fence *fence;
    kube_elector *elector; /* NULL = no leader election */

    kube_metrics *metrics;
    kube_flight *flight;
    kube_recorder *recorder;
    kube_informer_factory *factory;
    kube__process_metrics *process_metrics;
    kube__health *health[3]; /* healthz, livez, readyz */
    kube__manager_server servers[KUBE__MANAGER_SERVERS];
    _Atomic(const char *) address; /* of the first one, while it is served */
    int64_t started_ns;

    kube_controller **controllers;
    size_t controller_len;
    kube__manager_runner *runners;
    bool has_run;
    bool dumps;         /* SIGUSR1 is ours */
    _Atomic bool leads; /* without leader election: the workers run */
    int64_t ending_ns;  /* when work began to end for good; 0 = it has not */

    kube__mutex mutex; /* of the runners' state and of: */
    kube__condition all_stopped;
    bool stopping; /* somebody watches that work ends */
    kube_code failed;
    kube_error failure; /* what ends the run; the first counts */
};

/* Ends the run with a failure. Threads: any. */
void kube__manager_fail(kube_manager *manager, kube_code rc, const kube_error *err);

/* The work of who leads: controllers and runnables, until @ctx ends; returns when all are joined.
 * The `lead` of an elector. */
void kube__manager_lead(void *arg, kube_ctx *ctx);
/* Starts the runnables that are for each replica, or those that are for the leader. */
KUBE__CHECKED kube_code kube__manager_start_runners(kube_manager *manager, kube_ctx *ctx,
                                                    bool without_lease, kube_error *err);
/* Joins those of them that were started; the caller has ended their ctx. */
void kube__manager_join_runners(kube_manager *manager, bool without_lease);

/* Makes the checks; registers what there is from the start. */
KUBE__CHECKED kube_code kube__manager_pages_init(kube_manager *manager, kube_error *err);
void kube__manager_pages_fini(kube_manager *manager);
KUBE__CHECKED kube_code kube__manager_serve(kube_manager *manager, kube_error *err);
void kube__manager_stop_serving(kube_manager *manager);

#endif /* KUBE_CONTROL_MANAGER_STATE_H */
