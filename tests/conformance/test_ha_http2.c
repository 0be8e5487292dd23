/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fence over HTTP/2 on a real server: two processes (fenced_writer.c), of which the leader
 * writes without a pause through several threads. Whoever leads is stopped in the midst of that
 * (SIGSTOP), for longer than its lease lasts, and continued: what curl, nghttp2 and OpenSSL have in
 * their buffers then must never reach the server (LE-3...5). Who wrote when is read from the
 * server's audit log. No time decides but those in there.
 */
#include "cluster_world.h"
#include "replica.h"

#include <samplecrd/v1/api.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NETWORKS = 6, /* one a thread of a writer */
    ROUNDS = 15,
    LEASE_MS = 3000, /* the options below */
    SEED = 20260,
};
static const char lease_name[] = "writers";

static const char *program;
static replica writers[2];
static audit_log *audit;
static audit_lease lease;
static uint32_t random_state;

/* ---- writers ------------------------------------------------------------------------------- */

static void start(replica *r, bool fenced)
{
    const char *const arguments[] = {
        program,
        "--kubeconfig",
        r->kubeconfig,
        "--namespace",
        ns,
        "--identity",
        r->name,
        "--lease-duration=3s",
        "--renew-deadline=1s",
        "--retry-period=250ms",
        fenced ? NULL : "--unfenced",
        NULL,
    };
    r->process = child_start(arguments, r->log);
}

static void start_both(bool fenced)
{
    for (size_t i = 0; i < 2; i++)
        start(&writers[i], fenced);
}

static size_t count_lost(const replica *r)
{
    size_t count = 0;
    for (const char *at = child_output(r->process); (at = strstr(at, "lost\n")); at++)
        count++;
    return count;
}

static size_t count_done(const replica *r)
{
    size_t count = 0;
    audit_update(audit);
    for (size_t i = 0; i < audit->len; i++) {
        const audit_write *w = &audit->writes[i];
        count +=
            strcmp(w->user, r->user) == 0 && !audit_is_lease(w, &lease) && audit_took_effect(w);
    }
    return count;
}

static bool leads(const replica *r)
{
    return strcmp(lease_holder(lease_name), r->name) == 0;
}

/* One who leads, and how often it had lost the Lease before. */
typedef struct term {
    replica *leader;
    size_t lost;
    size_t done;
} term;

static void begin_term(term *t)
{
    *t = (term){NULL, 0, 0};
    for (size_t i = 0; i < 2 && !t->leader; i++)
        if (leads(&writers[i]))
            *t = (term){&writers[i], count_lost(&writers[i]), count_done(&writers[i])};
}

/* Until the leader has done @count writes; where the machine is busy it may change unasked. */
static term wait_for_writes(size_t count)
{
    int64_t deadline_ms = poll_now_ms() + POLL_PATIENCE_MS;
    term t;
    begin_term(&t);
    while (!t.leader || count_done(t.leader) < t.done + count) {
        for (size_t i = 0; i < 2; i++)
            ck_assert_msg(!child_ended(writers[i].process) && poll_again(deadline_ms),
                          "%s does not work: %s", writers[i].name, replica_last_words(&writers[i]));
        if (!t.leader || !leads(t.leader))
            begin_term(&t);
    }
    return t;
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* Where in its work a writer is stopped differs from round to round. */
static size_t some_writes(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return 10 + (random_state >> 16) % 50;
}

/* Stops who leads until the other one works, and lets it find out. Whether it led until then. */
static bool stop_leader(void)
{
    term t = wait_for_writes(some_writes());
    replica *other = &writers[t.leader == &writers[0]];
    bool led;
    child_signal(t.leader->process, SIGSTOP);
    led = leads(t.leader) && count_lost(t.leader) == t.lost;
    eventually(leads(other), replica_last_words(other));
    child_signal(t.leader->process, SIGCONT);
    if (led)
        eventually(count_lost(t.leader) > t.lost, replica_last_words(t.leader));
    return led;
}

static void stop_leaders(int rounds)
{
    int64_t deadline_ms = poll_now_ms() + 3 * POLL_PATIENCE_MS;
    for (int i = 0; i < rounds; i += stop_leader())
        ck_assert_msg(poll_now_ms() < deadline_ms, "only %d rounds", i);
}

/* ---- cases --------------------------------------------------------------------------------- */

static void set_up(void)
{
    kube_error err;
    case_set_up();
    kube_ctx_set_timeout_ms(ctx, 10 * POLL_PATIENCE_MS);
    lease = (audit_lease){ns, lease_name, LEASE_MS};
    audit = audit_open(kube_printf(ctx, "%s/audit.log", real_server_directory(server)));
    random_state = SEED;
    replica_add(&writers[0], "one", real_server_url(server));
    replica_add(&writers[1], "two", real_server_url(server));
    for (int i = 0; i < NETWORKS; i++) {
        const samplecrd_v1_network network = {
            .metadata = {.name = kube_printf(ctx, "net-%d", i)},
            .spec = {.cidr = "10.1.0.0/16", .gateway = "10.1.0.1"},
        };
        expect_ok(samplecrd_v1_networks_create(client, ctx, ns, &network, NULL, NULL, &err), &err);
    }
}

static void tear_down(void)
{
    for (size_t i = 0; i < 2; i++)
        replica_drop(&writers[i]);
    audit_free(audit);
    real_server_must_kubectl(server, NULL, "delete namespace %s --wait=false", ns);
    case_tear_down();
}

/* That they ended in order, and what they say of themselves; all over HTTP/2. */
static unsigned end_writers(void)
{
    unsigned all = 0;
    for (size_t i = 0; i < 2; i++) {
        const char *said;
        unsigned http2;
        unsigned other;
        unsigned fenced_off;
        replica_end(&writers[i]);
        said = strstr(child_output(writers[i].process), "http/2 ");
        ck_assert_msg(said && sscanf(said, "http/2 %u other %u fenced off %u", &http2, &other,
                                     &fenced_off) == 3,
                      "%s", replica_last_words(&writers[i]));
        ck_assert_msg(http2 > 0 && other == 0, "%s", said);
        all += fenced_off;
    }
    audit_update(audit);
    return all;
}

static audit_held check_held(const replica *r)
{
    return audit_check_held(audit, &lease, r->user, r->name);
}

FIXTURE(set_up, tear_down);

TEST(stopped_beyond_its_lease_nothing_of_it_arrives_later)
{
    unsigned fenced_off;
    size_t writes = 0;
    start_both(true);
    stop_leaders(ROUNDS);
    fenced_off = end_writers();
    for (size_t i = 0; i < 2; i++) {
        audit_held held = check_held(&writers[i]);
        ck_assert_msg(held.late == 0, "%zu of %zu writes too late: %s", held.late, held.writes,
                      held.why);
        ck_assert_uint_gt(held.writes, 0);
        writes += held.writes;
    }
    ck_assert_uint_gt(fenced_off, 0);
    printf("SIGSTOP, SIGCONT %d times: %zu writes, each while its lease was held; %u fenced off\n",
           ROUNDS, writes, fenced_off);
}

/* That the case above can fail. */
TEST(without_the_fence_writes_do_arrive_later)
{
    start_both(false);
    stop_leaders(1);
    end_writers();
    ck_assert_uint_gt(check_held(&writers[0]).late + check_held(&writers[1]).late, 0);
}

int main(void)
{
    program = getenv("FENCED_WRITER");
    if (!program) {
        fputs("FENCED_WRITER is not set\n", stderr);
        return EXIT_FAILURE;
    }
    return world_run("--audit");
}
