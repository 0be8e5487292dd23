/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LE-1 to LE-8 on the embedded server, by a clock that the test moves. Named after what client-go's
 * leaderelection_test.go, healthzadaptor_test.go and resourcelock tests check.
 */
#include "base/fence.h"
#include "control/elector_state.h"
#include "support/fail_malloc.h"
#include "support/gate.h"
#include "support/http_server.h"
#include "support/suite.h"

#include <kube/testing/apiserver.h>
#include <kube/testing/clock.h>
#include <kube/testing/proxy.h>
#include <kube/testing/recorder.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define NS "default"
#define NAME "ctl"

static kube_apiserver *server;
static kube_client *client;
static kube_fake_clock *fake;
static kube_ctx *ctx;  /* by the machine's clock */
static kube_ctx *root; /* by the fake one */
static kube_fence *fence;
static kube_error err;

static kube_string_map_entry app_labels[] = {{"app", "ctl"}};
static const kube_string_map app_label = KUBE_LIST_OF(app_labels);

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

static void set_up(void)
{
    ctx = kube_ctx_new();
    fake = kube_fake_clock_new();
    root = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    fence = kube_fence_new(kube_fake_clock_clock(fake));
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
    EXPECT_OK(kube_apiserver_client(server, &client, &err));
}

static void tear_down(void)
{
    kube_client_free(client);
    kube_apiserver_stop(server);
    kube_fence_free(fence);
    kube_ctx_free(root);
    kube_fake_clock_free(fake);
    kube_ctx_free(ctx);
}

/* ---- an elector that runs ------------------------------------------------------------------- */

typedef struct candidate {
    kube_elector *elector;
    kube_ctx *ctx;
    kube_code code;
    kube_error error;
    kube__thread thread;
    gate led;      /* the work began */
    gate let;      /* it may end, if `stubborn` */
    gate stopping; /* it was told to end */
    bool stubborn;
} candidate;

static void lead(void *arg, kube_ctx *scope)
{
    candidate *c = arg;

    gate_pass(&c->led);
    kube_ctx_sleep_ms(scope, INT64_C(1) << 40, NULL);
    gate_pass(&c->stopping);
    if (c->stubborn)
        gate_wait(&c->let, 1);
}

static kube_elector_options options_for(candidate *c, const char *identity)
{
    return (kube_elector_options){.namespace_ = NS,
                                  .name = NAME,
                                  .identity = identity,
                                  .lead = lead,
                                  .arg = c,
                                  .clock = kube_fake_clock_clock(fake),
                                  .seed = 7};
}

static void candidate_init(candidate *c, kube_client *by, const kube_elector_options *options)
{
    gate_init(&c->led);
    gate_init(&c->let);
    gate_init(&c->stopping);
    EXPECT_OK(kube_elector_new(by, options, &c->elector, &err));
}

static void *run(void *arg)
{
    candidate *c = arg;

    c->code = kube_elector_run(c->elector, c->ctx, &c->error);
    return NULL;
}

static void candidate_start(candidate *c)
{
    c->ctx = kube_ctx_child(root);
    EXPECT_OK(kube__thread_start(&c->thread, "candidate", run, c, &err));
}

static void candidate_join(candidate *c, kube_code want)
{
    kube__thread_join(&c->thread);
    ck_assert_msg(c->code == want, "%s: %s", kube_code_name(c->code), c->error.message);
    kube_ctx_free(c->ctx);
}

static void candidate_stop(candidate *c)
{
    kube_ctx_cancel(c->ctx);
    candidate_join(c, KUBE_OK);
}

static void candidate_fini(candidate *c)
{
    kube_elector_free(c->elector);
    gate_fini(&c->led);
    gate_fini(&c->let);
    gate_fini(&c->stopping);
}

/* Waits until the next thing to come by the clock is at most @most_ms away: no call is under way,
 * which would be given 5 s. */
static int64_t rests(int64_t least_ms, int64_t most_ms)
{
    int64_t next;

    while ((next = kube_fake_clock_next_ms(fake)) < least_ms || next > most_ms)
        sched_yield();
    return next;
}

/* ---- the Lease ------------------------------------------------------------------------------ */

static coordination_v1_lease *lease_now(void)
{
    coordination_v1_lease *lease;

    EXPECT_OK(coordination_v1_leases_get(client, ctx, NS, NAME, NULL, &lease, &err));
    return lease;
}

static const char *holder_now(void)
{
    const char *holder = lease_now()->spec.holder_identity;

    return holder ? holder : "";
}

