/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ctx.h"
#include "base/thread.h"
#include "support/fail_malloc.h"
#include "support/forked.h"
#include "support/gate.h"
#include "support/suite.h"

#include <kube/quantity.h>
#include <kube/shapes.h>
#include <kube/testing/clock.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

/* Cancellation */

TEST(cancel_reaches_all_below_and_nothing_above)
{
    kube_ctx *root = kube_ctx_new();
    kube_ctx *left = kube_ctx_child(root);
    kube_ctx *right = kube_ctx_child(root);
    kube_ctx *below = kube_ctx_child(left);
    kube_ctx *deep = kube_ctx_child(below);
    kube_error err;
    ck_assert_int_eq(kube_ctx_status(deep, &err), KUBE_OK);
    kube_ctx_cancel(left);
    ck_assert_int_eq(kube_ctx_status(left, &err), KUBE_ERR_CANCELED);
    ck_assert_str_eq(err.message, "canceled");
    ck_assert_int_eq(err.code, KUBE_ERR_CANCELED);
    ck_assert_int_eq(kube_ctx_status(below, NULL), KUBE_ERR_CANCELED);
    ck_assert_int_eq(kube_ctx_status(deep, NULL), KUBE_ERR_CANCELED);
    ck_assert_int_eq(kube_ctx_status(right, NULL), KUBE_OK);
    ck_assert_int_eq(kube_ctx_status(root, NULL), KUBE_OK);
    kube_ctx_cancel(root);
    kube_ctx_cancel(root);
    ck_assert_int_eq(kube_ctx_status(right, NULL), KUBE_ERR_CANCELED);
    kube_ctx_free(deep);
    kube_ctx_free(below);
    kube_ctx_free(right);
    kube_ctx_free(left);
    kube_ctx_free(root);
}

TEST(child_made_after_the_cancel_is_cancelled)
{
    kube_ctx *root = kube_ctx_new();
    kube_ctx *child;
    kube_ctx_cancel(root);
    child = kube_ctx_child(root);
    ck_assert_int_eq(kube_ctx_status(child, NULL), KUBE_ERR_CANCELED);
    kube_ctx_free(child);
    kube_ctx_free(root);
}

TEST(children_end_in_any_order)
{
    enum { COUNT = 5 };
    static const int orders[][COUNT] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}};
    for (size_t o = 0; o < 3; o++) {
        kube_ctx *root = kube_ctx_new();
        kube_ctx *children[COUNT];
        for (int i = 0; i < COUNT; i++)
            children[i] = kube_ctx_child(root);
        for (int i = 0; i < COUNT - 1; i++)
            kube_ctx_free(children[orders[o][i]]);
        kube_ctx_cancel(root);
        ck_assert_int_eq(kube_ctx_status(children[orders[o][COUNT - 1]], NULL), KUBE_ERR_CANCELED);
        kube_ctx_free(children[orders[o][COUNT - 1]]);
        kube_ctx_free(root);
    }
}

TEST(no_ctx_is_one_that_never_ends)
{
    kube__waker waker;
    ck_assert_int_eq(kube_ctx_status(NULL, NULL), KUBE_OK);
    ck_assert_int_eq(kube_ctx_left_ms(NULL), INT64_MAX);
    ck_assert_int_eq(kube__ctx_deadline_ns(NULL), INT64_MAX);
    ck_assert_ptr_eq(kube_ctx_clock(NULL), kube_clock_system());
    ck_assert_int_eq(kube_ctx_sleep_ms(NULL, 0, NULL), KUBE_OK);
    kube__ctx_add_waker(NULL, &waker);
    kube__ctx_remove_waker(NULL, &waker);
    kube_ctx_cancel(NULL);
    kube_ctx_free(NULL);
}

/* Deadlines */

