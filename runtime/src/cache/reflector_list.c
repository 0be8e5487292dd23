/* SPDX-License-Identifier: Apache-2.0 */
/* The first half of a reflector's round: it lists, by a stream (REF-14) or in pages (REF-3…7,
 * PAG-1). */
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "reflector_state.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_SIZE = 500,           /* REF-3 */
    STREAM_BREAKS_MAX = 3,     /* of a streaming list in a row */
    STREAM_QUIET_MS = 30000,   /* so long it may be without a further object, and without its end */
    STREAM_AGAIN_MS = 3600000, /* after that long it is tried again */
};

/* ---- gathering a list ------------------------------------------------------------------------ */

static bool stage_afresh(kube__reflector *r)
{
    kube__reflector_drop_staged(r);
    r->staged = kube__store_stage(r->options.store);
    return r->staged != NULL;
}

static bool is_version_lost(const kube_error *err)
{
    return kube_error_is_expired(err) || kube_error_is_too_large_version(err);
}

static kube_code stage(kube__reflector *r, kube__result *event, kube_error *err)
{
    kube_code rc = kube__transformer_check_name(&r->transformer, event->object, err);
    if (rc) {
        r->bad_listed++;
        kube__reflector_count_bad(r, NULL, err);
        return KUBE_OK;
    }
    kube__bad_objects_remove(&r->bad_staged, kube_meta_key(kube_object_metadata(event->object)));
    if (event->type == KUBE_WATCH_DELETED) {
        kube__store_stage_remove(r->staged, event->object);
        return KUBE_OK;
    }
    rc = kube__transformer_prepare(&r->transformer, &event->object, err);
    if (!rc)
        rc = kube__store_stage_put(r->options.store, r->staged, event->object, !r->went_back, err);
    if (!rc)
        event->object = NULL;
    return rc;
}

/* Of an object that has become undecodable, the state that is cached stays: it has not been
 * deleted, and to tell a controller so would make it tear things down. */
static kube_code stage_bad(kube__reflector *r, const kube__result *event, kube_error *err)
{
    const kube__bad_object *bad = event->bad;
    const kube_object *cached;
    kube__name name;
    uint32_t staged;
    kube_code rc;
    kube__reflector_count_bad(r, bad, event->error);
    if (!bad) {
        r->bad_listed++;
        return KUBE_OK;
    }
    name = (kube__name){bad->namespace_, bad->name};
    staged = kube__table_find(r->staged, name);
    if (bad->type == KUBE_WATCH_DELETED) {
        kube_object_unref(kube__table_remove(r->staged, staged));
        kube__bad_objects_remove(&r->bad_staged, kube__bad_key(bad));
        return KUBE_OK;
    }
    rc = kube__bad_objects_put(&r->bad_staged, kube__bad_key(bad), bad->field, bad->reason, NULL,
                               err);
    if (rc || staged != KUBE__NO_ID)
        return rc;
    cached = kube__store_get(r->options.store, name);
    if (!cached)
        return KUBE_OK;
    rc = kube__store_stage_put(r->options.store, r->staged, cached, true, err);
    if (rc)
        kube_object_unref(cached);
    return rc;
}

/*
 * How many objects a list may lack without counting as deleted, for the items that do not even say
 * which object they are. Items that were bad in the very first list hide
 * nothing that was ever cached. So with b bad items beyond those, up to b missing objects stay; if
 * more are missing, objects have been deleted for certain, and all that are missing go.
 */
static size_t keep_missing(kube__reflector *r)
{
    if (!r->listed || r->bad_listed < r->bad_unknown)
        r->bad_unknown = r->bad_listed;
    return r->bad_listed - r->bad_unknown;
}

static void tell_new(void *arg, kube_key key)
{
    kube__reflector_tell_bad(arg, key, true);
}

static bool tell_ended(void *arg, kube_key key, const char *reason)
{
    kube__reflector *r = arg;
    (void)reason;
    if (!kube__bad_objects_find(&r->bad, key, NULL))
        kube__reflector_tell_bad(r, key, false);
    return true;
}

