/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists and watches as they come over the wire: framing across chunks (REQ-7), bad items, ends of
 * every kind, and a queue that holds the connection back (client-go's TestDecoder, TestWatch).
 */
#include "net/client/result_stream.h"
#include "net_kit.h"
#include "object/block/block.h"

#include <stdio.h>
#include <string.h>

static kube_error err;
static http_server *server;
static kube_client *client;
static kube_ctx *ctx;

static void set_up(void)
{
    server = http_server_start(NULL);
    client = client_for(http_server_url(server), "", "");
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
}

static kube_watch *watch(const kube_watch_options *options)
{
    kube_watch *opened;
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", options, &opened, &err), &err);
    return opened;
}

static void next(kube_watch *w, kube_watch_event_type type, const char *name)
{
    const kube_event *event;
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    ck_assert_int_eq(event->type, type);
    if (name) {
        ck_assert_ptr_nonnull(event->object);
        ck_assert_str_eq(kube_object_metadata(event->object)->name, name);
        ck_assert_str_eq(event->resource_version,
                         kube_object_metadata(event->object)->resource_version);
    } else {
        ck_assert_ptr_null(event->object);
    }
}

#define BOOKMARK(version, annotations)                                                             \
    EVENT_JSON("BOOKMARK",                                                                         \
               "{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\",\"metadata\":{"            \
               "\"resourceVersion\":\"" version "\"" annotations "}}")
#define GONE                                                                                       \
    EVENT_JSON("ERROR",                                                                            \
               "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"            \
               "\"Failure\",\"message\":\"too old resource version: 1 (216)\",\"reason\":"         \
               "\"Expired\",\"code\":410}")

/* ---- watches --------------------------------------------------------------------------------- */

/* Peers: TestWatch, TestWatchUnknownContentType, TestDecoder, TestDecoder_SourceClose */
TEST(events_of_every_type_arrive)
{
    static const char events[] = EVENT_JSON("ADDED", THING_JSON("a", "1"))
        EVENT_JSON("MODIFIED", THING_JSON("a", "2")) BOOKMARK("5", "")
            BOOKMARK("6", ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}")
                EVENT_JSON("DELETED", THING_JSON("a", "7")) GONE;
    const kube_watch_options options = {.resource_version = "0", .allow_bookmarks = true};
    kube_watch *w;
    const kube_event *event;
    set_up();
    http_server_reply_chunked(server, events, strlen(events), 0, HTTP_KEEP);
    w = watch(&options);
    expect_text(http_server_request(server, 0),
                "GET /apis/test.kube.dev/v1/namespaces/team/things?watch=true&resourceVersion=0"
                "&allowWatchBookmarks=true HTTP/1.1");
    next(w, KUBE_WATCH_ADDED, "a");
    next(w, KUBE_WATCH_MODIFIED, "a");
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    ck_assert_int_eq(event->type, KUBE_WATCH_BOOKMARK);
    ck_assert_str_eq(event->resource_version, "5");
    ck_assert(!event->initial_events_end);
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    ck_assert_str_eq(event->resource_version, "6");
    ck_assert(event->initial_events_end);
    next(w, KUBE_WATCH_DELETED, "a");
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    ck_assert_int_eq(event->type, KUBE_WATCH_ERROR);
    ck_assert_int_eq(event->error->code, KUBE_ERR_EXPIRED);
    expect_text(event->error->message, "too old resource version");
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_CLOSED, &err);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_CLOSED, &err);
    kube_watch_free(w);
    tear_down();
}

TEST(an_event_is_the_watchs_until_the_next_and_no_ctx_grows)
{
    static const char events[] =
        EVENT_JSON("ADDED", THING_JSON("a", "1")) EVENT_JSON("MODIFIED", THING_JSON("b", "2"));
    const kube_object *kept;
    const kube_event *event;
    kube_watch *w;
    set_up();
    http_server_reply_chunked(server, events, strlen(events), 0, HTTP_KEEP);
    w = watch(NULL);
    expect_ok(kube_watch_next(w, NULL, &event, &err), &err); /* no ctx to keep anything in */
    kept = kube_object_ref(event->object);
    ck_assert_uint_eq(atomic_load(&kept->block->refs), 2);
    kube_ctx_cancel(ctx);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_CANCELED, &err);
    ck_assert_ptr_null(event);
    ck_assert_uint_eq(atomic_load(&kept->block->refs), 1);
    expect_ok(kube_watch_next(w, NULL, &event, &err), &err); /* none was lost by that */
    ck_assert_str_eq(kube_object_metadata(event->object)->name, "b");
    ck_assert_str_eq(kube_object_metadata(kept)->name, "a");
    kube_object_unref(kept);
    kube_watch_free(w);
    tear_down();
}

