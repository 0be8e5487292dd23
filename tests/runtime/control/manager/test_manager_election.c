/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a manager tells of its election, and where its Lease is: by its status page and by the
 * embedded server, which is told to refuse.
 */
#include "manager_world.h"

#include <coordination/v1/api.h>
#include <stdlib.h>

enum { OPTIONS_MAX = 16 };

/* Starts one that stands for election; its further options end with NULL. */
static void elect_with(replica *r, const char *const given[])
{
    const char *options[OPTIONS_MAX] = {"--leader-elect", "--leader-elect-retry-period=100ms",
                                        "--leader-elect-resource-name=lock"};
    for (size_t i = 3; *given; i++, given++) {
        ck_assert_uint_lt(i + 1, OPTIONS_MAX);
        options[i] = *given;
    }
    EXPECT_OK(make_replica(r, NULL, options));
    start(r);
}

#define elect(r, ...) elect_with(r, (const char *const[]){__VA_ARGS__, NULL})

/* Whether the status page has @part. */
static bool says(replica *r, const char *part)
{
    return shows(r, "/", 200, part);
}

static const char *holder_in(const char *ns)
{
    coordination_v1_lease *lease;
    if (coordination_v1_leases_get(admin, ctx, kube_key_of(ns, "lock"), NULL, &lease, &err))
        return "";
    return lease->spec.holder_identity ? lease->spec.holder_identity : "";
}

/* ---- telling -------------------------------------------------------------------------------- */

static const struct {
    const char *verb;
    bool exists; /* the Lease is there, and nobody's */
} refused[] = {{"get", false}, {"create", false}, {"update", true}};

FIXTURE(set_up_server, tear_down_server);

TEST_EACH(the_status_page_says_what_keeps_it_from_leading, refused)
{
    const coordination_v1_lease free_lease = {.metadata = {.namespace_ = "default", .name = "lock"},
                                              .spec = {.lease_duration_seconds = KUBE_SOME(1)}};
    const kube_fault_rule rule = {.kind = KUBE_FAULT_STATUS,
                                  .verb = refused[_i].verb,
                                  .resource = "leases",
                                  .http_status = 403};
    if (refused[_i].exists)
        EXPECT_OK(kube_apiserver_load_object(server, &coordination_v1_lease_type, &free_lease.base,
                                             &err));
    EXPECT_OK(kube_apiserver_add_fault(server, &rule, &err));
    elect(&one, "--leader-elect-identity=one");
    eventually(says(&one, "<dt>Last failure</dt>"), "the failure is not shown");
    ck_assert(says(&one, "nobody yet"));
    ck_assert(says(&one, "a fault was asked for"));
    ck_assert(shows(&one, "/readyz", 200, "")); /* its caches are well */
    kube_apiserver_clear_faults(server);
    eventually(says(&one, "this process"), "it does not lead"); /* without a restart */
    ck_assert(!says(&one, "Last failure"));
    ck_assert_str_eq(holder_in("default"), "one");
}

TEST(the_leader_shows_itself_and_who_waits_shows_the_leader)
{
    elect(&one, "--leader-elect-identity=one");
    eventually(says(&one, "<dt>Leader</dt><dd><strong class=\"good\">this process</strong>"),
               "the leader does not say so");
    elect(&two, "--leader-elect-identity=two");
    eventually(says(&two, "<dt>Leader</dt><dd>one</dd>"), "a standby does not say who leads");
    ck_assert(says(&two, "<dt>Our identity</dt><dd>two</dd>"));
    ck_assert(!says(&two, "this process"));
    ck_assert(!says(&two, "Last failure")); /* that another leads is none */
    ck_assert(says(&one, "this process"));
}

/* ---- caches that fall behind ---------------------------------------------------------------- */

static atomic_int synced_lines;
static atomic_int behind_lines;

static void count_line(void *arg, kube_log_level level, const char *file, int line,
                       const char *message)
{
    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    if (strstr(message, "networks: caches are synced, 1 workers"))
        atomic_fetch_add(&synced_lines, 1);
    if (strstr(message, "networks: 1 workers, but networks: the cache has been behind for "))
        atomic_fetch_add(&behind_lines, 1);
}

static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    (void)run_ctx;
    (void)request;
    (void)result;
    (void)run_err;
    return KUBE_OK;
}

static void elect_with_cache(replica *r, const char *identity)
{
    const kube_controller_options options = {.name = "networks",
                                             .for_ = &samplecrd_v1_network_type,
                                             .reconcile = reconcile,
                                             .workers = 1};
    EXPECT_OK(make(r, "--leader-elect", "--leader-elect-retry-period=100ms",
                   "--leader-elect-resource-name=lock", identity));
    EXPECT_OK(kube_manager_add_controller(r->manager, &options, NULL, &err));
    start(r);
}

TEST(a_new_leader_does_not_call_its_caches_synced_while_they_are_behind)
{
    const kube_fault_rule rule = {
        .kind = KUBE_FAULT_STATUS, .resource = "networks", .http_status = 403};
    load_crd();
    kube_log_set_sink(count_line, NULL);
    kube_log_set_level(KUBE_LOG_INFO);
    elect_with_cache(&one, "--leader-elect-identity=one");
    eventually(synced_lines == 1, "the first leader does not work");
    elect_with_cache(&two, "--leader-elect-identity=two");
    eventually(shows(&two, "/readyz", 200, ""), "the standby's cache does not fill");
    EXPECT_OK(kube_apiserver_add_fault(server, &rule, &err));
    kube_apiserver_end_watches(server);
    eventually(shows(&two, "/readyz/informer-sync", 500, "the cache has been behind for "),
               "readyz does not tell");
    eventually(says(&two, "<em class=\"bad\">behind</em> for "), "the status page does not tell");
    stop(&one);
    eventually(behind_lines == 1, "the new leader does not say what its cache is");
    ck_assert_int_eq(synced_lines, 1);
    kube_apiserver_clear_faults(server);
    eventually(shows(&two, "/readyz", 200, ""), "the cache does not recover");
    stop(&two);
    kube_log_set_sink(NULL, NULL);
}

/* ---- where the Lease is --------------------------------------------------------------------- */

TEST(the_lease_of_a_pod_is_in_the_pod_s_namespace)
{
    setenv("POD_NAMESPACE", "kube-system", 1);
    elect(&one, "--namespace=default", "--leader-elect-identity=one");
    eventually(kube_manager_is_leader(one.manager), "it does not lead");
    ck_assert_str_eq(holder_in("kube-system"), "one");
    ck_assert_str_eq(holder_in("default"), "");
}

TEST(the_option_for_it_beats_the_pod_s_namespace)
{
    setenv("POD_NAMESPACE", "kube-system", 1);
    elect(&one, "--leader-elect-resource-namespace=default", "--leader-elect-identity=one");
    eventually(kube_manager_is_leader(one.manager), "it does not lead");
    ck_assert_str_eq(holder_in("default"), "one");
    ck_assert_str_eq(holder_in("kube-system"), "");
}

TEST(outside_of_a_pod_the_lease_is_where_it_looks)
{
    elect(&one, "--namespace=kube-system", "--leader-elect-identity=one");
    eventually(kube_manager_is_leader(one.manager), "it does not lead");
    ck_assert_str_eq(holder_in("kube-system"), "one");
}
