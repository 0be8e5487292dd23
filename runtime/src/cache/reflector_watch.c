/* SPDX-License-Identifier: Apache-2.0 */
/* The second half of a reflector's round: it watches from the version of the list (REF-8…13). The
 * timers are here too. */
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "reflector_state.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHORT_WATCH_MS = 1000, /* REF-10 */
    SHORT_FEEDS_MAX = 3,   /* in a row are opened again at once */
    INTERNAL_ERROR_RESET_MS = 60000,
};

/* ---- timers ---------------------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t kube__reflector_resync_due_ns(const kube__reflector *r)
{
    return r->listed ? r->options.sink.resync_due_ns(r->options.sink.arg) : INT64_MAX;
}

void kube__reflector_tick(kube__reflector *r)
{
    int64_t now = kube__reflector_now_ns(r);
    kube_error err;
    if (now >= kube__reflector_resync_due_ns(r) &&
        r->options.sink.resync(r->options.sink.arg, &err) && !kube__reflector_ended(r))
        kube__failures_report(&r->failures, KUBE_LOG_ERROR, now, &err);
    if (r->results && r->gathering && now >= r->marker_ns) {
        kube_log_warn("%s: the first list is not complete yet, %u objects so far",
                      r->options.type->resource, (unsigned)r->staged->count);
        r->marker_ns = now + KUBE__MARKER_WARNING_MS * KUBE__NS_PER_MS;
    }
}

static int64_t next_timer_ns(const kube__reflector *r)
{
    int64_t due = earlier(r->end_ns, kube__reflector_resync_due_ns(r));
    if (r->verify_ns)
        due = earlier(due, r->verify_ns);
    return r->gathering ? earlier(due, earlier(r->marker_ns, kube__reflector_stream_due_ns(r)))
                        : due;
}

int64_t kube__reflector_ms_until(const kube__reflector *r, int64_t due_ns)
{
    return kube__ns_left_ms(due_ns - kube__reflector_now_ns(r));
}

/* Records that the watch is alive. Bookmarks count as life, not as events. */
static void note_heard(kube__reflector *r, size_t count)
{
    int64_t now = kube__reflector_now_ns(r);
    atomic_store(&r->last_heard_ns, now);
    for (size_t i = 0; i < count; i++) {
        if (r->events[i].type != KUBE_WATCH_BOOKMARK && r->events[i].type != KUBE_WATCH_ERROR) {
            atomic_store(&r->last_event_ns, now);
            return;
        }
    }
}

/* Waits for events until the next timer; *@timer = it was that which ended the wait. */
static kube_code next_events(kube__reflector *r, size_t *count, bool *timer, kube_error *err)
{
    kube_code rc;
    *count = 0;
    kube_ctx_reset(r->turn);
    kube_ctx_set_timeout_ms(r->turn, kube__reflector_ms_until(r, next_timer_ns(r)));
    rc = r->options.source->next(r->results, r->turn, r->events, KUBE__REFLECTOR_BATCH, count, err);
    kube__reflector_note_peak(r);
    if (*count > 0)
        note_heard(r, *count);
    *timer = rc == KUBE_ERR_TIMEOUT && kube__reflector_now_ns(r) >= next_timer_ns(r);
    return rc;
}

/* ---- watch ----------------------------------------------------------------------------------- */

kube__reflector_state kube__reflector_watch_open(kube__reflector *r)
{
    kube__result_stream_options options =
        kube__reflector_watch_options(r, kube__text_or_empty(r->version));
    kube_error err;
    atomic_fetch_add(&r->watches, 1);
    if (kube__reflector_open(r, &options, &err)) { /* REF-9 */
        bool same = kube__is_reopenable(&err);
        return kube__reflector_back_off(r, &err,
                                        same ? KUBE__REFLECTOR_WATCH_OPEN : KUBE__REFLECTOR_START);
    }
    kube__failures_clear(&r->failures, r->opened_ns); /* the first event may be long in coming */
    r->unordered = !*kube__text_or_empty(r->version) || strcmp(r->version, "0") == 0;
    return KUBE__REFLECTOR_WATCH_READ;
}