TEST(events_arrive_when_they_are_complete)
{
    kube_watch *w;
    const kube_event *event;
    set_up();
    http_server_reply_held(server);
    w = watch(NULL);
    http_server_hold_chunk(server, EVENT_JSON("ADDED", THING_JSON("a", "1")));
    next(w, KUBE_WATCH_ADDED, "a");
    http_server_hold_chunk(server, "{\"type\":\"ADDED\",\"obj");
    http_server_hold_chunk(server, "ect\":" THING_JSON("b", "2") "}");
    next(w, KUBE_WATCH_ADDED, "b"); /* without a newline behind it */
    http_server_hold_end(server, HTTP_KEEP);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_CLOSED, &err);
    kube_watch_free(w);
    tear_down();
}

/* Peers: TestWatch, TestWatchUnknownContentType, TestDecoder, TestDecoder_SourceClose */
TEST(chunks_of_every_size_make_the_same_events)
{
    static const char events[] =
        EVENT_JSON("ADDED", THING_JSON("a", "1")) EVENT_JSON("MODIFIED", THING_JSON("b", "2"));
    set_up();
    for (size_t chunk = 1; chunk <= 64; chunk++) {
        kube_watch *w;
        const kube_event *event;
        http_server_reply_chunked(server, events, strlen(events), chunk, HTTP_KEEP);
        w = watch(NULL);
        next(w, KUBE_WATCH_ADDED, "a");
        next(w, KUBE_WATCH_MODIFIED, "b");
        expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_CLOSED, &err);
        kube_watch_free(w);
    }
    tear_down();
}

/* Peers: TestWatch, TestWatchUnknownContentType, TestDecoder, TestDecoder_SourceClose */
TEST(a_watch_cut_at_any_byte_keeps_what_was_whole)
{
    static const char first[] = EVENT_JSON("ADDED", THING_JSON("a", "1"));
    static const char both[] =
        EVENT_JSON("ADDED", THING_JSON("a", "1")) EVENT_JSON("MODIFIED", THING_JSON("b", "2"));
    size_t whole = strlen(both) - 1; /* the newline is not needed */
    set_up();
    for (size_t cut = 0; cut <= strlen(both); cut++) {
        size_t expected = cut >= whole ? 2 : cut >= strlen(first) - 1 ? 1 : 0;
        size_t seen = 0;
        kube_watch *w;
        const kube_event *event;
        kube_code rc;
        http_server_reply_chunked(server, both, cut, 0, HTTP_CLOSE);
        w = watch(NULL);
        while (!(rc = kube_watch_next(w, ctx, &event, &err)))
            seen++;
        expect(rc, KUBE_ERR_TRANSPORT, &err);
        ck_assert_str_eq(err.reason, "Truncated");
        ck_assert_uint_eq(seen, expected);
        kube_watch_free(w);
    }
    tear_down();
}

TEST(a_clean_end_inside_an_event_is_undecodable)
{
    static const char half[] = "{\"type\":\"ADDED\",\"object\":{\"metadata\":";
    kube_watch *w;
    const kube_event *event;
    set_up();
    http_server_reply_chunked(server, half, strlen(half), 0, HTTP_KEEP);
    w = watch(NULL);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_DECODE, &err);
    kube_watch_free(w);
    tear_down();
}

TEST(an_event_of_the_wrong_shape_does_not_end_the_watch)
{
    static const char events[] = EVENT_JSON("ADDED", "{\"metadata\":{\"name\":7}}")
        EVENT_JSON("ADDED", THING_JSON("a", "1"));
    kube_watch *w;
    const kube_event *event;
    set_up();
    http_server_reply_chunked(server, events, strlen(events), 0, HTTP_KEEP);
    w = watch(NULL);
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    ck_assert_int_eq(event->type, KUBE_WATCH_BAD);
    ck_assert_int_eq(event->error->code, KUBE_ERR_DECODE);
    expect_text(event->error->message, "metadata.name");
    next(w, KUBE_WATCH_ADDED, "a");
    kube_watch_free(w);
    tear_down();
}

