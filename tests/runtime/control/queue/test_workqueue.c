/* SPDX-License-Identifier: Apache-2.0 */
/* The queue (WQ-1 to WQ-7), after client-go's queue_test.go, delaying_queue_test.go,
 * rate_limiting_queue_test.go and metrics_test.go. */
#include "base/thread.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/testing/clock.h>
#include <kube/workqueue.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kube_fake_clock *fake;
static kube_workqueue *queue;
static kube_ctx *ctx;

static void set_up(void)
{
    kube_workqueue_options options = {0};
    kube_error err;
    fake = kube_fake_clock_new();
    options.clock = kube_fake_clock_clock(fake);
    options.limiter = kube_rate_limiter_exponential(1, 1000);
    ctx = kube_ctx_new();
    ck_assert_int_eq(kube_workqueue_new("test", &options, &queue, &err), KUBE_OK);
}

static void tear_down(void)
{
    kube_workqueue_free(queue);
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

static kube_key named(const char *name)
{
    kube_key key = {"default", name};
    return key;
}

static void add(const char *name)
{
    ck_assert_int_eq(kube_workqueue_add(queue, named(name), NULL), KUBE_OK);
}

static void add_after(const char *name, int64_t ms)
{
    ck_assert_int_eq(kube_workqueue_add_after(queue, named(name), ms, NULL), KUBE_OK);
}

static void expect_next(const char *name)
{
    kube_key key;
    ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_OK);
    ck_assert_str_eq(key.namespace_, "default");
    ck_assert_str_eq(key.name, name);
}

FIXTURE(set_up, tear_down);

/* Peers: TestLen, TestReinsert, TestCollapse, TestCollapseWhileProcessing */
TEST(a_key_added_many_times_runs_once)
{
    add("a");
    add("b");
    add("a");
    add("a");
    ck_assert_uint_eq(kube_workqueue_len(queue), 2);
    expect_next("a");
    kube_workqueue_done(queue, named("a"));
    expect_next("b");
    kube_workqueue_done(queue, named("b"));
    ck_assert_uint_eq(kube_workqueue_len(queue), 0);
}

/* Peers: TestAddWhileProcessing, TestLen, TestReinsert, TestCollapse,
 * TestCollapseWhileProcessing */
TEST(a_key_added_while_processed_runs_exactly_once_more)
{
    add("a");
    expect_next("a");
    add("a");
    add("a");
    ck_assert_uint_eq(kube_workqueue_len(queue), 0); /* never on two workers */
    kube_workqueue_done(queue, named("a"));
    ck_assert_uint_eq(kube_workqueue_len(queue), 1);
    expect_next("a");
    kube_workqueue_done(queue, named("a"));
    ck_assert_uint_eq(kube_workqueue_len(queue), 0);
}

TEST(keys_of_the_same_name_in_two_namespaces_are_two)
{
    kube_key other = {"other", "a"};
    kube_key cluster = {NULL, "a"};
    kube_key key;
    add("a");
    ck_assert_int_eq(kube_workqueue_add(queue, other, NULL), KUBE_OK);
    ck_assert_int_eq(kube_workqueue_add(queue, cluster, NULL), KUBE_OK);
    ck_assert_uint_eq(kube_workqueue_len(queue), 3);
    expect_next("a");
    ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_OK);
    ck_assert_str_eq(key.namespace_, "other");
    ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_OK);
    ck_assert_str_eq(key.namespace_, "");
}

TEST(done_of_a_key_that_is_not_processed_does_nothing)
{
    add("a");
    kube_workqueue_done(queue, named("a"));
    kube_workqueue_done(queue, named("never added"));
    ck_assert_uint_eq(kube_workqueue_len(queue), 1);
}

/* Peers: TestBasic, TestNoQueueDrainageUsingShutDown, TestForceQueueShutdownUsingShutDown */
TEST(shutdown_hands_out_what_is_queued_then_closes)
{
    kube_key key;
    add("a");
    kube_workqueue_shut_down(queue);
    add("b");
    expect_next("a");
    add("a");
    kube_workqueue_done(queue, named("a"));
    ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_ERR_CLOSED);
    ck_assert_ptr_null(key.name);
}

