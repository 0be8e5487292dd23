/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_provider.h"

#include "base/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory {
    struct provider provider;
    kube__mutex mutex;
    kube__condition called;
    struct memory_network *networks;
    size_t len;
    size_t capacity;
    uint64_t calls;
};

static struct memory *of(struct provider *provider)
{
    return (struct memory *)provider;
}

static size_t find(const struct memory *m, kube_key key)
{
    size_t i = 0;

    while (i < m->len && (strcmp(m->networks[i].name, key.name) != 0 ||
                          strcmp(m->networks[i].namespace_, key.namespace_) != 0))
        i++;
    return i;
}

static void count_call(struct memory *m)
{
    m->calls++;
    kube__broadcast(&m->called);
}

static bool reserve(struct memory *m)
{
    size_t capacity = m->capacity ? 2 * m->capacity : 16;
    struct memory_network *networks;

    if (m->len < m->capacity)
        return true;
    networks = realloc(m->networks, capacity * sizeof *networks);
    if (!networks)
        return false;
    m->networks = networks;
    m->capacity = capacity;
    return true;
}

static void put_text(char *to, const char *text)
{
    snprintf(to, MEMORY_TEXT, "%s", text);
}

static kube_code ensure(struct provider *provider, kube_ctx *ctx, const struct real_network *wanted,
                        bool *changed, kube_error *err)
{
    struct memory *m = of(provider);
    struct memory_network *network;
    kube_code rc = KUBE_OK;
    size_t at;

    (void)ctx;
    kube__lock(&m->mutex);
    at = find(m, wanted->key);
    if (!reserve(m)) {
        rc = kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory for a network");
    } else {
        network = &m->networks[at];
        *changed = at == m->len || strcmp(network->cidr, wanted->cidr) != 0 ||
                   strcmp(network->gateway, wanted->gateway) != 0;
        m->len += at == m->len;
        put_text(network->namespace_, wanted->key.namespace_);
        put_text(network->name, wanted->key.name);
        put_text(network->cidr, wanted->cidr);
        put_text(network->gateway, wanted->gateway);
        count_call(m);
    }
    kube__unlock(&m->mutex);
    return rc;
}

static kube_code remove_one(struct provider *provider, kube_ctx *ctx, kube_key key, bool *existed,
                            kube_error *err)
{
    struct memory *m = of(provider);
    size_t at;

    (void)ctx;
    (void)err;
    kube__lock(&m->mutex);
    at = find(m, key);
    *existed = at < m->len;
    if (*existed)
        m->networks[at] = m->networks[--m->len];
    count_call(m);
    kube__unlock(&m->mutex);
    return KUBE_OK;
}

static kube_code list(struct provider *provider, kube_ctx *ctx,
                      bool (*visit)(void *arg, const struct real_network *network), void *arg,
                      kube_error *err)
{
    struct memory *m = of(provider);

    (void)ctx;
    (void)err;
    kube__lock(&m->mutex);
    for (size_t i = 0; i < m->len; i++) {
        const struct memory_network *n = &m->networks[i];
        const struct real_network real = {{n->namespace_, n->name}, n->cidr, n->gateway};
        if (!visit(arg, &real))
            break;
    }
    kube__unlock(&m->mutex);
    return KUBE_OK;
}

static void release(struct provider *provider)
{
    struct memory *m = of(provider);

    free(m->networks);
    kube__condition_fini(&m->called);
    kube__mutex_fini(&m->mutex);
    free(m);
}

struct provider *memory_provider_new(void)
{
    struct memory *m = calloc(1, sizeof *m);

    if (!m || kube__mutex_init(&m->mutex, NULL) || kube__condition_init(&m->called, NULL))
        abort();
    m->provider = (struct provider){ensure, remove_one, list, release};
    return &m->provider;
}

void memory_provider_clear(struct provider *provider)
{
    struct memory *m = of(provider);

    kube__lock(&m->mutex);
    m->len = 0;
    kube__unlock(&m->mutex);
}

size_t memory_provider_count(struct provider *provider)
{
    struct memory *m = of(provider);
    size_t len;

    kube__lock(&m->mutex);
    len = m->len;
    kube__unlock(&m->mutex);
    return len;
}

bool memory_provider_get(struct provider *provider, const char *namespace_, const char *name,
                         struct memory_network *out)
{
    struct memory *m = of(provider);
    size_t at;
    bool there;

    kube__lock(&m->mutex);
    at = find(m, (kube_key){namespace_, name});
    there = at < m->len;
    if (there)
        *out = m->networks[at];
    kube__unlock(&m->mutex);
    return there;
}

uint64_t memory_provider_calls(struct provider *provider)
{
    struct memory *m = of(provider);
    uint64_t calls;

    kube__lock(&m->mutex);
    calls = m->calls;
    kube__unlock(&m->mutex);
    return calls;
}

bool memory_provider_wait(struct provider *provider, kube_ctx *ctx, uint64_t since)
{
    struct memory *m = of(provider);
    kube__wait_scope scope;
    bool more;

    kube__wait_begin(&scope, ctx, &m->mutex, &m->called, 0);
    kube__lock(&m->mutex);
    while (m->calls <= since && kube__wait_step(&scope))
        continue;
    more = m->calls > since;
    kube__unlock(&m->mutex);
    kube__wait_end(&scope);
    return more;
}
