/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All scopes below a root form a tree. The root's mutex guards their links, wakers and flags. It is
 * not held while a waker runs, because a waker locks the mutex of its waiter, and a thread that
 * holds that one may be making or freeing a scope.
 */
#include "ctx.h"

#include "arena.h"
#include "memory.h"
#include "thread.h"
#include "units.h"

#include <assert.h>
#include <kube/shapes.h>
#include <limits.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct deferred {
    void (*release)(void *arg);
    void *arg;
    struct deferred *next;
} deferred;

/* A kube_ctx_cancel() at work, on its stack. */
typedef struct cancellation {
    kube__waker wakers; /* head of those still to be called */
    kube__waker *running;
    struct cancellation *next;
} cancellation;

struct kube_ctx {
    kube_clock *clock;
    kube_ctx *root;
    kube_ctx *parent;
    kube_ctx *first_child; /* these links: under the root's mutex */
    kube_ctx *next;
    kube_ctx *previous;
    kube__waker wakers;          /* head of a circular list */
    _Atomic int64_t deadline_ns; /* its own; children read it from their threads */
    _Atomic bool canceled;       /* never taken back, not even by a reset */
    kube__arena arena;
    deferred *deferred;
    deferred at_end;
    kube__ctx_link *links;  /* under `links_mutex` */
    _Atomic size_t missing; /* bytes wanted when memory ran out; 0 = it did not since the reset */
    kube_no_memory *on_no_memory; /* NULL = nobody is told */
    void *on_no_memory_arg;
    /* Of a root only. */
    kube__mutex mutex;
    kube__condition waker_done; /* a cancellation changed .running */
    cancellation *cancellations;
};

static void list_init(kube__waker *head)
{
    head->next = head;
    head->previous = head;
}

static void list_add(kube__waker *head, kube__waker *waker)
{
    waker->next = head;
    waker->previous = head->previous;
    head->previous->next = waker;
    head->previous = waker;
}

/* next == NULL marks a waker that is on no list. */
static void list_remove(kube__waker *waker)
{
    waker->next->previous = waker->previous;
    waker->previous->next = waker->next;
    waker->next = NULL;
    waker->previous = NULL;
}

static kube_ctx *make(kube_clock *clock, kube_ctx *parent)
{
    kube_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return NULL;
    ctx->clock = clock;
    ctx->parent = parent;
    ctx->root = parent ? parent->root : ctx;
    if (parent) {
        ctx->on_no_memory = parent->on_no_memory;
        ctx->on_no_memory_arg = parent->on_no_memory_arg;
    }
    list_init(&ctx->wakers);
    atomic_init(&ctx->deadline_ns, INT64_MAX);
    atomic_init(&ctx->canceled, false);
    atomic_init(&ctx->missing, 0);
    return ctx;
}

kube_ctx *kube_ctx_new_with_clock(kube_clock *clock)
{
    kube_ctx *ctx = make(clock, NULL);
    if (!ctx)
        return NULL;
    if (kube__mutex_init(&ctx->mutex, NULL) != KUBE_OK)
        goto no_mutex;
    if (kube__condition_init(&ctx->waker_done, NULL) != KUBE_OK)
        goto no_condition;
    return ctx;

no_condition:
    kube__mutex_fini(&ctx->mutex);
no_mutex:
    free(ctx);
    return NULL;
}

kube_ctx *kube_ctx_new(void)
{
    return kube_ctx_new_with_clock(kube_clock_system());
}

static void tell(const kube_ctx *ctx, size_t wanted)
{
    if (ctx->on_no_memory)
        ctx->on_no_memory(ctx->on_no_memory_arg, wanted);
}

kube_ctx *kube_ctx_child(kube_ctx *parent)
{
    kube_ctx *ctx = kube_ctx_failed(parent) ? NULL : make(parent->clock, parent);
    if (!ctx) {
        /* This may be another thread than the parent's own, which has not failed by it. */
        if (!kube_ctx_failed(parent))
            tell(parent, sizeof *ctx);
        return NULL;
    }
    kube__lock(&ctx->root->mutex);
    ctx->next = parent->first_child;
    if (ctx->next)
        ctx->next->previous = ctx;
    parent->first_child = ctx;
    if (atomic_load(&parent->canceled))
        atomic_store(&ctx->canceled, true);
    kube__unlock(&ctx->root->mutex);
    return ctx;
}

kube_code kube__ctx_scope(kube_ctx *ctx, kube_ctx **out, kube_error *err)
{
    *out = kube_ctx_child(ctx);
    return *out ? KUBE_OK : kube__no_memory(err, "a scope");
}

