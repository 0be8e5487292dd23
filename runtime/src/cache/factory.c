/* SPDX-License-Identifier: Apache-2.0 */
#include "factory.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/units.h"
#include "informer.h"

#include <kube/log.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_RESYNC_MS = 1000 }; /* INF-4 */

struct member {
    kube_informer *informer;
    kube__client_list_watch source;
    struct member *next;
};

struct kube_informer_factory {
    kube_client *client;
    kube_informer_options options; /* its strings are ours */
    char *strings[3];
    kube__list_watch *(*source_of)(void *arg, const kube_type *type);
    void *source_arg;
    double (*random01)(void *arg);
    void *random_arg;
    kube__mutex mutex; /* of all below; never held while an informer is stopped */
    kube__condition changed;
    struct member *members;
    bool stopped;
};

static bool copy_string(kube_informer_factory *factory, int i, const char **slot)
{
    if (!*slot)
        return true;
    factory->strings[i] = strdup(*slot);
    *slot = factory->strings[i];
    return *slot != NULL;
}

static kube_code copy_options(kube_informer_factory *factory, const kube_informer_options *options,
                              kube_error *err)
{
    if (!options)
        return KUBE_OK;
    factory->options = *options;
    if (!copy_string(factory, 0, &factory->options.namespace_) ||
        !copy_string(factory, 1, &factory->options.label_selector) ||
        !copy_string(factory, 2, &factory->options.field_selector))
        return kube__no_memory(err, "an informer factory");
    if (options->resync_ms < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "informer factory: resync_ms must not be negative");
    if (options->resync_ms > 0 && options->resync_ms < LEAST_RESYNC_MS) {
        kube_log_warn("the resync period of %lld ms is too short and was raised to %d ms",
                      (long long)options->resync_ms, LEAST_RESYNC_MS);
        factory->options.resync_ms = LEAST_RESYNC_MS;
    }
    return KUBE_OK;
}

static void free_factory(kube_informer_factory *factory)
{
    for (size_t i = 0; i < sizeof factory->strings / sizeof *factory->strings; i++)
        free(factory->strings[i]);
    free(factory);
}

kube_code kube_informer_factory_new(kube_client *client, const kube_informer_options *options,
                                    kube_informer_factory **out, kube_error *err)
{
    kube_informer_factory *factory = calloc(1, sizeof *factory);
    kube_code rc;
    *out = NULL;
    if (!factory)
        return kube__no_memory(err, "an informer factory");
    factory->client = client;
    rc = copy_options(factory, options, err);
    if (!rc)
        rc = kube__mutex_init(&factory->mutex, err);
    if (!rc) {
        rc = kube__condition_init(&factory->changed, err);
        if (rc)
            kube__mutex_fini(&factory->mutex);
    }
    if (rc) {
        free_factory(factory);
        return rc;
    }
    *out = factory;
    return KUBE_OK;
}

void kube_informer_factory_free(kube_informer_factory *factory)
{
    if (!factory)
        return;
    kube_informer_factory_stop(factory);
    while (factory->members) {
        struct member *member = factory->members;
        factory->members = member->next;
        kube__informer_free(member->informer);
        free(member);
    }
    kube__condition_fini(&factory->changed);
    kube__mutex_fini(&factory->mutex);
    free_factory(factory);
}

void kube__informer_factory_set_sources(kube_informer_factory *factory,
                                        kube__list_watch *(*source_of)(void *arg,
                                                                       const kube_type *type),
                                        void *arg)
{
    factory->source_of = source_of;
    factory->source_arg = arg;
}

bool kube__informer_factory_exits_on_no_memory(const kube_informer_factory *factory)
{
    return factory->options.exit_on_no_memory;
}

void kube__informer_factory_set_random(kube_informer_factory *factory,
                                       double (*random01)(void *arg), void *arg)
{
    factory->random01 = random01;
    factory->random_arg = arg;
}

/* ---- informers ------------------------------------------------------------------------------- */

