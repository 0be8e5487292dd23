/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns events into keys: events of the controller's own objects, of owned ones, and of those with
 * a map function. All keys of a change are collected before the first is queued, so that a key
 * which both the old and the new object give is queued once.
 *
 * The handler's thread does that while the controller runs. Otherwise it only holds the changes,
 * for the next start; so it does with a change whose map function failed. Such changes are left to
 * a worker, which hears of them by a key of the source in the queue.
 */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "cache/processor.h"
#include "controller.h"
#include "missed.h"

#include <kube/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NO_MEMORY_PAUSE_MS = 10, FIRST_BACKOFF_MS = 10, LAST_BACKOFF_MS = 30000 };

/* No namespace of an object. */
static const char source_namespace[] = "\n";

/* A key that a change leads to. */
typedef struct target {
    kube__keynode node;
    struct target *next;
} target;

/* What maps one change after the other: a source has one for its handler's thread, and one for the
 * worker that has its key. */
typedef struct mapper {
    kube__controller_source *source;
    kube_ctx *ctx; /* NULL unless the controller runs */
    kube__key_table targets;
    target *first;
    target **last;
    const kube_change *change;
    const kube_object *object; /* that the map function has now */
} mapper;

struct kube__controller_source {
    kube__controller_source *next;
    kube_controller *controller;
    kube__source_options options;
    unsigned number;
    char name[16]; /* the number: of its key in the queue */
    kube_informer *informer;
    kube_registration *registration; /* NULL until the first start */
    mapper now;
    mapper again;
    kube__mutex mutex; /* of those below */
    kube__condition rest;
    kube__missed_book missed;
    bool live; /* keys go into the queue */
    bool busy; /* the handler's thread is in `now` */
};

/* ---- keys of a change ------------------------------------------------------------------------ */

void kube__controller_pause(void)
{
    const struct timespec pause = {.tv_nsec = NO_MEMORY_PAUSE_MS * KUBE__NS_PER_MS};
    nanosleep(&pause, NULL);
}

/* What is new overtakes what merely is there (PQ-1). */
static kube_priority priority_of(const kube_change *change)
{
    bool is_resync = change->old_object && change->new_object &&
                     kube_meta_same_version(kube_object_metadata(change->old_object),
                                            kube_object_metadata(change->new_object));
    return change->in_initial_list || is_resync ? KUBE_PRIORITY_LOW : KUBE_PRIORITY_NORMAL;
}

/* An event comes once, so a key that found no memory would be forgotten until its object changes
 * again: it is waited for. Returns false if the controller stopped meanwhile. */
static bool queue_key(mapper *m, kube_key key, const kube__changed *changed)
{
    kube_controller *controller = m->source->controller;
    kube_priority priority = priority_of(m->change);
    kube_error err;
    kube_code rc;
    kube__reason_note(&controller->reasons, key, m->change, changed);
    while ((rc = kube_workqueue_add_priority(controller->queue, key, priority, &err)) ==
           KUBE_ERR_NO_MEMORY) {
        if (kube__ctx_ended(m->ctx, NULL))
            return false;
        kube__controller_pause();
    }
    if (rc)
        kube_log_error("%s: %s", controller->name, err.message);
    return true;
}

static void emit(void *sink, kube_key key)
{
    mapper *m = sink;
    target *t;
    /* An owner reference, say, may name what no object can be called: nobody shall see that. */
    if (kube__name_flaw(kube__text_or_empty(key.name)) || kube__key_table_find(&m->targets, key))
        return;
    while (!(t = kube__key_table_get(&m->targets, sizeof *t, key))) {
        if (kube__ctx_ended(m->ctx, NULL))
            return; /* the whole change is held then */
        kube__controller_pause();
    }
    t->next = NULL;
    *m->last = t;
    m->last = &t->next;
}

/* Queues the targets, or only drops them. Returns false if not all could be queued. */
static bool end_targets(mapper *m, bool queue)
{
    kube__changed changed = {.count = 0};
    bool all = true;
    if (queue && m->first) /* most objects of a type may be somebody else's */
        kube__changed_paths(m->change, &changed);
    while (m->first) {
        target *t = m->first;
        m->first = t->next;
        if (queue && all)
            all = queue_key(m, t->node.key, &changed);
        kube__key_table_drop(&m->targets, &t->node);
    }
    m->last = &m->first;
    return all;
}

