/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a manager, which its files share. */
#ifndef KUBE_CONTROL_MANAGER_STATE_H
#define KUBE_CONTROL_MANAGER_STATE_H

#include "base/thread.h"
#include "health.h"
#include "manager_options.h"
#include "metrics_access.h"
#include "process_metrics.h"
#include "status_page.h"

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

/* A place in the manager's list; all but the name is under its mutex. */
typedef struct kube__manager_controller {
    kube_controller *controller; /* NULL while it is made or freed */
    bool without_lease;
    bool busy; /* somebody makes, starts, stops or frees it, and nobody else may */
    bool started;
    struct kube__manager_controller *next;
    char name[];
} kube__manager_controller;

enum { KUBE__MANAGER_SERVERS = 3, KUBE__MANAGER_CHECKS = 3 };

/* An address, and what is shown there. */
typedef struct kube__manager_server {
    kube_manager *manager;
    unsigned pages;
    kube__metrics_access *access; /* NULL = for everybody */
    kube__http *http;             /* NULL = not served */
} kube__manager_server;

struct kube_manager {
    kube_manager_options options; /* complete */
    kube_clock *clock;
    kube_ctx *ctx;       /* of a run: its end is the end of it; the signals', or a child of one */
    kube_ctx *cache_ctx; /* of the informers, which last longer */

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
    kube__health *health[KUBE__MANAGER_CHECKS]; /* healthz, livez, readyz */
    kube__manager_server servers[KUBE__MANAGER_SERVERS];
    kube__serving_cert *metrics_cert; /* NULL = metrics without TLS, and for everybody */
    kube__metrics_access *metrics_access;
    _Atomic(const char *) address; /* of the first one, while it is served */
    int64_t started_ns;

    kube__manager_runner *runners;
    _Atomic bool leads; /* without leader election: the workers run */
    int64_t ending_ns;  /* when work began to end for good; 0 = it has not */

    kube__mutex mutex;       /* of the runners' state and of: */
    kube__condition changed; /* somebody is not busy any more, or `stopping` */
    kube__manager_controller *controllers;
    bool has_run;
    bool has_caches;    /* they have been started */
    bool over;          /* the run has ended */
    kube_ctx *terms[2]; /* of what needs the lease, and of what does not; NULL = it does not run */
    bool stopping;      /* somebody watches that work ends */
    const char *phase;  /* of the end, for whom no other name is known; NULL = of no matter */
    kube_code failed;
    kube_error failure; /* what ends the run; the first counts */
};

/* KUBE_ERR_ARGUMENT once the manager has run: @what is added before. */
KUBE__CHECKED kube_code kube__manager_check_new(kube_manager *manager, const char *what,
                                                kube_error *err);
/* Ends the run with a failure. Threads: any. */
void kube__manager_fail(kube_manager *manager, kube_code rc, const kube_error *err);

/* The work of who leads, until @ctx ends. The `lead` of an elector. */
void kube__manager_lead(void *arg, kube_ctx *ctx);
/* Starts the controllers and runnables that need no lease, or those that do. */
KUBE__CHECKED kube_code kube__manager_begin_term(kube_manager *manager, kube_ctx *ctx,
                                                 bool without_lease, kube_error *err);
/* Waits for those of them that were started; their ctx has ended, or the run has failed. */
void kube__manager_end_term(kube_manager *manager, bool without_lease);

/* Between these, what does not return is named, and ends the process after the stop timeout. */
void kube__manager_begin_watch(kube_manager *manager, kube__thread *watcher);
void kube__manager_end_watch(kube_manager *manager, kube__thread *watcher);

/* The controllers' part of a term. */
KUBE__CHECKED kube_code kube__manager_start_controllers(kube_manager *manager, kube_ctx *ctx,
                                                        bool without_lease, kube_error *err);
void kube__manager_stop_controllers(kube_manager *manager, bool without_lease);
/* What they do now, in @ctx. Returns NULL if out of memory. */
const kube__status_controller *kube__manager_look_at_controllers(kube_manager *manager,
                                                                 kube_ctx *ctx, size_t *len);
void kube__manager_free_controllers(kube_manager *manager);

/* Makes the checks; registers what there is from the start. */
KUBE__CHECKED kube_code kube__manager_pages_init(kube_manager *manager, kube_error *err);
void kube__manager_pages_fini(kube_manager *manager);
KUBE__CHECKED kube_code kube__manager_serve(kube_manager *manager, kube_error *err);
void kube__manager_stop_serving(kube_manager *manager);

#endif /* KUBE_CONTROL_MANAGER_STATE_H */
