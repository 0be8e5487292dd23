/* SPDX-License-Identifier: Apache-2.0 */
/* Lets a manager use the thread that waits for signals (kube_ctx_new_signal()). */
#ifndef KUBE_CONTROL_SIGNAL_H
#define KUBE_CONTROL_SIGNAL_H

#include <kube/ctx.h>

/* kube_ctx_new_signal(), and why there is none. */
KUBE__CHECKED kube_code kube__ctx_new_signal(kube_ctx **out, kube_error *err);
/* Calls @dump, on the signal thread, for each SIGUSR1 as long as there is @ctx, which
 * kube__ctx_new_signal() made. NULL = not any more, and it is not running when this returns. */
void kube__signal_on_dump(const kube_ctx *ctx, void (*dump)(void *arg), void *arg);

#endif /* KUBE_CONTROL_SIGNAL_H */
