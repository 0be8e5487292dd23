/* SPDX-License-Identifier: Apache-2.0 */
/* What handlers of an informer are told (INF-*, FIFO-*). The cases follow client-go's
 * the_real_fifo_test.go, controller_test.go and shared_informer_test.go, as far as those apply to
 * a design without a queue of its own. */
#include "base/text.h"
#include "cache/factory.h"
#include "informer_world.h"
#include "log_lines.h"
#include "support/gate.h"
#include "support/suite.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

static informer_world w;
static recorder *seen;

static void set_up(void)
{
    log_lines_start();
    informer_world_init(&w);
    seen = recorder_new();
}

static void tear_down(void)
{
    informer_world_fini(&w);
    recorder_free(seen);
    log_lines_stop();
}

static kube_error expired(void)
{
    kube_error err;
    kube_error_set(&err, KUBE_ERR_EXPIRED, "too old resource version");
    return err;
}

/* Makes the reflector list again, and waits for the back-off before it. */
static void force_relist(answer *stream)
{
    kube_error err = expired();
    answer_error(stream, &err);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    while (script_open_count(w.server) < 2)
        kube_fake_clock_advance_ms(w.fake, 100);
}

/* ---- what handlers are told ------------------------------------------------------------------ */

FIXTURE(set_up, tear_down);

/* Peers: TestRealFIFO_addReplace, TestRealFIFO_detectLineJumpers, TestHammerController,
 * TestTransformingInformerRace */
TEST(tells_adds_updates_and_deletes_in_order) /* TestUpdate, TestRealFIFO_addUpdate */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    informer_world_event(stream, KUBE_WATCH_ADDED, "b", "6");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "b", "7");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "b", "8");
    informer_world_event(stream, KUBE_WATCH_DELETED, "b", "9");
    informer_world_event(stream, KUBE_WATCH_ADDED, "b", "10");
    recorder_wait(seen, 6);
    ck_assert_str_eq(recorder_text(seen),
                     "add a@1 initial, add b@6, update b@6 b@7, update b@7 b@8, delete b@9, "
                     "add b@10");
}

TEST(added_twice_is_an_update) /* INF-1 */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    informer_world_event(stream, KUBE_WATCH_ADDED, "a", "6");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "b", "7");
    recorder_wait(seen, 3);
    ck_assert_str_eq(recorder_text(seen), "add a@1 initial, update a@1 a@6, add b@7");
}

/* Peers: TestSharedInformerInitializationRace, TestSharedInformerStartRace,
 * TestStateSharedInformer */
TEST(what_vanished_in_a_gap_is_a_tombstone) /* TestSharedInformerWatchDisruption */
{
    answer *stream = informer_world_list(&w, "ab", "1", "5");
    answer *list;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    recorder_wait(seen, 2);
    list = script_add(w.server);
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "b", "another uid", "8"));
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "c", "c", "7"));
    answer_initial_end(list, "9");
    force_relist(stream);
    recorder_wait(seen, 5);
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), "initial, delete a@1 tombstone, "));
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), "update b@1 b@8"));
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), "add c@7"));
    ck_assert_ptr_null(strstr(recorder_text(seen), "add c@7 initial"));
}

TEST(relist_repeats_what_did_not_change) /* INF-3: without resync, everyone is told */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    recorder_wait(seen, 1);
    informer_world_list(&w, "a", "1", "9");
    force_relist(stream);
    recorder_wait(seen, 2);
    ck_assert_str_eq(recorder_text(seen), "add a@1 initial, update a@1 a@1");
}

/* Peers: TestSharedInformerRemoveHandler, TestSharedInformerRemoveForeignHandler,
 * TestRemovingRemovedSharedInformer, TestSharedInformerHandlerAbuse, TestAddWhileActive,
 * TestRemoveWhileActive, TestAddOnStoppedSharedInformer, TestShutDownEventHandler_Lifecycles */
TEST(several_handlers_are_independent) /* TestSharedInformerMultipleRegistration */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    recorder *slow = recorder_new();
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    recorder_register(slow, w.informer);
    recorder_register(slow, w.informer); /* the same twice: told twice */
    recorder_hold(slow);
    informer_world_sync(&w);
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "6");
    recorder_wait(seen, 2); /* INF-6: not held up */
    ck_assert_uint_eq(recorder_count(slow), 0);
    recorder_let_go(slow);
    recorder_wait(slow, 4);
    kube_informer_factory_stop(w.factory);
    recorder_free(slow);
}

TEST(handlers_without_functions_are_fine) /* INF-12 */
{
    static const kube_handler nothing = {NULL, NULL, NULL};
    answer *stream = informer_world_list(&w, "ab", "1", "5");
    kube_registration *registration;
    informer_world_make(&w);
    ck_assert_int_eq(
        kube_informer_add_handler(w.informer, &nothing, NULL, NULL, &registration, NULL), KUBE_OK);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "6");
    informer_world_event(stream, KUBE_WATCH_DELETED, "a", "7");
    recorder_wait(seen, 4);
    ck_assert_int_eq(kube_informer_add_handler(w.informer, &nothing, NULL, NULL, NULL, NULL),
                     KUBE_OK);
}