/* Somebody's Lease, last renewed in another century. */
static void put_lease(const char *holder, int32_t seconds, int32_t transitions)
{
    const coordination_v1_lease lease = {.metadata = {.namespace_ = NS, .name = NAME},
                                         .spec = {.holder_identity = holder,
                                                  .lease_duration_seconds = KUBE_SOME(seconds),
                                                  .lease_transitions = KUBE_SOME(transitions),
                                                  .acquire_time = {.sec = 1000, .set = true},
                                                  .renew_time = {.sec = 1000, .set = true}}};

    EXPECT_OK(kube_apiserver_load_object(server, &coordination_v1_lease_type, &lease.base, &err));
}

/* "get update" … of Leases, without the test's own; watches left out. */
static const char *lease_calls(void)
{
    const kube_api_call_filter leases = {.resource = "leases"};
    kube_api_call_list calls;
    const char *text = "";

    EXPECT_OK(kube_apiserver_calls(server, ctx, &leases, &calls, &err));
    for (size_t i = 0; i < calls.len; i++) {
        if (strcmp(calls.items[i].verb, "watch") != 0)
            text = kube_printf(ctx, "%s%s%s", text, *text ? " " : "", calls.items[i].verb);
    }
    return text;
}

static void wait_writes(const char *verb, size_t n)
{
    const kube_api_call_filter filter = {.verb = verb, .resource = "leases"};

    EXPECT_OK(kube_apiserver_wait_for_calls(server, ctx, &filter, n, &err));
}

static void fail_leases(const char *verb, int status, unsigned times)
{
    const kube_fault_rule rule = {.kind = KUBE_FAULT_STATUS,
                                  .verb = verb,
                                  .resource = "leases",
                                  .http_status = status,
                                  .times = times};

    EXPECT_OK(kube_apiserver_add_fault(server, &rule, &err));
}

/* ---- acquiring ------------------------------------------------------------------------------ */

START_TEST(creates_the_lease_when_there_is_none) /* peer 53, LE-3b, LE-5, LE-7 */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    coordination_v1_lease *lease;

    options.labels = app_label;
    candidate_init(&c, client, &options);
    ck_assert(!kube_elector_is_leader(c.elector));
    ck_assert_str_eq(kube_elector_leader(c.elector, ctx), "");
    candidate_start(&c);
    gate_wait(&c.led, 1);
    ck_assert_str_eq(lease_calls(), "get create");
    lease = lease_now();
    ck_assert_str_eq(lease->spec.holder_identity, "me");
    ck_assert_int_eq(lease->spec.lease_duration_seconds.value, 15);
    ck_assert(lease->spec.lease_transitions.set);
    ck_assert_int_eq(lease->spec.lease_transitions.value, 0);
    ck_assert(lease->spec.acquire_time.set);
    ck_assert_int_eq(lease->spec.acquire_time.sec, lease->spec.renew_time.sec);
    ck_assert_str_eq(kube_string_map_get(&lease->metadata.labels, "app"), "ctl");
    ck_assert(kube_elector_is_leader(c.elector));
    ck_assert_str_eq(kube_elector_leader(c.elector, ctx), "me");
    candidate_stop(&c);
    lease = lease_now();
    ck_assert_ptr_null(lease->spec.holder_identity);
    ck_assert_int_eq(lease->spec.lease_duration_seconds.value, 1);
    ck_assert_int_eq(lease->spec.lease_transitions.value, 0);
    ck_assert(!kube_elector_is_leader(c.elector));
    candidate_fini(&c);
}
END_TEST

START_TEST(first_sight_costs_a_lease_of_its_own_duration) /* peer 53, LE-3d, LE-4 */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    kube_clock *clock = kube_fake_clock_clock(fake);
    int64_t start = clock->wall_ns(clock);
    int64_t taken;
    coordination_v1_lease *lease;

    put_lease("other", 6, 4);
    candidate_init(&c, client, &options);
    candidate_start(&c);
    while (gate_count(&c.led) == 0) {
        int64_t next = kube_fake_clock_next_ms(fake);
        if (next < 4400) /* LE-2: pauses are shorter; a call is given 5 s */
            kube_fake_clock_advance_ms(fake, next);
        else
            sched_yield();
    }
    lease = lease_now();
    taken = lease->spec.acquire_time.sec * 1000000000 + lease->spec.acquire_time.nsec;
    ck_assert_int_ge((taken - start) / 1000000, 6000);
    ck_assert_int_lt((taken - start) / 1000000, 6000 + 4400);
    ck_assert_str_eq(lease->spec.holder_identity, "me");
    ck_assert_int_eq(lease->spec.lease_transitions.value, 5);
    candidate_stop(&c);
    candidate_fini(&c);
}
END_TEST

