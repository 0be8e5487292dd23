/* SPDX-License-Identifier: Apache-2.0 */
/* Controllers that come and go while a manager runs, and those that need no lease. */
#include "manager_world.h"

#include <coordination/v1/api.h>
#include <string.h>

/* ---- controllers ---------------------------------------------------------------------------- */

/* What one of them does: counts, or waits for the end of its ctx. */
typedef struct job {
    const char *name;
    gate ran;
    atomic_bool holds;
    atomic_bool interrupted;
    bool owns_leases;
    bool refuses;
    bool without_lease;
    kube_controller *made;
} job;

static job first = {.name = "first"};
static job second = {.name = "second"};

static void set_up(void)
{
    job *const jobs[] = {&first, &second};
    set_up_server();
    load_crd();
    load_network("blue");
    for (int i = 0; i < 2; i++) {
        *jobs[i] = (job){.name = jobs[i]->name};
        gate_init(&jobs[i]->ran);
    }
}

static void tear_down(void)
{
    tear_down_server();
    gate_fini(&first.ran);
    gate_fini(&second.ran);
}

static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    job *j = request->arg;
    (void)result;
    (void)run_err;
    gate_pass(&j->ran);
    while (atomic_load(&j->holds) && kube_ctx_sleep_ms(run_ctx, 1000, NULL) == KUBE_OK)
        continue;
    if (atomic_load(&j->holds))
        atomic_store(&j->interrupted, true);
    return KUBE_OK;
}

static kube_code setup(void *arg, kube_controller *controller, kube_error *setup_err)
{
    const job *j = arg;
    if (j->refuses)
        return kube_error_set(setup_err, KUBE_ERR_CONFIG, "not today");
    return j->owns_leases
               ? kube_controller_owns(controller, &coordination_v1_lease_type, NULL, setup_err)
               : KUBE_OK;
}

static kube_code add(replica *r, job *j)
{
    const kube_controller_options options = {
        .name = j->name,
        .for_ = &samplecrd_v1_network_type,
        .reconcile = reconcile,
        .arg = j,
        .setup = setup,
        .without_lease = j->without_lease,
    };
    return kube_manager_add_controller(r->manager, &options, &j->made, &err);
}

#define eventually_ran(j, times) eventually(gate_count(&(j)->ran) >= (times), (j)->name)

static void make_running(void)
{
    EXPECT_OK(make(&one, NULL));
    EXPECT_OK(add(&one, &first));
    start(&one);
    eventually_ran(&first, 1);
}

FIXTURE(set_up, tear_down);

/* ---- coming --------------------------------------------------------------------------------- */

TEST(a_controller_that_is_added_to_a_running_manager_runs)
{
    make_running();
    EXPECT_OK(add(&one, &second));
    eventually_ran(&second, 1); /* what was there before it */
    load_network("red");
    eventually_ran(&first, 2);
    eventually_ran(&second, 2);
    ck_assert(shows(&one, "/", 200, "second</span></th>"));
    ck_assert_int_eq(add(&one, &second), KUBE_ERR_ARGUMENT); /* of the same name */
    ck_assert_ptr_null(second.made);
}

TEST(one_that_is_added_while_the_run_begins_runs)
{
    EXPECT_OK(make(&one, NULL));
    EXPECT_OK(add(&one, &first));
    start(&one);
    EXPECT_OK(add(&one, &second));
    eventually_ran(&first, 1);
    eventually_ran(&second, 1);
}

TEST(one_with_a_type_of_its_own_gets_its_cache)
{
    const coordination_v1_lease lease = {
        .metadata = {
            .name = "hers",
            .namespace_ = "default",
            .owner_references = {.items =
                                     (kube_owner_reference[]){{.api_version = "samplecrd.k8s.io/v1",
                                                               .kind = "Network",
                                                               .name = "blue",
                                                               .uid = "1",
                                                               .controller = KUBE_SOME(true)}},
                                 .len = 1},
        }};
    make_running();
    second.owns_leases = true;
    EXPECT_OK(add(&one, &second));
    eventually_ran(&second, 1);
    EXPECT_OK(kube_apiserver_load_object(server, &coordination_v1_lease_type, &lease.base, &err));
    eventually_ran(&second, 2);
}

TEST(one_that_cannot_be_set_up_is_not_added)
{
    make_running();
    second.refuses = true;
    ck_assert_int_eq(add(&one, &second), KUBE_ERR_CONFIG);
    ck_assert_str_eq(err.message, "not today");
    second.refuses = false;
    EXPECT_OK(add(&one, &second)); /* its name is free */
    eventually_ran(&second, 1);
}

