/* SPDX-License-Identifier: Apache-2.0 */
/* What a controller does about objects that exist, but do not decode. */
#include "cache/informer.h"
#include "controller_world.h"

#include <sched.h>
#include <string.h>

static void bad_event(kube_watch_event_type type, const char *name, const char *why)
{
    answer_bad_object_in(stream, type, "default", name, why);
}

/* Waits for the run at @index. */
static void expect_bad(int index, const char *name, bool found, const char *why)
{
    gate_wait(&ran, index + 1);
    ck_assert_str_eq(runs[index].name, name);
    ck_assert_int_eq(runs[index].found, found);
    ck_assert_str_eq(runs[index].bad, why);
}

static void wait_idle(void)
{
    ck_assert_int_eq(kube_controller_wait_idle(controller, ctx, &err), KUBE_OK);
}

static const kube_predicate *predicate; /* NULL = all changes count */

static bool is_no_b(const kube_predicate *self, const kube_change *change)
{
    (void)self;
    return strcmp(kube_object_metadata(change->new_object)->name, "b") != 0;
}

static void start(bool reconcile_bad)
{
    stream = script_add(server);
    event(KUBE_WATCH_ADDED, "a", "1", "10.1.0.0/16");
    bad_event(KUBE_WATCH_ADDED, "b", "spec.cidr: a number");
    answer_initial_end(stream, "1");
    make((kube_controller_options){.reconcile_bad = reconcile_bad, .predicate = predicate}, 0);
    ck_assert_int_eq(kube_informer_factory_start(factory, ctx, &err), KUBE_OK);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
}

FIXTURE(set_up, tear_down);

/* It never looks deleted before it is. */
TEST(a_key_without_a_good_state_does_not_run)
{
    kube_controller_stats stats;
    start(false);
    expect_bad(0, "a", true, "");
    wait_idle();
    enqueue("b"); /* as an object that it owns may do */
    wait_idle();
    kube_controller_get_stats(controller, &stats);
    ck_assert_uint_eq(stats.runs, 2);
    ck_assert_uint_eq(stats.terminal, 1);
    ck_assert_int_eq(run_len, 1);
    bad_event(KUBE_WATCH_MODIFIED, "b", "spec.cidr: a list");
    event(KUBE_WATCH_ADDED, "c", "2", "10.1.0.0/16");
    expect_bad(1, "c", true, "");
    bad_event(KUBE_WATCH_DELETED, "b", "spec.cidr: a list");
    expect_bad(2, "b", false, ""); /* now it is */
    wait_idle();
    kube_controller_stop(controller);
    ck_assert_str_eq(
        logged[KUBE_LOG_ERROR],
        "networks: reconcile default/b (enqueue): spec.cidr: a number (not tried again)");
}

TEST(a_key_with_a_good_state_runs_with_that)
{
    start(false);
    expect_bad(0, "a", true, "");
    bad_event(KUBE_WATCH_MODIFIED, "a", "spec.gateway: a list");
    event(KUBE_WATCH_ADDED, "c", "2", "10.1.0.0/16");
    expect_bad(1, "c", true, ""); /* for "a" nothing ran */
    enqueue("a");
    expect_bad(2, "a", true, "spec.gateway: a list");
    bad_event(KUBE_WATCH_DELETED, "a", "spec.gateway: a list");
    expect_bad(3, "a", false, "");
    wait_idle();
    kube_controller_stop(controller);
    /* It is off the list after the cache has lost it, and that queues it again. */
    ck_assert_int_le(run_len, 5);
    expect_bad(run_len - 1, "a", false, "");
}

