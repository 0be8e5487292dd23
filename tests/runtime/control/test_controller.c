/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller on a server by script: what it reconciles, why it says so, retries, its end. The
 * informer's time is the test's; the queue's is the machine's, so delays here are either some
 * milliseconds, or hours that must not pass.
 */
#include "cache/factory.h"
#include "runtime/cache/objects.h"
#include "runtime/cache/script.h"
#include "support/gate.h"
#include "support/suite.h"

#include <kube/controller.h>
#include <kube/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 64, HOUR_MS = 3600 * 1000 };

/* What one reconcile was told. */
typedef struct run {
    char name[32];
    char what[16];
    char old_version[16];
    char new_version[16];
    char changed[64];
    int attempt;
    bool found; /* in the cache */
} run;

static kube_fake_clock *fake;
static script *server;
static answer *stream;
static kube_ctx *ctx;
static kube_informer_factory *factory;
static kube_controller *controller;
static kube__thread runner;
static kube_code run_code;
static kube_error run_error;
static kube_error err;

static kube__mutex mutex; /* of the runs */
static run runs[RUNS_MAX];
static int run_len;
static gate ran; /* once for each run, as it begins */
static kube_code (*behave)(kube_ctx *ctx, const kube_request *request, kube_result *result,
                           kube_error *err);

static kube__source *source_of(void *arg, const kube_type *type)
{
    ck_assert_ptr_eq(type, &samplecrd_v1_network_type);
    return script_source(arg);
}

static void be_quiet(void *arg, kube_log_level level, const char *file, int line,
                     const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    (void)message;
}

static void set_up(void)
{
    kube_log_set_sink(be_quiet, NULL);
    fake = kube_fake_clock_new();
    server = script_new(fake);
    stream = NULL;
    ctx = kube_ctx_new();
    factory = NULL;
    controller = NULL;
    behave = NULL;
    run_len = 0;
    ck_assert_int_eq(kube__mutex_init(&mutex, NULL), KUBE_OK);
    gate_init(&ran);
}

static void stop(void)
{
    kube_ctx_cancel(ctx);
    kube__thread_join(&runner);
    runner.started = false;
}

static void tear_down(void)
{
    stop();
    kube_controller_free(controller);
    kube_informer_factory_free(factory);
    kube_ctx_free(ctx);
    script_free(server);
    kube_fake_clock_free(fake);
    gate_fini(&ran);
    kube__mutex_fini(&mutex);
    kube_log_set_sink(NULL, NULL);
}

static void copy(char *to, size_t size, const char *from)
{
    ck_assert_ptr_nonnull(from);
    snprintf(to, size, "%s", from);
}

static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    kube_informer *informer;
    const kube_object *object;
    run *r;

    ck_assert_ptr_eq(request->arg, &runs);
    ck_assert_int_eq(result->requeue_after_ms, 0);
    ck_assert_str_eq(request->key.namespace_, "default");
    ck_assert_int_eq(kube_informer_factory_informer(factory, &samplecrd_v1_network_type, &informer,
                                                    NULL),
                     KUBE_OK);
    kube__lock(&mutex);
    ck_assert_int_lt(run_len, RUNS_MAX);
    r = &runs[run_len++];
    copy(r->name, sizeof r->name, request->key.name);
    copy(r->what, sizeof r->what, request->why.what);
    copy(r->old_version, sizeof r->old_version, request->why.old_version);
    copy(r->new_version, sizeof r->new_version, request->why.new_version);
    copy(r->changed, sizeof r->changed, request->why.changed);
    r->attempt = request->attempt;
    r->found = kube_lister_get(kube_informer_lister(informer), run_ctx, "default",
                               request->key.name, &object, NULL) == KUBE_OK;
    kube__unlock(&mutex);
    gate_pass(&ran);
    return behave ? behave(run_ctx, request, result, run_err) : KUBE_OK;
}

