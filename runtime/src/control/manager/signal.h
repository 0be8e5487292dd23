/* SPDX-License-Identifier: Apache-2.0 */
/* Lets a manager use the thread that waits for signals (kube_ctx_new_signal()). */
#ifndef KUBE_CONTROL_SIGNAL_H
#define KUBE_CONTROL_SIGNAL_H

/* Calls @dump, on the signal thread, for each SIGUSR1; NULL = not any more, and it is not running
 * when this returns. SIGUSR1 is ignored while nothing is registered. */
void kube__signal_on_dump(void (*dump)(void *arg), void *arg);

#endif /* KUBE_CONTROL_SIGNAL_H */
