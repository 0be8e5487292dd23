/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a reflector, and the transitions that each of its files makes: lower first, a file
 * calls those before it. */
#ifndef KUBE_CACHE_REFLECTOR_STATE_H
#define KUBE_CACHE_REFLECTOR_STATE_H

#include "bad_objects.h"
#include "base/ctx.h"
#include "failures.h"
#include "reflector.h"
#include "transformer.h"

#include <stdatomic.h>

enum {
    KUBE__REFLECTOR_BATCH = 1000,    /* FIFO-4 */
    KUBE__MARKER_WARNING_MS = 10000, /* REF-14 */
    KUBE__WATCH_SECONDS = 300,       /* REF-8: and up to twice that */
};

struct kube__reflector {
    kube__reflector_options options;
    kube_clock *clock;
    kube_ctx *turn; /* of one wait: its deadline is the next timer */
    kube__transformer transformer;
    kube__failures failures;
    uint64_t random_state;
    kube__reflector_state state;

    kube_backoff backoff; /* after an answer (REF-2) */
    kube_backoff
        unanswered;     /* while there is none: a refused connection costs the server nothing */
    bool is_unanswered; /* the last request got no answer */
    int64_t backoff_until_ns;
    kube__reflector_state after_backoff;

    char *version;     /* last seen (REF-7, REF-12); NULL = none yet */
    bool listed;       /* the store has had a first replace */
    bool unavailable;  /* the server does not have `version` any more: list at "" (REF-3) */
    bool paginated;    /* a list at "0" came in pages: go on so (REF-4) */
    bool no_stream;    /* the streaming list failed in this round (REF-14) */
    int stream_breaks; /* of streaming lists in a row, before their end */
    int64_t no_stream_until_ns; /* the server seems not to know streaming lists */

    /* A server that goes back, as after a restore of its etcd (REF-18). */
    bool lost;         /* the connection was, so that the server may be another now */
    int64_t verify_ns; /* when to ask for its version; 0 = no doubt */
    bool went_back;    /* it did: the next list counts, whatever its version */

    /* A list under way. */
    char *ask_version;
    char *list_version;   /* the first page's */
    char *continue_token; /* NULL = first page */
    bool whole;           /* a page expired: all in one (PAG-1) */
    bool retried;         /* REF-5 */
    kube__table *staged;
    kube__bad_objects bad_staged;
    size_t bad_listed;  /* of which it is not known which object they are */
    size_t bad_unknown; /* such items that were never cached, see keep_missing() */

    /* The open result stream. */
    kube__result_stream *results;
    bool gathering; /* a streaming list before its end (REF-14) */
    bool unordered; /* synthetic ADDED events: their versions mean nothing (REF-12) */
    uint64_t result_count;
    int short_feeds; /* streams in a row that ended within a second */
    int64_t opened_ns;
    int64_t end_ns;    /* by then the server must have ended it */
    int64_t marker_ns; /* next warning about the missing end of a streaming list */
    int64_t listed_ns; /* last time that a streaming list grew */
    kube__result *events;
    kube__delta *deltas;
    kube_error lost_event; /* why one could not be taken in */

    int64_t internal_error_first_ns;
    int64_t internal_error_last_ns;
    int64_t bad_log_ns;

    kube__bad_objects bad; /* that are there, in or beside what is cached */

    _Atomic uint64_t lists;
    _Atomic uint64_t watches;
    _Atomic uint64_t event_count;
    _Atomic uint64_t bad_objects;
    _Atomic uint64_t backoffs;
    _Atomic size_t queued_peak;
    _Atomic int64_t last_list_ns;
    _Atomic int64_t last_event_ns;
    _Atomic int64_t last_heard_ns;
};

/* ---- reflector_state.c ----------------------------------------------------------------------- */

int64_t kube__reflector_now_ns(const kube__reflector *r);
/* Puts a copy of @text in *@slot. Returns false if out of memory. */
bool kube__set_text(char **slot, const char *text);
/* Returns whether the ctx has ended, so that failures do not matter any more. */
bool kube__reflector_ended(const kube__reflector *r);
kube__result_stream_options kube__reflector_list_options(const kube__reflector *r);
kube__result_stream_options kube__reflector_watch_options(kube__reflector *r, const char *version);
KUBE__CHECKED kube_code kube__reflector_open(kube__reflector *r,
                                             const kube__result_stream_options *options,
                                             kube_error *err);