TEST(deadline_ends_a_scope_at_its_time)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *ctx = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    kube_error err;
    ck_assert_int_eq(kube_ctx_left_ms(ctx), INT64_MAX);
    kube_ctx_set_timeout_ms(ctx, 100);
    ck_assert_int_eq(kube_ctx_left_ms(ctx), 100);
    kube_fake_clock_advance_ms(fake, 99);
    ck_assert_int_eq(kube_ctx_status(ctx, NULL), KUBE_OK);
    ck_assert_int_eq(kube_ctx_left_ms(ctx), 1);
    kube_fake_clock_advance_ms(fake, 1);
    ck_assert_int_eq(kube_ctx_status(ctx, &err), KUBE_ERR_TIMEOUT);
    ck_assert_int_eq(err.code, KUBE_ERR_TIMEOUT);
    ck_assert_int_eq(kube_ctx_left_ms(ctx), 0);
    kube_fake_clock_advance_ms(fake, 1000);
    ck_assert_int_eq(kube_ctx_left_ms(ctx), 0);
    kube_ctx_set_timeout_ms(ctx, INT64_MAX);
    ck_assert_int_eq(kube_ctx_left_ms(ctx), INT64_MAX);
    kube_ctx_set_timeout_ms(ctx, -1);
    ck_assert_int_eq(kube_ctx_status(ctx, NULL), KUBE_ERR_TIMEOUT);
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
}

TEST(earlier_deadline_of_a_parent_stays_in_force)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *root = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    kube_ctx *middle = kube_ctx_child(root);
    kube_ctx *child = kube_ctx_child(middle);
    kube_ctx_set_timeout_ms(root, 100);
    kube_ctx_set_timeout_ms(child, 200);
    ck_assert_int_eq(kube_ctx_left_ms(child), 100);
    kube_ctx_set_timeout_ms(child, 50);
    ck_assert_int_eq(kube_ctx_left_ms(child), 50);
    ck_assert_int_eq(kube_ctx_left_ms(middle), 100);
    kube_ctx_reset(child);
    ck_assert_int_eq(kube_ctx_left_ms(child), 100);
    kube_fake_clock_advance_ms(fake, 100);
    ck_assert_int_eq(kube_ctx_status(child, NULL), KUBE_ERR_TIMEOUT);
    kube_ctx_free(child);
    kube_ctx_free(middle);
    kube_ctx_free(root);
    kube_fake_clock_free(fake);
}

TEST(reset_forgets_the_deadline_but_not_the_cancel)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, 0);
    kube_ctx_reset(ctx);
    ck_assert_int_eq(kube_ctx_status(ctx, NULL), KUBE_OK);
    kube_ctx_cancel(ctx);
    kube_ctx_reset(ctx);
    ck_assert_int_eq(kube_ctx_status(ctx, NULL), KUBE_ERR_CANCELED);
    kube_ctx_free(ctx);
}

/* Sleeping */

typedef struct sleep_call {
    kube_ctx *ctx;
    int64_t ms;
    kube_code rc;
} sleep_call;

static void *run_sleep(void *arg)
{
    sleep_call *call = arg;
    call->rc = kube_ctx_sleep_ms(call->ctx, call->ms, NULL);
    return NULL;
}

/* Starts a sleep on a fake clock and returns once it waits. */
static void start_sleep(sleep_call *call, kube__thread *thread, kube_fake_clock *fake)
{
    ck_assert_int_eq(kube__thread_start(thread, "sleeper", run_sleep, call, NULL), KUBE_OK);
    kube_fake_clock_wait_for_waiters(fake, 1);
}

TEST(sleep_ends_when_its_time_is_over)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    sleep_call call = {kube_ctx_new_with_clock(kube_fake_clock_clock(fake)), 100, KUBE_ERR_SERVER};
    kube__thread thread;
    start_sleep(&call, &thread, fake);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), 100);
    kube_fake_clock_advance_ms(fake, 99);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), 1);
    kube_fake_clock_advance_ms(fake, 1);
    kube__thread_join(&thread);
    ck_assert_int_eq(call.rc, KUBE_OK);
    ck_assert_int_eq(kube_ctx_sleep_ms(call.ctx, 0, NULL), KUBE_OK);
    ck_assert_int_eq(kube_ctx_sleep_ms(call.ctx, -5, NULL), KUBE_OK);
    kube_ctx_free(call.ctx);
    kube_fake_clock_free(fake);
}

