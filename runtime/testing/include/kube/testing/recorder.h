/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A recorder that keeps events for a test instead of sending them.
 */
#ifndef KUBE_TESTING_RECORDER_H
#define KUBE_TESTING_RECORDER_H

#include <kube/recorder.h>

KUBE_BEGIN_DECLS

/** Threads: any, for all functions but new and free. */
typedef struct kube_fake_recorder kube_fake_recorder;

/** Makes a fake recorder, to be freed with kube_fake_recorder_free(). Returns NULL if out of
 * memory.
 */
KUBE_API kube_fake_recorder *kube_fake_recorder_new(void);
/** Frees it when nobody records any more. NULL allowed. */
KUBE_API void kube_fake_recorder_free(kube_fake_recorder *fake);
/** Returns the recorder to pass to what is tested. The fake recorder owns it. */
KUBE_API kube_recorder *kube_fake_recorder_recorder(kube_fake_recorder *fake);

/** Returns all events so far, oldest first, in @p ctx, each as "Warning InvalidSpec default/blue:
 * message". Cluster-scoped objects have no namespace in it; what kube_recorder_note() said follows
 * as " (action Create)" and " (related default/web)". The list is empty if out of memory. */
KUBE_API kube_string_list kube_fake_recorder_events(kube_fake_recorder *fake, kube_ctx *ctx);
/** Returns how many events have this reason; NULL = all. */
KUBE_API size_t kube_fake_recorder_count(kube_fake_recorder *fake, const char *reason);
/** Waits until @p count events with this reason (NULL = any) have been recorded, or @p ctx ends;
 * the error then says which events there are. */
KUBE_CHECKED kube_code kube_fake_recorder_wait(kube_fake_recorder *fake, kube_ctx *ctx,
                                               const char *reason, size_t count, kube_error *err);
/** Forgets the events so far. */
KUBE_API void kube_fake_recorder_forget(kube_fake_recorder *fake);

KUBE_END_DECLS

#endif /* KUBE_TESTING_RECORDER_H */
