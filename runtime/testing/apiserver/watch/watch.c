/* SPDX-License-Identifier: Apache-2.0 */
#include "watch.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/store/store.h"
#include "apiserver/value/steps.h"
#include "base/units.h"
#include "watch_state.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 }; /* events taken at once */

/* ---- opening -------------------------------------------------------------------------------- */

static kube__api_pairs copy_pairs(kube_ctx *ctx, kube__api_pairs pairs)
{
    kube__api_pair *copy = kube_ctx_alloc_array(ctx, pairs.len, sizeof *copy);
    for (size_t i = 0; copy && i < pairs.len; i++) {
        copy[i].key = kube_ctx_strdup(ctx, pairs.items[i].key);
        copy[i].value = kube_ctx_strdup(ctx, pairs.items[i].value);
    }
    return (kube__api_pairs){copy, copy ? pairs.len : 0};
}

static void copy_request(kube__api_watch *watch, const kube__api_request *request)
{
    kube_ctx *ctx = watch->ctx;
    kube__api_request *copy = &watch->request;
    *copy = *request;
    copy->ctx = ctx;
    copy->method = "GET";
    copy->verb = "watch";
    copy->path = *request->query_text
                     ? kube__api_text(ctx, "%s?%s", request->path, request->query_text)
                     : kube_ctx_strdup(ctx, request->path);
    copy->query_text = "";
    copy->query = copy_pairs(ctx, request->query);
    copy->headers = copy_pairs(ctx, request->headers);
    copy->body = "";
    copy->body_len = 0;
    copy->group = watch->resource->group;
    copy->version = watch->resource->version;
    copy->plural = watch->resource->plural;
    copy->subresource = "";
    copy->namespace_ = kube_ctx_strdup(ctx, request->namespace_);
    copy->name = kube_ctx_strdup(ctx, request->name);
    copy->user = (kube__api_user){.name = kube_ctx_strdup(ctx, request->user.name), .uid = ""};
}

static void free_unlisted(kube__api_watch *watch)
{
    for (size_t i = watch->initial_at; i < watch->initial_len; i++)
        kube__api_object_unref(watch->initial[i]);
    free(watch->initial);
    for (size_t i = 0; i < watch->queue_len; i++)
        kube__api_object_unref(watch->queue[(watch->queue_first + i) % watch->queue_size].object);
    free(watch->queue);
    kube__buffer_fini(&watch->text);
    kube__api_resource_unref(watch->resource);
    kube_ctx_free(watch->scratch);
    kube_ctx_free(watch->ctx);
    free(watch);
}

/* A watch of which only free_unlisted() may follow. Returns NULL if out of memory. */
static kube__api_watch *watch_new(kube_apiserver *server, const kube__api_request *request,
                                  kube__api_resource *resource)
{
    kube__api_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->owner = server->watchers;
    watch->resource = kube__api_resource_ref(resource);
    watch->with_columns = true;
    watch->ctx = kube_ctx_new();
    watch->scratch = kube_ctx_new();
    kube__buffer_init(&watch->text, SIZE_MAX / 2);
    if (!watch->ctx || !watch->scratch) {
        free_unlisted(watch);
        return NULL;
    }
    copy_request(watch, request);
    return watch;
}

/* References to the state now: what the client gets as ADDED. */
static bool take_initial(kube_apiserver *server, kube_ctx *ctx, kube__api_watch *watch)
{
    kube__api_range range = {.namespace_ = watch->request.namespace_};
    kube__api_object **list;
    size_t count;
    if (!kube__api_store_list(server->store, ctx, watch->resource->collection, &range, 0, &list,
                              &count))
        return false;
    watch->initial = malloc((count ? count : 1) * sizeof *watch->initial);
    if (!watch->initial)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (kube__api_list_matches(&watch->options, list[i]))
            watch->initial[watch->initial_len++] = kube__api_object_ref(list[i]);
    }
    return true;
}

static bool replay(void *arg, const kube__api_change *change)
{
    kube__api_watch *watch = arg;
    kube__api_event event;
    if (kube__api_watch_sees(watch, change, &event)) {
        kube__api_object_ref(event.object);
        kube__api_watch_push(watch, event);
    }
    return !watch->ended;
}

