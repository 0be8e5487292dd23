/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handlers put keys into the queue and note why; workers take keys and reconcile. The reason of a
 * key is the newest event since its last run, kept beside the queue because a key has one entry
 * however many events there were.
 */
#include "../base/thread.h"
#include "keymap.h"

#include <kube/codec.h>
#include <kube/controller.h>
#include <kube/log.h>

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION_MAX = 64, CHANGED_MAX = 256, CHANGED_PATHS = 8, THREAD_NAME_MAX = 16 };

typedef struct reason_node {
    kube__keynode node;
    const char *what; /* literal */
    char old_version[VERSION_MAX];
    char new_version[VERSION_MAX];
    char changed[CHANGED_MAX];
} reason_node;

struct kube_controller {
    kube_informer_factory *factory;
    kube_informer *informer;
    kube_registration *registration;
    kube_workqueue *queue;
    const kube_type *type;
    kube_reconcile *reconcile;
    void *arg;
    char *name;
    int worker_count;
    int64_t reconcile_timeout_ms;
    kube_ctx *run_ctx; /* parent of the workers' scopes while it runs */
    _Atomic uint64_t run_count;
    kube__mutex mutex; /* of the reasons */
    kube__keymap reasons;
};

/* ---- why (kube_reason) --------------------------------------------------------------------- */

static const char resync[] = "resync";

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

typedef struct changed_paths {
    int count;
    char text[CHANGED_MAX];
} changed_paths;

/* What every change changes: it says nothing. */
static bool is_bookkeeping(const char *path)
{
    return strcmp(path, "metadata.resourceVersion") == 0 ||
           strcmp(path, "metadata.generation") == 0 ||
           strncmp(path, "metadata.managedFields", strlen("metadata.managedFields")) == 0;
}

static bool append_path(void *arg, const char *path)
{
    changed_paths *changed = arg;
    size_t used = strlen(changed->text);
    size_t len = strlen(path);

    if (is_bookkeeping(path))
        return true;
    if (used + 1 + len >= CHANGED_MAX)
        return false;
    if (used)
        changed->text[used++] = ',';
    memcpy(changed->text + used, path, len + 1);
    return ++changed->count < CHANGED_PATHS;
}

/*
 * Notes the reason and enqueues. A resync is no news, so it does not take the place of a reason
 * that no worker has seen yet. A reason that cannot be kept costs only the explanation.
 */
static void on_event(kube_controller *controller, const char *what, const kube_object *old_object,
                     const kube_object *new_object)
{
    const kube_object_meta *old_meta = old_object ? kube_object_metadata(old_object) : NULL;
    const kube_object_meta *new_meta = new_object ? kube_object_metadata(new_object) : NULL;
    const kube_object_meta *meta = new_meta ? new_meta : old_meta;
    kube_key key = {meta->namespace_ ? meta->namespace_ : "", meta->name};
    changed_paths changed = {0};
    reason_node *reason;
    bool keep;
    kube_error err;

    if (old_object && new_object && !kube_meta_same_version(old_meta, new_meta))
        kube_diff_paths(controller->type, old_object, new_object, append_path, &changed, SIZE_MAX);
    kube__lock(&controller->mutex);
    reason = kube__keymap_find(&controller->reasons, key);
    keep = reason && what == resync;
    if (!reason) {
        reason = kube__keynode_new(sizeof(*reason), key);
        if (reason)
            kube__keymap_insert(&controller->reasons, &reason->node);
    }
    if (reason && !keep) {
        reason->what = what;
        copy_text(reason->old_version, VERSION_MAX, old_meta ? old_meta->resource_version : "");
        copy_text(reason->new_version, VERSION_MAX, new_meta ? new_meta->resource_version : "");
        copy_text(reason->changed, CHANGED_MAX, changed.text);
    }
    kube__unlock(&controller->mutex);
    if (kube_workqueue_add(controller->queue, key, &err))
        kube_log_error("%s: %s", controller->name, err.message);
}

static void on_add(void *arg, const kube_object *object, bool in_initial_list)
{
    (void)in_initial_list;
    on_event(arg, "add", NULL, object);
}

static void on_update(void *arg, const kube_object *old_object, const kube_object *new_object)
{
    bool same =
        kube_meta_same_version(kube_object_metadata(old_object), kube_object_metadata(new_object));

    on_event(arg, same ? resync : "update", old_object, new_object);
}

