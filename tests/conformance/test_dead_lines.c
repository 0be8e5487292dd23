/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections that die without a word: the server's process is stopped, or a proxy keeps the
 * connections open and forwards nothing any more (CFG-4). Calls without a deadline of their own
 * must come back within 45 s, the next ones must reach the server, and an informer must be back in
 * step, without anybody mending the dead connections. Peers: TestReconnectBrokenTCP,
 * TestReconnectBrokenTCPInFlight.
 */
#include "cluster_world.h"
#include "support/child.h"

#include <kube/testing/proxy.h>
#include <pthread.h>
#include <samplecrd/v1/api.h>
#include <stdlib.h>
#include <string.h>

/* A watch may be silent for two and a half intervals of bookmarks, which come once a minute. */
enum { CALLERS = 4, LEFT_MS = 45000, NETWORKS = 40, WATCH_LEFT_MS = 240000 };

static kube_error err;
static kube_fault_proxy *proxy;
static kube_client *proxied;
static kube_informer_factory *factory;
static const samplecrd_v1_network_lister *lister;

static void set_up(void)
{
    case_set_up();
    kube_ctx_set_timeout_ms(ctx, 10 * POLL_PATIENCE_MS);
}

static void tear_down(void)
{
    real_server_continue(server);
    kube_informer_factory_free(factory);
    kube_client_free(proxied);
    kube_fault_proxy_stop(proxy);
    factory = NULL;
    proxied = NULL;
    proxy = NULL;
    case_tear_down();
}
FIXTURE(set_up, tear_down);

static void create(const char *name)
{
    const samplecrd_v1_network net = {.metadata = {.name = name},
                                      .spec = {.cidr = "10.0.0.0/8", .gateway = "10.0.0.1"}};
    expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &net, NULL, NULL, &err), &err);
}

/* Follows the namespace's networks by @by. */
static void follow(kube_client *by)
{
    const kube_informer_options options = {.namespace_ = ns};
    samplecrd_v1_network_informer *informer;
    expect_ok(kube_informer_factory_new(by, &options, &factory, &err), &err);
    expect_ok(samplecrd_v1_network_informer_get(factory, NULL, &informer, &err), &err);
    lister = samplecrd_v1_network_informer_lister(informer);
    expect_ok(kube_informer_factory_start(factory, ctx, &err), &err);
    expect_ok(kube_informer_factory_wait_synced(factory, ctx, &err), &err);
}

static kube_code get(kube_client *by, kube_error *e)
{
    samplecrd_v1_network *net;
    kube_ctx *own = kube_ctx_new(); /* has no deadline */
    kube_code rc = samplecrd_v1_networks_get(by, own, kube_key_of(ns, "a"), NULL, &net, e);
    kube_ctx_free(own);
    return rc;
}

/* ---- a stopped server ---------------------------------------------------------------------- */

typedef struct caller {
    pthread_t thread;
    kube_code rc;
    kube_error err;
    int64_t took_ms;
} caller;

static void *call(void *arg)
{
    caller *c = arg;
    int64_t begin = poll_now_ms();
    c->rc = get(client, &c->err);
    c->took_ms = poll_now_ms() - begin;
    return NULL;
}

TEST(calls_to_a_stopped_server_come_back)
{
    caller callers[CALLERS];
    create("a");
    follow(client);
    expect_ok(get(client, &err), &err); /* a connection is there, to be found dead */
    real_server_pause(server);
    for (int i = 0; i < CALLERS; i++)
        ck_assert_int_eq(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    for (int i = 0; i < CALLERS; i++) {
        ck_assert_int_eq(pthread_join(callers[i].thread, NULL), 0);
        ck_assert_msg(callers[i].rc != KUBE_OK, "a stopped server answered");
        ck_assert_msg(callers[i].took_ms < LEFT_MS, "call %d took %lld ms: %s", i,
                      (long long)callers[i].took_ms, callers[i].err.message);
    }
    real_server_continue(server);
    eventually(get(client, &err) == KUBE_OK, err.message);
    create("b");
    eventually(samplecrd_v1_network_lister_count(lister) == 2, "the informer is behind");
}

/* ---- connections that are alive in TCP alone ------------------------------------------------- */

static kube_client *client_through_proxy(void)
{
    kube_config_options options = {.kubeconfig = real_server_kubeconfig(server)};
    const char *colon = strrchr(real_server_url(server), ':');
    kube_config *config;
    kube_client *made;
    kube_fault_proxy_options to = {.target_port = (uint16_t)atoi(colon + 1)};
    expect_ok(kube_fault_proxy_start(&to, &proxy, &err), &err);
    options.master = kube_printf(ctx, "https://127.0.0.1:%d", kube_fault_proxy_port(proxy));
    expect_ok(kube_config_load(&options, &config, &err), &err);
    expect_ok(kube_client_new(config, NULL, &made, &err), &err);
    kube_config_free(config);
    return made;
}

static void stall_after(uint64_t bytes, unsigned connections)
{
    const kube_wire_rule stall = {
        .kind = KUBE_WIRE_STALL, .after_bytes = bytes, .times = connections};
    expect_ok(kube_fault_proxy_add_rule(proxy, &stall, &err), &err);
}

static uint64_t stalled(void)
{
    kube_fault_proxy_stats stats;
    kube_fault_proxy_get_stats(proxy, &stats);
    return stats.faults[KUBE_WIRE_STALL];
}

TEST(calls_leave_a_connection_that_is_dead_behind_a_proxy)
{
    int64_t begin = 0;
    proxied = client_through_proxy();
    create("a");
    stall_after(30000, 1);
    do { /* until the connection that they share has stalled */
        begin = poll_now_ms();
    } while (get(proxied, &err) == KUBE_OK);
    ck_assert_int_lt(poll_now_ms() - begin, LEFT_MS);
    ck_assert_uint_eq(stalled(), 1);
    expect_ok(get(proxied, &err), &err);
}

TEST(a_watch_leaves_a_connection_that_is_dead_behind_a_proxy)
{
    int64_t deadline_ms;
    proxied = client_through_proxy();
    stall_after(12000, 1);
    follow(proxied);
    for (int i = 0; i < NETWORKS || stalled() == 0; i++)
        create(kube_printf(ctx, "n%d", i));
    create("last");
    deadline_ms = poll_now_ms() + WATCH_LEFT_MS;
    for (const samplecrd_v1_network *net;
         samplecrd_v1_network_lister_get(lister, ctx, kube_key_of(ns, "last"), &net, &err);)
        ck_assert_msg(poll_again(deadline_ms), "the watch still follows a dead connection");
}

int main(void)
{
    return world_run(NULL);
}
