/* SPDX-License-Identifier: Apache-2.0 */
/* Rate limiters of keys (WQ-5, WQ-6). kube_backoff has a file of its own in base. */
#include "base/thread.h"
#include "base/units.h"
#include "key_table.h"

#include <math.h>
#include <stdlib.h>

typedef enum limiter_kind { EXPONENTIAL, FAST_SLOW, BUCKET, MAX_OF } limiter_kind;

typedef struct failures_node {
    kube__keynode node;
    int failures;
} failures_node;

struct kube_rate_limiter {
    limiter_kind kind;
    kube__mutex mutex;
    kube__key_table failures; /* EXPONENTIAL, FAST_SLOW */
    int64_t first_ms;         /* base, or fast */
    int64_t second_ms;        /* maximum, or slow */
    int attempts;
    kube_clock *clock; /* BUCKET */
    double per_second;
    double burst;
    double tokens; /* negative while reservations wait */
    int64_t filled_ns;
    kube_rate_limiter *a; /* MAX_OF */
    kube_rate_limiter *b;
};

static kube_rate_limiter *limiter_new(limiter_kind kind)
{
    kube_rate_limiter *limiter = calloc(1, sizeof *limiter);
    if (!limiter)
        return NULL;
    limiter->kind = kind;
    if (kube__mutex_init(&limiter->mutex, NULL)) {
        free(limiter);
        return NULL;
    }
    if ((kind == EXPONENTIAL || kind == FAST_SLOW) &&
        kube__key_table_init(&limiter->failures, NULL)) {
        kube__mutex_fini(&limiter->mutex);
        free(limiter);
        return NULL;
    }
    return limiter;
}

kube_rate_limiter *kube_rate_limiter_exponential(int64_t base_ms, int64_t max_ms)
{
    kube_rate_limiter *limiter = limiter_new(EXPONENTIAL);
    if (limiter) {
        limiter->first_ms = base_ms;
        limiter->second_ms = max_ms;
    }
    return limiter;
}

kube_rate_limiter *kube_rate_limiter_fast_slow(int64_t fast_ms, int64_t slow_ms, int attempts)
{
    kube_rate_limiter *limiter = limiter_new(FAST_SLOW);
    if (limiter) {
        limiter->first_ms = fast_ms;
        limiter->second_ms = slow_ms;
        limiter->attempts = attempts;
    }
    return limiter;
}

kube_rate_limiter *kube_rate_limiter_bucket(double per_second, int burst, kube_clock *clock)
{
    kube_rate_limiter *limiter = limiter_new(BUCKET);
    if (limiter) {
        limiter->clock = clock ? clock : kube_clock_system();
        limiter->per_second = per_second;
        limiter->burst = burst;
        limiter->tokens = burst;
        limiter->filled_ns = limiter->clock->now_ns(limiter->clock);
    }
    return limiter;
}

kube_rate_limiter *kube_rate_limiter_max(kube_rate_limiter *a, kube_rate_limiter *b)
{
    kube_rate_limiter *limiter = a && b ? limiter_new(MAX_OF) : NULL;
    if (!limiter) {
        kube_rate_limiter_free(a);
        kube_rate_limiter_free(b);
        return NULL;
    }
    limiter->a = a;
    limiter->b = b;
    return limiter;
}

kube_rate_limiter *kube_rate_limiter_default(kube_clock *clock)
{
    return kube_rate_limiter_max(kube_rate_limiter_exponential(5, 1000 * KUBE__MS_PER_S),
                                 kube_rate_limiter_bucket(10, 100, clock));
}

void kube_rate_limiter_free(kube_rate_limiter *limiter)
{
    if (!limiter)
        return;
    kube__key_table_fini(&limiter->failures);
    kube_rate_limiter_free(limiter->a);
    kube_rate_limiter_free(limiter->b);
    kube__mutex_fini(&limiter->mutex);
    free(limiter);
}

/* Counts a failure of @key and returns how many there were before. Returns -1 if out of memory. */
static int count_failure(kube_rate_limiter *limiter, const char *key)
{
    kube_key by = {"", key};
    failures_node *node = kube__key_table_get(&limiter->failures, sizeof *node, by);
    if (!node)
        return -1;
    return node->failures < INT32_MAX ? node->failures++ : node->failures;
}

static int64_t exponential_ms(const kube_rate_limiter *limiter, int failures)
{
    int64_t delay = limiter->first_ms;
    while (failures-- > 0 && delay < limiter->second_ms)
        delay = delay > limiter->second_ms / 2 ? limiter->second_ms : delay * 2;
    return delay < limiter->second_ms ? delay : limiter->second_ms;
}

/* Takes a token, on credit if need be, and returns how long until it is there (WQ-6). */
static int64_t bucket_ms(kube_rate_limiter *limiter)
{
    int64_t now = limiter->clock->now_ns(limiter->clock);
    limiter->tokens += kube__ns_to_s(now - limiter->filled_ns) * limiter->per_second;
    if (limiter->tokens > limiter->burst)
        limiter->tokens = limiter->burst;
    limiter->filled_ns = now;
    limiter->tokens -= 1;
    if (limiter->tokens >= 0)
        return 0;
    return (int64_t)ceil(-limiter->tokens / limiter->per_second * (double)KUBE__MS_PER_S);
}

static int64_t longer(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return -1;
    return a > b ? a : b;
}

int64_t kube_rate_limiter_when_ms(kube_rate_limiter *limiter, const char *key)
{
    int64_t delay = 0;
    int failures;
    if (limiter->kind == MAX_OF)
        return longer(kube_rate_limiter_when_ms(limiter->a, key),
                      kube_rate_limiter_when_ms(limiter->b, key));
    kube__lock(&limiter->mutex);
    if (limiter->kind == BUCKET) {
        delay = bucket_ms(limiter);
    } else {
        failures = count_failure(limiter, key);
        if (failures < 0)
            delay = -1;
        else if (limiter->kind == EXPONENTIAL)
            delay = exponential_ms(limiter, failures);
        else
            delay = failures < limiter->attempts ? limiter->first_ms : limiter->second_ms;
    }
    kube__unlock(&limiter->mutex);
    return delay;
}

void kube_rate_limiter_forget(kube_rate_limiter *limiter, const char *key)
{
    kube_key by = {"", key};
    failures_node *node;
    if (limiter->kind == MAX_OF) {
        kube_rate_limiter_forget(limiter->a, key);
        kube_rate_limiter_forget(limiter->b, key);
        return;
    }
    if (limiter->kind == BUCKET)
        return;
    kube__lock(&limiter->mutex);
    node = kube__key_table_find(&limiter->failures, by);
    if (node)
        kube__key_table_drop(&limiter->failures, &node->node);
    kube__unlock(&limiter->mutex);
}

int kube_rate_limiter_failures(kube_rate_limiter *limiter, const char *key)
{
    kube_key by = {"", key};
    const failures_node *node;
    int failures;
    if (limiter->kind == MAX_OF) {
        int a = kube_rate_limiter_failures(limiter->a, key);
        int b = kube_rate_limiter_failures(limiter->b, key);
        return a > b ? a : b;
    }
    if (limiter->kind == BUCKET)
        return 0;
    kube__lock(&limiter->mutex);
    node = kube__key_table_find(&limiter->failures, by);
    failures = node ? node->failures : 0;
    kube__unlock(&limiter->mutex);
    return failures;
}