TEST(get_returns_when_its_ctx_is_cancelled_or_late)
{
    kube_ctx *late = kube_ctx_child(ctx);
    kube_ctx *cancelled = kube_ctx_child(ctx);
    kube_error err;
    kube_key key;
    kube_ctx_set_timeout_ms(late, 1);
    ck_assert_int_eq(kube_workqueue_get(queue, late, &key, &err), KUBE_ERR_TIMEOUT);
    add("a");
    kube_ctx_cancel(cancelled);
    ck_assert_int_eq(kube_workqueue_get(queue, cancelled, &key, &err), KUBE_ERR_CANCELED);
    ck_assert_uint_eq(kube_workqueue_len(queue), 1);
    kube_ctx_free(cancelled);
    kube_ctx_free(late);
}

/* ---- delays -------------------------------------------------------------------------------- */

/* Peers: TestSimpleQueue */
TEST(a_delayed_key_comes_when_its_time_has_come)
{
    kube_workqueue_stats stats;
    add_after("a", 50);
    ck_assert_uint_eq(kube_workqueue_len(queue), 0);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 49);
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.depth, 0);
    ck_assert_uint_eq(stats.delayed, 1);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1);
    expect_next("a");
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.delayed, 0);
}

/* Peers: TestDeduping */
TEST(the_earliest_time_of_a_key_wins_in_both_orders)
{
    add_after("a", 50);
    add_after("a", 20);
    add_after("b", 30);
    add_after("b", 90);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 20);
    expect_next("a");
    kube_workqueue_done(queue, named("a"));
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 10);
    expect_next("b");
    kube_workqueue_done(queue, named("b"));
    kube_fake_clock_advance_ms(fake, 1000);
    ck_assert_uint_eq(kube_workqueue_len(queue), 0);
}

/* Peers: TestAddTwoFireEarly, TestCopyShifting */
TEST(delayed_keys_come_in_the_order_of_their_times)
{
    char name[16];
    kube_workqueue_stats stats;
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "k%d", (i * 37) % 100);
        add_after(name, 10 + (i * 37) % 100);
    }
    for (int i = 0; i < 100; i++) {
        kube_fake_clock_wait_for_waiters(fake, 1);
        kube_fake_clock_advance_ms(fake, i ? 1 : 10);
        snprintf(name, sizeof name, "k%d", i);
        expect_next(name);
        kube_workqueue_done(queue, named(name));
    }
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.delayed, 0);
    ck_assert_uint_eq(stats.retries, 100);
}

TEST(a_delay_of_zero_adds_now)
{
    add_after("a", 0);
    expect_next("a");
}

/* Peers: TestRateLimitingQueue */
TEST(a_rate_limited_key_waits_longer_each_time_until_forgotten)
{
    static const int64_t delays[] = {1, 2, 4, 8};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(kube_workqueue_add_rate_limited(queue, named("a"), NULL), KUBE_OK);
        kube_fake_clock_wait_for_waiters(fake, 1);
        ck_assert_int_eq(kube_fake_clock_next_ms(fake), delays[i]);
        kube_fake_clock_advance_ms(fake, delays[i]);
        expect_next("a");
        ck_assert_int_eq(kube_workqueue_failures(queue, named("a")), i + 1);
        kube_workqueue_done(queue, named("a"));
    }
    kube_workqueue_forget(queue, named("a"));
    ck_assert_int_eq(kube_workqueue_failures(queue, named("a")), 0);
}

/* PQ-1: a key waits for processing or for its time, never for both. */
TEST(a_delay_ends_when_the_key_comes_sooner)
{
    kube_workqueue_stats stats;
    add_after("a", 50);
    add_after("b", 20);
    add("a");
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.delayed, 1);
    expect_next("a");
    kube_workqueue_done(queue, named("a"));
    add_after("c", 60);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 60);
    expect_next("b");
    expect_next("c");
    ck_assert_uint_eq(kube_workqueue_len(queue), 0);
}

TEST(a_key_that_is_queued_is_not_delayed)
{
    kube_workqueue_stats stats;
    add("a");
    add_after("a", 50);
    expect_next("a");
    add_after("a", 70); /* for the next run */
    add("a");
    add_after("a", 50);
    kube_workqueue_done(queue, named("a"));
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.depth, 1);
    ck_assert_uint_eq(stats.delayed, 0);
}

