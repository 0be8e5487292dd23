/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps a store equal to the server's objects of one type (REF-*, PAG-1). It is a state machine; a
 * step makes one transition.
 *
 * How the queue's rules are met without a queue of our own: the result stream of
 * net/client/result_stream.h is the byte-bounded queue between the I/O thread and this one, in
 * strict order, nothing compressed (FIFO-1); when it is full the connection rests. What is read
 * from it is applied by the same thread, so a second queue would only copy:
 *  - FIFO-1, FIFO-7: a list, paged or streamed, is gathered aside and enters as one replace with
 *    its version; what vanished is found by comparing with the store in that very step, so there
 *    are no queued keys to consider, and vanished objects come before the others.
 *  - FIFO-2: the transform runs once, on what was decoded, before anything is stored; its error
 *    fails a list and drops an event.
 *  - FIFO-3: synced = the first replace has been applied, also an empty one; nothing is applied
 *    before it. Adds of that replace are the initial list.
 *  - FIFO-4: a batch is what the stream had ready, at most 1000 events, entered in one transaction;
 *    keys may repeat in it because each change carries the state before it.
 *  - FIFO-5: a handler that does not keep up holds up nobody: see processor.h.
 *  - FIFO-6: cancelling the ctx wakes a reader of the stream at once; what is queued is dropped
 * with the stream, for the store is about to go.
 */
#ifndef KUBE_CACHE_REFLECTOR_H
#define KUBE_CACHE_REFLECTOR_H

#include "bad_objects.h"
#include "list_watch.h"
#include "store.h"

#include <kube/ratelimit.h>

typedef enum kube__reflector_state {
    KUBE__REFLECTOR_START,       /* a round begins: streaming list, or pages */
    KUBE__REFLECTOR_STREAM_OPEN, /* ask for a streaming list (REF-14) */
    KUBE__REFLECTOR_LIST_OPEN,   /* ask for a page, or a whole list (REF-3, REF-4) */
    KUBE__REFLECTOR_LIST_READ,   /* gather what it sends */
    KUBE__REFLECTOR_WATCH_OPEN,  /* go on from the last version (REF-8) */
    KUBE__REFLECTOR_WATCH_READ,  /* events, those of a streaming list included */
    KUBE__REFLECTOR_VERIFY,      /* ask whether the server has gone back behind what was seen */
    KUBE__REFLECTOR_BACKOFF,     /* wait, then `after_backoff` (REF-2) */
    KUBE__REFLECTOR_STOPPED,
} kube__reflector_state;

/* What the reflector does to the cache, on its own thread. */
typedef struct kube__reflector_sink {
    /* As kube__store_replace(): takes @staged in any case. */
    kube_code (*replace)(void *arg, kube__table *staged, const char *resource_version,
                         size_t keep_missing, kube_error *err);
    /* As kube__store_apply(); takes what it applied. @len 0 = only the version moves. */
    kube_code (*apply)(void *arg, kube__delta *deltas, size_t len, const char *resource_version,
                       kube_error *err);
    kube_code (*resync)(void *arg, kube_error *err);
    int64_t (*resync_due_ns)(void *arg); /* INT64_MAX = never */
    /* An object has become bad, is bad for another reason, or is good again or gone. NULL allowed.
     */
    void (*bad_changed)(void *arg, kube_key key, bool is_bad);
    void *arg;
} kube__reflector_sink;

typedef struct kube__reflector_options {
    const kube_type *type;
    kube__list_watch *source;
    kube__store *store; /* for the staging tables and as the last known states */
    kube__reflector_sink sink;
    kube_ctx *ctx; /* its end is the reflector's; gives the clock */
    const char *namespace_;
    const char *label_selector;
    const char *field_selector;
    bool keep_managed_fields;
    bool no_streaming_list;
    size_t buffer_bytes;
    int64_t page_size;               /* 0 = REF-4's choice */
    int64_t min_watch_seconds;       /* counts when above 300 (REF-8) */
    int64_t internal_error_retry_ms; /* REF-10; 0 = never */
    double (*random01)(void *arg);   /* NULL = the reflector's own */
    void *random_arg;
    kube_code (*transform)(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err);
    void *transform_arg;
    void (*on_failure)(void *arg, const kube_type *type, const kube_error *err);
    void *on_failure_arg;
} kube__reflector_options;

typedef struct kube__reflector kube__reflector;

KUBE__CHECKED kube_code kube__reflector_new(const kube__reflector_options *options,
                                            kube__reflector **out, kube_error *err);
void kube__reflector_free(kube__reflector *reflector); /* NULL allowed */
/* Makes one transition. It may wait for the server, for room in the rings, or for the back-off. */
kube__reflector_state kube__reflector_step(kube__reflector *reflector);
kube__reflector_state kube__reflector_get_state(const kube__reflector *reflector);
/* Until STOPPED. */
void kube__reflector_run(kube__reflector *reflector);
/* Time the BACKOFF state still waits. */
int64_t kube__reflector_backoff_left_ms(const kube__reflector *reflector);
/* Returns the last version seen, or "" before the first list. */
const char *kube__reflector_resource_version(const kube__reflector *reflector);

/* The objects that are there and cannot be used. */
kube__bad_objects *kube__reflector_bad_objects(kube__reflector *reflector);

/* Threads: any. */
typedef struct kube__reflector_stats {
    uint64_t lists;
    uint64_t watches;
    uint64_t events;
    uint64_t bad_objects;
    size_t unusable; /* objects that are there now */
    uint64_t backoffs;
    size_t queued_bytes_peak;
    const char *last_error;   /* the reflector's; "" = none */
    const char *failing;      /* the failure in force, the reflector's; NULL = all is well */
    int64_t failing_since_ns; /* or, if all is well, since when it has been so again */
    int64_t last_list_ns;     /* 0 = never, here and below */
    int64_t last_event_ns;
    int64_t last_heard_ns;
} kube__reflector_stats;
void kube__reflector_get_stats(const kube__reflector *reflector, kube__reflector_stats *stats);

#endif /* KUBE_CACHE_REFLECTOR_H */
