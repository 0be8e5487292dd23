/* SPDX-License-Identifier: Apache-2.0 */
/* REF-1…13, PAG-1 with paged lists; peer tests of client-go's reflector_test.go (rows 1 to 20). */
#include "cache_suite.h"
#include "reflector_world.h"
#include <stdio.h>
#include <string.h>

static world w;

static void set_up(void)
{
    world_init(&w);
}

static void tear_down(void)
{
    world_fini(&w);
}

/* A whole list of @names, one letter each, all at @version. */
static answer *add_list(const char *names, const char *version, const char *continue_token)
{
    answer *list = script_add(w.server);
    for (; *names; names++) {
        char name[2] = {*names, '\0'};
        answer_object(list, KUBE_EVENT_ADDED, network("ns", name, name, version));
    }
    answer_list_end(list, version, continue_token);
    return list;
}

static void add_event(answer *watch, kube_event_type type, const char *name, const char *version)
{
    answer_object(watch, type, network("ns", name, name, version));
}

START_TEST(lists_then_follows) /* row 1: TestReflectorListAndWatch */
{
    answer *watch;
    world_start(&w);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_ADDED, "c", "11");
    add_event(watch, KUBE_EVENT_MODIFIED, "a", "12");
    add_event(watch, KUBE_EVENT_DELETED, "b", "13");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@12 c@11");
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10");
    ck_assert_str_eq(world_version(&w), "13");
    ck_assert_str_eq(world_store_version(&w), "13");
    ck_assert_int_eq(w.replaces, 1);
    ck_assert_int_eq(w.applies, 1);
    ck_assert(script_last_options(w.server).watch.allow_bookmarks);
    ck_assert(script_last_options(w.server).drop_managed_fields);
}
END_TEST

static kube__reflector_stats stats_now(void)
{
    kube__reflector_stats stats;
    kube__reflector_get_stats(w.reflector, &stats);
    return stats;
}

START_TEST(knows_when_it_last_listed_and_heard_something)
{
    const int64_t begin = 1000000000;
    const int64_t second = 1000000000;
    answer *watch;
    world_start(&w);
    ck_assert_int_eq(stats_now().last_list_ns, 0);
    add_list("a", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(stats_now().last_list_ns, begin);
    ck_assert_int_eq(stats_now().last_event_ns, 0); /* a list is no event */
    ck_assert_int_eq(stats_now().last_heard_ns, 0);
    kube_fake_clock_advance_ms(w.fake, 1000);
    add_event(watch, KUBE_EVENT_MODIFIED, "a", "11");
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 1000);
    answer_bookmark(watch, "12");
    world_run(&w);
    ck_assert_int_eq(stats_now().last_event_ns, begin + second);
    ck_assert_int_eq(stats_now().last_heard_ns, begin + 2 * second);
    kube_fake_clock_advance_ms(w.fake, 1000);
    answer_bad(watch, "no object"); /* the server said something all the same */
    world_run(&w);
    ck_assert_int_eq(stats_now().last_event_ns, begin + 3 * second);
    ck_assert_int_eq(stats_now().last_list_ns, begin);
}
END_TEST

START_TEST(recovers_from_errors) /* row 2: TestReflectorListAndWatchWithErrors */
{
    kube_error broken = internal_error();
    answer *watch;
    world_start(&w);
    script_refuse(w.server, &broken);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &broken);
    add_list("bc", "20", NULL);
    script_refuse(w.server, &broken); /* REF-9: any answer but 429 leads to a list */
    add_list("d", "30", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "d@30");
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list rv=0 limit=500;watch rv=10;list rv=10 limit=0;"
                     "watch rv=20;list rv=20 limit=0;watch rv=30");
    ck_assert_uint_eq(w.delay_count, 3);
    ck_assert_uint_eq(w.deletes, 3);
}
END_TEST

