/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one request may cost. Most of a request's work is bounded by its size; where the size of a
 * schema, of a patch or of what is stored multiplies it, the work is counted here, in steps of
 * some nanoseconds each. A request that needs more than its share fails as one that has run out of
 * memory does, so that nobody has to look out for it. The server's own threads may work as long as
 * they like.
 */
#ifndef KUBE_APISERVER_WORK_H
#define KUBE_APISERVER_WORK_H

#include "base/buffer.h"

#include <kube/ctx.h>
#include <stdbool.h>
#include <stdint.h>

KUBE_BEGIN_DECLS

/* From now on this thread may take @steps; 0 = any number. The count begins at 0. */
void kube__api_work_begin(uint64_t steps);
/* What the thread has taken since. */
uint64_t kube__api_work_taken(void);
/* Counts, and fails @ctx when that was more than the request may take. Returns whether it may go
 * on. */
bool kube__api_work(kube_ctx *ctx, uint64_t steps);

KUBE_END_DECLS

#endif /* KUBE_APISERVER_WORK_H */