static void emit_own(mapper *m, const kube_object *object)
{
    emit(m, kube_meta_key(kube_object_metadata(object)));
}

/* Whether @api_version is of @group: an owner is the same in each version it is served in. */
static bool is_of_group(const char *api_version, const char *group)
{
    const char *slash = strchr(api_version, '/');
    size_t len = slash ? (size_t)(slash - api_version) : 0;
    return strlen(group) == len && memcmp(api_version, group, len) == 0;
}

static bool is_ours(const kube__controller_source *source, const kube_owner_reference *owner)
{
    const kube_type *type = source->controller->type;
    return owner->name && owner->kind && strcmp(owner->kind, type->kind) == 0 &&
           is_of_group(kube__text_or_empty(owner->api_version), type->group) &&
           (source->options.any_owner || (owner->controller.set && owner->controller.value));
}

/* An owner lives in its object's namespace, or in none (OW-2). */
static void emit_owners(mapper *m, const kube_object *object)
{
    const kube__controller_source *source = m->source;
    const kube_object_meta *meta = kube_object_metadata(object);
    bool namespaced = source->controller->type->namespaced;
    const char *ns = namespaced ? kube__text_or_empty(meta->namespace_) : "";
    if (namespaced && !*ns)
        return;
    for (size_t i = 0; i < meta->owner_references.len; i++) {
        const kube_owner_reference *owner = &meta->owner_references.items[i];
        if (is_ours(source, owner))
            emit(m, kube_key_of(ns, owner->name));
    }
}

static void end_process(void *arg, size_t wanted)
{
    const mapper *m = arg;
    const kube_object_meta *metadata = kube_object_metadata(m->object);
    kube__end_without_memory(wanted, "mapping %s %s/%s for %s", m->source->options.type->resource,
                             kube__text_or_empty(metadata->namespace_), metadata->name,
                             m->source->controller->name);
}

static kube_code emit_mapped(mapper *m, const kube_object *object, kube_error *err)
{
    const kube__source_options *options = &m->source->options;
    kube_controller *controller = m->source->controller;
    kube_code rc;
    m->object = object;
    atomic_fetch_add_explicit(&controller->mapping, 1, memory_order_relaxed);
    rc = options->map(options->map_arg, m->ctx, object, m->change, emit, m, err);
    atomic_fetch_sub_explicit(&controller->mapping, 1, memory_order_relaxed);
    if (!rc)
        rc = kube__ctx_check(m->ctx, err); /* KUBE_OK with a failed ctx is none */
    kube_ctx_reset(m->ctx);
    return rc;
}

static kube_code emit_keys(mapper *m, const kube_object *object, kube_error *err)
{
    if (!object)
        return KUBE_OK;
    switch (m->source->options.kind) {
    case KUBE__SOURCE_FOR:
        emit_own(m, object);
        break;
    case KUBE__SOURCE_OWNED:
        emit_owners(m, object);
        break;
    case KUBE__SOURCE_MAPPED:
        return emit_mapped(m, object, err);
    }
    return KUBE_OK;
}

/* ---- changes --------------------------------------------------------------------------------- */

static kube_key source_key(const kube__controller_source *source)
{
    return kube_key_of(source_namespace, source->name);
}

/* Has a worker look at the changes that wait; the next start does that anyway. */
static void queue_source(kube__controller_source *source, int64_t after_ms)
{
    kube_controller *controller = source->controller;
    while (!kube__ctx_ended(controller->run_ctx, NULL) &&
           kube_workqueue_add_after(controller->queue, source_key(source), after_ms, NULL) ==
               KUBE_ERR_NO_MEMORY)
        kube__controller_pause();
}

/* Queues the keys of a change. Returns false if they are not known, because its map function
 * failed, or because the controller stopped. */
