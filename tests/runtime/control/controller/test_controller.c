/* SPDX-License-Identifier: Apache-2.0 */
/* What a controller reconciles, why it says so, retries, and what is kept of runs. Its life is in
 * test_controller_life.c. */
#include "controller_world.h"
#include "support/forked.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- why ------------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(each_event_runs_with_its_reason)
{
    start_with_a(0, NULL);
    expect_run(0, "a", "add", "", "1", "");
    event(KUBE_WATCH_ADDED, "b", "2", "10.2.0.0/16");
    expect_run(1, "b", "add", "", "2", "");
    event(KUBE_WATCH_MODIFIED, "a", "3", "10.3.0.0/16");
    expect_run(2, "a", "update", "1", "3", "spec.cidr");
    ck_assert(runs[2].found);
    event(KUBE_WATCH_DELETED, "a", "4", "10.3.0.0/16");
    gate_wait(&ran, 4);
    ck_assert_str_eq(runs[3].what, "delete");
    ck_assert_str_eq(runs[3].new_version, "");
    ck_assert(!runs[3].found);
}

TEST(the_whole_initial_list_is_reconciled)
{
    const kube_controller_options options = {.workers = 2};
    char name[8];
    stream = script_add(server);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "n%d", i);
        event(KUBE_WATCH_ADDED, name, "5", "10.1.0.0/16");
    }
    answer_initial_end(stream, "5");
    make(options, 0);
    go();
    gate_wait(&ran, 10);
    for (int i = 0; i < 10; i++) {
        ck_assert_str_eq(runs[i].what, "add");
        ck_assert(runs[i].found);
    }
}

TEST(nothing_is_reconciled_before_the_caches_are_synced)
{
    make((kube_controller_options){0}, 0);
    enqueue("gone");
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    go();
    script_wait_opens(server, 1);
    kube__lock(&mutex);
    ck_assert_int_eq(run_len, 0);
    kube__unlock(&mutex);
    answer_initial_end(stream, "1");
    gate_wait(&ran, 2);
    ck_assert_str_eq(runs[0].name, "gone");
    ck_assert_str_eq(runs[0].what, "enqueue");
    ck_assert(!runs[0].found);
    ck_assert_str_eq(runs[1].name, "a");
}

TEST(a_resync_is_an_update_to_the_same_version)
{
    start_with_a(1000, NULL);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1000);
    expect_run(1, "a", "resync", "1", "1", "");
}

/* Waits until a run of @name has begun, and returns its index. */
static int wait_for_run(const char *name, const char *what)
{
    for (int i = 0;; i++) {
        gate_wait(&ran, i + 1);
        if (strcmp(runs[i].name, name) == 0 && strcmp(runs[i].what, what) == 0)
            return i;
    }
}

static gate held;

/* The first run of "a" lasts until the gate is passed. */
static kube_code hold_a(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                        kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    (void)run_err;
    if (strcmp(request->key.name, "a") == 0 && request->why.what == KUBE_REASON_ADD)
        gate_wait(&held, 1);
    return KUBE_OK;
}

TEST(a_resync_does_not_hide_an_update_nobody_has_seen)
{
    const kube_controller_options options = {.workers = 2};
    int index;
    gate_init(&held);
    behave = hold_a;
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    make(options, 1000);
    go();
    gate_wait(&ran, 1);
    event(KUBE_WATCH_MODIFIED, "a", "2", "10.2.0.0/16");
    event(KUBE_WATCH_ADDED, "b", "3", "10.3.0.0/16");
    wait_for_run("b", "add"); /* and so the update has come */
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1000);
    wait_for_run("b", "resync");
    event(KUBE_WATCH_ADDED, "c", "4", "10.4.0.0/16");
    wait_for_run("c", "add"); /* and so the resync of "a" has come too */
    gate_pass(&held);
    index = wait_for_run("a", "update");
    expect_run(index, "a", "update", "1", "2", "spec.cidr");
    stop();
    gate_fini(&held);
}

/* ---- retries --------------------------------------------------------------------------------- */

static kube_code fail_three_times(kube_ctx *run_ctx, const kube_request *request,
                                  kube_result *result, kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    return request->attempt < 3
               ? kube_error_set(run_err, KUBE_ERR_UNAVAILABLE, "attempt %d", request->attempt)
               : KUBE_OK;
}

