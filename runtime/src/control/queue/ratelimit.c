/* SPDX-License-Identifier: Apache-2.0 */
/* Rate limiters of keys (WQ-5, WQ-6). kube_backoff has a file of its own in base. */
#include "ratelimit.h"

#include "base/memory.h"
#include "base/thread.h"
#include "base/units.h"
#include "key_table.h"

#include <math.h>
#include <stdlib.h>

/* ---- limiters that could not be made --------------------------------------------------------- */

static int64_t refuse(kube_rate_limiter *limiter, kube_key key)
{
    (void)limiter;
    (void)key;
    return -1;
}

static void forget_nothing(kube_rate_limiter *limiter, kube_key key)
{
    (void)limiter;
    (void)key;
}

static int count_nothing(kube_rate_limiter *limiter, kube_key key)
{
    (void)limiter;
    (void)key;
    return 0;
}

static kube_rate_limiter senseless = {refuse, forget_nothing, count_nothing, NULL};
static kube_rate_limiter without_memory = {refuse, forget_nothing, count_nothing, NULL};

kube_code kube__rate_limiter_check(const kube_rate_limiter *limiter, kube_error *err)
{
    if (limiter == &without_memory)
        return kube__no_memory(err, "a rate limiter");
    if (limiter == &senseless)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "a rate limiter was made of arguments that make no sense");
    if (limiter->when_ms && limiter->forget && limiter->failures)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "a rate limiter lacks a function");
}

void kube_rate_limiter_free(kube_rate_limiter *limiter)
{
    if (limiter && limiter->release)
        limiter->release(limiter);
}

/* ---- by the failures of a key ---------------------------------------------------------------- */

typedef struct failures_node {
    kube__keynode node;
    int failures;
} failures_node;

typedef struct counter {
    kube_rate_limiter base;
    kube__mutex mutex;
    kube__key_table failures;
    int64_t first_ms;  /* base, or fast */
    int64_t second_ms; /* maximum, or slow */
    int attempts;
} counter;

/* Counts a failure of @key and returns how many there were before. Returns -1 if out of memory. */
static int count_failure(counter *c, kube_key key)
{
    failures_node *node;
    int before = -1;
    kube__lock(&c->mutex);
    node = kube__key_table_get(&c->failures, sizeof *node, key);
    if (node)
        before = node->failures < INT32_MAX ? node->failures++ : node->failures;
    kube__unlock(&c->mutex);
    return before;
}

static void counter_forget(kube_rate_limiter *limiter, kube_key key)
{
    counter *c = (counter *)limiter;
    failures_node *node;
    kube__lock(&c->mutex);
    node = kube__key_table_find(&c->failures, key);
    if (node)
        kube__key_table_drop(&c->failures, &node->node);
    kube__unlock(&c->mutex);
}

static int counter_failures(kube_rate_limiter *limiter, kube_key key)
{
    counter *c = (counter *)limiter;
    const failures_node *node;
    int failures;
    kube__lock(&c->mutex);
    node = kube__key_table_find(&c->failures, key);
    failures = node ? node->failures : 0;
    kube__unlock(&c->mutex);
    return failures;
}

static void counter_release(kube_rate_limiter *limiter)
{
    counter *c = (counter *)limiter;
    kube__key_table_fini(&c->failures);
    kube__mutex_fini(&c->mutex);
    free(c);
}

static kube_rate_limiter *counter_new(counter like)
{
    counter *c = calloc(1, sizeof *c);
    if (!c)
        return &without_memory;
    *c = like;
    c->base.forget = counter_forget;
    c->base.failures = counter_failures;
    c->base.release = counter_release;
    if (kube__mutex_init(&c->mutex, NULL)) {
        free(c);
        return &without_memory;
    }
    if (kube__key_table_init(&c->failures, NULL)) {
        counter_release(&c->base);
        return &without_memory;
    }
    return &c->base;
}

static int64_t exponential_ms(kube_rate_limiter *limiter, kube_key key)
{
    counter *c = (counter *)limiter;
    int failures = count_failure(c, key);
    int64_t delay = c->first_ms;
    if (failures < 0)
        return -1;
    while (failures-- > 0 && delay > 0 && delay < c->second_ms)
        delay = delay > c->second_ms / 2 ? c->second_ms : delay * 2;
    return delay < c->second_ms ? delay : c->second_ms;
}

kube_rate_limiter *kube_rate_limiter_exponential(int64_t base_ms, int64_t max_ms)
{
    if (base_ms < 0 || max_ms < 0)
        return &senseless;
    return counter_new(
        (counter){.base.when_ms = exponential_ms, .first_ms = base_ms, .second_ms = max_ms});
}

static int64_t fast_slow_ms(kube_rate_limiter *limiter, kube_key key)
{
    counter *c = (counter *)limiter;
    int failures = count_failure(c, key);
    if (failures < 0)
        return -1;
    return failures < c->attempts ? c->first_ms : c->second_ms;
}

kube_rate_limiter *kube_rate_limiter_fast_slow(int64_t fast_ms, int64_t slow_ms, int attempts)
{
    if (fast_ms < 0 || slow_ms < 0 || attempts < 0)
        return &senseless;
    return counter_new((counter){.base.when_ms = fast_slow_ms,
                                 .first_ms = fast_ms,
                                 .second_ms = slow_ms,
                                 .attempts = attempts});
}

