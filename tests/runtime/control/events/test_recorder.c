/* SPDX-License-Identifier: Apache-2.0 */
/* EV-1 to EV-6, on a server by script that notes what it was sent. The rules of counting and of
 * series have tests of their own; tries and pauses are in test_recorder_tries.c. */
#include "control/events/recorder.h"
#include "recorder_world.h"
#include "support/fail_malloc.h"

#include <kube/log.h>
#include <kube/testing/recorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LEN_MAX = 253 };

/* The first string member @key of a document, in @value. */
static const char *member(const char *text, const char *key, char *value, size_t size)
{
    char quoted[64];
    const char *at;
    snprintf(quoted, sizeof quoted, "\"%s\":\"", key);
    at = strstr(text, quoted);
    ck_assert_msg(at != NULL, "no %s in %s", key, text);
    at += strlen(quoted);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
    return value;
}

FIXTURE(set_up, tear_down);

/* Peers: TestEventf */
TEST(an_event_says_what_happened_to_what)
{
    char value[512];
    const char *text;
    answer(1);
    synced("network 10.1.0.0/16 is up");
    text = request(0);
    expect_part(text, "POST /api/v1/namespaces/team/events ");
    expect_part(text, "\"kind\":\"Event\"");
    expect_part(text, "\"apiVersion\":\"v1\"");
    expect_part(text, "\"namespace\":\"team\"");
    member(text, "name", value, sizeof value); /* EV-2: blue.<16 hexadecimal digits> */
    ck_assert_uint_eq(strlen(value), strlen("blue.") + 16);
    ck_assert_uint_eq(strspn(value + 5, "0123456789abcdef"), 16);
    expect_part(text, "\"count\":1");
    member(text, "firstTimestamp", value, sizeof value);
    ck_assert_uint_eq(strlen(value), strlen("2026-11-21T02:40:23Z"));
    text = strstr(text, "\"involvedObject\":");
    ck_assert_ptr_nonnull(text);
    expect_part(text, "\"kind\":\"Network\"");
    expect_part(text, "\"apiVersion\":\"samplecrd.k8s.io/v1\"");
    expect_part(text, "\"name\":\"blue\"");
    expect_part(text, "\"uid\":\"u-1\"");
    expect_part(text, "\"resourceVersion\":\"7\"");
    expect_part(text, "\"reason\":\"Synced\"");
    expect_part(text, "\"message\":\"network 10.1.0.0/16 is up\"");
    expect_part(text, "\"component\":\"tester\"");
    expect_part(text, "\"reportingComponent\":\"tester\"");
    expect_part(text, "\"type\":\"Normal\"");
    flush();
    ck_assert_uint_eq(http_server_count(server), 1);
}

/* Peers: TestEventf */
TEST(a_repeat_counts_up_the_event_that_is_there)
{
    char name[512];
    char line[1024];
    answer(3);
    for (int i = 0; i < 3; i++)
        synced("up");
    member(request(0), "name", name, sizeof name);
    snprintf(line, sizeof line, "PATCH /api/v1/namespaces/team/events/%s ", name);
    expect_part(request(1), line);
    expect_part(request(1), "Content-Type: application/merge-patch+json");
    expect_part(request(1), "{\"count\":2,\"lastTimestamp\":\"");
    expect_part(request(1), "\",\"message\":\"up\"}");
    expect_part(request(2), line);
    expect_part(request(2), "{\"count\":3,");
    flush();
    ck_assert_uint_eq(http_server_count(server), 3);
}

TEST(whatever_differs_makes_another_event)
{
    samplecrd_v1_network blue = network("team", "blue");
    answer(6);
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Synced", "up");
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Synced", "down");
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Seen", "up");
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_WARNING, "Synced", "up");
    blue.metadata.uid = "u-2"; /* deleted and made again under its name */
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Synced", "up");
    blue.metadata.namespace_ = "other";
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Synced", "up");
    flush();
    ck_assert_uint_eq(http_server_count(server), 6);
    for (size_t i = 0; i < 6; i++)
        expect_part(request(i), "POST ");
}

/* Peers: TestUpdateExpiredEvent */
TEST(an_event_that_expired_is_made_anew)
{
    answer(1);
    http_server_reply(server, 404, NULL, "404 page not found\n");
    answer(2);
    for (int i = 0; i < 3; i++)
        synced("up");
    flush();
    expect_part(request(1), "PATCH ");
    expect_part(request(2), "POST "); /* what was counted is not lost */
    expect_part(request(2), "\"count\":2");
    ck_assert_ptr_null(strstr(request(2), "\"metadata\":{\"resourceVersion\""));
    expect_part(request(3), "PATCH ");
    expect_part(request(3), "\"count\":3");
}