/* Fills the watch by what it starts from. Returns false if out of memory. */
static bool start_from(kube_apiserver *server, kube_ctx *ctx, kube__api_watch *watch)
{
    const kube__api_list_options *options = &watch->options;
    const kube__api_collection *collection = watch->resource->collection;
    uint64_t now = kube__api_store_version(server->store);
    uint64_t oldest = kube__api_store_oldest(server->store, collection);
    /* A watch from no version is a streaming list, be it asked for or not. */
    bool initial = options->has_initial_events ? options->initial_events : options->version == 0;
    if (initial || options->version == 0) {
        watch->after = now;
        if (!initial)
            return true;
        if (!take_initial(server, ctx, watch))
            return false;
        if (options->bookmarks)
            kube__api_watch_push(
                watch, (kube__api_event){.type = KUBE__EVENT_INITIAL_END, .version = now});
        return true;
    }
    watch->after = options->version;
    watch->last = options->version;
    if (options->version < oldest) {
        kube__api_watch_push(watch, (kube__api_event){.type = KUBE__EVENT_ERROR,
                                                      .version = options->version,
                                                      .oldest = oldest});
        kube__api_watch_finish(watch);
        return true;
    }
    kube__api_store_changes(server->store, collection, options->version, replay, watch);
    return true;
}

static void set_times(kube_apiserver *server, kube__api_watch *watch)
{
    int64_t now = server->clock->now_ns(server->clock);
    double seconds = (double)watch->options.timeout_s;
    if (watch->options.timeout_s <= 0)
        seconds = 1800 * (1 + kube__api_random_fraction(&server->random));
    watch->end_ns = seconds > 1e9 ? INT64_MAX : now + (int64_t)(seconds * (double)KUBE__NS_PER_S);
    watch->bookmark_ns = kube__api_watch_next_bookmark(watch, now);
}

/* Puts it into the lists; the watchers' lock is held. */
static void enlist(kube__api_watchers *watchers, kube__api_watch *watch)
{
    kube__api_watch **here =
        (kube__api_watch **)kube__api_collection_watches(watch->resource->collection);
    watch->next = watchers->first;
    if (watch->next)
        watch->next->previous = watch;
    watchers->first = watch;
    watch->here = here;
    watch->next_here = *here;
    if (watch->next_here)
        watch->next_here->here = &watch->next_here;
    *here = watch;
    watchers->due_ns = 0; /* the thread looks for its times */
    kube__broadcast(&watchers->changed);
    if (watchers->closed)
        kube__api_watch_finish(watch);
}