static bool may_retry_internal_error(kube__reflector *r, const kube_error *err)
{
    int64_t now = kube__reflector_now_ns(r);
    if (r->options.internal_error_retry_ms <= 0 || err->code != KUBE_ERR_SERVER)
        return false;
    if (r->internal_error_last_ns == 0 ||
        now - r->internal_error_last_ns >= INTERNAL_ERROR_RESET_MS * KUBE__NS_PER_MS)
        r->internal_error_first_ns = now;
    r->internal_error_last_ns = now;
    return now - r->internal_error_first_ns <= r->options.internal_error_retry_ms * KUBE__NS_PER_MS;
}

/* REF-10: an ERROR event. */
static kube__reflector_state watch_failed(kube__reflector *r, const kube_error *err)
{
    kube__reflector_note_life(r);
    kube__reflector_close(r);
    if (err->code == KUBE_ERR_TOO_MANY_REQUESTS)
        return kube__reflector_back_off(r, err, KUBE__REFLECTOR_WATCH_OPEN);
    if (may_retry_internal_error(r, err))
        return KUBE__REFLECTOR_WATCH_OPEN;
    return kube__reflector_back_off(r, err, KUBE__REFLECTOR_START);
}

/* A deleted object that cannot be used: the delete must not get lost, so it is told with the state
 * that the cache has. */
static kube_object *cached_state(kube__reflector *r, const kube_object *object)
{
    kube__name name = kube__table_name(kube__store_table(r->options.store), object);
    return (kube_object *)(uintptr_t)kube__store_get(r->options.store, name);
}

/* An event with an object that the transform refuses. What came before is applied already, since it
 * may concern the same object. */
static bool refused_to_delta(kube__reflector *r, const kube__result *event, kube__delta *delta,
                             const kube_error **failure)
{
    kube_key key = kube_meta_key(kube_object_metadata(event->object));
    const kube_error *why = event->error;
    kube__reflector_count_bad(r, NULL, why);
    delta->deleted = event->type == KUBE_WATCH_DELETED;
    delta->object = delta->deleted ? cached_state(r, event->object) : NULL;
    if (!delta->deleted &&
        kube__reflector_put_bad(r, key, why->field, why->message, &r->lost_event))
        *failure = &r->lost_event;
    if (delta->deleted && !delta->object) /* what is not cached may be among the bad ones */
        kube__reflector_remove_bad(r, key);
    return delta->object != NULL;
}

/* Notes in the event that the transform refuses its object. */
static kube_code note_refused(kube__result *event, const kube_error *why, kube_error *err)
{
    event->error = malloc(sizeof *why);
    if (!event->error)
        return kube__no_memory(err, "an event");
    *event->error = *why;
    return KUBE_OK;
}

/*
 * Whether the event changes the store; *@version is the object's, unless that is not known. For
 * want of memory an event is lost, which ends the watch (*@failure); what is wrong with the object
 * itself concerns nobody else. One that the transform refuses has an error afterwards.
 */
static bool to_delta(kube__reflector *r, kube__result *event, kube__delta *delta,
                     const char **version, const kube_error **failure)
{
    kube_error err;
    kube_code rc = kube__transformer_check_name(&r->transformer, event->object, &err);
    if (rc) {
        kube__reflector_count_bad(r, NULL, &err);
        return false;
    }
    delta->deleted = event->type == KUBE_WATCH_DELETED;
    rc = kube__transformer_prepare(&r->transformer, &event->object, &err);
    if (rc && rc != KUBE_ERR_NO_MEMORY)
        rc = note_refused(event, &err, &err);
    if (rc) {
        r->lost_event = err;
        *failure = &r->lost_event;
    }
    if (rc || event->error)
        return false;
    delta->object = event->object;
    event->object = NULL;
    *version = kube_object_metadata(delta->object)->resource_version;
    return true;
}

