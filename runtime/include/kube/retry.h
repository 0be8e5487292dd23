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
 * try; what the last try kept lives as long as the caller's ctx. */
typedef kube_code kube_attempt(void *arg, kube_ctx *ctx, kube_error *err);
/**
 * Calls @p attempt until it returns something else than KUBE_ERR_CONFLICT, five times at most
 * (RT-1), with short pauses that double: 10 to 20 ms at first. Everything else it returns is final,
 * and so is the fifth conflict.
 */
KUBE_CHECKED kube_code kube_retry_on_conflict(kube_ctx *ctx, kube_attempt *attempt, void *arg,
                                              kube_error *err);

KUBE_END_DECLS

#endif /* KUBE_RETRY_H */
