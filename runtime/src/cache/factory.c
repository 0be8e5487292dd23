/* SPDX-License-Identifier: Apache-2.0 */
#include "factory.h"

#include "base/ctx.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "informer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_MAX = 16,
    LOOK_MS = 2500,   /* how often somebody looks for calls of handlers that are slow */
    STUCK_MS = 60000, /* of a handler's call that makes the program not ready */
};

struct member {
    kube_informer *informer;
    kube_informer_options options; /* its strings are ours */
    char number[NUMBER_MAX];       /* "#2": in place of a name */
    kube__client_list_watch source;
    struct member *next;
};

struct kube_informer_factory {
    kube_client *client;
    kube_informer_options options; /* its strings are ours */
    kube__list_watch *(*source_of)(void *arg, const kube_type *type);
    void *source_arg;
    double (*random01)(void *arg);
    void *random_arg;
    kube__mutex mutex; /* of all below; never held while an informer is stopped */
    kube__condition changed;
    kube__thread watch; /* of the handlers */
    int64_t look_ms;
    struct member *members;
    bool stopped;
};

/* ---- options --------------------------------------------------------------------------------- */

static bool copy_text(const char **text)
{
    char *copy;
    if (!*text)
        return true;
    copy = strdup(*text);
    *text = copy;
    return copy != NULL;
}

static void free_options(const kube_informer_options *options)
{
    free((void *)(uintptr_t)options->name);
    free((void *)(uintptr_t)options->namespace_);
    free((void *)(uintptr_t)options->label_selector);
    free((void *)(uintptr_t)options->field_selector);
}

/* Makes the strings of @options our own. */
static kube_code keep_options(kube_informer_options *options, kube_error *err)
{
    bool kept = copy_text(&options->name);
    kept = copy_text(&options->namespace_) && kept;
    kept = copy_text(&options->label_selector) && kept;
    kept = copy_text(&options->field_selector) && kept;
    if (kept)
        return KUBE_OK;
    free_options(options);
    memset(options, 0, sizeof *options);
    return kube__no_memory(err, "an informer factory");
}

static kube_code check_options(kube_informer_options *options, kube_error *err)
{
    if (options->resync_ms < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT,
                              "informer factory: resync_ms must not be negative");
    options->resync_ms = kube__allowed_resync_ms(options->resync_ms);
    return KUBE_OK;
}