TEST(delays_that_end_leave_the_others_in_order)
{
    char name[16];
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "k%d", (i * 37) % 60);
        add_after(name, 10 + (i * 37) % 60);
    }
    for (int i = 0; i < 60; i += 3) {
        snprintf(name, sizeof name, "k%d", (i * 7) % 60);
        add(name);
        expect_next(name);
    }
    for (int i = 0; i < 60; i++) {
        kube_fake_clock_wait_for_waiters(fake, 1);
        kube_fake_clock_advance_ms(fake, i ? 1 : 10);
        snprintf(name, sizeof name, "k%d", i);
        if (i % 3)
            expect_next(name);
    }
    ck_assert_uint_eq(kube_workqueue_len(queue), 0);
}

/* ---- priorities (PQ-1) --------------------------------------------------------------------- */

static void add_priority(const char *name, kube_priority priority)
{
    ck_assert_int_eq(kube_workqueue_add_priority(queue, named(name), priority, NULL), KUBE_OK);
}

TEST(the_highest_priority_comes_first_and_each_in_order)
{
    add_priority("low 1", KUBE_PRIORITY_LOW);
    add_priority("low 2", KUBE_PRIORITY_LOW);
    add("1");
    add_priority("high", KUBE_PRIORITY_HIGH);
    add("2");
    ck_assert_uint_eq(kube_workqueue_len(queue), 5);
    expect_next("high");
    expect_next("1");
    expect_next("2");
    expect_next("low 1");
    expect_next("low 2");
}

TEST(a_raised_key_goes_behind_those_of_its_new_priority)
{
    add("1");
    add_priority("a", KUBE_PRIORITY_LOW);
    add_priority("b", KUBE_PRIORITY_LOW);
    add_priority("c", KUBE_PRIORITY_LOW);
    add("b");
    add_priority("1", KUBE_PRIORITY_LOW); /* the higher one counts */
    add("c");
    ck_assert_uint_eq(kube_workqueue_len(queue), 4);
    expect_next("1");
    expect_next("b");
    expect_next("c");
    expect_next("a");
}

TEST(a_retry_has_the_priority_of_the_run)
{
    add_priority("low", KUBE_PRIORITY_LOW);
    expect_next("low");
    add_after("low", 5);
    kube_workqueue_done(queue, named("low"));
    add_after("normal", 6);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 6);
    while (kube_workqueue_len(queue) < 2)
        sched_yield();
    expect_next("normal");
    expect_next("low");
    add_priority("low", KUBE_PRIORITY_LOW); /* once more */
    add("low");
    add_priority("other", KUBE_PRIORITY_LOW);
    kube_workqueue_done(queue, named("low"));
    expect_next("low");
}

/* ---- wrong arguments ----------------------------------------------------------------------- */

static kube_code add_nothing(kube_key key, kube_error *err)
{
    return kube_workqueue_add(queue, key, err);
}

static kube_code delay_nothing(kube_key key, kube_error *err)
{
    return kube_workqueue_add_after(queue, key, 1, err);
}

static kube_code limit_nothing(kube_key key, kube_error *err)
{
    return kube_workqueue_add_rate_limited(queue, key, err);
}

static kube_code add_beyond(kube_key key, kube_error *err)
{
    return kube_workqueue_add_priority(queue, key, (kube_priority)2, err);
}

static kube_code add_below(kube_key key, kube_error *err)
{
    return kube_workqueue_add_priority(queue, key, (kube_priority)-2, err);
}

TEST(wrong_keys_and_priorities_are_refused)
{
    static const struct {
        kube_code (*call)(kube_key key, kube_error *err);
        kube_key key;
        const char *message;
    } rows[] = {
        {add_nothing, {"default", NULL}, "queue test: a key without a name"},
        {add_nothing, {"default", ""}, "queue test: a key without a name"},
        {delay_nothing, {"default", NULL}, "queue test: a key without a name"},
        {limit_nothing, {NULL, NULL}, "queue test: a key without a name"},
        {add_beyond, {"default", "a"}, "queue test: there is no priority 2"},
        {add_below, {"default", "a"}, "queue test: there is no priority -2"},
    };
    kube_workqueue_stats stats;
    kube_error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(rows[i].call(rows[i].key, &err), KUBE_ERR_ARGUMENT);
        ck_assert_str_eq(err.message, rows[i].message);
    }
    kube_workqueue_forget(queue, kube_key_of(NULL, NULL));
    ck_assert_int_eq(kube_workqueue_failures(queue, kube_key_of(NULL, NULL)), 0);
    kube_workqueue_done(queue, kube_key_of(NULL, NULL));
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.depth + stats.delayed, 0);
}

