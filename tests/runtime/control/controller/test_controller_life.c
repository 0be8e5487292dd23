/* SPDX-License-Identifier: Apache-2.0 */
/* A controller's stop and start, its end, and its workers. */
#include "controller_world.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- stop and start again -------------------------------------------------------------------- */

/* Factory and controller started by hand, as a manager does. */
static void start_by_hand(kube_controller_options options)
{
    make(options, 0);
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    ck_assert_int_eq(kube_informer_factory_start(factory, ctx, &err), KUBE_OK);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
}

static kube_code hang_at_first(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                               kube_error *run_err)
{
    (void)result;
    if (request->why.what == KUBE_REASON_ADD && run_len == 1)
        return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
    return KUBE_OK;
}

FIXTURE(set_up, tear_down);

TEST(an_interrupted_run_is_done_after_the_next_start_for_its_reason)
{
    kube_controller_stats stats;
    kube_workqueue_stats queue;
    behave = hang_at_first;
    start_by_hand((kube_controller_options){0});
    answer_initial_end(stream, "1");
    gate_wait(&ran, 1);
    kube_controller_stop(controller);
    kube_controller_get_stats(controller, &stats);
    kube_controller_get_queue_stats(controller, &queue);
    ck_assert_uint_eq(stats.interrupted, 1);
    ck_assert_uint_eq(stats.failures, 0);
    ck_assert_uint_eq(queue.depth, 1);
    ck_assert_int_eq(stats.active, 0);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    expect_run(1, "a", "add", "", "1", "");
    ck_assert_int_eq(runs[1].attempt, 0);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    ck_assert_uint_eq(kube_controller_run_count(controller), 2);
    kube_controller_stop(controller);
}

/* All events before have reached the sources when these changes wait. */
static void wait_pending(size_t count)
{
    kube_controller_stats stats;
    kube_workqueue_stats queue;
    do {
        sched_yield();
        kube_controller_get_stats(controller, &stats);
    } while (stats.pending_changes != count);
    kube_controller_get_queue_stats(controller, &queue);
    ck_assert_uint_eq(queue.depth, 0);
}

TEST(what_happens_while_it_is_stopped_waits_for_the_next_start)
{
    start_by_hand((kube_controller_options){0});
    event(KUBE_WATCH_ADDED, "same", "1", "10.1.0.0/16");
    event(KUBE_WATCH_ADDED, "gone", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    gate_wait(&ran, 3);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    kube_controller_stop(controller);
    kube_controller_stop(controller); /* stopped already */
    event(KUBE_WATCH_MODIFIED, "a", "2", "10.2.0.0/16");
    event(KUBE_WATCH_MODIFIED, "a", "3", "10.3.0.0/16");
    event(KUBE_WATCH_DELETED, "gone", "4", "10.1.0.0/16");
    event(KUBE_WATCH_ADDED, "b", "5", "10.4.0.0/16");
    wait_pending(3);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    expect_run(3, "a", "update", "1", "3", "spec.cidr");
    expect_run(4, "gone", "delete", "4", "", "");
    expect_run(5, "b", "add", "", "5", "");
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    kube_controller_stop(controller);
    ck_assert_int_eq(run_len, 6);
}

/* Of a standby the caches grow and shrink with the cluster, and nothing else does. */
TEST(objects_that_come_and_go_while_it_is_stopped_leave_nothing)
{
    enum { MANY = 1000 };
    char name[16];
    start_by_hand((kube_controller_options){0});
    answer_initial_end(stream, "1");
    gate_wait(&ran, 1);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    kube_controller_stop(controller);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "job-%d", i);
        event(KUBE_WATCH_ADDED, name, "2", "10.2.0.0/16");
        event(KUBE_WATCH_MODIFIED, name, "3", "10.2.0.0/16");
        event(KUBE_WATCH_DELETED, name, "4", "10.2.0.0/16");
    }
    event(KUBE_WATCH_ADDED, "last", "5", "10.4.0.0/16");
    event(KUBE_WATCH_DELETED, "a", "6", "10.4.0.0/16");
    wait_pending(2);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    expect_run(1, "last", "add", "", "5", "");
    expect_run(2, "a", "delete", "6", "", "");
    kube_controller_stop(controller);
}

static void wait_objects(size_t count)
{
    kube_informer *informer;
    kube_informer_stats stats;
    ck_assert_int_eq(
        kube_informer_factory_informer(factory, &samplecrd_v1_network_type, NULL, &informer, &err),
        KUBE_OK);
    do {
        sched_yield();
        kube_informer_get_stats(informer, &stats);
    } while (stats.objects != count);
}