static void make(kube_controller_options options, int64_t resync_ms)
{
    const kube_informer_options cache = {.resync_ms = resync_ms,
                                         .clock = kube_fake_clock_clock(fake)};

    options.name = "networks";
    options.for_ = &samplecrd_v1_network_type;
    options.reconcile = reconcile;
    options.arg = &runs;
    ck_assert_int_eq(kube_informer_factory_new(NULL, &cache, &factory, &err), KUBE_OK);
    kube__informer_factory_set_sources(factory, source_of, server);
    ck_assert_int_eq(kube_controller_new(factory, &options, &controller, &err), KUBE_OK);
}

static void *run_controller(void *arg)
{
    run_code = kube_controller_run(arg, ctx, &run_error);
    return NULL;
}

static void go(void)
{
    ck_assert_int_eq(kube__thread_start(&runner, "test", run_controller, controller, &err),
                     KUBE_OK);
}

/* A controller of one worker that has seen the network "a" in version 1. */
static void start_with_a(int64_t resync_ms, kube_rate_limiter *limiter)
{
    const kube_controller_options options = {.limiter = limiter};

    stream = script_add(server);
    answer_object(stream, KUBE_EVENT_ADDED, network_with_cidr("default", "a", "1", "10.1.0.0/16"));
    answer_initial_end(stream, "1");
    make(options, resync_ms);
    go();
    gate_wait(&ran, 1);
}

static void event(kube_event_type type, const char *name, const char *version, const char *cidr)
{
    answer_object(stream, type, network_with_cidr("default", name, version, cidr));
}

static void expect_run(int index, const char *name, const char *what, const char *old_version,
                       const char *new_version, const char *changed)
{
    const run *r = &runs[index];

    gate_wait(&ran, index + 1);
    ck_assert_str_eq(r->name, name);
    ck_assert_str_eq(r->what, what);
    ck_assert_str_eq(r->old_version, old_version);
    ck_assert_str_eq(r->new_version, new_version);
    ck_assert_str_eq(r->changed, changed);
}

static void enqueue(const char *name)
{
    const kube_key key = {"default", name};

    ck_assert_int_eq(kube_controller_enqueue(controller, key, &err), KUBE_OK);
}

/* ---- why ----------------------------------------------------------------------------------- */

START_TEST(each_event_runs_with_its_reason)
{
    start_with_a(0, NULL);
    expect_run(0, "a", "add", "", "1", "");
    event(KUBE_EVENT_ADDED, "b", "2", "10.2.0.0/16");
    expect_run(1, "b", "add", "", "2", "");
    event(KUBE_EVENT_MODIFIED, "a", "3", "10.3.0.0/16");
    expect_run(2, "a", "update", "1", "3", "spec.cidr");
    ck_assert(runs[2].found);
    event(KUBE_EVENT_DELETED, "a", "4", "10.3.0.0/16");
    gate_wait(&ran, 4);
    ck_assert_str_eq(runs[3].what, "delete");
    ck_assert_str_eq(runs[3].new_version, "");
    ck_assert(!runs[3].found);
}
END_TEST

START_TEST(the_whole_initial_list_is_reconciled)
{
    const kube_controller_options options = {.workers = 2};
    char name[8];

    stream = script_add(server);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "n%d", i);
        event(KUBE_EVENT_ADDED, name, "5", "10.1.0.0/16");
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
END_TEST

START_TEST(nothing_is_reconciled_before_the_caches_are_synced)
{
    make((kube_controller_options){0}, 0);
    enqueue("gone");
    stream = script_add(server);
    event(KUBE_EVENT_ADDED, "a", "1", "10.1.0.0/16");
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
END_TEST

START_TEST(a_resync_is_an_update_to_the_same_version)
{
    start_with_a(1000, NULL);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1000);
    expect_run(1, "a", "resync", "1", "1", "");
}
END_TEST

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
    if (strcmp(request->key.name, "a") == 0 && strcmp(request->why.what, "add") == 0)
        gate_wait(&held, 1);
    return KUBE_OK;
}