TEST(a_failure_is_tried_again_and_counted_until_success)
{
    behave = fail_three_times;
    start_with_a(0, kube_rate_limiter_exponential(1000, 10000));
    for (int i = 0; i < 3; i++)
        pass(1000 << i);
    gate_wait(&ran, 4);
    expect_run(0, "a", "add", "", "1", "");
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(runs[i].attempt, i);
        if (i)
            expect_run(i, "a", "retry", "", "", "");
    }
    event(KUBE_WATCH_MODIFIED, "a", "2", "10.2.0.0/16");
    for (int i = 0; i < 3; i++)
        pass(1000 << i); /* success had reset the count */
    gate_wait(&ran, 8);
    ck_assert_str_eq(runs[4].what, "update");
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(runs[4 + i].attempt, i);
}

static kube_code fail_and_enqueue_b(kube_ctx *run_ctx, const kube_request *request,
                                    kube_result *result, kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    if (strcmp(request->key.name, "a") == 0) {
        enqueue("b");
        return kube_error_set(run_err, KUBE_ERR_UNAVAILABLE, "always");
    }
    if (strcmp(request->key.name, "b") == 0)
        enqueue("c");
    return KUBE_OK;
}

TEST(a_retry_waits_for_its_back_off)
{
    behave = fail_and_enqueue_b;
    start_with_a(0, kube_rate_limiter_exponential(HOUR_MS, HOUR_MS));
    /* "c" is enqueued when "a" has long failed: a retry without a wait would come first. */
    expect_run(1, "b", "enqueue", "", "", "");
    expect_run(2, "c", "enqueue", "", "", "");
}

TEST(an_event_does_not_wait_for_the_back_off)
{
    behave = fail_three_times;
    start_with_a(0, kube_rate_limiter_exponential(HOUR_MS, HOUR_MS));
    event(KUBE_WATCH_MODIFIED, "a", "2", "10.2.0.0/16");
    expect_run(1, "a", "update", "1", "2", "spec.cidr");
    ck_assert_int_eq(runs[1].attempt, 1);
}

static kube_code ask_for_more(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                              kube_error *run_err)
{
    (void)run_ctx;
    (void)run_err;
    if (strcmp(request->key.name, "a") == 0) {
        enqueue("b");
        result->requeue_after_ms = request->why.what == KUBE_REASON_ADD ? 5000 : HOUR_MS;
    }
    return KUBE_OK;
}

TEST(requeue_after_runs_it_again_later)
{
    int again;
    behave = ask_for_more;
    start_with_a(0, NULL);
    pass(5000);
    again = wait_for_run("a", "requeue");
    ck_assert_int_eq(runs[again].attempt, 0);
    gate_wait(&ran, 4); /* a, b, a, b: nothing before the hour is over */
    ck_assert_str_eq(runs[again + 1].name, "b");
}

static kube_code fail_with_a_wish(kube_ctx *run_ctx, const kube_request *request,
                                  kube_result *result, kube_error *run_err)
{
    (void)run_ctx;
    if (request->attempt == 2)
        return KUBE_OK;
    kube_error_set(run_err, KUBE_ERR_UNAVAILABLE, "quota used up");
    run_err->retry_after_ms = 7000; /* as the server said */
    if (request->attempt == 0)
        result->requeue_after_ms = 5000;
    return KUBE_ERR_UNAVAILABLE;
}

TEST(what_is_asked_for_holds_after_a_failure_in_place_of_the_back_off)
{
    behave = fail_with_a_wish;
    start_with_a(0, kube_rate_limiter_exponential(1, 1));
    pass(5000);
    gate_wait(&ran, 2);
    pass(7000);
    gate_wait(&ran, 3);
    expect_run(2, "a", "retry", "", "", "");
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(runs[i].attempt, i);
}

static kube_code succeed_next_time(kube_ctx *run_ctx, const kube_request *request,
                                   kube_result *result, kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    return request->why.what == KUBE_REASON_ADD
               ? kube_error_set(run_err, KUBE_ERR_UNAVAILABLE, "not yet")
               : KUBE_OK;
}

TEST(a_retry_goes_when_the_key_has_run_for_an_event)
{
    kube_workqueue_stats queue;
    behave = succeed_next_time;
    start_with_a(0, kube_rate_limiter_exponential(HOUR_MS, HOUR_MS));
    event(KUBE_WATCH_MODIFIED, "a", "2", "10.2.0.0/16");
    expect_run(1, "a", "update", "1", "2", "spec.cidr");
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    kube_controller_get_queue_stats(controller, &queue);
    ck_assert_uint_eq(queue.delayed, 0);
}