/* ---- synced ---------------------------------------------------------------------------------- */

/* Peers: TestRealFIFO_HasSyncedCorrectOnDeletion */
TEST(synced_when_the_first_list_is_in) /* TestRealFIFO_HasSynced, FIFO-3 */
{
    answer *stream = script_add(w.server);
    kube_registration *registration;
    informer_world_make(&w);
    registration = recorder_register(seen, w.informer);
    recorder_hold(seen);
    ck_assert(!kube_informer_has_synced(w.informer));
    informer_world_start(&w);
    informer_world_event(stream, KUBE_WATCH_ADDED, "a", "1");
    informer_world_event(stream, KUBE_WATCH_DELETED, "a", "2"); /* an initial item goes again */
    informer_world_event(stream, KUBE_WATCH_ADDED, "b", "3");
    ck_assert(!kube_informer_has_synced(w.informer));
    answer_initial_end(stream, "4");
    informer_world_sync(&w);
    ck_assert(kube_informer_has_synced(w.informer));
    /* INF-5: the handler has not returned from the last add. */
    recorder_wait_held(seen);
    ck_assert(!kube_registration_has_synced(registration));
    recorder_let_go(seen);
    informer_world_event(stream, KUBE_WATCH_ADDED, "c", "5");
    recorder_wait(seen, 2); /* in order: so the initial batch has ended */
    ck_assert(kube_registration_has_synced(registration));
    ck_assert_str_eq(recorder_text(seen), "add b@3 initial, add c@5");
}

/* Peers: TestRealFIFO_HasSynced, TestRealFIFO_HasSyncedCorrectOnDeletion */
TEST(an_empty_list_syncs_too)
{
    answer *stream = informer_world_list(&w, "", "1", "5");
    kube_registration *registration;
    informer_world_make(&w);
    registration = recorder_register(seen, w.informer);
    informer_world_sync(&w);
    ck_assert(kube_informer_has_synced(w.informer));
    informer_world_event(stream, KUBE_WATCH_ADDED, "a", "6");
    recorder_wait(seen, 1);
    ck_assert(kube_registration_has_synced(registration));
    ck_assert_str_eq(recorder_text(seen), "add a@6");
}

/* Peers: TestSharedInformerRemoveHandler, TestSharedInformerRemoveForeignHandler,
 * TestSharedInformerMultipleRegistration, TestRemovingRemovedSharedInformer,
 * TestSharedInformerHandlerAbuse, TestAddWhileActive, TestRemoveWhileActive,
 * TestAddOnStoppedSharedInformer, TestShutDownEventHandler_Lifecycles */
TEST(late_handler_gets_what_is_there) /* INF-5 */
{
    answer *stream = informer_world_list(&w, "ab", "1", "5");
    kube_registration *registration;
    informer_world_make(&w);
    informer_world_sync(&w);
    registration = recorder_register(seen, w.informer);
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "6");
    recorder_wait(seen, 3);
    ck_assert(kube_registration_has_synced(registration));
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), "add a@1 initial"));
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), "add b@1 initial"));
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), ", update a@1 a@6"));
}

/* ---- resync ---------------------------------------------------------------------------------- */

/* Peers: TestListenerResyncPeriodsDelayed, TestResyncCheckPeriod */
TEST(resync_repeats_every_object) /* TestListenerResyncPeriods, INF-4 */
{
    w.options.resync_ms = 30000;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    recorder_wait(seen, 1);
    for (size_t i = 1; i <= 3; i++) {
        kube_fake_clock_wait_for_waiters(w.fake, 1);
        kube_fake_clock_advance_ms(w.fake, 30000);
        recorder_wait(seen, 1 + i);
    }
    ck_assert_str_eq(recorder_text(seen),
                     "add a@1 initial, update a@1 a@1, update a@1 a@1, update a@1 a@1");
}

/* Peers: TestListenerResyncPeriods, TestResyncCheckPeriod */
TEST(each_handler_has_its_own_period) /* TestListenerResyncPeriodsDelayed */
{
    recorder *late = recorder_new();
    w.options.resync_ms = 10000;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    kube_fake_clock_advance_ms(w.fake, 5000);
    recorder_register(late, w.informer);
    recorder_wait(late, 1);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    kube_fake_clock_advance_ms(w.fake, 5000); /* at 10 s: the first one only */
    recorder_wait(seen, 2);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    kube_fake_clock_advance_ms(w.fake, 10000); /* at 20 s: both */
    recorder_wait(seen, 3);
    recorder_wait(late, 2);
    ck_assert_str_eq(recorder_text(late), "add a@1 initial, update a@1 a@1");
    kube_informer_factory_stop(w.factory);
    recorder_free(late);
}

