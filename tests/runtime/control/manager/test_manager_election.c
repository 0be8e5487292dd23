/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a manager tells of its election, and where its Lease is: by its status page and by the
 * embedded server, which is told to refuse.
 */
#include "support/child.h"
#include "support/suite.h"
#include "testing/http_peer.h"

#include <coordination/v1/api.h>
#include <kube/kube.h>
#include <kube/testing/apiserver.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 120000, ARGUMENTS_MAX = 16 };

static kube_apiserver *server;
static kube_client *admin;
static kube_ctx *ctx; /* of the test: its deadline ends every wait */
static char *kubeconfig;
static kube_error err;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

/* A manager, and the thread that it runs on. */
typedef struct replica {
    kube_manager *manager;
    kube_ctx *ctx;
    pthread_t thread;
    bool started;
    kube_code rc;
    kube_error err;
} replica;

static replica one;
static replica two;

/* ---- fixture -------------------------------------------------------------------------------- */

static void set_up(void)
{
    char path[] = "/tmp/kubegen-test-election.XXXXXX";
    int fd = mkstemp(path);
    const char *text;

    kube_log_set_level(KUBE_LOG_ERROR);
    unsetenv("POD_NAME");
    unsetenv("POD_NAMESPACE");
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, PATIENCE_MS);
    EXPECT_OK(kube_apiserver_start(NULL, &server, &err));
    EXPECT_OK(kube_apiserver_client(server, &admin, &err));
    text = kube_apiserver_kubeconfig(server);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    kubeconfig = kube_ctx_strdup(ctx, path);
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
}

static void *run(void *arg)
{
    replica *r = arg;

    r->rc = kube_manager_run(r->manager, &r->err);
    return NULL;
}

/* One that stands for election, with more options up to a NULL. */
static void start_with(replica *r, const char *const given[])
{
    const kube_manager_options options = {.name = "tester", .ctx = r->ctx = kube_ctx_new()};
    char *argv[ARGUMENTS_MAX] = {"tester",
                                 "--kubeconfig",
                                 kubeconfig,
                                 "--leader-elect",
                                 "--leader-elect-retry-period=100ms",
                                 "--leader-elect-resource-name=lock"};
    int argc = 6;

    for (; *given; given++) {
        ck_assert_int_lt(argc + 1, ARGUMENTS_MAX);
        argv[argc++] = (char *)(uintptr_t)*given;
    }
    EXPECT_OK(kube_manager_new(&options, argc, argv, &r->manager, &err));
    ck_assert_int_eq(pthread_create(&r->thread, NULL, run, r), 0);
    r->started = true;
}

#define start(r, ...) start_with(r, (const char *const[]){__VA_ARGS__, NULL})

static void end(replica *r)
{
    if (r->started) {
        kube_manager_stop(r->manager);
        pthread_join(r->thread, NULL);
    }
    kube_manager_free(r->manager);
    kube_ctx_free(r->ctx);
}

static void tear_down(void)
{
    end(&one);
    end(&two);
    unsetenv("POD_NAMESPACE");
    unlink(kubeconfig);
    kube_client_free(admin);
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
    kube_log_set_level(KUBE_LOG_INFO);
}

/* ---- helpers -------------------------------------------------------------------------------- */

/* What @path of it is answered with; "" while it serves nothing. */
static const char *page(replica *r, const char *path)
{
    const char *address = kube_manager_address(r->manager);
    const char *body;
    http_answer answer;
    http_peer peer;

    if (!address)
        return "";
    peer = http_connect((uint16_t)atoi(strrchr(address, ':') + 1));
    http_send(&peer, kube_printf(ctx, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
    answer = http_read(&peer, false);
    body = kube_printf(ctx, "%d %s", answer.status, answer.body);
    http_free(&answer);
    http_close(&peer);
    return body;
}

static bool shows(replica *r, const char *part)
{
    return strstr(page(r, "/"), part) != NULL;
}

static const char *holder_in(const char *ns)
{
    coordination_v1_lease *lease;

    if (coordination_v1_leases_get(admin, ctx, ns, "lock", NULL, &lease, &err))
        return "";
    return lease->spec.holder_identity ? lease->spec.holder_identity : "";
}

/* ---- telling -------------------------------------------------------------------------------- */

static const struct {
    const char *verb;
    bool exists; /* the Lease is there, and nobody's */
} refused[] = {{"get", false}, {"create", false}, {"update", true}};

FIXTURE(set_up, tear_down);

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
    start(&one, "--leader-elect-identity=one");
    eventually(shows(&one, "<dt>Last failure</dt>"), "the failure is not shown");
    ck_assert(shows(&one, "nobody yet"));
    ck_assert(shows(&one, "a fault was asked for"));
    ck_assert_ptr_nonnull(strstr(page(&one, "/readyz"), "200 ")); /* its caches are well */
    kube_apiserver_clear_faults(server);
    eventually(shows(&one, "this process"), "it does not lead"); /* without a restart */
    ck_assert(!shows(&one, "Last failure"));
    ck_assert_str_eq(holder_in("default"), "one");
}

TEST(the_leader_shows_itself_and_who_waits_shows_the_leader)
{
    start(&one, "--leader-elect-identity=one");
    eventually(shows(&one, "<dt>Leader</dt><dd><strong class=\"good\">this process</strong>"),
               "the leader does not say so");
    start(&two, "--leader-elect-identity=two");
    eventually(shows(&two, "<dt>Leader</dt><dd>one</dd>"), "a standby does not say who leads");
    ck_assert(shows(&two, "<dt>Our identity</dt><dd>two</dd>"));
    ck_assert(!shows(&two, "this process"));
    ck_assert(!shows(&two, "Last failure")); /* that another leads is none */
    ck_assert(shows(&one, "this process"));
}

/* ---- where the Lease is --------------------------------------------------------------------- */

TEST(the_lease_of_a_pod_is_in_the_pod_s_namespace)
{
    setenv("POD_NAMESPACE", "kube-system", 1);
    start(&one, "--namespace=default", "--leader-elect-identity=one");
    eventually(kube_manager_is_leader(one.manager), "it does not lead");
    ck_assert_str_eq(holder_in("kube-system"), "one");
    ck_assert_str_eq(holder_in("default"), "");
}

TEST(the_option_for_it_beats_the_pod_s_namespace)
{
    setenv("POD_NAMESPACE", "kube-system", 1);
    start(&one, "--leader-elect-resource-namespace=default", "--leader-elect-identity=one");
    eventually(kube_manager_is_leader(one.manager), "it does not lead");
    ck_assert_str_eq(holder_in("default"), "one");
    ck_assert_str_eq(holder_in("kube-system"), "");
}

TEST(outside_of_a_pod_the_lease_is_where_it_looks)
{
    start(&one, "--namespace=kube-system", "--leader-elect-identity=one");
    eventually(kube_manager_is_leader(one.manager), "it does not lead");
    ck_assert_str_eq(holder_in("kube-system"), "one");
}
