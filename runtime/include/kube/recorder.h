/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Events about objects: created once, counted up when they repeat.
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
} kube_recorded_event;

typedef struct kube_recorder_options {
    const char *component; /* "network-controller" */
    size_t queue_len;      /* waiting events; beyond it new ones are dropped and logged; 0 = 1000 */
    kube_clock *clock;     /* of time stamps and retries; NULL = the machine's */
    /** Takes each event instead of the server, on the thread that records it; the client may be
     * NULL then. <kube/testing/recorder.h> has one that keeps them. NULL = send. */
    void (*sink)(void *arg, const kube_recorded_event *event);
    void *sink_arg;
} kube_recorder_options;

/** A recorder and its sending thread (EV-1). @p client must outlive it. */
KUBE_CHECKED kube_code kube_recorder_new(kube_client *client, const kube_recorder_options *options,
                                         kube_recorder **out, kube_error *err);
/** Sends what is queued, for at most @p flush_ms, then joins the thread and frees. NULL allowed. */
KUBE_API void kube_recorder_free(kube_recorder *recorder, int64_t flush_ms);
/**
 * Records an event about @p object (`&obj->base`, whose type must be set: objects from the server
 * or a cache have it). Never blocks. @p type is KUBE_EVENT_NORMAL or KUBE_EVENT_WARNING; anything
 * else, or an object without a type, is logged and dropped. Threads: any.
 */
KUBE_API void kube_recorder_event(kube_recorder *recorder, const kube_object *object,
                                  const char *type, const char *reason, const char *format, ...)
    KUBE_PRINTF(5, 6);

KUBE_END_DECLS

#endif /* KUBE_RECORDER_H */