TEST(a_handler_not_due_is_spared_what_did_not_change) /* INF-3 */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    recorder *late = recorder_new();
    w.options.resync_ms = 10000;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    kube_fake_clock_advance_ms(w.fake, 5000);
    recorder_register(late, w.informer);
    recorder_wait(late, 1);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    kube_fake_clock_advance_ms(w.fake, 5000); /* the late one is found not to be due */
    recorder_wait(seen, 2);
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "1");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "6");
    recorder_wait(seen, 4);
    recorder_wait(late, 2);
    ck_assert_str_eq(recorder_text(late), "add a@1 initial, update a@1 a@6");
    kube_informer_factory_stop(w.factory);
    recorder_free(late);
}

/* Peers: TestListenerResyncPeriods, TestListenerResyncPeriodsDelayed, TestResyncCheckPeriod */
TEST(short_resync_is_raised) /* INF-4 */
{
    w.options.resync_ms = 10;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    ck_assert_int_eq(
        log_lines_count("the resync period of 10 ms is too short and was raised to 1000 ms"), 1);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    recorder_wait(seen, 1);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    ck_assert_int_eq(kube_fake_clock_next_ms(w.fake), 1000);
}

TEST(a_very_long_resync_is_as_good_as_never)
{
    /* In nanoseconds, and cut to 64 bits, less than a millisecond. */
    const int64_t very_long = INT64_C(18446744073710);
    const kube_handler_options options = {.resync_ms = very_long};
    answer *stream = informer_world_list(&w, "a", "1", "5");
    w.options.resync_ms = very_long;
    informer_world_make(&w);
    recorder_register_with(seen, w.informer, &options);
    informer_world_sync(&w);
    recorder_wait(seen, 1);
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    kube_fake_clock_advance_ms(w.fake, 60000);
    informer_world_event(stream, KUBE_WATCH_ADDED, "b", "6");
    recorder_wait(seen, 2);
    ck_assert_str_eq(recorder_text(seen), "add a@1 initial, add b@6");
    kube_informer_factory_stop(w.factory);
}

TEST(a_handler_has_a_period_of_its_own) /* INF-4 */
{
    static const kube_handler_options often = {.resync_ms = 4000};
    static const kube_handler_options never = {.resync_ms = KUBE_NO_RESYNC};
    static const kube_handler_options wrong = {.resync_ms = -2};
    recorder *quick = recorder_new();
    recorder *calm = recorder_new();
    kube_registration *registration;
    kube_error err;
    w.options.resync_ms = 10000;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    recorder_register_with(quick, w.informer, &often);
    recorder_register_with(calm, w.informer, &never);
    ck_assert_int_eq(
        kube_informer_add_handler(w.informer, &recorder_handler, seen, &wrong, &registration, &err),
        KUBE_ERR_ARGUMENT);
    informer_world_sync(&w);
    for (size_t i = 1; i <= 2; i++) {
        kube_fake_clock_wait_for_waiters(w.fake, 1);
        ck_assert_int_eq(kube_fake_clock_next_ms(w.fake), 4000);
        kube_fake_clock_advance_ms(w.fake, 4000);
        recorder_wait(quick, 1 + i);
    }
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    ck_assert_int_eq(kube_fake_clock_next_ms(w.fake), 2000);
    kube_fake_clock_advance_ms(w.fake, 2000);
    recorder_wait(seen, 2);
    ck_assert_uint_eq(recorder_count(quick), 3);
    recorder_wait(calm, 1);
    ck_assert_uint_eq(recorder_count(calm), 1);
    kube_informer_factory_stop(w.factory);
    recorder_free(quick);
    recorder_free(calm);
}

/* ---- filters --------------------------------------------------------------------------------- */

static bool is_web(void *arg, const kube_object *object)
{
    const kube_string_map *labels = &kube_object_metadata(object)->labels;
    (void)arg;
    return kube__text_same(kube_string_map_get(labels, "app"), "web");
}