START_TEST(a_lease_without_holder_is_taken_at_once) /* peer 53: empty holder, no record */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");

    put_lease(NULL, 15, 2);
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    ck_assert_str_eq(lease_calls(), "get update");
    ck_assert_int_eq(lease_now()->spec.lease_transitions.value, 3);
    candidate_stop(&c);
    candidate_fini(&c);
}
END_TEST

START_TEST(a_renewed_lease_is_not_taken) /* peer 53: not expired -> refuse, LE-3c */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");

    put_lease("other", 3, 0);
    candidate_init(&c, client, &options);
    candidate_start(&c);
    for (int32_t i = 1; i < 5; i++) {
        int64_t next = rests(1, 4399);
        put_lease("other", 5, i); /* any change counts, whatever its renewTime says */
        kube_fake_clock_advance_ms(fake, next);
        wait_writes("get", (size_t)i + 1);
    }
    ck_assert_int_eq(gate_count(&c.led), 0);
    ck_assert_str_eq(kube_elector_leader(c.elector, ctx), "other");
    candidate_stop(&c);
    ck_assert_str_eq(holder_now(), "other");
    candidate_fini(&c);
}
END_TEST

/* ---- renewing ------------------------------------------------------------------------------- */

START_TEST(a_renewal_is_one_put) /* peer 54, LE-3a */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    kube_elector_stats stats;

    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    for (size_t i = 1; i <= 3; i++) {
        rests(2000, 2000);
        kube_fake_clock_advance_ms(fake, 2000);
        wait_writes("update", i);
    }
    rests(2000, 2000);
    ck_assert_str_eq(lease_calls(), "get create update update update");
    kube_elector_get_stats(c.elector, &stats);
    ck_assert_uint_eq(stats.transitions, 1);
    ck_assert_uint_eq(stats.renewals, 3);
    ck_assert_uint_eq(stats.slow_renewals, 0);
    ck_assert_uint_eq(stats.failures, 0);
    ck_assert_int_gt(stats.last_renewed_ns, 0);
    candidate_stop(&c);
    candidate_fini(&c);
}
END_TEST

START_TEST(a_failed_fast_renewal_looks_first) /* peers 54, 61: others' labels stay */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    kube_elector_stats stats;
    coordination_v1_lease *lease;

    options.labels = app_label;
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    lease = lease_now();
    EXPECT_OK(kube_string_map_set(ctx, &lease->metadata.labels, "theirs", "yes", &err));
    EXPECT_OK(kube_string_map_set(ctx, &lease->metadata.labels, "app", "broken", &err));
    EXPECT_OK(coordination_v1_leases_update(client, ctx, NS, lease, NULL, NULL, &err));
    kube_apiserver_forget_calls(server);
    kube_fake_clock_advance_ms(fake, 2000);
    wait_writes("update", 2);
    rests(2000, 2000);
    ck_assert_str_eq(lease_calls(), "update get update");
    kube_elector_get_stats(c.elector, &stats);
    ck_assert_uint_eq(stats.renewals, 1);
    ck_assert_uint_eq(stats.slow_renewals, 1);
    lease = lease_now();
    ck_assert_str_eq(kube_string_map_get(&lease->metadata.labels, "theirs"), "yes");
    ck_assert_str_eq(kube_string_map_get(&lease->metadata.labels, "app"), "ctl");
    ck_assert_int_eq(lease->spec.lease_transitions.value, 0);
    candidate_stop(&c);
    candidate_fini(&c);
}
END_TEST

START_TEST(a_deleted_lease_is_made_again)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");

    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    EXPECT_OK(coordination_v1_leases_delete(client, ctx, NS, NAME, NULL, &err));
    kube_fake_clock_advance_ms(fake, 2000);
    wait_writes("create", 2);
    rests(2000, 2000);
    ck_assert_str_eq(holder_now(), "me");
    ck_assert_int_eq(gate_count(&c.stopping), 0);
    candidate_stop(&c);
    candidate_fini(&c);
}
END_TEST

/* ---- losing --------------------------------------------------------------------------------- */

START_TEST(a_holder_that_sees_anothers_name_steps_down_at_once)
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
    ck_assert_ptr_nonnull(strstr(c.error.message, "held by \"thief\" now"));
    ck_assert_int_eq(gate_count(&c.stopping), 1);
    ck_assert(!kube__fence_is_open(fence));
    ck_assert_str_eq(holder_now(), "thief");
    candidate_fini(&c);
}
END_TEST

