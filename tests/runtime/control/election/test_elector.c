/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a Lease is acquired and renewed, and what is told of it: LE-1 to LE-8. Named after what
 * client-go's leaderelection_test.go, healthzadaptor_test.go and resourcelock tests check.
 */
#include "elector_world.h"
#include "support/fail_malloc.h"

#include <kube/log.h>
#include <kube/testing/recorder.h>
#include <stdatomic.h>
#include <stdio.h>

static kube_string_map_entry app_labels[] = {{"app", "ctl"}};
static const kube_string_map app_label = KUBE_LIST_OF(app_labels);

/* ---- acquiring ------------------------------------------------------------------------------ */

FIXTURE(set_up, tear_down);

/* Peers: TestTryAcquireOrRenewLeases */
TEST(creates_the_lease_when_there_is_none) /* LE-3b, LE-5, LE-7 */
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

/* Peers: TestTryAcquireOrRenewLeases */
TEST(first_sight_costs_a_lease_of_its_own_duration) /* LE-3d, LE-4 */
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
    ck_assert_int_lt((taken - start) / 1000000, 6000 + 100); /* the last pause ends with it */
    ck_assert_str_eq(lease->spec.holder_identity, "me");
    ck_assert_int_eq(lease->spec.lease_transitions.value, 5);
    candidate_stop(&c);
    candidate_fini(&c);
}

/* Peers: TestTryAcquireOrRenewLeases */
TEST(a_lease_without_holder_is_taken_at_once) /* LE-3: empty holder, no record */
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

/* Peers: TestTryAcquireOrRenewLeases */
TEST(a_renewed_lease_is_not_taken) /* LE-3c, LE-3d: not expired -> refuse */
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
    ck_assert_str_eq(kube__elector_last_failure(c.elector, ctx), "");
    candidate_stop(&c);
    ck_assert_str_eq(holder_now(), "other");
    candidate_fini(&c);
}

static atomic_int complaints;

static void count_complaint(void *arg, kube_log_level level, const char *file, int line,
                            const char *message)
{
    (void)arg;
    (void)file;
    (void)line;
    if (level == KUBE_LOG_WARN && strncmp(message, "not leading: ", 13) == 0)
        atomic_fetch_add(&complaints, 1);
}

TEST(what_keeps_it_from_leading_is_logged_once_a_minute)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    int64_t passed = 0;
    atomic_store(&complaints, 0);
    kube_log_set_sink(count_complaint, NULL);
    fail_leases("get", 403, 0);
    candidate_init(&c, client, &options);
    ck_assert_str_eq(kube__elector_last_failure(c.elector, ctx), "");
    candidate_start(&c);
    while (atomic_load(&complaints) < 2) {
        int64_t next = kube_fake_clock_next_ms(fake);
        if (next < 4400) { /* a pause; a call is given 5 s */
            kube_fake_clock_advance_ms(fake, next);
            passed += next;
        } else {
            sched_yield();
        }
    }
    ck_assert_int_ge(passed, 60000);
    ck_assert_int_lt(passed, 60000 + 2 * 4400);
    ck_assert_str_eq(kube__elector_last_failure(c.elector, ctx), "a fault was asked for");
    kube_apiserver_clear_faults(server);
    kube_fake_clock_advance_ms(fake, rests(1, 4399));
    gate_wait(&c.led, 1);
    ck_assert_str_eq(kube__elector_last_failure(c.elector, ctx), "");
    candidate_stop(&c);
    candidate_fini(&c);
    kube_log_set_sink(NULL, NULL);
}

/* ---- renewing ------------------------------------------------------------------------------- */

TEST(a_renewal_is_one_put) /* TestFastPathLeaderElection, LE-3a */
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

/* Peers: TestFastPathLeaderElection, TestLeaseSpecToLeaderElectionRecordRoundTrip,
 * TestLeaseConversion, TestUpdateWithNilLabelsOnLease, TestLabelUpdate, TestUpdateError */
TEST(a_failed_fast_renewal_looks_first) /* LE-3a, LE-7: others' labels stay */
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

/* Peers: TestLeaseSpecToLeaderElectionRecordRoundTrip, TestLeaseConversion,
 * TestUpdateWithNilLabelsOnLease, TestLabelUpdate, TestUpdateError */