TEST(sleep_ends_at_the_deadline_of_a_parent)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *root = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    sleep_call call = {kube_ctx_child(root), 1000, KUBE_OK};
    kube__thread thread;
    kube_ctx_set_timeout_ms(root, 100);
    start_sleep(&call, &thread, fake);
    kube_fake_clock_advance_ms(fake, 100);
    kube__thread_join(&thread);
    ck_assert_int_eq(call.rc, KUBE_ERR_TIMEOUT);
    ck_assert_int_eq(kube_ctx_sleep_ms(call.ctx, 1000, NULL), KUBE_ERR_TIMEOUT);
    kube_ctx_free(call.ctx);
    kube_ctx_free(root);
    kube_fake_clock_free(fake);
}

TEST(sleep_ends_when_a_parent_is_cancelled)
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *root = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    kube_ctx *middle = kube_ctx_child(root);
    sleep_call call = {kube_ctx_child(middle), 1000, KUBE_OK};
    kube__thread thread;
    start_sleep(&call, &thread, fake);
    kube_ctx_cancel(root);
    kube__thread_join(&thread);
    ck_assert_int_eq(call.rc, KUBE_ERR_CANCELED);
    ck_assert_int_eq(kube_ctx_sleep_ms(call.ctx, 1000, NULL), KUBE_ERR_CANCELED);
    kube_ctx_free(call.ctx);
    kube_ctx_free(middle);
    kube_ctx_free(root);
    kube_fake_clock_free(fake);
}

static void *run_cancel(void *arg)
{
    kube_ctx_cancel(arg);
    return NULL;
}

TEST(sleep_may_end_for_two_reasons_at_once)
{
    /* What the sleep waits on is gone when it ends: neither reason may still be using it. */
    enum { ROUNDS = 1000 };
    kube_fake_clock *fake = kube_fake_clock_new();
    for (int round = 0; round < ROUNDS; round++) {
        sleep_call call = {kube_ctx_new_with_clock(kube_fake_clock_clock(fake)), 1, KUBE_OK};
        kube__thread sleeper;
        kube__thread canceler;
        start_sleep(&call, &sleeper, fake);
        ck_assert_int_eq(kube__thread_start(&canceler, "cancel", run_cancel, call.ctx, NULL),
                         KUBE_OK);
        kube_fake_clock_advance_ms(fake, 1);
        kube__thread_join(&sleeper);
        kube__thread_join(&canceler);
        ck_assert(call.rc == KUBE_OK || call.rc == KUBE_ERR_CANCELED);
        kube_ctx_free(call.ctx);
    }
    kube_fake_clock_free(fake);
}

TEST(sleep_without_end_ends_with_a_cancel)
{
    /* On the machine's clock: whether the cancel comes before the sleep or in it, it ends. */
    kube_ctx *root = kube_ctx_new();
    sleep_call call = {root, INT64_MAX, KUBE_OK};
    kube__thread thread;
    ck_assert_int_eq(kube__thread_start(&thread, "sleeper", run_sleep, &call, NULL), KUBE_OK);
    kube_ctx_cancel(root);
    kube__thread_join(&thread);
    ck_assert_int_eq(call.rc, KUBE_ERR_CANCELED);
    kube_ctx_free(root);
}

TEST(sleep_keeps_the_machines_time)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_clock *clock = kube_ctx_clock(ctx);
    int64_t start = clock->now_ns(clock);
    ck_assert_int_eq(kube_ctx_sleep_ms(ctx, 2, NULL), KUBE_OK);
    ck_assert_int_ge(clock->now_ns(clock) - start, 2000000);
    kube_ctx_set_timeout_ms(ctx, 2);
    ck_assert_int_eq(kube_ctx_sleep_ms(ctx, 100000, NULL), KUBE_ERR_TIMEOUT);
    kube_ctx_free(ctx);
}

/* Wakers */