START_TEST(refused_watch_backs_off_without_a_list) /* row 3 */
{
    kube_error refused = refused_error();
    int64_t expected = 800;
    world_start(&w);
    add_list("a", "10", NULL);
    for (int i = 0; i < 40; i++)
        script_refuse(w.server, &refused);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 40);
    for (size_t i = 0; i < 40; i++) {
        ck_assert_int_eq(w.delays[i], expected);
        expected = expected * 2 < 30000 ? expected * 2 : 30000;
    }
    ck_assert_uint_eq(script_open_count(w.server), 41); /* one list */
}
END_TEST

START_TEST(back_off_has_jitter_and_forgets) /* REF-2 */
{
    kube_error refused = refused_error();
    world_start(&w);
    w.random = 0.5;
    for (int i = 0; i < 3; i++)
        script_refuse(w.server, &refused);
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 120001);
    script_refuse(w.server, &refused);
    world_run(&w);
    ck_assert_int_eq(w.delays[0], 1200);
    ck_assert_int_eq(w.delays[1], 2400);
    ck_assert_int_eq(w.delays[2], 4800);
    ck_assert_int_eq(w.delays[3], 1200);
}
END_TEST

START_TEST(too_many_requests_costs_a_wait_not_a_list) /* rows 4, 5 */
{
    kube_error busy = too_many_requests_error();
    answer *watch;
    world_start(&w);
    add_list("a", "10", NULL);
    script_refuse(w.server, &busy);
    script_refuse(w.server, &busy);
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_ADDED, "b", "11");
    answer_error(watch, &busy);
    watch = script_add(w.server);
    answer_error(watch, &busy);
    script_add(w.server);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 4);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;watch rv=10;watch rv=10;"
                                         "watch rv=11;watch rv=11");
}
END_TEST

START_TEST(retry_after_is_honoured)
{
    kube_error busy = too_many_requests_error();
    busy.retry_after_ms = 7000;
    world_start(&w);
    script_refuse(w.server, &busy);
    world_run(&w);
    ck_assert_int_eq(w.delays[0], 7000);
}
END_TEST

/* Sends in-stream internal errors, one second apart, until the reflector lists again. */
static int internal_errors_until_list(int64_t gap_at)
{
    kube_error broken = internal_error();
    int watches = 0;
    add_list("a", "10", NULL);
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

START_TEST(internal_errors_in_the_stream) /* row 6: TestRetryInternalError */
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
END_TEST

START_TEST(bad_events_are_left_out) /* row 7: TestReflectorWatchHandler, REF-11 */
{
    kube__reflector_stats stats;
    answer *watch;
    world_start(&w);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_MODIFIED, "a", "11");
    answer_bad(watch, "spec.cidr: a number where a string is expected");
    answer_object(watch, KUBE_EVENT_ADDED, network("ns", NULL, "u", "99"));
    add_event(watch, KUBE_EVENT_DELETED, "b", "12");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@11");
    ck_assert_str_eq(world_version(&w), "12");
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_uint_eq(stats.bad_objects, 2);
    ck_assert_uint_eq(stats.events, 2);
}
END_TEST

START_TEST(bad_last_event_does_not_advance_the_version)
{
    answer *watch;
    world_start(&w);
    add_list("a", "10", NULL);
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_MODIFIED, "a", "11");
    answer_object(watch, KUBE_EVENT_ADDED, network("ns", NULL, "u", "99"));
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "11");
}
END_TEST