/* The factory's clock and exit_on_no_memory hold for all its informers. */
static bool is_equal(const kube_informer_options *a, const kube_informer_options *b)
{
    return kube__text_same(a->name, b->name) && a->resync_ms == b->resync_ms &&
           kube__text_same(a->namespace_, b->namespace_) &&
           kube__text_same(a->label_selector, b->label_selector) &&
           kube__text_same(a->field_selector, b->field_selector) &&
           a->keep_managed_fields == b->keep_managed_fields &&
           a->no_streaming_list == b->no_streaming_list && a->buffer_bytes == b->buffer_bytes &&
           a->transform == b->transform && a->transform_arg == b->transform_arg &&
           a->on_failure == b->on_failure && a->on_failure_arg == b->on_failure_arg;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_factory(kube_informer_factory *factory)
{
    free_options(&factory->options);
    free(factory);
}

kube_code kube_informer_factory_new_sized(kube_client *client, const kube_informer_options *options,
                                          size_t options_size, kube_informer_factory **out,
                                          kube_error *err)
{
    kube_informer_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    kube_informer_factory *factory = calloc(1, sizeof *factory);
    kube_code rc;
    *out = NULL;
    if (!factory)
        return kube__no_memory(err, "an informer factory");
    factory->client = client;
    factory->look_ms = LOOK_MS;
    factory->options = *options;
    factory->options.name = NULL;
    rc = keep_options(&factory->options, err);
    if (!rc)
        rc = check_options(&factory->options, err);
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

static void free_member(struct member *member)
{
    kube__informer_free(member->informer);
    free_options(&member->options);
    free(member);
}

void kube_informer_factory_free(kube_informer_factory *factory)
{
    if (!factory)
        return;
    kube_informer_factory_stop(factory);
    while (factory->members) {
        struct member *member = factory->members;
        factory->members = member->next;
        free_member(member);
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

void kube__informer_factory_set_look_ms(kube_informer_factory *factory, int64_t ms)
{
    factory->look_ms = ms;
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

static kube_informer *find(const kube_informer_factory *factory, const kube_type *type,
                           const kube_informer_options *options)
{
    for (const struct member *m = factory->members; m; m = m->next)
        if (is_same_type(kube_informer_type(m->informer), type) && is_equal(&m->options, options))
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
                                  kube_informer_type(member->informer)) <= 0)
        link = &(*link)->next;
    member->next = *link;
    *link = member;
}

static kube_informer_options options_for(const kube_informer_factory *factory,
                                         const kube_type *type, const kube_informer_options *own)
{
    kube_informer_options options = own ? *own : factory->options;
    options.clock = factory->options.clock;
    options.exit_on_no_memory = factory->options.exit_on_no_memory;
    if (!type->namespaced)
        options.namespace_ = NULL;
    return options;
}

/* An informer of its own has a name or a number. */
static kube_code name_member(const kube_informer_factory *factory, const kube_type *type,
                             struct member *member, const char **name, kube_error *err)
{
    const kube_informer_options shared = options_for(factory, type, NULL);
    int number = 1;
    for (const struct member *m = factory->members; m; m = m->next) {
        if (!is_same_type(kube_informer_type(m->informer), type))
            continue;
        number++;
        if (member->options.name && kube__text_same(m->options.name, member->options.name))
            return kube_error_set(err, KUBE_ERR_ARGUMENT,
                                  "the informer \"%s\" of %s has other options",
                                  member->options.name, type->resource);
    }
    if (!member->options.name && !is_equal(&member->options, &shared)) {
        snprintf(member->number, sizeof member->number, "#%d", number);
        *name = member->number;
    }
    return KUBE_OK;
}

static kube_code add(kube_informer_factory *factory, const kube_type *type,
                     const kube_informer_options *wanted, kube_informer **out, kube_error *err)
{
    struct member *member = calloc(1, sizeof *member);
    kube__informer_options options = {
        .type = type,
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
    member->options = *wanted;
    rc = keep_options(&member->options, err);
    options.user = member->options;
    if (!rc)
        rc = name_member(factory, type, member, &options.user.name, err);
    if (!rc)
        rc = kube__informer_new(&options, &member->informer, err);
    if (rc) {
        free_member(member);
        return rc;
    }
    insert(factory, member);
    *out = member->informer;
    return KUBE_OK;
}

const kube_informer_options *kube_informer_factory_options(const kube_informer_factory *factory)
{
    return &factory->options;
}

kube_clock *kube_informer_factory_clock(const kube_informer_factory *factory)
{
    return factory->options.clock ? factory->options.clock : kube_clock_system();
}

kube_code kube_informer_factory_informer_sized(kube_informer_factory *factory,
                                               const kube_type *type,
                                               const kube_informer_options *own, size_t own_size,
                                               void *out, kube_error *err)
{
    kube_informer_options grown;
    kube_informer_options options =
        options_for(factory, type, own ? kube__sized(own, own_size, &grown, sizeof grown) : NULL);
    kube_informer *informer = NULL;
    kube_code rc = check_options(&options, err);
    kube__lock(&factory->mutex);
    if (!rc)
        informer = find(factory, type, &options);
    if (!rc && !informer && factory->stopped)
        rc = kube_error_set(err, KUBE_ERR_CLOSED, "the informer factory has been stopped");
    else if (!rc && !informer)
        rc = add(factory, type, &options, &informer, err);
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

static bool look_at_handlers(void *arg, kube_informer *informer)
{
    kube__handlers_state state;
    (void)arg;
    kube__informer_look(informer, &state);
    return true;
}

/* By the machine's clock: a test that advances its own should find nothing there to wait for. */
static void *watch_handlers(void *arg)
{
    kube_informer_factory *factory = arg;
    kube_clock *clock = kube_clock_system();
    kube__lock(&factory->mutex);
    while (!factory->stopped) {
        kube__wait_until(clock, &factory->changed, &factory->mutex,
                         clock->now_ns(clock) + factory->look_ms * KUBE__NS_PER_MS);
        kube__unlock(&factory->mutex);
        kube_informer_factory_each(factory, look_at_handlers, NULL);
        kube__lock(&factory->mutex);
    }
    kube__unlock(&factory->mutex);
    return NULL;
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
    if (!rc && !factory->watch.started)
        rc = kube__thread_start(&factory->watch, "kube-handlers", watch_handlers, factory, err);
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

static bool check_handlers(finding *f, kube_informer *informer)
{
    kube__handlers_state state;
    kube__informer_look(informer, &state);
    if (state.longest_ms < STUCK_MS)
        return true;
    f->rc = kube_error_set(f->err, KUBE_ERR_UNAVAILABLE,
                           "%s: handler \"%s\" has not returned from a call for %lld s",
                           kube_informer_type(informer)->resource, state.longest,
                           (long long)(state.longest_ms / 1000));
    return false;
}

static bool look_at(void *arg, kube_informer *informer)
{
    finding *f = arg;
    const char *resource = kube_informer_type(informer)->resource;
    kube_informer_status status;
    switch (kube_informer_state(informer, &status)) {
    case KUBE_INFORMER_SYNCED:
        return check_handlers(f, informer);
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
    kube__thread watch;
    kube__lock(&factory->mutex);
    factory->stopped = true;
    watch = factory->watch;
    factory->watch.started = false;
    kube__broadcast(&factory->changed);
    kube__unlock(&factory->mutex);
    for (struct member *m = factory->members; m; m = m->next)
        kube__informer_cancel(m->informer);
    for (struct member *m = factory->members; m; m = m->next)
        kube__informer_stop(m->informer);
    kube__thread_join(&watch);
}