static bool pass_on(mapper *m, const kube_change *change, int attempts)
{
    const kube__controller_source *source = m->source;
    kube_key key = kube__change_key(change);
    kube_error err = {0};
    kube_code rc;
    m->change = change;
    rc = emit_keys(m, change->old_object, &err);
    if (!rc)
        rc = emit_keys(m, change->new_object, &err);
    if (!rc && kube__ctx_ended(m->ctx, &err))
        rc = KUBE_ERR_CANCELED;
    if (!end_targets(m, !rc))
        rc = KUBE_ERR_CANCELED;
    if (rc && !kube__ctx_ended(m->ctx, NULL))
        kube_log_error("%s: mapping %s %s%s%s, attempt %d: %s", source->controller->name,
                       source->options.type->resource, kube__text_or_empty(key.namespace_),
                       key.namespace_ && *key.namespace_ ? "/" : "", key.name, attempts,
                       *err.message ? err.message : kube_code_name(rc));
    return !rc;
}

static int64_t backoff_of(int attempts)
{
    int64_t ms = FIRST_BACKOFF_MS;
    for (int i = 0; i < attempts && ms < LAST_BACKOFF_MS; i++)
        ms *= 2;
    return ms < LAST_BACKOFF_MS ? ms : LAST_BACKOFF_MS;
}

/* Holds a change that could not be passed on, for another attempt. One that the controller's end
 * interrupted is due at the next start. The handler's thread has the newest change of an object;
 * what a worker has is older than all that came meanwhile. */
static void hold_failed(kube__controller_source *source, kube__missed *missed, bool is_newest)
{
    kube_controller *controller = source->controller;
    int64_t backoff_ms = 0;
    missed->passed = true;
    missed->due_ns = 0;
    if (!kube__ctx_ended(controller->run_ctx, NULL)) {
        backoff_ms = backoff_of(missed->attempts++);
        missed->due_ns = kube__ms_after(controller->clock->now_ns(controller->clock), backoff_ms);
    }
    kube__lock(&source->mutex);
    kube__missed_put(&source->missed, missed, is_newest);
    kube__unlock(&source->mutex);
    queue_source(source, backoff_ms);
}

/* Holds a change while the controller does not run. Called with the mutex held. Returns false if
 * out of memory. */
static bool hold(kube__controller_source *source, const kube_change *change)
{
    kube__missed *missed;
    if (change->old_object && change->new_object &&
        kube_meta_same_version(kube_object_metadata(change->old_object),
                               kube_object_metadata(change->new_object)))
        return true; /* a resync is no change */
    missed = kube__missed_take(&source->missed, kube__change_key(change));
    if (missed && kube__missed_cancels(missed, change)) {
        kube__missed_free(missed);
        return true;
    }
    if (missed)
        kube__missed_fold(missed, change);
    else
        missed = kube__missed_new(change);
    if (missed)
        kube__missed_put(&source->missed, missed, true);
    return missed;
}

static bool is_worth_it(const kube__controller_source *source, const kube__missed *missed,
                        const kube_change *change)
{
    return (missed && missed->passed) || kube_predicate_passes(source->options.predicate, change);
}

/* @missed is what waits of the same object, NULL = nothing. */
static void map_now(kube__controller_source *source, const kube_change *change,
                    kube__missed *missed)
{
    if (missed) {
        kube__missed_fold(missed, change);
        change = &missed->change;
    }
    if (!is_worth_it(source, missed, change) ||
        pass_on(&source->now, change, missed ? missed->attempts + 1 : 1)) {
        kube__missed_free(missed);
        return;
    }
    while (!missed && !(missed = kube__missed_new(change)))
        kube__controller_pause();
    hold_failed(source, missed, true);
}

static void on_change(kube__controller_source *source, const kube_change *change)
{
    kube__missed *missed;
    kube__lock(&source->mutex);
    while (!source->live && !hold(source, change)) {
        kube__unlock(&source->mutex);
        kube__controller_pause();
        kube__lock(&source->mutex);
    }
    if (!source->live) {
        kube__unlock(&source->mutex);
        return;
    }
    source->busy = true;
    missed = kube__missed_take(&source->missed, kube__change_key(change));
    kube__unlock(&source->mutex);
    map_now(source, change, missed);
    kube__lock(&source->mutex);
    source->busy = false;
    kube__broadcast(&source->rest);
    kube__unlock(&source->mutex);
}

