/* SPDX-License-Identifier: Apache-2.0 */
/* The reflector as a machine (REF-1, REF-2, REF-13, FIFO-2), after client-go's
 * reflector_test.go. How it lists and watches is in test_reflector_list.c and
 * test_reflector_watch.c. */
#include "reflector_kit.h"

#include <stdio.h>
#include <string.h>

FIXTURE(set_up_reflector, tear_down_reflector);

TEST(lists_then_follows) /* TestReflectorListAndWatch */
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_ADDED, "c", "11");
    answer_event(watch, KUBE_WATCH_MODIFIED, "a", "12");
    answer_event(watch, KUBE_WATCH_DELETED, "b", "13");
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

static kube__reflector_stats stats_now(void)
{
    kube__reflector_stats stats;
    kube__reflector_get_stats(w.reflector, &stats);
    return stats;
}

TEST(knows_when_it_last_listed_and_heard_something)
{
    const int64_t begin = 1000000000;
    const int64_t second = 1000000000;
    answer *watch;
    world_start(&w);
    ck_assert_int_eq(stats_now().last_list_ns, 0);
    world_add_list(&w, "a", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(stats_now().last_list_ns, begin);
    ck_assert_int_eq(stats_now().last_event_ns, 0); /* a list is no event */
    ck_assert_int_eq(stats_now().last_heard_ns, 0);
    kube_fake_clock_advance_ms(w.fake, 1000);
    answer_event(watch, KUBE_WATCH_MODIFIED, "a", "11");
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

TEST(recovers_from_errors) /* TestReflectorListAndWatchWithErrors */
{
    kube_error broken = internal_error();
    answer *watch;
    world_start(&w);
    script_refuse(w.server, &broken);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_error(watch, &broken);
    world_add_list(&w, "bc", "20", NULL);
    script_refuse(w.server, &broken); /* REF-9: any answer but 429 leads to a list */
    world_add_list(&w, "d", "30", NULL);
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "d@30");
    ck_assert_str_eq(world_requests(&w),
                     "list rv=0 limit=500;list rv=0 limit=500;watch rv=10;list rv=10 limit=0;"
                     "watch rv=20;list rv=20 limit=0;watch rv=30");
    ck_assert_uint_eq(w.delay_count, 3);
    ck_assert_uint_eq(w.deletes, 3);
}

TEST(back_off_has_jitter_and_forgets) /* REF-2 */
{
    kube_error forbidden = forbidden_error();
    world_start(&w);
    w.random = 0.5;
    for (int i = 0; i < 3; i++)
        script_refuse(w.server, &forbidden);
    world_run(&w);
    kube_fake_clock_advance_ms(w.fake, 120001);
    script_refuse(w.server, &forbidden);
    world_run(&w);
    ck_assert_int_eq(w.delays[0], 1200);
    ck_assert_int_eq(w.delays[1], 2400);
    ck_assert_int_eq(w.delays[2], 4800);
    ck_assert_int_eq(w.delays[3], 1200);
}

TEST(a_watch_that_lived_for_a_while_makes_up_for_failures)
{
    kube_error forbidden = forbidden_error();
    kube_error expired = expired_error();
    answer *watch;
    world_start(&w);
    for (int i = 0; i < 3; i++)
        script_refuse(w.server, &forbidden);
    world_add_list(&w, "a", "10", NULL);
    answer_error(script_add(w.server), &expired);
    world_add_list(&w, "a", "20", NULL);
    watch = script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(w.delays[3], 6400); /* the first watch did not */
    kube_fake_clock_advance_ms(w.fake, 30000);
    answer_error(watch, &expired);
    world_run(&w);
    ck_assert_int_eq(w.delays[4], 800);
}

TEST(who_cannot_be_reached_is_tried_often)
{
    kube_error refused = refused_error();
    kube_error forbidden = forbidden_error();
    const int64_t expected[] = {200, 400, 800, 1600, 2500, 2500, 800, 200};
    world_start(&w);
    for (int i = 0; i < 6; i++)
        script_refuse(w.server, &refused);
    script_refuse(w.server, &forbidden); /* an answer is another matter */
    script_refuse(w.server, &refused);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 8);
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(w.delays[i], expected[i]);
}