TEST(before_its_start_it_has_caches_and_no_keys)
{
    kube_controller_stats stats;
    kube_workqueue_stats queue;
    make((kube_controller_options){0}, 0);
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    answer_initial_end(stream, "1");
    ck_assert_int_eq(kube_informer_factory_start(factory, ctx, &err), KUBE_OK);
    event(KUBE_WATCH_ADDED, "b", "2", "10.1.0.0/16");
    event(KUBE_WATCH_DELETED, "a", "3", "10.1.0.0/16");
    event(KUBE_WATCH_ADDED, "c", "4", "10.1.0.0/16");
    wait_objects(2);
    kube_controller_get_stats(controller, &stats);
    kube_controller_get_queue_stats(controller, &queue);
    ck_assert_uint_eq(queue.depth + stats.pending_changes, 0);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    gate_wait(&ran, 2);
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    ck_assert_int_eq(run_len, 2);
    for (int i = 0; i < 2; i++)
        ck_assert(runs[i].found);
    kube_controller_stop(controller);
}

static kube_code fail_then_hang(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                                kube_error *run_err)
{
    (void)result;
    if (request->attempt == 0)
        return kube_error_set(run_err, KUBE_ERR_UNAVAILABLE, "later");
    if (run_len == 2)
        return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
    return KUBE_OK;
}

TEST(an_interruption_is_no_failure)
{
    behave = fail_then_hang;
    start_by_hand((kube_controller_options){.limiter = kube_rate_limiter_exponential(1000, 1000)});
    answer_initial_end(stream, "1");
    gate_wait(&ran, 1);
    pass(1000);
    gate_wait(&ran, 2);
    kube_controller_stop(controller);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    gate_wait(&ran, 3);
    ck_assert_int_eq(runs[1].attempt, 1);
    ck_assert_int_eq(runs[2].attempt, 1);
    ck_assert_str_eq(runs[2].what, "retry");
    kube_controller_stop(controller);
}

TEST(started_early_it_waits_for_what_is_listed)
{
    start_by_hand((kube_controller_options){.workers = 2});
    enqueue("gone");
    script_wait_opens(server, 1);
    kube__lock(&mutex);
    ck_assert_int_eq(run_len, 0);
    kube__unlock(&mutex);
    answer_initial_end(stream, "1");
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
    ck_assert_uint_eq(kube_controller_run_count(controller), 2);
    kube_controller_stop(controller);
}

TEST(stopped_before_its_caches_are_synced_it_has_run_nothing)
{
    start_by_hand((kube_controller_options){.workers = 2});
    enqueue("a");
    kube_controller_stop(controller);
    ck_assert_uint_eq(kube_controller_run_count(controller), 0);
}

TEST(it_is_started_once_at_a_time)
{
    start_by_hand((kube_controller_options){0});
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "networks: the controller has been started already");
    ck_assert_str_eq(kube_controller_name(controller), "networks");
    kube_controller_stop(controller);
}

TEST(it_is_not_started_after_the_end_of_run)
{
    start_with_a(0, NULL);
    stop();
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "networks: the controller has ended");
}

static kube_code do_nothing(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                            kube_error *run_err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    (void)run_err;
    return KUBE_OK;
}