void kube__reflector_close(kube__reflector *r);
/* How much the open result stream has had queued: a watch is open for minutes. */
void kube__reflector_note_peak(kube__reflector *r);
void kube__reflector_drop_staged(kube__reflector *r);
/* Returns whether a failure says nothing about the requested version, so that the same request may
 * be made again (REF-9). */
static inline bool kube__is_reopenable(const kube_error *err)
{
    return err->code == KUBE_ERR_TRANSPORT || err->code == KUBE_ERR_TOO_MANY_REQUESTS;
}
kube__reflector_state kube__reflector_back_off(kube__reflector *r, const kube_error *err,
                                               kube__reflector_state after);
kube__reflector_state kube__reflector_no_memory(kube__reflector *r);
/* Notes that a watch has come to its end: one that has lived for a while makes up for earlier
 * failures. */
void kube__reflector_note_life(kube__reflector *r);
/* Counts and logs an object that is skipped, because it cannot be decoded or used. @bad NULL = it
 * is not known which one, @err may be NULL. */
void kube__reflector_count_bad(kube__reflector *r, const kube__bad_object *bad,
                               const kube_error *err);
/* Notes that an object is there and cannot be used, and tells the sink. */
KUBE__CHECKED kube_code kube__reflector_put_bad(kube__reflector *r, kube_key key, const char *field,
                                                const char *reason, kube_error *err);
/* Notes that it is good again or gone. */
void kube__reflector_remove_bad(kube__reflector *r, kube_key key);
void kube__reflector_tell_bad(kube__reflector *r, kube_key key, bool is_bad);
static inline kube_key kube__bad_key(const kube__bad_object *bad)
{
    return kube_key_of(bad->namespace_, bad->name);
}

/* ---- reflector_back.c ------------------------------------------------------------------------ */

/* Whether the server has said @version although a newer one was seen. */
bool kube__reflector_is_behind_us(const kube__reflector *r, const char *version);
/* The server has gone back to @version: lists anew, at the newest version there is now. */
kube__reflector_state kube__reflector_go_back(kube__reflector *r, const char *version);
/* Asks for the server's version. */
kube__reflector_state kube__reflector_verify(kube__reflector *r);

/* ---- reflector_list.c ------------------------------------------------------------------------ */

kube__reflector_state kube__reflector_start(kube__reflector *r);
kube__reflector_state kube__reflector_list_open(kube__reflector *r);
kube__reflector_state kube__reflector_list_read(kube__reflector *r);
kube__reflector_state kube__reflector_stream_open(kube__reflector *r);
/* Lists in pages for the rest of this round (REF-14). */
kube__reflector_state kube__reflector_fall_back(kube__reflector *r, kube_log_level level,
                                                const kube_error *err);
/* A streaming list has ended before its end mark. */
kube__reflector_state kube__reflector_stream_broke(kube__reflector *r, const kube_error *why);
/* When a streaming list that does not grow is given up; INT64_MAX = there is none. */
int64_t kube__reflector_stream_due_ns(const kube__reflector *r);
/* Gives it up. */
kube__reflector_state kube__reflector_stream_ignored(kube__reflector *r);
/* Gathers events up to the end mark or the end of the batch. *@at is then the first that was not
 * taken. */
kube__reflector_state kube__reflector_gather(kube__reflector *r, size_t *at, size_t count);

/* ---- reflector_watch.c ----------------------------------------------------------------------- */

kube__reflector_state kube__reflector_watch_open(kube__reflector *r);
kube__reflector_state kube__reflector_watch_read(kube__reflector *r);
/* Does what is due: resync, warnings. */
void kube__reflector_tick(kube__reflector *r);
/* When the next resync is due, INT64_MAX = never. */
int64_t kube__reflector_resync_due_ns(const kube__reflector *r);
int64_t kube__reflector_ms_until(const kube__reflector *r, int64_t due_ns);

#endif /* KUBE_CACHE_REFLECTOR_STATE_H */
