/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a schedule, and the caches in front of it. */
#include "apiserver/controllers/controllers_parts.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/store.h"
#include "apiserver/verbs/loopback.h"
#include "base/text.h"
#include "explorer_state.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* What the server did to an object, until it is collected. */
typedef struct kube__explored_change {
    struct kube__explored_change *next;
    kube__explored *kind;
    bool deleted;
    size_t len;
    char text[];
} kube__explored_change;

/* ---- what the server did -------------------------------------------------------------------- */

static kube__explored *kind_of(kube_explorer *x, const kube__api_collection *collection)
{
    for (size_t i = 0; i < x->kind_count; i++) {
        const kube_type *type = x->kinds[i].type;
        if (strcmp(type->group, kube__api_collection_group(collection)) == 0 &&
            strcmp(type->resource, kube__api_collection_plural(collection)) == 0)
            return &x->kinds[i];
    }
    return NULL;
}

/* On a thread of the server, under its lock. */
static void note_change(void *arg, const kube__api_change *change)
{
    kube_explorer *x = arg;
    kube__explored *kind = kind_of(x, change->object->collection);
    kube__api_resource *resource;
    kube__explored_change *noted;
    kube__buffer text;
    if (!kind)
        return;
    resource = kube__api_registry_find(x->server->registry, kind->type->group, kind->type->version,
                                       kind->type->resource);
    if (!resource)
        return;
    kube__buffer_init(&text, SIZE_MAX);
    kube__api_object_write(change->object, resource, false, &text);
    noted = text.failed ? NULL : malloc(sizeof *noted + text.len);
    if (noted) {
        *noted = (kube__explored_change){
            .kind = kind, .deleted = change->type == KUBE__API_DELETED, .len = text.len};
        memcpy(noted->text, text.data, text.len);
        *x->changes_end = noted;
        x->changes_end = &noted->next;
    } else {
        x->changes_lost = true;
    }
    kube__buffer_fini(&text);
}

static bool reserve_pending(kube__explored *kind)
{
    size_t capacity = kind->pending_capacity ? 2 * kind->pending_capacity : 16;
    kube__explored_event *pending;
    if (kind->pending_len < kind->pending_capacity)
        return true;
    pending = realloc(kind->pending, capacity * sizeof *pending);
    if (!pending)
        return false;
    kind->pending = pending;
    kind->pending_capacity = capacity;
    return true;
}

static kube_code add_pending(kube_explorer *x, const kube__explored_change *change, kube_error *err)
{
    kube__explored *kind = change->kind;
    kube_object *object;
    kube_code rc = kube_decode(x->ctx, kind->type, change->text, change->len, &object, err);
    if (rc)
        return rc;
    if (!reserve_pending(kind))
        return kube__explorer_no_memory(err);
    kind->pending[kind->pending_len++] =
        (kube__explored_event){change->deleted, kube_object_ref(object)};
    return KUBE_OK;
}

static void free_changes(kube__explored_change *change)
{
    while (change) {
        kube__explored_change *next = change->next;
        free(change);
        change = next;
    }
}

/* Locks the server when its own controllers have done what the changes so far bring: dependents of
 * what was deleted are gone. They do one job in one hold of the lock. */
static void lock_settled(kube_apiserver *server)
{
    kube__lock(&server->lock);
    while (server->controllers &&
           (server->controllers->rescan || !kube__jobs_empty(server->controllers->jobs))) {
        kube__unlock(&server->lock);
        sched_yield();
        kube__lock(&server->lock);
    }
}

kube_code kube__explorer_collect(kube_explorer *x, kube_error *err)
{
    kube__explored_change *changes;
    kube_code rc = KUBE_OK;
    lock_settled(x->server);
    changes = x->changes;
    x->changes = NULL;
    x->changes_end = &x->changes;
    if (x->changes_lost)
        rc = kube__explorer_no_memory(err);
    kube__unlock(&x->server->lock);
    for (const kube__explored_change *c = changes; c && !rc; c = c->next)
        rc = add_pending(x, c, err);
    free_changes(changes);
    return rc;
}

