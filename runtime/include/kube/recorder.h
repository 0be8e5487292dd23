/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Events about objects: created once, counted up when they repeat. docs/events.md tells all.
 */
#ifndef KUBE_RECORDER_H
#define KUBE_RECORDER_H

#include <kube/client.h>

KUBE_BEGIN_DECLS

typedef struct kube_recorder kube_recorder;

#define KUBE_EVENT_NORMAL "Normal"
#define KUBE_EVENT_WARNING "Warning"

/** An event as it was recorded; valid during the call it is passed to. */
typedef struct kube_recorded_event {
    const kube_object *object;
    const char *type;
    const char *reason;
    const char *message;
    const char *action;         /* "" = none */
    const kube_object *related; /* NULL = none */
} kube_recorded_event;

/** Which API events are sent to. */
typedef enum kube_recorder_api {
    KUBE_RECORDER_CORE,   /* core/v1 Events: repeats are counted, similar ones combined (EV-3) */
    KUBE_RECORDER_EVENTS, /* events.k8s.io/v1: repeats are a series (EV-6) */
} kube_recorder_api;

/** Of core events (EV-3); zero members mean client-go's values, -1 switches a bound off. */
typedef struct kube_correlation {
    int max_similar;           /* 0 = 10: from so many distinct messages on they are combined */
    int64_t similar_window_ms; /* 0 = 600 s without one: those messages are forgotten */
    int spam_burst;            /* 0 = 25 events of an object and type at once; -1 = no budget */
    int64_t spam_refill_ms;    /* 0 = 300 s for each further one; -1 = no budget */
} kube_correlation;

typedef struct kube_recorder_options {
    const char *component; /* "network-controller" */
    size_t queue_len;      /* beyond it new events are dropped and logged; 0 = 1000. As many again
                              may wait for another try */
    kube_clock *clock;     /* of time stamps, retries and series; NULL = the machine's */
    /** Takes each event instead of the server, on the thread that records it; the client may be
     * NULL then. <kube/testing/recorder.h> has one that keeps them. NULL = send. */
    void (*sink)(void *arg, const kube_recorded_event *event);
    void *sink_arg;
    kube_recorder_api api;
    kube_correlation correlation;
    bool log;      /* each event is a line of the log, too (EV-5): info, or warning */
    uint64_t seed; /* of the jitter of retries; 0 = from the machine */
} kube_recorder_options;

/** A recorder and its sending thread (EV-1). @p client must outlive it. Any number of recorders. */
KUBE_CHECKED kube_code kube_recorder_new(kube_client *client, const kube_recorder_options *options,
                                         kube_recorder **out, kube_error *err);
/**
 * Sends what is queued, tries what waits for another try once more, and writes the counts of
 * series, all for at most @p flush_ms; then joins the thread and frees. Nobody records any more.
 * NULL allowed.
 */
KUBE_API void kube_recorder_free(kube_recorder *recorder, int64_t flush_ms);
/**
 * Records an event about @p object (`&obj->base`, whose type must be set: objects from the server
 * or a cache have it). Never blocks. @p type is KUBE_EVENT_NORMAL or KUBE_EVENT_WARNING; anything
 * else, an empty reason, or an object without a type is logged and dropped. The text is cut at 1024
 * bytes; what is not UTF-8 in it becomes '?'. Threads: any.
 */
KUBE_API void kube_recorder_event(kube_recorder *recorder, const kube_object *object,
                                  const char *type, const char *reason, const char *format, ...)
    KUBE_PRINTF(5, 6);

/** More of an event; zero members are left out. */
typedef struct kube_event_note {
    const kube_object *regarding; /* needed: as `object` above */
    const kube_object *related;   /* another object it is about */
    const char *type;             /* needed */
    const char *reason;           /* needed */
    const char *action;           /* what was done: "Create"; needed with KUBE_RECORDER_EVENTS */
    kube_string_map annotations;
} kube_event_note;
/** The same with all of it; kube_recorder_event() says action = reason. Threads: any. */
KUBE_API void kube_recorder_note(kube_recorder *recorder, const kube_event_note *note,
                                 const char *format, ...) KUBE_PRINTF(3, 4);

/** Counts since the start. Threads: any. */
typedef struct kube_recorder_stats {
    uint64_t recorded; /* taken */
    uint64_t sent;     /* created or patched */
    uint64_t dropped;  /* queue full, or ill-formed */
    uint64_t spam;     /* over the object's budget */
    uint64_t failed;   /* refused, or given up */
    size_t queued;     /* or waiting for another try */
} kube_recorder_stats;
KUBE_API void kube_recorder_get_stats(kube_recorder *recorder, kube_recorder_stats *stats);

KUBE_END_DECLS

#endif /* KUBE_RECORDER_H */
