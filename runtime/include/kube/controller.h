/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Informers, a queue, workers and a reconcile function, put together.
 */
#ifndef KUBE_CONTROLLER_H
#define KUBE_CONTROLLER_H

#include <kube/flight.h>
#include <kube/informer.h>
#include <kube/metrics.h>
#include <kube/predicate.h>
#include <kube/reason.h>
#include <kube/workqueue.h>

KUBE_BEGIN_DECLS

typedef struct kube_request {
    kube_key key;
    kube_reason why;
    int attempt;          /* 0 at first, then the failures of this key so far */
    void *arg;            /* the controller's */
    struct kube_run *run; /* of kube_request_note(); NULL in a request made by hand */
} kube_request;

/** What to do after a run; zero = wait for the next event. */
typedef struct kube_result {
    int64_t requeue_after_ms; /* run again after that, when it returned KUBE_OK */
    bool terminal; /* when it failed: trying again would not mend it, so wait for the next
                      event of the object instead */
} kube_result;

/**
 * Brings the world to what the object at `request->key` says. Everything read or made with @p ctx
 * goes when it returns. An error is logged with the reason of the run, and the key retried with
 * back-off, unless `result->terminal` is set.
 */
typedef kube_code kube_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                                 kube_error *err);
/** Puts down what a run decided ("created deployment web") for the flight recorder and the log
 * (debug). Notes beyond 512 bytes a run are dropped. */
KUBE_API void kube_request_note(const kube_request *request, const char *format, ...)
    KUBE_PRINTF(2, 3);

typedef struct kube_controller kube_controller;

typedef struct kube_controller_options {
    const char *name;      /* for logs, metrics and records; threads are kube-work-N */
    const kube_type *for_; /* the Kind it reconciles */
    kube_reconcile *reconcile;
    void *arg;
    int workers;                     /* 0 = 1 */
    int64_t reconcile_timeout_ms;    /* deadline of a run's ctx; 0 = none */
    kube_rate_limiter *limiter;      /* owned from then on; NULL = the default one */
    const kube_predicate *predicate; /* which changes of its own objects count; NULL = all */
    kube_flight *flight;             /* where its runs are recorded; borrowed; NULL = nowhere */
    kube_metrics *metrics;           /* borrowed; NULL = none */
} kube_controller_options;

/** Registers with @p factory, which must outlive it and not be started yet by others; the queue's
 * delays and back-off go by the factory's clock. */
KUBE_CHECKED kube_code kube_controller_new(kube_informer_factory *factory,
                                           const kube_controller_options *options,
                                           kube_controller **out, kube_error *err);
/**
 * Objects of @p type that an object of the controller's Kind controls (OW-1): their events run
 * their owner. With @p any_owner every owner reference of that Kind counts. Of an object that
 * changed hands both owners run. Before run or start, as the next one.
 */
typedef struct kube_owns_options {
    bool any_owner;
    const kube_predicate *predicate; /* NULL = all changes count */
} kube_owns_options;
/** @p options may be NULL. */
KUBE_CHECKED kube_code kube_controller_owns(kube_controller *controller, const kube_type *type,
                                            const kube_owns_options *options, kube_error *err);

/** Calls @p emit for each key that is to run because @p object changed. On an update it is asked
 * for the old object and for the new one; what both say runs once. Runs on the thread of the
 * handler for @p object's type. */
typedef void kube_map_emit(void *sink, kube_key key);
typedef void kube_map_function(void *arg, const kube_object *object, kube_map_emit *emit,
                               void *sink);
/** Events of @p type run the keys that @p map says. @p predicate NULL = all changes count. */
KUBE_CHECKED kube_code kube_controller_watches(kube_controller *controller, const kube_type *type,
                                               kube_map_function *map, void *map_arg,
                                               const kube_predicate *predicate, kube_error *err);

/**
 * Starts the factory, waits for its caches, then works until @p ctx is cancelled: stops taking
 * keys, lets running reconciles end (their ctx is cancelled), joins the workers. KUBE_OK after a
 * cancel. Blocks.
 */
KUBE_CHECKED kube_code kube_controller_run(kube_controller *controller, kube_ctx *ctx,
                                           kube_error *err);
/**
 * The parts of it, for who starts the factory himself, before this: start makes the workers, which
 * begin when the controller's handlers have been told the initial lists (INF-5), and returns; stop
 * cancels the ctx of running reconciles, joins the workers and keeps the queue, interrupted keys
 * included with their reasons, so that a later start goes on with all that happened in between.
 */
KUBE_CHECKED kube_code kube_controller_start(kube_controller *controller, kube_ctx *ctx,
                                             kube_error *err);
KUBE_API void kube_controller_stop(kube_controller *controller);
/**
 * Waits until no key is queued or reconciled; keys that wait for their time (back-off, requeue
 * after) do not count. Events that are still on their way from the server do not either: wait for
 * their effect first. For tests.
 */
KUBE_CHECKED kube_code kube_controller_wait_idle(kube_controller *controller, kube_ctx *ctx,
                                                 kube_error *err);
/** After kube_controller_run() or _stop(), before its factory is freed; NULL allowed. */
KUBE_API void kube_controller_free(kube_controller *controller);
/** Enqueues a key as if its object had changed. Threads: any. */
KUBE_CHECKED kube_code kube_controller_enqueue(kube_controller *controller, kube_key key,
                                               kube_error *err);
/** Reconciles that returned, KUBE_OK or not. For tests and metrics. */
KUBE_API uint64_t kube_controller_run_count(const kube_controller *controller);
/** Counts since the start, and what is so now. Threads: any. */
typedef struct kube_controller_stats {
    uint64_t runs;
    uint64_t failures; /* terminal ones included */
    uint64_t terminal;
    uint64_t interrupted; /* by a stop */
    int workers;
    int active;          /* reconciles that run now */
    int64_t last_run_ns; /* when the last one ended, by the factory's clock; 0 = never */
    kube_workqueue_stats queue;
} kube_controller_stats;
KUBE_API void kube_controller_get_stats(kube_controller *controller, kube_controller_stats *stats);
KUBE_API const char *kube_controller_name(const kube_controller *controller);

/**
 * A root ctx that the first SIGINT or SIGTERM cancels; the second ends the process with status 1
 * (OW-5). SIGUSR1 does nothing from then on, but where a manager runs, which dumps its flight
 * recorder. Call it first, before any thread is made, and once. NULL when memory is out. Free it
 * with kube_ctx_free() at the end of main.
 */
KUBE_API kube_ctx *kube_ctx_new_signal(void);

KUBE_END_DECLS

#endif /* KUBE_CONTROLLER_H */
