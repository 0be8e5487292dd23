/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming lists (REF-12, REF-14, REF-15), after client-go's reflector_watchlist_test.go and
 * reflector_test.go. */
#include "reflector_kit.h"

#include <string.h>

static void set_up(void)
{
    set_up_reflector();
    w.options.no_streaming_list = false;
}

static answer *add_stream(const char *names, const char *version)
{
    answer *stream = script_add(w.server);
    for (; *names; names++) {
        char name[2] = {*names, '\0'};
        answer_event(stream, KUBE_WATCH_ADDED, name, version);
    }
    return stream;
}

FIXTURE(set_up, tear_down_reflector);

/* Peers: TestWatchList */
TEST(streams_a_list_and_goes_on_reading)
{
    answer *stream = add_stream("ab", "5");
    kube__result_stream_options asked;
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), ""); /* nothing before the end mark */
    answer_initial_end(stream, "10");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@5 b@5");
    ck_assert_str_eq(world_version(&w), "10");
    ck_assert_str_eq(world_store_version(&w), "10");
    answer_event(stream, KUBE_WATCH_ADDED, "c", "11");
    answer_event(stream, KUBE_WATCH_DELETED, "a", "12");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "b@5 c@11");
    ck_assert_str_eq(world_version(&w), "12");
    ck_assert_str_eq(world_requests(&w), "stream rv=");
    asked = script_last_options(w.server);
    ck_assert(asked.watch.allow_bookmarks);
    ck_assert_str_eq(asked.watch.resource_version_match, "NotOlderThan");
    ck_assert_int_eq(asked.watch.timeout_seconds, 300);
}

/* Peers: TestRealFIFO_addUpdate, TestRealFIFO_addReplace, TestRealFIFO_detectLineJumpers,
 * TestRealFIFO_ReplaceAtomic, TestRealFIFO_ReplaceAtomicPop, TestRealFIFO_ResyncAtomic */
TEST(list_and_events_in_one_batch)
{
    answer *stream = add_stream("ab", "5");
    answer_initial_end(stream, "10");
    answer_event(stream, KUBE_WATCH_MODIFIED, "a", "11");
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@11 b@5");
    ck_assert_int_eq(w.replaces, 1);
    ck_assert_int_eq(w.applies, 1);
}

/* Peers: TestWatchList */
TEST(changes_while_streaming_count)
{
    answer *stream = add_stream("abc", "5");
    answer_event(stream, KUBE_WATCH_MODIFIED, "a", "6");
    answer_event(stream, KUBE_WATCH_DELETED, "b", "7");
    answer_event(stream, KUBE_WATCH_DELETED, "never seen", "8");
    answer_initial_end(stream, "10");
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@6 c@5");
    ck_assert_uint_eq(w.deletes, 0);
}

/* Peers: TestWatchList */
TEST(other_bookmarks_do_not_end_it)
{
    answer *stream = add_stream("a", "5");
    world_start(&w);
    answer_bookmark(stream, "10");
    world_run(&w);
    ck_assert_int_eq(w.replaces, 0);
    answer_initial_end(stream, "11");
    world_run(&w);
    ck_assert_int_eq(w.replaces, 1);
}

TEST(an_empty_list_is_a_list)
{
    answer *stream = script_add(w.server);
    world_start(&w);
    answer_initial_end(stream, "10");
    world_run(&w);
    ck_assert_int_eq(w.replaces, 1);
    ck_assert_str_eq(world_version(&w), "10");
}

/* Peers: TestWatchList */
TEST(reopened_before_its_end_it_starts_afresh)
{
    answer *stream = add_stream("ab", "5");
    answer_bookmark(stream, "7");
    answer_end(stream, KUBE_ERR_CLOSED, "", 1000);
    stream = add_stream("c", "8");
    world_start(&w);
    answer_initial_end(stream, "10");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "c@8");
    ck_assert_str_eq(world_requests(&w), "stream rv=;stream rv=7");
    ck_assert_uint_eq(w.delay_count, 0);
}

/* Peers: TestInitialEventsEndBookmarkTicker */
TEST(added_events_do_not_give_a_version) /* TestWatchListResourceVersion */
{
    answer *stream = add_stream("ab", "5");
    answer_end(stream, KUBE_ERR_TRANSPORT, "cut", 1000);
    stream = add_stream("a", "5");
    answer_event(stream, KUBE_WATCH_MODIFIED, "a", "9");
    answer_end(stream, KUBE_ERR_TRANSPORT, "cut", 1000);
    script_add(w.server);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;stream rv=;stream rv=9");
}

