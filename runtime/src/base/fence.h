/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a fence for clients and the elector; the others are in kube/fence.h. */
#ifndef KUBE_BASE_FENCE_H
#define KUBE_BASE_FENCE_H

#include <kube/fence.h>

/*
 * Called whenever the fence's time changes, on the thread that changes it and with the fence
 * locked. Storage is the caller's.
 */
typedef struct kube__fence_watcher {
    void (*changed)(void *arg);
    void *arg;
    struct kube__fence_watcher *next;
} kube__fence_watcher;

/* Calls changed() at once if the fence is open, so that no deadline is missed. */
void kube__fence_watch(kube_fence *fence, kube__fence_watcher *watcher);
/* After it returns, changed() does not run and will not. */
void kube__fence_unwatch(kube_fence *fence, kube__fence_watcher *watcher);

/* Whether it is open now. May be called in a signal handler when it is on the machine's clock. */
bool kube__fence_is_open(const kube_fence *fence);
/* Time until it closes by itself; 0 = it is closed. */
int64_t kube__fence_left_ns(const kube_fence *fence);
/* When it closes; a real one's is of CLOCK_BOOTTIME where there is that. */
int64_t kube__fence_deadline_ns(const kube_fence *fence);
/* Whether it is on the machine's clock, so that the kernel's timers count the same time. */
bool kube__fence_is_real(const kube_fence *fence);

/*
 * How far the time that goes on while the machine sleeps is ahead of @clock's, which may stand
 * still then: others' clocks go on, and a lease runs out. 0 for any clock but the machine's.
 */
int64_t kube__clock_asleep_ns(kube_clock *clock);
/* As kube_fence_open_until(), with what kube__clock_asleep_ns() was when @deadline_ns was made. */
void kube__fence_open_until(kube_fence *fence, int64_t deadline_ns, int64_t asleep_ns);

#endif /* KUBE_BASE_FENCE_H */
