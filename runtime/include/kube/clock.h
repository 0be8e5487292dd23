/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Time as a small vtable, so that tests neither sleep nor wait.
 */
#ifndef KUBE_CLOCK_H
#define KUBE_CLOCK_H

#include <kube/export.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/**
 * A source of time. Threads: any; a clock outlives all that was made with it.
 *
 * `wait` is what makes it injectable: it waits on a condition until it is signalled or until
 * `deadline_ns` on this clock (INT64_MAX = no deadline), and may wake early. @p condition and
 * @p mutex are the runtime's own; a clock hands them on to kube_clock_wait_real().
 */
typedef struct kube_clock kube_clock;
struct kube_clock {
    int64_t (*now_ns)(const kube_clock *clock);  /* monotonic */
    int64_t (*wall_ns)(const kube_clock *clock); /* since 1970-01-01 UTC */
    void (*wait)(kube_clock *clock, void *condition, void *mutex, int64_t deadline_ns);
};

/** The machine's clock: CLOCK_MONOTONIC and CLOCK_REALTIME. Never NULL. */
KUBE_API kube_clock *kube_clock_system(void);

/** Waits on the runtime's condition by the machine's monotonic clock; see struct kube_clock. */
KUBE_API void kube_clock_wait_real(void *condition, void *mutex, int64_t deadline_ns);

KUBE_END_DECLS

#endif /* KUBE_CLOCK_H */