/* REF-7: the store first, then the version. */
static kube_code commit(kube__reflector *r, const char *version, kube_error *err)
{
    char *copy = strdup(version);
    kube__table *staged = r->staged;
    int64_t last_list_ns = atomic_load(&r->last_list_ns);
    kube_code rc;
    if (!copy)
        return kube__no_memory(err, "a resourceVersion");
    /* Until the store is replaced there are those of both lists, so that none is missing. */
    rc = kube__bad_objects_merge(&r->bad, &r->bad_staged, tell_new, r, err);
    if (rc) {
        free(copy);
        return rc;
    }
    r->staged = NULL;
    /* First, because replacing tells waiters that the cache has synced. */
    atomic_store(&r->last_list_ns, kube__reflector_now_ns(r));
    rc = r->options.sink.replace(r->options.sink.arg, staged, version, keep_missing(r), err);
    r->bad_listed = 0;
    if (rc) {
        atomic_store(&r->last_list_ns, last_list_ns);
        free(copy);
        return rc;
    }
    kube__bad_objects_swap(&r->bad_staged, &r->bad);
    kube__bad_objects_each(&r->bad_staged, tell_ended, r);
    kube__bad_objects_clear(&r->bad_staged);
    free(r->version);
    r->version = copy;
    r->listed = true;
    r->unavailable = false;
    r->no_stream = false;
    r->stream_breaks = 0;
    r->went_back = false;
    kube__failures_clear(&r->failures, kube__reflector_now_ns(r));
    return KUBE_OK;
}

/* ---- a round --------------------------------------------------------------------------------- */

static void clear_text(char **slot)
{
    free(*slot);
    *slot = NULL;
}

/* REF-3, REF-14: which version a list asks for. */
static const char *relist_version(const kube__reflector *r, const char *first)
{
    if (r->unavailable)
        return "";
    return r->listed ? kube__text_or_empty(r->version) : first;
}

kube__reflector_state kube__reflector_start(kube__reflector *r)
{
    bool stream = !r->options.no_streaming_list && !r->no_stream &&
                  kube__reflector_now_ns(r) >= r->no_stream_until_ns;
    clear_text(&r->continue_token);
    clear_text(&r->list_version);
    r->whole = false;
    r->retried = false;
    if (!kube__set_text(&r->ask_version, relist_version(r, stream ? "" : "0")))
        return kube__reflector_no_memory(r);
    return stream ? KUBE__REFLECTOR_STREAM_OPEN : KUBE__REFLECTOR_LIST_OPEN;
}

/* ---- streaming list -------------------------------------------------------------------------- */

kube__reflector_state kube__reflector_fall_back(kube__reflector *r, kube_log_level level,
                                                const kube_error *err)
{
    kube__reflector_close(r);
    kube__reflector_drop_staged(r);
    if (kube__reflector_ended(r))
        return KUBE__REFLECTOR_STOPPED;
    kube_log(level, __FILE__, __LINE__, "%s: the streaming list failed, listing in pages: %s",
             r->options.type->resource, err->message);
    r->no_stream = true;
    return KUBE__REFLECTOR_START;
}

/* Whether a stream ended as watches do, by their timeout. */
static bool is_end_of_watch(const kube__reflector *r, const kube_error *why)
{
    return why->code == KUBE_ERR_CLOSED &&
           kube__reflector_now_ns(r) - r->opened_ns >= KUBE__WATCH_SECONDS * KUBE__NS_PER_S;
}

/* The first time may be chance; a list that never comes to its end is worth nothing. */
kube__reflector_state kube__reflector_stream_broke(kube__reflector *r, const kube_error *why)
{
    kube_error err = *why;
    if (is_end_of_watch(r, why))
        return kube__reflector_stream_ignored(r);
    r->stream_breaks++;
    if (r->stream_breaks == 1) {
        kube__reflector_close(r);
        return KUBE__REFLECTOR_STREAM_OPEN;
    }
    kube_error_prefix(&err, "the streaming list has ended %d times before it was complete",
                      r->stream_breaks);
    if (r->stream_breaks >= STREAM_BREAKS_MAX)
        return kube__reflector_fall_back(r, KUBE_LOG_WARN, &err);
    return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_STREAM_OPEN);
}

int64_t kube__reflector_stream_due_ns(const kube__reflector *r)
{
    return r->gathering ? r->listed_ns + STREAM_QUIET_MS * KUBE__NS_PER_MS : INT64_MAX;
}

/* Servers that do not know the parameter send a watch, which never says that the list is over. */
kube__reflector_state kube__reflector_stream_ignored(kube__reflector *r)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_TIMEOUT,
                   "the server does not say that its streaming list is complete");
    r->no_stream_until_ns = kube__reflector_now_ns(r) + STREAM_AGAIN_MS * KUBE__NS_PER_MS;
    return kube__reflector_fall_back(r, KUBE_LOG_WARN, &err);
}

