/* SPDX-License-Identifier: Apache-2.0 */
/* How the reflector watches (REF-8…12, REF-16). The cases follow the tests of client-go's
 * reflector_test.go that they name. */
#include "reflector_kit.h"

#include <stdio.h>
#include <string.h>

FIXTURE(set_up_reflector, tear_down_reflector);

/* TestReflectorListAndWatchInitConnBackoff */
TEST(refused_watch_backs_off_without_a_list)
{
    kube_error busy = too_many_requests_error();
    int64_t expected = 800;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    for (int i = 0; i < 40; i++)
        script_refuse(w.server, &busy);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 40);
    for (size_t i = 0; i < 40; i++) {
        ck_assert_int_eq(w.delays[i], expected);
        expected = expected * 2 < 30000 ? expected * 2 : 30000;
    }
    ck_assert_uint_eq(script_open_count(w.server), 41); /* one list */
}

/* TestBackoffOnTooManyRequests, TestNoRelistOnTooManyRequests */
TEST(too_many_requests_costs_a_wait_not_a_list)
{
    kube_error busy = too_many_requests_error();
    answer *watch;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    script_refuse(w.server, &busy);
    script_refuse(w.server, &busy);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_ADDED, "b", "11");
    answer_error(watch, &busy);
    watch = script_add(w.server);
    answer_error(watch, &busy);
    script_add(w.server);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 4);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;watch rv=10;watch rv=10;"
                                         "watch rv=11;watch rv=11");
}

TEST(an_unreachable_server_costs_no_list_either)
{
    kube_error refused = refused_error();
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    for (int i = 0; i < 20; i++)
        script_refuse(w.server, &refused);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 20);
    ck_assert_uint_eq(script_open_count(w.server), 21); /* one list */
}

/* ---- a server that goes back ----------------------------------------------------------------- */

/* A watch after a lost connection, silent so far. */
static answer *silent_watch_after_a_loss(void)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "abc", "150", NULL);
    watch = script_add(w.server);
    answer_end(watch, KUBE_ERR_TRANSPORT, "cut", 60000);
    watch = script_add(w.server);
    world_run(&w);
    return watch;
}

TEST(silence_after_a_lost_connection_is_looked_into) /* REF-18 */
{
    answer *watch = silent_watch_after_a_loss();
    kube_fake_clock_advance_ms(w.fake, 9999);
    answer_bad(watch, "this says nothing about its version");
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_WATCH_READ);
    kube_fake_clock_advance_ms(w.fake, 1);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_VERIFY);
    world_add_list(&w, "a", "90", "more"); /* one item of the newest: etcd is an older one */
    world_add_list(&w, "ad", "95", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=150;watch rv=150;list rv= limit=1;"
                     "list rv= limit=500;watch rv=95");
    ck_assert_str_eq(world_cache(&w), "a@95 d@95");
    ck_assert_str_eq(world_store_version(&w), "95");
    ck_assert_uint_eq(w.deletes, 2);
    ck_assert_int_eq(log_lines_count("networks: the server has gone back from resourceVersion 150 "
                                     "to 90, as after a restore of its etcd"),
                     1);
    ck_assert_int_eq(log_lines_count("the cache is up to date again"), 1);
}

TEST(a_server_that_is_not_behind_is_asked_once)
{
    answer *watch = silent_watch_after_a_loss();
    kube_fake_clock_advance_ms(w.fake, 10000);
    world_add_list(&w, "a", "150", "more");
    kube__reflector_step(w.reflector);
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 200000);
    answer_bad(watch, "this says nothing about its version");
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_WATCH_READ);
    answer_event(watch, KUBE_WATCH_DELETED, "b", "151");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@150 c@150");
    ck_assert_uint_eq(w.delay_count, 0);
}

TEST(a_question_that_fails_is_asked_again)
{
    kube_error forbidden = forbidden_error();
    silent_watch_after_a_loss();
    script_refuse(w.server, &forbidden);
    world_add_list(&w, "a", "90", "more");
    for (int i = 0; i < 2; i++) {
        kube_fake_clock_advance_ms(w.fake, i ? 60000 : 10000);
        ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_VERIFY);
        ck_assert_int_eq(kube__reflector_step(w.reflector),
                         i ? KUBE__REFLECTOR_BACKOFF : KUBE__REFLECTOR_WATCH_READ);
    }
}

TEST(a_server_that_speaks_of_newer_things_is_not_asked)
{
    answer *watch = silent_watch_after_a_loss();
    answer_bookmark(watch, "151");
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 60000);
    answer_bad(watch, "this says nothing about its version");
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_WATCH_READ);
    ck_assert_uint_eq(script_open_count(w.server), 3);
}

TEST(an_older_bookmark_leads_to_a_list_of_the_newest)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "ab", "150", NULL);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_ADDED, "c", "151");
    world_run(&w);
    answer_bookmark(watch, "99");
    world_add_list(&w, "a", "100", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=150;list rv= limit=500;watch rv=100");
    ck_assert_uint_eq(w.deletes, 2);
}

