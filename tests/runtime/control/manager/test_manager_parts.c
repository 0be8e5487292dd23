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

TEST(a_manager_ends_without_an_error_s_details_too)
{
    ck_assert_int_eq(kube_manager_end(NULL, KUBE_ERR_ARGUMENT, NULL), 2);
    ck_assert_int_eq(kube_manager_end(NULL, KUBE_OK, NULL), 0);
}
