/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A controller: informers, a queue and workers around a reconcile function.
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

/** What a reconcile function is told. */
typedef struct kube_request {
    kube_key key; /* of the object to reconcile */
    kube_reason why;
    int attempt;           /* failures of this key since its last success or terminal error */
    void *arg;             /* kube_controller_options.arg */
    struct kube_run *run;  /* for kube_request_note(); NULL in a request that a test makes */
    const kube_error *bad; /* KUBE_ERR_UNDECODABLE if the object exists, but its newest state does
                              not decode: path and reason; otherwise NULL */
} kube_request;

/** What a reconcile function wants next. Zero means: after KUBE_OK wait for the next event, after
 * an error try again after a while. */
typedef struct kube_result {
    int64_t requeue_after_ms; /* run again after this time, or at the next event if that comes
                                 sooner; after an error, too */
    bool terminal;            /* after an error: do not try again before the next event, because it
                                 would not help */
} kube_result;

/**
 * Makes the world what the object `request->key` says. What it reads or allocates in @p ctx is
 * freed when it returns. An error is logged with the reason of the run, and the key is tried again,
 * unless `result->terminal` is set: after `result->requeue_after_ms`, otherwise after the time that
 * the error's `retry_after_ms` asks for, otherwise after the limiter's delay.
 *
 * In a program with a kube_manager the process ends where memory runs out, so a reconcile function
 * need not check for that. Without one, and with `retry_on_no_memory`, it checks a pointer before
 * it dereferences it; calls with a failed @p ctx fail, and a run that returns KUBE_OK with a failed
 * @p ctx counts as KUBE_ERR_NO_MEMORY.
 */
typedef kube_code kube_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                                 kube_error *err);
/** Notes what a run has decided ("created deployment web") in the flight recorder and, at level
 * debug, in the log. A run can note 512 bytes; the rest is dropped. */
KUBE_API void kube_request_note(const kube_request *request, const char *format, ...)
    KUBE_PRINTF(2, 3);

typedef struct kube_controller kube_controller;

typedef struct kube_controller_options {
    const char *name;      /* for logs, metrics and the flight recorder */
    const kube_type *for_; /* the Kind it reconciles */
    kube_reconcile *reconcile;
    void *arg;
    int workers;                     /* how many keys are reconciled at once; 0 = 1 */
    int64_t reconcile_timeout_ms;    /* deadline of a run's ctx; 0 = no deadline */
    kube_rate_limiter *limiter;      /* the controller owns it from then on; NULL = that of WQ-5 */
    const kube_predicate *predicate; /* which changes of objects of `for_` count; NULL = all */
    kube_flight *flight;             /* records its runs; borrowed; NULL = they are not recorded */
    kube_metrics *metrics;           /* borrowed; NULL = none */
    /** Adds further sources (kube_controller_owns(), kube_controller_watches()) to the new
     * controller. Gets `arg`. May be NULL. */
    kube_code (*setup)(void *arg, kube_controller *controller, kube_error *err);
    bool without_lease; /* a manager runs it on every replica, not only on the leader. On a replica
                           that waits, writes of the manager's client fail with KUBE_ERR_FENCED */
    /**
     * Runs the keys of objects that do not decode, too: when they begin to, do so for another
     * reason, or cease to. `request->bad` tells the error, and predicates are not asked. The
     * function can then say so in a condition (by apply or patch, which need not read the object);
     * it must not take the object for deleted.
     *
     * Otherwise such an object is as it was when it last decoded, and its key runs only when
     * something else happens. If the cache has no such state, a run ends with the error, which is
     * logged and counted as terminal, before the function is called. The key runs when the object
     * decodes again or is gone.
     *
     * Owned and watched objects that do not decode run nobody: as far as the cache has a good state
     * of them that one stays, and where it has none kube_lister_get() says KUBE_ERR_UNDECODABLE,
     * with which a run should fail so that it is tried again.
     */
    bool reconcile_bad;
} kube_controller_options;