TEST(an_older_list_is_asked_for_once_more)
{
    kube_error expired = expired_error();
    kube_error too_large;
    answer *watch;
    kube_error_set(&too_large, KUBE_ERR_TIMEOUT, "Too large resource version: 150, current: 100");
    snprintf(too_large.cause, sizeof too_large.cause, "ResourceVersionTooLarge");
    world_start(&w);
    world_add_list(&w, "ab", "150", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    script_refuse(w.server, &too_large);
    world_add_list(&w, "b", "100", NULL);
    world_add_list(&w, "b", "100", NULL); /* what it shares no version with the other past */
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=150;list rv=150 limit=0;"
                                         "list rv= limit=500;list rv= limit=500;watch rv=100");
    ck_assert_str_eq(world_cache(&w), "b@100");
    ck_assert_int_eq(log_lines_count("gone back from resourceVersion 150 to 100"), 1);
}

TEST(the_same_version_after_a_restore_is_another_object)
{
    kube__name key = {"ns", "a"};
    const kube_object *before;
    const kube_object *after;
    answer *watch;
    world_start(&w);
    world_add_list(&w, "a", "150", NULL);
    watch = script_add(w.server);
    answer_bookmark(watch, "160");
    world_run(&w);
    before = kube__store_get(w.store, key);
    answer_bookmark(watch, "120");
    world_add_list(&w, "a", "150", NULL);
    world_run(&w);
    after = kube__store_get(w.store, key);
    ck_assert_ptr_ne(before, after);
    kube_object_unref(before);
    kube_object_unref(after);
}

TEST(versions_that_are_no_numbers_are_not_compared)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "a", "v150", NULL);
    watch = script_add(w.server);
    answer_bookmark(watch, "v99");
    world_run(&w);
    answer_bookmark(watch, "012");
    world_run(&w);
    answer_bookmark(watch, "12");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "12");
    ck_assert_uint_eq(w.delay_count, 0);
}

/* ---- ERROR events ---------------------------------------------------------------------------- */

/* Sends in-stream internal errors, one second apart, until the reflector lists again. */
static int internal_errors_until_list(int64_t gap_at)
{
    kube_error broken = internal_error();
    int watches = 0;
    world_add_list(&w, "a", "10", NULL);
    for (;;) {
        answer *watch = script_add(w.server);
        answer_error(watch, &broken);
        watches++;
        kube_fake_clock_advance_ms(w.fake, watches == gap_at ? 60000 : 1000);
        world_run(&w);
        if (w.delay_count > 0 || watches > 100)
            return watches;
    }
}

TEST(internal_errors_in_the_stream) /* TestRetryInternalError */
{
    static const struct {
        int64_t budget_ms;
        int64_t gap_at;
        int watches;
    } cases[] = {{0, 0, 1}, {30000, 0, 32}, {30000, 10, 41}};
    world_start(&w);
    for (int i = 0; i < 3; i++) {
        world_fini(&w);
        world_init(&w);
        w.options.internal_error_retry_ms = cases[i].budget_ms;
        world_start(&w);
        ck_assert_int_eq(internal_errors_until_list(cases[i].gap_at), cases[i].watches);
    }
}

TEST(bad_events_are_left_out) /* TestReflectorWatchHandler, REF-11 */
{
    kube__reflector_stats stats;
    answer *watch;
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_MODIFIED, "a", "11");
    answer_bad(watch, "spec.cidr: a number where a string is expected");
    answer_object(watch, KUBE_WATCH_ADDED, network("ns", NULL, "u", "99"));
    answer_event(watch, KUBE_WATCH_DELETED, "b", "12");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@11");
    ck_assert_str_eq(world_version(&w), "12");
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_uint_eq(stats.bad_objects, 2);
    ck_assert_uint_eq(stats.events, 2);
}

TEST(bad_last_event_does_not_advance_the_version)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_MODIFIED, "a", "11");
    answer_object(watch, KUBE_WATCH_ADDED, network("ns", NULL, "u", "99"));
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "11");
}

/* Peers: TestReflectorHandleWatchResultChanClosedBefore,
 * TestReflectorHandleWatchResultChanClosedAfter */
TEST(very_short_watch_leads_to_a_list) /* …HandleWatchResultChanClosedBefore */
{
    answer *watch;
    kube__reflector_stats stats;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    watch = script_add(w.server);
    answer_end(watch, KUBE_ERR_CLOSED, "", 999);
    world_add_list(&w, "b", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=10;list rv=10 limit=0;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_ptr_nonnull(strstr(stats.last_error, "very short watch"));
}

/* Peers: TestReflectorHandleWatchResultChanClosedBefore,
 * TestReflectorHandleWatchResultChanClosedAfter */
TEST(ended_watch_goes_on_at_once) /* …HandleWatchResultChanClosedAfter; REF-10 */
{
    static const kube_code ends[] = {KUBE_ERR_CLOSED, KUBE_ERR_TRANSPORT};
    answer *watch;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    for (int i = 0; i < 2; i++) {
        watch = script_add(w.server); /* long enough without an event */
        answer_end(watch, ends[i], "cut", 1000);
        watch = script_add(w.server); /* short, with one */
        answer_bookmark(watch, i ? "12" : "11");
        answer_end(watch, ends[i], "cut", 0);
    }
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;watch rv=10;"
                                         "watch rv=11;watch rv=11;watch rv=12");
    ck_assert_uint_eq(w.delay_count, 0);
}

