/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A manager that gets too little memory or too few file descriptors: it says so and ends, or does
 * without. The server is another process, so what is scarce is scarce for the manager alone.
 */
#include "support/child.h"
#include "support/fail_malloc.h"
#include "support/forked.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <kube/kube.h>
#include <pthread.h>
#include <samplecrd/v1/api.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILES_MAX = 40 };

static const char network_crd[] = "/examples/network-controller/config/crd/"
                                  "samplecrd.k8s.io_networks.yaml";

static child *server;
static kube_ctx *ctx;
static char *directory;
static char *kubeconfig;
static kube_error err;

#define EXPECT_OK(call) ck_assert_msg((call) == KUBE_OK, "%s", err.message)

/* Check's assertions allocate themselves. */
#define require(condition, text)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, (text));            \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- the server ----------------------------------------------------------------------------- */

static void create_blue(void)
{
    const samplecrd_v1_network blue = {
        .metadata = {.name = "blue"},
        .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"},
    };
    const kube_config_options options = {.kubeconfig = kubeconfig};
    kube_config *config;
    kube_client *client;
    EXPECT_OK(kube_config_load(&options, &config, &err));
    EXPECT_OK(kube_client_new(config, NULL, &client, &err));
    EXPECT_OK(samplecrd_v1_networks_create(client, ctx, "default", &blue, NULL, NULL, &err));
    kube_client_free(client);
    kube_config_free(config);
}

static void set_up(void)
{
    char made[] = "/tmp/kubegen-test-scarce.XXXXXX";
    const char *command = getenv("KUBEGEN_APISERVER");
    kube_log_set_level((kube_log_level)-1); /* what fails is meant to */
    ctx = kube_ctx_new();
    ck_assert_msg(command, "KUBEGEN_APISERVER is not set");
    ck_assert_ptr_nonnull(mkdtemp(made));
    directory = kube_ctx_strdup(ctx, made);
    kubeconfig = kube_printf(ctx, "%s/kubeconfig", directory);
    server = child_start(
        (const char *const[]){command, "--kubeconfig-out", kubeconfig, "--load",
                              kube_printf(ctx, "%s%s", getenv("KUBEGEN_SOURCE_DIR"), network_crd),
                              NULL},
        kube_printf(ctx, "%s/log", directory));
    eventually(strstr(child_output(server), "serving") || child_ended(server),
               child_output(server));
    create_blue();
}

static void tear_down(void)
{
    child_signal(server, SIGTERM);
    child_wait(server);
    child_free(server);
    unlink(kube_printf(ctx, "%s/log", directory));
    unlink(kubeconfig);
    rmdir(directory);
    kube_ctx_free(ctx);
    kube_log_set_level(KUBE_LOG_INFO);
}

/* ---- a manager ------------------------------------------------------------------------------ */

typedef struct replica {
    kube_manager *manager;
    kube_code rc;
    kube_error err;
    pthread_t thread;
    atomic_int runs;
    atomic_bool ended;
    size_t allocations; /* of the run */
    bool greedy;        /* its reconcile wants more than there can be */
    bool exits;         /* and ends the process */
} replica;

static kube_code reconcile(kube_ctx *run_ctx, const kube_request *request, kube_result *result,
                           kube_error *run_err)
{
    replica *r = request->arg;
    if (r->greedy)
        kube_ctx_alloc(run_ctx, SIZE_MAX);
    (void)result;
    (void)run_err;
    kube_request_note(request, "saw it");
    atomic_fetch_add(&r->runs, 1);
    return KUBE_OK;
}

static kube_code wait_for_end(void *arg, kube_ctx *run_ctx, kube_error *run_err)
{
    (void)arg;
    (void)run_err;
    while (kube_ctx_sleep_ms(run_ctx, 1000, NULL) == KUBE_OK)
        continue;
    return KUBE_OK;
}

static kube_code is_well(void *arg, kube_error *run_err)
{
    (void)arg;
    (void)run_err;
    return KUBE_OK;
}

static kube_code make(replica *r, kube_ctx *scope, bool elect)
{
    const kube_manager_options options = {
        .name = "scarce",
        .kubeconfig = kubeconfig,
        .metrics_address = "127.0.0.1:0",
        .leader_election = elect,
        .lease_identity = "me",
        .retry_period_ms = 200,
        .ctx = scope,
        .flight_records = 4,
        .retry_on_no_memory = !r->exits,
    };
    const kube_controller_options networks = {
        .name = "networks", .for_ = &samplecrd_v1_network_type, .reconcile = reconcile, .arg = r};
    const kube_runnable runnable = {.name = "waits", .run = wait_for_end};
    kube_controller *controller;
    kube_code rc = kube_manager_new(&options, &r->manager, &r->err);
    if (!rc)
        rc = kube_manager_add_controller(r->manager, &networks, &controller, &r->err);
    if (!rc)
        rc = kube_controller_owns(controller, &samplecrd_v1_network_type, NULL, &r->err);
    if (!rc)
        rc = kube_manager_add_runnable(r->manager, &runnable, &r->err);
    if (!rc)
        rc = kube_manager_add_health_check(r->manager, "well", is_well, NULL, &r->err);
    if (!rc)
        rc = kube_manager_add_ready_check(r->manager, "well", is_well, NULL, &r->err);
    return rc;
}