TEST(a_filter_makes_adds_and_deletes_of_updates) /* INF-11: FilteringResourceEventHandler */
{
    static const kube_handler_options webs = {.name = "webs", .filter = is_web};
    recorder *all = recorder_new();
    answer *stream = script_add(w.server);
    answer *list;
    answer_object(stream, KUBE_WATCH_ADDED, labeled("ns", "a", "1", "app=web"));
    answer_object(stream, KUBE_WATCH_ADDED, labeled("ns", "b", "1", "app=db"));
    answer_initial_end(stream, "5");
    informer_world_make(&w);
    recorder_register(all, w.informer);
    recorder_register_with(seen, w.informer, &webs);
    informer_world_sync(&w);
    answer_object(stream, KUBE_WATCH_MODIFIED, labeled("ns", "b", "6", "app=db"));
    answer_object(stream, KUBE_WATCH_MODIFIED, labeled("ns", "b", "7", "app=web"));
    answer_object(stream, KUBE_WATCH_MODIFIED, labeled("ns", "b", "8", "app=web"));
    answer_object(stream, KUBE_WATCH_MODIFIED, labeled("ns", "b", "9", "app=db"));
    answer_object(stream, KUBE_WATCH_DELETED, labeled("ns", "b", "10", "app=web"));
    answer_object(stream, KUBE_WATCH_DELETED, labeled("ns", "a", "11", "app=db"));
    answer_object(stream, KUBE_WATCH_ADDED, labeled("ns", "c", "12", "app=web"));
    recorder_wait(all, 9);
    recorder_wait(seen, 6);
    ck_assert_str_eq(recorder_text(seen), "add a@1 initial, add b@7, update b@7 b@8, delete b@8, "
                                          "delete a@11, add c@12");
    list = script_add(w.server);
    answer_initial_end(list, "20");
    force_relist(stream);
    recorder_wait(seen, 7);
    ck_assert_ptr_nonnull(strstr(recorder_text(seen), ", delete c@12 tombstone"));
    kube_informer_factory_stop(w.factory);
    recorder_free(all);
}

/* ---- pressure -------------------------------------------------------------------------------- */

enum { MANY = 6000 };

static void send_many(answer *stream, int first, int count)
{
    char version[16];
    for (int i = 0; i < count; i++) {
        snprintf(version, sizeof version, "%d", first + i);
        informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", version);
    }
}

/* Of the last event, as the cache has it. */
static void wait_for_version(const char *name, const char *version)
{
    const kube_key key = {"ns", name};
    const kube_object *object = NULL;
    kube_ctx *ctx = kube_ctx_new();
    while (!object || strcmp(version_of(object), version) != 0) {
        sched_yield();
        kube_ctx_reset(ctx);
        if (kube_lister_get(kube_informer_lister(w.informer), ctx, key, &object, NULL))
            object = NULL;
    }
    kube_ctx_free(ctx);
}

TEST(a_handler_that_does_not_return_holds_up_nobody) /* INF-6 */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    recorder *stuck = recorder_new();
    kube_informer_stats stats;
    size_t told;
    informer_world_make(&w);
    recorder_register(stuck, w.informer);
    recorder_register(seen, w.informer);
    recorder_hold(stuck);
    informer_world_sync(&w);
    recorder_wait_held(stuck);
    send_many(stream, 10, MANY);
    recorder_wait_for(seen, "a@6009");
    ck_assert_uint_eq(script_unread(w.server), 0);
    ck_assert_uint_eq(recorder_count(stuck), 0);
    recorder_let_go(stuck);
    recorder_wait_for(stuck, "a@6009");
    told = recorder_count(stuck);
    ck_assert_uint_gt(told, 1024); /* what the ring had, each one */
    ck_assert_uint_lt(told, 1024 + 4 * 1000);
    kube_informer_get_stats(w.informer, &stats);
    ck_assert_uint_ge(stats.folded, MANY - told);
    kube_informer_factory_stop(w.factory);
    recorder_free(stuck);
}

/* What comes after the ring is full is folded by object. */
TEST(what_a_slow_handler_missed_is_told_in_one)
{
    answer *stream = informer_world_list(&w, "abcd", "1", "5");
    answer *list;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    recorder_hold(seen);
    informer_world_sync(&w);
    recorder_wait_held(seen);
    send_many(stream, 10, 1024);
    wait_for_version("a", "1033");
    informer_world_event(stream, KUBE_WATCH_ADDED, "f", "2000"); /* the ring is full */
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "f", "2001");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "2002");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "2003");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "b", "2004");
    informer_world_event(stream, KUBE_WATCH_DELETED, "b", "2005");
    informer_world_event(stream, KUBE_WATCH_DELETED, "c", "2006");
    informer_world_event(stream, KUBE_WATCH_ADDED, "c", "2007");
    informer_world_event(stream, KUBE_WATCH_ADDED, "e", "2008");
    informer_world_event(stream, KUBE_WATCH_DELETED, "e", "2009");
    informer_world_event(stream, KUBE_WATCH_DELETED, "never", "2010");
    informer_world_event(stream, KUBE_WATCH_ADDED, "g", "2011");
    wait_for_version("g", "2011");
    list = script_add(w.server);
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "a", "a", "2012"));
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "c", "c", "2007"));
    answer_object(list, KUBE_WATCH_ADDED, network("ns", "f", "f", "2001"));
    answer_initial_end(list, "3000");
    force_relist(stream);
    wait_for_version("a", "2012");
    recorder_let_go(seen);
    recorder_wait(seen, 4 + 1024 + 5);
    ck_assert_ptr_nonnull(strstr(recorder_text(seen),
                                 ", update a@1032 a@1033, add f@2001, update a@1033 a@2012, "
                                 "delete b@2005, update c@1 c@2007, delete d@1 tombstone"));
    ck_assert_ptr_null(strstr(recorder_text(seen), "e@"));
    ck_assert_ptr_null(strstr(recorder_text(seen), "g@"));
    ck_assert_ptr_null(strstr(recorder_text(seen), "never@"));
}