/* REQ-6: whatever the HTTP code says. */
TEST(a_status_in_a_200_is_that_error_at_once)
{
    static const char failure[] = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":"
                                  "\"Failure\",\"message\":\"etcd is away\",\"reason\":"
                                  "\"InternalError\",\"code\":500}";
    static const char success[] = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":"
                                  "\"Success\"}";
    const kube_event *event;
    kube_object_list *list;
    kube_object *object;
    kube_watch *w;
    set_up();
    http_server_reply_json(server, failure);
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_SERVER, &err);
    expect_text(err.message, "etcd is away");
    ck_assert_int_eq(err.http_status, 500);
    http_server_reply_json(server, failure);
    expect(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &object, &err),
           KUBE_ERR_SERVER, &err);
    expect_text(err.message, "etcd is away");
    http_server_reply_json(server, failure);
    w = watch(NULL);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_SERVER, &err);
    expect_text(err.message, "etcd is away");
    kube_watch_free(w);
    http_server_reply_json(server, success);
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_DECODE, &err);
    http_server_reply_json(server, success);
    w = watch(NULL);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_DECODE, &err);
    expect_text(err.message, "the answer is not a watch");
    kube_watch_free(w);
    tear_down();
}

TEST(noise_in_a_watch_ends_it)
{
    static const char noise[] = EVENT_JSON("ADDED", THING_JSON("a", "1")) "<html>";
    kube_watch *w;
    const kube_event *event;
    set_up();
    http_server_reply_chunked(server, noise, strlen(noise), 0, HTTP_STALL);
    w = watch(NULL);
    next(w, KUBE_WATCH_ADDED, "a");
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_DECODE, &err);
    expect_text(err.message, "GET http://127.0.0.1:");
    http_server_wait_idle(server); /* the connection was given up */
    kube_watch_free(w);
    tear_down();
}

/* Peers: TestRequestWatch, TestRequestStream */
TEST(only_200_opens_a_watch)
{
    static const struct {
        int status;
        const char *type;
        kube_code code;
    } answers[] = {
        {410, "text/plain", KUBE_ERR_EXPIRED}, {202, "application/json", KUBE_ERR_SERVER},
        {200, "text/html", KUBE_ERR_SERVER},   {403, "application/json", KUBE_ERR_FORBIDDEN},
        {500, "text/plain", KUBE_ERR_SERVER},
    };
    set_up();
    for (size_t i = 0; i < sizeof(answers) / sizeof *answers; i++) {
        kube_watch *w;
        http_server_reply(server, answers[i].status,
                          kube_printf(ctx, "Content-Type: %s\r\n", answers[i].type), "{}");
        expect(kube_client_watch(client, ctx, &thing_type, "team", NULL, &w, &err), answers[i].code,
               &err);
        ck_assert_ptr_null(w);
        ck_assert_int_eq(err.http_status, answers[i].status);
    }
    tear_down();
}

/* ---- lists ----------------------------------------------------------------------------------- */

static kube__result_stream *open_list(const kube__result_stream_options *options)
{
    kube__result_stream *results;
    expect_ok(kube__result_stream_open(client, ctx, &thing_type, options, &results, &err), &err);
    return results;
}

TEST(a_list_delivers_items_before_its_end)
{
    const kube__result_stream_options options = {.form = KUBE__STREAM_LIST, .namespace_ = "team"};
    kube__result events[4];
    kube__result_stream *results;
    size_t count;
    set_up();
    http_server_reply_held(server);
    results = open_list(&options);
    http_server_hold_chunk(
        server, "{\"apiVersion\":\"test.kube.dev/v1\",\"items\":[" THING_JSON("a", "1") ",");
    expect_ok(kube__result_stream_next(results, ctx, events, 4, &count, &err), &err);
    ck_assert_uint_eq(count, 1);
    kube__result_stream_event_fini(&events[0]);
    http_server_hold_chunk(
        server,
        THING_JSON("b", "2") "],\"kind\":\"ThingList\",\"metadata\":{\"resourceVersion\":\"9\"}}");
    expect_ok(kube__result_stream_next(results, ctx, events, 4, &count, &err), &err);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(kube_object_metadata(events[0].object)->name, "b");
    kube__result_stream_event_fini(&events[0]);
    http_server_hold_end(server, HTTP_KEEP);
    expect(kube__result_stream_next(results, ctx, events, 4, &count, &err), KUBE_ERR_CLOSED, &err);
    ck_assert_uint_eq(count, 0);
    ck_assert_str_eq(kube__result_stream_list_meta(results)->resource_version, "9");
    kube__result_stream_close(results);
    tear_down();
}

TEST(a_two_megabyte_item_arrives)
{
    size_t size = 2 << 20;
    char *body = malloc(size + 512);
    kube_object_list *list;
    size_t used;
    set_up();
    used = (size_t)sprintf(body, "{\"items\":[{\"metadata\":{\"name\":\"big\"},\"spec\":"
                                 "{\"color\":\"");
    memset(body + used, 'x', size);
    strcpy(body + used + size, "\"}}," THING_JSON("b", "2") "],\"kind\":\"ThingList\","
                                                            "\"metadata\":{}}");
    http_server_reply_chunked(server, body, strlen(body), 1000, HTTP_KEEP);
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
    ck_assert_uint_eq(list->len, 2);
    ck_assert_uint_eq(strlen(((thing *)(void *)list->items[0])->spec.color), size);
    free(body);
    tear_down();
}