static gate first_may_end;

static kube_code hold_the_first(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                                kube_error *run_err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    (void)run_err;
    gate_wait(&first_may_end, 1);
    return KUBE_OK;
}

TEST(what_happens_comes_before_what_was_listed)
{
    gate_init(&first_may_end);
    behave = hold_the_first;
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    event(KUBE_WATCH_ADDED, "b", "2", "10.2.0.0/16");
    event(KUBE_WATCH_ADDED, "c", "3", "10.3.0.0/16");
    answer_initial_end(stream, "3");
    make((kube_controller_options){.workers = 1}, 0);
    go();
    gate_wait(&ran, 1);
    enqueue("c");
    gate_pass(&first_may_end);
    gate_wait(&ran, 3);
    ck_assert_str_eq(runs[1].name, "c");
    stop();
    gate_fini(&first_may_end);
}

/* ---- each run's ctx -------------------------------------------------------------------------- */

static atomic_int released;

static void release(void *arg)
{
    (void)arg;
    atomic_fetch_add(&released, 1);
}

static kube_code use_ctx(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                         kube_error *run_err)
{
    char *text = kube_printf(run_ctx, "%s of this run", request->key.name);
    (void)result;
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(atomic_load(&released), request->attempt);
    ck_assert_int_eq(kube_ctx_defer(run_ctx, release, text, run_err), KUBE_OK);
    return request->attempt < 5 ? kube_error_set(run_err, KUBE_ERR_SERVER, "again") : KUBE_OK;
}

TEST(what_a_run_made_goes_when_it_returns)
{
    atomic_store(&released, 0);
    behave = use_ctx;
    start_with_a(0, kube_rate_limiter_exponential(1, 1));
    for (int i = 0; i < 5; i++)
        pass(1);
    gate_wait(&ran, 6);
    stop();
    ck_assert_int_eq(atomic_load(&released), 6);
    ck_assert_uint_eq(kube_controller_run_count(controller), 6);
}

static kube_code sleep_long(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                            kube_error *run_err)
{
    (void)result;
    if (request->attempt == 2)
        return KUBE_OK;
    ck_assert_int_le(kube_ctx_left_ms(run_ctx), 2);
    return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
}

TEST(a_run_that_takes_too_long_is_ended_and_tried_again)
{
    const kube_controller_options options = {
        .reconcile_timeout_ms = 2,
        .limiter = kube_rate_limiter_exponential(1, 1),
    };
    behave = sleep_long;
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    make(options, 0);
    go();
    for (int i = 0; i < 2; i++)
        pass(1);
    gate_wait(&ran, 3);
    ck_assert_int_eq(runs[2].attempt, 2);
    stop();
    ck_assert_str_eq(
        logged[KUBE_LOG_ERROR],
        "networks: reconcile default/a (retry): took longer than its timeout of 2 ms: timed out");
}

static kube_code sleep_long_and_be_content(kube_ctx *run_ctx, const kube_request *request,
                                           kube_result *result, kube_error *run_err)
{
    (void)request;
    (void)result;
    ck_assert_int_eq(kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err), KUBE_ERR_TIMEOUT);
    return KUBE_OK;
}

TEST(a_run_that_takes_too_long_and_succeeds_is_warned_of)
{
    behave = sleep_long_and_be_content;
    make((kube_controller_options){.reconcile_timeout_ms = 2}, 0);
    stream = script_add(server);
    answer_initial_end(stream, "1");
    enqueue("a");
    go();
    gate_wait(&ran, 1);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    stop();
    ck_assert_str_eq(logged[KUBE_LOG_WARN], "networks: reconcile default/a (enqueue) succeeded, "
                                            "but took longer than its timeout of 2 ms");
    ck_assert_str_eq(logged[KUBE_LOG_ERROR], "");
}

/* ---- terminal errors ------------------------------------------------------------------------- */

static kube_code fail_for_good(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                               kube_error *run_err)
{
    (void)run_ctx;
    result->terminal = strcmp(request->key.name, "a") == 0;
    return result->terminal ? kube_error_set(run_err, KUBE_ERR_INVALID, "no such gateway")
                            : KUBE_OK;
}

