/* SPDX-License-Identifier: Apache-2.0 */
/* EV-1 to EV-6, on a server by script that notes what it was sent. The rules of counting and of
 * series have tests of their own. */
#include "base/thread.h"
#include "control/recorder.h"
#include "support/fail_malloc.h"
#include "support/http_server.h"
#include "support/suite.h"

#include <kube/log.h>
#include <kube/recorder.h>
#include <kube/testing/clock.h>
#include <kube/testing/recorder.h>
#include <samplecrd/v1/register.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_MS = 60000, NAME_LEN_MAX = 253, LOG_MAX = 8192 };
#define JSON "Content-Type: application/json\r\n"

static http_server *server;
static kube_client *client;
static kube_recorder *recorder;
static kube_error err;

static kube__mutex log_mutex;
static char log_text[LOG_MAX];
static int event_lines;

static void keep_line(void *arg, kube_log_level level, const char *file, int line,
                      const char *message)
{
    size_t used;

    (void)arg;
    (void)level;
    (void)file;
    (void)line;
    kube__lock(&log_mutex);
    event_lines += strncmp(message, "event Normal ", 13) == 0;
    used = strlen(log_text);
    snprintf(log_text + used, LOG_MAX - used, "%s\n", message);
    kube__unlock(&log_mutex);
}

/* How often the log has @text. */
static int logged(const char *text)
{
    int count = 0;

    kube__lock(&log_mutex);
    for (const char *at = log_text; (at = strstr(at, text)) != NULL; at++)
        count++;
    kube__unlock(&log_mutex);
    return count;
}

/* A recorder with these options in place of the one there is. */
static void start(kube_recorder_options options)
{
    kube_recorder_free(recorder, 0);
    options.component = "tester";
    ck_assert_int_eq(kube_recorder_new(client, &options, &recorder, &err), KUBE_OK);
}

static kube_recorder_stats stats(void)
{
    kube_recorder_stats now;

    kube_recorder_get_stats(recorder, &now);
    return now;
}

static void set_up(void)
{
    kube_config_options options = {0};
    kube_config *config;

    ck_assert_int_eq(kube__mutex_init(&log_mutex, NULL), KUBE_OK);
    log_text[0] = '\0';
    event_lines = 0;
    kube_log_set_sink(keep_line, NULL);
    server = http_server_start(NULL);
    options.master = http_server_url(server);
    ck_assert_msg(kube_config_load(&options, &config, &err) == KUBE_OK, "%s", err.message);
    ck_assert_int_eq(kube_client_new(config, &client, &err), KUBE_OK);
    kube_config_free(config);
    recorder = NULL;
    start((kube_recorder_options){0});
}

/* Ends the recorder when it has sent everything. */
static void flush(void)
{
    kube_recorder_free(recorder, LONG_MS);
    recorder = NULL;
}

static void tear_down(void)
{
    kube_recorder_free(recorder, 0);
    kube_client_free(client);
    http_server_free(server);
    kube_log_set_sink(NULL, NULL);
    kube__mutex_fini(&log_mutex);
}

static samplecrd_v1_network network(const char *ns, const char *name)
{
    return (samplecrd_v1_network){
        .base = {.type = &samplecrd_v1_network_type},
        .metadata = {.name = name, .namespace_ = ns, .uid = "u-1", .resource_version = "7"},
    };
}

static void synced(const char *message)
{
    const samplecrd_v1_network blue = network("team", "blue");

    kube_recorder_event(recorder, &blue.base, KUBE_EVENT_NORMAL, "Synced", "%s", message);
}

static void answer(int count)
{
    for (int i = 0; i < count; i++)
        http_server_reply_json(server, "{}");
}

static const char *request(size_t index)
{
    http_server_wait(server, index + 1);
    return http_server_request(server, index);
}

static void expect_part(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no %s in %s", part, text);
}

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

START_TEST(an_event_says_what_happened_to_what)
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
END_TEST

START_TEST(a_repeat_counts_up_the_event_that_is_there)
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
END_TEST

START_TEST(whatever_differs_makes_another_event)
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
END_TEST

START_TEST(an_event_that_expired_is_made_anew)
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
END_TEST

START_TEST(an_object_without_namespace_has_its_events_in_default)
{
    const samplecrd_v1_network wide = network(NULL, "wide");

    answer(1);
    kube_recorder_event(recorder, &wide.base, KUBE_EVENT_NORMAL, "Seen", "it");
    flush();
    expect_part(request(0), "POST /api/v1/namespaces/default/events ");
}
END_TEST