static void on_add(void *arg, const kube_object *object, bool in_initial_list)
{
    kube__controller_source *source = arg;
    const kube_change change = {
        .type = source->options.type, .new_object = object, .in_initial_list = in_initial_list};
    on_change(source, &change);
}

static void on_update(void *arg, const kube_object *old_object, const kube_object *new_object)
{
    kube__controller_source *source = arg;
    const kube_change change = {
        .type = source->options.type, .old_object = old_object, .new_object = new_object};
    on_change(source, &change);
}

static void on_delete(void *arg, const kube_object *object, bool final_state_known)
{
    kube__controller_source *source = arg;
    const kube_change change = {
        .type = source->options.type, .old_object = object, .final_state_known = final_state_known};
    on_change(source, &change);
}

/* ---- changes that wait ------------------------------------------------------------------------
 */

bool kube__controller_is_source_key(kube_key key)
{
    return strcmp(key.namespace_, source_namespace) == 0;
}

void kube__controller_map_missed(kube_controller *controller, kube_key key)
{
    kube__controller_source *source = controller->sources;
    kube_clock *clock = controller->clock;
    int64_t next;
    kube__missed *missed;
    while (source && strcmp(source->name, key.name) != 0)
        source = source->next;
    if (!source)
        return;
    kube__lock(&source->mutex);
    missed = kube__missed_take_due(&source->missed, clock->now_ns(clock));
    kube__unlock(&source->mutex);
    while (missed) {
        kube__missed *rest = missed->next;
        if (!is_worth_it(source, missed, &missed->change) ||
            pass_on(&source->again, &missed->change, missed->attempts + 1))
            kube__missed_free(missed);
        else
            hold_failed(source, missed, false);
        missed = rest;
    }
    kube__lock(&source->mutex);
    next = kube__missed_next_due(&source->missed);
    kube__unlock(&source->mutex);
    if (next < INT64_MAX)
        queue_source(source, kube__ns_left_ms(next - clock->now_ns(clock)));
}

/* ---- sources of a controller ----------------------------------------------------------------- */

static void unregister(kube__controller_source *source)
{
    if (source->registration)
        kube_informer_remove_handler(source->informer, source->registration);
    source->registration = NULL;
}

static void free_source(kube__controller_source *source)
{
    unregister(source);
    kube__missed_book_fini(&source->missed);
    kube__key_table_fini(&source->now.targets);
    kube__key_table_fini(&source->again.targets);
    kube__condition_fini(&source->rest);
    kube__mutex_fini(&source->mutex);
    free(source);
}

static kube_code init_mapper(mapper *m, kube__controller_source *source, kube_error *err)
{
    m->source = source;
    m->last = &m->first;
    return kube__key_table_init(&m->targets, err);
}

static kube_code init_source(kube__controller_source *source, kube_error *err)
{
    kube_controller *controller = source->controller;
    kube_code rc = init_mapper(&source->now, source, err);
    source->number = controller->sources ? controller->sources->number + 1 : 0;
    snprintf(source->name, sizeof source->name, "%u", source->number);
    if (!rc)
        rc = init_mapper(&source->again, source, err);
    if (!rc)
        rc = kube__missed_book_init(&source->missed, &controller->missed, err);
    return rc ? rc
              : kube_informer_factory_informer(controller->factory, source->options.type, NULL,
                                               &source->informer, err);
}

kube_code kube__controller_add_source(kube_controller *controller,
                                      const kube__source_options *options, kube_error *err)
{
    kube__controller_source *source = calloc(1, sizeof *source);
    kube_code rc;
    if (!source || kube__mutex_init(&source->mutex, NULL)) {
        free(source);
        return kube__no_memory(err, "a source of %s", controller->name);
    }
    if (kube__condition_init(&source->rest, NULL)) {
        kube__mutex_fini(&source->mutex);
        free(source);
        return kube__no_memory(err, "a source of %s", controller->name);
    }
    source->controller = controller;
    source->options = *options;
    rc = init_source(source, err);
    if (rc) {
        free_source(source);
        return rc;
    }
    source->next = controller->sources;
    controller->sources = source;
    return KUBE_OK;
}

