/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief How long a failed key waits (WQ-5, WQ-6), and back-off with jitter (WA-1).
 */
#ifndef KUBE_RATELIMIT_H
#define KUBE_RATELIMIT_H

#include <kube/ctx.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/** A limiter of keys, identified by "namespace/name". Threads: any. */
typedef struct kube_rate_limiter kube_rate_limiter;

/** base·2^failures per key, at most @p max. NULL when memory is out, as for all of these. */
KUBE_API kube_rate_limiter *kube_rate_limiter_exponential(int64_t base_ms, int64_t max_ms);
/** @p fast_ms for the first @p attempts failures of a key, then @p slow_ms. */
KUBE_API kube_rate_limiter *kube_rate_limiter_fast_slow(int64_t fast_ms, int64_t slow_ms,
                                                        int attempts);
/** A token bucket over all keys. @p clock NULL = the machine's. */
KUBE_API kube_rate_limiter *kube_rate_limiter_bucket(double per_second, int burst,
                                                     kube_clock *clock);
/** The longer of both delays; owns both. */
KUBE_API kube_rate_limiter *kube_rate_limiter_max(kube_rate_limiter *a, kube_rate_limiter *b);
/** max(exponential 5 ms … 1000 s, bucket 10/s burst 100). */
KUBE_API kube_rate_limiter *kube_rate_limiter_default(kube_clock *clock);
KUBE_API void kube_rate_limiter_free(kube_rate_limiter *limiter);

/** The delay of the key's next try; counts one failure. -1 when memory is out. */
KUBE_API int64_t kube_rate_limiter_when_ms(kube_rate_limiter *limiter, const char *key);
KUBE_API void kube_rate_limiter_forget(kube_rate_limiter *limiter, const char *key);
KUBE_API int kube_rate_limiter_failures(kube_rate_limiter *limiter, const char *key);

/** Exponential back-off with jitter: each delay is uniform in [d, d·(1+jitter)). */
typedef struct kube_backoff {
    int64_t initial_ms;
    int64_t cap_ms;
    double factor;
    double jitter;
    int64_t reset_after_ms; /* start over when that long passed without a delay; 0 = never */
    /* state */
    int64_t next_ms;
    int64_t last_ns;
} kube_backoff;

/** REF-2's: 800 ms ×2 up to 30 s, jitter 1, reset after 2 minutes without a delay. */
KUBE_API void kube_backoff_init_reflector(kube_backoff *backoff);
/** The next delay. @p random01 is uniform in [0, 1). */
KUBE_API int64_t kube_backoff_next_ms(kube_backoff *backoff, int64_t now_ns, double random01);
KUBE_API void kube_backoff_reset(kube_backoff *backoff);

KUBE_END_DECLS

#endif /* KUBE_RATELIMIT_H */