kube__api_failure *kube__api_watch_open(kube_apiserver *server, kube__api_request *request,
                                        kube__api_resource *resource, kube__api_watch **out)
{
    kube__api_media media;
    *out = NULL;
    kube__api_watch *watch = watch_new(server, request, resource);
    if (!watch)
        return kube__api_fail_no_memory();
    kube__api_failure *failure = kube__api_check_memory(watch->ctx);
    if (!failure)
        failure = kube__api_accept(request->ctx, request, resource, &watch->view, &media);
    if (!failure)
        failure = kube__api_read_list_options(request, resource, &watch->options);
    /* The selectors and texts have to live as long as the watch: read again in its own memory. */
    if (!failure && kube__api_read_list_options(&watch->request, resource, &watch->options))
        failure = kube__api_fail_no_memory();
    if (!failure && watch->options.has_initial_events &&
        watch->options.version > kube__api_store_version(server->store))
        failure = kube__api_version_too_large(request->ctx, watch->options.version,
                                              kube__api_store_version(server->store));
    if (!failure)
        failure = kube__api_check_memory(watch->ctx);
    if (failure) {
        free_unlisted(watch);
        return failure;
    }
    set_times(server, watch);
    kube__lock(&server->watchers->lock);
    server->watchers->version = kube__api_store_version(server->store);
    bool started = start_from(server, request->ctx, watch) && kube__api_take_steps(0);
    if (started)
        enlist(server->watchers, watch);
    kube__unlock(&server->watchers->lock);
    if (!started) {
        free_unlisted(watch);
        return kube__api_fail_no_memory();
    }
    *out = watch;
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Ends it at once: what is queued is not sent any more. */
static void break_off(kube__api_watch *watch)
{
    kube__lock(&watch->owner->lock);
    watch->ended = true;
    while (watch->queue_len) {
        kube__api_object_unref(watch->queue[watch->queue_first].object);
        watch->queue_first = (watch->queue_first + 1) % watch->queue_size;
        watch->queue_len--;
    }
    kube__unlock(&watch->owner->lock);
    while (watch->initial_at < watch->initial_len)
        kube__api_object_unref(watch->initial[watch->initial_at++]);
}

/* Takes up to BATCH events; *@over when none will follow and none is there. @tell: when there is
 * none now, the reader is to be woken. */
static size_t take_events(kube__api_watch *watch, kube__api_event *events, bool tell, bool *over)
{
    size_t count = 0;
    *over = false;
    while (count < BATCH && watch->initial_at < watch->initial_len) {
        kube__api_object *object = watch->initial[watch->initial_at++];
        events[count++] = (kube__api_event){KUBE__EVENT_ADDED, object, object->version, 0};
    }
    if (count)
        return count;
    free(watch->initial);
    watch->initial = NULL;
    kube__lock(&watch->owner->lock);
    while (count < BATCH && watch->queue_len) {
        kube__api_event *event = &watch->queue[watch->queue_first];
        watch->pending_bytes -= event->object ? event->object->len : 0;
        events[count++] = *event;
        watch->queue_first = (watch->queue_first + 1) % watch->queue_size;
        watch->queue_len--;
    }
    *over = count == 0 && watch->ended;
    watch->hungry = tell && count == 0 && !watch->ended;
    kube__unlock(&watch->owner->lock);
    return count;
}

/* Writes the next events' text. Returns false if no event waits, and then sets *@over as above. */
static bool refill(kube__api_watch *watch, bool tell, bool *over)
{
    kube__api_event events[BATCH];
    size_t count = take_events(watch, events, tell, over);
    bool goes_on = true;
    kube__buffer_reset(&watch->text);
    watch->sent = 0;
    for (size_t i = 0; i < count; i++) {
        goes_on = goes_on && kube__api_watch_write(watch, &events[i]) && !watch->text.failed;
        kube__api_object_unref(events[i].object);
    }
    if (!goes_on)
        break_off(watch);
    /* A fault may have left nothing of the events: then there is no more to come, or later. */
    return count > 0;
}

long kube__api_watch_read(kube__api_watch *watch, char *out, size_t size)
{
    size_t len = 0;
    while (len < size) {
        if (watch->sent == watch->text.len) {
            bool over;
            if (len > 0 && size - len < size / 2)
                break;
            if (refill(watch, len == 0, &over))
                continue;
            if (len > 0)
                break;
            return over ? -1 : 0;
        }
        size_t part = watch->text.len - watch->sent;
        if (part > size - len)
            part = size - len;
        memcpy(out + len, watch->text.data + watch->sent, part);
        watch->sent += part;
        len += part;
    }
    return (long)len;
}

void kube__api_watch_on_readable(kube__api_watch *watch, void (*wake)(void *arg), void *arg)
{
    kube__lock(&watch->owner->lock);
    watch->wake = wake;
    watch->arg = arg;
    kube__unlock(&watch->owner->lock);
}

/* ---- closing -------------------------------------------------------------------------------- */

static void delist(kube__api_watchers *watchers, kube__api_watch *watch)
{
    *(watch->previous ? &watch->previous->next : &watchers->first) = watch->next;
    if (watch->next)
        watch->next->previous = watch->previous;
    *watch->here = watch->next_here;
    if (watch->next_here)
        watch->next_here->here = watch->here;
    for (kube__api_watch **at = &watchers->ready; *at; at = &(*at)->next_ready) {
        if (*at == watch) {
            *at = watch->next_ready;
            break;
        }
    }
}

void kube__api_watch_free(kube__api_watch *watch)
{
    if (!watch)
        return;
    kube_apiserver *server = watch->owner->server;
    kube__lock(&watch->owner->lock);
    while (watch->owner->waking == watch)
        kube__wait(&watch->owner->changed, &watch->owner->lock);
    delist(watch->owner, watch);
    kube__broadcast(&watch->owner->changed);
    kube__unlock(&watch->owner->lock);
    kube__lock(&server->lock);
    free_unlisted(watch);
    kube__unlock(&server->lock);
}
