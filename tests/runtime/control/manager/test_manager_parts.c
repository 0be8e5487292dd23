/* SPDX-License-Identifier: Apache-2.0 */
/* What a manager that does not run yet hands out, and what it refuses to take. */
#include "support/suite.h"

#include <coordination/v1/api.h>
#include <kube/kube.h>
#include <kube/testing/apiserver.h>
#include <string.h>
#include <unistd.h>

static kube_apiserver *server;
static kube_ctx *ctx;
static kube_manager *manager;
static kube_error err;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

static void set_up(void)
{
    ctx = kube_ctx_new();
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
}

static void tear_down(void)
{
    kube_manager_free(manager);
    manager = NULL;
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
}

/* By its own options; it elects, and so is fenced. */
static void make(void)
{
    const char *text = kube_apiserver_kubeconfig(server);
    char path[] = "/tmp/kubegen-test-manager.XXXXXX";
    const kube_manager_options options = {
        .name = "tester", .kubeconfig = path, .ctx = ctx, .leader_election = true};
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    EXPECT_OK(kube_manager_new(&options, &manager, &err));
    unlink(path);
}

FIXTURE(set_up, tear_down);

TEST(another_client_of_its_configuration_writes_without_the_lease)
{
    const coordination_v1_lease lease = {.metadata = {.name = "ours", .namespace_ = "default"}};
    kube_client *other;
    make();
    EXPECT_OK(kube_client_new(kube_manager_config(manager), NULL, &other, &err));
    ck_assert_int_eq(coordination_v1_leases_create(kube_manager_client(manager), ctx, "default",
                                                   &lease, NULL, NULL, &err),
                     KUBE_ERR_FENCED);
    EXPECT_OK(coordination_v1_leases_create(other, ctx, "default", &lease, NULL, NULL, &err));
    kube_client_free(other);
}

TEST(with_a_client_that_was_given_there_is_no_configuration)
{
    kube_manager_options options = {.name = "tester", .ctx = ctx};
    EXPECT_OK(kube_apiserver_client(server, &options.client, &err));
    EXPECT_OK(kube_manager_new(&options, &manager, &err));
    ck_assert_ptr_null(kube_manager_config(manager));
    kube_manager_free(manager);
    manager = NULL;
    kube_client_free(options.client);
}

static kube_code never_called(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                              kube_error *run_err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    return kube_error_set(run_err, KUBE_ERR_ARGUMENT, "its controller does not run");
}

TEST(a_second_controller_of_one_name_is_refused)
{
    kube_controller_options leases = {
        .name = "leases", .for_ = &coordination_v1_lease_type, .reconcile = never_called};
    kube_controller *controller;
    make();
    EXPECT_OK(kube_manager_add_controller(manager, &leases, NULL, &err));
    leases.limiter = kube_rate_limiter_exponential(1, 1); /* a leak, if it is not taken */
    ck_assert_int_eq(kube_manager_add_controller(manager, &leases, &controller, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, "there is already a controller leases");
    ck_assert_ptr_null(controller);
    leases.name = "other";
    leases.limiter = NULL;
    EXPECT_OK(kube_manager_add_controller(manager, &leases, &controller, &err));
}

/* ---- calls that break a contract ------------------------------------------------------------- */

static kube_code options_without_a_name(void)
{
    kube_manager_options options = {0};
    return kube_manager_options_parse(&options, 0, NULL, &err);
}

static kube_code manager_without_options(void)
{
    return kube_manager_new(NULL, &manager, &err);
}

static kube_code manager_without_a_name(void)
{
    return kube_manager_new(&(kube_manager_options){0}, &manager, &err);
}

static kube_code controller_without_options(void)
{
    return kube_manager_add_controller(manager, NULL, NULL, &err);
}

static kube_code controller_without_a_name(void)
{
    const kube_controller_options leases = {.for_ = &coordination_v1_lease_type,
                                            .reconcile = never_called};
    return kube_manager_add_controller(manager, &leases, NULL, &err);
}

static kube_code runnable_without_a_function(void)
{
    return kube_manager_add_runnable(manager, &(kube_runnable){.name = "idle"}, &err);
}

static kube_code runnable_without_anything(void)
{
    return kube_manager_add_runnable(manager, NULL, &err);
}

static kube_code check_without_a_function(void)
{
    return kube_manager_add_health_check(manager, "well", NULL, NULL, &err);
}

static kube_code ready_check_without_a_name(void)
{
    return kube_manager_add_ready_check(manager, NULL, NULL, NULL, &err);
}

static kube_code elector_without_a_client(void)
{
    const kube_elector_options options = {.namespace_ = "default", .name = "lock"};
    kube_elector *elector;
    return kube_elector_new(NULL, &options, &elector, &err);
}

static kube_code elector_without_options(void)
{
    kube_elector *elector;
    return kube_elector_new(kube_manager_client(manager), NULL, &elector, &err);
}

static kube_code recorder_without_a_component(void)
{
    kube_recorder *recorder;
    return kube_recorder_new(kube_manager_client(manager), NULL, &recorder, &err);
}

static kube_code recorder_without_a_client(void)
{
    const kube_recorder_options options = {.component = "tester"};
    kube_recorder *recorder;
    return kube_recorder_new(NULL, &options, &recorder, &err);
}

static kube_code metric_without_a_name(void)
{
    kube_counter_family *family;
    return kube_metrics_counter(kube_manager_metrics(manager), NULL, NULL, NULL, &family, &err);
}

static kube_code histogram_without_bounds(void)
{
    kube_histogram_family *family;
    return kube_metrics_histogram(kube_manager_metrics(manager), "h", NULL, NULL, NULL, 3, &family,
                                  &err);
}

static kube_code flags_without_a_program(void)
{
    return kube_flags_parse(&(kube_flags_about){0}, NULL, NULL, 0, NULL, &err);
}

static kube_code handler_that_is_missing(void)
{
    coordination_v1_lease_informer *leases;
    EXPECT_OK(
        coordination_v1_lease_informer_get(kube_manager_factory(manager), NULL, &leases, &err));
    return kube_informer_add_handler((kube_informer *)leases, NULL, NULL, NULL, NULL, &err);
}

static kube_code (*const broken[])(void) = {
    options_without_a_name,     manager_without_options,   manager_without_a_name,
    controller_without_options, controller_without_a_name, runnable_without_a_function,
    runnable_without_anything,  check_without_a_function,  ready_check_without_a_name,
    elector_without_a_client,   elector_without_options,   recorder_without_a_component,
    recorder_without_a_client,  metric_without_a_name,     histogram_without_bounds,
    flags_without_a_program,    handler_that_is_missing,
};

TEST_EACH(what_a_caller_can_break_is_refused, broken)
{
    bool needs_none = _i == 1 || _i == 2;
    if (!needs_none)
        make();
    ck_assert_int_eq(broken[_i](), KUBE_ERR_ARGUMENT);
    ck_assert_str_ne(err.message, "");
}

TEST(a_manager_ends_without_an_error_s_details_too)
{
    ck_assert_int_eq(kube_manager_end(NULL, KUBE_ERR_ARGUMENT, NULL), 2);
    ck_assert_int_eq(kube_manager_end(NULL, KUBE_OK, NULL), 0);
}
