/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller as a whole, on an API server within this program and with a network provider in
 * memory. A model for the tests of a controller of your own: it uses public headers only.
 */
#include "../controller.h"
#include "memory_provider.h"

#include <check.h>
#include <kube/testing/apiserver.h>
#include <kube/testing/clock.h>
#include <kube/testing/recorder.h>
#include <pthread.h>
#include <stdlib.h>

enum { PATIENCE_MS = 20000, RESYNC_MS = 30000 };

static kube_apiserver *server;
static kube_client *client;
static kube_fake_clock *fake; /* of informers, queue and back-off */
static kube_fake_recorder *events;
static struct provider *provider;
static kube_ctx *ctx; /* of the test: its deadline ends every wait */
static kube_error err;

/* The controller under test, while it runs. */
static struct network_controller network;
static kube_informer_factory *factory;
static kube_controller *controller;
static kube_ctx *run_ctx;
static pthread_t runner;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

/* ---- fixture -------------------------------------------------------------------------------- */

static void *run(void *arg)
{
    kube_error *run_err = arg;
    return kube_controller_run(controller, run_ctx, run_err) == KUBE_OK ? NULL : run_err;
}

static void start_controller(void)
{
    const kube_informer_options cache = {.resync_ms = RESYNC_MS,
                                         .clock = kube_fake_clock_clock(fake)};
    const kube_controller_options options = {
        .name = "networks",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = network_reconcile,
        .arg = &network,
    };
    static kube_error run_err;
    network.provider = provider;
    network.recorder = kube_fake_recorder_recorder(events);
    run_ctx = kube_ctx_new();
    EXPECT_OK(kube_informer_factory_new(client, &cache, &factory, &err));
    EXPECT_OK(network_controller_init(&network, factory, &err));
    EXPECT_OK(kube_controller_new(factory, &options, &controller, &err));
    EXPECT_OK(network_enqueue_existing(&network, controller, run_ctx, &err));
    ck_assert_int_eq(pthread_create(&runner, NULL, run, &run_err), 0);
}

static void stop_controller(void)
{
    void *failed;
    if (!controller)
        return;
    kube_ctx_cancel(run_ctx);
    pthread_join(runner, &failed);
    ck_assert_msg(!failed, "%s", failed ? ((kube_error *)failed)->message : "");
    kube_controller_free(controller);
    kube_informer_factory_free(factory);
    kube_ctx_free(run_ctx);
    controller = NULL;
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, PATIENCE_MS);
    fake = kube_fake_clock_new();
    events = kube_fake_recorder_new();
    provider = memory_provider_new();
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
    EXPECT_OK(kube_apiserver_load_file(server, NETWORK_CRD, &err));
    EXPECT_OK(kube_apiserver_client(server, &client, &err));
    start_controller();
}

static void tear_down(void)
{
    stop_controller();
    kube_client_free(client);
    kube_apiserver_stop(server);
    provider_free(provider);
    kube_fake_recorder_free(events);
    kube_fake_clock_free(fake);
    kube_ctx_free(ctx);
}

/* ---- helpers -------------------------------------------------------------------------------- */

/* Creates or changes a Network of the namespace "default". */
static void load(const char *name, const char *cidr, const char *gateway)
{
    const samplecrd_v1_network net = {
        .metadata = {.name = name, .namespace_ = "default"},
        .spec = {.cidr = cidr, .gateway = gateway},
    };
    EXPECT_OK(kube_apiserver_load_object(server, &samplecrd_v1_network_type, &net.base, &err));
}

static void expect_network(const char *name, const char *wanted)
{
    ck_assert_str_eq(memory_provider_wait(provider, ctx, "default", name, wanted), wanted);
}

static void expect_events(const char *reason, size_t count)
{
    EXPECT_OK(kube_fake_recorder_wait(events, ctx, reason, count, &err));
    ck_assert_uint_eq(kube_fake_recorder_count(events, reason), count);
}

static size_t call_count(const kube_api_call_filter *filter)
{
    kube_api_call_list calls;
    EXPECT_OK(kube_apiserver_calls(server, ctx, filter, &calls, &err));
    return calls.len;
}

/* ---- cases ---------------------------------------------------------------------------------- */

START_TEST(a_network_is_created)
{
    load("blue", "10.1.0.0/16", "10.1.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    expect_events("Synced", 1);
}
END_TEST

START_TEST(an_update_changes_the_network)
{
    const char patch[] = "{\"spec\":{\"gateway\":\"10.1.0.2\"}}";
    load("blue", "10.1.0.0/16", "10.1.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    EXPECT_OK(samplecrd_v1_networks_patch(client, ctx, kube_key_of("default", "blue"),
                                          KUBE_PATCH_MERGE, patch, sizeof patch - 1, NULL, NULL,
                                          &err));
    expect_network("blue", "10.1.0.0/16 by 10.1.0.2");
    expect_events("Synced", 2);
}
END_TEST