/* Peers: TestWatchList */
TEST(broken_off_again_and_again_it_waits_is_told_and_falls_back)
{
    world_start(&w);
    for (int i = 0; i < 3; i++)
        answer_end(add_stream("ab", "5"), KUBE_ERR_TRANSPORT, "cut", 2000);
    world_add_list(&w, "ab", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "stream rv=;stream rv=;stream rv=;list rv=0 limit=500;watch rv=10");
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_int_eq(log_lines_count("networks: the streaming list has ended 2 times before it was "
                                     "complete: cut; trying again"),
                     1);
    ck_assert_int_eq(log_lines_count("the streaming list failed, listing in pages: the streaming "
                                     "list has ended 3 times before it was complete: cut"),
                     1);
    ck_assert_str_eq(world_cache(&w), "a@10 b@10");
}

TEST(a_server_that_does_not_know_it_is_found_out)
{
    kube_error expired = expired_error();
    answer *stream = add_stream("ab", "5");
    world_start(&w);
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 29999);
    answer_event(stream, KUBE_WATCH_MODIFIED, "a", "6"); /* the list does not grow by it */
    world_run(&w);
    ck_assert_int_eq(kube__reflector_get_state(w.reflector), KUBE__REFLECTOR_WATCH_READ);
    kube_fake_clock_advance_ms(w.fake, 1);
    world_add_list(&w, "abc", "10", NULL);
    kube__reflector_step(w.reflector);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@10 b@10 c@10");
    ck_assert_int_eq(log_lines_count("the streaming list failed, listing in pages: the server does "
                                     "not say that its streaming list is complete"),
                     1);
    answer_error(script_add(w.server), &expired);
    world_add_list(&w, "d", "20", NULL); /* the next round does not try again */
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10;"
                                         "list rv=10 limit=0;watch rv=20");
}

TEST(a_list_that_grows_may_take_its_time)
{
    answer *stream = script_add(w.server);
    world_start(&w);
    for (char name = 'a'; name <= 'h'; name++) {
        char text[2] = {name, '\0'};
        world_run(&w);
        kube_fake_clock_advance_ms(w.fake, 29000);
        answer_event(stream, KUBE_WATCH_ADDED, text, "5");
    }
    answer_initial_end(stream, "10");
    world_run(&w);
    ck_assert_uint_eq(kube__store_count(w.store), 8);
    ck_assert_str_eq(world_requests(&w), "stream rv=");
}

TEST(a_list_of_bad_objects_grows_too)
{
    answer *stream = script_add(w.server);
    world_start(&w);
    for (int i = 0; i < 3; i++) {
        world_run(&w);
        kube_fake_clock_advance_ms(w.fake, 29000);
        answer_bad_object(stream, KUBE_WATCH_ADDED, i ? "b" : "a", "not a network");
        world_run(&w);
        kube_fake_clock_advance_ms(w.fake, 29000);
        answer_bad(stream, "this says nothing about its name");
    }
    answer_initial_end(stream, "10");
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "10");
    ck_assert_str_eq(world_requests(&w), "stream rv=");
}

TEST(one_that_ends_after_a_long_time_without_its_end_mark_is_none)
{
    answer *stream = add_stream("a", "5");
    answer_end(stream, KUBE_ERR_CLOSED, "its time is over", 300000);
    world_add_list(&w, "a", "10", NULL);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10");
}