START_TEST(a_name_without_room_for_the_suffix_is_not_used)
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
END_TEST

START_TEST(a_long_message_is_cut_between_characters)
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
END_TEST

START_TEST(a_message_that_is_no_utf8_is_sent_all_the_same)
{
    answer(1);
    synced("\xe2\x82\xac and \xff and \xe2\x82");
    expect_part(request(0), "\"message\":\"\xe2\x82\xac and ? and ??\"");
    flush();
}
END_TEST

START_TEST(what_is_no_event_is_dropped_and_told)
{
    const samplecrd_v1_network untyped = {.metadata = {.name = "blue", .namespace_ = "team"}};
    const samplecrd_v1_network blue = network("team", "blue");

    kube_recorder_event(recorder, &untyped.base, KUBE_EVENT_NORMAL, "Seen", "%d", 1);
    kube_recorder_event(recorder, NULL, KUBE_EVENT_NORMAL, "Seen", "%d", 2);
    kube_recorder_event(recorder, &blue.base, "Error", "Seen", "%d", 3);
    kube_recorder_event(recorder, &blue.base, NULL, "Seen", "%d", 4);
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
END_TEST

#define STATUS(code, reason, details)                                                              \
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" #code            \
    ",\"reason\":\"" reason "\",\"message\":\"no\"" details "}"

/* Which answers are final, and which of them are worth a warning (TestWriteEventError). */
START_TEST(an_answer_of_the_server_is_final)
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
END_TEST

START_TEST(a_closed_fence_is_final_and_no_warning)
{
    kube_fence *fence = kube_fence_new(NULL);

    kube_client_set_fence(client, fence, 1000);
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
END_TEST

START_TEST(a_full_queue_drops_new_events_and_says_so_once)
{
    start((kube_recorder_options){.queue_len = 2});
    synced("in hand");
    http_server_wait(server, 1); /* the server has not answered it */
    synced("waits 1");
    synced("waits 2");
    synced("dropped 1");
    synced("dropped 2");
    ck_assert_int_eq(logged("dropped: 2 events wait to be sent"), 1);
    ck_assert_uint_eq(stats().queued, 2);
    ck_assert_uint_eq(stats().dropped, 2);
    ck_assert_uint_eq(stats().recorded, 3);
    answer(3);
    flush();
    ck_assert_uint_eq(http_server_count(server), 3);
    expect_part(request(2), "\"message\":\"waits 2\"");
}
END_TEST

START_TEST(freeing_sends_what_is_queued)
{
    start((kube_recorder_options){.correlation = {.max_similar = -1}});
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
END_TEST

START_TEST(draining_waits_until_what_is_queued_was_sent_and_goes_on_taking_events)
{
    start((kube_recorder_options){.correlation = {.max_similar = -1}});
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
END_TEST

START_TEST(draining_does_not_wait_longer_than_it_may)
{
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    synced("in hand");
    http_server_wait(server, 1);
    kube__recorder_drain(recorder, 20);
    ck_assert_int_eq(logged("not sent"), 0);
}
END_TEST

START_TEST(freeing_does_not_wait_longer_than_it_may)
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
END_TEST

START_TEST(freeing_tries_once_more_and_does_not_wait)
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
END_TEST

/* ---- by a clock of the test's -------------------------------------------------------------- */

static kube_fake_clock *fake;

static void start_on_fake_clock(kube_recorder_options options)
{
    fake = kube_fake_clock_new();
    ck_assert_ptr_nonnull(fake);
    options.clock = kube_fake_clock_clock(fake);
    start(options);
}

static void flush_and_free_clock(void)
{
    flush();
    kube_fake_clock_free(fake);
}

/* Lets the sender's next pause pass and returns how long it was. */
static int64_t pass_pause(void)
{
    int64_t ms;

    kube_fake_clock_wait_for_waiters(fake, 1);
    ms = kube_fake_clock_next_ms(fake);
    kube_fake_clock_advance_ms(fake, ms);
    return ms;
}

START_TEST(a_lost_event_is_tried_twelve_times)
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
END_TEST

START_TEST(the_first_pause_is_by_chance)
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
END_TEST

START_TEST(an_event_that_waits_does_not_hold_up_the_next)
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
END_TEST

START_TEST(an_event_that_arrived_without_an_answer_is_sent)
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
END_TEST

START_TEST(repeats_of_a_lost_event_are_counted_when_it_is_sent)
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
END_TEST

START_TEST(what_is_over_the_budget_is_not_sent)
{
    start_on_fake_clock((kube_recorder_options){.correlation = {.spam_burst = 2}});
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
END_TEST

START_TEST(ten_similar_events_become_one)
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
END_TEST

/* ---- notes, and events.k8s.io -------------------------------------------------------------- */

START_TEST(a_note_says_more)
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
END_TEST

START_TEST(events_k8s_io_has_the_newer_shape)
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
END_TEST

START_TEST(events_k8s_io_needs_an_action)
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
END_TEST

START_TEST(a_series_is_patched_counted_and_ended)
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
END_TEST

START_TEST(a_series_that_expired_is_made_anew)
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
END_TEST

START_TEST(freeing_writes_the_counts_of_series)
{
    start((kube_recorder_options){.api = KUBE_RECORDER_EVENTS});
    answer(3);
    for (int i = 0; i < 4; i++)
        synced("up");
    flush();
    ck_assert_uint_eq(http_server_count(server), 3);
    expect_part(request(2), "{\"series\":{\"count\":4,");
}
END_TEST

START_TEST(a_series_whose_first_event_is_lost_goes_out_whole)
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
END_TEST

START_TEST(a_series_whose_first_event_arrived_without_an_answer_is_patched)
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
END_TEST

/* ---- where else events go ------------------------------------------------------------------ */

START_TEST(each_event_may_be_a_line_of_the_log)
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
END_TEST

/* TestMultiSinkCache */
START_TEST(recorders_know_nothing_of_each_other)
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
END_TEST

START_TEST(a_sink_takes_events_in_the_servers_place)
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
END_TEST

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

START_TEST(a_recorder_is_made_or_not)
{
    ck_assert_uint_gt(fail_malloc_replay(make_and_record, client), 0);
}
END_TEST

/* ---- threads ------------------------------------------------------------------------------- */

enum { THREADS = 4, EACH = 25 };

static void *record(void *arg)
{
    const samplecrd_v1_network own = network("team", arg);

    for (int i = 0; i < EACH; i++)
        kube_recorder_event(recorder, &own.base, KUBE_EVENT_NORMAL, "Seen", "%d", i);
    return NULL;
}

START_TEST(any_thread_may_record)
{
    static char names[THREADS][2] = {"a", "b", "c", "d"};
    kube__thread threads[THREADS] = {0};
    int posts = 0;

    start((kube_recorder_options){.correlation = {.max_similar = -1}});
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
END_TEST

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
START_TEST(many_events_arrive_through_an_outage)
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
    ck_assert_int_eq(event_lines, MANY);
    flush_and_free_clock();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_event_says_what_happened_to_what,
        a_repeat_counts_up_the_event_that_is_there,
        whatever_differs_makes_another_event,
        an_event_that_expired_is_made_anew,
        an_object_without_namespace_has_its_events_in_default,
        a_name_without_room_for_the_suffix_is_not_used,
        a_long_message_is_cut_between_characters,
        a_message_that_is_no_utf8_is_sent_all_the_same,
        what_is_no_event_is_dropped_and_told,
        an_answer_of_the_server_is_final,
        a_closed_fence_is_final_and_no_warning,
        a_full_queue_drops_new_events_and_says_so_once,
        freeing_sends_what_is_queued,
        draining_waits_until_what_is_queued_was_sent_and_goes_on_taking_events,
        draining_does_not_wait_longer_than_it_may,
        freeing_does_not_wait_longer_than_it_may,
        freeing_tries_once_more_and_does_not_wait,
        a_lost_event_is_tried_twelve_times,
        the_first_pause_is_by_chance,
        an_event_that_waits_does_not_hold_up_the_next,
        an_event_that_arrived_without_an_answer_is_sent,
        repeats_of_a_lost_event_are_counted_when_it_is_sent,
        what_is_over_the_budget_is_not_sent,
        ten_similar_events_become_one,
        a_note_says_more,
        events_k8s_io_has_the_newer_shape,
        events_k8s_io_needs_an_action,
        a_series_is_patched_counted_and_ended,
        a_series_that_expired_is_made_anew,
        freeing_writes_the_counts_of_series,
        a_series_whose_first_event_is_lost_goes_out_whole,
        a_series_whose_first_event_arrived_without_an_answer_is_patched,
        each_event_may_be_a_line_of_the_log,
        recorders_know_nothing_of_each_other,
        a_sink_takes_events_in_the_servers_place,
        a_recorder_is_made_or_not,
        any_thread_may_record,
        many_events_arrive_through_an_outage,
    };
    return RUN_SUITE_WITH("recorder", set_up, tear_down, tests);
}
