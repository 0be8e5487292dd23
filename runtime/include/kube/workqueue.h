/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The queue of keys between handlers and workers.
 *
 * A key is in the queue at most once, and never processed by two workers at once. If it is added
 * while it is processed, it is processed once more afterwards (WQ-1…6). Threads: any, for all
 * functions.
 */
#ifndef KUBE_WORKQUEUE_H
#define KUBE_WORKQUEUE_H

#include <kube/key.h>
#include <kube/metrics.h>
#include <kube/ratelimit.h>

KUBE_BEGIN_DECLS

/** The queue copies the strings of a key that is added; those of a key that it hands out are the
 * queue's. */
typedef struct kube_workqueue kube_workqueue;

typedef struct kube_workqueue_options {
    kube_clock *clock;          /* NULL = the machine's */
    kube_rate_limiter *limiter; /* the queue owns it from then on; NULL = that of WQ-5 */
    kube_metrics *metrics; /* gets client-go's workqueue_* metrics (WQ-7), labelled with the queue's
                              name; borrowed; NULL = no metrics */
    bool timed;            /* for kube_workqueue_waited_ns() in a queue without metrics */
} kube_workqueue_options;

KUBE_CHECKED kube_code kube_workqueue_new_sized(const char *name,
                                                const kube_workqueue_options *options,
                                                size_t options_size, kube_workqueue **out,
                                                kube_error *err);
/** Makes a queue and starts its thread, which waits for delayed keys. @p name is for logs and
 * metrics. A wrong argument, here and below, is KUBE_ERR_ARGUMENT: no name, a key without a name.
 */
KUBE_INLINE kube_code kube_workqueue_new(const char *name, const kube_workqueue_options *options,
                                         kube_workqueue **out, kube_error *err)
{
    return kube_workqueue_new_sized(name, options, sizeof *options, out, err);
}
/** Shuts the queue down, joins its thread and frees it. No worker may use it any more. NULL
 * allowed.
 */
KUBE_API void kube_workqueue_free(kube_workqueue *queue);

/** Adds a key. After a shutdown this does nothing and returns KUBE_OK. A delay of the key that has
 * not passed ends (PQ-1). */
KUBE_CHECKED kube_code kube_workqueue_add(kube_workqueue *queue, kube_key key, kube_error *err);
/** Which keys are handed out first; those of one priority come in the order of their adds. */
typedef enum kube_priority {
    KUBE_PRIORITY_LOW = -1, /* a controller's keys of initial lists and resyncs */
    KUBE_PRIORITY_NORMAL,   /* of kube_workqueue_add() */
    KUBE_PRIORITY_HIGH,
} kube_priority;
/** Adds a key with a priority. If it waits already, the higher one counts. */
KUBE_CHECKED kube_code kube_workqueue_add_priority(kube_workqueue *queue, kube_key key,
                                                   kube_priority priority, kube_error *err);
/** Adds a key after a delay. If it waits already, the earlier time counts (WQ-4). A key that is
 * processed keeps its priority, and needs no memory for this. */
KUBE_CHECKED kube_code kube_workqueue_add_after(kube_workqueue *queue, kube_key key,
                                                int64_t delay_ms, kube_error *err);
/** Counts a failure of the key, and adds it after the delay that the limiter gives. */
KUBE_CHECKED kube_code kube_workqueue_add_rate_limited(kube_workqueue *queue, kube_key key,
                                                       kube_error *err);
/** Counts a failure of the key and returns the delay that the limiter gives, without adding it; one
 * second if the limiter is out of memory. */
KUBE_API int64_t kube_workqueue_backoff_ms(kube_workqueue *queue, kube_key key);
/** Forgets the failures of a key. A worker must call it after success. */
KUBE_API void kube_workqueue_forget(kube_workqueue *queue, kube_key key);
/** Returns how many failures of a key are counted. */
KUBE_API int kube_workqueue_failures(kube_workqueue *queue, kube_key key);

/**
 * Waits for a key, which the caller then processes. Its strings are valid until
 * kube_workqueue_done(), which must follow.
 * @return KUBE_ERR_CLOSED if the queue has been shut down and is empty; KUBE_ERR_CANCELED or
 * KUBE_ERR_TIMEOUT if @p ctx ended first; KUBE_ERR_NO_MEMORY if there is none for the delay of one
 * key more; the key stays in the queue then
 */
KUBE_CHECKED kube_code kube_workqueue_get(kube_workqueue *queue, kube_ctx *ctx, kube_key *key,
                                          kube_error *err);
/** Returns the time from when @p key became due until kube_workqueue_get() returned it. Call it
 * between get and done. It is 0 unless the queue has metrics or `timed`. */
KUBE_API int64_t kube_workqueue_waited_ns(kube_workqueue *queue, kube_key key);
/** Says that the caller has processed @p key. */
KUBE_API void kube_workqueue_done(kube_workqueue *queue, kube_key key);

/** Ignores keys that are added from now on, and wakes workers that wait. Keys that are in the queue
 * are still handed out. */
KUBE_API void kube_workqueue_shut_down(kube_workqueue *queue);
/** Shuts the queue down, and waits until no key is queued or processed, or until @p ctx ends.
 * (client-go does not wait for queued keys, WQ-3.) */
KUBE_CHECKED kube_code kube_workqueue_drain(kube_workqueue *queue, kube_ctx *ctx, kube_error *err);
/** Returns how many keys are ready to be processed. */
KUBE_API size_t kube_workqueue_len(kube_workqueue *queue);

typedef struct kube_workqueue_stats {
    uint64_t adds;     /* keys that became ready */
    uint64_t retries;  /* calls of add_after and add_rate_limited */
    size_t depth;      /* keys that are ready now */
    size_t processing; /* keys that are processed now */
    size_t delayed;    /* keys that wait for their time */
} kube_workqueue_stats;
KUBE_API void kube_workqueue_get_stats_sized(kube_workqueue *queue, kube_workqueue_stats *stats,
                                             size_t stats_size);
/** Fills @p stats. */
static inline void kube_workqueue_get_stats(kube_workqueue *queue, kube_workqueue_stats *stats)
{
    kube_workqueue_get_stats_sized(queue, stats, sizeof *stats);
}

KUBE_END_DECLS

#endif /* KUBE_WORKQUEUE_H */