/* Else a filtered handler would hold on to what it was told once. */
TEST(a_folded_change_is_filtered_by_what_was_told)
{
    static const kube_handler_options webs = {.filter = is_web};
    answer *stream = script_add(w.server);
    answer_object(stream, KUBE_WATCH_ADDED, labeled("ns", "a", "1", "app=web"));
    answer_object(stream, KUBE_WATCH_ADDED, labeled("ns", "b", "1", "app=web"));
    answer_initial_end(stream, "5");
    informer_world_make(&w);
    recorder_register_with(seen, w.informer, &webs);
    recorder_hold(seen);
    informer_world_sync(&w);
    recorder_wait_held(seen);
    send_many(stream, 10, 1024); /* without labels, so they no longer pass */
    wait_for_version("a", "1033");
    answer_object(stream, KUBE_WATCH_MODIFIED, labeled("ns", "b", "2000", "app=db"));
    answer_object(stream, KUBE_WATCH_DELETED, labeled("ns", "b", "2001", "app=db"));
    answer_object(stream, KUBE_WATCH_ADDED, labeled("ns", "c", "2002", "app=web"));
    wait_for_version("c", "2002");
    recorder_let_go(seen);
    recorder_wait(seen, 5);
    ck_assert_str_eq(recorder_text(seen), "add a@1 initial, add b@1 initial, delete a@1, "
                                          "delete b@2001, add c@2002");
}

TEST(a_call_that_does_not_return_is_told)
{
    static const kube_handler_options named = {.name = "the slow one"};
    kube_error err;
    kube_informer_stats stats;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    kube__informer_factory_set_look_ms(w.factory, 1);
    recorder_register_with(seen, w.informer, &named);
    recorder_hold(seen);
    informer_world_sync(&w);
    recorder_wait_held(seen);
    kube_fake_clock_advance_ms(w.fake, 9999);
    kube_informer_get_stats(w.informer, &stats);
    ck_assert_int_eq(stats.handler_ms, 9999);
    ck_assert_str_eq(stats.handler, "the slow one");
    ck_assert_int_eq(log_lines_count("the slow one"), 0);
    kube_fake_clock_advance_ms(w.fake, 1);
    log_lines_wait("networks: handler \"the slow one\" has not returned from a call for 10 s");
    kube_fake_clock_advance_ms(w.fake, 49999);
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_OK);
    kube_fake_clock_advance_ms(w.fake, 1);
    ck_assert_int_eq(kube__informer_factory_check(w.factory, &err), KUBE_ERR_UNAVAILABLE);
    ck_assert_str_eq(err.message,
                     "networks: handler \"the slow one\" has not returned from a call for 60 s");
    kube_informer_get_stats(w.informer, &stats);
    ck_assert_int_eq(stats.handler_ms, 60000);
    ck_assert_int_eq(log_lines_count("the slow one"), 1);
    recorder_let_go(seen);
    log_lines_wait("networks: handler \"the slow one\": the call returned after 60 s");
    do
        kube_informer_get_stats(w.informer, &stats);
    while (stats.handler_ms > 0);
    ck_assert_str_eq(stats.handler, "");
}

TEST(a_handler_that_is_stuck_can_be_removed_once_it_returns)
{
    answer *stream = informer_world_list(&w, "", "1", "5");
    recorder *stuck = recorder_new();
    kube_registration *registration;
    informer_world_make(&w);
    registration = recorder_register(stuck, w.informer);
    recorder_register(seen, w.informer);
    recorder_hold(stuck);
    informer_world_sync(&w);
    send_many(stream, 10, MANY);
    recorder_wait_held(stuck);
    recorder_let_go(stuck);
    kube_informer_remove_handler(w.informer, registration);
    recorder_wait_for(seen, "a@6009");
    recorder_free(stuck);
}

/* ---- coming and going ------------------------------------------------------------------------ */

/* Peers: TestSharedInformerRemoveHandler, TestSharedInformerRemoveForeignHandler,
 * TestSharedInformerMultipleRegistration, TestRemovingRemovedSharedInformer,
 * TestSharedInformerHandlerAbuse, TestAddWhileActive, TestAddOnStoppedSharedInformer,
 * TestShutDownEventHandler_Lifecycles */
TEST(removed_handler_hears_nothing_more) /* TestRemoveWhileActive */
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    recorder *gone = recorder_new();
    kube_registration *registration;
    informer_world_make(&w);
    registration = recorder_register(gone, w.informer);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    recorder_wait(gone, 1);
    kube_informer_remove_handler(w.informer, registration);
    kube_informer_remove_handler(w.informer, NULL);
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "6");
    recorder_wait(seen, 2);
    ck_assert_uint_eq(recorder_count(gone), 1);
    recorder_free(gone);
}

