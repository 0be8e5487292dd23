/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list or watch as a queue of objects that is bounded in bytes. The I/O thread decodes into it
 * and pauses its connection while the queue is full; one reader takes batches out. The reflector
 * and kube_watch read from it.
 */
#ifndef KUBE_NET_RESULT_STREAM_H
#define KUBE_NET_RESULT_STREAM_H

#include "object/stream/stream.h"

typedef struct kube__result_stream kube__result_stream;

/* A batch element. The reader owns object and strings, see kube__result_stream_event_fini(). */
typedef struct kube__result {
    kube_watch_event_type type;
    kube_object *object;
    char *resource_version; /* BOOKMARK only: objects carry their own */
    bool initial_events_end;
    kube_error *error;     /* of ERROR and BAD, or why a reflector's transform refuses the object */
    kube__bad_object *bad; /* BAD only: which object, NULL = not known */
} kube__result;

typedef struct kube__result_stream_options {
    kube__stream_form form; /* KUBE__STREAM_LIST or KUBE__STREAM_WATCH */
    const char *namespace_;
    kube_list_options list;   /* used by form LIST */
    kube_watch_options watch; /* used by form WATCH */
    bool hides_bookmarks;     /* but for the end of initial events that were asked for */
    bool drop_managed_fields;
    bool intern;
    size_t buffer_bytes; /* JSON bytes decoded but not taken; 0 = 4 MiB */
} kube__result_stream_options;

/* Sends the request and waits for the answer's head; an answer other than 200 is the error. */
KUBE__CHECKED kube_code kube__result_stream_open(kube_client *client, kube_ctx *ctx,
                                                 const kube_type *type,
                                                 const kube__result_stream_options *options,
                                                 kube__result_stream **out, kube_error *err);
/*
 * Waits for events and takes up to @max of them. KUBE_ERR_CLOSED = ended cleanly (for a list: all
 * of it came), other codes = cut or undecodable; earlier events have been delivered by then.
 */
KUBE__CHECKED kube_code kube__result_stream_next(kube__result_stream *results, kube_ctx *ctx,
                                                 kube__result *events, size_t max, size_t *count,
                                                 kube_error *err);
/* A list's metadata after KUBE_ERR_CLOSED. */
const kube_list_meta *kube__result_stream_list_meta(const kube__result_stream *results);
size_t kube__result_stream_queued_peak(const kube__result_stream *results);
/* Cancels the transfer if it runs, drops what is queued. Blocks only for the I/O thread's turn. */
void kube__result_stream_close(kube__result_stream *results);
void kube__result_stream_event_fini(kube__result *event);

#endif /* KUBE_NET_RESULT_STREAM_H */