static void unlink_child(kube_ctx *ctx)
{
    kube__lock(&ctx->root->mutex);
    if (ctx->previous)
        ctx->previous->next = ctx->next;
    else
        ctx->parent->first_child = ctx->next;
    if (ctx->next)
        ctx->next->previous = ctx->previous;
    kube__unlock(&ctx->root->mutex);
}

static void release_deferred(kube_ctx *ctx)
{
    while (ctx->deferred) {
        deferred *d = ctx->deferred; /* in the arena, which goes last */
        ctx->deferred = d->next;
        d->release(d->arg);
    }
}

/* Of the links of all scopes, because a link outlives its own. It is locked before a root's mutex,
 * and seldom: when an informer starts or ends. */
static kube__mutex links_mutex = PTHREAD_MUTEX_INITIALIZER;

void kube__ctx_link_to(kube_ctx *ctx, kube__ctx_link *link, void (*wake)(void *arg), void *arg)
{
    link->waker = (kube__waker){.wake = wake, .arg = arg};
    link->ctx = ctx;
    if (!ctx)
        return;
    kube__lock(&links_mutex);
    link->previous = NULL;
    link->next = ctx->links;
    if (link->next)
        link->next->previous = link;
    ctx->links = link;
    kube__unlock(&links_mutex);
    kube__ctx_add_waker(ctx, &link->waker);
}

/* Under `links_mutex`. */
static void unlink_from_ctx(kube__ctx_link *link)
{
    kube__ctx_remove_waker(link->ctx, &link->waker);
    if (link->previous)
        link->previous->next = link->next;
    else
        link->ctx->links = link->next;
    if (link->next)
        link->next->previous = link->previous;
    link->ctx = NULL;
}

void kube__ctx_unlink(kube__ctx_link *link)
{
    kube__lock(&links_mutex);
    if (link->ctx)
        unlink_from_ctx(link);
    kube__unlock(&links_mutex);
}

static void release_links(kube_ctx *ctx)
{
    kube__lock(&links_mutex);
    while (ctx->links)
        unlink_from_ctx(ctx->links);
    kube__unlock(&links_mutex);
}

void kube__ctx_at_end(kube_ctx *ctx, void (*release)(void *arg), void *arg)
{
    ctx->at_end = (deferred){.release = release, .arg = arg};
}

void kube_ctx_free(kube_ctx *ctx)
{
    if (!ctx)
        return;
    if (ctx->at_end.release)
        ctx->at_end.release(ctx->at_end.arg);
    release_links(ctx);
    release_deferred(ctx);
    kube__arena_fini(&ctx->arena);
    if (ctx->parent)
        unlink_child(ctx);
    assert(!ctx->first_child && "a child outlives its ctx");
    assert(ctx->wakers.next == &ctx->wakers && "something still waits in the ctx");
    if (!ctx->parent) {
        kube__condition_fini(&ctx->waker_done);
        kube__mutex_fini(&ctx->mutex);
    }
    free(ctx);
}

void kube_ctx_reset(kube_ctx *ctx)
{
    release_deferred(ctx);
    kube__arena_reset(&ctx->arena);
    atomic_store(&ctx->deadline_ns, INT64_MAX);
    atomic_store_explicit(&ctx->missing, 0, memory_order_relaxed);
}

/* The scope after @ctx in a walk of @top's tree that has seen, or leaves out, all below @ctx. */
static kube_ctx *after(kube_ctx *ctx, const kube_ctx *top)
{
    while (ctx != top && !ctx->next)
        ctx = ctx->parent;
    return ctx == top ? NULL : ctx->next;
}

/* Marks @top and all below it, and moves their wakers to @work. Under the mutex. */
static void mark_canceled(kube_ctx *top, cancellation *work)
{
    kube_ctx *ctx = top;
    while (ctx) {
        /* Below a cancelled scope all are. */
        bool before = atomic_exchange(&ctx->canceled, true);
        while (!before && ctx->wakers.next != &ctx->wakers) {
            kube__waker *waker = ctx->wakers.next;
            list_remove(waker);
            list_add(&work->wakers, waker);
        }
        ctx = !before && ctx->first_child ? ctx->first_child : after(ctx, top);
    }
}

static void run_wakers(kube_ctx *root, cancellation *work)
{
    while (work->wakers.next != &work->wakers) {
        kube__waker *waker = work->wakers.next;
        list_remove(waker);
        work->running = waker;
        kube__unlock(&root->mutex);
        waker->wake(waker->arg);
        kube__lock(&root->mutex);
        work->running = NULL;
        kube__broadcast(&root->waker_done);
    }
}

