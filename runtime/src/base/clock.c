/* SPDX-License-Identifier: Apache-2.0 */
#include "units.h"

#include <kube/clock.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec now = {0, 0};
    clock_gettime(id, &now);
    return kube__timespec_to_ns(now);
}

static int64_t system_now(const kube_clock *clock)
{
    (void)clock;
    return read_clock(CLOCK_MONOTONIC);
}

static int64_t system_wall(const kube_clock *clock)
{
    (void)clock;
    return read_clock(CLOCK_REALTIME);
}

static void system_wait(kube_clock *clock, void *condition, void *mutex, int64_t deadline_ns)
{
    (void)clock;
    kube_clock_wait_real(condition, mutex, deadline_ns);
}

kube_clock *kube_clock_system(void)
{
    static kube_clock clock = {system_now, system_wall, system_wait};
    return &clock;
}
