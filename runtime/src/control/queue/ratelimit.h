/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KUBE_CONTROL_RATELIMIT_H
#define KUBE_CONTROL_RATELIMIT_H

#include <kube/ratelimit.h>

/* Fails for a limiter that could not be made, and for one that lacks a function. */
KUBE__CHECKED kube_code kube__rate_limiter_check(const kube_rate_limiter *limiter, kube_error *err);

#endif /* KUBE_CONTROL_RATELIMIT_H */
