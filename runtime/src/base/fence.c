/* SPDX-License-Identifier: Apache-2.0 */
#include "fence.h"

#include "thread.h"
#include "units.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define NEVER_OPENED INT64_MIN

struct kube_fence {
    kube_clock *clock;
    /* In the time that also counts the machine's sleep. */
    _Atomic int64_t deadline_ns;
    kube__mutex mutex; /* of changes, and of the watchers */
    kube__fence_watcher *watchers;
};

/* ---- time ---------------------------------------------------------------------------------- */

#ifdef CLOCK_BOOTTIME
static int64_t read_clock(clockid_t id)
{
    struct timespec now = {0, 0};
    clock_gettime(id, &now);
    return kube__timespec_to_ns(now);
}
#endif

int64_t kube__clock_asleep_ns(kube_clock *clock)
{
#ifdef CLOCK_BOOTTIME
    if (clock == kube_clock_system()) {
        /* In this order what lies between the two makes it less: a deadline comes earlier. */
        int64_t boot = read_clock(CLOCK_BOOTTIME);
        return boot - clock->now_ns(clock);
    }
#else
    (void)clock;
#endif
    return 0;
}

static int64_t now_ns(const kube_fence *fence)
{
#ifdef CLOCK_BOOTTIME
    if (fence->clock == kube_clock_system())
        return read_clock(CLOCK_BOOTTIME);
#endif
    return fence->clock->now_ns(fence->clock);
}

/* ---- the fence ----------------------------------------------------------------------------- */

kube_fence *kube_fence_new(kube_clock *clock)
{
    kube_fence *fence = calloc(1, sizeof *fence);
    if (!fence)
        return NULL;
    if (kube__mutex_init(&fence->mutex, NULL)) {
        free(fence);
        return NULL;
    }
    fence->clock = clock ? clock : kube_clock_system();
    atomic_init(&fence->deadline_ns, NEVER_OPENED);
    return fence;
}

void kube_fence_free(kube_fence *fence)
{
    if (!fence)
        return;
    kube__mutex_fini(&fence->mutex);
    free(fence);
}

/* With the mutex held. */
static void set_deadline(kube_fence *fence, int64_t deadline_ns)
{
    atomic_store(&fence->deadline_ns, deadline_ns);
    for (kube__fence_watcher *w = fence->watchers; w; w = w->next)
        w->changed(w->arg);
}

void kube__fence_open_until(kube_fence *fence, int64_t deadline_ns, int64_t asleep_ns)
{
    /* A little below zero when it never slept, for the two clocks are read one after the other. */
    bool beyond = asleep_ns > 0 && deadline_ns > INT64_MAX - asleep_ns;
    kube__lock(&fence->mutex);
    set_deadline(fence, beyond ? INT64_MAX : deadline_ns + asleep_ns);
    kube__unlock(&fence->mutex);
}

void kube_fence_open_until(kube_fence *fence, int64_t deadline_ns)
{
    kube__fence_open_until(fence, deadline_ns, kube__clock_asleep_ns(fence->clock));
}

void kube_fence_close(kube_fence *fence)
{
    int64_t now = now_ns(fence);
    kube__lock(&fence->mutex);
    /* One that closed by itself has been closed since then. */
    if (atomic_load(&fence->deadline_ns) > now)
        set_deadline(fence, now);
    kube__unlock(&fence->mutex);
}

bool kube__fence_is_open(const kube_fence *fence)
{
    return now_ns(fence) < atomic_load(&fence->deadline_ns);
}

int64_t kube__fence_left_ns(const kube_fence *fence)
{
    int64_t deadline = atomic_load(&fence->deadline_ns);
    int64_t now = now_ns(fence);
    return now < deadline ? deadline - now : 0;
}

int64_t kube__fence_deadline_ns(const kube_fence *fence)
{
    return atomic_load(&fence->deadline_ns);
}

bool kube__fence_is_real(const kube_fence *fence)
{
    return fence->clock == kube_clock_system();
}

kube_code kube_fence_check(const kube_fence *fence, kube_error *err)
{
    int64_t deadline = atomic_load(&fence->deadline_ns);
    int64_t now = now_ns(fence);
    if (now < deadline)
        return KUBE_OK;
    if (deadline == NEVER_OPENED)
        return kube_error_set(err, KUBE_ERR_FENCED, "not sent: the lease is not held");
    return kube_error_set(err, KUBE_ERR_FENCED, "not sent: the lease ran out %.1f s ago",
                          kube__ns_to_s(now - deadline));
}

/* ---- who wants to know --------------------------------------------------------------------- */

void kube__fence_watch(kube_fence *fence, kube__fence_watcher *watcher)
{
    kube__lock(&fence->mutex);
    watcher->next = fence->watchers;
    fence->watchers = watcher;
    if (kube__fence_is_open(fence))
        watcher->changed(watcher->arg);
    kube__unlock(&fence->mutex);
}

void kube__fence_unwatch(kube_fence *fence, kube__fence_watcher *watcher)
{
    kube__fence_watcher **at = &fence->watchers;
    kube__lock(&fence->mutex);
    while (*at && *at != watcher)
        at = &(*at)->next;
    if (*at)
        *at = watcher->next;
    kube__unlock(&fence->mutex);
}
