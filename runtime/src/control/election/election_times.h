/* SPDX-License-Identifier: Apache-2.0 */
/* An election's times where nobody chooses others, and how they must relate (LE-1). */
#ifndef KUBE_CONTROL_ELECTION_TIMES_H
#define KUBE_CONTROL_ELECTION_TIMES_H

#include "base/units.h"

#include <stdbool.h>

enum {
    KUBE__LEASE_DURATION_MS = 15 * KUBE__MS_PER_S,
    KUBE__RENEW_DEADLINE_MS = 10 * KUBE__MS_PER_S,
    KUBE__RETRY_PERIOD_MS = 2 * KUBE__MS_PER_S,
};

/* By how much of the retry period a retry may be later. */
#define KUBE__RETRY_JITTER 1.2

/* A holder must have the time for one retry, however late it is. */
static inline bool kube__election_has_retry(int64_t renew_deadline_ms, int64_t retry_period_ms)
{
    return (double)renew_deadline_ms > (double)retry_period_ms * KUBE__RETRY_JITTER;
}

#endif /* KUBE_CONTROL_ELECTION_TIMES_H */
