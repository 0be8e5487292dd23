/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Records events about objects and sends them to the server. An event that repeats is
 * counted instead of sent again; docs/events.md has the details.
 */
#ifndef KUBE_RECORDER_H
#define KUBE_RECORDER_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

typedef struct kube_recorder kube_recorder;

typedef enum kube_event_type {
    KUBE_EVENT_NORMAL,
    KUBE_EVENT_WARNING,
} kube_event_type;
/** Returns "Normal" or "Warning", or "" for a type that does not exist. */
KUBE_API const char *kube_event_type_name(kube_event_type type);

/** An event for a `sink`, valid during the call. */
typedef struct kube_recorded_event {
    const kube_object *object;
    kube_event_type type;
    const char *reason;
    const char *message;
    const char *action;         /* "" = none */
    const kube_object *related; /* NULL = none */
} kube_recorded_event;

/** The API that events are sent to. */
typedef enum kube_recorder_api {
    KUBE_RECORDER_CORE,   /* core/v1: repeated events are counted, similar ones combined (EV-3) */
    KUBE_RECORDER_EVENTS, /* events.k8s.io/v1: repeated events become a series (EV-6) */
} kube_recorder_api;

typedef struct kube_recorder_options {
    const char *component; /* who records: "network-controller" */
    size_t queue_len;      /* events that may wait to be sent; further ones are dropped, with a log
                              line. As many again may wait for another try. 0 = 1000 */
    kube_clock *clock;     /* for time stamps, retries and series; NULL = the machine's */
    /** Gets each event instead of the server, on the thread that records it; the client may then be
     * NULL. <kube/testing/recorder.h> has one that keeps the events. May be NULL. */
    void (*sink)(void *arg, const kube_recorded_event *event);
    void *sink_arg;
    kube_recorder_api api;

    /* How core events are combined and bounded (EV-3). 0 = client-go's value, -1 = no bound. */
    int max_similar;           /* from so many distinct messages on, they are combined; 0 = 10 */
    int64_t similar_window_ms; /* messages are forgotten after so long without one; 0 = 600 s */
    int spam_burst;            /* events of an object and type that may come at once; 0 = 25 */
    int64_t spam_refill_ms;    /* after that, one may come in each such time; 0 = 300 s */

    bool log;      /* log each event too (EV-5), at level info or warning */
    uint64_t seed; /* for the jitter of retries; 0 = a random one */
} kube_recorder_options;

KUBE_CHECKED kube_code kube_recorder_new_sized(kube_client *client,
                                               const kube_recorder_options *options,
                                               size_t options_size, kube_recorder **out,
                                               kube_error *err);
/** Makes a recorder and starts its thread, which sends events (EV-1). @p client must outlive it. A
 * program may have several recorders. */
KUBE_INLINE kube_code kube_recorder_new(kube_client *client, const kube_recorder_options *options,
                                        kube_recorder **out, kube_error *err)
{
    KUBE_NEEDS("", "events", "create,patch");
    return kube_recorder_new_sized(client, options, sizeof *options, out, err);
}
/**
 * Sends queued events, tries once more those that failed, and writes the counts of series, all for
 * at most @p flush_ms; then joins the thread and frees the recorder. Nobody may record any more.
 * NULL allowed.
 */
KUBE_API void kube_recorder_free(kube_recorder *recorder, int64_t flush_ms);
/**
 * Records an event about @p object, which is `&obj->base` of an object from the server or a cache.
 * It never blocks. An event with a type that does not exist, with an empty reason, or about an
 * object without a type is dropped, with a log line. The text is cut after 1024 bytes, and bytes
 * that are not UTF-8 become '?'. Threads: any.
 */
KUBE_API void kube_recorder_event(kube_recorder *recorder, const kube_object *object,
                                  kube_event_type type, const char *reason, const char *format, ...)
    KUBE_PRINTF(5, 6);

/** All that an event may have. Members that are zero are left out. */
typedef struct kube_event_note {
    const kube_object *regarding; /* the object that the event is about; required */
    const kube_object *related;   /* another object that it concerns */
    kube_event_type type;
    const char *reason; /* required */
    const char *action; /* what was done: "Create"; required by KUBE_RECORDER_EVENTS */
    kube_string_map annotations;
} kube_event_note;
/** Records an event as kube_recorder_event() does, which uses the reason as action. Threads: any.
 */
KUBE_API void kube_recorder_note(kube_recorder *recorder, const kube_event_note *note,
                                 const char *format, ...) KUBE_PRINTF(3, 4);

/** What a recorder has done since its start. */
typedef struct kube_recorder_stats {
    uint64_t recorded; /* events that were accepted */
    uint64_t sent;     /* events that were created or patched */
    uint64_t dropped;  /* events dropped because the queue was full or they were malformed */
    uint64_t spam;     /* events over the budget of their object */
    uint64_t failed;   /* events that the server refused, or that were given up */
    size_t queued;     /* events that wait now */
} kube_recorder_stats;
KUBE_API void kube_recorder_get_stats_sized(kube_recorder *recorder, kube_recorder_stats *stats,
                                            size_t stats_size);
/** Fills @p stats. Threads: any. */
static inline void kube_recorder_get_stats(kube_recorder *recorder, kube_recorder_stats *stats)
{
    kube_recorder_get_stats_sized(recorder, stats, sizeof *stats);
}

KUBE_END_DECLS

#endif /* KUBE_RECORDER_H */
