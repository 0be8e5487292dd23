/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Points in time and durations as Kubernetes writes them.
 */
#ifndef KUBE_TIME_H
#define KUBE_TIME_H

#include <kube/shapes.h>

KUBE_BEGIN_DECLS

/** A point in time, in JSON as RFC 3339 with whole seconds ("2026-11-21T02:40:23Z"). Zero bytes
 * mean that it is absent. */
typedef struct kube_time {
    int64_t sec; /* since 1970-01-01 UTC, may be negative */
    int32_t nsec;
    bool set;
} kube_time;

/** A point in time, in JSON with exactly six decimals ("2026-11-21T02:40:23.000000Z"). */
typedef struct kube_micro_time {
    int64_t sec;
    int32_t nsec;
    bool set;
} kube_micro_time;

/** A duration, in JSON as Go writes it ("1h0m30.5s"). */
typedef struct kube_duration {
    int64_t ns;
    bool set;
} kube_duration;

KUBE_DECLARE_LIST(kube_time);
KUBE_DECLARE_LIST(kube_duration);

enum { KUBE_TIME_MAX = 40 }; /* bytes that the text of any time or duration needs, with NUL */

/** Returns the wall time of @p clock, cut to whole seconds. */
KUBE_API kube_time kube_time_now(const kube_clock *clock);
/** Returns the wall time of @p clock, cut to microseconds. */
KUBE_API kube_micro_time kube_micro_time_now(const kube_clock *clock);
/** Returns a negative number, 0 or a positive one if @p a is before, at or after @p b. An absent
 * time is before all others. */
KUBE_API int kube_time_compare(kube_time a, kube_time b);
/** These write the text and return its length. The text of an absent time is "". It is in UTC, but
 * where the year would not have four digits there: then at the smallest offset at which it has. */
KUBE_API size_t kube_time_format(kube_time t, char text[KUBE_TIME_MAX]);
KUBE_API size_t kube_micro_time_format(kube_micro_time t, char text[KUBE_TIME_MAX]);
KUBE_API size_t kube_duration_format(kube_duration d, char text[KUBE_TIME_MAX]);
/** These read what Go's time.Parse() takes for RFC 3339: any number of decimals, behind a point or
 * a comma, any offset from UTC up to 24:60, an hour of one digit. They return false if the text is
 * something else. */
KUBE_API bool kube_time_parse(const char *text, size_t len, kube_time *out);
KUBE_API bool kube_micro_time_parse(const char *text, size_t len, kube_micro_time *out);
/** Reads a duration such as "1m30s". Returns false if the text is not one. */
KUBE_API bool kube_duration_parse(const char *text, size_t len, kube_duration *out);

KUBE_END_DECLS

#endif /* KUBE_TIME_H */
