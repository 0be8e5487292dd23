/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's clock and the fake one. */
#include "base/thread.h"
#include "support/gate.h"
#include "support/suite.h"

#include <kube/testing/clock.h>
#include <string.h>
#include <time.h>

TEST(system_clock_is_the_machines)
{
    kube_clock *clock = kube_clock_system();
    int64_t wall = clock->wall_ns(clock) / 1000000000;
    int64_t a = clock->now_ns(clock);
    int64_t b = clock->now_ns(clock);
    ck_assert_int_le(a, b);
    ck_assert_int_gt(wall, 1700000000);
    ck_assert_ptr_eq(kube_clock_system(), clock);
}

TEST(system_wait_ends_at_its_deadline)
{
    kube_clock *clock = kube_clock_system();
    int64_t deadline = clock->now_ns(clock) + 1000000;
    gate g;
    gate_init(&g);
    kube__lock(&g.mutex);
    while (clock->now_ns(clock) < deadline)
        kube__wait_until(clock, &g.condition, &g.mutex, deadline);
    kube__wait_until(clock, &g.condition, &g.mutex, deadline);
    kube__wait_until(clock, &g.condition, &g.mutex, INT64_MIN);
    kube__unlock(&g.mutex);
    gate_fini(&g);
}

TEST(fake_clock_stands_until_it_is_moved)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_clock *clock = kube_fake_clock_clock(fake);
    int64_t now = clock->now_ns(clock);
    int64_t wall = clock->wall_ns(clock);
    ck_assert_int_eq(clock->now_ns(clock), now);
    kube_fake_clock_advance_ms(fake, 5);
    ck_assert_int_eq(clock->now_ns(clock), now + 5000000);
    ck_assert_int_eq(clock->wall_ns(clock), wall + 5000000);
    kube_fake_clock_set(fake, 42);
    ck_assert_int_eq(clock->wall_ns(clock), 42);
    ck_assert_int_eq(clock->now_ns(clock), now + 5000000);
    kube_fake_clock_free(fake);
    kube_fake_clock_free(NULL);
}

/* A thread that waits for its time, as code under test does. */
typedef struct parked {
    kube_fake_clock *fake;
    int64_t deadline_ns;
    gate gate; /* passed = told to stop early */
    int64_t ended_ns;
} parked;

static void *park(void *arg)
{
    parked *p = arg;
    kube_clock *clock = kube_fake_clock_clock(p->fake);
    kube__lock(&p->gate.mutex);
    while (!p->gate.passed && clock->now_ns(clock) < p->deadline_ns)
        kube__wait_until(clock, &p->gate.condition, &p->gate.mutex, p->deadline_ns);
    kube__unlock(&p->gate.mutex);
    p->ended_ns = clock->now_ns(clock);
    return NULL;
}

static void park_thread(parked *p, kube__thread *thread, kube_fake_clock *fake, int64_t ms)
{
    kube_clock *clock = kube_fake_clock_clock(fake);
    p->fake = fake;
    p->deadline_ns = clock->now_ns(clock) + ms * 1000000;
    gate_init(&p->gate);
    ck_assert_int_eq(kube__thread_start(thread, "parked", park, p, NULL), KUBE_OK);
}

TEST(advance_wakes_exactly_those_whose_time_has_come)
{
    enum { COUNT = 5 };
    kube_fake_clock *fake = kube_fake_clock_new();
    parked waiting[COUNT];
    kube__thread threads[COUNT];
    int64_t start = kube_fake_clock_clock(fake)->now_ns(kube_fake_clock_clock(fake));
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), INT64_MAX);
    for (int i = 0; i < COUNT; i++)
        park_thread(&waiting[i], &threads[i], fake, 10 * (i + 1));
    for (int i = 0; i < COUNT; i++) {
        /* The woken one does not count, so this holds at once or when the others are parked. */
        kube_fake_clock_wait_for_waiters(fake, (size_t)(COUNT - i));
        ck_assert_int_eq(kube_fake_clock_next_ms(fake), 10);
        kube_fake_clock_advance_ms(fake, 10);
        kube__thread_join(&threads[i]);
        ck_assert_int_eq(waiting[i].ended_ns, start + (i + 1) * 10000000);
        gate_fini(&waiting[i].gate);
    }
    kube_fake_clock_free(fake);
}

TEST(a_signal_wakes_before_the_time)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    parked waiting;
    kube__thread thread;
    park_thread(&waiting, &thread, fake, 10);
    kube_fake_clock_wait_for_waiters(fake, 1);
    gate_pass(&waiting.gate);
    kube__thread_join(&thread);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), INT64_MAX);
    gate_fini(&waiting.gate);
    kube_fake_clock_free(fake);
}

