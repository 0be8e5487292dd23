/* SPDX-License-Identifier: Apache-2.0 */
/* What watch.c, watch_event.c and watchers.c share. */
#ifndef KUBE_APISERVER_WATCH_STATE_H
#define KUBE_APISERVER_WATCH_STATE_H

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/store/list_options.h"
#include "apiserver/store/store.h"
#include "apiserver/view/view.h"

typedef enum kube__api_event_type {
    KUBE__EVENT_ADDED,
    KUBE__EVENT_MODIFIED,
    KUBE__EVENT_DELETED,
    KUBE__EVENT_BOOKMARK,
    KUBE__EVENT_INITIAL_END, /* a bookmark that says so */
    KUBE__EVENT_ERROR,       /* the watch ends behind it */
} kube__api_event_type;

typedef struct kube__api_event {
    kube__api_event_type type;
    kube__api_object *object; /* a reference; NULL for bookmarks and errors */
    uint64_t version;         /* that the client learns of */
    uint64_t oldest;          /* of ERROR: the oldest version that would have done */
} kube__api_event;

struct kube__api_watch {
    kube__api_watchers *owner;
    kube__api_watch *next; /* all of them */
    kube__api_watch *previous;
    kube__api_watch *next_here; /* those of the collection */
    kube__api_watch **here;     /* what points at this one */
    kube__api_watch *next_ready;
    kube_ctx *ctx;             /* of what follows; used by open() and, its request, by the reader */
    kube__api_request request; /* what views and faults ask for */
    kube__api_resource *resource;
    kube__api_list_options options;
    kube__api_view view;
    uint64_t after; /* changes up to this version are known to the client */
    int64_t end_ns;
    int64_t bookmark_ns; /* the next one; INT64_MAX = none */
    /* the reader's: */
    kube_ctx *scratch; /* of one event */
    kube__buffer text; /* of the events in hand */
    size_t sent;
    bool with_columns;          /* of a Table: the next event has them */
    uint64_t last;              /* version of the last event that was read */
    kube__api_object **initial; /* state at the start, references */
    size_t initial_len;
    size_t initial_at;
    /* under the owner's lock: */
    kube__api_event *queue; /* a ring */
    size_t queue_size;
    size_t queue_first;
    size_t queue_len;
    size_t pending_bytes;
    bool ended;
    bool hungry; /* a read returned 0: wake it */
    bool ready;  /* in the list of those to be woken */
    void (*wake)(void *arg);
    void *arg;
};

struct kube__api_watchers {
    kube_apiserver *server;
    kube_clock *clock;
    kube__mutex lock;
    kube__condition changed;
    kube__thread thread;
    kube__api_watch *first;
    kube__api_watch *ready;
    kube__api_watch *waking; /* its wake() runs now */
    int64_t due_ns;          /* no watch has to do with time before */
    uint64_t version;        /* the newest one */
    bool closed;
    bool stopping;
};

/* ---- watchers.c, under the owner's lock ----------------------------------------------------- */

/* Queues an event; takes its reference. Ends the watch when too much is pending. */
void kube__api_watch_push(kube__api_watch *watch, kube__api_event event);
/* No more events; what is queued is still read. */
void kube__api_watch_finish(kube__api_watch *watch);
/* Sets *@out to what this watch sees of a change. Returns false if it sees nothing. */
bool kube__api_watch_sees(const kube__api_watch *watch, const kube__api_change *change,
                          kube__api_event *out);
/* When the next bookmark is sent. */
int64_t kube__api_watch_next_bookmark(const kube__api_watch *watch, int64_t now_ns);

/* ---- watch_event.c: the reader's ------------------------------------------------------------ */

/* Appends the text of an event, and what faults make of it; false = the watch ends behind it. */
bool kube__api_watch_write(kube__api_watch *watch, const kube__api_event *event);

#endif /* KUBE_APISERVER_WATCH_STATE_H */