/* Whatever a predicate says of the add. */
TEST(a_key_runs_when_its_object_decodes_again)
{
    const kube_predicate no_b = {is_no_b, NULL, NULL};
    predicate = &no_b;
    start(false);
    predicate = NULL;
    expect_bad(0, "a", true, "");
    enqueue("b");
    wait_idle();
    event(KUBE_WATCH_MODIFIED, "b", "2", "10.1.0.0/16");
    /* The cache has it before it is off the list, so a run may see both. */
    for (int i = 1;; i++) {
        gate_wait(&ran, i + 1);
        ck_assert_str_eq(runs[i].name, "b");
        ck_assert(runs[i].found);
        if (!*runs[i].bad)
            break;
    }
    kube_controller_stop(controller);
}

TEST(who_asks_for_it_is_told_each_change)
{
    start(true);
    gate_wait(&ran, 2);
    expect_bad(runs[0].name[0] != 'a', "a", true, "");
    expect_bad(runs[0].name[0] == 'a', "b", false, "spec.cidr: a number");
    bad_event(KUBE_WATCH_MODIFIED, "b", "spec.cidr: a number"); /* no news */
    bad_event(KUBE_WATCH_MODIFIED, "b", "spec.cidr: a list");
    expect_bad(2, "b", false, "spec.cidr: a list");
    bad_event(KUBE_WATCH_MODIFIED, "a", "spec.gateway: a list");
    expect_bad(3, "a", true, "spec.gateway: a list");
    bad_event(KUBE_WATCH_DELETED, "b", "spec.cidr: a list");
    expect_bad(4, "b", false, "");
    wait_idle();
    kube_controller_stop(controller);
    ck_assert_int_eq(run_len, 5);
    ck_assert_str_eq(logged[KUBE_LOG_ERROR], "");
}

TEST(what_becomes_of_them_while_it_is_stopped_is_seen_at_the_next_start)
{
    kube_controller_stats stats;
    start(true);
    gate_wait(&ran, 2);
    wait_idle();
    kube_controller_stop(controller);
    bad_event(KUBE_WATCH_DELETED, "b", "spec.cidr: a number");
    bad_event(KUBE_WATCH_MODIFIED, "a", "spec.cidr: a list");
    event(KUBE_WATCH_ADDED, "c", "2", "10.1.0.0/16");
    do {
        sched_yield();
        kube_controller_get_stats(controller, &stats);
    } while (stats.pending_changes != 1);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    gate_wait(&ran, 5);
    wait_idle();
    kube_controller_stop(controller);
    ck_assert_int_eq(run_len, 5);
    for (int i = 2; i < 5; i++) {
        if (strcmp(runs[i].name, "a") == 0)
            expect_bad(i, "a", true, "spec.cidr: a list");
        else if (strcmp(runs[i].name, "b") == 0)
            expect_bad(i, "b", false, "");
        else
            expect_bad(i, "c", true, "");
    }
}

static bool deletes_b; /* once, at the moment from which nobody is told */

/* The linker has the controller call this. */
void __wrap_kube__informer_unlisten(kube_informer *informer, kube__bad_listener *listener);
void __real_kube__informer_unlisten(kube_informer *informer, kube__bad_listener *listener);

void __wrap_kube__informer_unlisten(kube_informer *informer, kube__bad_listener *listener)
{
    __real_kube__informer_unlisten(informer, listener);
    if (!deletes_b)
        return;
    deletes_b = false;
    bad_event(KUBE_WATCH_DELETED, "b", "spec.cidr: a number");
    while (kube__informer_find_bad(informer, kube_key_of("default", "b"), &err))
        sched_yield();
}

TEST(what_becomes_of_one_while_the_controller_stops_is_seen_at_the_next_start)
{
    start(true);
    gate_wait(&ran, 2);
    wait_idle();
    deletes_b = true;
    kube_controller_stop(controller);
    ck_assert(!deletes_b);
    ck_assert_int_eq(kube_controller_start(controller, ctx, &err), KUBE_OK);
    wait_idle();
    kube_controller_stop(controller);
    ck_assert_int_eq(run_len, 3);
    expect_bad(2, "b", false, "");
}
