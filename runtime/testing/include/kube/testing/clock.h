/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A clock that the test advances, so that nothing in the test sleeps.
 *
 * A test usually starts what it tests with kube_fake_clock_clock(), waits with
 * kube_fake_clock_wait_for_waiters() until the threads wait for a time, advances the clock with
 * kube_fake_clock_advance_ms(), and looks at what they did.
 */
#ifndef KUBE_TESTING_CLOCK_H
#define KUBE_TESTING_CLOCK_H

#include <kube/ctx.h>
#include <stddef.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but new and free. */
typedef struct kube_fake_clock kube_fake_clock;

/**
 * Makes a clock that stands still at 1 s (monotonic) and 2026-11-21T02:40:23Z (wall). Returns NULL
 * if out of memory. To be freed with kube_fake_clock_free() when nobody waits by it any more.
 */
KUBE_API kube_fake_clock *kube_fake_clock_new(void);
/** NULL allowed. */
KUBE_API void kube_fake_clock_free(kube_fake_clock *fake);
/** Returns the clock to pass to what is tested. */
KUBE_API kube_clock *kube_fake_clock_clock(kube_fake_clock *fake);

/** Advances both times and wakes every thread whose deadline is reached. */
KUBE_API void kube_fake_clock_advance_ms(kube_fake_clock *fake, int64_t ms);
/** Sets the wall time, as an administrator would. No deadline changes. */
KUBE_API void kube_fake_clock_set(kube_fake_clock *fake, int64_t wall_ns);

/**
 * Blocks until at least @p count threads wait for a deadline that has not come yet. A thread that
 * has been woken does not count.
 */
KUBE_API void kube_fake_clock_wait_for_waiters(kube_fake_clock *fake, size_t count);
/**
 * The same, but gives up when @p ctx ends, which must be on another clock, usually the machine's.
 * @p err then says how many threads wait, and for how many milliseconds each.
 */
KUBE_CHECKED kube_code kube_fake_clock_wait(kube_fake_clock *fake, kube_ctx *ctx, size_t count,
                                            kube_error *err);
/** Returns the time until the first deadline that a thread waits for, rounded up to milliseconds;
 * INT64_MAX if nobody waits. */
KUBE_API int64_t kube_fake_clock_next_ms(kube_fake_clock *fake);

KUBE_END_DECLS

#endif /* KUBE_TESTING_CLOCK_H */