TEST(a_terminal_error_waits_for_the_next_event)
{
    kube_controller_stats stats;
    kube_workqueue_stats queue;
    behave = fail_for_good;
    start_with_a(0, kube_rate_limiter_exponential(1, 1));
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    kube_controller_get_stats(controller, &stats);
    kube_controller_get_queue_stats(controller, &queue);
    ck_assert_uint_eq(queue.delayed, 0); /* there is no retry */
    ck_assert_uint_eq(stats.failures, 1);
    ck_assert_uint_eq(stats.terminal, 1);
    event(KUBE_WATCH_MODIFIED, "a", "2", "10.2.0.0/16");
    expect_run(1, "a", "update", "1", "2", "spec.cidr");
    ck_assert_int_eq(runs[1].attempt, 0);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    stop();
    ck_assert_str_eq(logged[KUBE_LOG_ERROR],
                     "networks: reconcile default/a (update of Network default/a 1 -> 2 "
                     "(spec.cidr)): no such gateway (not tried again)");
}

/* ---- what is kept of runs -------------------------------------------------------------------- */

static bool has_line(const char *text, const char *line)
{
    size_t len = strlen(line);
    for (const char *at = text; (at = strstr(at, line)); at++) {
        if ((at == text || at[-1] == '\n') && at[len] == '\n')
            return true;
    }
    return false;
}

/* Takes 3 s, and says what it did. */
static kube_code take_notes(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                            kube_error *run_err)
{
    const kube_request by_hand = {.key = request->key};
    (void)run_ctx;
    kube_fake_clock_advance_ms(fake, 3000);
    kube_request_note(&by_hand, "nobody hears this");
    kube_request_note(request, "created %s\nfor %d", "x", 7);
    kube_request_note(request, "and left");
    result->requeue_after_ms = HOUR_MS;
    return strcmp(request->key.name, "b") == 0
               ? kube_error_set(run_err, KUBE_ERR_CONFLICT, "it was changed")
               : KUBE_OK;
}

static bool check_records(void *arg, const kube_flight_record *r)
{
    ck_assert_str_eq(r->controller, "networks");
    ck_assert_str_eq(r->key.namespace_, "default");
    ck_assert_int_eq(r->took_ns, INT64_C(3000000000));
    ck_assert_str_eq(r->notes, "created x for 7\nand left");
    ck_assert(r->started.set);
    if (r->number == 1) {
        ck_assert_str_eq(r->key.name, "a");
        ck_assert_int_eq(r->code, KUBE_OK);
        ck_assert_str_eq(r->message, "");
        ck_assert_int_eq(r->requeue_after_ms, HOUR_MS);
        ck_assert_str_eq(r->why.kind, "Network");
        ck_assert_str_eq(r->why.new_version, "1");
    } else {
        ck_assert_str_eq(r->key.name, "b");
        ck_assert_int_eq(r->code, KUBE_ERR_CONFLICT);
        ck_assert_str_eq(r->message, "it was changed");
        ck_assert_int_eq(r->requeue_after_ms, HOUR_MS);
        /* It came with "a", and had to wait for its run. */
        ck_assert_int_eq(r->waited_ns, INT64_C(3000000000));
    }
    ++*(int *)arg;
    return true;
}

static gate both_there;

/* The first run lasts until both keys are in the queue, by the same time. */
static kube_code take_notes_when_both_are_there(kube_ctx *run_ctx, const kube_request *request,
                                                kube_result *result, kube_error *run_err)
{
    gate_wait(&both_there, 1);
    return take_notes(run_ctx, request, result, run_err);
}