START_TEST(a_resync_does_not_hide_an_update_nobody_has_seen)
{
    const kube_controller_options options = {.workers = 2};
    int index;

    gate_init(&held);
    behave = hold_a;
    stream = script_add(server);
    event(KUBE_EVENT_ADDED, "a", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    make(options, 1000);
    go();
    gate_wait(&ran, 1);
    event(KUBE_EVENT_MODIFIED, "a", "2", "10.2.0.0/16");
    event(KUBE_EVENT_ADDED, "b", "3", "10.3.0.0/16");
    wait_for_run("b", "add"); /* and so the update has come */
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1000);
    wait_for_run("b", "resync");
    event(KUBE_EVENT_ADDED, "c", "4", "10.4.0.0/16");
    wait_for_run("c", "add"); /* and so the resync of "a" has come too */
    gate_pass(&held);
    index = wait_for_run("a", "update");
    expect_run(index, "a", "update", "1", "2", "spec.cidr");
    stop();
    gate_fini(&held);
}
END_TEST

/* The queue's delay, by the factory's clock: waits until there is one beside the watch's idle
 * deadline, and lets it pass. */
static void pass(int64_t ms)
{
    kube_fake_clock_wait_for_waiters(fake, 2);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), ms);
    kube_fake_clock_advance_ms(fake, ms);
}

/* ---- retries ------------------------------------------------------------------------------- */

static kube_code fail_three_times(kube_ctx *run_ctx, const kube_request *request,
                                  kube_result *result, kube_error *run_err)
{
    (void)run_ctx;
    (void)result;
    return request->attempt < 3
               ? kube_error_set(run_err, KUBE_ERR_UNAVAILABLE, "attempt %d", request->attempt)
               : KUBE_OK;
}

START_TEST(a_failure_is_tried_again_and_counted_until_success)
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
    event(KUBE_EVENT_MODIFIED, "a", "2", "10.2.0.0/16");
    for (int i = 0; i < 3; i++)
        pass(1000 << i); /* success had reset the count */
    gate_wait(&ran, 8);
    ck_assert_str_eq(runs[4].what, "update");
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(runs[4 + i].attempt, i);
}
END_TEST

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

START_TEST(a_retry_waits_for_its_back_off)
{
    behave = fail_and_enqueue_b;
    start_with_a(0, kube_rate_limiter_exponential(HOUR_MS, HOUR_MS));
    /* "c" is enqueued when "a" has long failed: a retry without a wait would come first. */
    expect_run(1, "b", "enqueue", "", "", "");
    expect_run(2, "c", "enqueue", "", "", "");
}
END_TEST

START_TEST(an_event_does_not_wait_for_the_back_off)
{
    behave = fail_three_times;
    start_with_a(0, kube_rate_limiter_exponential(HOUR_MS, HOUR_MS));
    event(KUBE_EVENT_MODIFIED, "a", "2", "10.2.0.0/16");
    expect_run(1, "a", "update", "1", "2", "spec.cidr");
    ck_assert_int_eq(runs[1].attempt, 1);
}
END_TEST

static kube_code ask_for_more(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                              kube_error *run_err)
{
    (void)run_ctx;
    (void)run_err;
    if (strcmp(request->key.name, "a") == 0) {
        enqueue("b");
        result->requeue_after_ms = strcmp(request->why.what, "add") == 0 ? 5000 : HOUR_MS;
    }
    return KUBE_OK;
}

START_TEST(requeue_after_runs_it_again_later)
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
END_TEST

/* ---- each run's ctx ------------------------------------------------------------------------ */

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

START_TEST(what_a_run_made_goes_when_it_returns)
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
END_TEST

static kube_code sleep_long(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                            kube_error *run_err)
{
    (void)result;
    if (request->attempt == 2)
        return KUBE_OK;
    ck_assert_int_le(kube_ctx_left_ms(run_ctx), 2);
    return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
}