/* A streaming list was refused, at once or in the stream. */
static kube__reflector_state stream_failed(kube__reflector *r, const kube_error *err)
{
    kube__reflector_close(r);
    if (kube__is_reopenable(err))
        return kube__reflector_back_off(r, err, KUBE__REFLECTOR_STREAM_OPEN);
    if (!is_version_lost(err) || !*r->ask_version)
        return kube__reflector_fall_back(r, KUBE_LOG_DEBUG, err);
    r->unavailable = true;
    if (!kube__set_text(&r->ask_version, ""))
        return kube__reflector_no_memory(r);
    return KUBE__REFLECTOR_STREAM_OPEN;
}

kube__reflector_state kube__reflector_stream_open(kube__reflector *r)
{
    kube__result_stream_options options = kube__reflector_watch_options(r, r->ask_version);
    kube_error err;
    options.watch.send_initial_events = true;
    options.watch.resource_version_match = "NotOlderThan";
    if (!stage_afresh(r))
        return kube__reflector_no_memory(r);
    atomic_fetch_add(&r->watches, 1);
    if (kube__reflector_open(r, &options, &err))
        return kube__reflector_ended(r) ? KUBE__REFLECTOR_STOPPED : stream_failed(r, &err);
    r->gathering = true;
    r->unordered = true;
    r->marker_ns = r->opened_ns + KUBE__MARKER_WARNING_MS * KUBE__NS_PER_MS;
    r->listed_ns = r->opened_ns;
    return KUBE__REFLECTOR_WATCH_READ;
}

/* The bookmark that ends a streaming list: from here on the stream is a watch (REF-14). */
static kube__reflector_state stream_complete(kube__reflector *r, const char *version)
{
    kube_error err;
    if (kube__reflector_is_behind_us(r, version))
        return kube__reflector_go_back(r, version);
    if (commit(r, version, &err))
        return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
    r->gathering = false;
    r->unordered = false;
    return KUBE__REFLECTOR_WATCH_READ;
}

static const char *version_of(const kube__result *event)
{
    return kube__text_or_empty(event->object ? kube_object_metadata(event->object)->resource_version
                                             : event->resource_version);
}

/* A reopened streaming list resumes at the last resourceVersion seen. The versions of the initial
 * ADDED events are in no order and do not count (REF-12). */
static bool advance(kube__reflector *r, const kube__result *event)
{
    const char *version = version_of(event);
    if (event->type == KUBE_WATCH_ADDED || !*version)
        return true;
    return kube__set_text(&r->ask_version, version);
}

static kube__reflector_state gather_one(kube__reflector *r, kube__result *event)
{
    kube_error err;
    if (event->type == KUBE_WATCH_ERROR)
        return stream_failed(r, event->error);
    if (event->type == KUBE_WATCH_BAD) {
        if (!event->bad || event->bad->type == KUBE_WATCH_ADDED)
            r->listed_ns = kube__reflector_now_ns(r); /* the list grows, if not by what is usable */
        return stage_bad(r, event, &err) ? kube__reflector_no_memory(r)
                                         : KUBE__REFLECTOR_WATCH_READ;
    }
    r->result_count++;
    atomic_fetch_add_explicit(&r->event_count, 1, memory_order_relaxed);
    if (event->type == KUBE_WATCH_BOOKMARK && event->initial_events_end)
        return stream_complete(r, version_of(event));
    if (!advance(r, event))
        return kube__reflector_no_memory(r);
    if (event->type == KUBE_WATCH_ADDED)
        r->listed_ns = kube__reflector_now_ns(r);
    if (event->object && stage(r, event, &err))
        return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
    return KUBE__REFLECTOR_WATCH_READ;
}

kube__reflector_state kube__reflector_gather(kube__reflector *r, size_t *at, size_t count)
{
    kube__reflector_state state = KUBE__REFLECTOR_WATCH_READ;
    for (; *at < count && r->gathering && state == KUBE__REFLECTOR_WATCH_READ; ++*at)
        state = gather_one(r, &r->events[*at]);
    return state;
}

/* ---- list by pages --------------------------------------------------------------------------- */

/* REF-4 */
static int64_t page_limit(const kube__reflector *r)
{
    if (r->whole)
        return 0;
    if (r->options.page_size > 0)
        return r->options.page_size;
    if (r->paginated || !*r->ask_version || strcmp(r->ask_version, "0") == 0)
        return PAGE_SIZE;
    return 0;
}

