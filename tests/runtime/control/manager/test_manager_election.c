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