static void count_up(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

TEST(waker_runs_once_for_the_first_cancel_above_it)
{
    kube_ctx *root = kube_ctx_new();
    kube_ctx *child = kube_ctx_child(root);
    atomic_int in_root = 0;
    atomic_int in_child = 0;
    atomic_int removed = 0;
    kube__waker a = {count_up, &in_root, NULL, NULL};
    kube__waker b = {count_up, &in_child, NULL, NULL};
    kube__waker c = {count_up, &removed, NULL, NULL};
    kube__ctx_add_waker(root, &a);
    kube__ctx_add_waker(child, &c);
    kube__ctx_add_waker(child, &b);
    kube__ctx_remove_waker(child, &c);
    kube_ctx_cancel(child);
    ck_assert_int_eq(in_child, 1);
    ck_assert_int_eq(in_root, 0);
    kube_ctx_cancel(root);
    ck_assert_int_eq(in_child, 1);
    ck_assert_int_eq(in_root, 1);
    ck_assert_int_eq(removed, 0);
    kube__ctx_remove_waker(child, &b);
    kube__ctx_remove_waker(root, &a);
    kube_ctx_free(child);
    kube_ctx_free(root);
}

TEST(waker_added_after_the_cancel_runs_at_once)
{
    kube_ctx *ctx = kube_ctx_new();
    atomic_int count = 0;
    kube__waker waker = {count_up, &count, NULL, NULL};
    kube_ctx_cancel(ctx);
    kube__ctx_add_waker(ctx, &waker);
    ck_assert_int_eq(count, 1);
    kube__ctx_remove_waker(ctx, &waker);
    kube_ctx_free(ctx);
}

typedef struct slow_wake {
    gate entered;
    gate leave;
    atomic_bool done;
} slow_wake;

static void wake_slowly(void *arg)
{
    slow_wake *w = arg;
    gate_pass(&w->entered);
    gate_wait(&w->leave, 1);
    for (int i = 0; i < 1000; i++)
        sched_yield(); /* gives a remove that does not wait the time to be wrong */
    atomic_store(&w->done, true);
}

static void *open_gate(void *arg)
{
    gate_pass(arg);
    return NULL;
}

TEST(remove_waits_for_a_wake_that_runs)
{
    kube_ctx *ctx = kube_ctx_new();
    slow_wake w = {0};
    kube__waker waker = {wake_slowly, &w, NULL, NULL};
    kube__thread canceler;
    kube__thread opener;
    gate_init(&w.entered);
    gate_init(&w.leave);
    kube__ctx_add_waker(ctx, &waker);
    ck_assert_int_eq(kube__thread_start(&canceler, "cancel", run_cancel, ctx, NULL), KUBE_OK);
    gate_wait(&w.entered, 1);
    ck_assert_int_eq(kube__thread_start(&opener, "open", open_gate, &w.leave, NULL), KUBE_OK);
    kube__ctx_remove_waker(ctx, &waker);
    ck_assert(atomic_load(&w.done));
    kube__thread_join(&opener);
    kube__thread_join(&canceler);
    gate_fini(&w.entered);
    gate_fini(&w.leave);
    kube_ctx_free(ctx);
}

TEST(a_link_ends_with_its_ctx_or_before)
{
    kube_ctx *parent = kube_ctx_new();
    kube_ctx *ctx = kube_ctx_child(parent);
    kube__ctx_link links[3] = {0};
    atomic_int counts[3] = {0};
    for (int i = 0; i < 3; i++)
        kube__ctx_link_to(ctx, &links[i], count_up, &counts[i]);
    kube__ctx_unlink(&links[1]);
    kube_ctx_cancel(parent);
    ck_assert_int_eq(counts[0] + counts[2], 2);
    ck_assert_int_eq(counts[1], 0);
    kube__ctx_link_to(ctx, &links[1], count_up, &counts[1]); /* cancelled already */
    ck_assert_int_eq(counts[1], 1);
    kube__ctx_unlink(&links[0]);
    kube_ctx_free(ctx);
    kube_ctx_free(parent);
    for (int i = 0; i < 3; i++)
        kube__ctx_unlink(&links[i]); /* the ctx is gone */
}

TEST(who_is_linked_may_outlive_the_ctx)
{
    kube_ctx *parent = kube_ctx_new();
    kube_ctx *ctx = kube_ctx_child(parent);
    kube__ctx_link link = {0};
    atomic_int count = 0;
    kube__ctx_link_to(ctx, &link, count_up, &count);
    kube_ctx_free(ctx);
    kube_ctx_cancel(parent);
    ck_assert_int_eq(count, 0);
    kube__ctx_unlink(&link);
    kube__ctx_link_to(NULL, &link, count_up, &count);
    kube__ctx_unlink(&link);
    kube_ctx_free(parent);
}

TEST(a_wake_that_runs_holds_up_nobody_else)
{
    /* While a wake() waits for a mutex, its holder may use the scopes around it. */
    kube_ctx *root = kube_ctx_new();
    kube_ctx *scope = kube_ctx_child(root);
    kube_ctx *other;
    slow_wake w = {0};
    atomic_int count = 0;
    kube__waker waker = {wake_slowly, &w, NULL, NULL};
    kube__waker second = {count_up, &count, NULL, NULL};
    kube__thread canceler;
    gate_init(&w.entered);
    gate_init(&w.leave);
    kube__ctx_add_waker(scope, &waker);
    kube__ctx_add_waker(scope, &second);
    ck_assert_int_eq(kube__thread_start(&canceler, "cancel", run_cancel, scope, NULL), KUBE_OK);
    gate_wait(&w.entered, 1);
    other = kube_ctx_child(scope);
    ck_assert_int_eq(kube_ctx_status(other, NULL), KUBE_ERR_CANCELED);
    kube_ctx_cancel(root);
    kube_ctx_free(other);
    /* One that has not had its turn yet is taken out, and does not run. */
    kube__ctx_remove_waker(scope, &second);
    gate_pass(&w.leave);
    kube__ctx_remove_waker(scope, &waker);
    kube__thread_join(&canceler);
    ck_assert_int_eq(count, 0);
    gate_fini(&w.entered);
    gate_fini(&w.leave);
    kube_ctx_free(scope);
    kube_ctx_free(root);
}

/* Threads */

typedef struct crowd {
    kube_ctx *root;
    gate working;
} crowd;

static void *work(void *arg)
{
    crowd *c = arg;
    bool told = false;
    for (;;) {
        kube_ctx *run = kube_ctx_child(c->root);
        kube_ctx *inner = kube_ctx_child(run);
        kube_code rc = kube_ctx_sleep_ms(inner, 0, NULL);
        kube_ctx_cancel(run);
        ck_assert_int_eq(kube_ctx_sleep_ms(inner, 1000000, NULL), KUBE_ERR_CANCELED);
        kube_ctx_free(inner);
        kube_ctx_free(run);
        if (!told)
            gate_pass(&c->working);
        told = true;
        if (rc != KUBE_OK)
            return NULL;
    }
}

TEST(many_threads_make_cancel_and_end_scopes)
{
    enum { COUNT = 4 };
    crowd c;
    kube__thread threads[COUNT];
    c.root = kube_ctx_new();
    gate_init(&c.working);
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(kube__thread_start(&threads[i], "worker", work, &c, NULL), KUBE_OK);
    gate_wait(&c.working, COUNT);
    kube_ctx_cancel(c.root);
    for (int i = 0; i < COUNT; i++)
        kube__thread_join(&threads[i]);
    gate_fini(&c.working);
    kube_ctx_free(c.root);
}

typedef struct nap {
    kube_ctx *ctx;
    kube_code rc;
} nap;

static void *take_nap(void *arg)
{
    nap *n = arg;
    n->rc = kube_ctx_sleep_ms(n->ctx, 1000000, NULL);
    return NULL;
}

TEST(two_cancels_at_once_wake_everybody)
{
    enum { COUNT = 6, ROUNDS = 50 };
    for (int round = 0; round < ROUNDS; round++) {
        kube_ctx *root = kube_ctx_new();
        kube_ctx *middle = kube_ctx_child(root);
        nap naps[COUNT];
        kube__thread threads[COUNT + 1];
        for (int i = 0; i < COUNT; i++) {
            naps[i] = (nap){kube_ctx_child(i % 2 ? middle : root), KUBE_OK};
            ck_assert_int_eq(kube__thread_start(&threads[i], "nap", take_nap, &naps[i], NULL),
                             KUBE_OK);
        }
        ck_assert_int_eq(kube__thread_start(&threads[COUNT], "cancel", run_cancel, middle, NULL),
                         KUBE_OK);
        kube_ctx_cancel(root);
        for (int i = 0; i < COUNT; i++) {
            kube__thread_join(&threads[i]);
            ck_assert_int_eq(naps[i].rc, KUBE_ERR_CANCELED);
            kube_ctx_free(naps[i].ctx);
        }
        kube__thread_join(&threads[COUNT]);
        kube_ctx_free(middle);
        kube_ctx_free(root);
    }
}

/* Memory */

static bool is_zero(const char *p, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (p[i])
            return false;
    }
    return true;
}

