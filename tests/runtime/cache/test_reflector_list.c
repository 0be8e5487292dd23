/* SPDX-License-Identifier: Apache-2.0 */
/* How the reflector lists in pages (REF-3…7, PAG-1). The cases follow the tests of client-go's
 * reflector_test.go that they name. */
#include "reflector_kit.h"

#include <stdio.h>

FIXTURE(set_up_reflector, tear_down_reflector);

TEST(bad_item_of_a_relist_is_no_delete)
{
    kube_error expired = expired_error();
    answer *list = script_add(w.server);
    answer *watch;
    world_start(&w);
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "1"));
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "b", "b", "1"));
    answer_bad(list, "never decoded"); /* so it stands for nothing that is cached */
    answer_list_end(list, "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    list = script_add(w.server); /* b has become undecodable */
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "1"));
    answer_bad(list, "never decoded");
    answer_bad(list, "b, now");
    answer_list_end(list, "20", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@1 b@1");
    ck_assert_uint_eq(w.deletes, 0);
    list = script_add(w.server); /* and now it is gone */
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "1"));
    answer_bad(list, "never decoded");
    answer_list_end(list, "30", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@1");
    ck_assert_uint_eq(w.deletes, 1);
}

/* With their keys known, each is judged for itself. */
TEST(a_bad_item_keeps_its_own_object_and_no_other)
{
    kube_error expired = expired_error();
    answer *list = script_add(w.server);
    answer *watch;
    world_start(&w);
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "1"));
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "b", "b", "1"));
    answer_list_end(list, "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    list = script_add(w.server); /* a has become undecodable, b is gone, c never decoded */
    answer_bad_object(list, KUBE_WATCH_ADDED, "a", "spec.cidr: a number");
    answer_bad_object(list, KUBE_WATCH_ADDED, "c", "spec.cidr: a number");
    answer_list_end(list, "20", NULL);
    watch = script_add(w.server);
    answer_error(watch, &expired);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@1");
    ck_assert_uint_eq(w.deletes, 1);
    ck_assert_uint_eq(kube__reflector_bad_objects(w.reflector)->len, 2);
    world_add_list(&w, "c", "30", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "c@30");
    ck_assert_uint_eq(kube__reflector_bad_objects(w.reflector)->len, 0);
}

static void expect_told(const char *expected)
{
    world_run(&w);
    ck_assert_str_eq(w.bad_told, expected);
    w.bad_told[0] = '\0';
}

/* Each change of the bad ones is told once, whether a list shows it or a watch. */
TEST(a_list_tells_what_is_bad_and_what_is_no_longer)
{
    kube_error expired = expired_error();
    answer *list = script_add(w.server);
    answer *watch;
    world_start(&w);
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "1"));
    answer_bad_object(list, KUBE_WATCH_ADDED, "b", "spec.cidr: a number");
    answer_bad_object(list, KUBE_WATCH_ADDED, "c", "spec.cidr: a number");
    answer_bad_object(list, KUBE_WATCH_ADDED, "d", "spec.cidr: a number");
    answer_list_end(list, "10", NULL);
    watch = script_add(w.server);
    answer_bad_object(watch, KUBE_WATCH_MODIFIED, "b", "spec.cidr: a number");
    expect_told("+b +c +d ");
    answer_bad_object(watch, KUBE_WATCH_MODIFIED, "b", "spec.cidr: a list");
    expect_told("+b ");
    answer_bad_object(watch, KUBE_WATCH_MODIFIED, "a", "spec.cidr: a list");
    answer_bad_object(watch, KUBE_WATCH_DELETED, "d", "spec.cidr: a list");
    expect_told("+a -d ");
    answer_error(watch, &expired);
    list = script_add(w.server); /* a good again, b bad as before, c gone, e new */
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "20"));
    answer_bad_object(list, KUBE_WATCH_ADDED, "b", "spec.cidr: a list");
    answer_bad_object(list, KUBE_WATCH_ADDED, "e", "spec.cidr: a list");
    answer_list_end(list, "20", NULL);
    watch = script_add(w.server);
    expect_told("+e -c -a ");
    w.fail_replace = KUBE_ERR_NO_MEMORY; /* what a list says holds, also if it cannot be entered */
    answer_error(watch, &expired);
    list = script_add(w.server);
    answer_bad_object(list, KUBE_WATCH_ADDED, "f", "spec.cidr: a list");
    answer_list_end(list, "30", NULL);
    list = script_add(w.server);
    answer_bad_object(list, KUBE_WATCH_ADDED, "f", "spec.cidr: a list");
    answer_list_end(list, "30", NULL);
    watch = script_add(w.server);
    expect_told("+f -b -e ");
    answer_event(watch, KUBE_WATCH_MODIFIED, "f", "31");
    expect_told("-f ");
    ck_assert_str_eq(world_cache(&w), "f@31");
}