START_TEST(a_deleted_network_is_torn_down)
{
    load("blue", "10.1.0.0/16", "10.1.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    EXPECT_OK(
        samplecrd_v1_networks_delete(client, ctx, kube_key_of("default", "blue"), NULL, &err));
    expect_network("blue", "none");
}
END_TEST

START_TEST(an_invalid_spec_is_told_once_and_changes_nothing)
{
    load("blue", "10.1.0.0/16", "10.1.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    load("blue", "10.1.0.0/16", "192.168.0.1");
    expect_events("InvalidSpec", 1);
    ck_assert_str_eq(memory_provider_get(provider, ctx, "default", "blue"),
                     "10.1.0.0/16 by 10.1.0.1");
    kube_string_list all = kube_fake_recorder_events(events, ctx);
    ck_assert_str_eq(all.items[all.len - 1],
                     "Warning InvalidSpec default/blue: spec.gateway 192.168.0.1 lies outside "
                     "spec.cidr 10.1.0.0/16");
}
END_TEST

/* Whatever it is that runs it: here its network, which is there at the start. */
START_TEST(an_invalid_spec_from_before_the_start_is_told)
{
    load("blue", "10.1.0.0/16", "10.1.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    stop_controller();
    load("blue", "10.1.0.0/16", "192.168.0.1");
    start_controller();
    expect_events("InvalidSpec", 1);
    ck_assert_str_eq(memory_provider_get(provider, ctx, "default", "blue"),
                     "10.1.0.0/16 by 10.1.0.1");
}
END_TEST

START_TEST(drift_is_repaired_by_the_resync)
{
    load("blue", "10.1.0.0/16", "10.1.0.1");
    load("red", "10.2.0.0/16", "10.2.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    expect_network("red", "10.2.0.0/16 by 10.2.0.1");
    expect_events("Synced", 2);
    memory_provider_meddle(provider, "default", "blue", "10.1.0.0/16", "10.1.99.99");
    memory_provider_meddle(provider, "default", "red", NULL, NULL);
    kube_fake_clock_wait_for_waiters(fake, 1); /* the watch, which sees to resyncs */
    kube_fake_clock_advance_ms(fake, RESYNC_MS);
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    expect_network("red", "10.2.0.0/16 by 10.2.0.1");
    expect_events("Synced", 4);
}
END_TEST

START_TEST(a_failure_is_tried_again_after_its_back_off)
{
    memory_provider_fail(provider, 2);
    load("blue", "10.1.0.0/16", "10.1.0.1");
    for (int i = 0; i < 2; i++) {
        kube_fake_clock_wait_for_waiters(fake, 2); /* the watch, and the delayed key */
        kube_fake_clock_advance_ms(fake, 1000);
    }
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    ck_assert_uint_eq(memory_provider_call_count(provider), 3);
}
END_TEST

START_TEST(a_restart_catches_up_with_all_that_was_missed)
{
    load("blue", "10.1.0.0/16", "10.1.0.1");
    load("red", "10.2.0.0/16", "10.2.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    expect_network("red", "10.2.0.0/16 by 10.2.0.1");
    stop_controller();
    EXPECT_OK(
        samplecrd_v1_networks_delete(client, ctx, kube_key_of("default", "blue"), NULL, &err));
    load("red", "10.2.0.0/16", "10.2.0.9");
    load("green", "fd00:1::/64", "fd00:1::1");
    start_controller();
    expect_network("blue", "none");
    expect_network("red", "10.2.0.0/16 by 10.2.0.9");
    expect_network("green", "fd00:1::/64 by fd00:1::1");
}
END_TEST

START_TEST(it_reads_by_one_watch_and_writes_nothing)
{
    const kube_api_call_filter watches = {.verb = "watch", .resource = "networks"};
    const kube_api_call_filter writes = {.writes = true};
    load("blue", "10.1.0.0/16", "10.1.0.1");
    expect_network("blue", "10.1.0.0/16 by 10.1.0.1");
    stop_controller();
    ck_assert_uint_eq(call_count(&watches), 1);
    ck_assert_uint_eq(call_count(NULL), 1);
    ck_assert_uint_eq(call_count(&writes), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("network controller");
    TCase *cases = tcase_create("embedded server");
    SRunner *suite_runner = srunner_create(suite);
    tcase_set_timeout(cases, 0); /* ctest's counts */
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_network_is_created);
    tcase_add_test(cases, an_update_changes_the_network);
    tcase_add_test(cases, a_deleted_network_is_torn_down);
    tcase_add_test(cases, an_invalid_spec_is_told_once_and_changes_nothing);
    tcase_add_test(cases, an_invalid_spec_from_before_the_start_is_told);
    tcase_add_test(cases, drift_is_repaired_by_the_resync);
    tcase_add_test(cases, a_failure_is_tried_again_after_its_back_off);
    tcase_add_test(cases, a_restart_catches_up_with_all_that_was_missed);
    tcase_add_test(cases, it_reads_by_one_watch_and_writes_nothing);
    suite_add_tcase(suite, cases);
    srunner_run_all(suite_runner, CK_NORMAL);
    int failed = srunner_ntests_failed(suite_runner);
    srunner_free(suite_runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
