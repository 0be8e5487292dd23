/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_provider.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NETWORKS_MAX = 256, NAME_LEN = 128, ADDRESS_LEN = 64 };

struct network {
    bool exists;
    char ns[NAME_LEN];
    char name[NAME_LEN];
    char cidr[ADDRESS_LEN];
    char gateway[ADDRESS_LEN];
};

struct memory_provider {
    struct provider base;
    pthread_mutex_t mutex; /* of what is below */
    pthread_cond_t changed;
    size_t calls;
    size_t failures; /* still to come */
    struct network networks[NETWORKS_MAX];
};

static struct memory_provider *self(struct provider *provider)
{
    return (struct memory_provider *)(void *)provider;
}

/* The network, or, if @room, a free place; NULL when there is none. */
static struct network *find(struct memory_provider *p, const char *ns, const char *name, bool room)
{
    struct network *free_place = NULL;
    for (size_t i = 0; i < NETWORKS_MAX; i++) {
        struct network *n = &p->networks[i];
        if (n->exists && strcmp(n->name, name) == 0 && strcmp(n->ns, ns) == 0)
            return n;
        if (!n->exists && !free_place)
            free_place = n;
    }
    return room ? free_place : NULL;
}

static void set(struct memory_provider *p, const char *ns, const char *name, const char *cidr,
                const char *gateway)
{
    struct network *n = find(p, ns, name, true);
    if (!n)
        abort(); /* a test with more networks than there is room for */
    n->exists = true;
    snprintf(n->ns, sizeof n->ns, "%s", ns);
    snprintf(n->name, sizeof n->name, "%s", name);
    snprintf(n->cidr, sizeof n->cidr, "%s", cidr);
    snprintf(n->gateway, sizeof n->gateway, "%s", gateway);
}

/* Whether this call is to fail. */
static bool count_call(struct memory_provider *p)
{
    p->calls++;
    pthread_cond_broadcast(&p->changed);
    if (p->failures == 0)
        return false;
    p->failures--;
    return true;
}

static kube_code ensure(struct provider *provider, kube_ctx *ctx, const struct real_network *wanted,
                        bool *changed, kube_error *err)
{
    struct memory_provider *p = self(provider);
    const struct network *n;
    (void)ctx;
    pthread_mutex_lock(&p->mutex);
    bool fails = count_call(p);
    n = find(p, wanted->key.namespace_, wanted->key.name, false);
    *changed = !n || strcmp(n->cidr, wanted->cidr) != 0 || strcmp(n->gateway, wanted->gateway) != 0;
    if (!fails)
        set(p, wanted->key.namespace_, wanted->key.name, wanted->cidr, wanted->gateway);
    pthread_mutex_unlock(&p->mutex);
    return fails ? kube_error_set(err, KUBE_ERR_UNAVAILABLE, "the switch is busy") : KUBE_OK;
}

static kube_code remove_network(struct provider *provider, kube_ctx *ctx, kube_key key,
                                bool *existed, kube_error *err)
{
    struct memory_provider *p = self(provider);
    struct network *n;
    (void)ctx;
    pthread_mutex_lock(&p->mutex);
    bool fails = count_call(p);
    n = find(p, key.namespace_, key.name, false);
    *existed = n != NULL;
    if (n && !fails)
        n->exists = false;
    pthread_mutex_unlock(&p->mutex);
    return fails ? kube_error_set(err, KUBE_ERR_UNAVAILABLE, "the switch is busy") : KUBE_OK;
}

static kube_code list(struct provider *provider, kube_ctx *ctx,
                      bool (*visit)(void *arg, const struct real_network *network), void *arg,
                      kube_error *err)
{
    struct memory_provider *p = self(provider);
    (void)ctx;
    (void)err;
    pthread_mutex_lock(&p->mutex);
    for (size_t i = 0; i < NETWORKS_MAX; i++) {
        const struct network *n = &p->networks[i];
        const struct real_network seen = {{n->ns, n->name}, n->cidr, n->gateway};
        if (n->exists && !visit(arg, &seen))
            break;
    }
    pthread_mutex_unlock(&p->mutex);
    return KUBE_OK;
}