TEST(what_it_does_not_know_of_survives_renewals_and_the_end)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    coordination_v1_lease *lease;
    put_lease("", 1, 4);
    lease = lease_now();
    lease->spec.strategy = "OldestEmulationVersion";
    lease->spec.preferred_holder = "other";
    EXPECT_OK(coordination_v1_leases_update(client, ctx, NS, lease, NULL, NULL, &err));
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    ck_assert_str_eq(holder_now(), "me");
    rests(2000, 2000);
    kube_fake_clock_advance_ms(fake, 2000);
    wait_writes("update", 3);
    rests(2000, 2000);
    candidate_stop(&c);
    lease = lease_now();
    ck_assert_str_eq(holder_now(), "");
    ck_assert_int_eq(lease->spec.lease_transitions.value, 5);
    ck_assert_str_eq(lease->spec.strategy, "OldestEmulationVersion");
    ck_assert_str_eq(lease->spec.preferred_holder, "other");
    candidate_fini(&c);
}

TEST(a_deleted_lease_is_made_again)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    rests(2000, 2000);
    EXPECT_OK(coordination_v1_leases_delete(client, ctx, kube_key_of(NS, NAME), NULL, &err));
    kube_fake_clock_advance_ms(fake, 2000);
    wait_writes("create", 2);
    rests(2000, 2000);
    ck_assert_str_eq(holder_now(), "me");
    ck_assert_int_eq(gate_count(&c.stopping), 0);
    candidate_stop(&c);
    candidate_fini(&c);
}

/* Its holder works on until it looks, and who waits is told of the deletion at once. */
TEST(a_lease_deleted_under_its_holder_is_waited_out)
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    int64_t waited = 0;
    int64_t step;
    put_lease("other", 15, 0);
    candidate_init(&c, client, &options);
    candidate_start(&c);
    rests(1, 4400);
    EXPECT_OK(coordination_v1_leases_delete(client, ctx, kube_key_of(NS, NAME), NULL, &err));
    wait_writes("get", 2);
    while (waited + (step = rests(1, 4400)) < 15000) {
        kube_fake_clock_advance_ms(fake, step);
        waited += step;
    }
    ck_assert_msg(!strstr(lease_calls(), "create"), "%s", lease_calls());
    kube_fake_clock_advance_ms(fake, step);
    gate_wait(&c.led, 1);
    ck_assert_str_eq(holder_now(), "me");
    candidate_stop(&c);
    candidate_fini(&c);
}

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

TEST(holders_are_told_and_events_recorded) /* LE-6, LE-7 */
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

/* A manager's recorder has the client that the fence stops. */
TEST(the_end_is_told_while_the_fence_lets_events_pass) /* LE-7 */
{
    candidate c = {0};
    kube_elector_options options = options_for(&c, "me");
    const kube_recorder_options events = {.component = "ctl"};
    kube_recorder_stats stats;
    kube_client *fenced;
    kube_config *config;
    EXPECT_OK(kube_config_parse(kube_apiserver_kubeconfig(server),
                                strlen(kube_apiserver_kubeconfig(server)), "/", NULL, &config,
                                &err));
    EXPECT_OK(kube_client_new(config, &(kube_client_options){.fence = fence}, &fenced, &err));
    kube_config_free(config);
    EXPECT_OK(kube_recorder_new(fenced, &events, &options.recorder, &err));
    options.fence = fence;
    candidate_init(&c, client, &options);
    candidate_start(&c);
    gate_wait(&c.led, 1);
    candidate_stop(&c);
    kube_recorder_get_stats(options.recorder, &stats);
    ck_assert_uint_eq(stats.sent, 2);
    ck_assert_uint_eq(stats.failed, 0);
    candidate_fini(&c);
    kube_recorder_free(options.recorder, 0);
    kube_client_free(fenced);
}

/* Peers: TestLeaderElectionHealthChecker */
TEST(health_is_a_matter_of_lease_and_tolerance) /* LE-8 */
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

/* ---- making --------------------------------------------------------------------------------- */

/* Peers: TestLeaderElectionConfigValidation */
TEST(options_are_checked) /* LE-1 */
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
        {{.namespace_ = NS, .name = NAME, .lease_duration_ms = 10000}, "longer than the renew"},
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

TEST(identities_differ_unless_given) /* LE-7 */
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

TEST(want_of_memory_is_told)
{
    ck_assert_uint_gt(fail_malloc_replay(make, client), 0);
}
