/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A gate for writes that closes by itself when the lease runs out.
 *
 * After each renewal, the elector opens the fence until the time when another replica may take the
 * lease. A client that has the fence (kube_client_options) asks it directly before it sends a
 * write. So a process that was suspended or cut off for a while cannot write when it comes back,
 * even if its threads still believe that they lead. Threads: any, for all functions but new and
 * free.
 */
#ifndef KUBE_FENCE_H
#define KUBE_FENCE_H

#include <kube/clock.h>
#include <kube/error.h>

KUBE_BEGIN_DECLS

typedef struct kube_fence kube_fence;

/** Makes a fence that is closed. @p clock NULL = the machine's. Returns NULL if out of memory. */
KUBE_API kube_fence *kube_fence_new(kube_clock *clock);
/** Frees a fence that no client uses any more. NULL allowed. */
KUBE_API void kube_fence_free(kube_fence *fence);
/** Opens the fence until its clock's now_ns() is @p deadline_ns, which replaces the deadline that
 * it had. Time that the machine sleeps counts, so after a suspend the fence closes earlier. */
KUBE_API void kube_fence_open_until(kube_fence *fence, int64_t deadline_ns);
/** Closes the fence until it is opened again. */
KUBE_API void kube_fence_close(kube_fence *fence);
/** Returns KUBE_OK while the fence is open. Otherwise returns KUBE_ERR_FENCED, and @p err says how
 * long it has been closed. */
KUBE_API kube_code kube_fence_check(const kube_fence *fence, kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_FENCE_H */