TEST(sources_are_refused_once_it_works)
{
    make_running();
    ck_assert_int_eq(kube_controller_owns(first.made, &coordination_v1_lease_type, NULL, &err),
                     KUBE_ERR_ARGUMENT);
}

TEST(after_the_end_all_is_refused)
{
    const kube_runnable runnable = {.name = "late", .run = NULL};
    make_running();
    stop(&one);
    ck_assert_int_eq(add(&one, &second), KUBE_ERR_CLOSED);
    ck_assert_int_eq(kube_manager_run(one.manager, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_manager_add_runnable(one.manager, &runnable, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_manager_add_health_check(one.manager, "late", NULL, NULL, &err),
                     KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(kube_manager_add_ready_check(one.manager, "late", NULL, NULL, &err),
                     KUBE_ERR_ARGUMENT);
}

/* ---- going ---------------------------------------------------------------------------------- */

TEST(a_removed_controller_is_waited_for_and_the_others_go_on)
{
    make_running();
    atomic_store(&second.holds, true);
    EXPECT_OK(add(&one, &second));
    eventually_ran(&second, 1);
    EXPECT_OK(kube_manager_remove_controller(one.manager, second.made, &err));
    ck_assert(atomic_load(&second.interrupted));
    ck_assert_int_eq(kube_manager_remove_controller(one.manager, second.made, &err),
                     KUBE_ERR_ARGUMENT);
    load_network("red");
    eventually_ran(&first, 2);
    ck_assert_int_eq(gate_count(&second.ran), 1);
    ck_assert(!shows(&one, "/", 200, "second</span></th>"));
    atomic_store(&second.holds, false);
    EXPECT_OK(add(&one, &second)); /* and comes again */
    eventually_ran(&second, 3);
}

TEST(it_may_go_before_the_run)
{
    EXPECT_OK(make(&one, NULL));
    EXPECT_OK(add(&one, &first));
    EXPECT_OK(add(&one, &second));
    EXPECT_OK(kube_manager_remove_controller(one.manager, first.made, &err));
    ck_assert_int_eq(kube_manager_remove_controller(one.manager, NULL, &err), KUBE_ERR_ARGUMENT);
    start(&one);
    eventually_ran(&second, 1);
    ck_assert_int_eq(gate_count(&first.ran), 0);
}

static void *come_and_go(void *arg)
{
    replica *r = arg;
    kube_error failure;
    for (;;) {
        const kube_controller_options options = {.name = "second",
                                                 .for_ = &samplecrd_v1_network_type,
                                                 .reconcile = reconcile,
                                                 .arg = &second};
        kube_controller *controller;
        if (kube_manager_add_controller(r->manager, &options, &controller, &failure) ||
            kube_manager_remove_controller(r->manager, controller, &failure))
            break;
    }
    return NULL;
}

TEST(the_end_and_a_controller_that_comes_or_goes_do_not_wait_for_each_other)
{
    pthread_t thread;
    make_running();
    ck_assert_int_eq(pthread_create(&thread, NULL, come_and_go, &one), 0);
    eventually_ran(&second, 1);
    stop(&one);
    pthread_join(thread, NULL);
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
}

/* ---- with and without the lease ------------------------------------------------------------- */

#define ELECT "--leader-elect", "--leader-elect-retry-period=100ms"

TEST(one_that_needs_no_lease_runs_on_every_replica)
{
    const coordination_v1_lease held = {
        .metadata = {.name = "tester", .namespace_ = "default"},
        .spec = {.holder_identity = "another", .lease_duration_seconds = KUBE_SOME(3600)}};
    const char given_back[] = "{\"spec\":{\"holderIdentity\":null}}";
    EXPECT_OK(kube_apiserver_load_object(server, &coordination_v1_lease_type, &held.base, &err));
    EXPECT_OK(make(&one, ELECT));
    first.without_lease = true;
    EXPECT_OK(add(&one, &first));
    EXPECT_OK(add(&one, &second));
    start(&one);
    eventually_ran(&first, 1);
    ck_assert_int_eq(gate_count(&second.ran), 0);
    EXPECT_OK(kube_manager_remove_controller(one.manager, first.made, &err));
    EXPECT_OK(add(&one, &first)); /* while it waits for the Lease */
    eventually_ran(&first, 2);
    ck_assert_int_eq(gate_count(&second.ran), 0);
    EXPECT_OK(coordination_v1_leases_patch(admin, ctx, kube_key_of("default", "tester"),
                                           KUBE_PATCH_MERGE, given_back, strlen(given_back), NULL,
                                           NULL, &err));
    eventually_ran(&second, 1);
    stop(&one);
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
}