static kube__reflector_state list_failed(kube__reflector *r, const kube_error *err)
{
    bool expired = kube_error_is_expired(err);
    kube__reflector_close(r);
    if (kube__reflector_ended(r))
        return KUBE__REFLECTOR_STOPPED;
    if (expired && r->continue_token && !r->whole) {
        /* PAG-1: all at once, in place of what came so far */
        r->whole = true;
    } else if (is_version_lost(err) && !r->retried) { /* REF-5: once, without waiting */
        r->retried = true;
        r->unavailable = true;
        if (!kube__set_text(&r->ask_version, ""))
            return kube__reflector_no_memory(r);
    } else {
        r->unavailable = r->unavailable || is_version_lost(err);
        return kube__reflector_back_off(r, err, KUBE__REFLECTOR_START);
    }
    clear_text(&r->continue_token);
    clear_text(&r->list_version);
    kube__reflector_drop_staged(r);
    return KUBE__REFLECTOR_LIST_OPEN;
}

kube__reflector_state kube__reflector_list_open(kube__reflector *r)
{
    kube__result_stream_options options = kube__reflector_list_options(r);
    kube_error err;
    options.list.limit = page_limit(r);
    if (r->continue_token) { /* PAG-1: the server refuses a version beside it */
        options.list.continue_token = r->continue_token;
    } else {
        options.list.resource_version = r->ask_version;
        atomic_fetch_add(&r->lists, 1);
        if (!stage_afresh(r))
            return kube__reflector_no_memory(r);
    }
    if (kube__reflector_open(r, &options, &err))
        return list_failed(r, &err);
    return KUBE__REFLECTOR_LIST_READ;
}

static kube__reflector_state list_end(kube__reflector *r)
{
    const kube_list_meta *metadata = r->options.source->list_meta(r->results);
    const char *next = metadata ? kube__text_or_empty(metadata->continue_) : "";
    kube_error err;
    if (!r->list_version &&
        !kube__set_text(&r->list_version,
                        metadata ? kube__text_or_empty(metadata->resource_version) : ""))
        return kube__reflector_no_memory(r);
    if (*next && r->continue_token && strcmp(next, r->continue_token) == 0) {
        kube_error_set(&err, KUBE_ERR_SERVER, "the server returned the same continue token twice");
        return list_failed(r, &err);
    }
    if (*next) {
        if (strcmp(r->ask_version, "0") == 0 && r->options.page_size == 0)
            r->paginated = true;
        if (!kube__set_text(&r->continue_token, next))
            return kube__reflector_no_memory(r);
        kube__reflector_close(r);
        return KUBE__REFLECTOR_LIST_OPEN;
    }
    kube__reflector_close(r);
    if (!*r->list_version && r->staged->count == 0 && kube__store_count(r->options.store) > 0) {
        /* Something in between said {}: that does not delete all there is. */
        kube_error_set(&err, KUBE_ERR_DECODE,
                       "the answer is not a list: it has neither items nor a resourceVersion");
        return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
    }
    if (kube__reflector_is_behind_us(r, r->list_version))
        return kube__reflector_go_back(r, r->list_version);
    if (commit(r, r->list_version, &err))
        return kube__reflector_back_off(r, &err, KUBE__REFLECTOR_START);
    return KUBE__REFLECTOR_WATCH_OPEN;
}

static kube_code take_item(kube__reflector *r, kube__result *event, kube_error *err)
{
    if (event->type == KUBE_WATCH_ERROR) {
        *err = *event->error;
        return err->code ? err->code : KUBE_ERR_SERVER;
    }
    if (event->type == KUBE_WATCH_BAD)
        return stage_bad(r, event, err);
    return event->object ? stage(r, event, err) : KUBE_OK;
}

kube__reflector_state kube__reflector_list_read(kube__reflector *r)
{
    size_t count = 0;
    kube_error err;
    kube_code rc = r->options.source->next(r->results, r->options.ctx, r->events,
                                           KUBE__REFLECTOR_BATCH, &count, &err);
    kube_code taken = KUBE_OK;
    if (rc == KUBE_ERR_CLOSED)
        return list_end(r);
    if (rc)
        return list_failed(r, &err);
    for (size_t i = 0; i < count && !taken; i++)
        taken = take_item(r, &r->events[i], &err);
    for (size_t i = 0; i < count; i++)
        kube__result_stream_event_fini(&r->events[i]);
    return taken ? list_failed(r, &err) : KUBE__REFLECTOR_LIST_READ;
}