/* Peers: TestSharedInformerRemoveHandler, TestSharedInformerMultipleRegistration,
 * TestRemovingRemovedSharedInformer, TestSharedInformerHandlerAbuse, TestAddWhileActive,
 * TestRemoveWhileActive, TestAddOnStoppedSharedInformer, TestShutDownEventHandler_Lifecycles */
TEST(foreign_handler_is_refused) /* TestSharedInformerRemoveForeignHandler */
{
    informer_world other;
    kube_registration *registration;
    informer_world_init(&other);
    informer_world_make(&other);
    informer_world_make(&w);
    registration = recorder_register(seen, w.informer);
    kube_informer_remove_handler(other.informer, registration);
    ck_assert_int_eq(log_lines_count("cannot remove a handler of another informer"), 1);
    kube_informer_remove_handler(w.informer, registration);
    informer_world_fini(&other);
}

static kube_registration *own;
static gate tried;
static int removals;

static void remove_own(void *arg, const kube_object *object, bool in_initial_list)
{
    (void)object;
    (void)in_initial_list;
    removals++;
    kube_informer_remove_handler(arg, own);
    gate_pass(&tried);
}

TEST(a_handler_may_remove_itself_from_inside) /* INF-8 */
{
    static const kube_handler handler = {remove_own, NULL, NULL};
    answer *stream = informer_world_list(&w, "abc", "1", "5");
    gate_init(&tried);
    informer_world_make(&w);
    ck_assert_int_eq(kube_informer_add_handler(w.informer, &handler, w.informer, NULL, &own, NULL),
                     KUBE_OK);
    informer_world_sync(&w);
    gate_wait(&tried, 1);
    recorder_register(seen, w.informer);
    informer_world_event(stream, KUBE_WATCH_ADDED, "d", "6");
    recorder_wait(seen, 4);
    kube_informer_factory_stop(w.factory);
    ck_assert_int_eq(removals, 1); /* neither "b" nor "c" nor "d" */
    gate_fini(&tried);
}

/* Peers: TestSharedInformerRemoveHandler, TestSharedInformerRemoveForeignHandler,
 * TestSharedInformerMultipleRegistration, TestRemovingRemovedSharedInformer,
 * TestSharedInformerHandlerAbuse, TestAddWhileActive, TestRemoveWhileActive,
 * TestAddOnStoppedSharedInformer, TestShutDownEventHandler_Lifecycles */
TEST(stopped_it_takes_nothing_more) /* INF-8 */
{
    kube_registration *registration;
    kube_registration *before;
    kube_informer *informer;
    kube_error err;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    before = recorder_register(seen, w.informer);
    informer_world_sync(&w);
    kube_informer_factory_stop(w.factory);
    kube_informer_factory_stop(w.factory);
    ck_assert_int_eq(
        kube_informer_add_handler(w.informer, &recorder_handler, seen, NULL, &registration, &err),
        KUBE_ERR_CLOSED);
    ck_assert_ptr_null(registration);
    ck_assert_int_eq(kube_informer_add_index(w.informer, "x", NULL, NULL, &err), KUBE_ERR_CLOSED);
    ck_assert_int_eq(kube_informer_factory_start(w.factory, w.ctx, &err), KUBE_ERR_CLOSED);
    ck_assert_str_eq(err.message, "the informer factory has been stopped and cannot start again");
    ck_assert_int_eq(kube_informer_factory_informer(w.factory, &samplecrd_v1_network_type, NULL,
                                                    &informer, &err),
                     KUBE_OK); /* what is there can still be read */
    kube_informer_remove_handler(w.informer, before);
}

/* Peers: TestRealFIFO_PopShouldUnblockWhenClosed, TestRealFIFO_transformer */
TEST(cancel_wakes_it_wherever_it_waits)
{
    kube_error refused;
    kube_error_set(&refused, KUBE_ERR_TRANSPORT, "connection refused");
    for (int where = 0; where < 4; where++) {
        informer_world_fini(&w);
        recorder_free(seen);
        set_up();
        informer_world_make(&w);
        recorder_register(seen, w.informer);
        if (where == 1) { /* in a stream */
            informer_world_list(&w, "a", "1", "5");
        } else if (where == 2) { /* in the back-off */
            script_refuse(w.server, &refused);
        } else if (where == 3) { /* with more than a ring for a handler that is busy */
            answer *stream = informer_world_list(&w, "", "1", "5");
            recorder_hold(seen);
            for (int i = 0; i < MANY; i++)
                informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "9");
        }
        informer_world_start(&w);
        if (where == 0)
            script_wait_opens(w.server, 1);
        else if (where == 3)
            recorder_wait_held(seen);
        else
            kube_fake_clock_wait_for_waiters(w.fake, 1);
        kube_ctx_cancel(w.ctx);
        recorder_let_go(seen);
        kube_informer_factory_stop(w.factory);
    }
}

