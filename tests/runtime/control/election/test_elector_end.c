/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a Lease is lost, given back and passed on (LE-2 to LE-5), and what the fence does meanwhile.
 * Named after what client-go's leaderelection_test.go checks.
 */
#include "base/fence.h"
#include "elector_world.h"
#include "support/http_server.h"

#include <kube/testing/proxy.h>

/* ---- losing --------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(a_holder_that_sees_anothers_name_steps_down_at_once)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    options.fence = fence;
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    ck_assert(kube__fence_is_open(fence));
    rests(2000, 2000);
    put_lease("thief", 15, 1);
    kube_fake_clock_advance_ms(fake, 2000);
    candidate_join(&c, KUBE_ERR_FENCED);
    ck_assert_ptr_nonnull(strstr(c.error.message, "taken over by \"thief\""));
    ck_assert_int_eq(gate_count(&c.stopping), 1);
    ck_assert(!kube__fence_is_open(fence));
    ck_assert_str_eq(holder_now(), "thief");
    candidate_fini(&c);
}

TEST(lost_when_the_server_does_not_answer_in_time_and_run_again) /* LE-2; the fence's times */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    const int64_t second = 1000000000;
    options.fence = fence;
    candidate_init(&c, client, &options);
    ck_assert(!kube__fence_is_open(fence));
    candidate_start(&c);
    gate_wait(&c.led, 1);
    /* The clock stood still since the request was begun. */
    ck_assert_int_eq(kube__fence_left_ns(fence), 10 * second);
    rests(2000, 2000);
    kube_fake_clock_advance_ms(fake, 2000);
    wait_writes("update", 1);
    rests(2000, 2000);
    ck_assert_int_eq(kube__fence_left_ns(fence), 10 * second);
    fail_leases(NULL, 503, 0);
    for (int i = 1; i < 5; i++) {
        kube_fake_clock_advance_ms(fake, 2000);
        wait_writes("update", 1 + (size_t)i);
        rests(2000, 2000);
        ck_assert_int_eq(kube__fence_left_ns(fence), (10 - 2 * i) * second);
        ck_assert(kube_elector_is_leader(c.elector));
    }
    ck_assert_int_eq(gate_count(&c.stopping), 0);
    kube_fake_clock_advance_ms(fake, 1999);
    ck_assert(kube__fence_is_open(fence));
    kube_fake_clock_advance_ms(fake, 1);
    ck_assert(!kube__fence_is_open(fence));
    ck_assert(!kube_elector_is_leader(c.elector));
    candidate_join(&c, KUBE_ERR_FENCED);
    ck_assert_ptr_nonnull(strstr(c.error.message, "not renewed for 10000 ms"));
    ck_assert_int_eq(gate_count(&c.stopping), 1);
    kube_apiserver_clear_faults(server);
    candidate_start(&c);
    gate_wait(&c.led, 2);
    ck_assert_int_eq(kube__fence_left_ns(fence), 10 * second);
    candidate_stop(&c);
    ck_assert(!kube__fence_is_open(fence));
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
}

#define OUR_LEASE                                                                                  \
    "{\"apiVersion\":\"coordination.k8s.io/"                                                       \
    "v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\"ctl\","                                      \
    "\"namespace\":\"default\",\"resourceVersion\":\"1\"},\"spec\":{\"holderIdentity\":\"me\","    \
    "\"leaseDurationSeconds\":15}}"

