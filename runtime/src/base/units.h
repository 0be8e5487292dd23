/* SPDX-License-Identifier: Apache-2.0 */
/* Units of time and conversions between them. */
#ifndef KUBE_BASE_UNITS_H
#define KUBE_BASE_UNITS_H

#include <stdint.h>
#include <time.h>

#define KUBE__NS_PER_US INT64_C(1000)
#define KUBE__NS_PER_MS INT64_C(1000000)
#define KUBE__NS_PER_S INT64_C(1000000000)
#define KUBE__MS_PER_S INT64_C(1000)
#define KUBE__S_PER_HOUR INT64_C(3600)
#define KUBE__S_PER_DAY INT64_C(86400)

/* Of milliseconds that callers may choose as they like: too many become the longest time there is.
 */
static inline int64_t kube__ms_to_ns(int64_t ms)
{
    const int64_t most = INT64_MAX / KUBE__NS_PER_MS;
    if (ms > most)
        return INT64_MAX;
    return ms < -most ? INT64_MIN : ms * KUBE__NS_PER_MS;
}

/* Returns @ms, or if it is longer a time of some 73 years: in nanoseconds, and added to any
 * present, it does not overflow. */
static inline int64_t kube__ms_bounded(int64_t ms)
{
    const int64_t most = INT64_MAX / KUBE__NS_PER_MS / 4;
    return ms < most ? ms : most;
}

/* Returns the time that is @ms after @now_ns, or @now_ns if @ms is negative. */
static inline int64_t kube__ms_after(int64_t now_ns, int64_t ms)
{
    int64_t ns = ms > 0 ? kube__ms_to_ns(ms) : 0;
    return now_ns > 0 && ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + ns;
}

/* Rounded up, so that only what is past is zero. */
static inline int64_t kube__ns_left_ms(int64_t ns)
{
    return ns <= 0 ? 0 : (ns - 1) / KUBE__NS_PER_MS + 1;
}

static inline double kube__ns_to_s(int64_t ns)
{
    return (double)ns / (double)KUBE__NS_PER_S;
}

static inline int64_t kube__timespec_to_ns(struct timespec t)
{
    return (int64_t)t.tv_sec * KUBE__NS_PER_S + t.tv_nsec;
}

/* @ns is not negative. */
static inline struct timespec kube__ns_to_timespec(int64_t ns)
{
    struct timespec t = {.tv_sec = (time_t)(ns / KUBE__NS_PER_S)};
    t.tv_nsec = (long)(ns % KUBE__NS_PER_S);
    return t;
}

#endif /* KUBE_BASE_UNITS_H */