TEST(runs_are_recorded_measured_and_logged)
{
    kube_flight *flight;
    kube_metrics *metrics = kube_metrics_new();
    kube_controller_options options = {.metrics = metrics, .workers = 1};
    const char *text;
    int count = 0;
    ck_assert_int_eq(kube_flight_new(10, &flight, &err), KUBE_OK);
    options.flight = flight;
    options.limiter = kube_rate_limiter_exponential(HOUR_MS, HOUR_MS);
    gate_init(&both_there);
    behave = take_notes_when_both_are_there;
    make(options, 0);
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    go();
    gate_wait(&ran, 1);
    enqueue("b");
    gate_pass(&both_there);
    gate_wait(&ran, 2);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    stop();
    kube_flight_each(flight, check_records, &count);
    ck_assert_int_eq(count, 2);
    text = kube_metrics_text(metrics, ctx);
    ck_assert_msg(
        has_line(text, "controller_runtime_reconcile_total{controller=\"networks\","
                       "result=\"requeue_after\"} 1") &&
            has_line(text, "controller_runtime_reconcile_total{controller=\"networks\","
                           "result=\"error\"} 1") &&
            has_line(text, "controller_runtime_reconcile_total{controller=\"networks\","
                           "result=\"success\"} 0") &&
            has_line(text,
                     "controller_runtime_reconcile_errors_total{controller=\"networks\"} 1") &&
            has_line(text, "controller_runtime_terminal_reconcile_errors_total{controller="
                           "\"networks\"} 0") &&
            has_line(text, "controller_runtime_active_workers{controller=\"networks\"} 0") &&
            has_line(text, "controller_runtime_max_concurrent_reconciles{controller="
                           "\"networks\"} 1") &&
            has_line(text, "controller_runtime_reconcile_time_seconds_bucket{controller="
                           "\"networks\",le=\"2.5\"} 0") &&
            has_line(text, "controller_runtime_reconcile_time_seconds_bucket{controller="
                           "\"networks\",le=\"3\"} 2") &&
            has_line(text, "controller_runtime_reconcile_time_seconds_sum{controller="
                           "\"networks\"} 6"),
        "%s", text);
    ck_assert_str_eq(logged[KUBE_LOG_DEBUG],
                     "networks: reconciled default/b (enqueue) in 3s: conflict, again after "
                     "3600000 ms");
    ck_assert_str_eq(logged[KUBE_LOG_INFO],
                     "networks: reconcile default/b (enqueue): it was changed");
    kube_controller_free(controller);
    controller = NULL;
    kube_metrics_free(metrics);
    kube_flight_free(flight);
    gate_fini(&both_there);
}

/* "a" fails for good, "b" fails, "c" hangs until it is interrupted, others are content. */
static kube_code end_in_many_ways(kube_ctx *run_ctx, const kube_request *request,
                                  kube_result *result, kube_error *run_err)
{
    char name = *request->key.name;
    result->terminal = name == 'a' || name == 'c'; /* of an interrupted run it does not count */
    if (name == 'c')
        return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
    return name <= 'b' ? kube_error_set(run_err, KUBE_ERR_INVALID, "no such gateway") : KUBE_OK;
}

static bool check_end(void *arg, const kube_flight_record *r)
{
    static const char names[] = "dabc"; /* in the order they run in */
    (void)arg;
    ck_assert_int_eq(*r->key.name, names[r->number - 1]);
    ck_assert(r->terminal == (*r->key.name == 'a'));
    return true;
}

TEST(stats_metrics_and_records_agree_on_how_runs_ended)
{
    kube_flight *flight;
    kube_metrics *metrics = kube_metrics_new();
    kube_controller_options options = {.metrics = metrics};
    kube_controller_stats stats;
    const char *text;
    ck_assert_int_eq(kube_flight_new(10, &flight, &err), KUBE_OK);
    options.flight = flight;
    options.limiter = kube_rate_limiter_exponential(HOUR_MS, HOUR_MS);
    behave = end_in_many_ways;
    make(options, 0);
    stream = script_add(server);
    answer_initial_end(stream, "1");
    enqueue("d");
    enqueue("a");
    enqueue("b");
    enqueue("c");
    go();
    gate_wait(&ran, 4);
    stop();
    kube_controller_get_stats(controller, &stats);
    ck_assert_uint_eq(stats.runs, 4);
    ck_assert_uint_eq(stats.failures, 2);
    ck_assert_uint_eq(stats.terminal, 1);
    ck_assert_uint_eq(stats.interrupted, 1);
    text = kube_metrics_text(metrics, ctx);
    ck_assert_msg(
        has_line(text, "controller_runtime_reconcile_total{controller=\"networks\","
                       "result=\"success\"} 1") &&
            has_line(text, "controller_runtime_reconcile_total{controller=\"networks\","
                           "result=\"error\"} 2") &&
            has_line(text,
                     "controller_runtime_reconcile_errors_total{controller=\"networks\"} 2") &&
            has_line(text, "controller_runtime_terminal_reconcile_errors_total{controller="
                           "\"networks\"} 1") &&
            has_line(text, "controller_runtime_reconcile_timeouts_total{controller="
                           "\"networks\"} 0") &&
            has_line(text, "controller_runtime_reconcile_time_seconds_count{controller="
                           "\"networks\"} 4"),
        "%s", text);
    ck_assert_uint_eq(kube_flight_count(flight), 4);
    kube_flight_each(flight, check_end, NULL);
    kube_controller_free(controller);
    controller = NULL;
    kube_metrics_free(metrics);
    kube_flight_free(flight);
}