START_TEST(bad_item_of_a_relist_is_no_delete)
{
    kube_error expired = expired_error();
    answer *list = script_add(w.server);
    answer *watch;
    world_start(&w);
    answer_object(list, KUBE_EVENT_ADDED, network("ns", "a", "a", "1"));
    answer_object(list, KUBE_EVENT_ADDED, network("ns", "b", "b", "1"));
    answer_bad(list, "never decoded"); /* so it stands for nothing that is cached */
    answer_list_end(list, "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    list = script_add(w.server); /* b has become undecodable */
    answer_object(list, KUBE_EVENT_ADDED, network("ns", "a", "a", "1"));
    answer_bad(list, "never decoded");
    answer_bad(list, "b, now");
    answer_list_end(list, "20", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@1 b@1");
    ck_assert_uint_eq(w.deletes, 0);
    list = script_add(w.server); /* and now it is gone */
    answer_object(list, KUBE_EVENT_ADDED, network("ns", "a", "a", "1"));
    answer_bad(list, "never decoded");
    answer_list_end(list, "30", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@1");
    ck_assert_uint_eq(w.deletes, 1);
}
END_TEST

START_TEST(cancel_stops_it) /* row 8: TestReflectorStopWatch */
{
    world_start(&w);
    add_list("a", "10", NULL);
    script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(kube__reflector_get_state(w.reflector), KUBE__REFLECTOR_WATCH_READ);
    kube_ctx_cancel(w.ctx);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_STOPPED);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_STOPPED);
}
END_TEST

START_TEST(very_short_watch_leads_to_a_list) /* row 9: …HandleWatchResultChanClosedBefore */
{
    answer *watch;
    kube__reflector_stats stats;
    world_start(&w);
    add_list("a", "10", NULL);
    watch = script_add(w.server);
    answer_end(watch, KUBE_ERR_CLOSED, "", 999);
    add_list("b", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=10;list rv=10 limit=0;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_ptr_nonnull(strstr(stats.last_error, "very short watch"));
}
END_TEST

START_TEST(ended_watch_goes_on_at_once) /* row 9: …ClosedAfter; REF-10 */
{
    static const kube_code ends[] = {KUBE_ERR_CLOSED, KUBE_ERR_TRANSPORT};
    answer *watch;
    world_start(&w);
    add_list("a", "10", NULL);
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
END_TEST

START_TEST(broken_stream_leads_to_a_list)
{
    answer *watch;
    world_start(&w);
    add_list("a", "10", NULL);
    watch = script_add(w.server);
    answer_bookmark(watch, "11");
    answer_end(watch, KUBE_ERR_DECODE, "no JSON", 0);
    add_list("a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=10;list rv=11 limit=0;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
}
END_TEST

START_TEST(a_watch_that_outlives_its_timeout_is_dead) /* REF-8, liveness */
{
    world_start(&w);
    add_list("a", "10", NULL);
    script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(script_last_options(w.server).watch.timeout_seconds, 300);
    kube_fake_clock_advance_ms(w.fake, 330000);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_WATCH_OPEN);
    ck_assert_uint_eq(script_closed_count(w.server), 2); /* the list's and the watch */
}
END_TEST

START_TEST(explicit_page_size) /* row 10: TestReflectorWatchListPageSize */
{
    w.options.page_size = 4;
    world_start(&w);
    add_list("abcd", "10", "c1");
    add_list("efgh", "10", "c2");
    add_list("ij", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=4;list continue=c1 limit=4;"
                                         "list continue=c2 limit=4;watch rv=10");
    ck_assert_uint_eq(kube__store_count(w.store), 10);
    ck_assert_int_eq(w.replaces, 1);
}
END_TEST

static void relist(void)
{
    kube_error expired = expired_error();
    answer *watch = script_add(w.server);
    answer_error(watch, &expired);
}

START_TEST(relist_asks_for_the_last_version_in_one) /* rows 11, 13 */
{
    answer *watch;
    world_start(&w);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    answer_bookmark(watch, "15");
    answer_end(watch, KUBE_ERR_CLOSED, "", 0);
    relist();
    add_list("ab", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;watch rv=15;"
                                         "list rv=15 limit=0;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1); /* an expired watch waits before it lists */
}
END_TEST

START_TEST(keeps_paging_where_the_watch_cache_is_off) /* row 12 */
{
    world_start(&w);
    add_list("ab", "10", "c1");
    add_list("cd", "10", NULL);
    relist();
    add_list("ab", "20", "c1");
    add_list("cd", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list continue=c1 limit=500;watch rv=10;"
                     "list rv=10 limit=500;list continue=c1 limit=500;watch rv=20");
}
END_TEST

START_TEST(expired_list_is_asked_again_at_once) /* row 14, REF-5 */
{
    kube_error expired = expired_error();
    world_start(&w);
    add_list("a", "10", NULL);
    relist();
    script_refuse(w.server, &expired);
    add_list("b", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;list rv=10 limit=0;"
                                         "list rv= limit=500;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "b@20");
}
END_TEST

START_TEST(expired_twice_waits_and_stays_at_the_newest)
{
    kube_error expired = expired_error();
    world_start(&w);
    script_refuse(w.server, &expired);
    script_refuse(w.server, &expired);
    add_list("a", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list rv= limit=500;list rv= limit=500;watch rv=10");
    ck_assert_uint_eq(w.delay_count, 1);
}
END_TEST

START_TEST(expired_page_leads_to_one_whole_list) /* row 15: TestReflectorFullListIfExpired */
{
    kube_error expired = expired_error();
    world_start(&w);
    add_list("ab", "10", "c1");
    script_refuse(w.server, &expired);
    add_list("xyz", "11", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;list continue=c1 limit=500;"
                                         "list rv=0 limit=0;watch rv=11");
    ck_assert_str_eq(world_cache(&w), "x@11 y@11 z@11"); /* the first page is forgotten */
}
END_TEST

START_TEST(pages_that_name_themselves_next_wait)
{
    world_start(&w);
    add_list("a", "10", "c1");
    add_list("b", "10", "c1");
    add_list("ab", "20", NULL);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;list continue=c1 limit=500;"
                                         "list rv=0 limit=500;watch rv=20");
    ck_assert_str_eq(world_cache(&w), "a@20 b@20");
}
END_TEST

START_TEST(a_whole_list_whose_pages_expire_is_not_asked_for_ever)
{
    kube_error expired = expired_error();
    world_start(&w);
    add_list("a", "10", "c1");
    for (int i = 0; i < 3; i++) {
        script_refuse(w.server, &expired);
        add_list("x", "11", "c2");
    }
    script_refuse(w.server, &expired);
    add_list("xy", "12", NULL);
    world_run(&w);
    ck_assert_uint_ge(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "x@12 y@12");
}
END_TEST

START_TEST(watches_that_end_after_a_moment_wait_in_the_end)
{
    answer *watch;
    char version[8];
    world_start(&w);
    add_list("a", "10", NULL);
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
END_TEST

START_TEST(an_answer_without_items_and_version_is_no_list)
{
    kube_error expired = expired_error();
    world_start(&w);
    add_list("ab", "10", NULL);
    script_refuse(w.server, &expired);
    add_list("", "", NULL);
    add_list("ab", "20", NULL);
    world_run(&w);
    ck_assert_uint_eq(w.deletes, 0);
    ck_assert_str_eq(world_cache(&w), "a@20 b@20");
}
END_TEST

START_TEST(version_of_a_paged_list_is_the_first_pages) /* PAG-1 */
{
    world_start(&w);
    add_list("a", "10", "c1");
    add_list("b", "12", NULL);
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "10");
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list continue=c1 limit=500;watch rv=10");
}
END_TEST

START_TEST(too_large_version_lists_at_the_newest) /* row 16: TestReflectorFullListIfTooLarge */
{
    kube_error shapes[3];
    const char *versions[] = {"20", "30", "40", "50"};
    for (int i = 0; i < 3; i++)
        kube_error_set(&shapes[i], KUBE_ERR_TIMEOUT,
                       i ? "Too large resource version: 20, current: 10" : "wait");
    snprintf(shapes[0].cause, sizeof shapes[0].cause, "ResourceVersionTooLarge");
    snprintf(shapes[1].reason, sizeof shapes[1].reason, "Timeout");
    world_start(&w);
    add_list("a", versions[0], NULL);
    for (int i = 0; i < 3; i++) {
        relist();
        script_refuse(w.server, &shapes[i]);
        add_list("a", versions[i + 1], NULL);
    }
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=20;list rv=20 limit=0;list rv= limit=500;"
                     "watch rv=30;list rv=30 limit=0;list rv= limit=500;"
                     "watch rv=40;list rv=40 limit=0;list rv= limit=500;watch rv=50");
}
END_TEST

START_TEST(watch_timeout_is_spread) /* row 17: TestWatchTimeout, REF-8 */
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
        add_list("a", "10", NULL);
        script_add(w.server);
        world_run(&w);
        ck_assert_int_eq(script_last_options(w.server).watch.timeout_seconds, cases[i].seconds);
    }
}
END_TEST

START_TEST(every_event_moves_the_version) /* row 18: TestReflectorResourceVersionUpdate */
{
    static const kube_event_type types[] = {KUBE_EVENT_ADDED, KUBE_EVENT_MODIFIED,
                                            KUBE_EVENT_DELETED};
    answer *watch;
    world_start(&w);
    add_list("", "10", NULL);
    watch = script_add(w.server);
    for (int i = 0; i < 3; i++) {
        char version[16];
        snprintf(version, sizeof version, "%d", 11 + i);
        add_event(watch, types[i], "a", version);
        world_run(&w);
        ck_assert_str_eq(world_version(&w), version);
        ck_assert_str_eq(world_store_version(&w), version);
    }
    answer_bookmark(watch, "20");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "20");
    ck_assert_str_eq(world_store_version(&w), "20"); /* STO-7 */
}
END_TEST

START_TEST(synthetic_events_do_not_move_the_version) /* REF-12 */
{
    answer *watch;
    world_start(&w);
    add_list("", "", NULL); /* a server without a list version: the watch starts anywhere */
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_ADDED, "b", "9");
    add_event(watch, KUBE_EVENT_ADDED, "a", "5");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "");
    add_event(watch, KUBE_EVENT_MODIFIED, "a", "10");
    add_event(watch, KUBE_EVENT_ADDED, "c", "11");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "11");
}
END_TEST

