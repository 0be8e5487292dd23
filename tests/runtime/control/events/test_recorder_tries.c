/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of events in time: tries and pauses (EV-4), budgets (EV-3), series (EV-6), outages
 * under load. */
#include "base/thread.h"
#include "control/events/recorder.h"
#include "recorder_world.h"

#include <stdio.h>
#include <string.h>

/* ---- tries and budgets ---------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

/* Peers: TestWriteEventError */
TEST(a_lost_event_is_tried_twelve_times)
{
    start_on_fake_clock((kube_recorder_options){.seed = 7});
    for (int i = 0; i < 12; i++)
        http_server_reply_reset(server);
    synced("lost"); /* EV-4 */
    int64_t first_ms = pass_pause();
    ck_assert_int_ge(first_ms, 0);
    ck_assert_int_lt(first_ms, 10000);
    for (size_t i = 2; i < 12; i++) {
        http_server_wait(server, i);
        ck_assert_int_eq(pass_pause(), 10000);
    }
    http_server_wait(server, 12);
    http_server_wait_idle(server);
    flush_and_free_clock();
    ck_assert_uint_eq(http_server_count(server), 12);
    ck_assert_int_eq(logged("event Synced of Network team/blue not sent: "), 1);
    expect_part(request(11), "\"firstTimestamp\":\"2026-11-21T02:40:23Z\"");
}

TEST(the_first_pause_is_by_chance)
{
    int64_t pauses[3];
    for (uint64_t i = 0; i < 3; i++) {
        start_on_fake_clock((kube_recorder_options){.seed = i == 2 ? 12345 : 99});
        http_server_reply_reset(server);
        synced("lost");
        pauses[i] = pass_pause();
        answer(1);
        flush_and_free_clock();
    }
    ck_assert_int_eq(pauses[0], pauses[1]);
    ck_assert_int_ne(pauses[0], pauses[2]);
}

TEST(an_event_that_waits_does_not_hold_up_the_next)
{
    start_on_fake_clock((kube_recorder_options){0});
    http_server_reply_reset(server);
    synced("lost");
    kube_fake_clock_wait_for_waiters(fake, 1);
    answer(1);
    synced("sent"); /* though no time passes */
    expect_part(request(1), "\"message\":\"sent\"");
    kube_fake_clock_wait_for_waiters(fake, 1);
    ck_assert_uint_eq(stats().queued, 1);
    ck_assert_uint_eq(stats().sent, 1);
    answer(1);
    pass_pause();
    expect_part(request(2), "\"message\":\"lost\"");
    flush_and_free_clock();
}

TEST(an_event_that_arrived_without_an_answer_is_sent)
{
    start_on_fake_clock((kube_recorder_options){0});
    http_server_reply_reset(server);
    http_server_reply(server, 409, JSON, STATUS(409, "AlreadyExists", ""));
    answer(1);
    synced("up");
    pass_pause();
    http_server_wait(server, 2);
    synced("up");
    expect_part(request(2), "PATCH ");
    flush_and_free_clock();
    ck_assert_int_eq(logged("not sent"), 0);
}

TEST(repeats_of_a_lost_event_are_counted_when_it_is_sent)
{
    start_on_fake_clock((kube_recorder_options){0});
    http_server_reply_reset(server);
    synced("up");
    kube_fake_clock_wait_for_waiters(fake, 1);
    http_server_reply_reset(server);
    synced("up"); /* a patch, lost too */
    http_server_wait(server, 2);
    kube_fake_clock_wait_for_waiters(fake, 1);
    answer(2);
    flush(); /* tries both at once */
    recorder = NULL;
    expect_part(request(1), "PATCH ");
    for (size_t i = 2; i < 4; i++)
        expect_part(request(i), "\"count\":2");
    kube_fake_clock_free(fake);
}

TEST(what_is_over_the_budget_is_not_sent)
{
    start_on_fake_clock((kube_recorder_options){.spam_burst = 2});
    answer(3);
    for (int i = 0; i < 5; i++)
        synced("up");
    http_server_wait(server, 2);
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_uint_eq(stats().spam, 3);
    kube_fake_clock_advance_ms(fake, 300000);
    synced("up");
    expect_part(request(2), "\"count\":6,");
    flush_and_free_clock();
    ck_assert_uint_eq(http_server_count(server), 3);
    ck_assert_int_eq(logged("not sent"), 0);
}

