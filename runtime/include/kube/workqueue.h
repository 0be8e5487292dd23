/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The queue between handlers and workers: keys, each at most once, never on two workers.
 *
 * Rules WQ-1…6. Added while it waits, a key runs once; added while it is processed, exactly once
 * more. Threads: any, for all functions.
 */
#ifndef KUBE_WORKQUEUE_H
#define KUBE_WORKQUEUE_H

#include <kube/metrics.h>
#include <kube/ratelimit.h>

KUBE_BEGIN_DECLS

/** What is worked on. Strings are the queue's while processed, the caller's when adding. */
typedef struct kube_key {
    const char *namespace_; /* "" = cluster scope */
    const char *name;
} kube_key;

typedef struct kube_workqueue kube_workqueue;

typedef struct kube_workqueue_options {
    kube_clock *clock;          /* NULL = the machine's */
    kube_rate_limiter *limiter; /* owned by the queue from then on; NULL = the default controller
                                   limiter (WQ-5) */
    kube_metrics *metrics; /* client-go's workqueue_* (WQ-7), labelled with the queue's name;
                              borrowed; NULL = none */
    bool timed;            /* keeps times without metrics, too: kube_workqueue_waited_ns() */
} kube_workqueue_options;

/** @p name is for logs. The queue has one thread, for delays. */
KUBE_CHECKED kube_code kube_workqueue_new(const char *name, const kube_workqueue_options *options,
                                          kube_workqueue **out, kube_error *err);
/** Shuts down, joins the thread, frees. No worker may be inside. NULL allowed. */
KUBE_API void kube_workqueue_free(kube_workqueue *queue);

/** Adds a key now. Ignored after shutdown (KUBE_OK). */
KUBE_CHECKED kube_code kube_workqueue_add(kube_workqueue *queue, kube_key key, kube_error *err);
/** Adds it after a delay; an earlier pending time stays (WQ-4). */
KUBE_CHECKED kube_code kube_workqueue_add_after(kube_workqueue *queue, kube_key key,
                                                int64_t delay_ms, kube_error *err);
/** Adds it after what the limiter says; see kube_workqueue_forget(). */
KUBE_CHECKED kube_code kube_workqueue_add_rate_limited(kube_workqueue *queue, kube_key key,
                                                       kube_error *err);
/** Resets the key's failures. The caller's duty after success. */
KUBE_API void kube_workqueue_forget(kube_workqueue *queue, kube_key key);
KUBE_API int kube_workqueue_failures(kube_workqueue *queue, kube_key key);

/**
 * Waits for a key and marks it as processed by the caller, whose strings are valid until
 * kube_workqueue_done(). KUBE_ERR_CLOSED = shut down and empty (queued keys are still handed out),
 * KUBE_ERR_CANCELED or _TIMEOUT when @p ctx ended first.
 */
KUBE_CHECKED kube_code kube_workqueue_get(kube_workqueue *queue, kube_ctx *ctx, kube_key *key,
                                          kube_error *err);
/** How long the key being processed had waited since it was due; for who got it. 0 in a queue with
 * neither metrics nor `timed`. */
KUBE_API int64_t kube_workqueue_waited_ns(kube_workqueue *queue, kube_key key);
KUBE_API void kube_workqueue_done(kube_workqueue *queue, kube_key key);

/** Refuses further keys, wakes waiting workers; queued keys are still handed out. */
KUBE_API void kube_workqueue_shut_down(kube_workqueue *queue);
/** The same, then waits until nothing is queued and nothing is processed, or @p ctx ends. Unlike
 * client-go's it looks at the queue too (WQ-3). */
KUBE_CHECKED kube_code kube_workqueue_drain(kube_workqueue *queue, kube_ctx *ctx, kube_error *err);
KUBE_API size_t kube_workqueue_len(kube_workqueue *queue);

typedef struct kube_workqueue_stats {
    uint64_t adds;
    uint64_t retries; /* add_after and add_rate_limited */
    size_t depth;
    size_t processing;
    size_t delayed;
} kube_workqueue_stats;
KUBE_API void kube_workqueue_get_stats(kube_workqueue *queue, kube_workqueue_stats *stats);

KUBE_END_DECLS

#endif /* KUBE_WORKQUEUE_H */