TEST(memory_is_zeroed_aligned_and_apart)
{
    kube_ctx *ctx = kube_ctx_new();
    for (int round = 0; round < 3; round++) {
        char *before = NULL;
        size_t size_before = 0;
        for (size_t size = 0; size < 3000; size += 7) {
            char *p = kube_ctx_alloc(ctx, size);
            ck_assert_ptr_nonnull(p);
            ck_assert_uint_eq((uintptr_t)p % _Alignof(max_align_t), 0);
            ck_assert(is_zero(p, size));
            memset(p, 0xAA, size);
            ck_assert(!before || p >= before + size_before || p + size <= before);
            before = p;
            size_before = size;
        }
        kube_ctx_reset(ctx);
    }
    kube_ctx_free(ctx);
}

TEST(large_pieces_and_overflows)
{
    kube_ctx *ctx = kube_ctx_new();
    char *large = kube_ctx_alloc(ctx, 10 << 20);
    ck_assert(is_zero(large, 10 << 20));
    memset(large, 1, 10 << 20);
    ck_assert_ptr_null(kube_ctx_alloc(ctx, SIZE_MAX));
    kube_ctx_reset(ctx);
    ck_assert_ptr_null(kube_ctx_alloc(ctx, SIZE_MAX - 8));
    kube_ctx_reset(ctx);
    ck_assert_ptr_null(kube_ctx_alloc_array(ctx, SIZE_MAX / 2, 3));
    ck_assert(kube_ctx_failed(ctx));
    kube_ctx_reset(ctx);
    ck_assert_ptr_nonnull(kube_ctx_alloc_array(ctx, 0, 3));
    ck_assert_ptr_nonnull(kube_ctx_alloc_array(ctx, 3, 0));
    ck_assert_ptr_nonnull(kube_ctx_alloc_array(ctx, 3, 5));
    kube_ctx_free(ctx);
}