/* Peers: TestLotsOfEvents, TestEventfNoNamespace, TestMultiSinkCache */
TEST(an_object_without_namespace_has_its_events_in_default)
{
    const samplecrd_v1_network wide = network(NULL, "wide");
    answer(1);
    kube_recorder_event(recorder, &wide.base, KUBE_EVENT_NORMAL, "Seen", "it");
    flush();
    expect_part(request(0), "POST /api/v1/namespaces/default/events ");
}

TEST(a_name_without_room_for_the_suffix_is_not_used)
{
    char name[NAME_LEN_MAX + 1];
    char value[512];
    samplecrd_v1_network network_;
    memset(name, 'x', NAME_LEN_MAX);
    name[NAME_LEN_MAX] = '\0';
    network_ = network("team", name);
    answer(1);
    kube_recorder_event(recorder, &network_.base, KUBE_EVENT_NORMAL, "Seen", "it");
    member(request(0), "name", value, sizeof value);
    ck_assert_uint_eq(strlen(value), 36); /* EV-2: a UUID */
}

TEST(a_long_message_is_cut_between_characters)
{
    char message[4000] = "";
    char value[4000];
    for (size_t i = 0; i + 4 < sizeof message; i += 3)
        memcpy(message + i, "\xe2\x82\xac", 4); /* 3 bytes, and 1024 is the limit */
    answer(2);
    synced(message);
    message[0] = 'x';
    message[1] = 'x';
    memmove(message + 2, message + 3, strlen(message + 3) + 1); /* now a border is at 1022 */
    synced(message);
    flush();
    member(request(0), "message", value, sizeof value);
    ck_assert_uint_eq(strlen(value), 1023);
    member(request(1), "message", value, sizeof value);
    ck_assert_uint_eq(strlen(value), 1022);
}

TEST(a_message_that_is_no_utf8_is_sent_all_the_same)
{
    answer(1);
    synced("\xe2\x82\xac and \xff and \xe2\x82");
    expect_part(request(0), "\"message\":\"\xe2\x82\xac and ? and ??\"");
    flush();
}

TEST(what_is_no_event_is_dropped_and_told)
{
    const samplecrd_v1_network untyped = {.metadata = {.name = "blue", .namespace_ = "team"}};
    const samplecrd_v1_network blue = network("team", "blue");
    kube_recorder_event(recorder, &untyped.base, KUBE_EVENT_NORMAL, "Seen", "%d", 1);
    kube_recorder_event(recorder, NULL, KUBE_EVENT_NORMAL, "Seen", "%d", 2);
    kube_recorder_event(recorder, &blue.base, (kube_event_type)2, "Seen", "%d", 3);
    kube_recorder_event(recorder, &blue.base, (kube_event_type)-1, "Seen", "%d", 4);
    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "", "%d", 5);
    kube_recorder_note(recorder,
                       &(kube_event_note){.regarding = &blue.base,
                                          .related = &untyped.base,
                                          .type = KUBE_EVENT_NORMAL,
                                          .reason = "Seen"},
                       "%d", 6);
    ck_assert_uint_eq(stats().dropped, 6);
    ck_assert_uint_eq(stats().recorded, 0);
    flush();
    ck_assert_uint_eq(http_server_count(server), 0);
    ck_assert_int_eq(logged("event Seen dropped: its object has no type"), 2);
    ck_assert_int_eq(logged("event Seen dropped: its type is neither Normal nor Warning"), 2);
    ck_assert_int_eq(logged("event  dropped: it has no reason: 5"), 1);
    ck_assert_int_eq(logged("event Seen dropped: its related object has no type: 6"), 1);
}

/* Which answers are final, and which of them are worth a warning (TestWriteEventError). */
TEST(an_answer_of_the_server_is_final)
{
    http_server_reply(server, 403, JSON, STATUS(403, "Forbidden", ""));
    http_server_reply(server, 500, NULL, "broken");
    http_server_reply(server, 409, JSON, STATUS(409, "AlreadyExists", ""));
    http_server_reply(server, 403, JSON,
                      STATUS(403, "Forbidden",
                             ",\"details\":{\"causes\":[{\"reason\":\"NamespaceTerminating\"}]}"));
    answer(1);
    for (int i = 1; i <= 5; i++)
        synced((char[]){(char)('0' + i), '\0'});
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_uint_eq(stats().failed, 4);
    ck_assert_uint_eq(stats().sent, 1);
    ck_assert_uint_eq(http_server_count(server), 5);
    ck_assert_int_eq(logged("event Synced of Network team/blue not sent: "), 2);
    expect_part(request(4), "\"message\":\"5\"");
}