kube_rate_limiter *kube_rate_limiter_default(void)
{
    return kube_rate_limiter_exponential(5, 1000 * KUBE__MS_PER_S);
}

/* ---- token bucket ---------------------------------------------------------------------------- */

typedef struct bucket {
    kube_rate_limiter base;
    kube__mutex mutex;
    kube_clock *clock;
    double per_second;
    double burst;
    double tokens; /* negative while reservations wait */
    int64_t filled_ns;
} bucket;

/* Takes a token, on credit if need be, and returns how long until it is there (WQ-6). */
static int64_t bucket_ms(kube_rate_limiter *limiter, kube_key key)
{
    bucket *b = (bucket *)limiter;
    double missing;
    double delay;
    int64_t now;
    (void)key;
    kube__lock(&b->mutex);
    now = b->clock->now_ns(b->clock);
    b->tokens += kube__ns_to_s(now - b->filled_ns) * b->per_second;
    if (b->tokens > b->burst)
        b->tokens = b->burst;
    b->filled_ns = now;
    b->tokens -= 1;
    missing = b->tokens < 0 ? -b->tokens : 0;
    kube__unlock(&b->mutex);
    delay = ceil(missing / b->per_second * (double)KUBE__MS_PER_S);
    return delay < (double)INT64_MAX ? (int64_t)delay : INT64_MAX;
}

static void bucket_release(kube_rate_limiter *limiter)
{
    bucket *b = (bucket *)limiter;
    kube__mutex_fini(&b->mutex);
    free(b);
}

kube_rate_limiter *kube_rate_limiter_bucket(double per_second, int burst, kube_clock *clock)
{
    bucket *b;
    if (!isfinite(per_second) || per_second <= 0 || burst < 1)
        return &senseless;
    b = calloc(1, sizeof *b);
    if (!b)
        return &without_memory;
    if (kube__mutex_init(&b->mutex, NULL)) {
        free(b);
        return &without_memory;
    }
    b->base = (kube_rate_limiter){bucket_ms, forget_nothing, count_nothing, bucket_release};
    b->clock = clock ? clock : kube_clock_system();
    b->per_second = per_second;
    b->burst = burst;
    b->tokens = burst;
    b->filled_ns = b->clock->now_ns(b->clock);
    return &b->base;
}

/* ---- made of others -------------------------------------------------------------------------- */

typedef struct pair {
    kube_rate_limiter base;
    kube_rate_limiter *a;
    kube_rate_limiter *b; /* NULL = the other is a time */
    int64_t most_ms;
} pair;

static void pair_forget(kube_rate_limiter *limiter, kube_key key)
{
    pair *p = (pair *)limiter;
    p->a->forget(p->a, key);
    if (p->b)
        p->b->forget(p->b, key);
}

static int pair_failures(kube_rate_limiter *limiter, kube_key key)
{
    pair *p = (pair *)limiter;
    int a = p->a->failures(p->a, key);
    int b = p->b ? p->b->failures(p->b, key) : 0;
    return a > b ? a : b;
}

static void pair_release(kube_rate_limiter *limiter)
{
    pair *p = (pair *)limiter;
    kube_rate_limiter_free(p->a);
    kube_rate_limiter_free(p->b);
    free(p);
}

static kube_rate_limiter *pair_new(pair like)
{
    pair *p = calloc(1, sizeof *p);
    if (!p) {
        kube_rate_limiter_free(like.a);
        kube_rate_limiter_free(like.b);
        return &without_memory;
    }
    *p = like;
    p->base.forget = pair_forget;
    p->base.failures = pair_failures;
    p->base.release = pair_release;
    return &p->base;
}

/* Returns what @limiter is instead of a limiter, or NULL. */
static kube_rate_limiter *unusable(kube_rate_limiter *limiter)
{
    if (limiter == &without_memory)
        return limiter;
    return limiter && !kube__rate_limiter_check(limiter, NULL) ? NULL : &senseless;
}

static int64_t longer_ms(kube_rate_limiter *limiter, kube_key key)
{
    pair *p = (pair *)limiter;
    int64_t a = p->a->when_ms(p->a, key);
    int64_t b = p->b->when_ms(p->b, key);
    if (a < 0 || b < 0)
        return -1;
    return a > b ? a : b;
}

kube_rate_limiter *kube_rate_limiter_max(kube_rate_limiter *a, kube_rate_limiter *b)
{
    kube_rate_limiter *instead = unusable(a);
    if (!instead)
        instead = unusable(b);
    if (!instead)
        return pair_new((pair){.base.when_ms = longer_ms, .a = a, .b = b});
    kube_rate_limiter_free(a);
    kube_rate_limiter_free(b);
    return instead;
}

static int64_t at_most_ms(kube_rate_limiter *limiter, kube_key key)
{
    pair *p = (pair *)limiter;
    int64_t delay = p->a->when_ms(p->a, key);
    return delay < p->most_ms ? delay : p->most_ms;
}

kube_rate_limiter *kube_rate_limiter_max_wait(kube_rate_limiter *inner, int64_t max_ms)
{
    kube_rate_limiter *instead = max_ms < 0 ? &senseless : unusable(inner);
    if (!instead)
        return pair_new((pair){.base.when_ms = at_most_ms, .a = inner, .most_ms = max_ms});
    kube_rate_limiter_free(inner);
    return instead;
}