TEST(retry_after_is_honoured)
{
    kube_error busy = too_many_requests_error();
    busy.retry_after_ms = 7000;
    world_start(&w);
    script_refuse(w.server, &busy);
    world_run(&w);
    ck_assert_int_eq(w.delays[0], 7000);
}

TEST(cancel_stops_it) /* TestReflectorStopWatch */
{
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    script_add(w.server);
    world_run(&w);
    ck_assert_int_eq(kube__reflector_get_state(w.reflector), KUBE__REFLECTOR_WATCH_READ);
    kube_ctx_cancel(w.ctx);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_STOPPED);
    ck_assert_int_eq(kube__reflector_step(w.reflector), KUBE__REFLECTOR_STOPPED);
}

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

static const char *gateway_of(const char *name)
{
    static char gateway[64];
    kube__name key = {"ns", name};
    const kube_object *object = kube__store_get(w.store, key);
    snprintf(gateway, sizeof gateway, "%s", object ? as_network(object)->spec.gateway : "(none)");
    kube_object_unref(object);
    return gateway;
}

TEST(transforms_once) /* TestReflectorRespectStoreTransformer, FIFO-2 */
{
    answer *watch;
    transforms = 0;
    w.options.transform = shout;
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    answer_event(watch, KUBE_WATCH_MODIFIED, "b", "11");
    answer_event(watch, KUBE_WATCH_ADDED, "f", "12"); /* fails: dropped */
    answer_event(watch, KUBE_WATCH_ADDED, "r", "13"); /* may not rename: dropped */
    world_run(&w);
    ck_assert_int_eq(transforms, 5);
    ck_assert_str_eq(gateway_of("a"), "10.1.0.1!");
    ck_assert_str_eq(gateway_of("b"), "10.1.0.1!");
    ck_assert_str_eq(world_cache(&w), "a@10 b@11");
}