START_TEST(unsafe_delete_ends_in_a_tombstone) /* row 19: REF-16 */
{
    kube_error corrupt = internal_error();
    answer *watch;
    snprintf(corrupt.reason, sizeof corrupt.reason, "StoreReadError");
    world_start(&w);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &corrupt);
    add_list("a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@20");
    ck_assert_uint_eq(w.deletes, 1);
}
END_TEST

static int transforms;

static kube_code shout(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    samplecrd_v1_network *n = (samplecrd_v1_network *)(void *)object;
    (void)arg;
    transforms++;
    if (strcmp(n->metadata.name, "f") == 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "no");
    if (strcmp(n->metadata.name, "r") == 0)
        n->metadata.name = kube_printf(ctx, "renamed");
    n->spec.gateway = kube_printf(ctx, "%s!", n->spec.gateway);
    return n->spec.gateway ? KUBE_OK : KUBE_ERR_NO_MEMORY;
}

static kube_code run_out_of_memory(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    (void)arg;
    (void)ctx;
    if (strcmp(name_of(object), "x") == 0 && transforms++ == 0)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    return KUBE_OK;
}

START_TEST(lost_event_leads_to_a_list)
{
    answer *watch;
    transforms = 0;
    w.options.transform = run_out_of_memory;
    world_start(&w);
    add_list("a", "10", NULL);
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_ADDED, "b", "11");
    add_event(watch, KUBE_EVENT_ADDED, "x", "12");
    add_event(watch, KUBE_EVENT_ADDED, "c", "13");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "11"); /* not past what was lost */
    add_list("abcx", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=10;list rv=11 limit=0;watch rv=20");
    ck_assert_str_eq(world_cache(&w), "a@20 b@20 c@20 x@20");
}
END_TEST