/* The recorder anew, with a client that has @fence. */
static void start_fenced(kube_fence *fence)
{
    flush();
    kube_client_free(client);
    client = make_client(&(kube_client_options){.fence = fence});
    start((kube_recorder_options){0});
}

TEST(a_closed_fence_is_final_and_no_warning)
{
    kube_fence *fence = kube_fence_new(NULL);
    start_fenced(fence);
    kube_log_set_level(KUBE_LOG_DEBUG);
    synced("up");
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_uint_eq(stats().failed, 1);
    ck_assert_uint_eq(stats().queued, 0);
    ck_assert_int_eq(logged("event Synced of Network team/blue not sent: "), 1);
    kube_log_set_level(KUBE_LOG_INFO);
    synced("down");
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_int_eq(logged("event Synced of Network team/blue not sent: "), 1);
    flush();
    ck_assert_uint_eq(http_server_count(server), 0);
    kube_client_free(client);
    client = NULL;
    kube_fence_free(fence);
}

TEST(a_full_queue_drops_new_events_and_says_so_once)
{
    start((kube_recorder_options){.queue_len = 2});
    synced("in hand");
    http_server_wait(server, 1); /* the server has not answered it */
    synced("waits 1");
    synced("waits 2");
    synced("dropped 1");
    synced("dropped 2");
    ck_assert_int_eq(logged("dropped: the queue is full (2 events)"), 1);
    ck_assert_uint_eq(stats().queued, 2);
    ck_assert_uint_eq(stats().dropped, 2);
    ck_assert_uint_eq(stats().recorded, 3);
    answer(3);
    flush();
    ck_assert_uint_eq(http_server_count(server), 3);
    expect_part(request(2), "\"message\":\"waits 2\"");
}

/* Peers: TestNonRacyShutdown, TestBroadcasterShutdown, TestCancelEvent */
TEST(freeing_sends_what_is_queued)
{
    start((kube_recorder_options){.max_similar = -1});
    answer(20);
    for (int i = 0; i < 20; i++) {
        char text[8];
        snprintf(text, sizeof text, "%d", i);
        synced(text);
    }
    flush();
    ck_assert_uint_eq(http_server_count(server), 20);
    for (size_t i = 0; i < 20; i++) {
        char part[32];
        snprintf(part, sizeof part, "\"message\":\"%zu\"", i);
        expect_part(request(i), part);
    }
}

TEST(draining_waits_until_what_is_queued_was_sent_and_goes_on_taking_events)
{
    start((kube_recorder_options){.max_similar = -1});
    answer(21);
    for (int i = 0; i < 20; i++) {
        char text[8];
        snprintf(text, sizeof text, "%d", i);
        synced(text);
    }
    kube__recorder_drain(recorder, LONG_MS);
    ck_assert_uint_eq(http_server_count(server), 20);
    synced("later");
    expect_part(request(20), "\"message\":\"later\"");
}

TEST(draining_does_not_wait_longer_than_it_may)
{
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    synced("in hand");
    http_server_wait(server, 1);
    kube__recorder_drain(recorder, 20);
    ck_assert_int_eq(logged("not sent"), 0);
}

TEST(freeing_does_not_wait_longer_than_it_may)
{
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    synced("in hand");
    http_server_wait(server, 1);
    synced("waits 1");
    synced("waits 2");
    kube_recorder_free(recorder, 20);
    recorder = NULL;
    ck_assert_int_eq(logged("2 events were not sent before the end"), 1);
    ck_assert_int_eq(logged("event Synced of Network team/blue not sent: "), 1);
}

TEST(freeing_tries_once_more_and_does_not_wait)
{
    http_server_reply_reset(server);
    http_server_reply_reset(server);
    synced("lost"); /* EV-4: the next try is in some seconds */
    http_server_wait(server, 1);
    http_server_wait_idle(server);
    flush();
    ck_assert_uint_eq(http_server_count(server), 2);
    ck_assert_int_eq(logged("event Synced of Network team/blue not sent: "), 1);
}