TEST(refused_it_falls_back_for_this_round) /* old servers answer 422 */
{
    kube_error invalid;
    kube_error expired = expired_error();
    answer *watch;
    kube_error_set(&invalid, KUBE_ERR_INVALID, "sendInitialEvents is forbidden for watch");
    script_refuse(w.server, &invalid);
    world_add_list(&w, "a", "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    answer_initial_end(add_stream("b", "20"), "21"); /* the next round tries again */
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10;stream rv=10");
    ck_assert_str_eq(world_cache(&w), "b@20");
    ck_assert_uint_eq(w.delay_count, 1);
}

TEST(very_short_it_falls_back)
{
    answer *stream = script_add(w.server);
    answer_end(stream, KUBE_ERR_CLOSED, "", 0);
    world_add_list(&w, "a", "10", NULL);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10");
    ck_assert_uint_eq(w.delay_count, 0);
}

/* Peers: TestWatchList */
TEST(error_in_the_stream_falls_back)
{
    kube_error broken = internal_error();
    answer_error(add_stream("z", "5"), &broken);
    world_add_list(&w, "a", "10", NULL);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10");
    ck_assert_str_eq(world_cache(&w), "a@10");
}

TEST(undecodable_stream_falls_back)
{
    answer_end(add_stream("z", "5"), KUBE_ERR_DECODE, "no JSON", 0);
    world_add_list(&w, "a", "10", NULL);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10");
}

/* Peers: TestWatchList */
TEST(busy_or_refused_it_waits_and_tries_again)
{
    kube_error busy = too_many_requests_error();
    kube_error refused = refused_error();
    script_refuse(w.server, &busy);
    script_refuse(w.server, &refused);
    answer_error(add_stream("z", "5"), &busy);
    answer_initial_end(add_stream("a", "5"), "10");
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;stream rv=;stream rv=;stream rv=");
    ck_assert_uint_eq(w.delay_count, 3);
    ck_assert_str_eq(world_cache(&w), "a@5");
}

/* Peers: TestWatchList */
TEST(expired_it_asks_for_the_newest_at_once)
{
    kube_error expired = expired_error();
    answer *stream = add_stream("a", "5");
    answer_initial_end(stream, "10");
    answer_error(stream, &expired);    /* as a watch: waits, then lists at 10 */
    script_refuse(w.server, &expired); /* which is gone, too */
    answer_initial_end(add_stream("b", "20"), "21");
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;stream rv=10;stream rv=");
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "b@20");
    ck_assert_uint_eq(w.deletes, 1);
}

TEST(expired_at_the_newest_is_no_endless_loop)
{
    kube_error expired = expired_error();
    script_refuse(w.server, &expired);
    world_add_list(&w, "a", "10", NULL);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;list rv=0 limit=500;watch rv=10");
}

/* Peers: TestWatchList */
TEST(later_it_reconnects_as_a_plain_watch)
{
    answer *stream = add_stream("a", "5");
    answer_initial_end(stream, "10");
    answer_bookmark(stream, "15");
    answer_end(stream, KUBE_ERR_CLOSED, "", 0);
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "stream rv=;watch rv=15");
}

/* Peers: TestWatchListResourceVersion */
TEST(missing_end_is_warned_about) /* TestInitialEventsEndBookmarkTicker */
{
    answer *stream = add_stream("a", "5");
    world_start(&w);
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 9999);
    answer_event(stream, KUBE_WATCH_ADDED, "b", "5");
    world_run(&w);
    ck_assert_int_eq(log_lines_count("is not complete yet"), 0);
    for (int i = 1; i <= 2; i++) {
        kube_fake_clock_advance_ms(w.fake, i == 1 ? 1 : 10000);
        kube__reflector_step(w.reflector);
        ck_assert_int_eq(log_lines_count("the first list is not complete yet, 2 objects so far"),
                         i);
    }
    answer_initial_end(stream, "10");
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 20000);
    answer_bookmark(stream, "11");
    world_run(&w);
    ck_assert_int_eq(log_lines_count("is not complete yet"), 2);
}

static int transforms;

static kube_code count_transform(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    (void)arg;
    (void)ctx;
    (void)object;
    (void)err;
    transforms++;
    return KUBE_OK;
}

TEST(transforms_each_object_once) /* TestReflectorRespectStoreTransformer */
{
    answer *stream = add_stream("ab", "5");
    transforms = 0;
    w.options.transform = count_transform;
    world_start(&w);
    answer_initial_end(stream, "10");
    answer_event(stream, KUBE_WATCH_MODIFIED, "a", "11");
    world_run(&w);
    ck_assert_int_eq(transforms, 3);
    ck_assert_str_eq(world_cache(&w), "a@11 b@5");
}

TEST(failed_replace_begins_a_new_round)
{
    answer_initial_end(add_stream("a", "5"), "10");
    answer_initial_end(add_stream("b", "5"), "20");
    w.fail_replace = KUBE_ERR_NO_MEMORY;
    world_start(&w);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "b@5");
    ck_assert_uint_eq(w.delay_count, 1);
}

TEST(relist_keeps_the_objects_that_did_not_change)
{
    kube_error expired = expired_error();
    answer *stream = add_stream("ab", "5");
    kube__name key = {"ns", "a"};
    const kube_object *before;
    const kube_object *after;
    answer_initial_end(stream, "10");
    world_start(&w);
    world_run(&w);
    before = kube__store_get(w.store, key);
    answer_error(stream, &expired);
    answer_initial_end(add_stream("ab", "5"), "20");
    world_run(&w);
    after = kube__store_get(w.store, key);
    ck_assert_int_eq(w.replaces, 2);
    ck_assert_ptr_eq(before, after);
    kube_object_unref(before);
    kube_object_unref(after);
}
