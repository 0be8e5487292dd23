/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lock order: a waiter's mutex before the clock's. So an advance, which needs both, pins a waiter,
 * lets go of the clock, and only then locks the waiter's mutex; a pinned waiter does not return, so
 * its mutex and condition stay.
 */
#include "base/ctx.h"
#include "base/thread.h"
#include "base/units.h"

#include <assert.h>
#include <kube/testing/clock.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct waiter {
    void *condition;
    void *mutex;
    int64_t deadline_ns;
    bool pinned;
    bool woken; /* by an advance */
    struct waiter *next;
} waiter;

struct kube_fake_clock {
    kube_clock clock; /* first: the clock's functions find the rest by it */
    _Atomic int64_t now_ns;
    _Atomic int64_t wall_ns;
    kube__mutex mutex;       /* guards the waiters, and changes of the time */
    kube__condition changed; /* waiters came or were unpinned, or the time moved */
    waiter *waiters;
};

static int64_t fake_now(const kube_clock *clock)
{
    return atomic_load(&((kube_fake_clock *)(uintptr_t)clock)->now_ns);
}

static int64_t fake_wall(const kube_clock *clock)
{
    return atomic_load(&((kube_fake_clock *)(uintptr_t)clock)->wall_ns);
}

/* Registers @w unless its deadline has passed already. */
static bool add_waiter(kube_fake_clock *fake, waiter *w)
{
    bool added;
    kube__lock(&fake->mutex);
    added = w->deadline_ns > atomic_load(&fake->now_ns);
    if (added) {
        w->next = fake->waiters;
        fake->waiters = w;
        kube__broadcast(&fake->changed);
    }
    kube__unlock(&fake->mutex);
    return added;
}

static void remove_waiter(kube_fake_clock *fake, waiter *w)
{
    waiter **link = &fake->waiters;
    kube__lock(&fake->mutex);
    while (w->pinned)
        kube__wait(&fake->changed, &fake->mutex);
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    kube__unlock(&fake->mutex);
}

static void fake_wait(kube_clock *clock, void *condition, void *mutex, int64_t deadline_ns)
{
    kube_fake_clock *fake = (kube_fake_clock *)clock;
    waiter w = {condition, mutex, deadline_ns, false, false, NULL};
    if (deadline_ns == INT64_MAX) {
        kube__wait(condition, mutex);
        return;
    }
    if (!add_waiter(fake, &w))
        return;
    kube__wait(condition, mutex);
    kube__unlock(mutex); /* an advance that has pinned us may be waiting for it */
    remove_waiter(fake, &w);
    kube__lock(mutex);
}

kube_fake_clock *kube_fake_clock_new(void)
{
    kube_fake_clock *fake = calloc(1, sizeof *fake);
    if (!fake)
        return NULL;
    fake->clock = (kube_clock){fake_now, fake_wall, fake_wait};
    atomic_init(&fake->now_ns, KUBE__NS_PER_S);
    atomic_init(&fake->wall_ns, 1795228823 * KUBE__NS_PER_S);
    if (kube__mutex_init(&fake->mutex, NULL) != KUBE_OK)
        goto no_mutex;
    if (kube__condition_init(&fake->changed, NULL) != KUBE_OK)
        goto no_condition;
    return fake;

no_condition:
    kube__mutex_fini(&fake->mutex);
no_mutex:
    free(fake);
    return NULL;
}

void kube_fake_clock_free(kube_fake_clock *fake)
{
    if (!fake)
        return;
    assert(!fake->waiters && "somebody still waits by the clock");
    kube__condition_fini(&fake->changed);
    kube__mutex_fini(&fake->mutex);
    free(fake);
}

kube_clock *kube_fake_clock_clock(kube_fake_clock *fake)
{
    return &fake->clock;
}

static waiter *find_due(const kube_fake_clock *fake, int64_t now)
{
    waiter *w = fake->waiters;
    while (w && (w->woken || w->deadline_ns > now))
        w = w->next;
    return w;
}

