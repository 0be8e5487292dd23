/* SPDX-License-Identifier: Apache-2.0 */
/* REF-2, WA-1. */
#include "support/suite.h"

#include <kube/ratelimit.h>

enum { MS = 1000000 };

/* Peers: TestReflectorListAndWatchInitConnBackoff */
TEST(grows_to_its_cap)
{
    static const int64_t expected[] = {800, 1600, 3200, 6400, 12800, 25600, 30000, 30000};
    kube_backoff backoff;
    kube_backoff_init_reflector(&backoff);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_int_eq(kube_backoff_next_ms(&backoff, 5, 0), expected[i]);
}

TEST(jitter_stays_below_twice_the_delay)
{
    kube_backoff backoff;
    kube_backoff_init_reflector(&backoff);
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, 0, 0.25), 1000);
    ck_assert_int_lt(kube_backoff_next_ms(&backoff, 0, 0.999999), 3200);
    for (int i = 0; i < 10; i++)
        kube_backoff_next_ms(&backoff, 0, 0);
    ck_assert_int_lt(kube_backoff_next_ms(&backoff, 0, 0.999999), 60000);
    ck_assert_int_ge(kube_backoff_next_ms(&backoff, 0, 0.999999), 59999);
}

TEST(quiet_time_counts_from_the_end_of_a_delay)
{
    kube_backoff backoff;
    kube_backoff_init_reflector(&backoff);
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, 0, 0), 800);
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, INT64_C(120800) * MS, 0), 1600);
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, INT64_C(242401) * MS, 0), 800);
    kube_backoff_reset(&backoff);
    ck_assert_int_eq(kube_backoff_next_ms(&backoff, INT64_C(242402) * MS, 0), 800);
}

TEST(needs_neither_cap_nor_jitter_nor_reset)
{
    kube_backoff backoff = {.initial_ms = 10, .factor = 10};
    int64_t last = 0;
    for (int i = 0; i < 40; i++) {
        int64_t next = kube_backoff_next_ms(&backoff, (int64_t)i * 1000, 0.5);
        ck_assert_int_ge(next, last);
        last = next;
    }
    ck_assert_int_eq(last, INT64_C(1000000000000));
}