static kube_code by_letter(void *arg, kube_ctx *ctx, const kube_object *object,
                           kube_index_emit *emit, void *sink, kube_error *err)
{
    const char *name = name_of(object);
    (void)arg;
    (void)err;
    emit(sink, kube_ctx_strndup(ctx, name, 1));
    return KUBE_OK;
}

TEST(an_index_can_come_while_it_runs)
{
    answer *stream = informer_world_list(&w, "ab", "1", "5");
    const kube_lister *lister;
    kube_cached_list list;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    ck_assert_int_eq(kube_informer_add_index(w.informer, "letter", by_letter, NULL, NULL), KUBE_OK);
    informer_world_event(stream, KUBE_WATCH_ADDED, "bb", "6");
    recorder_wait(seen, 3);
    lister = kube_informer_lister(w.informer);
    ck_assert_int_eq(kube_lister_by_index(lister, w.ctx, "letter", "b", &list, NULL), KUBE_OK);
    ck_assert_uint_eq(list.len, 2);
}

static _Atomic bool index_fails;

static kube_code by_luck(void *arg, kube_ctx *ctx, const kube_object *object, kube_index_emit *emit,
                         void *sink, kube_error *err)
{
    (void)arg;
    (void)ctx;
    (void)object;
    if (index_fails)
        return kube_error_set(err, KUBE_ERR_EXPIRED, "no luck");
    emit(sink, "lucky");
    return KUBE_OK;
}

/* What an index function fails for is applied again, by a list, until it succeeds. */
TEST(an_index_function_may_fail_and_nothing_is_lost)
{
    answer *stream = informer_world_list(&w, "a", "1", "5");
    kube_informer_status status;
    kube_cached_list list;
    kube_error err;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    index_fails = true;
    ck_assert_int_eq(kube_informer_add_index(w.informer, "luck", by_luck, NULL, &err),
                     KUBE_ERR_FAILED);
    ck_assert_str_eq(err.message, "index luck of a: no luck");
    index_fails = false;
    ck_assert_int_eq(kube_informer_add_index(w.informer, "luck", by_luck, NULL, &err), KUBE_OK);
    index_fails = true;
    informer_world_event(stream, KUBE_WATCH_ADDED, "b", "6");
    kube_fake_clock_wait_for_waiters(w.fake, 1);
    while (kube_informer_state(w.informer, &status) != KUBE_INFORMER_BEHIND)
        sched_yield();
    ck_assert_str_eq(status.why, "index luck of b: no luck");
    informer_world_list(&w, "ab", "6", "7");
    index_fails = false;
    while (kube_informer_state(w.informer, &status) != KUBE_INFORMER_SYNCED)
        kube_fake_clock_advance_ms(w.fake, 100);
    ck_assert_int_eq(
        kube_lister_by_index(kube_informer_lister(w.informer), w.ctx, "luck", "lucky", &list, NULL),
        KUBE_OK);
    ck_assert_uint_eq(list.len, 2);
}

/* A cache without a server, and only that: one that follows a server takes nothing from others. */
TEST(a_cache_can_be_filled_by_hand)
{
    const kube_lister *lister;
    const kube_object *object;
    kube_object *old = network("ns", "a", "a", "1");
    kube_object *new = network("ns", "a", "a", "2");
    kube_error err;
    informer_world_list(&w, "b", "1", "5");
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    lister = kube_informer_lister(w.informer);
    ck_assert_int_eq(kube_informer_enter(w.informer, old, false, &err), KUBE_OK);
    ck_assert_int_eq(kube_informer_enter(w.informer, new, false, &err), KUBE_OK);
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("ns", "a"), &object, &err),
                     KUBE_OK);
    ck_assert_str_eq(version_of(object), "2");
    ck_assert_int_eq(kube_informer_enter(w.informer, old, true, &err), KUBE_OK);
    ck_assert_int_eq(kube_informer_enter(w.informer, old, true, &err), KUBE_OK); /* is gone */
    ck_assert_uint_eq(kube_lister_count(lister), 0);
    informer_world_sync(&w);
    ck_assert_int_eq(kube_informer_enter(w.informer, old, false, &err), KUBE_ERR_ARGUMENT);
    recorder_wait(seen, 1);
    ck_assert_str_eq(recorder_text(seen), "add b@1 initial");
    kube_object_unref(old);
    kube_object_unref(new);
}