TEST(options_that_make_no_sense_are_refused)
{
    const kube_type *type = &samplecrd_v1_network_type;
    const struct {
        kube_controller_options options;
        const char *message;
    } rows[] = {
        {{.for_ = type, .reconcile = do_nothing}, "a controller needs a name"},
        {{.name = "", .for_ = type, .reconcile = do_nothing}, "a controller needs a name"},
        {{.name = "c", .reconcile = do_nothing},
         "c: a controller needs a type to reconcile (for_)"},
        {{.name = "c", .for_ = type, .limiter = kube_rate_limiter_default()},
         "c: a controller needs a reconcile function"},
        {{.name = "c", .for_ = type, .reconcile = do_nothing, .workers = -1},
         "c: a controller needs workers"},
        {{.name = "c", .for_ = type, .reconcile = do_nothing, .reconcile_timeout_ms = -1},
         "c: a controller needs a reconcile_timeout_ms that is not negative"},
        {{.name = "c",
          .for_ = type,
          .reconcile = do_nothing,
          .limiter = kube_rate_limiter_bucket(0, 1, NULL)},
         "a rate limiter was made of arguments that make no sense"},
    };
    const kube_controller_options good = {.name = "c", .for_ = type, .reconcile = do_nothing};
    kube_controller *none;
    make((kube_controller_options){0}, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(kube_controller_new(factory, &rows[i].options, &none, &err),
                         KUBE_ERR_ARGUMENT);
        ck_assert_ptr_null(none);
        ck_assert_str_eq(err.message, rows[i].message);
    }
    ck_assert_int_eq(kube_controller_new(NULL, &good, &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "c: a controller needs a factory");
}

static kube_code own_nothing(void)
{
    return kube_controller_owns(controller, NULL, NULL, &err);
}

static kube_code watch_nothing(void)
{
    return kube_controller_watches(controller, NULL, NULL, NULL, NULL, &err);
}

static kube_code watch_without_map(void)
{
    return kube_controller_watches(controller, &samplecrd_v1_network_type, NULL, NULL, NULL, &err);
}

static kube_code enqueue_nothing(void)
{
    return kube_controller_enqueue(controller, kube_key_of("default", NULL), &err);
}

static kube_code enqueue_no_name(void)
{
    return kube_controller_enqueue(controller, kube_key_of("default", ""), &err);
}

static kube_code run_twice(void)
{
    kube_code rc = kube_controller_start(controller, ctx, &err);
    return rc ? rc : kube_controller_run(controller, ctx, &err);
}

static kube_code own_late(void)
{
    return kube_controller_owns(controller, &samplecrd_v1_network_type, NULL, &err);
}

static kube_code watch_late(void)
{
    return kube_controller_watches(controller, NULL, NULL, NULL, NULL, &err);
}

/* In this order: it is started in between. */
TEST(calls_that_make_no_sense_are_refused)
{
    static const struct {
        kube_code (*call)(void);
        const char *message;
    } rows[] = {
        {own_nothing, "networks: owns and watches need a type"},
        {watch_nothing, "networks: owns and watches need a type"},
        {watch_without_map, "networks: watches needs a map function"},
        {enqueue_nothing, "networks: a key without a name"},
        {enqueue_no_name, "networks: a key without a name"},
        {run_twice, "networks: the controller has been started already"},
        {own_late, "networks: call owns and watches before the controller runs"},
        {watch_late, "networks: call owns and watches before the controller runs"},
    };
    make((kube_controller_options){0}, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(rows[i].call(), KUBE_ERR_ARGUMENT);
        ck_assert_str_eq(err.message, rows[i].message);
    }
    kube_controller_stop(controller);
    ck_assert_uint_eq(kube_controller_run_count(controller), 0);
}

TEST(waiting_for_idleness_ends_with_its_ctx)
{
    kube_ctx *brief = kube_ctx_new();
    make((kube_controller_options){0}, 0);
    ck_assert_int_eq(kube_controller_wait_idle(controller, brief, &err), KUBE_OK);
    enqueue("a"); /* and nobody takes it */
    kube_ctx_cancel(brief);
    ck_assert_int_eq(kube_controller_wait_idle(controller, brief, &err), KUBE_ERR_CANCELED);
    kube_ctx_free(brief);
}

/* ---- its end --------------------------------------------------------------------------------- */

static kube_code wait_for_cancel(kube_ctx *run_ctx, const kube_request *request,
                                 kube_result *result, kube_error *run_err)
{
    (void)request;
    (void)result;
    return kube_ctx_sleep_ms(run_ctx, HOUR_MS, run_err);
}

TEST(cancelling_ends_running_reconciles_and_run)
{
    behave = wait_for_cancel;
    start_with_a(0, kube_rate_limiter_exponential(1, 1));
    event(KUBE_WATCH_ADDED, "b", "2", "10.2.0.0/16");
    stop();
    ck_assert_msg(run_code == KUBE_OK, "%s", run_error.message);
    ck_assert_int_eq(run_len, 1); /* interrupted, so not tried again; "b" was not begun */
}

TEST(cancelling_before_the_caches_are_synced_is_an_orderly_end)
{
    make((kube_controller_options){.workers = 3}, 0);
    go();
    script_wait_opens(server, 1);
    stop();
    ck_assert_msg(run_code == KUBE_OK, "%s", run_error.message);
    ck_assert_int_eq(run_len, 0);
}

TEST(a_controller_that_never_ran_is_freed)
{
    make((kube_controller_options){.workers = 3}, 0);
    enqueue("a");
    ck_assert_uint_eq(kube_controller_run_count(controller), 0);
}

/* ---- workers --------------------------------------------------------------------------------- */

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

TEST(workers_run_at_once_but_never_for_one_key)
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

/* ---- two on one factory ---------------------------------------------------------------------- */

static kube_ctx *other_ctx;
static gate other_ran;

static kube_code count_run(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    (void)run_err;
    gate_pass(&other_ran);
    return KUBE_OK;
}

static void *run_other(void *arg)
{
    static kube_error failure;
    return kube_controller_run(arg, other_ctx, &failure) ? &failure : NULL;
}

TEST_TIMES(one_that_ends_leaves_the_caches_to_the_other, 2)
{
    const kube_controller_options options = {
        .name = "other", .for_ = &samplecrd_v1_network_type, .reconcile = count_run};
    kube_controller *other;
    pthread_t thread;
    void *failure;
    gate_init(&other_ran);
    other_ctx = kube_ctx_new();
    start_with_a(0, NULL);
    ck_assert_int_eq(kube_controller_new(factory, &options, &other, &err), KUBE_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_other, other), 0);
    gate_wait(&other_ran, 1);
    if (_i == 0)
        kube_ctx_cancel(other_ctx);
    else
        stop(); /* the one that started the caches */
    if (_i == 0)
        pthread_join(thread, &failure);
    event(KUBE_WATCH_ADDED, "b", "2", "10.2.0.0/16");
    gate_wait(_i == 0 ? &ran : &other_ran, 2);
    if (_i == 1) {
        kube_ctx_cancel(other_ctx);
        pthread_join(thread, &failure);
    }
    ck_assert_ptr_null(failure);
    kube_controller_free(other);
    kube_ctx_free(other_ctx);
    gate_fini(&other_ran);
}
