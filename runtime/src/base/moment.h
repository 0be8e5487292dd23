/* SPDX-License-Identifier: Apache-2.0 */
/* Milliseconds that callers may choose as they like, as nanoseconds: what is too long is the
 * longest there is. */
#ifndef KUBE_BASE_MOMENT_H
#define KUBE_BASE_MOMENT_H

#include <stdint.h>

static inline int64_t kube__ms_to_ns(int64_t ms)
{
    const int64_t most = INT64_MAX / 1000000;

    if (ms > most)
        return INT64_MAX;
    return ms < -most ? INT64_MIN : ms * 1000000;
}

/* The moment @ms from @now_ns on; a negative @ms is none at all. */
static inline int64_t kube__ms_after(int64_t now_ns, int64_t ms)
{
    int64_t ns = ms > 0 ? kube__ms_to_ns(ms) : 0;

    return now_ns > 0 && ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + ns;
}

#endif /* KUBE_BASE_MOMENT_H */
