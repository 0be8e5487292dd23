/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two replicas of the AppService controller on a real server under load, one of which leads. The
 * leader is killed, ended, stopped and continued, cut off, its Lease deleted; who wrote when is
 * read from the server's audit log afterwards. No write may come from a replica whose lease had run
 * out or was another's (LE-3…5), whatever befell it.
 */
#include "cluster_world.h"
#include "replica.h"

#include <appcontroller/v1alpha1/api.h>
#include <coordination/v1/api.h>
#include <kube/testing/proxy.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Short, so that a take-over takes seconds. What is asserted of times is ten times the bound. */
enum {
    LEASE_MS = 4000,
    RENEW_MS = 2500,
    RETRY_MS = 500,
    TAKEOVER_MS = LEASE_MS + RETRY_MS * 22 / 10,
    HAND_OVER_MS = 2000,
    SLACK = 10,
    APPS = 12,
    ENOUGH_WRITES = 20,
};
static const char lease_name[] = "appservice-controller";

static const char *program;
static replica replicas[2];
static kube_error err;
static audit_lease lease;

static pthread_t load_thread;
static bool load_runs;
static atomic_bool load_ends;
static atomic_uint load_writes;

/* ---- replicas ------------------------------------------------------------------------------ */

static void shell(const char *command)
{
    ck_assert_msg(system(command) == 0, "%s", command);
}

/* Starts it, in a network namespace unless that is NULL. */
static void start_in(replica *r, const char *network)
{
    const char *identity =
        kube_printf(ctx, "APPSERVICE_CONTROLLER_LEADER_ELECT_IDENTITY=%s", r->name);
    const char *const arguments[] = {
        "/usr/bin/env",
        "ip",
        "netns",
        "exec",
        network,
        "env",
        identity,
        program,
        "--kubeconfig",
        r->kubeconfig,
        "--leader-elect",
        "--leader-elect-lease-duration=4s",
        "--leader-elect-renew-deadline=2500ms",
        "--leader-elect-retry-period=500ms",
        "--http-bind-address=",
        "--log-level=debug",
        NULL,
    };
    const char *const *from = arguments;
    const char *here[sizeof arguments / sizeof *arguments];

    if (!network) {
        here[0] = arguments[0];
        memcpy(here + 1, arguments + 6, sizeof arguments - 6 * sizeof *arguments);
        from = here;
    }
    child_free(r->process);
    r->process = child_start(from, r->log);
}

static void start(replica *r)
{
    start_in(r, NULL);
}

#define wait_until_leads(r)                                                                        \
    eventually(strcmp(lease_holder(lease_name), (r)->name) == 0, replica_last_words(r))

/* ---- load ---------------------------------------------------------------------------------- */

static void *run_load(void *arg)
{
    kube_ctx *scope = kube_ctx_new();
    kube_error failure;
    (void)arg;
    for (int i = 0; !atomic_load(&load_ends); i++) {
        const char *name = kube_printf(scope, "app-%d", i % APPS);
        const char *patch = kube_printf(scope, "{\"spec\":{\"replicas\":%d}}", 1 + (i / APPS) % 3);
        kube_code rc = appcontroller_v1alpha1_app_services_patch(
            client, scope, kube_key_of(ns, name), KUBE_PATCH_MERGE, patch, strlen(patch), NULL,
            NULL, &failure);
        if (rc == KUBE_OK)
            atomic_fetch_add(&load_writes, 1);
        else
            fprintf(stderr, "load: %s\n", failure.message); /* Check knows the main thread only */
        kube_ctx_reset(scope);
        poll_again(INT64_MAX);
    }
    kube_ctx_free(scope);
    return NULL;
}

static void start_load(void)
{
    for (int i = 0; i < APPS; i++) {
        const char *name = kube_printf(ctx, "app-%d", i);
        const appcontroller_v1alpha1_app_service app = {
            .metadata = {.name = name},
            .spec = {.deployment_name = kube_printf(ctx, "%s-pods", name),
                     .replicas = KUBE_SOME(1)},
        };
        expect_ok(
            appcontroller_v1alpha1_app_services_create(client, ctx, ns, &app, NULL, NULL, &err),
            &err);
    }
    atomic_store(&load_ends, false);
    atomic_store(&load_writes, 0);
    ck_assert_int_eq(pthread_create(&load_thread, NULL, run_load, NULL), 0);
    load_runs = true;
}