START_TEST(lost_when_the_server_does_not_answer_in_time_and_run_again) /* LE-2; the fence's times */
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
END_TEST

#define OUR_LEASE                                                                                  \
    "{\"apiVersion\":\"coordination.k8s.io/"                                                       \
    "v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\"ctl\","                                      \
    "\"namespace\":\"default\",\"resourceVersion\":\"1\"},\"spec\":{\"holderIdentity\":\"me\","    \
    "\"leaseDurationSeconds\":15}}"

START_TEST(time_runs_from_before_the_request) /* not from its answer: others count from between */
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
    EXPECT_OK(kube_client_new(config, &to_slow, &err));
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
END_TEST

START_TEST(a_stopped_process_finds_that_it_leads_no_more)
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
END_TEST

/* ---- giving back ---------------------------------------------------------------------------- */

START_TEST(a_release_is_tried_again_after_a_conflict) /* peers 55, 56 */
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
END_TEST

START_TEST(a_release_leaves_a_new_holder_alone) /* peer 56's missing check, LE-5 */
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
END_TEST

START_TEST(the_lease_is_kept_while_the_work_comes_to_its_end)
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
END_TEST

START_TEST(the_lease_may_be_left_to_run_out)
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
END_TEST

START_TEST(a_renewal_whose_answer_was_lost_counts_all_the_same)
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
END_TEST

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
    EXPECT_OK(kube_client_new(config, &through, &err));
    kube_config_free(config);
    return through;
}

START_TEST(a_renewal_under_way_does_not_hold_up_the_end) /* peer 57 */
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
END_TEST

START_TEST(a_lease_won_unawares_is_given_back)
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
END_TEST

START_TEST(who_waits_takes_over_as_soon_as_the_lease_is_given_back)
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
END_TEST

START_TEST(without_the_right_to_watch_it_asks_every_now_and_then)
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
END_TEST

/* ---- telling -------------------------------------------------------------------------------- */

typedef struct told {
    gate gate;
    char names[8][32];
} told;

static void on_new_leader(void *arg, const char *identity)
{
    told *t = arg;
    int at = gate_count(&t->gate);

    ck_assert_int_lt(at, 8);
    snprintf(t->names[at], sizeof t->names[at], "%s", identity);
    gate_pass(&t->gate);
}

START_TEST(holders_are_told_and_events_recorded) /* LE-6, LE-7 */
{
    told t = {0};
    candidate c = {0};
    kube_elector_options options = options_for(NULL, "me");
    kube_fake_recorder *recorder = kube_fake_recorder_new();
    kube_string_list events;

    gate_init(&t.gate);
    options.lead = NULL; /* all callbacks may be missing */
    options.on_new_leader = on_new_leader;
    options.arg = &t;
    options.recorder = kube_fake_recorder_recorder(recorder);
    put_lease("other", 15, 0);
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&t.gate, 1);
    put_lease(NULL, 15, 0);
    gate_wait(&t.gate, 2);
    while (!kube_elector_is_leader(c.elector))
        sched_yield();
    candidate_stop(&c);
    candidate_fini(&c);
    ck_assert_str_eq(t.names[0], "other");
    /* Who was gone before it could be told may have been left out. */
    ck_assert(!strcmp(t.names[1], "me") || !strcmp(t.names[1], ""));
    events = kube_fake_recorder_events(recorder, ctx);
    ck_assert_uint_eq(events.len, 2);
    ck_assert_str_eq(events.items[0], "Normal LeaderElection default/ctl: me became leader");
    ck_assert_str_eq(events.items[1], "Normal LeaderElection default/ctl: me stopped leading");
    kube_fake_recorder_free(recorder);
    gate_fini(&t.gate);
}
END_TEST

START_TEST(health_is_a_matter_of_lease_and_tolerance) /* peer 60, LE-8 */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");

    candidate_init(&c, client, &options);
    kube_fake_clock_advance_ms(fake, 3600000);
    ck_assert_int_eq(kube_elector_check(c.elector, 0, &err), KUBE_OK); /* does not lead */
    c.elector->leading = true;
    c.elector->observed_ns = kube__elector_now_ns(c.elector);
    kube_fake_clock_advance_ms(fake, 15000);
    ck_assert_int_eq(kube_elector_check(c.elector, 0, &err), KUBE_OK);
    kube_fake_clock_advance_ms(fake, 1);
    ck_assert_int_eq(kube_elector_check(c.elector, 0, &err), KUBE_ERR_FENCED);
    ck_assert_str_eq(err.message, "lease default/ctl: not renewed for 15.0 s");
    ck_assert_int_eq(kube_elector_check(c.elector, 1, &err), KUBE_OK);
    c.elector->leading = false;
    candidate_fini(&c);
}
END_TEST