void kube__controller_free_sources(kube_controller *controller)
{
    while (controller->sources) {
        kube__controller_source *source = controller->sources;
        controller->sources = source->next;
        free_source(source);
    }
}

static kube_code start_mapper(mapper *m, kube_error *err)
{
    kube_controller *controller = m->source->controller;
    m->ctx = kube_ctx_child(controller->run_ctx);
    if (!m->ctx)
        return kube__no_memory(err, "a source of %s", controller->name);
    if (controller->exit_on_no_memory)
        kube_ctx_on_no_memory(m->ctx, end_process, m);
    return KUBE_OK;
}

static kube_code start_source(kube__controller_source *source, kube_error *err)
{
    static const kube_handler handler = {on_add, on_update, on_delete};
    const kube_handler_options options = {.name = source->controller->name};
    kube_code rc = start_mapper(&source->now, err);
    if (!rc)
        rc = start_mapper(&source->again, err);
    if (rc)
        return rc;
    kube__lock(&source->mutex);
    source->live = true;
    if (source->missed.nodes.count > 0)
        rc = kube_workqueue_add(source->controller->queue, source_key(source), err);
    kube__unlock(&source->mutex);
    if (rc)
        return rc;
    return source->registration ? KUBE_OK
                                : kube_informer_add_handler(source->informer, &handler, source,
                                                            &options, &source->registration, err);
}

kube_code kube__controller_start_sources(kube_controller *controller, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (kube__controller_source *source = controller->sources; source && !rc;
         source = source->next)
        rc = start_source(source, err);
    return rc;
}

static void stop_source(kube__controller_source *source)
{
    kube__lock(&source->mutex);
    source->live = false;
    while (source->busy)
        kube__wait(&source->rest, &source->mutex);
    kube__unlock(&source->mutex);
    kube_ctx_free(source->now.ctx);
    kube_ctx_free(source->again.ctx);
    source->now.ctx = NULL;
    source->again.ctx = NULL;
}

void kube__controller_stop_sources(kube_controller *controller)
{
    for (kube__controller_source *source = controller->sources; source; source = source->next)
        stop_source(source);
}

void kube__controller_end_sources(kube_controller *controller)
{
    for (kube__controller_source *source = controller->sources; source; source = source->next) {
        unregister(source); /* from here on nobody else touches the book */
        kube__missed_book_clear(&source->missed);
    }
}

kube_code kube__controller_wait_sources(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (kube__controller_source *source = controller->sources; source && !rc;
         source = source->next)
        rc = kube__registration_wait_synced(source->registration, ctx, err);
    return rc;
}

/* Handlers on several threads read what is changed here. */
static kube_code add_further(kube_controller *controller, const kube__source_options *options,
                             kube_error *err)
{
    const char *wrong = NULL;
    if (controller->workers)
        wrong = "call owns and watches before the controller runs";
    else if (!options->type)
        wrong = "owns and watches need a type";
    else if (options->kind == KUBE__SOURCE_MAPPED && !options->map)
        wrong = "watches needs a map function";
    return wrong ? kube_error_set(err, KUBE_ERR_ARGUMENT, "%s: %s", controller->name, wrong)
                 : kube__controller_add_source(controller, options, err);
}

kube_code kube_controller_owns_sized(kube_controller *controller, const kube_type *type,
                                     const kube_owns_options *options, size_t options_size,
                                     kube_error *err)
{
    kube_owns_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    const kube__source_options source = {
        .kind = KUBE__SOURCE_OWNED,
        .type = type,
        .predicate = options->predicate,
        .any_owner = options && options->any_owner,
    };
    return add_further(controller, &source, err);
}

kube_code kube_controller_watches(kube_controller *controller, const kube_type *type,
                                  kube_map_function *map, void *map_arg,
                                  const kube_predicate *predicate, kube_error *err)
{
    const kube__source_options source = {
        .kind = KUBE__SOURCE_MAPPED,
        .type = type,
        .predicate = predicate,
        .map = map,
        .map_arg = map_arg,
    };
    return add_further(controller, &source, err);
}
