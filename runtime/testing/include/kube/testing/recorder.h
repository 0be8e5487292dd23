/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A recorder that keeps events for the test instead of sending them.
 */
#ifndef KUBE_TESTING_RECORDER_H
#define KUBE_TESTING_RECORDER_H

#include <kube/recorder.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but new and free. */
typedef struct kube_fake_recorder kube_fake_recorder;

/** NULL when memory is out. Give it to kube_fake_recorder_free(). */
KUBE_API kube_fake_recorder *kube_fake_recorder_new(void);
/** When nobody records any more. NULL is allowed. */
KUBE_API void kube_fake_recorder_free(kube_fake_recorder *fake);
/** The recorder to hand to what is under test; borrowed. */
KUBE_API kube_recorder *kube_fake_recorder_recorder(kube_fake_recorder *fake);

/** All events so far, oldest first, each as "Warning InvalidSpec default/blue: message", in
 * @p ctx; of cluster-scoped objects without the namespace; where kube_recorder_note() said so,
 * with " (action Create)" and " (related default/web)" behind it. Empty when memory is out. */
KUBE_API kube_string_list kube_fake_recorder_events(kube_fake_recorder *fake, kube_ctx *ctx);
/** How many of them have this reason; NULL = all. */
KUBE_API size_t kube_fake_recorder_count(kube_fake_recorder *fake, const char *reason);
/** Waits until @p count events with this reason (NULL = any) were recorded, as long as @p ctx
 * lasts; its error says which there are. */
KUBE_CHECKED kube_code kube_fake_recorder_wait(kube_fake_recorder *fake, kube_ctx *ctx,
                                               const char *reason, size_t count, kube_error *err);
/** Forgets the events so far. */
KUBE_API void kube_fake_recorder_forget(kube_fake_recorder *fake);

KUBE_END_DECLS

#endif /* KUBE_TESTING_RECORDER_H */