static const char *gateway_of(const char *name)
{
    static char gateway[64];
    kube__name key = {"ns", name};
    const kube_object *object = kube__store_get(w.store, key);
    snprintf(gateway, sizeof gateway, "%s", object ? as_network(object)->spec.gateway : "(none)");
    kube_object_unref(object);
    return gateway;
}

START_TEST(transforms_once) /* row 20: TestReflectorRespectStoreTransformer, FIFO-2 */
{
    answer *watch;
    transforms = 0;
    w.options.transform = shout;
    world_start(&w);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    add_event(watch, KUBE_EVENT_MODIFIED, "b", "11");
    add_event(watch, KUBE_EVENT_ADDED, "f", "12"); /* fails: dropped */
    add_event(watch, KUBE_EVENT_ADDED, "r", "13"); /* may not rename: dropped */
    world_run(&w);
    ck_assert_int_eq(transforms, 5);
    ck_assert_str_eq(gateway_of("a"), "10.1.0.1!");
    ck_assert_str_eq(gateway_of("b"), "10.1.0.1!");
    ck_assert_str_eq(world_cache(&w), "a@10 b@11");
}
END_TEST

START_TEST(failing_transform_fails_a_list_but_no_delete)
{
    answer *watch;
    world_start(&w);
    add_list("f", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    kube__reflector_free(w.reflector);
    w.options.transform = shout;
    world_start(&w); /* the cache has f, which the transform refuses now */
    add_list("f", "10", NULL);
    add_list("a", "20", NULL);
    watch = script_add(w.server);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "a@20");
    w.deletes = 0;
    add_event(watch, KUBE_EVENT_DELETED, "f", "21"); /* unknown and refused: dropped */
    world_run(&w);
    ck_assert_uint_eq(w.deletes, 0);
}
END_TEST

