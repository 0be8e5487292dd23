/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns events into keys: events of the controller's own objects, of owned ones, and of those with
 * a map function. All keys of a change are collected before the first is queued, so that a key
 * which both the old and the new object give is queued once.
 */
#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "cache/processor.h"
#include "controller.h"

#include <kube/log.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RETRY_MS = 10, RETRIES = 50 };

/* A key that a change leads to. */
typedef struct target {
    kube__keynode node;
    struct target *next;
} target;

struct kube__controller_source {
    kube__controller_source *next;
    kube_controller *controller;
    kube__source_options options;
    kube_informer *informer;
    kube_registration *registration;
    kube__key_table targets; /* of the change at hand: the handler's thread only */
    target *first;
    target **last;
    kube_ctx *ctx;             /* of a map function's runs, one after the other */
    const kube_object *mapped; /* of the run at hand */
    const kube_change *change;
    char changed[KUBE__CHANGED_MAX];
};

/* ---- keys of a change ------------------------------------------------------------------------ */

/* What is new overtakes what merely is there (PQ-1). */
static kube_priority priority_of(const kube_change *change)
{
    bool is_resync = change->old_object && change->new_object &&
                     kube_meta_same_version(kube_object_metadata(change->old_object),
                                            kube_object_metadata(change->new_object));
    return change->in_initial_list || is_resync ? KUBE_PRIORITY_LOW : KUBE_PRIORITY_NORMAL;
}

/* An event comes once, so a key that found no memory would be forgotten until its object changes
 * again. It is waited for; the informer keeps the next events meanwhile. */
static kube_code add_key(kube__controller_source *source, kube_key key, kube_error *err)
{
    const struct timespec pause = {.tv_nsec = RETRY_MS * KUBE__NS_PER_MS};
    kube_priority priority = priority_of(source->change);
    kube_code rc = kube_workqueue_add_priority(source->controller->queue, key, priority, err);
    for (int i = 0; rc == KUBE_ERR_NO_MEMORY && i < RETRIES; i++) {
        nanosleep(&pause, NULL);
        rc = kube_workqueue_add_priority(source->controller->queue, key, priority, err);
    }
    return rc;
}

static void queue_key(kube__controller_source *source, kube_key key)
{
    kube_controller *controller = source->controller;
    kube_error err;
    kube__reason_note(&controller->reasons, key, source->change, source->changed);
    if (add_key(source, key, &err))
        kube_log_error("%s: %s", controller->name, err.message);
}

static void emit(void *sink, kube_key key)
{
    kube__controller_source *source = sink;
    target *t;
    if (!key.name || kube__key_table_find(&source->targets, key))
        return;
    t = kube__key_table_get(&source->targets, sizeof *t, key);
    if (!t) {
        queue_key(source, key); /* better twice than never */
        return;
    }
    t->next = NULL;
    *source->last = t;
    source->last = &t->next;
}

static void queue_targets(kube__controller_source *source)
{
    while (source->first) {
        target *t = source->first;
        source->first = t->next;
        queue_key(source, t->node.key);
        kube__key_table_drop(&source->targets, &t->node);
    }
    source->last = &source->first;
}

static void emit_own(kube__controller_source *source, const kube_object *object)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    emit(source, (kube_key){kube__text_or_empty(meta->namespace_), meta->name});
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
static void emit_owners(kube__controller_source *source, const kube_object *object)
{
    const kube_object_meta *meta = kube_object_metadata(object);
    bool namespaced = source->controller->type->namespaced;
    const char *ns = namespaced ? kube__text_or_empty(meta->namespace_) : "";
    if (namespaced && !*ns)
        return;
    for (size_t i = 0; i < meta->owner_references.len; i++) {
        const kube_owner_reference *owner = &meta->owner_references.items[i];
        if (is_ours(source, owner))
            emit(source, (kube_key){ns, owner->name});
    }
}

static void end_process(void *arg, size_t wanted)
{
    const kube__controller_source *source = arg;
    const kube_object_meta *metadata = kube_object_metadata(source->mapped);
    kube__end_without_memory(wanted, "mapping %s %s/%s for %s", source->options.type->resource,
                             kube__text_or_empty(metadata->namespace_), metadata->name,
                             source->controller->name);
}