KUBE_CHECKED kube_code kube_controller_new_sized(kube_informer_factory *factory,
                                                 const kube_controller_options *options,
                                                 size_t options_size, kube_controller **out,
                                                 kube_error *err);
/** Makes a controller on the caches of @p factory, which must outlive it. The options are copied,
 * but not what they point to. Delays follow the factory's clock. A member that is missing or makes
 * no sense, here and below, is KUBE_ERR_ARGUMENT; so is a call in the wrong order. */
KUBE_INLINE kube_code kube_controller_new(kube_informer_factory *factory,
                                          const kube_controller_options *options,
                                          kube_controller **out, kube_error *err)
{
    return kube_controller_new_sized(factory, options, sizeof *options, out, err);
}
#define kube_controller_new(factory, ...)                                                          \
    kube_controller_new(KUBE__RBAC_CONTROLLER(factory), __VA_ARGS__)
/**
 * How kube_controller_owns() finds owners. By default the owner of an object is the one that
 * controls it (OW-1), if it is of the controller's Kind.
 */
typedef struct kube_owns_options {
    bool any_owner;                  /* every owner reference to the controller's Kind counts */
    const kube_predicate *predicate; /* NULL = all changes count */
} kube_owns_options;
KUBE_CHECKED kube_code kube_controller_owns_sized(kube_controller *controller,
                                                  const kube_type *type,
                                                  const kube_owns_options *options,
                                                  size_t options_size, kube_error *err);
/** Reconciles the owner when an object of @p type changes; if its owner changes, both the old and
 * the new one. @p options may be NULL. Call it before run or start. */
KUBE_INLINE kube_code kube_controller_owns(kube_controller *controller, const kube_type *type,
                                           const kube_owns_options *options, kube_error *err)
{
    return kube_controller_owns_sized(controller, type, options, sizeof *options, err);
}
#define kube_controller_owns(controller, type, ...)                                                \
    kube_controller_owns(                                                                          \
        controller, KUBE__RBAC_USE("list,watch", "-", "kube_controller_owns", type), __VA_ARGS__)

typedef void kube_map_emit(void *sink, kube_key key);
/**
 * Calls @p emit for each key to reconcile because of @p change. For an update it is called twice,
 * with the old state as @p object and with the new one; a key that both give runs once. What it
 * allocates in @p ctx is freed when it returns.
 *
 * An error, or a @p ctx that ran out of memory, is logged, and the change is mapped again after a
 * delay that grows from 10 ms to 30 s. If the object has changed again by then, the changes are
 * mapped as one, from the state before the first to the newest: what is the case at last is never
 * lost, but a state in between is not mapped, and a key that only such a state gives does not run.
 * The first call for a change comes on the thread of the handler for the type of @p object, the
 * next ones on a worker of the controller, so it may run for two objects at once. @p ctx is
 * cancelled when the controller stops.
 */
typedef kube_code kube_map_function(void *arg, kube_ctx *ctx, const kube_object *object,
                                    const kube_change *change, kube_map_emit *emit, void *sink,
                                    kube_error *err);
/** Reconciles the keys that @p map gives when an object of @p type changes. @p predicate NULL = all
 * changes count. Call it before run or start. */
KUBE_CHECKED kube_code kube_controller_watches(kube_controller *controller, const kube_type *type,
                                               kube_map_function *map, void *map_arg,
                                               const kube_predicate *predicate, kube_error *err);
#ifdef KUBE__RBAC_RECORDS
#define kube_controller_watches(controller, type, ...)                                             \
    kube_controller_watches(controller,                                                            \
                            KUBE__RBAC_USE("list,watch", "-", "kube_controller_watches", type),    \
                            __VA_ARGS__)
#endif

/**
 * Starts the factory, waits for its caches, and reconciles until @p ctx is cancelled. Then the ctx
 * of running reconciles is cancelled, and their threads are joined. The caches go on for others
 * that use them, until the factory is stopped or freed. The controller has ended then: it no longer
 * listens to them, and cannot run or start again. Returns KUBE_OK after a cancel.
 */