TEST(failing_transform_fails_a_list_but_no_delete)
{
    answer *watch;
    world_start(&w);
    world_add_list(&w, "f", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    kube__reflector_free(w.reflector);
    w.options.transform = shout;
    world_start(&w); /* the cache has f, which the transform refuses now */
    world_add_list(&w, "f", "10", NULL);
    world_add_list(&w, "a", "20", NULL);
    watch = script_add(w.server);
    world_run(&w);
    ck_assert_uint_eq(w.delay_count, 1);
    ck_assert_str_eq(world_cache(&w), "a@20");
    w.deletes = 0;
    answer_event(watch, KUBE_WATCH_DELETED, "f", "21"); /* unknown and refused: dropped */
    world_run(&w);
    ck_assert_uint_eq(w.deletes, 0);
}

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

TEST(delete_that_fails_to_transform_is_told_with_the_cached_state)
{
    answer *watch;
    refusing = false;
    w.options.transform = refuse_later;
    world_start(&w);
    world_add_list(&w, "ab", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    refusing = true;
    answer_event(watch, KUBE_WATCH_DELETED, "a", "11");
    world_run(&w);
    ck_assert_uint_eq(w.deletes, 1);
    ck_assert_str_eq(world_cache(&w), "b@10");
}

TEST(delete_that_fails_to_transform_leaves_no_bad_object)
{
    kube__bad_objects *bad;
    answer *watch;
    refusing = false;
    w.options.transform = refuse_later;
    world_start(&w);
    world_add_list(&w, "b", "10", NULL);
    watch = script_add(w.server);
    answer_bad_object(watch, KUBE_WATCH_ADDED, "a", "not a network");
    world_run(&w);
    bad = kube__reflector_bad_objects(w.reflector);
    ck_assert_uint_eq(bad->len, 1);
    refusing = true;
    answer_event(watch, KUBE_WATCH_DELETED, "a", "11");
    world_run(&w);
    ck_assert_uint_eq(bad->len, 0);
    ck_assert_uint_eq(w.deletes, 0);
    ck_assert_str_eq(world_cache(&w), "b@10");
}

TEST(an_object_that_fails_to_transform_is_known_to_exist)
{
    kube__bad_objects *bad;
    answer *watch;
    kube_error err;
    refusing = false;
    w.options.transform = refuse_later;
    world_start(&w);
    world_add_list(&w, "b", "10", NULL);
    watch = script_add(w.server);
    world_run(&w);
    bad = kube__reflector_bad_objects(w.reflector);
    refusing = true;
    answer_event(watch, KUBE_WATCH_ADDED, "a", "11");
    world_run(&w);
    ck_assert(kube__bad_objects_find(bad, kube_key_of("ns", "a"), &err));
    ck_assert_int_eq(err.code, KUBE_ERR_UNDECODABLE);
    ck_assert_str_eq(err.message, "transform of a: not any more");
    refusing = false;
    answer_event(watch, KUBE_WATCH_MODIFIED, "a", "12");
    world_run(&w);
    ck_assert_uint_eq(bad->len, 0);
    ck_assert_str_eq(world_cache(&w), "a@12 b@10");
}

static int refusals;

static kube_code refuse_a12(void *arg, kube_ctx *ctx, kube_object *object, kube_error *err)
{
    const kube_object_meta *metadata = kube_object_metadata(object);
    (void)arg;
    (void)ctx;
    if (strcmp(metadata->name, "a") != 0 || strcmp(metadata->resource_version, "12") != 0)
        return KUBE_OK;
    refusals++;
    return kube_error_set(err, KUBE_ERR_ARGUMENT, "not this one");
}

/* A list of @names, and in one batch a first event of a@11, a second of a@12, which the transform
 * refuses, and one of b@13. */
static void run_with_a_refusal(const char *names, kube_watch_event_type first,
                               kube_watch_event_type second)
{
    answer *watch;
    refusals = 0;
    w.options.transform = refuse_a12;
    world_start(&w);
    world_add_list(&w, names, "10", NULL);
    watch = script_add(w.server);
    answer_event(watch, first, "a", "11");
    answer_event(watch, second, "a", "12");
    answer_event(watch, KUBE_WATCH_MODIFIED, "b", "13");
    world_run(&w);
    ck_assert_int_eq(refusals, 1);
}

TEST(recreated_object_that_fails_to_transform_is_known_to_exist)
{
    run_with_a_refusal("ab", KUBE_WATCH_DELETED, KUBE_WATCH_ADDED);
    ck_assert_str_eq(world_cache(&w), "b@13");
    ck_assert_uint_eq(w.deletes, 1);
    ck_assert_str_eq(w.bad_told, "+a ");
    ck_assert_uint_eq(kube__reflector_bad_objects(w.reflector)->len, 1);
}

TEST(a_good_state_in_the_same_batch_does_not_hide_that_the_newest_is_refused)
{
    run_with_a_refusal("ab", KUBE_WATCH_MODIFIED, KUBE_WATCH_MODIFIED);
    ck_assert_str_eq(world_cache(&w), "a@11 b@13");
    ck_assert_str_eq(w.bad_told, "+a ");
    ck_assert_uint_eq(kube__reflector_bad_objects(w.reflector)->len, 1);
}

TEST(delete_that_fails_to_transform_takes_what_the_same_batch_added)
{
    run_with_a_refusal("b", KUBE_WATCH_ADDED, KUBE_WATCH_DELETED);
    ck_assert_str_eq(world_cache(&w), "b@13");
    ck_assert_uint_eq(w.deletes, 1);
    ck_assert_str_eq(w.bad_told, "");
}

TEST(an_object_with_an_unusable_name_is_left_out)
{
    static const char *const names[] = {"", "..", "../a", "a%2f", "a\nb"};
    kube__reflector_stats stats;
    answer *watch;
    world_start(&w);
    world_add_list(&w, "b", "10", NULL);
    watch = script_add(w.server);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        answer_event(watch, KUBE_WATCH_ADDED, names[i], "11");
        answer_event(watch, KUBE_WATCH_DELETED, names[i], "12");
    }
    answer_event(watch, KUBE_WATCH_ADDED, "c", "13");
    world_run(&w);
    ck_assert_str_eq(world_cache(&w), "b@10 c@13");
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_uint_eq(stats.bad_objects, 10);
    ck_assert_uint_eq(stats.unusable, 0);
}

TEST(resync_runs_beside_the_watch) /* REF-13 */
{
    w.resync_ms = 30000;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
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

TEST(resync_goes_on_while_the_server_is_away)
{
    kube_error refused = refused_error();
    w.resync_ms = 5000;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
    for (int i = 0; i < 20; i++)
        script_refuse(w.server, &refused);
    world_run(&w);
    ck_assert_int_ge(w.resyncs, 5);
}

TEST(a_failure_that_lasts_is_told_every_minute_and_so_is_its_end)
{
    kube_error refused = refused_error();
    world_start(&w);
    w.random = 0;
    world_add_list(&w, "a", "10", NULL);
    for (int i = 0; i < 44; i++) /* back-offs of 0.2, 0.4, 0.8, 1.6, 2.5, 2.5 … s */
        script_refuse(w.server, &refused);
    answer_bookmark(script_add(w.server), "11");
    world_run(&w);
    ck_assert_int_eq(log_lines_count("networks: connection refused; trying again"), 1);
    ck_assert_int_eq(log_lines_count("connection refused"), 2);
    ck_assert_int_eq(log_lines_count("networks: still failing after 60 s: connection refused"), 1);
    ck_assert_int_eq(log_lines_count("networks: the cache is up to date again, after 103 s"), 1);
}

TEST(the_same_failure_is_told_once)
{
    kube_error forbidden = forbidden_error();
    kube__reflector_stats stats;
    world_start(&w);
    for (int i = 0; i < 5; i++)
        script_refuse(w.server, &forbidden);
    world_run(&w);
    ck_assert_int_eq(log_lines_count("networks: networks is forbidden"), 1);
    world_add_list(&w, "a", "10", NULL); /* well again: the next time it is told */
    script_refuse(w.server, &forbidden);
    world_run(&w);
    ck_assert_int_eq(log_lines_count("networks: networks is forbidden"), 2);
    kube__reflector_get_stats(w.reflector, &stats);
    ck_assert_str_eq(stats.last_error, "networks is forbidden");
    ck_assert_uint_eq(stats.backoffs, 6);
}

static char failures[4096];

static void note_failure(void *arg, const kube_type *type, const kube_error *err)
{
    ck_assert_ptr_eq(arg, &w);
    ck_assert_ptr_eq(type, &samplecrd_v1_network_type);
    ck_assert_ptr_ne(err, NULL);
    ck_assert_uint_lt(strlen(failures) + strlen(err->message), sizeof failures - 3);
    strcat(strcat(failures, err->message), "; ");
}

TEST(a_program_is_told_of_failures) /* INF-13 */
{
    kube_error forbidden = forbidden_error();
    kube_error expired = expired_error();
    failures[0] = '\0';
    w.options.on_failure = note_failure;
    w.options.on_failure_arg = &w;
    world_start(&w);
    script_refuse(w.server, &forbidden);
    script_refuse(w.server, &forbidden);
    world_add_list(&w, "a", "10", NULL);
    answer_error(script_add(w.server), &expired);
    world_add_list(&w, "a", "20", NULL);
    answer_end(script_add(w.server), KUBE_ERR_CLOSED, "", 300000); /* no failure */
    world_run(&w);
    ck_assert_str_eq(failures, "networks is forbidden; networks is forbidden; "
                               "too old resource version; ");
}

TEST(scope_is_asked_for)
{
    kube__result_stream_options asked;
    w.options.namespace_ = "prod";
    w.options.label_selector = "app=web";
    w.options.field_selector = "metadata.name=a";
    w.options.keep_managed_fields = true;
    w.options.buffer_bytes = 1234;
    world_start(&w);
    world_add_list(&w, "a", "10", NULL);
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