TEST(time_runs_from_before_the_request) /* not from its answer: others count from between */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    http_server *slow = http_server_start(NULL);
    const char *text = kube_printf(
        ctx,
        "{clusters: [{name: c, cluster: {server: \"%s\"}}], current-context: x, "
        "contexts: [{name: x, context: {cluster: c, user: u}}], users: [{name: u, user: {}}]}",
        http_server_url(slow));
    kube_config *config;
    kube_client *to_slow;
    EXPECT_OK(kube_config_parse(text, strlen(text), NULL, NULL, &config, &err));
    EXPECT_OK(kube_client_new(config, NULL, &to_slow, &err));
    kube_config_free(config);
    options.fence = fence;
    candidate_init(&c, to_slow, &options);
    http_server_reply(
        slow, 404, "Content-Type: application/json\r\n",
        "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}");
    candidate_start(&c);
    http_server_wait(slow, 2); /* the create, which is not answered yet */
    kube_fake_clock_advance_ms(fake, 3000);
    http_server_reply(slow, 201, "Content-Type: application/json\r\n", OUR_LEASE);
    gate_wait(&c.led, 1);
    ck_assert_int_eq(kube__fence_left_ns(fence), INT64_C(7000000000));
    http_server_reply_json(slow, OUR_LEASE); /* get and update of the release */
    http_server_reply_json(slow, OUR_LEASE);
    candidate_stop(&c);
    ck_assert_uint_eq(http_server_count(slow), 4);
    candidate_fini(&c);
    kube_client_free(to_slow);
    http_server_free(slow);
}

TEST(a_stopped_process_finds_that_it_leads_no_more)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    options.fence = fence;
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    kube_apiserver_forget_calls(server);
    kube_fake_clock_advance_ms(fake, 60000);
    ck_assert(!kube_elector_is_leader(c.elector));
    candidate_join(&c, KUBE_ERR_FENCED);
    /* It did not even try to renew; the lease was its own still, and was given back. */
    ck_assert_str_eq(lease_calls(), "get update");
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
}

/* ---- giving back ---------------------------------------------------------------------------- */

TEST(a_release_is_tried_again_after_a_conflict) /* TestReleaseRetriesOnConflict */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    kube_apiserver_forget_calls(server);
    fail_leases("update", 409, 2);
    candidate_stop(&c);
    ck_assert_str_eq(lease_calls(), "get update get update get update");
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
}

/* Peers: TestReleaseLeaseLeases, TestReleaseMethodCallsGet */
TEST(a_release_leaves_a_new_holder_alone) /* LE-5; client-go does not look */
{
    candidate c = {.stubborn = true};
    kube_elector_options options = options_for(&c, "me");
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    kube_ctx_cancel(c.ctx);
    gate_wait(&c.stopping, 1);
    rests(2000, 2000);
    put_lease("next", 15, 1);
    kube_apiserver_forget_calls(server);
    gate_pass(&c.let);
    candidate_join(&c, KUBE_OK);
    ck_assert_str_eq(lease_calls(), "get");
    ck_assert_str_eq(holder_now(), "next");
    candidate_fini(&c);
}

TEST(the_lease_is_kept_while_the_work_comes_to_its_end)
{
    candidate c = {.stubborn = true};
    kube_elector_options options = options_for(&c, "me");
    options.fence = fence;
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    kube_ctx_cancel(c.ctx);
    gate_wait(&c.stopping, 1);
    for (size_t i = 1; i <= 6; i++) { /* longer than the renew deadline */
        rests(2000, 2000);
        kube_fake_clock_advance_ms(fake, 2000);
        wait_writes("update", i);
    }
    rests(2000, 2000);
    ck_assert(kube__fence_is_open(fence));
    ck_assert_str_eq(holder_now(), "me");
    gate_pass(&c.let);
    candidate_join(&c, KUBE_OK);
    ck_assert(!kube__fence_is_open(fence));
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
}

TEST(the_lease_may_be_left_to_run_out)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    options.keep_lease = true;
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    candidate_stop(&c);
    ck_assert_str_eq(holder_now(), "me");
    candidate_fini(&c);
}

TEST(a_renewal_whose_answer_was_lost_counts_all_the_same)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    const kube_fault_rule drop = {
        .kind = KUBE_FAULT_DROP, .verb = "update", .resource = "leases", .times = 1};
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    kube_apiserver_forget_calls(server);
    EXPECT_OK(kube_apiserver_add_fault(server, &drop, &err));
    kube_fake_clock_advance_ms(fake, 2000);
    wait_writes("get", 1);
    rests(2000, 2000);
    ck_assert_str_eq(lease_calls(), "update get update");
    candidate_stop(&c);
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
}