static void on_delete(void *arg, const kube_object *object, bool final_state_known)
{
    (void)final_state_known;
    on_event(arg, "delete", object, NULL);
}

/* Takes the reason of @key, which the caller frees; NULL when there was no event since. */
static reason_node *take_reason(kube_controller *controller, kube_key key)
{
    reason_node *reason;

    kube__lock(&controller->mutex);
    reason = kube__keymap_find(&controller->reasons, key);
    if (reason)
        kube__keymap_remove(&controller->reasons, &reason->node);
    kube__unlock(&controller->mutex);
    return reason;
}

/* ---- workers ------------------------------------------------------------------------------- */

static void settle(kube_controller *controller, kube_ctx *ctx, kube_key key, kube_code rc,
                   const kube_result *result, const kube_error *run_err)
{
    const char *slash = *key.namespace_ ? "/" : "";
    kube_error err;
    kube_code queued = KUBE_OK;

    if (rc && kube_ctx_status(ctx, NULL)) {
        kube_log_debug("%s: %s%s%s was interrupted: %s", controller->name, key.namespace_, slash,
                       key.name, run_err->message);
    } else if (rc) {
        /* Somebody else wrote in between: expected, and mended by the next run. */
        kube_log(rc == KUBE_ERR_CONFLICT ? KUBE_LOG_INFO : KUBE_LOG_ERROR, __FILE__, __LINE__,
                 "%s: reconcile %s%s%s: %s", controller->name, key.namespace_, slash, key.name,
                 *run_err->message ? run_err->message : kube_code_name(rc));
        queued = kube_workqueue_add_rate_limited(controller->queue, key, &err);
    } else {
        kube_workqueue_forget(controller->queue, key);
        if (result->requeue_after_ms > 0)
            queued =
                kube_workqueue_add_after(controller->queue, key, result->requeue_after_ms, &err);
    }
    if (queued)
        kube_log_error("%s: %s", controller->name, err.message);
}

static void reconcile_one(kube_controller *controller, kube_ctx *worker_ctx, kube_ctx *ctx,
                          kube_key key)
{
    reason_node *reason = take_reason(controller, key);
    int attempt = kube_workqueue_failures(controller->queue, key);
    kube_request request = {
        .key = key,
        .why = {.what = attempt ? "retry" : "requeue",
                .old_version = "",
                .new_version = "",
                .changed = "",
                .kind = "",
                .object = {"", ""}},
        .attempt = attempt,
        .arg = controller->arg,
    };
    kube_result result = {0};
    kube_error err = {0};
    kube_code rc;

    if (reason) {
        request.why.what = reason->what;
        request.why.old_version = reason->old_version;
        request.why.new_version = reason->new_version;
        request.why.changed = reason->changed;
    }
    if (controller->reconcile_timeout_ms > 0)
        kube_ctx_set_timeout_ms(ctx, controller->reconcile_timeout_ms);
    rc = controller->reconcile(ctx, &request, &result, &err);
    settle(controller, worker_ctx, key, rc, &result, &err);
    kube_ctx_reset(ctx);
    free(reason);
    atomic_fetch_add_explicit(&controller->run_count, 1, memory_order_relaxed);
}

static void *run_worker(void *arg)
{
    kube_controller *controller = arg;
    kube_ctx *worker_ctx = kube_ctx_child(controller->run_ctx);
    kube_ctx *ctx = worker_ctx ? kube_ctx_child(worker_ctx) : NULL;
    kube_key key;
    kube_error err;

    if (!ctx) {
        kube_log_error("%s: out of memory for a worker", controller->name);
        kube_ctx_cancel(controller->run_ctx);
    } else {
        while (kube_workqueue_get(controller->queue, worker_ctx, &key, &err) == KUBE_OK) {
            reconcile_one(controller, worker_ctx, ctx, key);
            kube_workqueue_done(controller->queue, key);
        }
    }
    kube_ctx_free(ctx);
    kube_ctx_free(worker_ctx);
    return NULL;
}

static kube_code start_workers(kube_controller *controller, kube__thread *workers, kube_error *err)
{
    char name[THREAD_NAME_MAX];
    kube_code rc = KUBE_OK;

    for (int i = 0; !rc && i < controller->worker_count; i++) {
        snprintf(name, sizeof name, "kube-work-%d", i % 10000);
        rc = kube__thread_start(&workers[i], name, run_worker, controller, err);
    }
    return rc;
}