/* The delete of an object is one, also when its last state does not decode. */
static bool bad_to_delta(kube__reflector *r, const kube__result *event, kube__delta *delta,
                         const kube_error **failure)
{
    const kube__bad_object *bad = event->bad;
    const kube__name name = {bad->namespace_, bad->name};
    if (bad->type != KUBE_WATCH_DELETED) {
        if (kube__reflector_put_bad(r, kube__bad_key(bad), bad->field, bad->reason, &r->lost_event))
            *failure = &r->lost_event;
        return false;
    }
    delta->object = (kube_object *)(uintptr_t)kube__store_get(r->options.store, name);
    delta->deleted = true;
    if (!delta->object) /* else it is forgotten once the delete is applied */
        kube__reflector_remove_bad(r, kube__bad_key(bad));
    return delta->object != NULL;
}

/* What is in a batch of events. */
typedef struct collected {
    size_t len;                /* of the changes */
    const char *version;       /* of the last one that has one */
    const kube_error *failure; /* that ended the watch, or a lost event */
    const char *back;          /* a version that shows that the server has gone back */
} collected;

/* Turns events into changes up to what ends the watch, or to the end. */
static void collect(kube__reflector *r, size_t *at, size_t count, collected *c)
{
    *c = (collected){0};
    for (; *at < count && !c->failure; (*at)++) {
        kube__result *event = &r->events[*at];
        const char *seen = event->resource_version;
        if (event->type == KUBE_WATCH_ERROR) {
            c->failure = event->error;
            break;
        }
        if (event->type == KUBE_WATCH_BAD) {
            if (event->bad && c->len > 0)
                break; /* what came before is applied first */
            kube__reflector_count_bad(r, event->bad, event->error);
            if (event->bad)
                c->len += bad_to_delta(r, event, &r->deltas[c->len], &c->failure);
            continue;
        }
        if (event->object && !event->error &&
            to_delta(r, event, &r->deltas[c->len], &seen, &c->failure)) {
            c->len++;
        } else if (event->object) {
            if (event->error && c->len > 0)
                break; /* what came before is applied first, and this one is not tried again */
            if (event->error)
                c->len += refused_to_delta(r, event, &r->deltas[c->len], &c->failure);
            continue;
        }
        r->result_count++;
        atomic_fetch_add_explicit(&r->event_count, 1, memory_order_relaxed);
        r->unordered = r->unordered && event->type == KUBE_WATCH_ADDED;
        if (r->unordered || !seen || !*seen) /* REF-12 */
            continue;
        if (event->type == KUBE_WATCH_BOOKMARK && kube__reflector_is_behind_us(r, seen)) {
            c->back = seen;
            break;
        }
        c->version = seen;
    }
}

/* Objects that are good now, or gone: for a while nothing says so, if memory is out. */
static const kube_object **hold_changed(const kube__reflector *r, size_t len)
{
    const kube_object **objects = NULL;
    if (r->bad.len > 0 && len > 0)
        objects = malloc(len * sizeof *objects);
    for (size_t i = 0; objects && i < len; i++)
        objects[i] = kube_object_ref(r->deltas[i].object);
    return objects;
}

/* Only now: an object that neither the cache has nor the bad ones is one that is not there. */
static void forget_bad(kube__reflector *r, const kube_object **objects, size_t len, kube_code rc)
{
    for (size_t i = 0; objects && i < len; i++) {
        if (!rc)
            kube__reflector_remove_bad(r, kube_meta_key(kube_object_metadata(objects[i])));
        kube_object_unref(objects[i]);
    }
    free(objects);
}