/* A cached one, too: until the cache has lost it nobody may take it for one that is not there. */
TEST(the_end_of_a_bad_object_is_told_once_the_delete_is_applied)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_bad_object(watch, KUBE_WATCH_MODIFIED, "a", "spec.cidr: a number");
    answer_bad_object(watch, KUBE_WATCH_DELETED, "a", "spec.cidr: a number");
    expect_told("+a -a ");
    ck_assert_str_eq(world_cache(&w), "b@10");
    ck_assert_uint_eq(w.deletes, 1);
    ck_assert_uint_eq(kube__reflector_bad_objects(w.reflector)->len, 0);
}

TEST(explicit_page_size) /* TestReflectorWatchListPageSize */
{
    w.options.page_size = 4;
    world_start(&w);
    world_add_list(&w, "abcd", "10", "c1");
    world_add_list(&w, "efgh", "10", "c2");
    world_add_list(&w, "ij", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=4;list continue=c1 limit=4;"
                                         "list continue=c2 limit=4;watch rv=10");
    ck_assert_uint_eq(kube__store_count(w.store), 10);
    ck_assert_int_eq(w.replaces, 1);
}

static void relist(void)
{
    kube_error expired = expired_error();
    answer *watch = script_add(w.server);
    answer_error(watch, &expired);
}

/* TestReflectorNotPaginatingNotConsistentReads, TestReflectorResyncWithResourceVersion */
TEST(relist_asks_for_the_last_version_in_one)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_bookmark(watch, "15");
    answer_end(watch, KUBE_ERR_CLOSED, "", 0);
    relist();
    world_add_list(&w, "ab", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;watch rv=15;"
                                         "list rv=15 limit=0;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1); /* an expired watch waits before it lists */
}

/* TestReflectorPaginatingNonConsistentReadsIfWatchCacheDisabled */
TEST(keeps_paging_where_the_watch_cache_is_off)
{
    world_start(&w);
    world_add_list(&w, "ab", "10", "c1");
    world_add_list(&w, "cd", "10", NULL);
    relist();
    world_add_list(&w, "ab", "20", "c1");
    world_add_list(&w, "cd", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list continue=c1 limit=500;watch rv=10;"
                     "list rv=10 limit=500;list continue=c1 limit=500;watch rv=20");
}