TEST(counts_what_it_does)
{
    answer *stream = informer_world_list(&w, "ab", "1", "5");
    kube_informer_stats stats;
    informer_world_make(&w);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    answer_bad(stream, "spec.cidr: expected a string");
    informer_world_event(stream, KUBE_WATCH_ADDED, "c", "6");
    recorder_wait(seen, 3);
    kube_informer_get_stats(w.informer, &stats);
    ck_assert_uint_eq(stats.watches, 1);
    ck_assert_uint_eq(stats.lists, 0);
    ck_assert_uint_eq(stats.events, 4); /* the end mark is none */
    ck_assert_uint_eq(stats.bad_objects, 1);
    ck_assert_uint_eq(stats.objects, 3);
    ck_assert_uint_gt(stats.object_bytes, 3 * sizeof(samplecrd_v1_network));
    ck_assert_str_eq(stats.last_error, "");
    ck_assert(stats.synced);
    ck_assert_int_gt(stats.last_list_ns, 0);
    ck_assert_int_gt(stats.last_event_ns, 0);
    ck_assert_int_gt(stats.last_heard_ns, 0);
}

static bool note_bad(void *arg, kube_key key, const char *why)
{
    char *text = arg;
    size_t len = strlen(text);
    snprintf(text + len, 200 - len, "%s/%s: %s; ", key.namespace_, key.name, why);
    return true;
}

static void expect_bad(size_t count, const char *expected)
{
    char text[200] = "";
    kube_informer_stats stats;
    kube_informer_get_stats(w.informer, &stats);
    ck_assert_uint_eq(stats.unusable, count);
    kube_informer_each_bad(w.informer, note_bad, text);
    ck_assert_str_eq(text, expected);
}

/* What does not decode is there all the same: it can be told, and its delete is one. */
TEST(an_object_that_does_not_decode_keeps_its_key)
{
    answer *stream = script_add(w.server);
    const kube_lister *lister;
    const kube_object *object;
    kube_error err;
    informer_world_event(stream, KUBE_WATCH_ADDED, "a", "1");
    answer_bad_object(stream, KUBE_WATCH_ADDED, "b", "spec.cidr: a number");
    answer_initial_end(stream, "5");
    informer_world_make(&w);
    lister = kube_informer_lister(w.informer);
    recorder_register(seen, w.informer);
    informer_world_sync(&w);
    expect_bad(1, "ns/b: spec.cidr: a number; ");
    ck_assert_int_eq(log_lines_count("networks: skipped ns/b that cannot be used"), 1);
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("ns", "b"), &object, &err),
                     KUBE_ERR_UNDECODABLE);
    ck_assert_str_eq(err.message, "networks \"b\" cannot be decoded: spec.cidr: a number");
    ck_assert_str_eq(err.field, "spec.cidr");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "b", "6");
    answer_bad_object(stream, KUBE_WATCH_MODIFIED, "a", "spec.gateway: a list");
    answer_bad_object(stream, KUBE_WATCH_ADDED, "never", "spec.mtu: text");
    answer_bad_object(stream, KUBE_WATCH_DELETED, "b", "spec.cidr: a number");
    informer_world_event(stream, KUBE_WATCH_ADDED, "c", "7");
    recorder_wait(seen, 4);
    ck_assert_str_eq(recorder_text(seen), "add a@1 initial, add b@6, delete b@6, add c@7");
    expect_bad(2, "ns/a: spec.gateway: a list; ns/never: spec.mtu: text; ");
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("ns", "a"), &object, &err),
                     KUBE_OK); /* its last good state */
    ck_assert_str_eq(version_of(object), "1");
    answer_bad_object(stream, KUBE_WATCH_DELETED, "never", "spec.mtu: text");
    informer_world_event(stream, KUBE_WATCH_MODIFIED, "a", "8");
    informer_world_event(stream, KUBE_WATCH_ADDED, "d", "9");
    recorder_wait(seen, 6);
    ck_assert_int_eq(kube_lister_get(lister, w.ctx, kube_key_of("ns", "never"), &object, &err),
                     KUBE_ERR_NOT_FOUND);
    informer_world_event(stream, KUBE_WATCH_ADDED, "e", "10"); /* a batch later */
    recorder_wait(seen, 7);
    expect_bad(0, "");
}

TEST(a_failed_ctx_reads_nothing)
{
    const kube_lister *lister;
    const kube_object *object;
    kube_cached_list list;
    kube_ctx *failed = kube_ctx_new();
    kube_error err;
    informer_world_list(&w, "a", "1", "5");
    informer_world_make(&w);
    lister = kube_informer_lister(w.informer);
    ck_assert_ptr_null(kube_ctx_alloc_array(failed, SIZE_MAX, 2));
    ck_assert_int_eq(kube_informer_factory_start(w.factory, failed, &err), KUBE_ERR_NO_MEMORY);
    informer_world_start(&w);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, w.ctx, &err), KUBE_OK);
    ck_assert_int_eq(kube_informer_factory_wait_synced(w.factory, failed, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_lister_get(lister, failed, kube_key_of("default", NULL), &object, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_lister_list(lister, failed, NULL, "a in (", &list, &err),
                     KUBE_ERR_NO_MEMORY);
    ck_assert_int_eq(kube_lister_by_index(lister, failed, "namespace", NULL, &list, &err),
                     KUBE_ERR_NO_MEMORY);
    kube_ctx_free(failed);
}