TEST(broken_stream_leads_to_a_list)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    watch = script_add(w.server);
    answer_bookmark(watch, "11");
    answer_end(watch, KUBE_ERR_DECODE, "no JSON", 0);
    world_add_list(&w, "a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=10;list rv=11 limit=0;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
}

TEST(a_watch_that_outlives_its_timeout_is_dead) /* REF-8, liveness */
{
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(script_last_options(w.server).watch.timeout_seconds, 300);
    kube_fake_clock_advance_ms(w.fake, 330000);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_WATCH_OPEN);
    ck_assert_uint_eq(script_closed_count(w.server), 2); /* the list's and the watch */
}

TEST(watches_that_end_after_a_moment_wait_in_the_end)
{
    answer *watch;
    char version[8];
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    for (int i = 0; i < 5; i++) {
        watch = script_add(w.server);
        snprintf(version, sizeof version, "%d", 11 + i);
        answer_bookmark(watch, version);
        answer_end(watch, KUBE_ERR_CLOSED, "", 0);
    }
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 2); /* the fourth and the fifth */
    ck_assert_str_eq(world_version(&w), "15");
}

TEST(watch_timeout_is_spread) /* TestWatchTimeout, REF-8 */
{
    static const struct {
        int64_t least;
        double random;
        int64_t seconds;
    } cases[] = {{0, 0, 300},
                 {0, 0.9999, 600},
                 {60, 0, 300}, /* too small: not honoured */
                 {1800, 0, 1800},
                 {1800, 0.9999, 3600}};
    world_start(&w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world_fini(&w);
        world_init(&w);
        w.options.min_watch_seconds = cases[i].least;
        w.random = cases[i].random;
        world_start(&w);
        world_add_list(&w, "a", "10", NULL);
        script_add(w.server);
        world_run(&w);
        ck_assert_int_eq(script_last_options(w.server).watch.timeout_seconds, cases[i].seconds);
    }
}

TEST(every_event_moves_the_version) /* TestReflectorResourceVersionUpdate */
{
    static const kube_watch_event_type types[] = {KUBE_WATCH_ADDED, KUBE_WATCH_MODIFIED,
                                                  KUBE_WATCH_DELETED};
    answer *watch;
    world_start(&w);
    world_add_list(&w, "", "10", NULL);
    watch = script_add(w.server);
    for (int i = 0; i < 3; i++) {
        char version[16];
        snprintf(version, sizeof version, "%d", 11 + i);
        answer_event(watch, types[i], "a", version);
        world_run(&w);
        ck_assert_str_eq(world_version(&w), version);
        ck_assert_str_eq(world_store_version(&w), version);
    }
    answer_bookmark(watch, "20");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "20");
    ck_assert_str_eq(world_store_version(&w), "20"); /* STO-7 */
}

TEST(synthetic_events_do_not_move_the_version) /* REF-12 */
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "", "",
                   NULL); /* a server without a list version: the watch starts anywhere */
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_ADDED, "b", "9");
    answer_event(watch, KUBE_WATCH_ADDED, "a", "5");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "");
    answer_event(watch, KUBE_WATCH_MODIFIED, "a", "10");
    answer_event(watch, KUBE_WATCH_ADDED, "c", "11");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "11");
}

/* TestReflectorReplacesStoreOnUnsafeDelete, REF-16 */
TEST(unsafe_delete_ends_in_a_tombstone)
{
    kube_error corrupt = internal_error();
    answer *watch;
    snprintf(corrupt.reason, sizeof corrupt.reason, "StoreReadError");
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &corrupt);
    world_add_list(&w, "a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@20");
    ck_assert_uint_eq(w.deletes, 1);
}

static int transforms;

static kube_code run_out_of_memory(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    (void)arg;
    (void)ctx;
    if (strcmp(name_of(object), "x") == 0 && transforms++ == 0)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    return KUBE_OK;
}

/* Peers: TestReplaceEvents, TestProcessDeltasInBatch, TestStoreResourceVersion, TestResetWatch */
TEST(lost_event_leads_to_a_list)
{
    answer *watch;
    transforms = 0;
    w.options.transform = run_out_of_memory;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_ADDED, "b", "11");
    answer_event(watch, KUBE_WATCH_ADDED, "x", "12");
    answer_event(watch, KUBE_WATCH_ADDED, "c", "13");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "11"); /* not past what was lost */
    world_add_list(&w, "abcx", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=10;list rv=11 limit=0;watch rv=20");
    ck_assert_str_eq(world_cache(&w), "a@20 b@20 c@20 x@20");
}
