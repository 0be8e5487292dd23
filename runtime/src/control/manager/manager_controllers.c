/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controllers of a manager, which come and go while it runs. Nothing that takes time is done
 * under the mutex: whoever starts, stops or frees a controller marks its place as busy, and others
 * wait for that.
 */
#include "base/ctx.h"
#include "base/memory.h"
#include "manager_state.h"

#include <stdlib.h>
#include <string.h>

kube_code kube__manager_check_new(kube_manager *manager, const char *what, kube_error *err)
{
    bool has_run;
    kube__lock(&manager->mutex);
    has_run = manager->has_run;
    kube__unlock(&manager->mutex);
    if (!has_run)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "%s comes too late: the manager has been run",
                          what);
}

/* ---- the list; the mutex is held ------------------------------------------------------------- */

static kube__manager_controller *find(const kube_manager *manager,
                                      const kube_controller *controller)
{
    kube__manager_controller *c = manager->controllers;
    while (c && c->controller != controller)
        c = c->next;
    return c;
}

static bool has_name(const kube_manager *manager, const char *name)
{
    const kube__manager_controller *c = manager->controllers;
    while (c && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

static void append(kube_manager *manager, kube__manager_controller *c)
{
    kube__manager_controller **last = &manager->controllers;
    while (*last)
        last = &(*last)->next;
    *last = c;
}

static void take_out(kube_manager *manager, kube__manager_controller *c)
{
    kube__manager_controller **link = &manager->controllers;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    free(c);
}

/* ---- one controller -------------------------------------------------------------------------- */

/* Two of one name would be one in metrics and records. */
static kube_code reserve(kube_manager *manager, const kube_controller_options *options,
                         kube__manager_controller **out, kube_error *err)
{
    size_t size = strlen(options->name) + 1;
    kube__manager_controller *c = calloc(1, sizeof *c + size);
    kube_code rc = KUBE_OK;
    if (!c)
        return kube__no_memory(err, "%s", options->name);
    memcpy(c->name, options->name, size);
    c->without_lease = options->without_lease;
    c->busy = true;
    kube__lock(&manager->mutex);
    if (manager->over)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "%s: the manager has ended", c->name);
    else if (has_name(manager, c->name))
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "there is already a controller %s", c->name);
    else
        append(manager, c);
    kube__unlock(&manager->mutex);
    if (rc)
        free(c);
    else
        *out = c;
    return rc;
}

/* The place is ours. What it shares with others is made anew by its name: metrics, the caches. */
static kube_code make(kube_manager *manager, kube__manager_controller *c,
                      const kube_controller_options *options, kube_error *err)
{
    kube_controller_options all = *options;
    kube_controller *controller;
    bool has_caches;
    kube_code rc;
    if (!all.metrics)
        all.metrics = manager->metrics;
    if (!all.flight)
        all.flight = manager->flight;
    rc = kube_controller_new(manager->factory, &all, &controller, err);
    if (rc)
        return rc;
    kube__lock(&manager->mutex);
    c->controller = controller;
    has_caches = manager->has_caches;
    kube__unlock(&manager->mutex);
    return has_caches ? kube_informer_factory_start(manager->factory, manager->cache_ctx, err)
                      : KUBE_OK;
}

static void set_free_locked(kube_manager *manager, kube__manager_controller *c)
{
    c->busy = false;
    kube__broadcast(&manager->changed);
}

static void set_free(kube_manager *manager, kube__manager_controller *c)
{
    kube__lock(&manager->mutex);
    set_free_locked(manager, c);
    kube__unlock(&manager->mutex);
}

/*
 * Starts it if its term has begun, and sets its place free; the term does not end before that. A
 * term that begins leaves out what is busy, so that there is none is found out and the place set
 * free under one lock. After an error the place is still ours.
 */
static kube_code start(kube_manager *manager, kube__manager_controller *c, kube_error *err)
{
    kube_ctx *term;
    kube_code rc = KUBE_OK;
    kube__lock(&manager->mutex);
    term = manager->terms[c->without_lease];
    if (manager->over)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "%s: the manager has ended", c->name);
    if (!rc && term) {
        kube__unlock(&manager->mutex);
        rc = kube_controller_start(c->controller, term, err);
        kube__lock(&manager->mutex);
        c->started = !rc;
    }
    if (!rc)
        set_free_locked(manager, c);
    kube__unlock(&manager->mutex);
    return rc;
}

/* The place is ours. It is hidden first: others look at what they find. */
static void dismiss(kube_manager *manager, kube__manager_controller *c)
{
    kube_controller *controller;
    kube__lock(&manager->mutex);
    controller = c->controller;
    c->controller = NULL;
    kube__unlock(&manager->mutex);
    kube_controller_free(controller);
    kube__lock(&manager->mutex);
    take_out(manager, c);
    kube__broadcast(&manager->changed);
    kube__unlock(&manager->mutex);
}

