/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a controller: source.c and undecodable.c find keys, run.c runs reconcile for one
 * key, and controller.c starts and stops the workers. */
#ifndef KUBE_CONTROL_CONTROLLER_H
#define KUBE_CONTROL_CONTROLLER_H

#include "cache/informer.h"
#include "reason.h"

#include <kube/controller.h>
#include <stdatomic.h>

typedef struct kube__controller_source kube__controller_source;
typedef struct kube__worker kube__worker;

enum { KUBE__RUN_SUCCESS, KUBE__RUN_ERROR, KUBE__RUN_REQUEUE, KUBE__RUN_REQUEUE_AFTER };

/* What is measured of runs; all NULL without a registry. */
typedef struct kube__run_metrics {
    kube_counter *results[4]; /* by KUBE__RUN_… */
    kube_counter *errors;
    kube_counter *terminal;
    kube_counter *timeouts;
    kube_histogram *seconds;
    kube_gauge *active;
} kube__run_metrics;

struct kube_controller {
    kube_informer_factory *factory;
    kube_clock *clock; /* the factory's */
    kube_workqueue *queue;
    const kube_type *type;
    kube_informer *informer; /* of `type` */
    kube__bad_listener bad;
    bool reconcile_bad;
    kube_reconcile *reconcile;
    void *arg;
    char *name;
    int worker_count;
    int64_t reconcile_timeout_ms;
    bool exit_on_no_memory; /* of a run and of map functions */
    kube_flight *flight;
    kube__run_metrics metrics;
    kube__controller_source *sources;
    kube__reason_book reasons;

    kube_ctx *run_ctx;     /* parent of the workers' scopes while it runs */
    kube__worker *workers; /* NULL unless it runs */
    bool ended;            /* kube_controller_run() has returned */
    kube__mutex mutex;     /* of `waiting` */
    kube__condition idle;  /* a run ended, or a worker began */
    int waiting;           /* workers whose caches are not synced yet */

    _Atomic uint64_t runs;
    _Atomic uint64_t failures;
    _Atomic uint64_t terminal;
    _Atomic uint64_t interrupted;
    _Atomic int active;
    _Atomic int mapping;
    _Atomic size_t missed; /* changes that wait in the sources */
    _Atomic int64_t last_run_ns;
};

typedef enum kube__source_kind {
    KUBE__SOURCE_FOR,
    KUBE__SOURCE_OWNED,
    KUBE__SOURCE_MAPPED,
} kube__source_kind;

typedef struct kube__source_options {
    kube__source_kind kind;
    const kube_type *type;
    const kube_predicate *predicate;
    bool any_owner;         /* of an owned one */
    kube_map_function *map; /* of a mapped one */
    void *map_arg;
} kube__source_options;

/* Makes the informer of its type, for the cache. */
KUBE__CHECKED kube_code kube__controller_add_source(kube_controller *controller,
                                                    const kube__source_options *options,
                                                    kube_error *err);
void kube__controller_free_sources(kube_controller *controller);
/*
 * From start on the sources note reasons and fill the queue; the first time they register with
 * their informers. From stop on they hold changes for the next start. Stop waits for map functions
 * that run, and is called when run_ctx has been cancelled and no worker is left.
 */
KUBE__CHECKED kube_code kube__controller_start_sources(kube_controller *controller,
                                                       kube_error *err);
void kube__controller_stop_sources(kube_controller *controller);
/* After the last stop: takes them from their informers, and drops the changes that they hold. */
void kube__controller_end_sources(kube_controller *controller);
/* Whether a key from the queue is that of a source, and then what a worker does with it. */
bool kube__controller_is_source_key(kube_key key);
void kube__controller_map_missed(kube_controller *controller, kube_key key);
/* Waits until all sources have been told the initial lists of informers that run. */
KUBE__CHECKED kube_code kube__controller_wait_sources(kube_controller *controller, kube_ctx *ctx,
                                                      kube_error *err);

/* Waits a moment for memory. */
void kube__controller_pause(void);

/* From start to stop the keys of objects that do not decode are queued, too. The stop is called
 * when run_ctx has been cancelled and no worker is left. */
void kube__controller_start_undecodable(kube_controller *controller);
void kube__controller_stop_undecodable(kube_controller *controller);
/* Whether the object of @key is one of these, and then why; returns whether the key may run. */
bool kube__controller_may_run(const kube_controller *controller, kube_key key, bool *is_bad,
                              kube_error *bad);

/* Registers what is measured of runs. */
KUBE__CHECKED kube_code kube__run_metrics_init(kube_controller *controller, kube_metrics *metrics,
                                               kube_error *err);
/*
 * Reconciles @key, which was just taken from the queue, and says there when it comes again. A run
 * that fails when @worker_ctx has ended was interrupted: its key goes back as it was. @ctx, of that
 * run, is reset.
 */
void kube__controller_reconcile(kube_controller *controller, kube_ctx *worker_ctx, kube_ctx *ctx,
                                kube_key key);

#endif /* KUBE_CONTROL_CONTROLLER_H */