TEST(ten_similar_events_become_one)
{
    char message[16];
    answer(11);
    for (int i = 1; i <= 11; i++) {
        snprintf(message, sizeof message, "text %d", i);
        synced(message);
    }
    expect_part(request(9), "POST ");
    expect_part(request(9), "\"message\":\"(combined from similar events): text 10\"");
    expect_part(request(10), "PATCH ");
    expect_part(request(10), "\"message\":\"(combined from similar events): text 11\"");
    flush();
}

/* ---- notes, and events.k8s.io -------------------------------------------------------------- */

TEST(a_note_says_more)
{
    const samplecrd_v1_network blue = network("team", "blue");
    const samplecrd_v1_network red = network("team", "red");
    kube_string_map_entry entries[] = {{"a.b/c", "1"}};
    const kube_event_note note = {.regarding = &blue.base,
                                  .related = &red.base,
                                  .type = KUBE_EVENT_WARNING,
                                  .reason = "Lost",
                                  .action = "Route",
                                  .annotations = {entries, 1}};
    answer(1);
    kube_recorder_note(recorder, &note, "no route to %s", "red");
    expect_part(request(0), "\"action\":\"Route\"");
    expect_part(request(0), "\"annotations\":{\"a.b/c\":\"1\"}");
    expect_part(request(0), "\"related\":{\"apiVersion\":\"samplecrd.k8s.io/v1\","
                            "\"kind\":\"Network\",\"name\":\"red\",\"namespace\":\"team\"");
    expect_part(request(0), "\"message\":\"no route to red\"");
    flush();
}

