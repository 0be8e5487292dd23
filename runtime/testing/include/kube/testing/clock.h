/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A clock that a test moves, so that nothing in the test sleeps.
 *
 * The usual course: start what is under test on kube_fake_clock_clock(), wait with
 * kube_fake_clock_wait_for_waiters() until its threads are parked, kube_fake_clock_advance_ms(),
 * and look at what they did.
 */
#ifndef KUBE_TESTING_CLOCK_H
#define KUBE_TESTING_CLOCK_H

#include <kube/ctx.h>
#include <stddef.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but new and free. */
typedef struct kube_fake_clock kube_fake_clock;

/**
 * A clock that stands still at 1 s (monotonic) and 2026-11-21T02:40:23Z (wall); NULL when memory
 * is out. Give it to kube_fake_clock_free() when nobody waits by it any more.
 */
KUBE_API kube_fake_clock *kube_fake_clock_new(void);
/** NULL is allowed. */
KUBE_API void kube_fake_clock_free(kube_fake_clock *fake);
/** The clock to hand to what is under test. */
KUBE_API kube_clock *kube_fake_clock_clock(kube_fake_clock *fake);

/** Moves both times on and wakes every thread whose deadline is reached. */
KUBE_API void kube_fake_clock_advance_ms(kube_fake_clock *fake, int64_t ms);
/** Sets the wall time alone, as an administrator would: nobody's deadline moves. */
KUBE_API void kube_fake_clock_set(kube_fake_clock *fake, int64_t wall_ns);

/**
 * Blocks until at least @p count threads wait with a deadline that is still to come. A thread that
 * was woken, by an advance or by a signal it has taken, does not count.
 */
KUBE_API void kube_fake_clock_wait_for_waiters(kube_fake_clock *fake, size_t count);
/**
 * The same as long as @p ctx lasts, which has a clock of its own: the machine's, usually. @p err
 * then says how many threads wait, and for how many milliseconds from now each.
 */
KUBE_CHECKED kube_code kube_fake_clock_wait(kube_fake_clock *fake, kube_ctx *ctx, size_t count,
                                            kube_error *err);
/** Time from now until the first deadline someone waits for, rounded up; INT64_MAX = nobody. */
KUBE_API int64_t kube_fake_clock_next_ms(kube_fake_clock *fake);

KUBE_END_DECLS

#endif /* KUBE_TESTING_CLOCK_H */