/* A map function that ran out of memory is called again, for the reason that add_key() has. */
static void emit_mapped(kube__controller_source *source, const kube_object *object)
{
    const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000L};
    kube_error err;
    source->mapped = object;
    for (int i = 0;; i++) {
        source->options.map(source->options.map_arg, source->ctx, object, emit, source);
        if (!kube__ctx_check(source->ctx, &err))
            break;
        if (i == RETRIES) {
            kube_log_error("%s: mapping %s: %s", source->controller->name,
                           source->options.type->resource, err.message);
            break;
        }
        kube_ctx_reset(source->ctx);
        nanosleep(&pause, NULL);
    }
    kube_ctx_reset(source->ctx);
}

static void emit_keys(kube__controller_source *source, const kube_object *object)
{
    if (!object)
        return;
    switch (source->options.kind) {
    case KUBE__SOURCE_FOR:
        emit_own(source, object);
        break;
    case KUBE__SOURCE_OWNED:
        emit_owners(source, object);
        break;
    case KUBE__SOURCE_MAPPED:
        emit_mapped(source, object);
        break;
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

static void on_change(kube__controller_source *source, const kube_change *change)
{
    if (!kube_predicate_passes(source->options.predicate, change))
        return;
    source->change = change;
    *source->changed = '\0';
    emit_keys(source, change->old_object);
    emit_keys(source, change->new_object);
    if (source->first) /* most objects of a type may be somebody else's */
        kube__changed_paths(change, source->changed);
    queue_targets(source);
    source->change = NULL;
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

/* ---- sources of a controller ----------------------------------------------------------------- */

static void free_source(kube__controller_source *source)
{
    if (source->registration)
        kube_informer_remove_handler(source->informer, source->registration);
    kube__key_table_fini(&source->targets);
    kube_ctx_free(source->ctx);
    free(source);
}

static kube_code make_map_ctx(kube__controller_source *source, kube_error *err)
{
    kube_controller *controller = source->controller;
    source->ctx = kube_ctx_new_with_clock(controller->clock);
    if (!source->ctx)
        return kube__no_memory(err, "a source of %s", controller->name);
    if (controller->exit_on_no_memory)
        kube_ctx_on_no_memory(source->ctx, end_process, source);
    return KUBE_OK;
}

kube_code kube__controller_add_source(kube_controller *controller,
                                      const kube__source_options *options, kube_error *err)
{
    static const kube_handler handler = {on_add, on_update, on_delete};
    kube__controller_source *source = calloc(1, sizeof *source);
    kube_code rc;
    if (!source)
        return kube__no_memory(err, "a source of %s", controller->name);
    source->controller = controller;
    source->options = *options;
    source->last = &source->first;
    rc = kube__key_table_init(&source->targets, err);
    if (!rc && options->map)
        rc = make_map_ctx(source, err);
    if (!rc)
        rc = kube_informer_factory_informer(controller->factory, options->type, NULL,
                                            &source->informer, err);
    if (!rc)
        rc = kube_informer_add_handler(source->informer, &handler, source, NULL,
                                       &source->registration, err);
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

kube_code kube__controller_wait_sources(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (kube__controller_source *source = controller->sources; source && !rc;
         source = source->next)
        rc = kube__registration_wait_synced(source->registration, ctx, err);
    return rc;
}

/* Handlers on several threads read what is changed here. */
static kube_code check_not_running(const kube_controller *controller, kube_error *err)
{
    if (!controller->workers)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_ARGUMENT,
                          "%s: call owns and watches before the controller runs", controller->name);
}

kube_code kube_controller_owns(kube_controller *controller, const kube_type *type,
                               const kube_owns_options *options, kube_error *err)
{
    const kube__source_options source = {
        .kind = KUBE__SOURCE_OWNED,
        .type = type,
        .predicate = options ? options->predicate : NULL,
        .any_owner = options && options->any_owner,
    };
    kube_code rc = check_not_running(controller, err);
    return rc ? rc : kube__controller_add_source(controller, &source, err);
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
    kube_code rc = check_not_running(controller, err);
    return rc ? rc : kube__controller_add_source(controller, &source, err);
}
