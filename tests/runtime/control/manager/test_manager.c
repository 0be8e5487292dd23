/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Managers on an API server within this program: their pages, their runnables, one leader of two,
 * a lease that is lost and won again, and the order of the end. Its process, seen from outside:
 * test_manager_process.c.
 */
#include "manager_world.h"

#include <coordination/v1/api.h>
#include <core/v1/api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const kube_api_call_filter lists = {.verb = "list", .resource = "networks"};
static const kube_api_call_filter watches = {.verb = "watch", .resource = "networks"};

/* ---- fixture -------------------------------------------------------------------------------- */

static void set_up(void)
{
    set_up_server();
    load_crd();
}

static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    replica *r = request->arg;
    (void)result;
    (void)run_err;
    atomic_fetch_add(&r->active, 1);
    kube__lock(&r->ran.mutex);
    snprintf(r->last, sizeof r->last, "%s", request->key.name);
    kube__unlock(&r->ran.mutex);
    kube_request_note(request, "saw %s", request->key.name);
    gate_pass(&r->ran);
    if (atomic_load(&r->holds)) {
        while (kube_ctx_sleep_ms(run_ctx, 1000, NULL) == KUBE_OK)
            continue;
        atomic_store(&r->interrupted, true);
        gate_wait(&r->hold, 1);
    }
    atomic_fetch_sub(&r->active, 1);
    return KUBE_OK;
}

static void add_controller(replica *r)
{
    const kube_controller_options options = {
        .name = "networks",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = reconcile,
        .arg = r,
    };
    EXPECT_OK(kube_manager_add_controller(r->manager, &options, NULL, &err));
}

/* ---- helpers -------------------------------------------------------------------------------- */

static bool was_last(replica *r, const char *name)
{
    bool is;
    kube__lock(&r->ran.mutex);
    is = strcmp(r->last, name) == 0;
    kube__unlock(&r->ran.mutex);
    return is;
}

#define expect_run(r, name) eventually(was_last(r, name), name)

static bool is_ready(replica *r)
{
    return shows(r, "/readyz", 200, "ok");
}

static kube_api_call_list calls(const kube_api_call_filter *filter)
{
    kube_api_call_list list;
    EXPECT_OK(kube_apiserver_calls(server, ctx, filter, &list, &err));
    return list;
}

/* ---- a run ---------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down_server);

TEST(a_manager_reconciles_and_ends_in_order)
{
    load_network("blue");
    EXPECT_OK(make(&one, NULL));
    add_controller(&one);
    ck_assert(!kube_manager_is_leader(one.manager));
    start(&one);
    expect_run(&one, "blue");
    ck_assert(kube_manager_is_leader(one.manager)); /* without leader election, who runs */
    load_network("red");
    expect_run(&one, "red");
    stop(&one);
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
    ck_assert_ptr_null(kube_manager_address(one.manager));
    ck_assert(!kube_manager_is_leader(one.manager));
    ck_assert_uint_eq(calls(&(kube_api_call_filter){.writes = true}).len, 0);
}

TEST(the_end_of_the_ctx_it_was_given_is_its_end)
{
    EXPECT_OK(make(&one, NULL));
    add_controller(&one);
    start(&one);
    eventually(kube_manager_is_leader(one.manager), "it does not run");
    kube_ctx_cancel(one.ctx);
    pthread_join(one.thread, NULL);
    one.started = false;
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
}

TEST(stopped_before_its_caches_are_synced_it_ends_all_the_same)
{
    const kube_fault_rule never = {
        .kind = KUBE_FAULT_STATUS, .resource = "networks", .http_status = 403};
    EXPECT_OK(kube_apiserver_add_fault(server, &never, &err));
    EXPECT_OK(make(&one, NULL));
    add_controller(&one);
    start(&one);
    eventually(kube_apiserver_fault_count(server, KUBE_FAULT_STATUS) > 0, "it does not list");
    stop(&one);
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
    ck_assert_int_eq(gate_count(&one.ran), 0);
}

TEST(a_namespace_bounds_the_caches)
{
    const kube_api_call_filter bounded = {.resource = "networks", .namespace_ = "team"};
    EXPECT_OK(make(&one, "--namespace", "team"));
    add_controller(&one);
    start(&one);
    eventually(is_ready(&one), "it is not ready");
    ck_assert_uint_gt(calls(&bounded).len, 0);
    ck_assert_uint_eq(calls(&bounded).len,
                      calls(&(kube_api_call_filter){.resource = "networks"}).len);
}