/* ---- back-pressure --------------------------------------------------------------------------- */

/* A list of @count things: its text, given back with free(). */
static char *long_list(size_t count, size_t *len)
{
    static const char item[] = THING_JSON("a", "1");
    char *text = malloc(count * (sizeof(item) + 1) + 256);
    size_t used = (size_t)sprintf(text, "{\"items\":[");
    for (size_t i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%s%s", i ? "," : "", item);
    used += (size_t)sprintf(text + used, "],\"kind\":\"ThingList\",\"metadata\":"
                                         "{\"resourceVersion\":\"9\"}}");
    *len = used;
    return text;
}

TEST(a_slow_reader_holds_the_connection_back)
{
    /* The most that Linux keeps for both ends of a connection: tcp_wmem and tcp_rmem. */
    enum { COUNT = 150000, LIMIT = 64 << 10, SLACK = 160 << 10, KERNEL = 14 << 20 };
    const kube__result_stream_options options = {
        .form = KUBE__STREAM_LIST, .namespace_ = "team", .buffer_bytes = LIMIT};
    kube__result events[16];
    size_t len;
    size_t seen = 0;
    size_t largest_lead = 0;
    char *text = long_list(COUNT, &len);
    kube__result_stream *results;
    kube_code rc;
    set_up();
    http_server_reply_chunked(server, text, len, 32 << 10, HTTP_KEEP);
    results = open_list(&options);
    do {
        size_t count;
        size_t done = seen * (len / COUNT);
        size_t sent = http_server_sent(server);
        if (sent > done && sent - done > largest_lead)
            largest_lead = sent - done;
        rc = kube__result_stream_next(results, ctx, events, 16, &count, &err);
        for (size_t i = 0; i < count; i++)
            kube__result_stream_event_fini(&events[i]);
        seen += count;
    } while (!rc);
    expect(rc, KUBE_ERR_CLOSED, &err);
    ck_assert_uint_eq(seen, COUNT);
    /* What was decoded and not taken stays within the limit and one chunk of curl's. */
    ck_assert_uint_ge(kube__result_stream_queued_peak(results), LIMIT);
    ck_assert_uint_le(kube__result_stream_queued_peak(results), LIMIT + SLACK);
    /* What is under way sits in the kernel: the server never was more than its buffers ahead. */
    ck_assert_uint_gt(len, KERNEL + (8 << 20));
    ck_assert_uint_lt(largest_lead, KERNEL);
    kube__result_stream_close(results);
    free(text);
    tear_down();
}

TEST(a_reader_that_stops_reading_stops_the_server)
{
    enum { COUNT = 200000, LIMIT = 64 << 10 };
    const kube__result_stream_options options = {
        .form = KUBE__STREAM_LIST, .namespace_ = "team", .buffer_bytes = LIMIT};
    kube__result event;
    size_t count;
    size_t len;
    char *text = long_list(COUNT, &len);
    kube__result_stream *results;
    set_up();
    http_server_reply_chunked(server, text, len, 32 << 10, HTTP_KEEP);
    results = open_list(&options);
    expect_ok(kube__result_stream_next(results, ctx, &event, 1, &count, &err), &err);
    kube__result_stream_event_fini(&event);
    /* Others are served meanwhile. */
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &err),
              &err);
    ck_assert_uint_le(kube__result_stream_queued_peak(results), LIMIT + (160 << 10));
    /* Closed while paused, it lets go of the connection, which has not sent all it had. */
    kube__result_stream_close(results);
    kube_client_free(client);
    http_server_wait_idle(server);
    ck_assert_uint_lt(http_server_sent(server), len);
    client = NULL;
    free(text);
    tear_down();
}

TEST(closing_drops_what_is_queued)
{
    static const char events[] =
        EVENT_JSON("ADDED", THING_JSON("a", "1")) EVENT_JSON("MODIFIED", THING_JSON("b", "2"));
    kube_watch *w;
    set_up();
    http_server_reply_chunked(server, events, strlen(events), 0, HTTP_STALL);
    w = watch(NULL);
    next(w, KUBE_WATCH_ADDED, "a"); /* the second is in the watch's batch */
    kube_watch_free(w);
    kube_watch_free(NULL);
    http_server_reply_held(server);
    w = watch(NULL);
    http_server_hold_chunk(server, events);
    kube_watch_free(w); /* whatever has arrived by now */
    http_server_hold_end(server, HTTP_CLOSE);
    tear_down();
}