static bool refusing;

static kube_code refuse_later(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    samplecrd_v1_network *n = (samplecrd_v1_network *)(void *)object;
    (void)arg;
    n->metadata.name = kube_printf(ctx, "%s", n->metadata.name);
    if (refusing)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "not any more");
    return KUBE_OK;
}

START_TEST(delete_that_fails_to_transform_is_told_with_the_cached_state)
{
    answer *watch;
    refusing = false;
    w.options.transform = refuse_later;
    world_start(&w);
    add_list("ab", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    refusing = true;
    add_event(watch, KUBE_EVENT_DELETED, "a", "11");
    world_run(&w);
    ck_assert_uint_eq(w.deletes, 1);
    ck_assert_str_eq(world_cache(&w), "b@10");
}
END_TEST

START_TEST(resync_runs_beside_the_watch) /* REF-13 */
{
    w.options.resync_ms = 30000;
    world_start(&w);
    add_list("a", "10", NULL);
    script_add(w.server);
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 29999);
    ck_assert_int_eq(w.resyncs, 0);
    for (int i = 1; i <= 3; i++) {
        kube_fake_clock_advance_ms(w.fake, i == 1 ? 1 : 30000);
        ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_WATCH_READ);
        ck_assert_int_eq(w.resyncs, i);
    }
}
END_TEST

START_TEST(resync_goes_on_while_the_server_is_away)
{
    kube_error refused = refused_error();
    w.options.resync_ms = 5000;
    world_start(&w);
    add_list("a", "10", NULL);
    for (int i = 0; i < 10; i++)
        script_refuse(w.server, &refused);
    world_run(&w);
    ck_assert_int_ge(w.resyncs, 5);
}
END_TEST