kube_code kube_manager_add_controller_sized(kube_manager *manager,
                                            const kube_controller_options *options,
                                            size_t options_size, kube_controller **out,
                                            kube_error *err)
{
    kube_controller_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube__manager_controller *c = NULL;
    kube_controller *controller;
    kube_code rc;
    if (out)
        *out = NULL;
    if (!options->name || !*options->name)
        rc = kube_error_set(err, KUBE_ERR_ARGUMENT, "a controller needs a name");
    else
        rc = reserve(manager, options, &c, err);
    if (rc) {
        kube_rate_limiter_free(options->limiter);
        return rc;
    }
    rc = make(manager, c, options, err);
    controller = c->controller; /* once it has started, somebody may remove it */
    if (!rc)
        rc = start(manager, c, err);
    if (rc) {
        dismiss(manager, c);
        return rc;
    }
    if (out)
        *out = controller;
    return KUBE_OK;
}

kube_code kube_manager_remove_controller(kube_manager *manager, kube_controller *controller,
                                         kube_error *err)
{
    kube__manager_controller *c;
    kube__lock(&manager->mutex);
    while ((c = controller ? find(manager, controller) : NULL) && c->busy)
        kube__wait(&manager->changed, &manager->mutex);
    if (c)
        c->busy = true;
    kube__unlock(&manager->mutex);
    if (!c)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the manager has no such controller");
    dismiss(manager, c);
    return KUBE_OK;
}

/* ---- all of a term --------------------------------------------------------------------------- */

/* The next one to start, as ours; NULL = there is none. What is busy starts by itself. */
static kube__manager_controller *next_to_start(kube_manager *manager, bool without_lease)
{
    kube__manager_controller *c;
    kube__lock(&manager->mutex);
    c = manager->controllers;
    while (c && (c->without_lease != without_lease || c->busy || c->started))
        c = c->next;
    if (c)
        c->busy = true;
    kube__unlock(&manager->mutex);
    return c;
}

kube_code kube__manager_start_controllers(kube_manager *manager, kube_ctx *ctx, bool without_lease,
                                          kube_error *err)
{
    kube__manager_controller *c;
    kube_code rc = KUBE_OK;
    kube__lock(&manager->mutex);
    manager->terms[without_lease] = ctx;
    kube__unlock(&manager->mutex);
    while (!rc && (c = next_to_start(manager, without_lease)) != NULL) {
        rc = start(manager, c, err);
        if (rc)
            set_free(manager, c);
    }
    return rc;
}

/* The next one to stop, as ours; NULL = there is none, and nobody starts one. */
static kube__manager_controller *next_to_stop(kube_manager *manager, bool without_lease)
{
    kube__manager_controller *c;
    kube__lock(&manager->mutex);
    for (;;) {
        c = manager->controllers;
        while (c && (c->without_lease != without_lease || !(c->busy || c->started)))
            c = c->next;
        if (!c || !c->busy)
            break;
        kube__wait(&manager->changed, &manager->mutex);
    }
    if (c)
        c->busy = true;
    kube__unlock(&manager->mutex);
    return c;
}

void kube__manager_stop_controllers(kube_manager *manager, bool without_lease)
{
    kube__manager_controller *c;
    kube__lock(&manager->mutex);
    manager->terms[without_lease] = NULL;
    kube__unlock(&manager->mutex);
    while ((c = next_to_stop(manager, without_lease)) != NULL) {
        kube_controller_stop(c->controller);
        kube__lock(&manager->mutex);
        c->started = false;
        kube__unlock(&manager->mutex);
        set_free(manager, c);
    }
}

const kube__status_controller *kube__manager_look_at_controllers(kube_manager *manager,
                                                                 kube_ctx *ctx, size_t *len)
{
    kube__status_controller *seen;
    size_t count = 0;
    kube__lock(&manager->mutex);
    for (const kube__manager_controller *c = manager->controllers; c; c = c->next)
        count++;
    seen = kube_ctx_alloc(ctx, (count + 1) * sizeof *seen);
    *len = 0;
    for (const kube__manager_controller *c = manager->controllers; seen && c; c = c->next) {
        if (!c->controller)
            continue;
        seen[*len].name = kube_ctx_strdup(ctx, c->name);
        kube_controller_get_stats(c->controller, &seen[*len].stats);
        kube_controller_get_queue_stats(c->controller, &seen[(*len)++].queue);
    }
    kube__unlock(&manager->mutex);
    return seen;
}

void kube__manager_free_controllers(kube_manager *manager)
{
    while (manager->controllers) {
        kube__manager_controller *c = manager->controllers;
        manager->controllers = c->next;
        kube_controller_free(c->controller);
        free(c);
    }
}