/* ---- what the caches know ------------------------------------------------------------------- */

static bool same_name(const kube_object *a, const kube_object *b)
{
    const kube_object_meta *one = kube_object_metadata(a);
    const kube_object_meta *other = kube_object_metadata(b);
    return strcmp(one->name, other->name) == 0 &&
           strcmp(kube__text_or_empty(one->namespace_), kube__text_or_empty(other->namespace_)) ==
               0;
}

/* The place of the object of that name; cached_len if it is not cached. */
static size_t find_cached(const kube__explored *kind, const kube_object *object)
{
    size_t i = 0;
    while (i < kind->cached_len && !same_name(kind->cached[i], object))
        i++;
    return i;
}

static kube_code put_cached(kube__explored *kind, size_t at, const kube_object *object,
                            kube_error *err)
{
    if (at == kind->cached_capacity) {
        size_t capacity = kind->cached_capacity ? 2 * kind->cached_capacity : 16;
        const kube_object **cached = realloc(kind->cached, capacity * sizeof *cached);
        if (!cached)
            return kube__explorer_no_memory(err);
        kind->cached = cached;
        kind->cached_capacity = capacity;
    }
    if (at == kind->cached_len)
        kind->cached_len++;
    else
        kube_object_unref(kind->cached[at]);
    kind->cached[at] = kube_object_ref(object);
    return KUBE_OK;
}

static void remove_cached(kube__explored *kind, size_t at)
{
    kube_object_unref(kind->cached[at]);
    kind->cached_len--;
    memmove(&kind->cached[at], &kind->cached[at + 1],
            (kind->cached_len - at) * sizeof *kind->cached);
}

/* A delete of what the cache never had is nothing. */
static kube_code tell(kube_explorer *x, kube__explored *kind, const kube__explored_event *event,
                      kube_error *err)
{
    size_t at = find_cached(kind, event->object);
    bool known = at < kind->cached_len;
    kube_reason_what what = event->deleted ? KUBE_REASON_DELETE
                            : known        ? KUBE_REASON_UPDATE
                                           : KUBE_REASON_ADD;
    kube_code rc = KUBE_OK;
    if (event->deleted && !known)
        return KUBE_OK;
    /* Of an object that changed hands both owners run; of its own kind that is one key. */
    if (known && !kind->is_for)
        rc = kube__explorer_add_keys_of(x, kind, kind->cached[at], what, err);
    if (!rc && kind->informer)
        rc = kube_informer_enter(kind->informer, event->object, event->deleted, err);
    if (!rc && event->deleted)
        remove_cached(kind, at);
    else if (!rc)
        rc = put_cached(kind, at, event->object, err);
    if (!rc)
        rc = kube__explorer_add_keys_of(x, kind, event->object, what, err);
    return rc;
}

static void drop_pending(kube__explored *kind, size_t count)
{
    for (size_t i = 0; i < count; i++)
        kube_object_unref(kind->pending[i].object);
    kind->pending_len -= count;
    if (kind->pending_len)
        memmove(kind->pending, kind->pending + count, kind->pending_len * sizeof *kind->pending);
}

kube_code kube__explorer_deliver(kube_explorer *x, kube__explored *kind, size_t count,
                                 kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; i < count && !rc; i++)
        rc = tell(x, kind, &kind->pending[i], err);
    drop_pending(kind, count);
    return rc;
}

static bool is_superseded(const kube__explored *kind, size_t index, size_t count)
{
    for (size_t i = index + 1; i < count; i++) {
        if (same_name(kind->pending[i].object, kind->pending[index].object))
            return true;
    }
    return false;
}

kube_code kube__explorer_list(kube_explorer *x, kube__explored *kind, size_t count, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (size_t i = 0; i < count && !rc; i++) {
        if (!is_superseded(kind, i, count))
            rc = tell(x, kind, &kind->pending[i], err);
    }
    drop_pending(kind, count);
    return rc;
}