START_TEST(failed_replace_leads_to_a_list) /* REF-7 */
{
    world_start(&w);
    w.fail_replace = KUBE_ERR_NO_MEMORY;
    add_list("a", "10", NULL);
    add_list("a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;list rv=0 limit=500;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
}
END_TEST

START_TEST(cut_list_is_listed_again)
{
    answer *list = script_add(w.server);
    world_start(&w);
    answer_object(list, KUBE_EVENT_ADDED, network("ns", "a", "a", "1"));
    answer_end(list, KUBE_ERR_TRANSPORT, "cut", 0);
    add_list("b", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "b@10"); /* nothing of the cut one */
    ck_assert_uint_eq(w.delay_count, 1);
}
END_TEST

START_TEST(a_failure_that_lasts_is_told_every_minute_and_so_is_its_end)
{
    kube_error refused = refused_error();
    world_start(&w);
    w.random = 0;
    add_list("a", "10", NULL);
    for (int i = 0; i < 9; i++) /* back-offs of 0.8, 1.6, 3.2 … 25.6, 30, 30, 30 s */
        script_refuse(w.server, &refused);
    answer_bookmark(script_add(w.server), "11");
    world_run(&w);
    ck_assert_int_eq(log_lines_count("networks: connection refused; trying again"), 1);
    ck_assert_int_eq(log_lines_count("connection refused"), 2);
    ck_assert_int_eq(log_lines_count("networks: still failing after 80 s: connection refused"), 1);
    ck_assert_int_eq(log_lines_count("networks: in step again after 140 s"), 1);
}
END_TEST

START_TEST(an_expired_version_is_nothing_to_recover_from)
{
    kube_error expired = expired_error();
    world_start(&w);
    add_list("a", "10", NULL);
    script_refuse(w.server, &expired);
    add_list("a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@20");
    ck_assert_int_eq(log_lines_count("again"), 0);
}
END_TEST

START_TEST(the_same_failure_is_told_once)
{
    kube_error forbidden = forbidden_error();
    kube__reflector_stats stats;
    world_start(&w);
    for (int i = 0; i < 5; i++)
        script_refuse(w.server, &forbidden);
    world_run(&w);
    ck_assert_int_eq(log_lines_count("networks: networks is forbidden"), 1);
    add_list("a", "10", NULL); /* well again: the next time it is told */
    script_refuse(w.server, &forbidden);
    world_run(&w);
    ck_assert_int_eq(log_lines_count("networks: networks is forbidden"), 2);
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_str_eq(stats.last_error, "networks is forbidden");
    ck_assert_uint_eq(stats.backoffs, 6);
}
END_TEST

START_TEST(scope_is_asked_for)
{
    kube__feed_options asked;
    w.options.namespace_ = "prod";
    w.options.label_selector = "app=web";
    w.options.field_selector = "metadata.name=a";
    w.options.keep_managed_fields = true;
    w.options.buffer_bytes = 1234;
    world_start(&w);
    add_list("a", "10", NULL);
    script_add(w.server);
    world_run(&w);
    asked = script_last_options(w.server);
    ck_assert_str_eq(asked.watch.label_selector, "app=web");
    ck_assert_str_eq(asked.watch.field_selector, "metadata.name=a");
    ck_assert_str_eq(asked.namespace_, "prod");
    ck_assert(!asked.drop_managed_fields);
    ck_assert(asked.intern);
    ck_assert_uint_eq(asked.buffer_bytes, 1234);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        lists_then_follows,
        knows_when_it_last_listed_and_heard_something,
        recovers_from_errors,
        refused_watch_backs_off_without_a_list,
        back_off_has_jitter_and_forgets,
        too_many_requests_costs_a_wait_not_a_list,
        retry_after_is_honoured,
        internal_errors_in_the_stream,
        bad_events_are_left_out,
        bad_last_event_does_not_advance_the_version,
        bad_item_of_a_relist_is_no_delete,
        cancel_stops_it,
        very_short_watch_leads_to_a_list,
        ended_watch_goes_on_at_once,
        broken_stream_leads_to_a_list,
        a_watch_that_outlives_its_timeout_is_dead,
        explicit_page_size,
        relist_asks_for_the_last_version_in_one,
        keeps_paging_where_the_watch_cache_is_off,
        expired_list_is_asked_again_at_once,
        expired_twice_waits_and_stays_at_the_newest,
        expired_page_leads_to_one_whole_list,
        pages_that_name_themselves_next_wait,
        a_whole_list_whose_pages_expire_is_not_asked_for_ever,
        watches_that_end_after_a_moment_wait_in_the_end,
        an_answer_without_items_and_version_is_no_list,
        version_of_a_paged_list_is_the_first_pages,
        too_large_version_lists_at_the_newest,
        watch_timeout_is_spread,
        every_event_moves_the_version,
        synthetic_events_do_not_move_the_version,
        unsafe_delete_ends_in_a_tombstone,
        transforms_once,
        failing_transform_fails_a_list_but_no_delete,
        delete_that_fails_to_transform_is_told_with_the_cached_state,
        lost_event_leads_to_a_list,
        resync_runs_beside_the_watch,
        resync_goes_on_while_the_server_is_away,
        failed_replace_leads_to_a_list,
        cut_list_is_listed_again,
        a_failure_that_lasts_is_told_every_minute_and_so_is_its_end,
        an_expired_version_is_nothing_to_recover_from,
        the_same_failure_is_told_once,
        scope_is_asked_for,
    };
    return RUN_WITH_FIXTURE("reflector", set_up, tear_down, tests);
}