/* "a" fails by it, others are content. */
static kube_code take_too_long(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                               kube_error *run_err)
{
    kube_code rc = kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
    (void)result;
    ck_assert_int_eq(rc, KUBE_ERR_TIMEOUT);
    return *request->key.name == 'a' ? rc : KUBE_OK;
}

TEST(runs_that_take_too_long_are_counted_however_they_end)
{
    kube_metrics *metrics = kube_metrics_new();
    const kube_controller_options options = {
        .metrics = metrics,
        .reconcile_timeout_ms = 2,
        .limiter = kube_rate_limiter_exponential(HOUR_MS, HOUR_MS),
    };
    const char *text;
    behave = take_too_long;
    make(options, 0);
    stream = script_add(server);
    answer_initial_end(stream, "1");
    enqueue("a");
    enqueue("b");
    go();
    gate_wait(&ran, 2);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    stop();
    text = kube_metrics_text(metrics, ctx);
    ck_assert_msg(has_line(text, "controller_runtime_reconcile_timeouts_total{controller="
                                 "\"networks\"} 2") &&
                      has_line(text, "controller_runtime_reconcile_errors_total{controller="
                                     "\"networks\"} 1"),
                  "%s", text);
    kube_controller_free(controller);
    controller = NULL;
    kube_metrics_free(metrics);
}

static kube_code say_too_much(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                              kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    (void)run_err;
    for (int i = 0; i < 30; i++)
        kube_request_note(request, "\xe2\x82\xac 123456789 123456789");
    return KUBE_OK;
}

static bool check_long_notes(void *arg, const kube_flight_record *r)
{
    size_t len = strlen(r->notes);
    (void)arg;
    ck_assert_uint_le(len, 512);
    ck_assert_uint_gt(len, 480);
    ck_assert_uint_ne((unsigned char)r->notes[len - 1], 0xe2);
    return true;
}

TEST(notes_beyond_their_room_are_dropped)
{
    kube_flight *flight;
    kube_controller_options options = {0};
    ck_assert_int_eq(kube_flight_new(10, &flight, &err), KUBE_OK);
    options.flight = flight;
    behave = say_too_much;
    make(options, 0);
    stream = script_add(server);
    answer_initial_end(stream, "1");
    enqueue("a");
    go();
    gate_wait(&ran, 1);
    stop();
    ck_assert_uint_eq(kube_flight_count(flight), 1);
    kube_flight_each(flight, check_long_notes, NULL);
    kube_controller_free(controller);
    controller = NULL;
    kube_flight_free(flight);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Says that all is well, as a function may that did not ask. */
static kube_code ask_for_too_much(kube_ctx *run_ctx, const kube_request *request,
                                  kube_result *result, kube_error *run_err)
{
    (void)run_err;
    result->terminal = true;
    result->requeue_after_ms = HOUR_MS;
    if (request->attempt < 1)
        kube_ctx_alloc(run_ctx, SIZE_MAX);
    return KUBE_OK;
}

TEST(a_run_whose_ctx_has_failed_is_no_success)
{
    kube_controller_stats stats;
    behave = ask_for_too_much;
    start_with_a(0, kube_rate_limiter_exponential(1000, 10000));
    pass(1000);
    expect_run(1, "a", "retry", "", "", "");
    stop();
    kube_controller_get_stats(controller, &stats);
    ck_assert_uint_eq(stats.failures, 1);
    ck_assert_uint_eq(stats.terminal, 0);
    ck_assert_ptr_nonnull(
        strstr(logged[KUBE_LOG_ERROR], "out of memory: 18446744073709551615 bytes"));
}

static void run_without_memory(void *arg)
{
    (void)arg;
    exit_on_no_memory = true;
    behave = ask_for_too_much;
    start_with_a(0, NULL);
    stop();
}

TEST(or_the_end_of_the_process)
{
    char text[256];
    ck_assert_int_eq(forked_run(run_without_memory, NULL, text, sizeof text), 1);
    ck_assert_str_eq(strtok(text, "\n"),
                     "out of memory: 18446744073709551615 bytes for reconcile of networks "
                     "default/a"); /* the thread sanitizer has more to say */
}
