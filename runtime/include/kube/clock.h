/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A clock as a struct of functions, so that tests can replace it and need not sleep.
 */
#ifndef KUBE_CLOCK_H
#define KUBE_CLOCK_H

#include <kube/export.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/**
 * A source of time. Threads: any. A clock must outlive everything that was made with it.
 *
 * `wait` blocks until the condition is signalled or until this clock reaches `deadline_ns`
 * (INT64_MAX = no deadline); it may return early. @p condition and @p mutex belong to the runtime;
 * a clock of your own passes them on to kube_clock_wait_real().
 */
typedef struct kube_clock kube_clock;
struct kube_clock {
    int64_t (*now_ns)(const kube_clock *clock);  /* monotonic time */
    int64_t (*wall_ns)(const kube_clock *clock); /* time since 1970-01-01 UTC */
    void (*wait)(kube_clock *clock, void *condition, void *mutex, int64_t deadline_ns);
};

/** Returns the machine's clock (CLOCK_MONOTONIC and CLOCK_REALTIME), never NULL. */
KUBE_API kube_clock *kube_clock_system(void);

/** Waits on @p condition; @p deadline_ns is a time of the machine's monotonic clock. For the `wait`
 * of a clock of your own, see struct kube_clock. */
KUBE_API void kube_clock_wait_real(void *condition, void *mutex, int64_t deadline_ns);

KUBE_END_DECLS

#endif /* KUBE_CLOCK_H */
