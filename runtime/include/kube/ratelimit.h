/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Says how long a failed key waits (WQ-5, WQ-6), and computes back-off with jitter (WA-1).
 */
#ifndef KUBE_RATELIMIT_H
#define KUBE_RATELIMIT_H

#include <kube/key.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/**
 * Counts the failures of keys and computes their delays: a struct of functions, so that a program
 * can bring its own. What it needs for that goes into a struct that begins with this one. The
 * functions are called by several threads at once.
 */
typedef struct kube_rate_limiter kube_rate_limiter;
struct kube_rate_limiter {
    /* counts a failure of the key and returns how long it is to wait; -1 = out of memory */
    int64_t (*when_ms)(kube_rate_limiter *limiter, kube_key key);
    /* forgets the failures of the key */
    void (*forget)(kube_rate_limiter *limiter, kube_key key);
    /* returns how many failures of the key have been counted */
    int (*failures)(kube_rate_limiter *limiter, kube_key key);
    void (*release)(kube_rate_limiter *limiter); /* frees it; NULL = there is nothing to free */
};

/**
 * Makes a limiter whose delay is base·2^failures of the key, at most @p max_ms.
 *
 * This function and those below never return NULL. If memory ran out, or if an argument makes no
 * sense (a negative time, a rate of zero), what is given the result refuses it, with
 * KUBE_ERR_NO_MEMORY or KUBE_ERR_ARGUMENT.
 */
KUBE_API kube_rate_limiter *kube_rate_limiter_exponential(int64_t base_ms, int64_t max_ms);
/** Makes a limiter whose delay is @p fast_ms for the first @p attempts failures of a key, then
 * @p slow_ms. */
KUBE_API kube_rate_limiter *kube_rate_limiter_fast_slow(int64_t fast_ms, int64_t slow_ms,
                                                        int attempts);
/** Makes a token bucket that all keys share. @p clock NULL = the machine's. */
KUBE_API kube_rate_limiter *kube_rate_limiter_bucket(double per_second, int burst,
                                                     kube_clock *clock);
/** Makes a limiter that gives the longer of two delays; it owns @p a and @p b from then on. */
KUBE_API kube_rate_limiter *kube_rate_limiter_max(kube_rate_limiter *a, kube_rate_limiter *b);
/** Makes a limiter that gives the delay of @p inner, but at most @p max_ms; it owns @p inner from
 * then on. */
KUBE_API kube_rate_limiter *kube_rate_limiter_max_wait(kube_rate_limiter *inner, int64_t max_ms);
/** Makes the default of queues and controllers (WQ-5): an exponential delay of 5 ms to 1000 s. */
KUBE_API kube_rate_limiter *kube_rate_limiter_default(void);
/** NULL allowed. */
KUBE_API void kube_rate_limiter_free(kube_rate_limiter *limiter);

/** Exponential back-off with jitter. Each delay is drawn evenly from [d, d·(1+jitter)), and d grows
 * by `factor` from `initial_ms` up to `cap_ms`. */
typedef struct kube_backoff {
    int64_t initial_ms;
    int64_t cap_ms;
    double factor;
    double jitter;
    int64_t reset_after_ms; /* it starts over after that long without a delay; 0 = never */
    /* the state; zero at first */
    int64_t next_ms;
    int64_t last_ns;
} kube_backoff;

/** Sets the values of REF-2: 800 ms, doubled up to 30 s, jitter 1, reset after 2 minutes. */
KUBE_API void kube_backoff_init_reflector(kube_backoff *backoff);
/** Returns the next delay. @p random01 is a random number in [0, 1). */
KUBE_API int64_t kube_backoff_next_ms(kube_backoff *backoff, int64_t now_ns, double random01);
/** Starts over with `initial_ms`. */
KUBE_API void kube_backoff_reset(kube_backoff *backoff);

KUBE_END_DECLS

#endif /* KUBE_RATELIMIT_H */