TEST(waiting_for_waiters_ends_with_its_ctx)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *ctx = kube_ctx_new();
    kube_error err;
    parked waiting[2];
    kube__thread threads[2];
    park_thread(&waiting[0], &threads[0], fake, 10);
    ck_assert_int_eq(kube_fake_clock_wait(fake, ctx, 1, &err), KUBE_OK);
    park_thread(&waiting[1], &threads[1], fake, 2500);
    ck_assert_int_eq(kube_fake_clock_wait(fake, ctx, 2, &err), KUBE_OK);
    kube_ctx_set_timeout_ms(ctx, 1);
    ck_assert_int_eq(kube_fake_clock_wait(fake, ctx, 3, &err), KUBE_ERR_TIMEOUT);
    ck_assert_msg(strstr(err.message, "fake clock: 2 of 3 threads wait, for ms: 2500, 10: ") ==
                      err.message,
                  "%s", err.message);
    kube_fake_clock_advance_ms(fake, 2500);
    for (int i = 0; i < 2; i++) {
        kube__thread_join(&threads[i]);
        gate_fini(&waiting[i].gate);
    }
    ck_assert_int_eq(kube_fake_clock_wait(fake, ctx, 1, &err), KUBE_ERR_TIMEOUT);
    ck_assert_msg(strstr(err.message, "0 of 1 threads wait: "), "%s", err.message);
    ck_assert_int_eq(kube_fake_clock_wait(fake, ctx, 0, &err), KUBE_OK);
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

typedef struct waiting_in_vain {
    kube_fake_clock *fake;
    kube_ctx *ctx;
    kube_code rc;
} waiting_in_vain;

static void *wait_in_vain(void *arg)
{
    waiting_in_vain *w = arg;
    w->rc = kube_fake_clock_wait(w->fake, w->ctx, 1, NULL);
    return NULL;
}

TEST(waiting_for_waiters_goes_by_the_same_clock_or_until_cancelled)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *ctx = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    waiting_in_vain w = {.fake = fake, .ctx = ctx};
    kube__thread thread;
    kube_ctx_set_timeout_ms(ctx, 10);
    ck_assert_int_eq(kube__thread_start(&thread, "waits", wait_in_vain, &w, NULL), KUBE_OK);
    kube_fake_clock_advance_ms(fake, 10);
    kube__thread_join(&thread);
    ck_assert_int_eq(w.rc, KUBE_ERR_TIMEOUT);
    kube_ctx_free(ctx);

    w.ctx = ctx = kube_ctx_new();
    ck_assert_int_eq(kube__thread_start(&thread, "waits", wait_in_vain, &w, NULL), KUBE_OK);
    kube_ctx_cancel(ctx);
    kube__thread_join(&thread);
    ck_assert_int_eq(w.rc, KUBE_ERR_CANCELED);
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

TEST(a_wait_for_a_past_deadline_does_not_wait)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_clock *clock = kube_fake_clock_clock(fake);
    gate g;
    gate_init(&g);
    kube__lock(&g.mutex);
    kube__wait_until(clock, &g.condition, &g.mutex, clock->now_ns(clock));
    kube__unlock(&g.mutex);
    gate_fini(&g);
    kube_fake_clock_free(fake);
}

TEST(no_wake_up_is_lost_when_nobody_is_waited_for)
{
    /* The advance comes anywhere: before the wait, at its start, in it. All must end. */
    enum { COUNT = 4, ROUNDS = 200 };
    kube_fake_clock *fake = kube_fake_clock_new();
    for (int round = 0; round < ROUNDS; round++) {
        parked waiting[COUNT];
        kube__thread threads[COUNT];
        for (int i = 0; i < COUNT; i++)
            park_thread(&waiting[i], &threads[i], fake, i + 1);
        for (int i = 0; i < COUNT; i++)
            kube_fake_clock_advance_ms(fake, 1);
        for (int i = 0; i < COUNT; i++) {
            kube__thread_join(&threads[i]);
            gate_fini(&waiting[i].gate);
        }
    }
    kube_fake_clock_free(fake);
}

TEST(no_wake_up_is_lost_between_counting_and_waiting)
{
    /* A waiter counts from just before it waits: the advance may come in between. */
    enum { ROUNDS = 2000 };
    kube_fake_clock *fake = kube_fake_clock_new();
    for (int round = 0; round < ROUNDS; round++) {
        parked waiting;
        kube__thread thread;
        park_thread(&waiting, &thread, fake, 1);
        kube_fake_clock_wait_for_waiters(fake, 1);
        kube_fake_clock_advance_ms(fake, 1);
        kube__thread_join(&thread);
        gate_fini(&waiting.gate);
    }
    kube_fake_clock_free(fake);
}

static void *advance_once(void *arg)
{
    kube_fake_clock_advance_ms(arg, 1);
    return NULL;
}

TEST(two_may_advance_at_once)
{
    enum { COUNT = 3, ROUNDS = 100 };
    kube_fake_clock *fake = kube_fake_clock_new();
    for (int round = 0; round < ROUNDS; round++) {
        parked waiting[COUNT];
        kube__thread threads[COUNT];
        kube__thread other;
        for (int i = 0; i < COUNT; i++)
            park_thread(&waiting[i], &threads[i], fake, 2);
        ck_assert_int_eq(kube__thread_start(&other, "other", advance_once, fake, NULL), KUBE_OK);
        kube_fake_clock_advance_ms(fake, 1);
        kube__thread_join(&other);
        for (int i = 0; i < COUNT; i++) {
            kube__thread_join(&threads[i]);
            gate_fini(&waiting[i].gate);
        }
    }
    kube_fake_clock_free(fake);
}