TEST(a_client_that_is_given_is_used)
{
    const kube_manager_options given = {.client = admin};
    EXPECT_OK(make_replica(&one, &given, (const char *const[]){NULL}));
    ck_assert_ptr_eq(kube_manager_client(one.manager), admin);
    add_controller(&one);
    load_network("blue");
    start(&one);
    expect_run(&one, "blue");
}

/* ---- pages ---------------------------------------------------------------------------------- */

static const struct {
    const char *path;
    int status;
    const char *type;
    const char *part;
} pages[] = {
    {"/", 200, "text/html; charset=utf-8", "networks"},
    {"/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", "process_resident_memory_bytes"},
    {"/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", "workqueue_adds_total"},
    {"/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", "rest_client_requests_total"},
    {"/healthz", 200, NULL, "ok"},
    {"/healthz/ping", 200, NULL, "ok"},
    {"/livez?verbose", 200, NULL, "ping ok"},
    {"/readyz", 200, NULL, "ok"},
    {"/readyz?verbose", 200, NULL, "informer-sync ok"},
    {"/readyz/shutdown", 200, NULL, "ok"},
    {"/flight", 200, NULL, "blue"},
    {"/flight.json", 200, "application/json", "\"blue\""},
    {"/healthzz", 404, NULL, "/flight"},
    {"/nowhere", 404, NULL, "/metrics"},
};

TEST(its_pages_are_served_where_it_says)
{
    load_network("blue");
    EXPECT_OK(make(&one, NULL));
    add_controller(&one);
    start(&one);
    expect_run(&one, "blue");
    eventually(shows(&one, "/flight", 200, "saw blue"), "the run is not recorded");
    ck_assert_ptr_nonnull(strstr(kube_manager_address(one.manager), "127.0.0.1:"));
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const char *body;
        char *type;
        int status = get_from(kube_manager_address(one.manager), pages[i].path, &body, &type);
        ck_assert_msg(status == pages[i].status && strstr(body, pages[i].part), "%s: %d %s",
                      pages[i].path, status, body);
        if (pages[i].type)
            ck_assert_str_eq(type, pages[i].type);
        free(type);
    }
}

static const char *const off[] = {"", "0"};

TEST_EACH(no_address_is_no_server, off)
{
    EXPECT_OK(make(&one, "--http-bind-address", off[_i]));
    add_controller(&one);
    start(&one);
    eventually(kube_manager_is_leader(one.manager), "it does not run");
    ck_assert_ptr_null(kube_manager_address(one.manager));
}

/* A port that nobody has, as far as one can know. */
static const char *free_address(kube_ctx *scope)
{
    kube_apiserver *other;
    const char *address;
    EXPECT_OK(kube_apiserver_start(NULL, &other, &err));
    address = kube_printf(scope, "127.0.0.1:%u", (unsigned)kube_apiserver_port(other));
    kube_apiserver_stop(other);
    return address;
}

TEST(metrics_and_health_may_have_servers_of_their_own)
{
    const char *metrics = free_address(ctx);
    const char *health = free_address(ctx);
    const char *body;
    EXPECT_OK(make(&one, "--http-bind-address=0", "--metrics-bind-address", metrics,
                   "--health-probe-bind-address", health));
    add_controller(&one);
    start(&one);
    eventually(kube_manager_is_leader(one.manager), "it does not run");
    ck_assert_int_eq(get_from(metrics, "/metrics", &body, NULL), 200);
    ck_assert_int_eq(get_from(metrics, "/healthz", &body, NULL), 404);
    ck_assert_int_eq(get_from(metrics, "/", &body, NULL), 404);
    ck_assert_int_eq(get_from(health, "/livez", &body, NULL), 200);
    ck_assert_int_eq(get_from(health, "/metrics", &body, NULL), 404);
    ck_assert_int_eq(get_from(health, "/flight", &body, NULL), 404);
}

TEST(an_address_that_is_taken_ends_it_and_the_option_is_named)
{
    const char *taken = kube_printf(ctx, "127.0.0.1:%u", (unsigned)kube_apiserver_port(server));
    EXPECT_OK(make(&one, "--http-bind-address", taken));
    add_controller(&one);
    ck_assert_int_ne(kube_manager_run(one.manager, &err), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "--http-bind-address"));
    ck_assert_ptr_nonnull(strstr(err.message, taken));
}

static kube_code check(void *arg, kube_error *check_err)
{
    if (atomic_load((atomic_bool *)arg))
        return KUBE_OK;
    return kube_error_set(check_err, KUBE_ERR_UNAVAILABLE, "the disk is full");
}

