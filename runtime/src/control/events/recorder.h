/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a recorder for the manager; the others are in kube/recorder.h. */
#ifndef KUBE_CONTROL_RECORDER_H
#define KUBE_CONTROL_RECORDER_H

#include <kube/recorder.h>

/* Waits until what was recorded so far has been sent, for at most @most_ms; what waits for another
 * try is not waited for. Events are taken all the while. Threads: any. */
void kube__recorder_drain(kube_recorder *recorder, int64_t most_ms);

#endif /* KUBE_CONTROL_RECORDER_H */
