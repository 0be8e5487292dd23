/* SPDX-License-Identifier: Apache-2.0 */
#include "object/block/pool.h"
#include "support/fail_malloc.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

TEST(equal_strings_are_one)
{
    kube__pool *pool = kube__pool_new(KUBE__POOL_MAX_BYTES);
    char copy[] = "kube-system and more";
    const char *a = kube__pool_intern(pool, "kube-system", 11);
    ck_assert_ptr_eq(kube__pool_intern(pool, copy, 11), a);
    ck_assert_str_eq(a, "kube-system");
    ck_assert_ptr_ne(kube__pool_intern(pool, copy, 12), a);
    const char *empty = kube__pool_intern(pool, "", 0);
    ck_assert_str_eq(empty, "");
    ck_assert_ptr_eq(kube__pool_intern(pool, "x", 0), empty);
    kube__pool_unref(pool);
}

TEST(many_strings_of_every_length_stay_apart)
{
    kube__pool *pool = kube__pool_new(KUBE__POOL_MAX_BYTES);
    static const char *seen[5000];
    char text[64];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5000; i++) {
            int len = snprintf(text, sizeof text, "%.*s%d", i % 40,
                               "a-prefix-that-many-of-the-strings-share-here", i);
            const char *interned = kube__pool_intern(pool, text, (size_t)len);
            ck_assert_str_eq(interned, text);
            if (round)
                ck_assert_ptr_eq(interned, seen[i]);
            seen[i] = interned;
        }
    }
    ck_assert(!kube__pool_is_stale(pool));
    kube__pool_unref(pool);
}

TEST(long_strings_are_not_kept)
{
    kube__pool *pool = kube__pool_new(KUBE__POOL_MAX_BYTES);
    static char text[KUBE__POOL_MAX_STRING + 1];
    memset(text, 'x', sizeof text);
    ck_assert_ptr_nonnull(kube__pool_intern(pool, text, sizeof text - 1));
    ck_assert_ptr_null(kube__pool_intern(pool, text, sizeof text));
    kube__pool_unref(pool);
}

TEST(a_full_pool_stays_in_its_bound_and_becomes_stale)
{
    enum { BOUND = 64 * 1024 };
    kube__pool *pool = kube__pool_new(BOUND);
    const char *first = kube__pool_intern(pool, "first", 5);
    char text[32];
    int stale_at = 0;
    for (int i = 0; i < 100000 && !stale_at; i++) {
        int len = snprintf(text, sizeof text, "value-%d", i);
        (void)kube__pool_intern(pool, text, (size_t)len);
        ck_assert_uint_le(kube__pool_bytes(pool), BOUND);
        if (kube__pool_is_stale(pool))
            stale_at = i;
    }
    ck_assert_int_gt(stale_at, 0);
    /* What is in it stays in it. */
    ck_assert_ptr_eq(kube__pool_intern(pool, "first", 5), first);
    kube__pool_unref(pool);
}

TEST(a_full_pool_that_still_serves_is_not_stale)
{
    kube__pool *pool = kube__pool_new(32 * 1024);
    char text[32];
    for (int i = 0; i < 20000; i++) {
        int len = snprintf(text, sizeof text, "value-%d", i);
        for (int hits = 0; hits < 3; hits++)
            ck_assert_ptr_nonnull(kube__pool_intern(pool, "value-1", 7));
        (void)kube__pool_intern(pool, text, (size_t)len);
    }
    ck_assert(!kube__pool_is_stale(pool));
    kube__pool_unref(pool);
}

TEST(a_reference_keeps_the_strings)
{
    kube__pool *pool = kube__pool_new(KUBE__POOL_MAX_BYTES);
    const char *text = kube__pool_intern(pool, "text", 4);
    kube__pool *same = kube__pool_ref(pool);
    kube__pool_unref(pool);
    ck_assert_str_eq(text, "text");
    kube__pool_unref(same);
    kube__pool_unref(NULL);
}

static bool fill(void *arg)
{
    (void)arg;
    kube__pool *pool = kube__pool_new(KUBE__POOL_MAX_BYTES);
    if (!pool)
        return false;
    bool all = true;
    char text[32];
    for (int i = 0; i < 1000; i++) {
        int len = snprintf(text, sizeof text, "value-%d", i);
        const char *interned = kube__pool_intern(pool, text, (size_t)len);
        all = all && interned;
    }
    kube__pool_unref(pool);
    return all;
}

TEST(every_allocation_may_fail)
{
    ck_assert_uint_gt(fail_malloc_replay(fill, NULL), 5);
}