/* Enters changes and version; the version stays ours once the store has it. */
static kube_code apply(kube__reflector *r, size_t len, const char *version, kube_error *err)
{
    char *copy = version ? strdup(version) : NULL;
    const kube_object **changed = hold_changed(r, len);
    kube_code rc = KUBE_OK;
    if (version && !copy)
        rc = kube__no_memory(err, "a resourceVersion");
    if (!rc && (len > 0 || copy))
        rc = r->options.sink.apply(r->options.sink.arg, r->deltas, len, copy, err);
    forget_bad(r, changed, len, rc);
    for (size_t i = 0; i < len; i++) /* those that were not applied */
        kube_object_unref(r->deltas[i].object);
    if (rc || !copy) {
        free(copy);
        return rc;
    }
    free(r->version);
    r->version = copy;
    kube__failures_clear(&r->failures, kube__reflector_now_ns(r));
    return KUBE_OK;
}

/* Events that could not be entered are lost: only a list brings them back. */
static kube__reflector_state watch_events(kube__reflector *r, size_t *at, size_t count)
{
    kube_error err;
    collected c;
    collect(r, at, count, &c);
    if (apply(r, c.len, c.version, &err))
        return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
    if (c.version)
        r->verify_ns = 0; /* what is newer than what was seen proves that the server has that */
    if (c.back)
        return kube__reflector_go_back(r, c.back);
    return c.failure ? watch_failed(r, c.failure) : KUBE__REFLECTOR_WATCH_READ;
}

/* REF-10: the stream ended, cleanly or not. */
static kube__reflector_state watch_ended(kube__reflector *r, kube_code code, const kube_error *why)
{
    bool gathering = r->gathering;
    bool is_short = kube__reflector_now_ns(r) - r->opened_ns < SHORT_WATCH_MS * KUBE__NS_PER_MS;
    bool very_short = is_short && r->result_count == 0;
    kube_error err;
    r->short_feeds = is_short ? r->short_feeds + 1 : 0;
    r->lost = r->lost || code != KUBE_ERR_CLOSED;
    kube__reflector_note_life(r);
    kube__reflector_close(r);
    if (code != KUBE_ERR_CLOSED && code != KUBE_ERR_TRANSPORT && code != KUBE_ERR_TIMEOUT)
        return gathering ? kube__reflector_fall_back(r, KUBE_LOG_DEBUG, why)
                         : kube__reflector_back_off(r, why, KUBE__REFLECTOR_START);
    if (!very_short && gathering)
        return kube__reflector_stream_broke(r, why);
    if (!very_short) {
        if (r->short_feeds <= SHORT_FEEDS_MAX)
            return KUBE__REFLECTOR_WATCH_OPEN;
        kube_error_set(&err, code, "the server ended several watches in a row within a second");
        return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_WATCH_OPEN);
    }
    kube_error_set(&err, code, "very short watch: the server ended it at once, without an event");
    return gathering ? kube__reflector_fall_back(r, KUBE_LOG_DEBUG, &err)
                     : kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
}

kube__reflector_state kube__reflector_watch_read(kube__reflector *r)
{
    kube__reflector_state state = KUBE__REFLECTOR_WATCH_READ;
    kube_error err = {.code = KUBE_OK};
    size_t count;
    size_t at = 0;
    bool timer;
    kube_code rc = next_events(r, &count, &timer, &err);
    if (rc && kube__reflector_ended(r))
        return KUBE__REFLECTOR_STOPPED;
    if (rc && (!timer || kube__reflector_now_ns(r) >= r->end_ns))
        state = watch_ended(r, rc, &err);
    if (r->gathering)
        state = kube__reflector_gather(r, &at, count);
    while (state == KUBE__REFLECTOR_WATCH_READ && at < count)
        state = watch_events(r, &at, count);
    for (size_t i = 0; i < count; i++)
        kube__result_stream_event_fini(&r->events[i]);
    kube__reflector_tick(r);
    if (state != KUBE__REFLECTOR_WATCH_READ)
        return state;
    if (kube__reflector_now_ns(r) >= kube__reflector_stream_due_ns(r))
        return kube__reflector_stream_ignored(r);
    return r->verify_ns && kube__reflector_now_ns(r) >= r->verify_ns ? KUBE__REFLECTOR_VERIFY
                                                                     : KUBE__REFLECTOR_WATCH_READ;
}