/* ---- making --------------------------------------------------------------------------------- */

START_TEST(options_are_checked) /* peer 58, LE-1 */
{
    static const struct {
        kube_elector_options options;
        const char *part;
    } cases[] = {
        {{.name = NAME}, "namespace"},
        {{.namespace_ = "", .name = NAME}, "namespace"},
        {{.namespace_ = NS}, "name"},
        {{.namespace_ = NS, .name = ""}, "name"},
        {{.namespace_ = NS, .name = NAME, .identity = ""}, "identity"},
        {{.namespace_ = NS, .name = NAME, .lease_duration_ms = -1}, "at least 1 ms"},
        {{.namespace_ = NS, .name = NAME, .renew_deadline_ms = -1}, "at least 1 ms"},
        {{.namespace_ = NS, .name = NAME, .retry_period_ms = -1}, "at least 1 ms"},
        {{.namespace_ = NS, .name = NAME, .lease_duration_ms = 10000}, "longer than renew"},
        {{.namespace_ = NS, .name = NAME, .lease_duration_ms = INT64_C(1) << 40}, "too long"},
        {{.namespace_ = NS, .name = NAME, .renew_deadline_ms = 2400}, "1.2 retry periods"},
    };
    kube_elector *elector;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(kube_elector_new(client, &cases[i].options, &elector, &err) ==
                          KUBE_ERR_ARGUMENT,
                      "case %zu", i);
        ck_assert_ptr_null(elector);
        ck_assert_msg(strstr(err.message, cases[i].part) != NULL, "%s", err.message);
    }
}
END_TEST

START_TEST(identities_differ_unless_given) /* LE-7 */
{
    const kube_elector_options options = {.namespace_ = NS, .name = NAME};
    kube_elector *a;
    kube_elector *b;

    EXPECT_OK(kube_elector_new(client, &options, &a, &err));
    EXPECT_OK(kube_elector_new(client, &options, &b, &err));
    ck_assert_str_ne(kube_elector_identity(a), kube_elector_identity(b));
    kube_elector_free(a);
    kube_elector_free(b);
    kube_elector_free(NULL);
}
END_TEST

static bool make(void *arg)
{
    const kube_elector_options options = {.namespace_ = NS,
                                          .name = NAME,
                                          .labels = KUBE_LIST_OF(app_labels),
                                          .on_new_leader = on_new_leader};
    kube_elector *elector;
    kube_error error;
    kube_code rc = kube_elector_new(arg, &options, &elector, &error);

    if (rc && rc != KUBE_ERR_NO_MEMORY)
        abort();
    kube_elector_free(elector);
    return rc == KUBE_OK;
}

START_TEST(want_of_memory_is_told)
{
    ck_assert_uint_gt(fail_malloc_replay(make, client), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        creates_the_lease_when_there_is_none,
        first_sight_costs_a_lease_of_its_own_duration,
        a_lease_without_holder_is_taken_at_once,
        a_renewed_lease_is_not_taken,
        a_renewal_is_one_put,
        a_failed_fast_renewal_looks_first,
        a_deleted_lease_is_made_again,
        a_holder_that_sees_anothers_name_steps_down_at_once,
        lost_when_the_server_does_not_answer_in_time_and_run_again,
        time_runs_from_before_the_request,
        a_stopped_process_finds_that_it_leads_no_more,
        a_release_is_tried_again_after_a_conflict,
        a_release_leaves_a_new_holder_alone,
        the_lease_is_kept_while_the_work_comes_to_its_end,
        the_lease_may_be_left_to_run_out,
        a_renewal_whose_answer_was_lost_counts_all_the_same,
        a_renewal_under_way_does_not_hold_up_the_end,
        a_lease_won_unawares_is_given_back,
        who_waits_takes_over_as_soon_as_the_lease_is_given_back,
        without_the_right_to_watch_it_asks_every_now_and_then,
        holders_are_told_and_events_recorded,
        health_is_a_matter_of_lease_and_tolerance,
        options_are_checked,
        identities_differ_unless_given,
        want_of_memory_is_told,
    };
    return RUN_SUITE_WITH("elector", set_up, tear_down, tests);
}