void kube_ctx_cancel(kube_ctx *ctx)
{
    kube_ctx *root;
    cancellation work = {0};
    cancellation **link;
    if (!ctx)
        return;
    root = ctx->root;
    list_init(&work.wakers);
    kube__lock(&root->mutex);
    work.next = root->cancellations;
    root->cancellations = &work;
    mark_canceled(ctx, &work);
    run_wakers(root, &work);
    for (link = &root->cancellations; *link != &work; link = &(*link)->next)
        ;
    *link = work.next;
    kube__unlock(&root->mutex);
}

void kube__ctx_add_waker(kube_ctx *ctx, kube__waker *waker)
{
    bool canceled;
    waker->next = NULL;
    waker->previous = NULL;
    if (!ctx)
        return;
    kube__lock(&ctx->root->mutex);
    canceled = atomic_load(&ctx->canceled);
    if (!canceled)
        list_add(&ctx->wakers, waker);
    kube__unlock(&ctx->root->mutex);
    if (canceled)
        waker->wake(waker->arg);
}

static bool is_running(const kube_ctx *root, const kube__waker *waker)
{
    for (const cancellation *c = root->cancellations; c; c = c->next) {
        if (c->running == waker)
            return true;
    }
    return false;
}

void kube__ctx_remove_waker(kube_ctx *ctx, kube__waker *waker)
{
    kube_ctx *root;
    if (!ctx)
        return;
    root = ctx->root;
    kube__lock(&root->mutex);
    if (waker->next)
        list_remove(waker); /* from the scope, or from a cancellation that did not get to it */
    while (is_running(root, waker))
        kube__wait(&root->waker_done, &root->mutex);
    kube__unlock(&root->mutex);
}

static int64_t after_ms(const kube_ctx *ctx, int64_t ms)
{
    kube_clock *clock = kube_ctx_clock(ctx);
    return kube__ms_after(clock->now_ns(clock), ms);
}

void kube_ctx_set_timeout_ms(kube_ctx *ctx, int64_t ms)
{
    atomic_store(&ctx->deadline_ns, after_ms(ctx, ms));
}

int64_t kube__ctx_deadline_ns(const kube_ctx *ctx)
{
    int64_t deadline = INT64_MAX;
    for (; ctx; ctx = ctx->parent) {
        int64_t own = atomic_load_explicit(&ctx->deadline_ns, memory_order_relaxed);
        deadline = own < deadline ? own : deadline;
    }
    return deadline;
}

int64_t kube_ctx_left_ms(const kube_ctx *ctx)
{
    kube_clock *clock = kube_ctx_clock(ctx);
    int64_t deadline = kube__ctx_deadline_ns(ctx);
    int64_t left;
    if (deadline == INT64_MAX)
        return INT64_MAX;
    left = deadline - clock->now_ns(clock);
    return kube__ns_left_ms(left);
}

kube_code kube__ctx_ended(const kube_ctx *ctx, kube_error *err)
{
    int64_t deadline;
    if (!ctx)
        return KUBE_OK;
    if (atomic_load_explicit(&ctx->canceled, memory_order_acquire))
        return kube_error_set(err, KUBE_ERR_CANCELED, "canceled");
    deadline = kube__ctx_deadline_ns(ctx);
    if (deadline != INT64_MAX && ctx->clock->now_ns(ctx->clock) >= deadline)
        return kube_error_set(err, KUBE_ERR_TIMEOUT, "timed out");
    return KUBE_OK;
}

kube_code kube_ctx_status(const kube_ctx *ctx, kube_error *err)
{
    kube_code rc = kube__ctx_check(ctx, err);
    return rc ? rc : kube__ctx_ended(ctx, err);
}

/* Where kube_ctx_sleep_ms() waits; its condition is only ever signalled by a cancel. */
typedef struct sleeper {
    kube__mutex mutex;
    kube__condition condition;
} sleeper;

static void wake_sleeper(void *arg)
{
    sleeper *s = arg;
    kube__lock(&s->mutex);
    kube__broadcast(&s->condition);
    kube__unlock(&s->mutex);
}

static kube_code sleep_until(kube_ctx *ctx, sleeper *s, int64_t until, kube_error *err)
{
    kube_clock *clock = kube_ctx_clock(ctx);
    int64_t deadline = kube__ctx_deadline_ns(ctx);
    kube_code rc;
    kube__lock(&s->mutex);
    for (;;) {
        rc = kube_ctx_status(ctx, err);
        if (rc != KUBE_OK || clock->now_ns(clock) >= until)
            break;
        kube__wait_until(clock, &s->condition, &s->mutex, until < deadline ? until : deadline);
    }
    kube__unlock(&s->mutex);
    return rc;
}

