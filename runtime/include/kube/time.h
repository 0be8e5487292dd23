/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Points in time and durations as Kubernetes writes them.
 */
#ifndef KUBE_TIME_H
#define KUBE_TIME_H

#include <kube/shapes.h>

KUBE_BEGIN_DECLS

/** RFC 3339 with whole seconds when written ("2026-11-21T02:40:23Z"); zero bytes = absent. */
typedef struct kube_time {
    int64_t sec; /* since 1970-01-01 UTC, may be negative */
    int32_t nsec;
    bool set;
} kube_time;

/** The same with exactly six decimals when written. */
typedef struct kube_micro_time {
    int64_t sec;
    int32_t nsec;
    bool set;
} kube_micro_time;

/** Go's duration text in JSON ("1h0m30.5s"). */
typedef struct kube_duration {
    int64_t ns;
    bool set;
} kube_duration;

KUBE_DECLARE_LIST(kube_time);
KUBE_DECLARE_LIST(kube_duration);

enum { KUBE_TIME_MAX = 40 }; /* bytes for the text of any time or duration, NUL included */

/** Now, from a clock's wall time; whole seconds. */
KUBE_API kube_time kube_time_now(const kube_clock *clock);
KUBE_API kube_micro_time kube_micro_time_now(const kube_clock *clock);
/** Negative, zero or positive as @p a is before, at or after @p b; an absent time is first. */
KUBE_API int kube_time_compare(kube_time a, kube_time b);
/** Writes the text and returns its length; "" for an absent time. */
KUBE_API size_t kube_time_format(kube_time t, char text[KUBE_TIME_MAX]);
KUBE_API size_t kube_micro_time_format(kube_micro_time t, char text[KUBE_TIME_MAX]);
KUBE_API size_t kube_duration_format(kube_duration d, char text[KUBE_TIME_MAX]);
/** Reads RFC 3339 with any number of decimals and any offset; false when it is not one. */
KUBE_API bool kube_time_parse(const char *text, size_t len, kube_time *out);
KUBE_API bool kube_micro_time_parse(const char *text, size_t len, kube_micro_time *out);
KUBE_API bool kube_duration_parse(const char *text, size_t len, kube_duration *out);

KUBE_END_DECLS

#endif /* KUBE_TIME_H */