/* Also after a case that failed. */
static void end_load(void)
{
    if (!load_runs)
        return;
    load_runs = false;
    atomic_store(&load_ends, true);
    pthread_join(load_thread, NULL);
    ck_assert_uint_gt(atomic_load(&load_writes), 0);
}

/* ---- what the audit log says --------------------------------------------------------------- */

static audit_log *audit;

/* What the server has written down up to now. */
static const audit_log *read_audit(void)
{
    audit_update(audit);
    return audit;
}

static bool is_work(const audit_write *w, const replica *r)
{
    return strcmp(w->user, r->user) == 0 && !audit_is_lease(w, &lease);
}

static size_t count_work(const replica *r)
{
    const audit_log *log = read_audit();
    size_t count = 0;
    for (size_t i = 0; i < log->len; i++)
        count += is_work(&log->writes[i], r) && audit_took_effect(&log->writes[i]);
    return count;
}

/* Every write of a replica came while it held the Lease. */
static void check_audit(void)
{
    const audit_log *log = read_audit();
    int64_t latest_ms = 0;
    size_t work = 0;
    for (size_t i = 0; i < 2; i++) {
        audit_held held = audit_check_held(log, &lease, replicas[i].user, replicas[i].name);
        ck_assert_msg(held.late == 0, "%s", held.why);
        work += held.writes;
        if (held.latest_ms > latest_ms)
            latest_ms = held.latest_ms;
    }
    ck_assert_uint_gt(work, 0);
    printf("  %zu writes, each while its lease was held; the latest %lld ms after a renewal "
           "(lease %d ms, renew deadline %d ms)\n",
           work, (long long)latest_ms, LEASE_MS, RENEW_MS);
}

/* From the last write of @from's lease to the first of @to's after it, in ms. */
static int64_t gap_ms(const replica *from, const replica *to)
{
    const audit_log *log = read_audit();
    int64_t last = 0;
    int64_t gap = -1;
    for (size_t i = 0; i < log->len; i++) {
        const audit_write *w = &log->writes[i];
        if (!audit_is_lease(w, &lease) || !audit_took_effect(w))
            continue;
        if (strcmp(w->user, from->user) == 0)
            last = w->answered_us;
        else if (strcmp(w->user, to->user) == 0 && last && gap < 0)
            gap = (w->answered_us - last) / 1000;
    }
    return gap;
}

/* The Lease was given back, not left to run out: the last write of it by @from names no holder. */
static bool was_given_back(const replica *from)
{
    const audit_log *log = read_audit();
    const audit_write *last = NULL;
    for (size_t i = 0; i < log->len; i++) {
        const audit_write *w = &log->writes[i];
        if (audit_is_lease(w, &lease) && audit_took_effect(w) && strcmp(w->user, from->user) == 0)
            last = w;
    }
    return last && strcmp(last->holder, "") == 0;
}

#define wait_for_work(r, count)                                                                    \
    do {                                                                                           \
        size_t had = count_work(r);                                                                \
        eventually(count_work(r) >= had + (count), replica_last_words(r));                         \
    } while (0)

/* ---- a network that goes away -------------------------------------------------------------- */

static char network[32]; /* "" = none was made */
static char link_name[16];
static char near_end[16];
static char far_end[16];
static kube_fault_proxy *door; /* the server listens on loopback; the network's side has this */

static void network_command(const char *format, const char *a, const char *b)
{
    shell(kube_printf(ctx, format, a, b));
}

/* Names and addresses are this process's own: others may run the same test. */
static void make_network(void)
{
    unsigned id = (unsigned)getpid();
    snprintf(network, sizeof network, "kubegen-ha-%u", id);
    snprintf(link_name, sizeof link_name, "kgha%u", id);
    snprintf(near_end, sizeof near_end, "10.199.%u.%u", id / 64 % 256, id % 64 * 4 + 1);
    snprintf(far_end, sizeof far_end, "10.199.%u.%u", id / 64 % 256, id % 64 * 4 + 2);
    network_command("ip netns add %s", network, "");
    network_command("ip link add %s type veth peer name eth0 netns %s", link_name, network);
    network_command("ip address add %s/30 dev %s", near_end, link_name);
    network_command("ip link set %s up", link_name, "");
    network_command("ip -n %s address add %s/30 dev eth0", network, far_end);
    network_command("ip -n %s link set eth0 up && ip -n %s link set lo up", network, network);
}

