/* SPDX-License-Identifier: Apache-2.0 */
/* An event that waits to be sent: a copy of what was recorded, and what the sender adds to it. */
#ifndef KUBE_CONTROL_EVENT_OBJECT_H
#define KUBE_CONTROL_EVENT_OBJECT_H

#include "control/api/objects.h"

#include <kube/recorder.h>

enum {
    KUBE__EVENT_MESSAGE_MAX = 1024, /* bytes; the server's bound of a note */
    KUBE__EVENT_NAME_SIZE = 254,    /* of any object, with NUL */
};

typedef struct kube__event {
    struct kube__event *next; /* in the queue, later among those that wait to be sent */
    kube__wire_object_reference regarding;
    kube__wire_object_reference related; /* kind NULL = none */
    const char *type;
    const char *reason;
    const char *action; /* "" = none */
    const char *message;
    kube_string_map annotations;
    int64_t wall_ns; /* when it was recorded */
    int64_t now_ns;  /* the same, monotonic */
    /* What follows is the sender's. */
    unsigned refs;
    bool waits;     /* to be sent */
    bool created;   /* the server has had it */
    bool combined;  /* stands for events with different messages (EV-3) */
    int tries;      /* that failed */
    int64_t due_ns; /* of the next one */
    int32_t count;
    int32_t written;  /* count that the server has */
    int64_t first_ns; /* wall times of the first and the last occurrence */
    int64_t last_ns;
    char name[KUBE__EVENT_NAME_SIZE];
    char text[]; /* of the members above */
} kube__event;

/* Who sends. */
typedef struct kube__event_source {
    const char *component;
    const char *host;
    const char *instance; /* of events.k8s.io: "<component>-<host>" */
} kube__event_source;

/* A copy of @note, whose regarding and related have types, at @clock's time; one reference.
 * Returns NULL if out of memory. */
kube__event *kube__event_new(kube_clock *clock, const kube_event_note *note, const char *action,
                             const char *message);
kube__event *kube__event_ref(kube__event *event);
void kube__event_unref(kube__event *event);

/* "<object>.<hexadecimal nanoseconds>", or a UUID where that is no DNS subdomain (EV-2). */
void kube__event_set_name(kube__event *event, int64_t stamp_ns);
/* The namespace of the Event: the object's, or "default". */
const char *kube__event_namespace(const kube__event *event);

/*
 * Sends once: CREATE, or PATCH of the count or the series where it was there before, and CREATE
 * when it is gone. On success the server's name is in event->name.
 */
KUBE__CHECKED kube_code kube__event_send_core(kube_client *client, kube_ctx *ctx,
                                              const kube__event_source *source, kube__event *event,
                                              kube_error *err);
KUBE__CHECKED kube_code kube__event_send_series(kube_client *client, kube_ctx *ctx,
                                                const kube__event_source *source,
                                                kube__event *event, kube_error *err);

#endif /* KUBE_CONTROL_EVENT_OBJECT_H */