static kube_rate_limiter partial; /* no functions */

TEST(wrong_names_and_limiters_are_refused)
{
    const struct {
        const char *name;
        kube_rate_limiter *limiter;
        const char *message;
    } rows[] = {
        {NULL, kube_rate_limiter_default(), "a queue without a name"},
        {"", NULL, "a queue without a name"},
        {"q", kube_rate_limiter_exponential(-1, 10), NULL},
        {"q", kube_rate_limiter_exponential(1, -1), NULL},
        {"q", kube_rate_limiter_fast_slow(-1, 1, 1), NULL},
        {"q", kube_rate_limiter_fast_slow(1, -1, 1), NULL},
        {"q", kube_rate_limiter_fast_slow(1, 1, -1), NULL},
        {"q", kube_rate_limiter_bucket(0, 1, NULL), NULL},
        {"q", kube_rate_limiter_bucket(-1, 1, NULL), NULL},
        {"q", kube_rate_limiter_bucket(0.0 / 0.0, 1, NULL), NULL},
        {"q", kube_rate_limiter_bucket(1, 0, NULL), NULL},
        {"q", kube_rate_limiter_max(kube_rate_limiter_default(), NULL), NULL},
        {"q",
         kube_rate_limiter_max(kube_rate_limiter_exponential(-1, 1), kube_rate_limiter_default()),
         NULL},
        {"q", kube_rate_limiter_max_wait(kube_rate_limiter_default(), -1), NULL},
        {"q", kube_rate_limiter_max_wait(NULL, 1), NULL},
        {"q", &partial, "a rate limiter lacks a function"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const kube_workqueue_options options = {.limiter = rows[i].limiter};
        kube_workqueue *none;
        kube_error err;
        ck_assert_int_eq(kube_workqueue_new(rows[i].name, &options, &none, &err),
                         KUBE_ERR_ARGUMENT);
        ck_assert_ptr_null(none);
        ck_assert_str_eq(err.message, rows[i].message
                                          ? rows[i].message
                                          : "a rate limiter was made of arguments that make no "
                                            "sense");
    }
}

/* ---- memory -------------------------------------------------------------------------------- */

TEST(a_retry_needs_no_memory)
{
    enum { MANY = 200 };
    kube_key keys[MANY];
    kube_workqueue_stats stats;
    int lost = 0;
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        add(name);
        ck_assert_int_eq(kube_workqueue_get(queue, ctx, &keys[i], NULL), KUBE_OK);
    }
    fail_malloc_from(1);
    for (int i = 0; i < MANY; i++) {
        lost += kube_workqueue_add_rate_limited(queue, keys[i], NULL) != KUBE_OK;
        kube_workqueue_done(queue, keys[i]);
    }
    fail_malloc_off();
    ck_assert_int_eq(lost, 0);
    kube_workqueue_get_stats(queue, &stats);
    ck_assert_uint_eq(stats.delayed, MANY);
}

TEST(a_key_whose_retry_has_no_room_stays_in_the_queue)
{
    kube_key key;
    kube_error err;
    kube_code rc;
    add("a");
    fail_malloc_from(1);
    rc = kube_workqueue_get(queue, ctx, &key, &err);
    fail_malloc_off();
    ck_assert_int_eq(rc, KUBE_ERR_NO_MEMORY);
    ck_assert_str_eq(err.message, "out of memory: queue test");
    ck_assert_ptr_null(key.name);
    expect_next("a");
}

/* ---- a limiter of the program's own -------------------------------------------------------- */

typedef struct every_minute {
    kube_rate_limiter base;
    int failures;
    bool scarce;
    bool released;
} every_minute;

static int64_t minute_when(kube_rate_limiter *limiter, kube_key key)
{
    every_minute *own = (every_minute *)limiter;
    ck_assert_str_eq(key.name, "a");
    own->failures++;
    return own->scarce ? -1 : 60000;
}

static void minute_forget(kube_rate_limiter *limiter, kube_key key)
{
    (void)key;
    ((every_minute *)limiter)->failures = 0;
}

