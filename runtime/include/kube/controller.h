/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Informers, a queue, workers and a reconcile function, put together.
 */
#ifndef KUBE_CONTROLLER_H
#define KUBE_CONTROLLER_H

#include <kube/informer.h>
#include <kube/workqueue.h>

KUBE_BEGIN_DECLS

/** Why a reconcile runs: the newest event of its key since the last run. */
typedef struct kube_reason {
    const char *what;        /* "add", "update", "delete", "resync", "retry" or "requeue" */
    const char *old_version; /* resourceVersions, "" = none */
    const char *new_version;
    const char *changed;     /* up to 8 changed paths, comma-separated; "" = unknown */
} kube_reason;

typedef struct kube_request {
    kube_key key;
    kube_reason why;
    int attempt; /* 0 at first, then the failures of this key so far */
    void *arg;   /* the controller's */
} kube_request;

/** What to do after a run that returned KUBE_OK; zero = wait for the next event. */
typedef struct kube_result {
    int64_t requeue_after_ms;
} kube_result;

/**
 * Brings the world to what the object at `request->key` says. Everything read or made with @p ctx
 * goes when it returns. An error is logged and the key retried with back-off; to give up until the
 * object changes, report the problem and return KUBE_OK.
 */
typedef kube_code kube_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                                 kube_error *err);

typedef struct kube_controller kube_controller;

typedef struct kube_controller_options {
    const char *name;          /* for logs and thread names */
    const kube_type *for_;     /* the Kind it reconciles */
    kube_reconcile *reconcile;
    void *arg;
    int workers;               /* 0 = 1 */
    int64_t reconcile_timeout_ms; /* deadline of a run's ctx; 0 = none */
    kube_rate_limiter *limiter;   /* owned from then on; NULL = the default one */
} kube_controller_options;

/** Registers with @p factory, which must outlive it and not be started yet by others; the queue's
 * delays and back-off go by the factory's clock. */
KUBE_CHECKED kube_code kube_controller_new(kube_informer_factory *factory,
                                           const kube_controller_options *options,
                                           kube_controller **out, kube_error *err);
/**
 * Starts the factory, waits for its caches, then works until @p ctx is cancelled: stops taking
 * keys, lets running reconciles end (their ctx is cancelled), joins the workers. KUBE_OK after a
 * cancel. Blocks.
 */
KUBE_CHECKED kube_code kube_controller_run(kube_controller *controller, kube_ctx *ctx,
                                           kube_error *err);
/** After kube_controller_run(); NULL allowed. */
KUBE_API void kube_controller_free(kube_controller *controller);
/** Enqueues a key as if its object had changed. Threads: any. */
KUBE_CHECKED kube_code kube_controller_enqueue(kube_controller *controller, kube_key key,
                                               kube_error *err);
/** Reconciles that returned, KUBE_OK or not. For tests and metrics. */
KUBE_API uint64_t kube_controller_run_count(const kube_controller *controller);

/**
 * A root ctx that the first SIGINT or SIGTERM cancels; the second ends the process with status 1
 * (OW-5). Call it first, before any thread is made, and once. NULL when memory is out. Free it
 * with kube_ctx_free() at the end of main.
 */
KUBE_API kube_ctx *kube_ctx_new_signal(void);

KUBE_END_DECLS

#endif /* KUBE_CONTROLLER_H */
