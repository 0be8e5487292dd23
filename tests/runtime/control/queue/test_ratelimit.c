/* SPDX-License-Identifier: Apache-2.0 */
/* Rate limiters (WQ-5, WQ-6, REF-2), after client-go's default_rate_limiters_test.go. */
#include "support/suite.h"

#include <kube/ratelimit.h>
#include <kube/testing/clock.h>
#include <stdio.h>
#include <stdlib.h>

static kube_fake_clock *fake;

static void set_up(void)
{
    fake = kube_fake_clock_new();
    ck_assert_ptr_nonnull(fake);
}

static void tear_down(void)
{
    kube_fake_clock_free(fake);
}

static kube_key named(const char *name)
{
    return kube_key_of("default", name);
}

static int failures(kube_rate_limiter *limiter, const char *name)
{
    return limiter->failures(limiter, named(name));
}

static void forget(kube_rate_limiter *limiter, const char *name)
{
    limiter->forget(limiter, named(name));
}

static void expect_delays(kube_rate_limiter *limiter, const char *name, const int64_t *delays,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(limiter->when_ms(limiter, named(name)), delays[i]);
}

FIXTURE(set_up, tear_down);

/* Peers: TestItemExponentialFailureRateLimiter, TestItemExponentialFailureRateLimiterOverFlow */
TEST(exponential_doubles_per_key_up_to_its_maximum)
{
    static const int64_t delays[] = {1, 2, 4, 8, 16, 32, 50, 50};
    kube_rate_limiter *limiter = kube_rate_limiter_exponential(1, 50);
    expect_delays(limiter, "one", delays, 8);
    expect_delays(limiter, "two", delays, 3);
    ck_assert_int_eq(failures(limiter, "one"), 8);
    forget(limiter, "one");
    ck_assert_int_eq(failures(limiter, "one"), 0);
    expect_delays(limiter, "one", delays, 1);
    ck_assert_int_eq(failures(limiter, "two"), 3);
    kube_rate_limiter_free(limiter);
}

/* Peers: TestItemExponentialFailureRateLimiter, TestItemExponentialFailureRateLimiterOverFlow */
TEST(a_huge_number_of_failures_does_not_overflow)
{
    kube_rate_limiter *limiter = kube_rate_limiter_exponential(1, INT64_MAX);
    int64_t delay = 0;
    for (int i = 0; i < 2000; i++)
        delay = limiter->when_ms(limiter, named("one"));
    ck_assert_int_eq(delay, INT64_MAX);
    kube_rate_limiter_free(limiter);
}

/* Peers: TestItemFastSlowRateLimiter */
TEST(fast_slow_changes_after_its_attempts)
{
    static const int64_t delays[] = {5, 5, 5, 10000, 10000};
    kube_rate_limiter *limiter = kube_rate_limiter_fast_slow(5, 10000, 3);
    expect_delays(limiter, "one", delays, 5);
    forget(limiter, "one");
    expect_delays(limiter, "one", delays, 4);
    kube_rate_limiter_free(limiter);
}

/* Peers: TestThrottle, TestBasicThrottle, TestRatePrecisionBug */
TEST(bucket_gives_its_burst_then_lets_wait_for_each_token)
{
    kube_rate_limiter *limiter = kube_rate_limiter_bucket(10, 2, kube_fake_clock_clock(fake));
    static const int64_t delays[] = {0, 0, 100, 200};
    expect_delays(limiter, "any", delays, 4);
    kube_fake_clock_advance_ms(fake, 200);
    static const int64_t later[] = {100};
    expect_delays(limiter, "other", later, 1);
    kube_fake_clock_advance_ms(fake, 60000);
    expect_delays(limiter, "any", delays, 3);
    ck_assert_int_eq(failures(limiter, "any"), 0);
    kube_rate_limiter_free(limiter);
}

/* Peers: TestMaxOfRateLimiter, TestWithMaxWaitRateLimiter */
TEST(max_takes_the_longer_delay_and_forgets_in_both)
{
    kube_rate_limiter *limiter = kube_rate_limiter_max(kube_rate_limiter_fast_slow(5, 10, 1),
                                                       kube_rate_limiter_exponential(1, 1000));
    static const int64_t delays[] = {5, 10, 10, 10, 16, 32};
    expect_delays(limiter, "one", delays, 6);
    ck_assert_int_eq(failures(limiter, "one"), 6);
    forget(limiter, "one");
    ck_assert_int_eq(failures(limiter, "one"), 0);
    kube_rate_limiter_free(limiter);
}

/* TestWithMaxWaitRateLimiter */
TEST(max_wait_caps_the_delay_of_another)
{
    kube_rate_limiter *limiter =
        kube_rate_limiter_max_wait(kube_rate_limiter_exponential(1, 1000), 5);
    static const int64_t delays[] = {1, 2, 4, 5, 5};
    expect_delays(limiter, "one", delays, 5);
    ck_assert_int_eq(failures(limiter, "one"), 5);
    forget(limiter, "one");
    ck_assert_int_eq(failures(limiter, "one"), 0);
    kube_rate_limiter_free(limiter);
}

TEST(keys_of_two_namespaces_are_counted_apart)
{
    kube_rate_limiter *limiter = kube_rate_limiter_default();
    static const int64_t delays[] = {5, 10, 20, 40};
    expect_delays(limiter, "one", delays, 4);
    ck_assert_int_eq(limiter->when_ms(limiter, kube_key_of("other", "one")), 5);
    ck_assert_int_eq(limiter->when_ms(limiter, kube_key_of(NULL, "one")), 5);
    kube_rate_limiter_free(limiter);
}

/* Keys do not wait for each other: all that failed for six seconds come again in the next six. */
TEST(by_default_no_key_pays_for_another)
{
    kube_rate_limiter *limiter = kube_rate_limiter_default();
    char name[16];
    for (int i = 0; i < 2000; i++) {
        int64_t at_ms = 0;
        snprintf(name, sizeof name, "key-%d", i);
        while (at_ms < 6000)
            at_ms += limiter->when_ms(limiter, named(name));
        ck_assert_int_lt(at_ms, 12000);
    }
    kube_rate_limiter_free(limiter);
}

TEST(reflector_backoff_doubles_with_jitter_to_30_s)
{
    static const int64_t least[] = {800, 1600, 3200, 6400, 12800, 25600, 30000, 30000};
    kube_backoff backoff;
    kube_backoff_init_reflector(&backoff);
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(kube_backoff_next_ms(&backoff, 0, 0.0), least[i]);
    kube_backoff_reset(&backoff);
    for (size_t i = 0; i < 8; i++) {
        int64_t delay = kube_backoff_next_ms(&backoff, 0, 0.999);
        ck_assert_int_gt(delay, least[i] + least[i] / 2);
        ck_assert_int_lt(delay, 2 * least[i]);
    }
}

TEST(reflector_backoff_starts_over_after_two_quiet_minutes)
{
    const int64_t second = INT64_C(1000000000);
    kube_backoff backoff;
    kube_backoff_init_reflector(&backoff);
    for (int64_t i = 0; i < 8; i++)
        kube_backoff_next_ms(&backoff, i * 60 * second, 0.0);
    /* Delays a minute apart are no quiet time, however long they go on (REF-2 [C]). */
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, 8 * 60 * second, 0.0), 30000);
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, (8 * 60 + 121) * second + 30 * second, 0.0),
                     800);
}