static void remove_network(void)
{
    if (*network)
        network_command("ip link delete %s; ip netns delete %s", link_name, network);
    *network = '\0';
}

static void open_door(void)
{
    const char *port = strrchr(real_server_url(server), ':') + 1;
    const kube_fault_proxy_options options = {.target_port = (uint16_t)atoi(port),
                                              .host = near_end};
    expect_ok(kube_fault_proxy_start(&options, &door, &err), &err);
}

static void close_door(void)
{
    kube_fault_proxy_stop(door);
    door = NULL;
}

/* ---- cases --------------------------------------------------------------------------------- */

static void set_up(void)
{
    case_set_up();
    kube_ctx_set_timeout_ms(ctx, 10 * POLL_PATIENCE_MS);
    lease = (audit_lease){ns, lease_name, LEASE_MS};
    audit = audit_open(kube_printf(ctx, "%s/audit.log", real_server_directory(server)));
    replica_add(&replicas[0], "one", real_server_url(server));
    replica_add(&replicas[1], "two", real_server_url(server));
}

/* The first leads, the second stands by, and there is work. */
static void start_both(void)
{
    start(&replicas[0]);
    wait_until_leads(&replicas[0]);
    start(&replicas[1]);
    start_load();
    wait_for_work(&replicas[0], ENOUGH_WRITES);
}

static void end_replicas(void)
{
    for (size_t i = 0; i < 2; i++) {
        replica_end(&replicas[i]);
        replica_drop(&replicas[i]);
    }
}

static void tear_down(void)
{
    end_load();
    for (size_t i = 0; i < 2; i++)
        replica_drop(&replicas[i]);
    audit_free(audit);
    close_door();
    remove_network();
    real_server_must_kubectl(server, NULL, "delete namespace %s --wait=false", ns);
    case_tear_down();
}

FIXTURE(set_up, tear_down);

TEST(killed_under_load_the_other_takes_over)
{
    start_both();
    child_signal(replicas[0].process, SIGKILL);
    child_wait(replicas[0].process);
    wait_until_leads(&replicas[1]);
    wait_for_work(&replicas[1], ENOUGH_WRITES);
    end_load();
    end_replicas();
    printf("kill -9: taken over after %lld ms (bound %d)\n",
           (long long)gap_ms(&replicas[0], &replicas[1]), TAKEOVER_MS);
    ck_assert_int_le(gap_ms(&replicas[0], &replicas[1]), SLACK * TAKEOVER_MS);
    check_audit();
}

/* Who comes back finds the other at work, or nobody and the Lease in its own name yet. */
TEST(killed_again_and_again_somebody_works)
{
    enum { ROUNDS = 6 };
    replica *leader = &replicas[0];
    replica *other = &replicas[1];

    start_both();
    for (int i = 0; i < ROUNDS; i++) {
        replica *was = leader;
        child_signal(leader->process, SIGKILL);
        child_wait(leader->process);
        if (i % 3 == 2) {
            start(leader);
            wait_for_work(leader, ENOUGH_WRITES);
            continue;
        }
        wait_until_leads(other);
        wait_for_work(other, ENOUGH_WRITES);
        start(was);
        leader = other;
        other = was;
    }
    end_load();
    end_replicas();
    printf("kill -9 %d times:\n", ROUNDS);
    check_audit();
}

TEST(killed_both_at_once_one_of_them_goes_on)
{
    start_both();
    for (size_t i = 0; i < 2; i++)
        child_signal(replicas[i].process, SIGKILL);
    for (size_t i = 0; i < 2; i++)
        child_wait(replicas[i].process);
    start(&replicas[1]); /* the Lease is in the other's name */
    start(&replicas[0]);
    wait_for_work(&replicas[0], ENOUGH_WRITES);
    end_load();
    end_replicas();
    printf("kill -9 of both:\n");
    check_audit();
}