TEST(strings_are_copied_and_formatted)
{
    kube_ctx *ctx = kube_ctx_new();
    char text[] = "some text";
    char *copy = kube_ctx_strdup(ctx, text);
    char *part = kube_ctx_strndup(ctx, text, 4);
    char *whole = kube_ctx_strndup(ctx, text, 400);
    char *made = kube_printf(ctx, "%s-%d", text, 42);
    char *empty = kube_printf(ctx, "%s", "");
    char *wide = kube_printf(ctx, "%5000d", 1);
    memset(text, 'x', sizeof text - 1);
    ck_assert_str_eq(copy, "some text");
    ck_assert_str_eq(part, "some");
    ck_assert_str_eq(whole, "some text");
    ck_assert_str_eq(made, "some text-42");
    ck_assert_str_eq(empty, "");
    ck_assert_uint_eq(strlen(wide), 5000);
    kube_ctx_free(ctx);
}

typedef struct record {
    char text[16];
    size_t len;
} record;

typedef struct note {
    record *record;
    const char *name; /* in the ctx: must be there still */
    kube_ctx *ctx;    /* not NULL: registers one more */
} note;

static void write_note(void *arg)
{
    note *n = arg;
    n->record->text[n->record->len++] = n->name[0];
    if (n->ctx) {
        note *more = kube_ctx_alloc(n->ctx, sizeof *more);
        *more = (note){n->record, kube_ctx_strdup(n->ctx, "+"), NULL};
        ck_assert_int_eq(kube_ctx_defer(n->ctx, write_note, more, NULL), KUBE_OK);
    }
}

static void defer_note(kube_ctx *ctx, record *r, const char *name, bool again)
{
    note *n = kube_ctx_alloc(ctx, sizeof *n);
    *n = (note){r, kube_ctx_strdup(ctx, name), again ? ctx : NULL};
    ck_assert_int_eq(kube_ctx_defer(ctx, write_note, n, NULL), KUBE_OK);
}

