/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection is left when its peer has gone silent, though it may go on acknowledging every byte
 * (CFG-4). The times here are the client's, made short.
 */
#include "net/client/bookmarks.h"
#include "net/transport/connection.h"
#include "net_kit.h"
#include "support/pki.h"

#include <kube/metrics.h>
#include <string.h>

enum { HOUR_MS = 3600000 };

static pki_pair ca;
static pki_pair leaf;
static http_server *server;
static kube_client *client;
static kube_metrics *metrics;
static kube_ctx *ctx;
static kube_error err;

static const kube_key team_a = {"team", "a"};

static void set_up(bool http2, int64_t call_ms, int64_t idle_ms)
{
    const http_server_options options = {leaf.certificate, leaf.key, .http2 = true};
    kube_client_options client_options = {.call_timeout_ms = call_ms, .idle_timeout_ms = idle_ms};
    kube_config *config;
    server = http_server_start(http2 ? &options : NULL);
    metrics = kube_metrics_new();
    client_options.metrics = metrics;
    config = config_for(http_server_url(server), "insecure-skip-tls-verify: true", "");
    expect_ok(kube_client_new(config, &client_options, &client, &err), &err);
    kube_config_free(config);
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube_client_free(client);
    kube_metrics_free(metrics);
    http_server_free(server);
}

static void make_keys(void)
{
    ca = pki_ca("the authority");
    leaf = pki_issue(&ca, "server", "IP:127.0.0.1", 1);
}

static void free_keys(void)
{
    pki_free(&leaf);
    pki_free(&ca);
}

/* Whether one connection on which a @kind waited has been left. */
static bool is_counted(const char *kind)
{
    const char *line = kube_printf(
        ctx, "kube_client_dead_connections_total{host=\"127.0.0.1:%d\",kind=\"%s\"} 1\n",
        http_server_port(server), kind);
    return strstr(kube_metrics_text(metrics, ctx), line) != NULL;
}

static kube_code get(void)
{
    kube_object *out;
    return kube_client_get(client, ctx, &thing_type, team_a, NULL, &out, &err);
}

static kube_code poke(void)
{
    return kube_client_delete(client, ctx, &thing_type, team_a, NULL, &err);
}

static kube_code run_poke(caller *c, kube_error *error)
{
    return kube_client_delete(client, c->ctx, &thing_type, team_a, NULL, error);
}

/* ---- calls ---------------------------------------------------------------------------------- */

TEST(calls_leave_a_connection_that_is_silent)
{
    caller callers[3];
    make_keys();
    set_up(true, HOUR_MS, 500);
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(get(), &err);
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    for (size_t i = 0; i < 3; i++) /* the server sees the first of them */
        caller_start(&callers[i], ctx, run_poke, NULL);
    for (size_t i = 0; i < 3; i++) {
        caller_join(&callers[i]);
        expect(callers[i].code, KUBE_ERR_TRANSPORT, &callers[i].error);
        ck_assert_str_eq(callers[i].error.reason, "Idle");
    }
    ck_assert_uint_eq(http_server_connections(server), 1);
    http_server_reply(server, 200, NULL, NULL);
    expect_ok(poke(), &err);
    ck_assert_uint_eq(http_server_connections(server), 2);
    ck_assert(is_counted("call"));
    tear_down();
    free_keys();
}

TEST(a_get_goes_over_to_a_new_connection)
{
    make_keys();
    set_up(true, HOUR_MS, 100);
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(get(), &err);
    ck_assert_uint_eq(http_server_connections(server), 2);
    ck_assert(is_counted("call"));
    tear_down();
    free_keys();
}

/* It may be the connection or the server that is slow: a second one tells. */
TEST(a_get_that_is_slow_is_sent_twice_at_most)
{
    make_keys();
    set_up(true, HOUR_MS, 100);
    for (int i = 0; i < 12; i++)
        http_server_reply_raw(server, "", 0, HTTP_STALL);
    expect(get(), KUBE_ERR_TRANSPORT, &err);
    ck_assert_str_eq(err.reason, "Idle");
    expect_text(err.message, "gave up after 2 attempts: ");
    ck_assert_uint_eq(http_server_connections(server), 2);
    tear_down();
    free_keys();
}

TEST(the_longest_times_are_as_good_as_no_limit)
{
    make_keys();
    set_up(true, INT64_MAX, INT64_MAX);
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(get(), &err);
    http_server_reply(server, 200, NULL, NULL);
    expect_ok(poke(), &err);
    tear_down();
    free_keys();
}

/* Each waits for less than the limit, but all of them together do not. */
TEST(calls_that_give_up_early_leave_it_too)
{
    make_keys();
    set_up(true, HOUR_MS, 200);
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(get(), &err);
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    while (!is_counted("call")) {
        kube_ctx *before = ctx;
        kube_code rc;
        ctx = kube_ctx_new();
        kube_ctx_set_timeout_ms(ctx, 20);
        rc = poke();
        ck_assert_msg(rc == KUBE_ERR_TIMEOUT || !strcmp(err.reason, "Idle"), "%s", err.message);
        kube_ctx_free(ctx);
        ctx = before;
    }
    tear_down();
    free_keys();
}