/* ---- where else events go ------------------------------------------------------------------ */

TEST(each_event_may_be_a_line_of_the_log)
{
    const samplecrd_v1_network wide = network(NULL, "wide");
    start((kube_recorder_options){.log = true});
    answer(2);
    synced("up");
    kube_recorder_event(recorder, &wide.base, KUBE_EVENT_WARNING, "Seen", "it");
    flush();
    ck_assert_int_eq(logged("event Normal Synced of Network team/blue: up"), 1);
    ck_assert_int_eq(logged("event Warning Seen of Network wide: it"), 1);
}

/* TestMultiSinkCache */
/* Peers: TestLotsOfEvents, TestEventfNoNamespace */
TEST(recorders_know_nothing_of_each_other)
{
    kube_recorder *first = recorder;
    answer(4);
    synced("up");
    http_server_wait(server, 1);
    recorder = NULL;
    start((kube_recorder_options){0});
    synced("up");
    expect_part(request(1), "POST ");
    synced("up");
    expect_part(request(2), "PATCH ");
    flush();
    recorder = first;
    synced("up");
    expect_part(request(3), "PATCH ");
    expect_part(request(3), "\"count\":2,");
    flush();
}

TEST(a_sink_takes_events_in_the_servers_place)
{
    kube_fake_recorder *keeper = kube_fake_recorder_new();
    kube_ctx *ctx = kube_ctx_new();
    const samplecrd_v1_network blue = network("team", "blue");
    const samplecrd_v1_network wide = network(NULL, "wide");
    kube_recorder_event(kube_fake_recorder_recorder(keeper), &blue.base, KUBE_EVENT_WARNING,
                        "InvalidSpec", "cidr %d", 7);
    kube_recorder_event(kube_fake_recorder_recorder(keeper), &wide.base, KUBE_EVENT_NORMAL,
                        "Synced", "up");
    kube_recorder_note(kube_fake_recorder_recorder(keeper),
                       &(kube_event_note){.regarding = &wide.base,
                                          .related = &blue.base,
                                          .type = KUBE_EVENT_NORMAL,
                                          .reason = "Made",
                                          .action = "Create"},
                       "it");
    kube_string_list events = kube_fake_recorder_events(keeper, ctx);
    ck_assert_uint_eq(events.len, 3);
    ck_assert_str_eq(events.items[2], "Normal Made wide: it (action Create) (related team/blue)");
    ck_assert_str_eq(events.items[0], "Warning InvalidSpec team/blue: cidr 7");
    ck_assert_str_eq(events.items[1], "Normal Synced wide: up");
    ck_assert_uint_eq(kube_fake_recorder_count(keeper, "Synced"), 1);
    ck_assert_int_eq(kube_fake_recorder_wait(keeper, ctx, NULL, 2, &err), KUBE_OK);
    kube_ctx_cancel(ctx);
    ck_assert_int_eq(kube_fake_recorder_wait(keeper, ctx, "Synced", 2, &err), KUBE_ERR_CANCELED);
    expect_part(err.message, "1 of 2 events Synced were recorded; there are: Warning InvalidSpec");
    kube_fake_recorder_forget(keeper);
    ck_assert_uint_eq(kube_fake_recorder_count(keeper, NULL), 0);
    ck_assert_uint_eq(http_server_count(server), 0);
    kube_ctx_free(ctx);
    kube_fake_recorder_free(keeper);
}

static bool make_and_record(void *arg)
{
    const samplecrd_v1_network blue = network("team", "blue");
    const kube_recorder_options options = {.component = "tester"};
    kube_fake_recorder *keeper = kube_fake_recorder_new();
    kube_recorder *made = NULL;
    kube_code rc = kube_recorder_new(arg, &options, &made, NULL);
    bool kept = false;
    if (rc != KUBE_OK && rc != KUBE_ERR_NO_MEMORY)
        abort();
    if (keeper) {
        kube_recorder_event(kube_fake_recorder_recorder(keeper), &blue.base, KUBE_EVENT_NORMAL,
                            "Synced", "up");
        kept = kube_fake_recorder_count(keeper, NULL) == 1;
    }
    kube_recorder_free(made, 0);
    kube_fake_recorder_free(keeper);
    return rc == KUBE_OK && kept;
}

TEST(a_recorder_is_made_or_not)
{
    ck_assert_uint_gt(fail_malloc_replay(make_and_record, client), 0);
}