static int minute_failures(kube_rate_limiter *limiter, kube_key key)
{
    (void)key;
    return ((every_minute *)limiter)->failures;
}

static void minute_release(kube_rate_limiter *limiter)
{
    ((every_minute *)limiter)->released = true;
}

TEST(a_limiter_of_the_programs_own_is_asked)
{
    every_minute own = {{minute_when, minute_forget, minute_failures, minute_release},
                        .failures = 0};
    const kube_workqueue_options options = {.limiter = &own.base,
                                            .clock = kube_fake_clock_clock(fake)};
    kube_workqueue *limited;
    ck_assert_int_eq(kube_workqueue_new("own", &options, &limited, NULL), KUBE_OK);
    ck_assert_int_eq(kube_workqueue_backoff_ms(limited, named("a")), 60000);
    own.scarce = true;
    ck_assert_int_eq(kube_workqueue_backoff_ms(limited, named("a")), 1000);
    ck_assert_int_eq(kube_workqueue_failures(limited, named("a")), 2);
    kube_workqueue_forget(limited, named("a"));
    ck_assert_int_eq(kube_workqueue_failures(limited, named("a")), 0);
    kube_workqueue_free(limited);
    ck_assert(own.released);
}

TEST(delays_are_dropped_by_a_shutdown)
{
    kube_key key;
    add_after("a", 10);
    kube_workqueue_shut_down(queue);
    kube_fake_clock_advance_ms(fake, 100);
    ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_ERR_CLOSED);
}

/* ---- drain --------------------------------------------------------------------------------- */

static atomic_bool drained;

static void *drain(void *arg)
{
    kube_ctx *own = arg;
    ck_assert_int_eq(kube_workqueue_drain(queue, own, NULL), KUBE_OK);
    atomic_store(&drained, true);
    return NULL;
}

/* Peers: TestQueueDrainageUsingShutDownWithDrain,
 * TestQueueDrainageUsingShutDownWithDrainWithDirtyItem */
TEST(drain_waits_for_queued_and_processed_keys)
{
    kube_ctx *own = kube_ctx_child(ctx);
    kube__thread thread = {0};
    kube_key key;
    atomic_store(&drained, false);
    add("a");
    add("b");
    expect_next("a");
    add("a"); /* dirty: comes again, also during the drain */
    ck_assert_int_eq(kube__thread_start(&thread, "drain", drain, own, NULL), KUBE_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert(!atomic_load(&drained));
        if (i)
            ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_OK);
        else
            key = named("a");
        kube_workqueue_done(queue, key);
    }
    kube__thread_join(&thread);
    ck_assert(atomic_load(&drained));
    ck_assert_int_eq(kube_workqueue_get(queue, ctx, &key, NULL), KUBE_ERR_CLOSED);
    kube_ctx_free(own);
}

/* Peers: TestNoQueueDrainageUsingShutDown, TestForceQueueShutdownUsingShutDown */
TEST(drain_ends_with_its_ctx)
{
    kube_ctx *own = kube_ctx_child(ctx);
    add("a");
    kube_ctx_cancel(own);
    ck_assert_int_eq(kube_workqueue_drain(queue, own, NULL), KUBE_ERR_CANCELED);
    kube_ctx_free(own);
}

/* ---- measures (WQ-7) ----------------------------------------------------------------------- */

static kube_metrics *metrics;
static kube_ctx *page; /* of the metrics' text */

TEST(without_metrics_the_time_waited_is_known_when_asked_for)
{
    kube_workqueue_options options = {.clock = kube_fake_clock_clock(fake), .timed = true};
    kube_workqueue *timed;
    kube_key key;
    ck_assert_int_eq(kube_workqueue_new("timed", &options, &timed, NULL), KUBE_OK);
    ck_assert_int_eq(kube_workqueue_add(timed, named("a"), NULL), KUBE_OK);
    add("a");
    kube_fake_clock_advance_ms(fake, 3);
    expect_next("a");
    ck_assert_int_eq(kube_workqueue_get(timed, ctx, &key, NULL), KUBE_OK);
    ck_assert_int_eq(kube_workqueue_waited_ns(timed, key), 3000000);
    ck_assert_int_eq(kube_workqueue_waited_ns(queue, named("a")), 0);
    kube_workqueue_free(timed);
}