kube_code kube_ctx_sleep_ms(kube_ctx *ctx, int64_t ms, kube_error *err)
{
    sleeper s;
    kube__waker waker = {wake_sleeper, &s, NULL, NULL};
    int64_t until = after_ms(ctx, ms);
    kube_code rc = kube__mutex_init(&s.mutex, err);
    if (rc != KUBE_OK)
        return rc;
    rc = kube__condition_init(&s.condition, err);
    if (rc == KUBE_OK) {
        kube__ctx_add_waker(ctx, &waker);
        rc = sleep_until(ctx, &s, until, err);
        kube__ctx_remove_waker(ctx, &waker);
        kube__condition_fini(&s.condition);
    }
    kube__mutex_fini(&s.mutex);
    return rc;
}

kube_clock *kube_ctx_clock(const kube_ctx *ctx)
{
    return ctx ? ctx->clock : kube_clock_system();
}

/* ---- memory -------------------------------------------------------------------------------- */

static void end_process(void *what, size_t wanted)
{
    kube__end_without_memory(wanted, "%s", (const char *)what);
}

void kube_ctx_end_on_no_memory(kube_ctx *ctx, const char *what)
{
    kube_ctx_on_no_memory(ctx, end_process, (void *)(uintptr_t)what);
}

void kube_ctx_on_no_memory(kube_ctx *ctx, kube_no_memory *handler, void *arg)
{
    ctx->on_no_memory = handler;
    ctx->on_no_memory_arg = arg;
}

bool kube_ctx_failed(const kube_ctx *ctx)
{
    return ctx && atomic_load_explicit(&ctx->missing, memory_order_relaxed);
}

kube_code kube__ctx_check(const kube_ctx *ctx, kube_error *err)
{
    if (!kube_ctx_failed(ctx))
        return KUBE_OK;
    return kube__no_memory(err, "%zu bytes",
                           atomic_load_explicit(&ctx->missing, memory_order_relaxed));
}

void kube__ctx_fail(kube_ctx *ctx, size_t wanted)
{
    if (!ctx || kube_ctx_failed(ctx))
        return;
    atomic_store_explicit(&ctx->missing, wanted ? wanted : 1, memory_order_relaxed);
    tell(ctx, wanted);
}

static void *take(kube_ctx *ctx, size_t size, size_t align)
{
    void *p = kube_ctx_failed(ctx) ? NULL : kube__arena_alloc(&ctx->arena, size, align);
    if (!p)
        kube__ctx_fail(ctx, size);
    return p;
}

void kube__ctx_set_limit(kube_ctx *ctx, size_t bytes)
{
    ctx->arena.limit = bytes;
}

size_t kube__ctx_bytes(const kube_ctx *ctx)
{
    return ctx->arena.held;
}

void *kube_ctx_alloc(kube_ctx *ctx, size_t size)
{
    void *p = take(ctx, size ? size : 1, alignof(max_align_t));
    if (p)
        memset(p, 0, size);
    return p;
}

void *kube_ctx_alloc_array(kube_ctx *ctx, size_t count, size_t size)
{
    /* What overflows is more than there can be. */
    return kube_ctx_alloc(ctx, size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
}

char *kube_ctx_strdup(kube_ctx *ctx, const char *text)
{
    return kube_ctx_strndup(ctx, text, SIZE_MAX);
}

char *kube_ctx_strndup(kube_ctx *ctx, const char *text, size_t len)
{
    char *copy;
    len = strnlen(text, len);
    copy = take(ctx, len + 1, 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *kube_vprintf(kube_ctx *ctx, const char *format, va_list args)
{
    va_list again;
    char *text = NULL;
    int len;
    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, args);
    if (len >= 0)
        text = take(ctx, (size_t)len + 1, 1);
    else
        kube__ctx_fail(ctx, INT_MAX); /* longer than that */
    if (text)
        vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return text;
}

char *kube_printf(kube_ctx *ctx, const char *format, ...)
{
    va_list args;
    char *text;
    va_start(args, format);
    text = kube_vprintf(ctx, format, args);
    va_end(args);
    return text;
}

kube_code kube_ctx_defer(kube_ctx *ctx, void (*release)(void *arg), void *arg, kube_error *err)
{
    deferred *d = take(ctx, sizeof *d, alignof(deferred));
    if (!d)
        return kube__ctx_check(ctx, err);
    *d = (deferred){release, arg, ctx->deferred};
    ctx->deferred = d;
    return KUBE_OK;
}

void *kube_list_grow(kube_ctx *ctx, const void *items, size_t len, size_t size)
{
    void *grown = kube_ctx_failed(ctx) ? NULL : kube__arena_grow(&ctx->arena, items, len, size);
    if (!grown)
        kube__ctx_fail(ctx, len < SIZE_MAX / size ? (len + 1) * size : SIZE_MAX);
    return grown;
}