static void wake(void *arg)
{
    kube_informer_factory *factory = arg;
    kube__lock(&factory->mutex);
    kube__broadcast(&factory->changed);
    kube__unlock(&factory->mutex);
}

/* One descriptor a type is the rule; a copy of one in another library is the same type. */
static bool is_same_type(const kube_type *a, const kube_type *b)
{
    return a == b || (strcmp(a->api_version, b->api_version) == 0 && strcmp(a->kind, b->kind) == 0);
}

static kube_informer *find(const kube_informer_factory *factory, const kube_type *type)
{
    for (const struct member *m = factory->members; m; m = m->next)
        if (is_same_type(kube_informer_type(m->informer), type))
            return m->informer;
    return NULL;
}

static int compare_types(const kube_type *a, const kube_type *b)
{
    int order = strcmp(a->kind, b->kind);
    return order ? order : strcmp(a->api_version, b->api_version);
}

static void insert(kube_informer_factory *factory, struct member *member)
{
    struct member **link = &factory->members;
    while (*link && compare_types(kube_informer_type((*link)->informer),
                                  kube_informer_type(member->informer)) < 0)
        link = &(*link)->next;
    member->next = *link;
    *link = member;
}

static kube_code add(kube_informer_factory *factory, const kube_type *type, kube_informer **out,
                     kube_error *err)
{
    struct member *member = calloc(1, sizeof *member);
    kube__informer_options options = {
        .type = type,
        .user = factory->options,
        .changed = wake,
        .changed_arg = factory,
        .random01 = factory->random01,
        .random_arg = factory->random_arg,
    };
    kube_code rc;
    if (!member)
        return kube__no_memory(err, "an informer factory");
    kube__client_list_watch_init(&member->source, factory->client, type);
    options.source =
        factory->source_of ? factory->source_of(factory->source_arg, type) : &member->source.source;
    if (!type->namespaced)
        options.user.namespace_ = NULL;
    rc = kube__informer_new(&options, &member->informer, err);
    if (rc) {
        free(member);
        return rc;
    }
    insert(factory, member);
    *out = member->informer;
    return KUBE_OK;
}

kube_clock *kube_informer_factory_clock(const kube_informer_factory *factory)
{
    return factory->options.clock ? factory->options.clock : kube_clock_system();
}

kube_code kube_informer_factory_informer(kube_informer_factory *factory, const kube_type *type,
                                         void *out, kube_error *err)
{
    kube_informer *informer;
    kube_code rc = KUBE_OK;
    kube__lock(&factory->mutex);
    informer = find(factory, type);
    if (!informer && factory->stopped)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "the informer factory has been stopped");
    else if (!informer)
        rc = add(factory, type, &informer, err);
    kube__unlock(&factory->mutex);
    memcpy(out, &informer, sizeof informer);
    return rc;
}

/* Members are only added: one that was found stays, so no lock is held while it is visited. */
static struct member *after(kube_informer_factory *factory, const struct member *member)
{
    struct member *next;
    kube__lock(&factory->mutex);
    next = member ? member->next : factory->members;
    kube__unlock(&factory->mutex);
    return next;
}

void kube_informer_factory_each(kube_informer_factory *factory,
                                bool (*visit)(void *arg, kube_informer *informer), void *arg)
{
    for (struct member *m = after(factory, NULL); m; m = after(factory, m))
        if (!visit(arg, m->informer))
            return;
}