/* A new factory; its caches hold what the old ones held. */
static kube_code new_caches(kube_explorer *x, kube_error *err)
{
    kube_code rc = kube_informer_factory_new(x->client, NULL, &x->factory, err);
    for (size_t i = 0; i < x->kind_count && !rc; i++) {
        kube__explored *kind = &x->kinds[i];
        rc = kube_informer_factory_informer(x->factory, kind->type, NULL, &kind->informer, err);
        for (size_t j = 0; j < kind->cached_len && !rc; j++)
            rc = kube_informer_enter(kind->informer, kind->cached[j], false, err);
    }
    return rc;
}

static void drop_caches(kube_explorer *x)
{
    kube_informer_factory_free(x->factory);
    x->factory = NULL;
    for (size_t i = 0; i < x->kind_count; i++)
        x->kinds[i].informer = NULL;
}

/* ---- the controller's process --------------------------------------------------------------- */

kube_code kube__explorer_start(kube_explorer *x, kube_error *err)
{
    kube_code rc = new_caches(x, err);
    x->started = true;
    if (!rc && x->what->start)
        rc = x->what->start(x->what->arg, x, err);
    kube_ctx_reset(x->ctx);
    if (!rc)
        rc = kube__explorer_add_all(x, KUBE_REASON_ADD, err);
    return rc;
}

void kube__explorer_stop(kube_explorer *x)
{
    if (x->started && x->what->stop)
        x->what->stop(x->what->arg, x);
    x->started = false;
    kube_ctx_reset(x->ctx);
    drop_caches(x);
    kube__explorer_forget_keys(x);
}

/* ---- life ----------------------------------------------------------------------------------- */

static kube_code open_server(kube_explorer *x, kube_error *err)
{
    kube_apiserver_options options = x->what->server;
    bool observed;
    kube_code rc;
    options.port = 0;
    options.data_file = NULL;
    options.clock = kube_fake_clock_clock(x->clock);
    options.seed = x->seed;
    rc = kube_apiserver_start(&options, &x->server, err);
    if (rc)
        return rc;
    kube__lock(&x->server->lock);
    observed = kube__api_store_observe(x->server->store, note_change, x);
    kube__unlock(&x->server->lock);
    if (!observed)
        return kube__explorer_no_memory(err);
    if (x->what->load_file)
        rc = kube_apiserver_load_file(x->server, x->what->load_file, err);
    if (!rc && x->what->load)
        rc = kube_apiserver_load(x->server, x->what->load, strlen(x->what->load), err);
    if (!rc)
        rc = kube_apiserver_client(x->server, &x->client, err);
    return rc;
}

static bool make_kinds(kube_explorer *x)
{
    x->kind_count = 1 + x->what->kind_count;
    x->kinds = calloc(x->kind_count, sizeof *x->kinds);
    if (!x->kinds)
        return false;
    x->kinds[0] = (kube__explored){.type = x->what->for_, .is_for = true};
    for (size_t i = 1; i < x->kind_count; i++)
        x->kinds[i] = (kube__explored){.type = x->what->kinds[i - 1].type,
                                       .owned = x->what->kinds[i - 1].owned};
    return true;
}

kube_code kube__explorer_open(kube_explorer *x, kube_error *err)
{
    x->changes_end = &x->changes;
    x->ctx = kube_ctx_new();
    x->run_ctx = kube_ctx_new();
    x->clock = kube_fake_clock_new();
    if (!x->ctx || !x->run_ctx || !x->clock || !make_kinds(x))
        return kube__explorer_no_memory(err);
    return open_server(x, err);
}

void kube__explorer_close(kube_explorer *x)
{
    kube__explorer_stop(x);
    kube_client_free(x->client);
    kube_apiserver_stop(x->server);
    kube_fake_clock_free(x->clock);
    free_changes(x->changes);
    for (size_t i = 0; x->kinds && i < x->kind_count; i++) {
        kube__explored *kind = &x->kinds[i];
        drop_pending(kind, kind->pending_len);
        while (kind->cached_len)
            kube_object_unref(kind->cached[--kind->cached_len]);
        free(kind->pending);
        free(kind->cached);
    }
    free(x->kinds);
    free(x->keys);
    kube_ctx_free(x->run_ctx);
    kube_ctx_free(x->ctx);
}