TEST(the_program_has_checks_of_its_own)
{
    static atomic_bool well;
    static atomic_bool prepared;
    atomic_store(&well, true);
    atomic_store(&prepared, false);
    EXPECT_OK(make(&one, NULL));
    add_controller(&one);
    EXPECT_OK(kube_manager_add_health_check(one.manager, "disk", check, &well, &err));
    EXPECT_OK(kube_manager_add_ready_check(one.manager, "preparation", check, &prepared, &err));
    ck_assert_int_eq(kube_manager_add_ready_check(one.manager, "ping", check, &well, &err),
                     KUBE_ERR_ARGUMENT);
    start(&one);
    eventually(kube_manager_is_leader(one.manager), "it does not run");
    ck_assert(shows(&one, "/readyz", 500, "preparation failed"));
    ck_assert(shows(&one, "/healthz", 200, "ok"));
    atomic_store(&prepared, true);
    ck_assert(is_ready(&one));
    atomic_store(&well, false);
    ck_assert(shows(&one, "/healthz", 500, "the disk is full"));
    ck_assert(shows(&one, "/livez/disk", 500, "the disk is full"));
}

/* ---- runnables ------------------------------------------------------------------------------ */

/* Counts its terms; ends with its ctx. */
static kube_code wait_for_end(void *arg, kube_ctx *run_ctx, kube_error *run_err)
{
    gate_pass(arg);
    while (kube_ctx_sleep_ms(run_ctx, 100000, run_err) == KUBE_OK)
        continue;
    return KUBE_OK;
}

static kube_code fail_later(void *arg, kube_ctx *run_ctx, kube_error *run_err)
{
    (void)run_ctx;
    gate_wait(arg, 1);
    return kube_error_set(run_err, KUBE_ERR_CONFIG, "no space left");
}

static kube_code return_at_once(void *arg, kube_ctx *run_ctx, kube_error *run_err)
{
    (void)run_ctx;
    (void)run_err;
    gate_pass(arg);
    return KUBE_OK;
}

TEST_TIMES(a_runnable_that_fails_ends_the_manager_and_is_named, 2)
{
    static gate began;
    const kube_runnable sound = {.name = "sound", .run = wait_for_end, .arg = &began};
    const kube_runnable broken = {
        .name = "broken", .run = fail_later, .arg = &began, .without_lease = _i == 1};
    gate_init(&began);
    EXPECT_OK(make(&one, NULL));
    EXPECT_OK(kube_manager_add_runnable(one.manager, &sound, &err));
    EXPECT_OK(kube_manager_add_runnable(one.manager, &broken, &err));
    add_controller(&one);
    ck_assert_int_eq(kube_manager_run(one.manager, &err), KUBE_ERR_CONFIG);
    ck_assert_str_eq(err.message, "broken: no space left");
    gate_fini(&began);
}

TEST(a_runnable_may_return_before_the_end)
{
    static gate began;
    const kube_runnable sweep = {.name = "sweep", .run = return_at_once, .arg = &began};
    gate_init(&began);
    EXPECT_OK(make(&one, NULL));
    EXPECT_OK(kube_manager_add_runnable(one.manager, &sweep, &err));
    add_controller(&one);
    load_network("blue");
    start(&one);
    gate_wait(&began, 1);
    expect_run(&one, "blue");
    stop(&one);
    ck_assert_int_eq(one.rc, KUBE_OK);
    gate_fini(&began);
}

/* ---- leader election ------------------------------------------------------------------------ */

#define ELECT                                                                                      \
    "--leader-elect", "--leader-elect-lease-duration=3s", "--leader-elect-renew-deadline=2s",      \
        "--leader-elect-retry-period=100ms", "--leader-elect-resource-name=lock"

static const kube_api_call_filter lease_writes = {.resource = "leases", .writes = true};

TEST(one_of_two_works_and_hands_over_when_it_ends)
{
    static gate everywhere;
    static gate leading;
    const kube_runnable on_all = {
        .name = "on-all", .run = wait_for_end, .arg = &everywhere, .without_lease = true};
    const kube_runnable on_leader = {.name = "on-leader", .run = wait_for_end, .arg = &leading};
    replica *const both[] = {&one, &two};
    gate_init(&everywhere);
    gate_init(&leading);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(make(both[i], ELECT, "--leader-elect-identity", i ? "two" : "one"));
        add_controller(both[i]);
        EXPECT_OK(kube_manager_add_runnable(both[i]->manager, &on_all, &err));
        EXPECT_OK(kube_manager_add_runnable(both[i]->manager, &on_leader, &err));
    }
    start(&one);
    eventually(kube_manager_is_leader(one.manager), "nobody leads");
    start(&two);
    eventually(is_ready(&two), "a replica that stands by is not ready");
    load_network("blue");
    expect_run(&one, "blue");
    gate_wait(&everywhere, 2);
    gate_wait(&leading, 1);
    ck_assert(!kube_manager_is_leader(two.manager));
    ck_assert_int_eq(gate_count(&two.ran), 0);

    stop(&one);
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
    load_network("red");
    gate_wait(&two.ran, 2); /* "blue" and "red", in any order */
    gate_wait(&leading, 2);
    ck_assert_int_eq(gate_count(&everywhere), 2);
    stop(&two);
    gate_fini(&everywhere);
    gate_fini(&leading);
}