/* TestReflectorExpiredExactResourceVersion, REF-5 */
TEST(expired_list_is_asked_again_at_once)
{
    kube_error expired = expired_error();
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    relist();
    script_refuse(w.server, &expired);
    world_add_list(&w, "b", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;watch rv=10;list rv=10 limit=0;"
                                         "list rv= limit=500;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "b@20");
}

TEST(expired_twice_waits_and_stays_at_the_newest)
{
    kube_error expired = expired_error();
    world_start(&w);
    script_refuse(w.server, &expired);
    script_refuse(w.server, &expired);
    world_add_list(&w, "a", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list rv= limit=500;list rv= limit=500;watch rv=10");
    ck_assert_uint_eq(w.delay_count, 1);
}

TEST(expired_page_leads_to_one_whole_list) /* TestReflectorFullListIfExpired */
{
    kube_error expired = expired_error();
    world_start(&w);
    world_add_list(&w, "ab", "10", "c1");
    script_refuse(w.server, &expired);
    world_add_list(&w, "xyz", "11", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;list continue=c1 limit=500;"
                                         "list rv=0 limit=0;watch rv=11");
    ck_assert_str_eq(world_cache(&w), "x@11 y@11 z@11"); /* the first page is forgotten */
}

TEST(pages_that_name_themselves_next_wait)
{
    world_start(&w);
    world_add_list(&w, "a", "10", "c1");
    world_add_list(&w, "b", "10", "c1");
    world_add_list(&w, "ab", "20", NULL);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;list continue=c1 limit=500;"
                                         "list rv=0 limit=500;watch rv=20");
    ck_assert_str_eq(world_cache(&w), "a@20 b@20");
}

TEST(a_whole_list_whose_pages_expire_is_not_asked_for_ever)
{
    kube_error expired = expired_error();
    world_start(&w);
    world_add_list(&w, "a", "10", "c1");
    for (int i = 0; i < 3; i++) {
        script_refuse(w.server, &expired);
        world_add_list(&w, "x", "11", "c2");
    }
    script_refuse(w.server, &expired);
    world_add_list(&w, "xy", "12", NULL);
    world_run(&w);
    ck_assert_uint_ge(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "x@12 y@12");
}

TEST(an_answer_without_items_and_version_is_no_list)
{
    kube_error expired = expired_error();
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    script_refuse(w.server, &expired);
    world_add_list(&w, "", "", NULL);
    world_add_list(&w, "ab", "20", NULL);
    world_run(&w);
    ck_assert_uint_eq(w.deletes, 0);
    ck_assert_str_eq(world_cache(&w), "a@20 b@20");
}

TEST(version_of_a_paged_list_is_the_first_pages) /* PAG-1 */
{
    world_start(&w);
    world_add_list(&w, "a", "10", "c1");
    world_add_list(&w, "b", "12", NULL);
    world_run(&w);
    ck_assert_str_eq(world_version(&w), "10");
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list continue=c1 limit=500;watch rv=10");
}

TEST(too_large_version_lists_at_the_newest) /* TestReflectorFullListIfTooLarge */
{
    kube_error shapes[3];
    const char *versions[] = {"20", "30", "40", "50"};
    for (int i = 0; i < 3; i++)
        kube_error_set(&shapes[i], KUBE_ERR_TIMEOUT,
                       i ? "Too large resource version: 20, current: 10" : "wait");
    snprintf(shapes[0].cause, sizeof shapes[0].cause, "ResourceVersionTooLarge");
    snprintf(shapes[1].reason, sizeof shapes[1].reason, "Timeout");
    world_start(&w);
    world_add_list(&w, "a", versions[0], NULL);
    for (int i = 0; i < 3; i++) {
        relist();
        script_refuse(w.server, &shapes[i]);
        world_add_list(&w, "a", versions[i + 1], NULL);
    }
    world_run(&w);
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;watch rv=20;list rv=20 limit=0;list rv= limit=500;"
                     "watch rv=30;list rv=30 limit=0;list rv= limit=500;"
                     "watch rv=40;list rv=40 limit=0;list rv= limit=500;watch rv=50");
}

/* Peers: TestReplaceEvents, TestProcessDeltasInBatch, TestStoreResourceVersion, TestResetWatch */
TEST(failed_replace_leads_to_a_list) /* REF-7 */
{
    world_start(&w);
    w.fail_replace = KUBE_ERR_NO_MEMORY;
    world_add_list(&w, "a", "10", NULL);
    world_add_list(&w, "a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_requests(&w), "list rv=0 limit=500;list rv=0 limit=500;watch rv=20");
    ck_assert_uint_eq(w.delay_count, 1);
}

TEST(cut_list_is_listed_again)
{
    answer *list = script_add(w.server);
    world_start(&w);
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "1"));
    answer_end(list, KUBE_ERR_TRANSPORT, "cut", 0);
    world_add_list(&w, "b", "10", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "b@10"); /* nothing of the cut one */
    ck_assert_uint_eq(w.delay_count, 1);
}

TEST(an_expired_version_is_nothing_to_recover_from)
{
    kube_error expired = expired_error();
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    script_refuse(w.server, &expired);
    world_add_list(&w, "a", "20", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "a@20");
    ck_assert_int_eq(log_lines_count("again"), 0);
}
