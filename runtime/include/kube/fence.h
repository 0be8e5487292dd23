/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A gate that closes by itself: writes pass only while a lease is surely held.
 *
 * The elector opens it until a point in time, each time it renewed; a client that has it
 * (kube_client_set_fence()) asks it last thing before the bytes of a write leave. A process that
 * was stopped, or cut off, and comes back finds it closed, whatever its threads believe.
 * Threads: any, for all functions but new and free.
 */
#ifndef KUBE_FENCE_H
#define KUBE_FENCE_H

#include <kube/clock.h>
#include <kube/error.h>

KUBE_BEGIN_DECLS

typedef struct kube_fence kube_fence;

/** A closed fence on @p clock (NULL = the machine's); NULL when memory is out. */
KUBE_API kube_fence *kube_fence_new(kube_clock *clock);
/** No client may use it any more. NULL allowed. */
KUBE_API void kube_fence_free(kube_fence *fence);
/** Open until @p deadline_ns of its clock's now_ns(); takes the place of what was said before. */
KUBE_API void kube_fence_open_until(kube_fence *fence, int64_t deadline_ns);
/** Closed until it is opened again. */
KUBE_API void kube_fence_close(kube_fence *fence);
/** KUBE_OK while it is open, else KUBE_ERR_FENCED and how long it has been closed in @p err. */
KUBE_API kube_code kube_fence_check(const kube_fence *fence, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_FENCE_H */
