/* SPDX-License-Identifier: Apache-2.0 */
#include "controller.h"

#include "spec.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

kube_code network_controller_init(struct network_controller *c, kube_informer_factory *factory,
                                  kube_error *err)
{
    samplecrd_v1_network_informer *informer;
    kube_code rc = samplecrd_v1_network_informer_get(factory, NULL, &informer, err);
    if (!rc)
        c->networks = samplecrd_v1_network_informer_lister(informer);
    return rc;
}

struct existing {
    kube_controller *controller;
    kube_code rc;
    kube_error *err;
};

static bool enqueue(void *arg, const struct real_network *network)
{
    struct existing *existing = arg;
    existing->rc = kube_controller_enqueue(existing->controller, network->key, existing->err);
    return existing->rc == KUBE_OK;
}

kube_code network_enqueue_existing(struct network_controller *c, kube_controller *controller,
                                   kube_ctx *ctx, kube_error *err)
{
    struct existing existing = {.controller = controller, .err = err};
    kube_code rc = c->provider->list(c->provider, ctx, enqueue, &existing, err);
    return rc ? rc : existing.rc;
}

/* Each time that we begin to lead: another replica may have left networks behind. */
static kube_code sweep(void *arg, kube_ctx *ctx, kube_error *err)
{
    struct network_controller *c = arg;
    return network_enqueue_existing(c, c->controller, ctx, err);
}

kube_code network_controller_add(struct network_controller *c, kube_manager *manager, int workers,
                                 kube_error *err)
{
    const kube_controller_options options = {
        .name = "networks",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = network_reconcile,
        .arg = c,
        .workers = workers,
    };
    const kube_runnable at_first = {.name = "sweep", .run = sweep, .arg = c};
    kube_code rc = network_controller_init(c, kube_manager_factory(manager), err);
    c->recorder = kube_manager_recorder(manager);
    if (!rc)
        rc = kube_manager_add_controller(manager, &options, &c->controller, err);
    if (!rc)
        rc = kube_manager_add_runnable(manager, &at_first, err);
    return rc;
}

static kube_code tear_down(struct network_controller *c, kube_ctx *ctx, kube_key key,
                           kube_error *err)
{
    bool existed;
    kube_code rc = c->provider->remove(c->provider, ctx, key, &existed, err);
    if (!rc && existed)
        kube_log_info("%s/%s is gone: its network is torn down", key.namespace_, key.name);
    return rc;
}

/* Whether the object was not seen in this version yet. Why a run comes does not tell that: an edit,
 * a resync and a retry may be one run. A Kind with a status would keep it there. */
static bool is_news(const kube_object_meta *metadata)
{
    enum { SEEN = 256, TEXT_MAX = 64 };

    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        char uid[TEXT_MAX];
        char version[TEXT_MAX];
    } seen[SEEN]; /* the last ones */
    static size_t next;
    bool news;
    size_t at = 0;
    if (!metadata->uid || !metadata->resource_version)
        return true; /* no server leaves them out */
    pthread_mutex_lock(&lock);
    while (at < SEEN && strcmp(seen[at].uid, metadata->uid) != 0)
        at++;
    if (at == SEEN)
        at = next++ % SEEN;
    news = strcmp(seen[at].uid, metadata->uid) != 0 ||
           strcmp(seen[at].version, metadata->resource_version) != 0;
    snprintf(seen[at].uid, TEXT_MAX, "%s", metadata->uid);
    snprintf(seen[at].version, TEXT_MAX, "%s", metadata->resource_version);
    pthread_mutex_unlock(&lock);
    return news;
}

kube_code network_reconcile(kube_ctx *ctx, const kube_request *request, kube_result *result,
                            kube_error *err)
{
    struct network_controller *c = request->arg;
    const samplecrd_v1_network *net;
    const char *problem;
    bool changed;
    kube_code rc;
    (void)result;
    rc = samplecrd_v1_network_lister_get(c->networks, ctx, request->key, &net, err);
    if (rc == KUBE_ERR_NOT_FOUND)
        return tear_down(c, ctx, request->key, err);
    if (rc)
        return rc;

    problem = spec_problem(ctx, &net->spec);
    if (problem) {
        /* Trying again would not mend it. What was built for the last good spec stays as it is. */
        if (is_news(&net->metadata))
            kube_recorder_event(c->recorder, &net->base, KUBE_EVENT_WARNING, "InvalidSpec", "%s",
                                problem);
        return KUBE_OK;
    }

    const struct real_network wanted = {request->key, net->spec.cidr, net->spec.gateway};
    rc = c->provider->ensure(c->provider, ctx, &wanted, &changed, err);
    if (!rc && changed) {
        kube_log_info("%s/%s: network %s by %s is up", request->key.namespace_, request->key.name,
                      wanted.cidr, wanted.gateway);
        kube_recorder_event(c->recorder, &net->base, KUBE_EVENT_NORMAL, "Synced",
                            "network %s with gateway %s is up", wanted.cidr, wanted.gateway);
    }
    return rc;
}
