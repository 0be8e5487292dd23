/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Repeats a read-change-write when somebody else wrote in between.
 */
#ifndef KUBE_RETRY_H
#define KUBE_RETRY_H

#include <kube/ctx.h>

KUBE_BEGIN_DECLS

/** Reads the newest object, changes it and writes it. What an attempt allocates in @p ctx is freed
 * before the next attempt; that of the last one lives as long as the caller's ctx. */
typedef kube_code kube_attempt(void *arg, kube_ctx *ctx, kube_error *err);
/**
 * Calls @p attempt, and again as long as it returns KUBE_ERR_CONFLICT, five times in all (RT-1).
 * The first pause is 10 to 20 ms, and each further one twice as long. Returns what the last attempt
 * returned.
 */
KUBE_CHECKED kube_code kube_retry_on_conflict(kube_ctx *ctx, kube_attempt *attempt, void *arg,
                                              kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_RETRY_H */