/* A client of the server that goes through @proxy. */
static kube_client *client_through(const kube_fault_proxy *proxy)
{
    const char *text = kube_apiserver_kubeconfig(server);
    const char *host = strstr(text, "127.0.0.1:");
    kube_config *config;
    kube_client *through;
    ck_assert_ptr_nonnull(host);
    text = kube_printf(ctx, "%.*s127.0.0.1:%u%s", (int)(host - text), text,
                       kube_fault_proxy_port(proxy), host + strcspn(host, "\n"));
    EXPECT_OK(kube_config_parse(text, strlen(text), NULL, NULL, &config, &err));
    EXPECT_OK(kube_client_new(config, NULL, &through, &err));
    kube_config_free(config);
    return through;
}

TEST(a_renewal_under_way_does_not_hold_up_the_end) /* TestReleaseOnCancellation_Leases */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    const kube_wire_rule hole = {.kind = KUBE_WIRE_BLACK_HOLE};
    kube_fault_proxy *proxy;
    kube_client *through;
    EXPECT_OK(kube_fault_proxy_start(
        &(kube_fault_proxy_options){.target_port = kube_apiserver_port(server)}, &proxy, &err));
    through = client_through(proxy);
    candidate_init(&c, through, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    EXPECT_OK(kube_fault_proxy_add_rule(proxy, &hole, &err));
    kube_fault_proxy_end_connections(proxy);
    kube_fake_clock_advance_ms(fake, 2000);
    EXPECT_OK(kube_fault_proxy_wait_for_fault(proxy, ctx, KUBE_WIRE_BLACK_HOLE, 1, &err));
    kube_fault_proxy_clear_rules(proxy);
    candidate_stop(&c); /* though no time passes, and the call is given 5 s */
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
    kube_client_free(through);
    kube_fault_proxy_stop(proxy);
}

TEST(a_lease_won_unawares_is_given_back)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    const kube_fault_rule drop = {.kind = KUBE_FAULT_DROP, .verb = "create", .resource = "leases"};
    EXPECT_OK(kube_apiserver_add_fault(server, &drop, &err));
    candidate_init(&c, client, &options);
    candidate_start(&c);
    rests(2000, 4399);
    ck_assert_str_eq(holder_now(), "me");
    ck_assert_int_eq(gate_count(&c.led), 0);
    candidate_stop(&c);
    ck_assert_str_eq(holder_now(), "");
    candidate_fini(&c);
}

TEST(who_waits_takes_over_as_soon_as_the_lease_is_given_back)
{
    const kube_api_call_filter leases = {.resource = "leases"};
    candidate a = {0};
    candidate b = {0};
    kube_elector_options first = options_for(&a, "first");
    kube_elector_options second = options_for(&b, "second");
    kube_client *other;
    EXPECT_OK(kube_apiserver_client(server, &other, &err));
    candidate_init(&a, client, &first);
    candidate_init(&b, other, &second);
    candidate_start(&a);
    gate_wait(&a.led, 1);
    candidate_start(&b);
    while (kube_apiserver_watch_count(server, &leases) == 0)
        sched_yield();
    candidate_stop(&a);
    gate_wait(&b.led, 1); /* and no time passed at all */
    ck_assert_str_eq(holder_now(), "second");
    ck_assert_int_eq(lease_now()->spec.lease_transitions.value, 1);
    candidate_stop(&b);
    while (kube_apiserver_watch_count(server, &leases) > 0) /* it ended its own */
        sched_yield();
    candidate_fini(&a);
    candidate_fini(&b);
    kube_client_free(other);
}

TEST(without_the_right_to_watch_it_asks_every_now_and_then)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    put_lease("other", 15, 0);
    fail_leases("watch", 403, 0);
    candidate_init(&c, client, &options);
    candidate_start(&c);
    wait_writes("watch", 1);
    put_lease(NULL, 1, 0);
    while (gate_count(&c.led) == 0) {
        int64_t next = kube_fake_clock_next_ms(fake);
        if (next < 4400)
            kube_fake_clock_advance_ms(fake, next);
        else
            sched_yield();
    }
    candidate_stop(&c);
    candidate_fini(&c);
}
