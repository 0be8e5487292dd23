/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list or watch as a byte-bounded queue: the I/O thread decodes into it and pauses its connection
 * when it is full; one reader takes batches out. What the reflector and kube_watch read from.
 */
#ifndef KUBE_NET_FEED_H
#define KUBE_NET_FEED_H

#include "object/stream/stream.h"

typedef struct kube__feed kube__feed;

/* A batch element. The reader owns object and strings, see kube__feed_event_fini(). */
typedef struct kube__feed_event {
    kube_event_type type;
    kube_object *object;
    char *resource_version; /* BOOKMARK only: objects carry their own */
    bool initial_events_end;
    kube_error *error; /* ERROR and BAD only */
} kube__feed_event;

typedef struct kube__feed_options {
    kube__stream_form form; /* KUBE__STREAM_LIST or KUBE__STREAM_WATCH */
    const char *namespace_;
    kube_list_options list;   /* used by form LIST */
    kube_watch_options watch; /* used by form WATCH */
    bool drop_managed_fields;
    bool intern;
    size_t buffer_bytes; /* JSON bytes decoded but not taken; 0 = 4 MiB */
} kube__feed_options;

/* Sends the request and waits for the answer's head; an answer other than 200 is the error. */
KUBE_CHECKED kube_code kube__feed_open(kube_client *client, kube_ctx *ctx, const kube_type *type,
                                       const kube__feed_options *options, kube__feed **out,
                                       kube_error *err);
/*
 * Waits for events and takes up to @max of them. KUBE_ERR_CLOSED = ended cleanly (for a list: all
 * of it came), other codes = cut or undecodable; earlier events have been delivered by then.
 */
KUBE_CHECKED kube_code kube__feed_next(kube__feed *feed, kube_ctx *ctx, kube__feed_event *events,
                                       size_t max, size_t *count, kube_error *err);
/* A list's metadata after KUBE_ERR_CLOSED. */
const kube_list_meta *kube__feed_list_meta(const kube__feed *feed);
size_t kube__feed_queued_peak(const kube__feed *feed);
/* Cancels the transfer if it runs, drops what is queued. Blocks only for the I/O thread's turn. */
void kube__feed_close(kube__feed *feed);
void kube__feed_event_fini(kube__feed_event *event);

#endif /* KUBE_NET_FEED_H */
