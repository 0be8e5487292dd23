/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Read, change, write; again when somebody else wrote in between.
 */
#ifndef KUBE_RETRY_H
#define KUBE_RETRY_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

/** Reads the newest object, changes it and writes it. What it keeps in @p ctx goes before the next
 * try. */
typedef kube_code kube_attempt(void *arg, kube_ctx *ctx, kube_error *err);
/**
 * Calls @p attempt until it returns something else than KUBE_ERR_CONFLICT, five times at most, with
 * short jittered pauses that grow (10 ms, doubling at most). Everything else it returns is final.
 */
KUBE_CHECKED kube_code kube_retry_on_conflict(kube_ctx *ctx, kube_attempt *attempt, void *arg,
                                              kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_RETRY_H */
