/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All open watches: hands changes on to them under the server's lock and its own, and has one
 * thread that tells readers, without any lock, and does what the clock asks for.
 */
#include "apiserver/core/apiserver.h"
#include "apiserver/store/store.h"
#include "base/units.h"
#include "watch.h"
#include "watch_state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PENDING_BYTES = 16 << 20, MAX_PENDING_EVENTS = 1 << 17 };

/* ---- one watch ------------------------------------------------------------------------------ */

/* Has the reader woken, if it waits. */
static void feed(kube__api_watch *watch)
{
    kube__api_watchers *watchers = watch->owner;
    if (!watch->hungry || watch->ready)
        return;
    watch->hungry = false;
    watch->ready = true;
    watch->next_ready = watchers->ready;
    watchers->ready = watch;
    kube__broadcast(&watchers->changed);
}

void kube__api_watch_finish(kube__api_watch *watch)
{
    watch->ended = true;
    feed(watch);
}

static bool grow_queue(kube__api_watch *watch)
{
    size_t size = watch->queue_size ? watch->queue_size * 2 : 16;
    kube__api_event *grown = size > MAX_PENDING_EVENTS ? NULL : malloc(size * sizeof *grown);
    if (!grown)
        return false;
    for (size_t i = 0; i < watch->queue_len; i++)
        grown[i] = watch->queue[(watch->queue_first + i) % watch->queue_size];
    free(watch->queue);
    watch->queue = grown;
    watch->queue_size = size;
    watch->queue_first = 0;
    return true;
}

void kube__api_watch_push(kube__api_watch *watch, kube__api_event event)
{
    size_t bytes = event.object ? event.object->len : 0;
    bool fits = !watch->ended && watch->pending_bytes + bytes <= MAX_PENDING_BYTES &&
                (watch->queue_len < watch->queue_size || grow_queue(watch));
    if (!fits) {
        kube__api_object_unref(event.object);
        if (!watch->ended)
            kube__api_watch_finish(watch);
        return;
    }
    watch->queue[(watch->queue_first + watch->queue_len) % watch->queue_size] = event;
    watch->queue_len++;
    watch->pending_bytes += bytes;
    feed(watch);
}

static bool matches(const kube__api_watch *watch, const kube__api_object *object)
{
    const char *namespace_ = watch->request.namespace_;
    if (*namespace_ && strcmp(object->namespace_, namespace_) != 0)
        return false;
    return kube__api_list_matches(&watch->options, object);
}

bool kube__api_watch_sees(const kube__api_watch *watch, const kube__api_change *change,
                          kube__api_event *out)
{
    bool is = change->type != KUBE__API_DELETED && matches(watch, change->object);
    bool was = change->old && matches(watch, change->old);
    if (!is && !was)
        return false;
    *out = (kube__api_event){
        .type = !was ? KUBE__EVENT_ADDED
                : is ? KUBE__EVENT_MODIFIED
                     : KUBE__EVENT_DELETED,
        .object = is || change->type == KUBE__API_DELETED ? change->object : change->old,
        .version = change->object->version,
    };
    return true;
}

int64_t kube__api_watch_next_bookmark(const kube__api_watch *watch, int64_t now_ns)
{
    if (!watch->options.bookmarks)
        return INT64_MAX;
    int64_t next = now_ns + watch->owner->server->options.bookmark_interval_ms * KUBE__NS_PER_MS;
    /* The real server sends one shortly before the end, so that the next watch starts there. */
    if (next > watch->end_ns - 2 * KUBE__NS_PER_S)
        next = watch->end_ns - 2 * KUBE__NS_PER_S;
    return next > now_ns ? next : INT64_MAX;
}

/* ---- what the store tells ------------------------------------------------------------------- */

static kube__api_watch *first_here(kube__api_collection *collection)
{
    return *kube__api_collection_watches(collection);
}

static void on_change(void *arg, const kube__api_change *change)
{
    kube__api_watchers *watchers = arg;
    kube__lock(&watchers->lock);
    watchers->version = change->object->version;
    for (kube__api_watch *watch = first_here(change->object->collection); watch;
         watch = watch->next_here) {
        kube__api_event event;
        if (watch->ended || change->object->version <= watch->after ||
            !kube__api_watch_sees(watch, change, &event))
            continue;
        kube__api_object_ref(event.object);
        kube__api_watch_push(watch, event);
    }
    kube__unlock(&watchers->lock);
}

static void on_drop(void *arg, kube__api_collection *collection)
{
    kube__api_watchers *watchers = arg;
    kube__lock(&watchers->lock);
    for (kube__api_watch *watch = first_here(collection); watch; watch = watch->next_here)
        kube__api_watch_finish(watch);
    kube__unlock(&watchers->lock);
}

/* ---- the thread ----------------------------------------------------------------------------- */

static void tell_reader(kube__api_watchers *watchers)
{
    kube__api_watch *watch = watchers->ready;
    watchers->ready = watch->next_ready;
    watch->ready = false;
    if (!watch->wake)
        return;
    watchers->waking = watch;
    kube__unlock(&watchers->lock);
    watch->wake(watch->arg);
    kube__lock(&watchers->lock);
    watchers->waking = NULL;
    kube__broadcast(&watchers->changed);
}