START_TEST(a_run_that_takes_too_long_is_ended_and_tried_again)
{
    const kube_controller_options options = {
        .reconcile_timeout_ms = 2,
        .limiter = kube_rate_limiter_exponential(1, 1),
    };

    behave = sleep_long;
    stream = script_add(server);
    event(KUBE_EVENT_ADDED, "a", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    make(options, 0);
    go();
    for (int i = 0; i < 2; i++)
        pass(1);
    gate_wait(&ran, 3);
    ck_assert_int_eq(runs[2].attempt, 2);
}
END_TEST

/* ---- its end ------------------------------------------------------------------------------- */

static kube_code wait_for_cancel(kube_ctx *run_ctx, const kube_request *request,
                                 kube_result *result, kube_error *run_err)
{
    (void)request;
    (void)result;
    return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
}

START_TEST(cancelling_ends_running_reconciles_and_run)
{
    behave = wait_for_cancel;
    start_with_a(0, kube_rate_limiter_exponential(1, 1));
    event(KUBE_EVENT_ADDED, "b", "2", "10.2.0.0/16");
    stop();
    ck_assert_msg(run_code == KUBE_OK, "%s", run_error.message);
    ck_assert_int_eq(run_len, 1); /* interrupted, so not tried again; "b" was not begun */
}
END_TEST

START_TEST(cancelling_before_the_caches_are_synced_is_an_orderly_end)
{
    make((kube_controller_options){.workers = 3}, 0);
    go();
    script_wait_opens(server, 1);
    stop();
    ck_assert_msg(run_code == KUBE_OK, "%s", run_error.message);
    ck_assert_int_eq(run_len, 0);
}
END_TEST

START_TEST(a_controller_that_never_ran_is_freed)
{
    make((kube_controller_options){.workers = 3}, 0);
    enqueue("a");
    ck_assert_uint_eq(kube_controller_run_count(controller), 0);
}
END_TEST

/* ---- workers ------------------------------------------------------------------------------- */

static gate inside;
static atomic_int a_inside;

static kube_code meet(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                      kube_error *run_err)
{
    bool is_a = strcmp(request->key.name, "a") == 0;

    (void)run_ctx;
    (void)result;
    (void)run_err;
    if (is_a)
        ck_assert_int_eq(atomic_fetch_add(&a_inside, 1), 0);
    gate_pass(&inside);
    gate_wait(&inside, 3); /* all workers are in a reconcile at once */
    if (is_a)
        atomic_fetch_sub(&a_inside, 1);
    return KUBE_OK;
}

START_TEST(workers_run_at_once_but_never_for_one_key)
{
    const kube_controller_options options = {.workers = 3};

    gate_init(&inside);
    atomic_store(&a_inside, 0);
    behave = meet;
    make(options, 0);
    stream = script_add(server);
    answer_initial_end(stream, "1");
    go();
    enqueue("a");
    enqueue("b");
    gate_wait(&inside, 2);
    for (int i = 0; i < 10; i++)
        enqueue("a"); /* there is an idle worker, but not for this key */
    enqueue("c");
    gate_wait(&ran, 4); /* once more, when its run had ended */
    stop();
    ck_assert_int_eq(run_len, 4);
    ck_assert_str_eq(runs[3].name, "a");
    gate_fini(&inside);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_event_runs_with_its_reason,
        the_whole_initial_list_is_reconciled,
        nothing_is_reconciled_before_the_caches_are_synced,
        a_resync_is_an_update_to_the_same_version,
        a_resync_does_not_hide_an_update_nobody_has_seen,
        a_failure_is_tried_again_and_counted_until_success,
        a_retry_waits_for_its_back_off,
        an_event_does_not_wait_for_the_back_off,
        requeue_after_runs_it_again_later,
        what_a_run_made_goes_when_it_returns,
        a_run_that_takes_too_long_is_ended_and_tried_again,
        cancelling_ends_running_reconciles_and_run,
        cancelling_before_the_caches_are_synced_is_an_orderly_end,
        a_controller_that_never_ran_is_freed,
        workers_run_at_once_but_never_for_one_key,
    };
    return RUN_SUITE_WITH("controller", set_up, tear_down, tests);
}