KUBE_CHECKED kube_code kube_controller_run(kube_controller *controller, kube_ctx *ctx,
                                           kube_error *err);
/**
 * The parts of run, for programs that start the factory themselves before. kube_controller_start()
 * registers with the informers, makes the workers and returns; the workers begin when the
 * controller's handlers have got the first lists (INF-5). Before, the controller keeps nothing, so
 * that a replica which waits for a lease has its caches and no more.
 *
 * kube_controller_stop() cancels the ctx of running reconciles and of map functions, and waits for
 * them. The queue keeps the keys that it has and those that were interrupted, with their reasons.
 * Of objects that change from then on only the first and the last state are kept, and an object
 * that comes and goes leaves nothing. A later start looks at these changes as if each had happened
 * at once: none is lost, and keys of objects that did not change do not run again.
 */
KUBE_CHECKED kube_code kube_controller_start(kube_controller *controller, kube_ctx *ctx,
                                             kube_error *err);
KUBE_API void kube_controller_stop(kube_controller *controller);
/**
 * Waits until no key is queued or reconciled. Keys that wait for their time (after a failure, or
 * requeue_after_ms) do not count. Neither do events that are still on their way from the server:
 * wait for their effect first. For tests.
 */
KUBE_CHECKED kube_code kube_controller_wait_idle(kube_controller *controller, kube_ctx *ctx,
                                                 kube_error *err);
/** Frees a controller that does not run, before its factory is freed. NULL allowed. */
KUBE_API void kube_controller_free(kube_controller *controller);
/** Puts a key into the queue, as if its object had changed. Threads: any. */
KUBE_CHECKED kube_code kube_controller_enqueue(kube_controller *controller, kube_key key,
                                               kube_error *err);
/** Returns how many reconciles have ended, with or without an error. Threads: any. */
KUBE_API uint64_t kube_controller_run_count(const kube_controller *controller);
/** What a controller has done since its start, and what it does now. */
typedef struct kube_controller_stats {
    uint64_t runs;        /* reconciles that have ended */
    uint64_t failures;    /* of them with an error, terminal ones included */
    uint64_t terminal;    /* of them with `terminal` set */
    uint64_t interrupted; /* of them while the controller stopped */
    int workers;
    int active;             /* reconciles that run now */
    int mapping;            /* map functions that run now */
    size_t pending_changes; /* that wait for the next start, or because a map function failed */
    int64_t last_run_ns;    /* when the last one ended, by the factory's clock; 0 = never */
} kube_controller_stats;
KUBE_API void kube_controller_get_stats_sized(kube_controller *controller,
                                              kube_controller_stats *stats, size_t stats_size);
/** Fills @p stats. Threads: any. */
static inline void kube_controller_get_stats(kube_controller *controller,
                                             kube_controller_stats *stats)
{
    kube_controller_get_stats_sized(controller, stats, sizeof *stats);
}
/** Fills @p stats with those of the controller's queue. Threads: any. */
KUBE_API void kube_controller_get_queue_stats_sized(kube_controller *controller,
                                                    kube_workqueue_stats *stats, size_t stats_size);
static inline void kube_controller_get_queue_stats(kube_controller *controller,
                                                   kube_workqueue_stats *stats)
{
    kube_controller_get_queue_stats_sized(controller, stats, sizeof *stats);
}
/** Returns the name that the options gave. */
KUBE_API const char *kube_controller_name(const kube_controller *controller);

/**
 * Makes a root ctx that the first SIGINT or SIGTERM cancels, as it cancels all others that this
 * function made; the second signal ends the process with status 1 (OW-5). As long as there is one,
 * the process handles these two, SIGUSR1, which lets managers dump their flight recorders, and
 * SIGPIPE, which does nothing. Programs that the process executes get none of that. Free it with
 * kube_ctx_free(). Returns NULL if out of memory or file descriptors. Threads: any.
 */
KUBE_API kube_ctx *kube_ctx_new_signal(void);

KUBE_END_DECLS

#endif /* KUBE_CONTROLLER_H */
