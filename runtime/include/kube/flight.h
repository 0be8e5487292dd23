/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The flight recorder: the last reconciles, why each ran and how it ended, in a fixed ring.
 *
 * Its memory is taken once; recording allocates nothing and never blocks for long.
 * Threads: any, for all functions but new and free.
 */
#ifndef KUBE_FLIGHT_H
#define KUBE_FLIGHT_H

#include <kube/reason.h>
#include <kube/time.h>

KUBE_BEGIN_DECLS

typedef struct kube_flight kube_flight;

/** One reconcile that returned. Strings are cut, at a character, when they are too long to keep. */
typedef struct kube_flight_record {
    uint64_t number;        /* from 1, without gaps: missing ones were overwritten */
    const char *controller; /* its name */
    kube_key key;
    kube_reason why;
    int attempt;
    kube_micro_time started; /* wall time */
    int64_t waited_ns;       /* in the queue, from when it became due */
    int64_t took_ns;
    kube_code code;           /* what it returned */
    const char *message;      /* of the error; "" after KUBE_OK */
    const char *notes;        /* what kube_request_note() was told, lines separated by '\n' */
    int64_t requeue_after_ms; /* 0 = waits for the next event */
    bool terminal;            /* it failed, and said that trying again would not mend it */
} kube_flight_record;

/** A ring of @p records (0 = 256, about 2 KiB each). */
KUBE_CHECKED kube_code kube_flight_new(size_t records, kube_flight **out, kube_error *err);
/** NULL allowed. */
KUBE_API void kube_flight_free(kube_flight *flight);
/** Enters a record, whose `number` is given here; the oldest one goes. */
KUBE_API void kube_flight_enter(kube_flight *flight, const kube_flight_record *record);
/** How many were entered since the start. */
KUBE_API uint64_t kube_flight_count(const kube_flight *flight);
/** Calls @p visit for each record, newest first, until it returns false. The record is a copy,
 * valid during the call; others may enter meanwhile. */
KUBE_API void kube_flight_each(kube_flight *flight,
                               bool (*visit)(void *arg, const kube_flight_record *record),
                               void *arg);
/** All records as text, oldest first, one line each and its notes indented, in @p ctx; NULL when
 * memory is out. */
KUBE_API const char *kube_flight_text(kube_flight *flight, kube_ctx *ctx);
/** The same as a JSON array, newest first. */
KUBE_API const char *kube_flight_json(kube_flight *flight, kube_ctx *ctx);

KUBE_END_DECLS

#endif /* KUBE_FLIGHT_H */