TEST(a_lost_lease_stops_the_work_keeps_the_caches_and_is_won_again)
{
    const kube_fault_rule broken = {
        .kind = KUBE_FAULT_STATUS, .resource = "leases", .http_status = 500};
    const samplecrd_v1_network net = {.metadata = {.name = "late", .namespace_ = "default"},
                                      .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"}};
    int runs;
    size_t watched;
    load_network("blue");
    EXPECT_OK(make(&one, ELECT));
    add_controller(&one);
    start(&one);
    expect_run(&one, "blue");
    watched = calls(&watches).len + calls(&lists).len;

    EXPECT_OK(kube_apiserver_add_fault(server, &broken, &err));
    eventually(!kube_manager_is_leader(one.manager), "it still leads");
    eventually(atomic_load(&one.active) == 0, "it still works");
    ck_assert_int_eq(samplecrd_v1_networks_create(kube_manager_client(one.manager), ctx, "default",
                                                  &net, NULL, NULL, &err),
                     KUBE_ERR_FENCED);
    ck_assert(shows(&one, "/livez", 200, "ok"));
    ck_assert(is_ready(&one));
    runs = gate_count(&one.ran);
    load_network("red"); /* while nobody leads */
    eventually(shows(&one, "/metrics", 200, "networks"), "its pages are gone");
    ck_assert_int_eq(gate_count(&one.ran), runs);

    kube_apiserver_clear_faults(server);
    expect_run(&one, "red");
    /* A machine that is too busy to renew within two seconds may have lost it once more. */
    eventually(kube_manager_is_leader(one.manager), "it does not lead again");
    ck_assert_uint_eq(calls(&watches).len + calls(&lists).len, watched);
    EXPECT_OK(samplecrd_v1_networks_create(kube_manager_client(one.manager), ctx, "default", &net,
                                           NULL, NULL, &err));
    expect_run(&one, "late");
}

/* Whether the Lease has been given back. */
static bool is_released(void)
{
    kube_api_call_list list = calls(&lease_writes);
    const char *body = list.len ? list.items[list.len - 1].body : NULL;
    return body && strstr(body, "\"holderIdentity\":\"one\"") == NULL;
}

TEST(the_lease_goes_when_the_last_reconcile_has_returned_and_its_events_are_sent)
{
    const kube_api_call_filter events = {.verb = "create", .resource = "events"};
    const samplecrd_v1_network net = {.base = {.type = &samplecrd_v1_network_type},
                                      .metadata = {.name = "blue", .namespace_ = "default"}};
    kube_api_call_list all;
    size_t event_at = 0;
    size_t last = 0;
    load_network("blue");
    atomic_store(&one.holds, true);
    EXPECT_OK(make(&one, ELECT, "--leader-elect-identity", "one"));
    atomic_store(&one.holds, true);
    add_controller(&one);
    start(&one);
    gate_wait(&one.ran, 1);
    kube_manager_stop(one.manager);
    eventually(atomic_load(&one.interrupted), "its ctx has not ended");
    eventually(shows(&one, "/readyz/shutdown", 500, "the program is ending"), "it is still ready");
    ck_assert(shows(&one, "/livez", 200, "ok"));
    ck_assert(!is_released());
    for (int i = 0; i < 10; i++)
        kube_recorder_event(kube_manager_recorder(one.manager), &net.base, KUBE_EVENT_NORMAL,
                            "Said", "number %d", i);
    gate_pass(&one.hold);
    pthread_join(one.thread, NULL);
    one.started = false;
    ck_assert_msg(one.rc == KUBE_OK, "%s", one.err.message);
    ck_assert(is_released());

    all = calls(NULL);
    for (size_t i = 0; i < all.len; i++) {
        if (strcmp(all.items[i].resource, "leases") == 0)
            last = i;
        if (strcmp(all.items[i].resource, "events") == 0 && all.items[i].body &&
            strstr(all.items[i].body, "number 9"))
            event_at = i;
    }
    ck_assert_uint_ge(calls(&events).len, 10);
    ck_assert_uint_gt(event_at, 0);
    ck_assert_uint_gt(last, event_at);
}

TEST(a_pod_s_name_begins_its_identity)
{
    coordination_v1_lease *lease;
    setenv("POD_NAME", "tester-0", 1);
    EXPECT_OK(make(&one, ELECT, "--leader-elect-resource-namespace=kube-system"));
    unsetenv("POD_NAME");
    add_controller(&one);
    start(&one);
    eventually(kube_manager_is_leader(one.manager), "nobody leads");
    EXPECT_OK(coordination_v1_leases_get(admin, ctx, kube_key_of("kube-system", "lock"), NULL,
                                         &lease, &err));
    ck_assert_int_eq(strncmp(lease->spec.holder_identity, "tester-0_", strlen("tester-0_")), 0);
    ck_assert_ptr_nonnull(strstr(calls(&lease_writes).items[0].user_agent, "/leader-election"));
}

TEST(its_election_is_measured_by_the_lease_s_name)
{
    EXPECT_OK(make(&one, ELECT));
    add_controller(&one);
    start(&one);
    eventually(shows(&one, "/metrics", 200, "\nleader_election_master_status{name=\"lock\"} 1\n"),
               "the metrics do not say that it leads");
    ck_assert(shows(&one, "/metrics", 200, "\nkube_build_info{name=\"tester\","));
}

/* ---- options -------------------------------------------------------------------------------- */

static const struct {
    const char *arguments[4];
    kube_code code;
    const char *said;
} mistakes[] = {
    {{"--leader-elect", "--leader-elect-renew-deadline=15s"},
     KUBE_ERR_ARGUMENT,
     "tester: --leader-elect-renew-deadline must be shorter than --leader-elect-lease-duration"},
    {{"--leader-elect", "--leader-elect-retry-period=9s"},
     KUBE_ERR_ARGUMENT,
     "tester: --leader-elect-renew-deadline must be longer than 1.2 times "
     "--leader-elect-retry-period"},
    {{"--leader-elect", "--leader-elect-resource-name="},
     KUBE_ERR_ARGUMENT,
     "tester: --leader-elect-resource-name must not be empty"},
    {{"--leader-elect-lease-duration=500ms"},
     KUBE_ERR_ARGUMENT,
     "tester: --leader-elect-lease-duration 500ms: must be a time from 1s to 1h0m0s, such as 30s "
     "or 1m30s"},
    {{"--log-level", "loud"},
     KUBE_ERR_ARGUMENT,
     "tester: --log-level loud: must be error, warn, info, debug or trace"},
    {{"--resync", "25h"},
     KUBE_ERR_ARGUMENT,
     "tester: --resync 25h: must be a time from 0s to 24h0m0s, such as 30s or 1m30s"},
    {{"--kubeconfg=x"},
     KUBE_ERR_ARGUMENT,
     "tester: unknown argument \"--kubeconfg=x\"; did you mean --kubeconfig?"},
    {{"--context", "nowhere"}, KUBE_ERR_CONFIG, "nowhere"},
};

FIXTURE(set_up_server, tear_down_server);

TEST(readiness_says_why_a_cache_is_empty)
{
    EXPECT_OK(make(&one, NULL)); /* there is no CRD */
    add_controller(&one);
    start(&one);
    eventually(shows(&one, "/readyz?verbose", 500, "informer-sync failed: networks: "),
               "readyz does not say so");
    eventually(shows(&one, "/readyz?verbose", 500, "404") ||
                   shows(&one, "/readyz?verbose", 500, "not found") ||
                   shows(&one, "/readyz?verbose", 500, "could not find"),
               "readyz does not say why");
    ck_assert(shows(&one, "/livez", 200, "ok"));
    load_crd();
    load_network("blue");
    expect_run(&one, "blue"); /* nobody has to start it anew */
    eventually(is_ready(&one), "it is not ready");
}

TEST_EACH(a_mistake_is_told_and_nothing_is_made, mistakes)
{
    ck_assert_int_eq(make_replica(&one, NULL, mistakes[_i].arguments), mistakes[_i].code);
    ck_assert_ptr_null(one.manager);
    ck_assert_ptr_nonnull(strstr(err.message, mistakes[_i].said));
    ck_assert_int_eq(strncmp(err.message, "tester: ", strlen("tester: ")), 0);
}
