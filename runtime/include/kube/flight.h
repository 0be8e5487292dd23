/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The flight recorder, which keeps the last reconciles: why each ran and how it ended.
 *
 * It is a ring of a fixed size. It allocates its memory once; recording allocates nothing and never
 * blocks for long. Threads: any, for all functions but new and free.
 */
#ifndef KUBE_FLIGHT_H
#define KUBE_FLIGHT_H

#include <kube/reason.h>
#include <kube/time.h>

KUBE_BEGIN_DECLS

typedef struct kube_flight kube_flight;

/** A reconcile that has ended. Strings that are too long to keep are cut between two characters. */
typedef struct kube_flight_record {
    uint64_t number;        /* counts from 1; a record that is missing was overwritten */
    const char *controller; /* name of the controller */
    kube_key key;
    kube_reason why;
    int attempt;
    kube_micro_time started; /* wall time */
    int64_t waited_ns;       /* time in the queue since the key was due */
    int64_t took_ns;
    kube_code code;           /* what reconcile returned */
    const char *message;      /* message of the error; "" after KUBE_OK */
    const char *notes;        /* texts of kube_request_note(), with '\n' between them */
    int64_t requeue_after_ms; /* what it asked for; 0 = it waits for the next event or, after an
                                 error, for the time that the server or the limiter says */
    bool terminal;            /* it failed and is not tried again */
} kube_flight_record;

/** Makes a flight recorder for @p records records of about 2 KiB each; 0 = 256. */
KUBE_CHECKED kube_code kube_flight_new(size_t records, kube_flight **out, kube_error *err);
/** NULL allowed. */
KUBE_API void kube_flight_free(kube_flight *flight);
/** Adds a copy of @p record and gives it a `number`. If the ring is full, the oldest one is
 * dropped. */
KUBE_API void kube_flight_enter(kube_flight *flight, const kube_flight_record *record);
/** Returns how many records have been added since the start. */
KUBE_API uint64_t kube_flight_count(const kube_flight *flight);
/** Calls @p visit with a copy of each record, newest first, until it returns false. The copy is
 * valid during the call; others may add records meanwhile. */
KUBE_API void kube_flight_each(kube_flight *flight,
                               bool (*visit)(void *arg, const kube_flight_record *record),
                               void *arg);
/** Returns all records as text in @p ctx, oldest first: a line for each, and its notes indented
 * below. Returns NULL if out of memory. */
KUBE_API const char *kube_flight_text(kube_flight *flight, kube_ctx *ctx);
/** Returns them as a JSON array, newest first. */
KUBE_API const char *kube_flight_json(kube_flight *flight, kube_ctx *ctx);

KUBE_END_DECLS

#endif /* KUBE_FLIGHT_H */