TEST(a_name_of_a_metric_that_is_taken_fails_the_queue)
{
    kube_metrics *taken = kube_metrics_new();
    kube_workqueue_options options = {.metrics = taken};
    kube_gauge_family *metric;
    kube_workqueue *none;
    kube_error err;
    ck_assert_int_eq(kube_metrics_gauge(taken, "workqueue_adds_total", "", NULL, &metric, NULL),
                     KUBE_OK);
    ck_assert_int_eq(kube_workqueue_new("test", &options, &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_ptr_null(none);
    ck_assert_str_eq(err.message, "metric workqueue_adds_total exists already, with another kind, "
                                  "other labels or other bounds");
    kube_metrics_free(taken);
}

/* ---- many threads -------------------------------------------------------------------------- */

enum { PRODUCERS = 10, CONSUMERS = 5, KEYS = 20, ADDS = 2000 };

static atomic_int running[KEYS];
static atomic_int runs[KEYS];
static atomic_int wanted[KEYS];

static void *produce(void *arg)
{
    char name[16];
    for (int i = 0; i < ADDS; i++) {
        int k = (i + (int)(intptr_t)arg) % KEYS;
        snprintf(name, sizeof name, "%d", k);
        atomic_fetch_add(&wanted[k], 1);
        add(name);
    }
    return NULL;
}

static void *consume(void *arg)
{
    kube_ctx *own = kube_ctx_child(arg);
    kube_key key;
    while (kube_workqueue_get(queue, own, &key, NULL) == KUBE_OK) {
        int k = atoi(key.name);
        ck_assert_int_eq(atomic_fetch_add(&running[k], 1), 0);
        atomic_store(&wanted[k], 0);
        atomic_fetch_add(&runs[k], 1);
        ck_assert_int_eq(atomic_fetch_sub(&running[k], 1), 1);
        kube_workqueue_done(queue, key);
    }
    kube_ctx_free(own);
    return NULL;
}

static void produce_and_consume(void)
{
    kube__thread producers[PRODUCERS] = {0};
    kube__thread consumers[CONSUMERS] = {0};
    for (int i = 0; i < CONSUMERS; i++)
        ck_assert_int_eq(kube__thread_start(&consumers[i], "consume", consume, ctx, NULL), KUBE_OK);
    for (intptr_t i = 0; i < PRODUCERS; i++)
        ck_assert_int_eq(kube__thread_start(&producers[i], "produce", produce, (void *)i, NULL),
                         KUBE_OK);
    for (int i = 0; i < PRODUCERS; i++)
        kube__thread_join(&producers[i]);
    ck_assert_int_eq(kube_workqueue_drain(queue, ctx, NULL), KUBE_OK);
    for (int i = 0; i < CONSUMERS; i++)
        kube__thread_join(&consumers[i]);
    for (int k = 0; k < KEYS; k++) {
        ck_assert_int_ge(atomic_load(&runs[k]), 1);
        ck_assert_int_eq(atomic_load(&wanted[k]), 0); /* a run began after the last add */
    }
}

/* Peers: TestBasic */
TEST(no_key_is_ever_on_two_workers_and_none_is_lost)
{
    produce_and_consume();
}

static void set_up_measured(void)
{
    kube_workqueue_options options = {0};
    fake = kube_fake_clock_new();
    ctx = kube_ctx_new();
    page = kube_ctx_new();
    metrics = kube_metrics_new();
    options.clock = kube_fake_clock_clock(fake);
    options.limiter = kube_rate_limiter_exponential(1, 1000);
    options.metrics = metrics;
    ck_assert_int_eq(kube_workqueue_new("test", &options, &queue, NULL), KUBE_OK);
}

static void tear_down_measured(void)
{
    tear_down();
    kube_metrics_free(metrics);
    kube_ctx_free(page);
}

/* That the page has the line "workqueue_<name>{name="test"<more>} <value>". */
static void expect_measure(const char *name, const char *more, const char *value)
{
    const char *text = kube_metrics_text(metrics, page);
    const char *line = kube_printf(page, "\nworkqueue_%s{name=\"test\"%s} ", name, more);
    const char *found = strstr(text, line);
    ck_assert_msg(found != NULL, "no %s in %s", line, text);
    found += strlen(line);
    ck_assert_str_eq(kube_ctx_strndup(page, found, strcspn(found, "\n")), value);
}

FIXTURE(set_up_measured, tear_down_measured);

/* Peers: TestMetrics, TestMetricShutdown */
TEST(keys_and_their_times_are_measured)
{
    expect_measure("adds_total", "", "0");
    add("a");
    expect_measure("adds_total", "", "1");
    expect_measure("depth", "", "1");
    kube_fake_clock_advance_ms(fake, 125);
    add("a"); /* waits already */
    expect_next("a");
    expect_measure("depth", "", "0");
    expect_measure("queue_duration_seconds_count", "", "1");
    expect_measure("queue_duration_seconds_sum", "", "0.125");
    expect_measure("queue_duration_seconds_bucket", ",le=\"0.1\"", "0");
    expect_measure("queue_duration_seconds_bucket", ",le=\"1\"", "1");
    kube_fake_clock_advance_ms(fake, 25);
    add("a"); /* once more: it waits while it is in work */
    expect_measure("depth", "", "1");
    expect_measure("adds_total", "", "2");
    expect_measure("unfinished_work_seconds", "", "0.025");
    expect_measure("longest_running_processor_seconds", "", "0.025");
    kube_workqueue_done(queue, named("a"));
    expect_measure("work_duration_seconds_count", "", "1");
    expect_measure("work_duration_seconds_sum", "", "0.025");
    expect_measure("unfinished_work_seconds", "", "0");
    expect_measure("longest_running_processor_seconds", "", "0");
    expect_measure("depth", "", "1");
    kube_fake_clock_advance_ms(fake, 250);
    expect_next("a");
    expect_measure("queue_duration_seconds_sum", "", "0.375");
}

TEST(work_that_is_not_finished_is_summed_and_its_longest_shown)
{
    add("a");
    add("b");
    expect_next("a");
    kube_fake_clock_advance_ms(fake, 1000);
    expect_next("b");
    kube_fake_clock_advance_ms(fake, 500);
    expect_measure("unfinished_work_seconds", "", "2");
    expect_measure("longest_running_processor_seconds", "", "1.5");
    kube_workqueue_done(queue, named("a"));
    expect_measure("unfinished_work_seconds", "", "0.5");
    expect_measure("longest_running_processor_seconds", "", "0.5");
}

TEST(a_delayed_key_waits_from_its_time_on)
{
    add_after("a", 40);
    expect_measure("retries_total", "", "1");
    expect_measure("adds_total", "", "0");
    expect_measure("depth", "", "0");
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 47);
    expect_next("a");
    expect_measure("adds_total", "", "1");
    expect_measure("queue_duration_seconds_sum", "", "0.007");
    ck_assert_int_eq(kube_workqueue_waited_ns(queue, named("a")), 7000000);
}

TEST(the_time_waited_is_that_of_the_run_at_hand)
{
    add("a");
    kube_fake_clock_advance_ms(fake, 3);
    expect_next("a");
    kube_fake_clock_advance_ms(fake, 5);
    add("a");
    ck_assert_int_eq(kube_workqueue_waited_ns(queue, named("a")), 3000000);
    ck_assert_int_eq(kube_workqueue_waited_ns(queue, named("b")), 0);
    kube_workqueue_done(queue, named("a"));
    ck_assert_int_eq(kube_workqueue_waited_ns(queue, named("a")), 0); /* not in work */
    kube_fake_clock_advance_ms(fake, 1);
    expect_next("a");
    ck_assert_int_eq(kube_workqueue_waited_ns(queue, named("a")), 1000000);
}

/* Peers: TestMetrics, TestMetricShutdown */
TEST(measures_go_on_during_a_shutdown_and_stay_after_the_end)
{
    add("a");
    add("b");
    kube_workqueue_shut_down(queue);
    expect_next("a");
    expect_measure("depth", "", "1");
    kube_workqueue_done(queue, named("a"));
    expect_next("b");
    kube_workqueue_done(queue, named("b"));
    kube_workqueue_free(queue);
    queue = NULL;
    expect_measure("depth", "", "0");
    expect_measure("adds_total", "", "2");
    expect_measure("work_duration_seconds_count", "", "2");
}

TEST(that_holds_when_it_is_measured_too)
{
    produce_and_consume();
}