static void free_provider(struct provider *provider)
{
    struct memory_provider *p = self(provider);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}

struct provider *memory_provider_new(void)
{
    struct memory_provider *p = calloc(1, sizeof *p);
    if (!p)
        exit(EXIT_FAILURE);
    p->base = (struct provider){ensure, remove_network, list, free_provider};
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    return &p->base;
}

static const char *describe(struct memory_provider *p, kube_ctx *ctx, const char *ns,
                            const char *name)
{
    const struct network *n = find(p, ns, name, false);
    return n ? kube_printf(ctx, "%s by %s", n->cidr, n->gateway) : "none";
}

const char *memory_provider_get(struct provider *provider, kube_ctx *ctx, const char *ns,
                                const char *name)
{
    struct memory_provider *p = self(provider);
    const char *text;
    pthread_mutex_lock(&p->mutex);
    text = describe(p, ctx, ns, name);
    pthread_mutex_unlock(&p->mutex);
    return text;
}

/* Until something has changed, or, so that the ctx's end is noticed, for a second at most. */
static void wait_for_change(struct memory_provider *p, kube_ctx *ctx)
{
    int64_t left_ms = kube_ctx_left_ms(ctx);
    int64_t ns = (left_ms < 1000 ? left_ms : 1000) * 1000000;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    ns += until.tv_nsec;
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_cond_timedwait(&p->changed, &p->mutex, &until);
}

const char *memory_provider_wait(struct provider *provider, kube_ctx *ctx, const char *ns,
                                 const char *name, const char *wanted)
{
    struct memory_provider *p = self(provider);
    const char *text;
    pthread_mutex_lock(&p->mutex);
    while (strcmp(text = describe(p, ctx, ns, name), wanted) != 0 &&
           kube_ctx_status(ctx, NULL) == KUBE_OK)
        wait_for_change(p, ctx);
    pthread_mutex_unlock(&p->mutex);
    return text;
}

size_t memory_provider_count(struct provider *provider)
{
    struct memory_provider *p = self(provider);
    size_t count = 0;
    pthread_mutex_lock(&p->mutex);
    for (size_t i = 0; i < NETWORKS_MAX; i++)
        count += p->networks[i].exists;
    pthread_mutex_unlock(&p->mutex);
    return count;
}

size_t memory_provider_call_count(struct provider *provider)
{
    struct memory_provider *p = self(provider);
    size_t calls;
    pthread_mutex_lock(&p->mutex);
    calls = p->calls;
    pthread_mutex_unlock(&p->mutex);
    return calls;
}

void memory_provider_wait_for_call(struct provider *provider, kube_ctx *ctx, size_t count)
{
    struct memory_provider *p = self(provider);
    pthread_mutex_lock(&p->mutex);
    while (p->calls <= count && kube_ctx_status(ctx, NULL) == KUBE_OK)
        wait_for_change(p, ctx);
    pthread_mutex_unlock(&p->mutex);
}

void memory_provider_meddle(struct provider *provider, const char *ns, const char *name,
                            const char *cidr, const char *gateway)
{
    struct memory_provider *p = self(provider);
    pthread_mutex_lock(&p->mutex);
    if (cidr) {
        set(p, ns, name, cidr, gateway);
    } else {
        struct network *n = find(p, ns, name, false);
        if (n)
            n->exists = false;
    }
    pthread_mutex_unlock(&p->mutex);
}

void memory_provider_clear(struct provider *provider)
{
    struct memory_provider *p = self(provider);
    pthread_mutex_lock(&p->mutex);
    for (size_t i = 0; i < NETWORKS_MAX; i++)
        p->networks[i].exists = false;
    pthread_mutex_unlock(&p->mutex);
}

void memory_provider_fail(struct provider *provider, size_t count)
{
    struct memory_provider *p = self(provider);
    pthread_mutex_lock(&p->mutex);
    p->failures = count;
    pthread_mutex_unlock(&p->mutex);
}