static void *run(void *arg)
{
    replica *r = arg;
    r->rc = kube_manager_run(r->manager, &r->err);
    atomic_store(&r->ended, true);
    return NULL;
}

/* Whether its cache says what keeps it from being filled. */
static bool complains(replica *r)
{
    kube_informer *informer;
    kube_informer_stats stats;
    if (kube_informer_factory_informer(kube_manager_factory(r->manager), &samplecrd_v1_network_type,
                                       NULL, &informer, NULL))
        return false;
    kube_informer_get_stats(informer, &stats);
    return *stats.last_error;
}

/*
 * From its making to its end, with the @nth allocation of its run failing (0 = none). In between it
 * has reconciled, or has given up; where @may_wait it may wait for better times, if it says so:
 * that is without an election, which waits without end by its nature.
 */
static kube_code live(replica *r, size_t nth, bool may_wait)
{
    int64_t deadline_ms = poll_now_ms() + POLL_PATIENCE_MS;
    kube_ctx *scope = kube_ctx_new();
    if (!scope)
        return kube_error_set(&r->err, KUBE_ERR_NO_MEMORY, "out of memory");
    r->rc = make(r, scope, !may_wait);
    if (!r->rc) {
        fail_malloc_at(nth);
        require(pthread_create(&r->thread, NULL, run, r) == 0, "no thread");
        while (!atomic_load(&r->runs) && !atomic_load(&r->ended) && !(may_wait && complains(r)))
            require(poll_again(deadline_ms), "it neither works nor ends");
        kube_manager_stop(r->manager);
        pthread_join(r->thread, NULL);
        r->allocations = fail_malloc_off();
    }
    kube_manager_free(r->manager);
    kube_ctx_free(scope);
    return r->rc;
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool make_and_free(void *arg)
{
    replica r = {0};
    kube_code rc = make(&r, arg, true);
    require(rc == KUBE_OK || rc == KUBE_ERR_NO_MEMORY, r.err.message);
    kube_manager_free(r.manager);
    return rc == KUBE_OK;
}

FIXTURE(set_up, tear_down);

TEST(without_memory_none_is_made)
{
    ck_assert_uint_gt(fail_malloc_replay(make_and_free, ctx), 100);
}

TEST(a_run_survives_the_want_of_any_allocation_or_says_that_it_does_not)
{
    replica whole = {0};
    ck_assert_int_eq(live(&whole, 0, false), KUBE_OK);
    for (size_t i = 0; i < whole.allocations; i++) {
        replica r = {0};
        kube_code rc = live(&r, i + 1, false);
        require(rc == KUBE_OK || rc == KUBE_ERR_NO_MEMORY, r.err.message);
    }
}

/* ---- file descriptors ----------------------------------------------------------------------- */

static rlim_t next_file(void)
{
    int fd = open("/dev/null", O_RDONLY);
    ck_assert_int_ge(fd, 0);
    close(fd);
    return (rlim_t)fd;
}

/* Where there are too few to start, it says so at once; nothing hangs that cannot be woken. */
TEST(without_file_descriptors_it_ends_with_a_word)
{
    struct rlimit before;
    struct rlimit few;
    kube_code rc = KUBE_ERR_NO_MEMORY;
    rlim_t first = next_file();
    rlim_t more = 0;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    for (bool works = false; !works && more < FILES_MAX; more++) {
        replica r = {0};
        int64_t begun_ms = poll_now_ms();
        few.rlim_cur = first + more;
        require(setrlimit(RLIMIT_NOFILE, &few) == 0, strerror(errno));
        rc = live(&r, 0, true);
        require(setrlimit(RLIMIT_NOFILE, &before) == 0, strerror(errno));
        works = atomic_load(&r.runs) > 0;
        require(!rc || *r.err.message, "it does not say why");
        require(!rc || poll_now_ms() - begun_ms < POLL_PATIENCE_MS / 2, r.err.message);
    }
    ck_assert_msg(rc == KUBE_OK, "%d file descriptors are not enough", FILES_MAX);
    ck_assert_int_gt((int)more, 1);
}

/* ---- a reconcile that wants too much -------------------------------------------------------- */

static bool ran_twice(replica *r)
{
    return atomic_load(&r->runs) > 1;
}

static void be_greedy(void *arg)
{
    replica *r = arg;
    int64_t deadline_ms = poll_now_ms() + POLL_PATIENCE_MS;
    r->greedy = true;
    require(make(r, ctx, false) == KUBE_OK, r->err.message);
    require(pthread_create(&r->thread, NULL, run, r) == 0, "no thread");
    while (!ran_twice(r))
        require(poll_again(deadline_ms), "it does not try again");
    kube_manager_stop(r->manager);
    pthread_join(r->thread, NULL);
    kube_manager_free(r->manager);
}

TEST(a_reconcile_without_memory_ends_the_process)
{
    replica r = {.exits = true};
    char text[512];
    ck_assert_int_eq(forked_run(be_greedy, &r, text, sizeof text), 1);
    ck_assert_str_eq(strtok(text, "\n"),
                     "out of memory: 18446744073709551615 bytes for reconcile of networks "
                     "default/blue"); /* the thread sanitizer has more to say */
}

TEST(or_is_tried_again_where_the_manager_is_told_so)
{
    replica r = {0};
    be_greedy(&r);
    ck_assert_int_eq(r.rc, KUBE_OK);
}