/* Waits until the ctx ends; its status is the way out, not a failure. */
static void wait_for_end(kube_ctx *ctx)
{
    while (kube_ctx_sleep_ms(ctx, INT64_MAX / 1000000 / 2, NULL) == KUBE_OK)
        continue;
}

kube_code kube_controller_run(kube_controller *controller, kube_ctx *ctx, kube_error *err)
{
    kube__thread *workers = calloc((size_t)controller->worker_count, sizeof(*workers));
    kube_code rc;

    if (!workers)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for workers");
    controller->run_ctx = kube_ctx_child(ctx);
    if (!controller->run_ctx) {
        free(workers);
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for workers");
    }
    rc = kube_informer_factory_start(controller->factory, controller->run_ctx, err);
    if (!rc)
        rc = kube_informer_factory_wait_synced(controller->factory, controller->run_ctx, err);
    if (!rc) {
        kube_log_info("%s: caches are synced, %d workers", controller->name,
                      controller->worker_count);
        rc = start_workers(controller, workers, err);
        if (!rc) {
            wait_for_end(controller->run_ctx);
            if (!kube_ctx_status(ctx, NULL)) /* it was a worker that ended the run */
                rc = kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a worker");
        }
    } else if (kube_ctx_status(ctx, NULL)) {
        rc = KUBE_OK; /* cancelled before it was ready: an orderly end */
    }
    kube_ctx_cancel(controller->run_ctx);
    kube_workqueue_shut_down(controller->queue);
    for (int i = 0; i < controller->worker_count; i++)
        kube__thread_join(&workers[i]);
    kube_informer_factory_stop(controller->factory);
    kube_ctx_free(controller->run_ctx);
    controller->run_ctx = NULL;
    free(workers);
    return rc;
}

/* ---- life ---------------------------------------------------------------------------------- */

static kube_code init(kube_controller *controller, const kube_controller_options *options,
                      kube_error *err)
{
    static const kube_handler handler = {on_add, on_update, on_delete};
    kube_workqueue_options queue_options = {
        .limiter = options->limiter,
        .clock = kube_informer_factory_clock(controller->factory),
    };
    kube_code rc;

    controller->type = options->for_;
    controller->reconcile = options->reconcile;
    controller->arg = options->arg;
    controller->worker_count = options->workers > 0 ? options->workers : 1;
    controller->reconcile_timeout_ms = options->reconcile_timeout_ms;
    rc = kube_workqueue_new(options->name, &queue_options, &controller->queue, err);
    if (rc)
        return rc;
    controller->name = strdup(options->name);
    if (!controller->name)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for %s", options->name);
    rc = kube__keymap_init(&controller->reasons, err);
    if (!rc)
        rc = kube_informer_factory_informer(controller->factory, controller->type,
                                            &controller->informer, err);
    if (!rc)
        rc = kube_informer_add_handler(controller->informer, &handler, controller,
                                       &controller->registration, err);
    return rc;
}

kube_code kube_controller_new(kube_informer_factory *factory,
                              const kube_controller_options *options, kube_controller **out,
                              kube_error *err)
{
    kube_controller *controller = calloc(1, sizeof(*controller));
    kube_code rc;

    assert(options->name && options->for_ && options->reconcile);
    *out = NULL;
    if (!controller || kube__mutex_init(&controller->mutex, err)) {
        kube_rate_limiter_free(options->limiter);
        free(controller);
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for %s", options->name);
    }
    controller->factory = factory;
    rc = init(controller, options, err);
    if (rc) {
        kube_controller_free(controller);
        return rc;
    }
    *out = controller;
    return KUBE_OK;
}

void kube_controller_free(kube_controller *controller)
{
    if (!controller)
        return;
    if (controller->registration)
        kube_informer_remove_handler(controller->informer, controller->registration);
    kube_workqueue_free(controller->queue);
    kube__keymap_fini(&controller->reasons);
    kube__mutex_fini(&controller->mutex);
    free(controller->name);
    free(controller);
}

kube_code kube_controller_enqueue(kube_controller *controller, kube_key key, kube_error *err)
{
    return kube_workqueue_add(controller->queue, key, err);
}

uint64_t kube_controller_run_count(const kube_controller *controller)
{
    return atomic_load_explicit(&controller->run_count, memory_order_relaxed);
}