TEST(events_k8s_io_has_the_newer_shape)
{
    const char *text;
    start_on_fake_clock((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    answer(1);
    synced("up");
    text = request(0);
    expect_part(text, "POST /apis/events.k8s.io/v1/namespaces/team/events ");
    expect_part(text, "\"apiVersion\":\"events.k8s.io/v1\"");
    expect_part(text, "\"eventTime\":\"2026-11-21T02:40:23.000000Z\"");
    expect_part(text, "\"reportingController\":\"tester\"");
    expect_part(text, "\"reportingInstance\":\"tester-");
    expect_part(text, "\"action\":\"Synced\"");
    expect_part(text, "\"reason\":\"Synced\"");
    expect_part(text, "\"note\":\"up\"");
    expect_part(text, "\"type\":\"Normal\"");
    expect_part(text, "\"regarding\":{\"apiVersion\":\"samplecrd.k8s.io/v1\",\"kind\":\"Network\"");
    ck_assert_ptr_null(strstr(text, "series"));
    flush_and_free_clock();
}

TEST(events_k8s_io_needs_an_action)
{
    const samplecrd_v1_network blue = network("team", "blue");
    start((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    kube_recorder_note(
        recorder,
        &(kube_event_note){.regarding = &blue.base, .type = KUBE_EVENT_NORMAL, .reason = "Seen"},
        "it");
    ck_assert_int_eq(logged("event Seen dropped: it has no action: it"), 1);
    ck_assert_uint_eq(stats().dropped, 1);
}

/* Peers: TestEventSeriesf, TestFinishSeries, TestRefreshExistingEventSeries */
TEST(a_series_is_patched_counted_and_ended)
{
    start_on_fake_clock((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    answer(3);
    for (int i = 0; i < 5; i++)
        synced("up");
    expect_part(request(1), "PATCH /apis/events.k8s.io/v1/namespaces/team/events/blue.");
    expect_part(request(1), "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-11-21T02:40:23."
                            "000000Z\"}}");
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_int_eq(pass_pause(), 360000); /* EV-6 */
    expect_part(request(2), "{\"series\":{\"count\":5,");
    flush_and_free_clock();
    ck_assert_uint_eq(http_server_count(server), 3);
}

TEST(a_series_that_expired_is_made_anew)
{
    start((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    answer(1);
    http_server_reply(server, 404, NULL, "404 page not found\n");
    answer(1);
    synced("up");
    synced("up");
    expect_part(request(2), "POST ");
    expect_part(request(2), "\"series\":{\"count\":2,");
    flush();
}

TEST(freeing_writes_the_counts_of_series)
{
    start((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    answer(3);
    for (int i = 0; i < 4; i++)
        synced("up");
    flush();
    ck_assert_uint_eq(http_server_count(server), 3);
    expect_part(request(2), "{\"series\":{\"count\":4,");
}

TEST(a_series_whose_first_event_is_lost_goes_out_whole)
{
    start_on_fake_clock((kube_recorder_options){.api = KUBE_RECORDER_EVENTS, .seed = 3});
    http_server_reply_reset(server);
    synced("up");
    kube_fake_clock_wait_for_waiters(fake, 1);
    int64_t ms = kube_fake_clock_next_ms(fake);
    ck_assert_int_ge(ms, 10000);
    ck_assert_int_le(ms, 12500);
    synced("up");
    synced("up");
    kube__recorder_drain(recorder, LONG_MS);
    answer(1);
    flush();
    ck_assert_uint_eq(http_server_count(server), 2);
    expect_part(request(1), "POST ");
    expect_part(request(1), "\"series\":{\"count\":3,");
    kube_fake_clock_free(fake);
}

TEST(a_series_whose_first_event_arrived_without_an_answer_is_patched)
{
    start_on_fake_clock((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    http_server_reply_reset(server);
    synced("up");
    kube_fake_clock_wait_for_waiters(fake, 1);
    synced("up");
    kube__recorder_drain(recorder, LONG_MS);
    http_server_reply(server, 409, JSON, STATUS(409, "AlreadyExists", ""));
    answer(1);
    flush();
    expect_part(request(1), "POST ");
    expect_part(request(2), "PATCH ");
    expect_part(request(2), "{\"series\":{\"count\":2,");
    ck_assert_int_eq(logged("not sent:"), 0);
    kube_fake_clock_free(fake);
}

/* ---- threads ------------------------------------------------------------------------------- */

enum { THREADS = 4, EACH = 25 };

static void *record(void *arg)
{
    const samplecrd_v1_network own = network("team", arg);
    for (int i = 0; i < EACH; i++)
        kube_recorder_event(recorder, &own.base, KUBE_EVENT_NORMAL, "Seen", "%d", i);
    return NULL;
}

/* Peers: TestNonRacyShutdown, TestBroadcasterShutdown, TestCancelEvent */
TEST(any_thread_may_record)
{
    static char names[THREADS][2] = {"a", "b", "c", "d"};
    kube__thread threads[THREADS] = {0};
    int posts = 0;
    start((kube_recorder_options){.max_similar = -1});
    answer(THREADS * EACH);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(kube__thread_start(&threads[i], "test", record, names[i], &err), KUBE_OK);
    for (int i = 0; i < THREADS; i++)
        kube__thread_join(&threads[i]);
    flush();
    ck_assert_uint_eq(http_server_count(server), THREADS * EACH);
    for (size_t i = 0; i < THREADS * EACH; i++)
        posts += strncmp(http_server_request(server, i), "POST ", 5) == 0;
    ck_assert_int_eq(posts, THREADS * EACH);
}

enum { MANY = 1000, FAILURES = 4 };

static void *record_many(void *arg)
{
    char name[16];
    for (int i = 0; i < MANY / THREADS; i++) {
        snprintf(name, sizeof name, "%s%d", (const char *)arg, i);
        const samplecrd_v1_network own = network("team", name);
        kube_recorder_event(recorder, &own.base, KUBE_EVENT_NORMAL, "Seen", "%d", i);
    }
    return NULL;
}

/* TestLotsOfEvents: none is lost though each fails several times. */
/* Peers: TestEventfNoNamespace, TestMultiSinkCache */
TEST(many_events_arrive_through_an_outage)
{
    static char names[THREADS][2] = {"a", "b", "c", "d"};
    kube__thread threads[THREADS] = {0};
    start_on_fake_clock((kube_recorder_options){.log = true});
    for (int i = 0; i < MANY * FAILURES; i++)
        http_server_reply_reset(server);
    answer(MANY);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(kube__thread_start(&threads[i], "test", record_many, names[i], &err),
                         KUBE_OK);
    for (int i = 0; i < THREADS; i++)
        kube__thread_join(&threads[i]);
    for (int round = 1; round <= FAILURES; round++) {
        kube__recorder_drain(recorder, LONG_MS);
        ck_assert_uint_eq(http_server_count(server), (size_t)(round * MANY));
        ck_assert_uint_eq(stats().queued, MANY);
        kube_fake_clock_advance_ms(fake, 10000);
        http_server_wait(server, (size_t)(round * MANY + MANY));
    }
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_uint_eq(stats().sent, MANY);
    ck_assert_uint_eq(stats().dropped, 0);
    ck_assert_int_eq(logged_events(), MANY);
    flush_and_free_clock();
}
