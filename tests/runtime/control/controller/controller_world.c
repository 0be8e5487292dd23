/* SPDX-License-Identifier: Apache-2.0 */
#include "controller_world.h"

#include "cache/factory.h"

#include <stdio.h>
#include <string.h>

kube_fake_clock *fake;
script *server;
answer *stream;
kube_ctx *ctx;
kube_informer_factory *factory;
kube_controller *controller;
kube__thread runner;
kube_code run_code;
kube_error run_error;
kube_error err;

kube__mutex mutex;
run runs[RUNS_MAX];
int run_len;
gate ran;
kube_reconcile *behave;
bool exit_on_no_memory;
char logged[KUBE_LOG_TRACE + 1][1200];

static kube__list_watch *source_of(void *arg, const kube_type *type)
{
    ck_assert_ptr_eq(type, &samplecrd_v1_network_type);
    return script_source(arg);
}

static void keep_line(void *arg, kube_log_level level, const char *file, int line,
                      const char *message)
{
    (void)arg;
    (void)line;
    if (strstr(file, "control/controller/run.c"))
        snprintf(logged[level], sizeof logged[level], "%s", message);
}

void set_up(void)
{
    memset(logged, 0, sizeof logged);
    kube_log_set_sink(keep_line, NULL);
    kube_log_set_level(KUBE_LOG_DEBUG);
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

void stop(void)
{
    kube_ctx_cancel(ctx);
    kube__thread_join(&runner);
    runner.started = false;
}

void tear_down(void)
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
    kube_log_set_level(KUBE_LOG_INFO);
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
    ck_assert_int_eq(
        kube_informer_factory_informer(factory, &samplecrd_v1_network_type, NULL, &informer, NULL),
        KUBE_OK);
    kube__lock(&mutex);
    ck_assert_int_lt(run_len, RUNS_MAX);
    r = &runs[run_len++];
    copy(r->name, sizeof r->name, request->key.name);
    copy(r->what, sizeof r->what, kube_reason_what_name(request->why.what));
    copy(r->old_version, sizeof r->old_version, request->why.old_version);
    copy(r->new_version, sizeof r->new_version, request->why.new_version);
    copy(r->changed, sizeof r->changed, request->why.changed);
    r->attempt = request->attempt;
    r->found = kube_lister_get(kube_informer_lister(informer), run_ctx,
                               kube_key_of("default", request->key.name), &object, NULL) == KUBE_OK;
    snprintf(r->bad, sizeof r->bad, "%.31s", request->bad ? request->bad->message : "");
    kube__unlock(&mutex);
    gate_pass(&ran);
    return behave ? behave(run_ctx, request, result, run_err) : KUBE_OK;
}

void make(kube_controller_options options, int64_t resync_ms)
{
    const kube_informer_options cache = {.resync_ms = resync_ms,
                                         .clock = kube_fake_clock_clock(fake),
                                         .exit_on_no_memory = exit_on_no_memory};
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

void go(void)
{
    ck_assert_int_eq(kube__thread_start(&runner, "test", run_controller, controller, &err),
                     KUBE_OK);
}

void start_with_a(int64_t resync_ms, kube_rate_limiter *limiter)
{
    const kube_controller_options options = {.limiter = limiter};
    stream = script_add(server);
    answer_object(stream, KUBE_WATCH_ADDED, network_with_cidr("default", "a", "1", "10.1.0.0/16"));
    answer_initial_end(stream, "1");
    make(options, resync_ms);
    go();
    gate_wait(&ran, 1);
}

void event(kube_watch_event_type type, const char *name, const char *version, const char *cidr)
{
    answer_object(stream, type, network_with_cidr("default", name, version, cidr));
}

void expect_run(int index, const char *name, const char *what, const char *old_version,
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

void enqueue(const char *name)
{
    const kube_key key = {"default", name};
    ck_assert_int_eq(kube_controller_enqueue(controller, key, &err), KUBE_OK);
}

void pass(int64_t ms)
{
    kube_fake_clock_wait_for_waiters(fake, 2);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), ms);
    kube_fake_clock_advance_ms(fake, ms);
}