kube_code kube_informer_factory_start(kube_informer_factory *factory, kube_ctx *ctx,
                                      kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    kube__lock(&factory->mutex);
    if (!rc && factory->stopped)
        rc = kube_error_set(err, KUBE_ERR_CLOSED,
                            "the informer factory has been stopped and cannot start again");
    for (struct member *m = factory->members; m && !rc; m = m->next)
        rc = kube__informer_start(m->informer, ctx, err);
    kube__unlock(&factory->mutex);
    return rc;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* The first started informer that has not synced; NULL = all have (G-25). */
static const kube_informer *unsynced(const kube_informer_factory *factory)
{
    for (const struct member *m = factory->members; m; m = m->next)
        if (kube__informer_get_state(m->informer) != KUBE__INFORMER_NEW &&
            !kube_informer_has_synced(m->informer))
            return m->informer;
    return NULL;
}

/* Says what the wait was for, and what stood in its way. */
static void explain(const kube_informer *informer, kube_error *err)
{
    const char *why = kube__informer_last_error(informer);
    if (!err)
        return;
    if (*why)
        kube_error_set(err, err->code, "the cache of %s has not synced: %s",
                       kube_informer_type(informer)->resource, why);
    else
        kube_error_prefix(err, "the cache of %s has not synced",
                          kube_informer_type(informer)->resource);
}

kube_code kube_informer_factory_wait_synced(kube_informer_factory *factory, kube_ctx *ctx,
                                            kube_error *err)
{
    kube__waker waker = {.wake = wake, .arg = factory};
    const kube_informer *missing;
    kube_code rc = kube__ctx_check(ctx, err);
    if (rc)
        return rc;
    kube__ctx_add_waker(ctx, &waker);
    kube__lock(&factory->mutex);
    while ((missing = unsynced(factory)) != NULL && !rc) {
        rc = kube_ctx_status(ctx, err);
        if (!rc && kube__informer_get_state(missing) == KUBE__INFORMER_STOPPED)
            rc = kube_error_set(err, KUBE_ERR_CLOSED, "the informer has been stopped");
        if (!rc)
            kube__wait_until(kube_ctx_clock(ctx), &factory->changed, &factory->mutex,
                             kube__ctx_deadline_ns(ctx));
    }
    if (rc && missing)
        explain(missing, err);
    kube__unlock(&factory->mutex);
    kube__ctx_remove_waker(ctx, &waker);
    return missing ? rc : KUBE_OK;
}

typedef struct finding {
    kube_code rc;
    kube_error *err;
    int64_t now_ns;
} finding;

static bool look_at(void *arg, kube_informer *informer)
{
    finding *f = arg;
    const char *resource = kube_informer_type(informer)->resource;
    kube_informer_status status;
    switch (kube_informer_state(informer, &status)) {
    case KUBE_INFORMER_SYNCED:
        return true;
    case KUBE_INFORMER_STARTING:
        f->rc = kube_error_set(f->err, KUBE_ERR_UNAVAILABLE, "%s: %s", resource,
                               *status.why ? status.why : "the first list has not come yet");
        break;
    case KUBE_INFORMER_BEHIND:
        f->rc = kube_error_set(
            f->err, KUBE_ERR_UNAVAILABLE, "%s: the cache has been behind for %lld s: %s", resource,
            (long long)((f->now_ns - status.since_ns) / KUBE__NS_PER_S), status.why);
        break;
    case KUBE_INFORMER_STOPPED:
        f->rc = kube_error_set(f->err, KUBE_ERR_UNAVAILABLE, "%s: the informer has been stopped",
                               resource);
        break;
    }
    return false;
}

kube_code kube__informer_factory_check(kube_informer_factory *factory, kube_error *err)
{
    kube_clock *clock = kube_informer_factory_clock(factory);
    finding f = {.rc = KUBE_OK, .err = err, .now_ns = clock->now_ns(clock)};
    kube_informer_factory_each(factory, look_at, &f);
    return f.rc;
}

/* Members are only added, and not any more once `stopped` is set: the list can be walked freely. */
void kube_informer_factory_stop(kube_informer_factory *factory)
{
    kube__lock(&factory->mutex);
    factory->stopped = true;
    kube__unlock(&factory->mutex);
    for (struct member *m = factory->members; m; m = m->next)
        kube__informer_cancel(m->informer);
    for (struct member *m = factory->members; m; m = m->next)
        kube__informer_stop(m->informer);
}