void kube_fake_clock_advance_ms(kube_fake_clock *fake, int64_t ms)
{
    waiter *w;
    int64_t now;
    kube__lock(&fake->mutex);
    now = atomic_load(&fake->now_ns) + ms * KUBE__NS_PER_MS;
    atomic_store(&fake->now_ns, now);
    atomic_store(&fake->wall_ns, atomic_load(&fake->wall_ns) + ms * KUBE__NS_PER_MS);
    kube__broadcast(&fake->changed);
    while ((w = find_due(fake, now))) {
        w->woken = true;
        w->pinned = true;
        kube__unlock(&fake->mutex);
        kube__lock(w->mutex); /* now it is inside its wait, or past it */
        kube__broadcast(w->condition);
        kube__unlock(w->mutex);
        kube__lock(&fake->mutex);
        w->pinned = false;
        kube__broadcast(&fake->changed);
    }
    kube__unlock(&fake->mutex);
}

void kube_fake_clock_set(kube_fake_clock *fake, int64_t wall_ns)
{
    kube__lock(&fake->mutex);
    atomic_store(&fake->wall_ns, wall_ns);
    kube__unlock(&fake->mutex);
}

static size_t count_waiters(const kube_fake_clock *fake)
{
    int64_t now = atomic_load(&((kube_fake_clock *)(uintptr_t)fake)->now_ns);
    size_t count = 0;
    for (const waiter *w = fake->waiters; w; w = w->next)
        count += w->deadline_ns > now;
    return count;
}

void kube_fake_clock_wait_for_waiters(kube_fake_clock *fake, size_t count)
{
    kube__lock(&fake->mutex);
    while (count_waiters(fake) < count)
        kube__wait(&fake->changed, &fake->mutex);
    kube__unlock(&fake->mutex);
}

static void wake_waiter(void *arg)
{
    kube_fake_clock *fake = arg;
    kube__lock(&fake->mutex);
    kube__broadcast(&fake->changed);
    kube__unlock(&fake->mutex);
}

/* Says how long each of those that count waits from now on; what does not fit is cut. */
static void describe_waiters(const kube_fake_clock *fake, char *text, size_t size)
{
    int64_t now = atomic_load(&((kube_fake_clock *)(uintptr_t)fake)->now_ns);
    const char *before = ", for ms: ";
    size_t len = 0;
    *text = '\0';
    for (const waiter *w = fake->waiters; w && len < size; w = w->next) {
        if (w->deadline_ns <= now)
            continue;
        len += (size_t)snprintf(text + len, size - len, "%s%lld", before,
                                (long long)kube__ns_left_ms(w->deadline_ns - now));
        before = ", ";
    }
}

kube_code kube_fake_clock_wait(kube_fake_clock *fake, kube_ctx *ctx, size_t count, kube_error *err)
{
    kube__waker waker = {.wake = wake_waiter, .arg = fake};
    char waiters[400];
    kube_error why;
    kube_code rc = KUBE_OK;
    size_t found;
    kube__ctx_add_waker(ctx, &waker);
    kube__lock(&fake->mutex);
    while ((found = count_waiters(fake)) < count) {
        rc = kube_ctx_status(ctx, &why);
        if (rc) {
            describe_waiters(fake, waiters, sizeof waiters);
            break;
        }
        if (kube_ctx_clock(ctx) == &fake->clock) /* an advance wakes us, and our lock is its own */
            kube__wait(&fake->changed, &fake->mutex);
        else
            kube__wait_until(kube_ctx_clock(ctx), &fake->changed, &fake->mutex,
                             kube__ctx_deadline_ns(ctx));
    }
    kube__unlock(&fake->mutex);
    kube__ctx_remove_waker(ctx, &waker);
    if (!rc)
        return KUBE_OK;
    return kube_error_set(err, rc, "fake clock: %zu of %zu threads wait%s: %.200s", found, count,
                          waiters, why.message);
}

int64_t kube_fake_clock_next_ms(kube_fake_clock *fake)
{
    int64_t next = INT64_MAX;
    int64_t now;
    kube__lock(&fake->mutex);
    now = atomic_load(&fake->now_ns);
    for (const waiter *w = fake->waiters; w; w = w->next) {
        if (w->deadline_ns > now && w->deadline_ns < next)
            next = w->deadline_ns;
    }
    kube__unlock(&fake->mutex);
    return next == INT64_MAX ? next : kube__ns_left_ms(next - now);
}
