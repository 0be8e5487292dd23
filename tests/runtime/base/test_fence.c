/* SPDX-License-Identifier: Apache-2.0 */
/* The gate that closes by itself. */
#include "base/fence.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <kube/testing/clock.h>
#include <string.h>

static kube_fake_clock *fake;
static kube_clock *clock_;
static kube_fence *fence;
static kube_error err;

static void set_up(void)
{
    fake = kube_fake_clock_new();
    clock_ = kube_fake_clock_clock(fake);
    fence = kube_fence_new(clock_);
    ck_assert_ptr_nonnull(fence);
}

static void tear_down(void)
{
    kube_fence_free(fence);
    kube_fake_clock_free(fake);
}

FIXTURE(set_up, tear_down);

TEST(a_new_one_is_closed)
{
    ck_assert_int_eq(kube_fence_check(fence, &err), KUBE_ERR_FENCED);
    ck_assert_str_eq(err.message, "not sent: the lease is not held");
    ck_assert_int_eq(kube_fence_check(fence, NULL), KUBE_ERR_FENCED);
    ck_assert_int_eq(kube__fence_left_ns(fence), 0);
    kube_fence_close(fence);
    ck_assert_int_eq(kube_fence_check(fence, &err), KUBE_ERR_FENCED);
    ck_assert_str_eq(err.message, "not sent: the lease is not held");
}

TEST(it_closes_by_itself_at_its_deadline)
{
    int64_t start = clock_->now_ns(clock_);
    kube_fence_open_until(fence, start + 2000000);
    kube_fake_clock_advance_ms(fake, 1);
    ck_assert_int_eq(kube_fence_check(fence, &err), KUBE_OK);
    ck_assert_int_eq(kube__fence_left_ns(fence), 1000000);
    kube_fake_clock_advance_ms(fake, 1);
    ck_assert_int_eq(kube_fence_check(fence, &err), KUBE_ERR_FENCED);
    ck_assert_int_eq(kube__fence_left_ns(fence), 0);
    kube_fake_clock_advance_ms(fake, 1200);
    kube_fence_check(fence, &err);
    ck_assert_str_eq(err.message, "not sent: the lease ran out 1.2 s ago");
}

TEST(what_was_said_last_counts)
{
    int64_t start = clock_->now_ns(clock_);
    kube_fence_open_until(fence, start + 1000000);
    kube_fence_open_until(fence, start + 5000000);
    kube_fake_clock_advance_ms(fake, 3);
    ck_assert(kube__fence_is_open(fence));
    kube_fence_open_until(fence, start + 2000000);
    ck_assert(!kube__fence_is_open(fence));
    kube_fence_open_until(fence, INT64_MAX);
    ck_assert(kube__fence_is_open(fence));
    kube_fence_close(fence);
    ck_assert(!kube__fence_is_open(fence));
    kube_fake_clock_advance_ms(fake, 2000);
    kube_fence_close(fence); /* it has been since then all the same */
    kube_fence_check(fence, &err);
    ck_assert_str_eq(err.message, "not sent: the lease ran out 2.0 s ago");
}

static void count(void *arg)
{
    ++*(int *)arg;
}

TEST(watchers_hear_of_every_change_until_they_leave)
{
    int first = 0;
    int second = 0;
    kube__fence_watcher a = {.changed = count, .arg = &first};
    kube__fence_watcher b = {.changed = count, .arg = &second};
    kube__fence_watch(fence, &a);
    kube__fence_watch(fence, &b);
    kube_fence_open_until(fence, INT64_MAX);
    kube__fence_unwatch(fence, &a);
    kube_fence_close(fence);
    kube_fence_close(fence); /* no change */
    ck_assert_int_eq(first, 1);
    ck_assert_int_eq(second, 2);
    kube_fence_open_until(fence, INT64_MAX);
    kube__fence_watch(fence, &a); /* which is open already */
    ck_assert_int_eq(first, 2);
    kube__fence_unwatch(fence, &a);
    kube__fence_unwatch(fence, &b);
}

TEST(sleep_of_the_machine_counts)
{
    kube_clock *real = kube_clock_system();
    kube_fence *f = kube_fence_new(NULL);
    int64_t hour = INT64_C(3600000000000);
    int64_t asleep = kube__clock_asleep_ns(real);
    ck_assert_int_eq(kube__clock_asleep_ns(clock_), 0);
    ck_assert(kube__fence_is_real(f));
    ck_assert(!kube__fence_is_real(fence));
    /* As if two hours had been slept through since the deadline was made. */
    kube__fence_open_until(f, real->now_ns(real) + hour, asleep - 2 * hour);
    ck_assert(!kube__fence_is_open(f));
    kube_fence_open_until(f, real->now_ns(real) + hour);
    ck_assert(kube__fence_is_open(f));
    ck_assert_int_gt(kube__fence_left_ns(f), hour / 2);
    ck_assert_int_le(kube__fence_left_ns(f), hour);
    kube_fence_free(f);
}

static bool make(void *arg)
{
    kube_fence *f = kube_fence_new(NULL);
    (void)arg;
    kube_fence_free(f);
    return f != NULL;
}

TEST(want_of_memory_is_told)
{
    ck_assert_uint_gt(fail_malloc_replay(make, NULL), 0);
    kube_fence_free(NULL);
}
