/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a stream, which has one buffer for its text. The next unit (an item, an event, or a
 * member of the list) is read at once, as if it were complete. If it is not, it is read again only
 * when its end has come, and that end is searched for only in the new bytes. So no byte is looked
 * at more than three times, however the text is cut.
 *
 * A step returns MORE if it needs more text, OK if it can go on, and anything else if feed() shall
 * return *@code.
 */
#ifndef KUBE_OBJECT_STREAM_STATE_H
#define KUBE_OBJECT_STREAM_STATE_H

#include "base/buffer.h"
#include "event.h"
#include "extent.h"
#include "stream.h"

typedef enum kube__stream_state {
    STATE_START,
    STATE_FIRST_KEY, /* a member of the list, or its end */
    STATE_KEY,
    STATE_MEMBER,     /* its value */
    STATE_FIRST_ITEM, /* or the end of the items */
    STATE_ITEM,
    STATE_AFTER_ITEM,
    STATE_AFTER_MEMBER,
    STATE_EVENT,
    STATE_END, /* only blanks may follow */
} kube__stream_state;

struct kube__stream {
    const kube_type *type;
    kube__stream_options options;
    kube__item_sink *sink;
    void *arg;
    kube__decoder decoder;
    kube__pool *pool;

    char *buffer; /* padded */
    size_t len;
    size_t size;
    size_t at;        /* of what is next */
    uint64_t dropped; /* bytes that stood before the buffer */
    uint64_t bytes_read;

    kube__stream_state state;
    kube_code failed; /* what feed() has returned */
    uint64_t item_index;

    /* The unit at `at`, once it was found incomplete. */
    bool waiting;
    bool ended;    /* its end has come: it is at `searched` */
    bool skipping; /* it is bad: its bytes are dropped as they come */
    kube__extent extent;
    size_t searched;     /* where the search for its end goes on */
    bool keeping;        /* its bytes are kept all the same: they say which object it is */
    uint64_t unit_start; /* in the document, while skipping */
    kube_error bad;
    kube__bad_object bad_object;

    char key[32]; /* name of the member; a name that is cut is not one that matters */
    kube__buffer head;
    bool is_status;
    bool saw_items;
    bool is_list;       /* it has items, or the kind of a list */
    char mismatch[160]; /* why this is not the type's list, "" = nothing known */
    kube_list_meta read_meta;
    kube_list_meta meta; /* published */
    char *resource_version;
    char *continue_;
    kube__event_text event;
};

static inline uint64_t kube__stream_offset(const kube__stream *s, const char *p)
{
    return s->dropped + (uint64_t)(p - s->buffer);
}

/* The document itself is broken at p of the decoder's lexer. */
kube__lex kube__stream_broken(kube__stream *s, kube__lex got, kube_code *code, kube_error *err);

/* Before the unit at `at` is read: OK when it may be, MORE when its end has not come, VALUE when it
 * is too large; it is then being skipped. */
kube__lex kube__unit_begin(kube__stream *s, const char **end);
/* Counts what a read looked at. */
void kube__unit_count(kube__stream *s, kube__lex got, const char *start, const char *end);
void kube__unit_over(kube__stream *s, const char *end);
/* The read said MORE. */
kube__lex kube__unit_cut(kube__stream *s, kube_code *code, kube_error *err);
/*
 * The decoder has read the unit from @start on and said *@got. Returns true if the unit is whole
 * and over; else the step is to return *@got: the unit waits for its end or, being bad, is skipped,
 * or the document is broken.
 */
bool kube__unit_end(kube__stream *s, const char *start, const char *end, kube__lex *got,
                    kube_code *code, kube_error *err);
/* A step while a bad unit goes by. What went by is dropped. */
kube__lex kube__unit_pass(kube__stream *s, kube_code *code, kube_error *err);

kube_code kube__stream_deliver(kube__stream *s, const kube__item *item, kube_error *err);
/* s->bad says why; @text, up to @end, is what there is of the object, NULL = nothing. */
kube_code kube__stream_deliver_bad(kube__stream *s, kube_watch_event_type type, const char *text,
                                   const char *end, size_t json_len, kube_error *err);
/* What the decoder has read. */
kube_code kube__stream_deliver_object(kube__stream *s, kube_watch_event_type type, size_t json_len,
                                      kube_error *err);

/* An item of a list, or the only object. */
kube__lex kube__stream_step_item(kube__stream *s, kube_code *code, kube_error *err);
kube__lex kube__stream_step_after_item(kube__stream *s, kube_code *code, kube_error *err);
kube__lex kube__stream_step_key(kube__stream *s, kube_code *code, kube_error *err);
kube__lex kube__stream_step_member(kube__stream *s, kube_code *code, kube_error *err);
kube__lex kube__stream_step_after_member(kube__stream *s, kube_code *code, kube_error *err);
kube__lex kube__stream_step_event(kube__stream *s, kube_code *code, kube_error *err);
void kube__stream_forget_meta(kube__stream *s);

#endif /* KUBE_OBJECT_STREAM_STATE_H */