TEST(deferred_calls_come_last_first_on_reset_and_free)
{
    kube_ctx *ctx = kube_ctx_new();
    record r = {"", 0};
    defer_note(ctx, &r, "a", false);
    defer_note(ctx, &r, "b", true);
    defer_note(ctx, &r, "c", false);
    ck_assert_uint_eq(r.len, 0);
    kube_ctx_reset(ctx);
    ck_assert_str_eq(r.text, "cb+a");
    defer_note(ctx, &r, "d", false);
    kube_ctx_free(ctx);
    ck_assert_str_eq(r.text, "cb+ad");
}

TEST(reset_keeps_one_chunk_for_the_next_run)
{
    kube_ctx *ctx = kube_ctx_new();
    int served = 0;
    for (int i = 0; i < 1000; i++)
        ck_assert_ptr_nonnull(kube_ctx_alloc(ctx, 100));
    kube_ctx_reset(ctx);
    fail_malloc_from(1);
    for (int i = 0; i < 100; i++)
        served += kube_ctx_alloc(ctx, 100) ? 1 : 0;
    ck_assert_uint_eq(fail_malloc_off(), 0);
    ck_assert_int_eq(served, 100);
    kube_ctx_free(ctx);
}

static void exhaust(kube_ctx *ctx, size_t size)
{
    fail_malloc_from(1);
    kube_ctx_alloc(ctx, size);
    fail_malloc_off();
}