static void bookmark(kube__api_watch *watch)
{
    /* A watch from a version that is still to come knows better than we do. */
    if (!watch->ended && watch->options.bookmarks && watch->after <= watch->owner->version)
        kube__api_watch_push(watch, (kube__api_event){.type = KUBE__EVENT_BOOKMARK,
                                                      .version = watch->owner->version});
}

static void look_at_clock(kube__api_watchers *watchers, int64_t now)
{
    watchers->due_ns = INT64_MAX;
    for (kube__api_watch *watch = watchers->first; watch; watch = watch->next) {
        if (watch->ended)
            continue;
        if (watch->end_ns <= now) {
            kube__api_watch_finish(watch);
            continue;
        }
        if (watch->bookmark_ns <= now) {
            bookmark(watch);
            watch->bookmark_ns = kube__api_watch_next_bookmark(watch, now);
        }
        int64_t due = watch->bookmark_ns < watch->end_ns ? watch->bookmark_ns : watch->end_ns;
        if (due < watchers->due_ns)
            watchers->due_ns = due;
    }
}

static void *run(void *arg)
{
    kube__api_watchers *watchers = arg;
    kube__lock(&watchers->lock);
    for (;;) {
        int64_t now = watchers->clock->now_ns(watchers->clock);
        if (watchers->due_ns <= now)
            look_at_clock(watchers, now);
        if (watchers->ready)
            tell_reader(watchers);
        else if (watchers->stopping)
            break;
        else
            kube__wait_until(watchers->clock, &watchers->changed, &watchers->lock,
                             watchers->due_ns);
    }
    kube__unlock(&watchers->lock);
    return NULL;
}

/* ---- from outside --------------------------------------------------------------------------- */

kube_code kube__api_watchers_start(kube_apiserver *server, kube__api_watchers **out,
                                   kube_error *err)
{
    kube__api_watchers *watchers = calloc(1, sizeof *watchers);
    kube_code rc = KUBE_OK;
    *out = NULL;
    if (!watchers)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for the watches");
    watchers->server = server;
    watchers->clock = server->clock;
    watchers->due_ns = INT64_MAX;
    watchers->version = kube__api_store_version(server->store);
    rc = kube__mutex_init(&watchers->lock, err);
    if (rc)
        goto no_mutex;
    rc = kube__condition_init(&watchers->changed, err);
    if (rc)
        goto no_condition;
    if (!kube__api_store_observe(server->store, on_change, watchers) ||
        !kube__api_store_observe_drops(server->store, on_drop, watchers))
        rc = kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for the watches");
    if (!rc)
        rc = kube__thread_start(&watchers->thread, "api-watches", run, watchers, err);
    if (!rc) {
        *out = watchers;
        return KUBE_OK;
    }
    kube__condition_fini(&watchers->changed);
no_condition:
    kube__mutex_fini(&watchers->lock);
no_mutex:
    free(watchers);
    return rc;
}

static void finish_all(kube__api_watchers *watchers)
{
    for (kube__api_watch *watch = watchers->first; watch; watch = watch->next)
        kube__api_watch_finish(watch);
}

void kube__api_watchers_end(kube__api_watchers *watchers)
{
    kube__lock(&watchers->lock);
    finish_all(watchers);
    kube__unlock(&watchers->lock);
}

void kube__api_watchers_close(kube__api_watchers *watchers)
{
    kube__lock(&watchers->lock);
    watchers->closed = true;
    finish_all(watchers);
    while (watchers->ready || watchers->waking)
        kube__wait(&watchers->changed, &watchers->lock);
    kube__unlock(&watchers->lock);
}

void kube__api_watchers_free(kube__api_watchers *watchers)
{
    if (!watchers)
        return;
    kube__lock(&watchers->lock);
    watchers->stopping = true;
    kube__broadcast(&watchers->changed);
    kube__unlock(&watchers->lock);
    kube__thread_join(&watchers->thread);
    kube__condition_fini(&watchers->changed);
    kube__mutex_fini(&watchers->lock);
    free(watchers);
}

void kube__api_watchers_send_bookmarks(kube__api_watchers *watchers)
{
    kube__lock(&watchers->lock);
    for (kube__api_watch *watch = watchers->first; watch; watch = watch->next)
        bookmark(watch);
    kube__unlock(&watchers->lock);
}

static bool says(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

size_t kube__api_watchers_count(kube__api_watchers *watchers, const kube_api_call_filter *filter)
{
    static const kube_api_call_filter all;
    if (!filter)
        filter = &all;
    size_t count = 0;
    kube__lock(&watchers->lock);
    for (kube__api_watch *watch = watchers->first; watch; watch = watch->next) {
        if (!watch->ended && !filter->writes && says(filter->verb, "watch") &&
            says(filter->resource, watch->request.plural) && says(filter->subresource, "") &&
            says(filter->namespace_, watch->request.namespace_) &&
            says(filter->name, watch->request.name) && says(filter->user, watch->request.user.name))
            count++;
    }
    kube__unlock(&watchers->lock);
    return count;
}