TEST(a_connection_on_which_anything_comes_is_kept)
{
    caller first;
    make_keys();
    set_up(true, HOUR_MS, HOUR_MS);
    for (int i = 0; i < 3; i++) {
        http_server_reply_json(server, THING_JSON("a", "1"));
        expect_ok(get(), &err);
    }
    caller_start(&first, ctx, run_poke, NULL);
    http_server_wait(server, 4);
    kube_ctx_cancel(ctx);
    caller_join(&first);
    expect(first.code, KUBE_ERR_CANCELED, &first.error);
    ck_assert_uint_eq(http_server_connections(server), 1);
    tear_down();
    free_keys();
}

/* ---- how long a connection has been silent -------------------------------------------------- */

TEST(only_the_time_counts_in_which_calls_wait)
{
    kube__connection c = {0};
    kube__connection_wait(&c, 100);
    ck_assert_int_eq(kube__connection_silence_ns(&c, 130), 30);
    kube__connection_wait(&c, 120); /* a second one */
    kube__connection_wait_end(&c, 140);
    kube__connection_wait_end(&c, 150);
    ck_assert_int_eq(kube__connection_silence_ns(&c, 1000), 50);
    kube__connection_wait(&c, 1000);
    ck_assert_int_eq(kube__connection_silence_ns(&c, 1010), 60);
    kube__connection_heard(&c, 1020);
    ck_assert_int_eq(kube__connection_silence_ns(&c, 1020), 0);
    ck_assert_int_eq(kube__connection_silence_ns(&c, 1025), 5); /* it waits for more */
    kube__connection_heard(&c, 1030);
    kube__connection_wait_end(&c, 1030);
    kube__connection_wait(&c, 1010); /* began before that, and had to wait for its turn */
    ck_assert_int_eq(kube__connection_silence_ns(&c, 1035), 5);
}

TEST(connecting_does_not_count)
{
    kube__connection c = {0};
    kube__connection_ready(&c, 130);
    kube__connection_wait(&c, 100); /* for which it was made */
    ck_assert_int_eq(kube__connection_silence_ns(&c, 140), 10);
    kube__connection_wait_end(&c, 140);
    kube__connection_ready(&c, 150);
    kube__connection_wait(&c, 145);
    ck_assert_int_eq(kube__connection_silence_ns(&c, 150), 15);
}

/* ---- watches -------------------------------------------------------------------------------- */

static const char added[] = EVENT_JSON("ADDED", THING_JSON("a", "1"));
static const char bookmark[] =
    "{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\","
    "\"metadata\":{\"resourceVersion\":\"5\"}}}\n";

static const char end_mark[] =
    "{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":\"test.kube.dev/v1\",\"kind\":\"Thing\","
    "\"metadata\":{\"resourceVersion\":\"5\",\"annotations\":{\"k8s.io/"
    "initial-events-end\":\"true\"}"
    "}}}\n";

static kube_watch *watch(void)
{
    kube_watch *w;
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &w, &err), &err);
    return w;
}

TEST(a_silent_watch_is_dead)
{
    kube_watch *w;
    const kube_event *event;
    set_up(false, 0, 0);
    client->watch_silence_ms = 100;
    http_server_reply_chunked(server, added, strlen(added), 0, HTTP_STALL);
    w = watch();
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    expect(kube_watch_next(w, ctx, &event, &err), KUBE_ERR_TRANSPORT, &err);
    ck_assert_str_eq(err.reason, "Idle");
    expect_text(err.message, "idle");
    http_server_wait_idle(server);
    kube_watch_free(w);
    ck_assert(is_counted("watch"));
    tear_down();
}

TEST(a_watch_that_is_not_answered_is_dead)
{
    kube_watch *w;
    set_up(false, 0, 100);
    http_server_reply_raw(server, "", 0, HTTP_STALL);
    expect(kube_client_watch(client, ctx, &thing_type, "team", NULL, &w, &err), KUBE_ERR_TRANSPORT,
           &err);
    ck_assert_str_eq(err.reason, "Idle");
    ck_assert(is_counted("watch"));
    tear_down();
}

TEST(a_watch_asks_for_bookmarks_and_keeps_them_to_itself)
{
    kube_watch *w;
    const kube_event *event;
    set_up(false, 0, 0);
    http_server_reply_held(server);
    w = watch();
    http_server_hold_chunk(server, end_mark); /* which nobody asked for */
    http_server_hold_chunk(server, bookmark);
    http_server_hold_chunk(server, added);
    expect_ok(kube_watch_next(w, ctx, &event, &err), &err);
    ck_assert_int_eq(event->type, KUBE_WATCH_ADDED);
    expect_text(http_server_request(server, 0), "allowWatchBookmarks=true");
    kube_watch_free(w);
    tear_down();
}

TEST(the_patience_with_a_watch_follows_its_bookmarks)
{
    kube__bookmarks b = {0};
    ck_assert_int_eq(kube__bookmarks_patience_ms(&b, 90000), 90000);
    kube__bookmarks_saw(&b, 5 * KUBE__NS_PER_S);
    ck_assert_int_eq(kube__bookmarks_patience_ms(&b, 90000), 90000);
    kube__bookmarks_saw(&b, 65 * KUBE__NS_PER_S);
    ck_assert_int_eq(kube__bookmarks_patience_ms(&b, 90000), 150000);
    kube__bookmarks_saw(&b, 75 * KUBE__NS_PER_S);
    ck_assert_int_eq(kube__bookmarks_patience_ms(&b, 90000), 90000);
}
