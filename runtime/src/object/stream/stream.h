/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes an object, a list or a watch that comes in chunks of any size. Items are delivered as
 * soon as they are complete, whatever the order of the members. The time is linear in the bytes.
 */
#ifndef KUBE_OBJECT_STREAM_H
#define KUBE_OBJECT_STREAM_H

#include <kube/client.h>

typedef enum kube__stream_form {
    KUBE__STREAM_OBJECT, /* one object */
    KUBE__STREAM_LIST,   /* {"items": […], "metadata": {…}} in any order */
    KUBE__STREAM_WATCH,  /* {"type": …, "object": …} one after another */
} kube__stream_form;

/* Which object it is that does not decode, and why, apart from where it stood. */
typedef struct kube__bad_object {
    kube_watch_event_type type; /* of its event */
    char namespace_[64];
    char name[254];
    char field[128];  /* JSON path within the object; may be "" */
    char reason[256]; /* begins with the path */
} kube__bad_object;

/* One decoded thing. Strings and object are valid during the call; the sink may take the object. */
typedef struct kube__item {
    kube_watch_event_type type;   /* ADDED for list items and single objects */
    kube_object *object;          /* the sink's reference from then on; NULL unless an object */
    size_t json_len;              /* bytes it took in the stream */
    const char *resource_version; /* of the object or bookmark; NULL when it has none */
    bool initial_events_end;
    const kube_error *error;     /* of ERROR and BAD */
    const kube__bad_object *bad; /* of BAD; NULL = its text does not say which object it is */
} kube__item;

/* Returns anything but KUBE_OK to stop: feed() returns that. Called inside feed(). */
typedef kube_code kube__item_sink(void *arg, const kube__item *item, kube_error *err);

typedef struct kube__stream kube__stream;

typedef struct kube__stream_options {
    kube__stream_form form;
    bool drop_managed_fields; /* skipped while decoding, not lost: the object is not partial */
    bool intern;              /* share few-valued strings: for objects that are kept */
    bool named;               /* an object without a name is BAD */
    size_t max_item_bytes;    /* larger ones are BAD; 0 = 64 MiB */
} kube__stream_options;

/* Confined to one thread at a time. Pools are the stream's; its objects hold them. */
KUBE__CHECKED kube_code kube__stream_new(const kube_type *type, const kube__stream_options *options,
                                         kube__item_sink *sink, void *arg, kube__stream **out,
                                         kube_error *err);
void kube__stream_free(kube__stream *stream);
/* Starts over for another answer of the same form, keeping pool and buffers. */
void kube__stream_reset(kube__stream *stream, kube__stream_form form);
/*
 * Decodes what is complete and keeps the rest. KUBE_ERR_DECODE = the document itself is broken (a
 * single bad item is a BAD item instead), KUBE_ERR_UNDECODABLE = it is an object that does not fit
 * the type; @err names path and offset. A 200 answer that is a
 * failure Status (REQ-6) is that Status as error.
 */
KUBE__CHECKED kube_code kube__stream_feed(kube__stream *stream, const char *data, size_t len,
                                          kube_error *err);
/* Ends the answer. KUBE_ERR_DECODE if it ends in the middle of something. */
KUBE__CHECKED kube_code kube__stream_finish(kube__stream *stream, kube_error *err);
/* A list's metadata, valid until reset or free: known only after finish(). */
const kube_list_meta *kube__stream_list_meta(const kube__stream *stream);
/* Bytes looked at so far, again when looked at again: at most three times those of an item. */
uint64_t kube__stream_bytes_read(const kube__stream *stream);
/* Bytes of pool and buffers. */
size_t kube__stream_memory(const kube__stream *stream);

/* Reads a Status document (any other text: synthetic, by HTTP code, EM-2, REQ-6) into @err and
 * returns its code, never KUBE_OK. @method and @what ("networks \"a\"") serve the message. */
kube_code kube__status_to_error(const char *method, const char *what, int http_status,
                                const char *content_type, const char *body, size_t len,
                                int64_t retry_after_ms, kube_error *err);

#endif /* KUBE_OBJECT_STREAM_H */