static void refuses_everything(kube_ctx *ctx)
{
    kube_string_map map = {NULL, 0};
    kube_string_list list = {NULL, 0};
    kube_error err;
    ck_assert(kube_ctx_failed(ctx));
    ck_assert_ptr_null(kube_ctx_alloc(ctx, 1));
    ck_assert_ptr_null(kube_ctx_alloc_array(ctx, 1, 1));
    ck_assert_ptr_null(kube_ctx_strdup(ctx, "a"));
    ck_assert_ptr_null(kube_ctx_strndup(ctx, "a", 1));
    ck_assert_ptr_null(kube_printf(ctx, "a"));
    ck_assert_ptr_null(kube_list_grow(ctx, NULL, 0, 1));
    ck_assert_ptr_null(kube_ctx_child(ctx));
    ck_assert_int_eq(kube_ctx_defer(ctx, write_note, NULL, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_ctx_sleep_ms(ctx, INT64_MAX, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_string_map_set(ctx, &map, "a", "b", &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_string_map_remove(ctx, &map, "a", &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_string_list_append(ctx, &list, "a", &err), KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_quantity_add(ctx, (kube_quantity){"1"}, (kube_quantity){"1"},
                                       &(kube_quantity){NULL}, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_ctx_status(ctx, &err), KUBE_ERR_NO_MEMORY);
}

TEST(a_ctx_that_ran_out_of_memory_has_failed_until_its_reset)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_error err;
    ck_assert_ptr_nonnull(kube_ctx_alloc(ctx, 8)); /* there is room in its chunk */
    ck_assert(!kube_ctx_failed(ctx));
    exhaust(ctx, 65536);
    refuses_everything(ctx);
    ck_assert_int_eq(kube_ctx_status(ctx, &err), KUBE_ERR_NO_MEMORY);
    ck_assert_str_eq(err.message, "out of memory: 65536 bytes");
    ck_assert_int_eq(err.code, KUBE_ERR_NO_MEMORY);
    kube_ctx_reset(ctx);
    ck_assert(!kube_ctx_failed(ctx));
    ck_assert_int_eq(kube_ctx_status(ctx, &err), KUBE_OK);
    ck_assert_ptr_nonnull(kube_ctx_alloc(ctx, 8));
    kube_ctx_alloc_array(ctx, SIZE_MAX / 2, 3);
    refuses_everything(ctx);
    kube_ctx_free(ctx);
    ck_assert(!kube_ctx_failed(NULL));
}

TEST(out_of_memory_comes_before_a_cancel_and_a_deadline)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, 0);
    kube_ctx_cancel(ctx);
    exhaust(ctx, 65536);
    ck_assert_int_eq(kube_ctx_status(ctx, NULL), KUBE_ERR_NO_MEMORY);
    kube_ctx_reset(ctx);
    ck_assert_int_eq(kube_ctx_status(ctx, NULL), KUBE_ERR_CANCELED);
    kube_ctx_free(ctx);
}

static void take_down(void *arg, size_t wanted)
{
    record *r = arg;
    r->len += (size_t)snprintf(r->text + r->len, sizeof r->text - r->len, "%zu ", wanted);
}

TEST(a_child_fails_alone_and_tells_who_made_its_root)
{
    kube_ctx *root = kube_ctx_new();
    record r = {"", 0};
    kube_ctx *child;
    kube_ctx_on_no_memory(root, take_down, &r);
    child = kube_ctx_child(root);
    exhaust(child, 5000);
    exhaust(child, 6000); /* it has failed: nothing is asked for */
    ck_assert(kube_ctx_failed(child));
    ck_assert(!kube_ctx_failed(root));
    ck_assert_ptr_nonnull(kube_ctx_alloc(root, 5000));
    kube_ctx_reset(child);
    exhaust(child, 7000);
    exhaust(root, 8000);
    ck_assert_str_eq(r.text, "5000 7000 8000 ");
    kube_ctx_free(child);
    kube_ctx_free(root);
}

TEST(a_child_that_cannot_be_made_is_told_and_does_not_fail_its_parent)
{
    kube_ctx *root = kube_ctx_new();
    record r = {"", 0};
    kube_ctx *child;
    kube_ctx_on_no_memory(root, take_down, &r);
    fail_malloc_at(1);
    child = kube_ctx_child(root);
    fail_malloc_off();
    ck_assert_ptr_null(child);
    ck_assert(!kube_ctx_failed(root));
    ck_assert_uint_gt(r.len, 0);
    kube_ctx_free(root);
}

static void end_for_memory(void *arg)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_ctx *child;
    kube_ctx_end_on_no_memory(ctx, arg);
    child = kube_ctx_child(ctx);
    exhaust(child, 65536);
}

TEST(a_process_ends_with_one_line)
{
    char name[] = "reading\nthe list";
    char text[256] = "";
    ck_assert_int_eq(forked_run(end_for_memory, name, text, sizeof text), 1);
    ck_assert_str_eq(text, "out of memory: 65536 bytes for reading the list\n");
}

#if defined(__SANITIZE_ADDRESS__)
TEST(sanitizer_sees_the_borders_and_what_was_reset)
{
    kube_ctx *ctx = kube_ctx_new();
    char *a = kube_ctx_alloc(ctx, 24);
    char *text = kube_ctx_strdup(ctx, "12345");
    ck_assert(!__asan_address_is_poisoned(a + 23));
    ck_assert(__asan_address_is_poisoned(a + 24));
    ck_assert(!__asan_address_is_poisoned(text + 5));
    ck_assert(__asan_address_is_poisoned(text + 6));
    kube_ctx_reset(ctx);
    ck_assert(__asan_address_is_poisoned(a));
    ck_assert(__asan_address_is_poisoned(text));
    kube_ctx_free(ctx);
}
#endif

static bool use_ctx(void *arg)
{
    kube_ctx *root = kube_ctx_new();
    kube_ctx *child = root ? kube_ctx_child(root) : NULL;
    record r = {"", 0};
    note n = {&r, "x", NULL};
    kube_error err;
    bool ok = false;
    (void)arg;
    if (!child || !kube_ctx_strdup(child, "text") || !kube_ctx_alloc(root, 5000))
        goto out;
    if (kube_ctx_defer(root, write_note, &n, &err) != KUBE_OK)
        goto out;
    if (!kube_printf(child, "%2000d", 7) || !kube_ctx_alloc_array(child, 100, 8))
        goto out;
    ok = true;
out:
    kube_ctx_free(child);
    kube_ctx_free(root);
    return ok;
}

TEST(survives_every_failing_allocation)
{
    ck_assert_uint_ge(fail_malloc_replay(use_ctx, NULL), 6);
}