TEST(a_lease_deleted_under_load_stays_with_its_holder)
{
    enum { ROUNDS = 6 };

    start_both();
    for (int i = 0; i < ROUNDS; i++) {
        expect_ok(
            coordination_v1_leases_delete(client, ctx, kube_key_of(ns, lease_name), NULL, &err),
            &err);
        wait_until_leads(&replicas[0]);
        wait_for_work(&replicas[0], ENOUGH_WRITES);
    }
    /* Deleted and its holder killed: the other one waits as if it were there. */
    child_signal(replicas[0].process, SIGKILL);
    child_wait(replicas[0].process);
    expect_ok(coordination_v1_leases_delete(client, ctx, kube_key_of(ns, lease_name), NULL, &err),
              &err);
    wait_until_leads(&replicas[1]);
    wait_for_work(&replicas[1], ENOUGH_WRITES);
    end_load();
    end_replicas();
    printf("Lease deleted %d times:\n", ROUNDS + 1);
    check_audit();
}

TEST(ended_in_order_it_hands_over_at_once)
{
    start_both();
    child_signal(replicas[0].process, SIGTERM);
    wait_until_leads(&replicas[1]);
    ck_assert_msg(child_wait(replicas[0].process) == 0, "%s", replica_last_words(&replicas[0]));
    wait_for_work(&replicas[1], ENOUGH_WRITES);
    end_load();
    end_replicas();
    printf("SIGTERM: handed over in %lld ms (bound %d)\n",
           (long long)gap_ms(&replicas[0], &replicas[1]), HAND_OVER_MS);
    ck_assert_int_le(gap_ms(&replicas[0], &replicas[1]), SLACK * HAND_OVER_MS);
    ck_assert(was_given_back(&replicas[0]));
    check_audit();
}

/* Again and again, so that it is stopped in many places of its work. */
TEST(stopped_and_continued_it_writes_nothing_more)
{
    enum { ROUNDS = 4 };
    replica *leader = &replicas[0];
    replica *other = &replicas[1];

    start_both();
    for (int i = 0; i < ROUNDS; i++) {
        replica *was = leader;
        child_signal(leader->process, SIGSTOP);
        wait_until_leads(other);
        child_signal(leader->process, SIGCONT);
        wait_for_work(other, ENOUGH_WRITES);
        leader = other;
        other = was;
    }
    end_load();
    end_replicas(); /* both live: the one that was stopped stood by again */
    printf("SIGSTOP, SIGCONT %d times:\n", ROUNDS);
    check_audit();
}

/* The way there is: root alone does not do in a chroot or a container without privileges. */
static bool may_make_networks(void)
{
    const char *const probe =
        "name=kubegen-probe-$$; ip netns add $name && ip netns exec $name true; rc=$?; "
        "ip netns delete $name; exit $rc";
    const char *ci = getenv("CI");
    if (system(kube_printf(ctx, "( %s ) >/dev/null 2>&1", probe)) == 0)
        return true;
    ck_assert_msg(!ci || strcmp(ci, "true") != 0,
                  "CI=true, but `ip netns exec` does not work here: run as root with iproute2, "
                  "outside of a chroot, in a container with CAP_SYS_ADMIN");
    fputs("skipped: cut_off_it_writes_nothing_after_its_lease needs `ip netns exec`, that is root "
          "with CAP_SYS_ADMIN outside of a chroot, and iproute2\n",
          stderr);
    return false;
}

TEST(cut_off_it_writes_nothing_after_its_lease)
{
    if (!may_make_networks())
        return;
    make_network();
    open_door();
    replica_add(&replicas[0], "far",
                kube_printf(ctx, "https://%s:%d", near_end, kube_fault_proxy_port(door)));
    start_in(&replicas[0], network);
    wait_until_leads(&replicas[0]);
    start(&replicas[1]);
    start_load();
    wait_for_work(&replicas[0], ENOUGH_WRITES);
    network_command("ip link set %s down", link_name, "");
    wait_until_leads(&replicas[1]);
    network_command("ip link set %s up", link_name, "");
    wait_for_work(&replicas[1], ENOUGH_WRITES);
    /* It is back, as a standby with warm caches: it takes over when the other one ends. */
    child_signal(replicas[1].process, SIGTERM);
    wait_until_leads(&replicas[0]);
    wait_for_work(&replicas[0], ENOUGH_WRITES);
    end_load();
    end_replicas();
    printf("cut off: taken over after %lld ms\n", (long long)gap_ms(&replicas[0], &replicas[1]));
    check_audit();
}

int main(void)
{
    program = getenv("APPSERVICE_CONTROLLER");
    if (!program) {
        fputs("APPSERVICE_CONTROLLER is not set\n", stderr);
        return EXIT_FAILURE;
    }
    return world_run("--controllers --audit");
}
