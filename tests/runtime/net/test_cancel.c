/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call returns within 50 ms of its ctx's end, in every state a transfer can be in;
 * asserted at ten times that. Cancelled from another thread, and by a deadline.
 */
#include "net/client/result_stream.h"
#include "net_kit.h"
#include "support/gate.h"
#include "support/pki.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

enum { BOUND_MS = 3000 };

static int64_t now_ms(void)
{
    kube_clock *clock = kube_clock_system();
    return clock->now_ns(clock) / 1000000;
}

/* ---- a resolver that hangs ------------------------------------------------------------------- */

static gate resolving; /* passed when the look-up has begun */
static gate released;
static gate resolved; /* passed when the look-up is over */

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) __attribute__((visibility("default")));

/* Stands before libc's for libcurl too: the name slow.test takes until the test lets it go. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result)
{
    typedef int function(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    union {
        void *symbol;
        function *call;
    } real;
    if (node && !strcmp(node, "slow.test")) {
        gate_pass(&resolving);
        gate_wait(&released, 1);
        gate_pass(&resolved);
        return EAI_AGAIN;
    }
    real.symbol = dlsym(RTLD_NEXT, "getaddrinfo");
    return real.call(node, service, hints, result);
}

/* ---- calls of each kind ---------------------------------------------------------------------- */

static kube_client *client;

static kube_code run_get(caller *c, kube_error *err)
{
    kube_object *out;
    return kube_client_get(client, c->ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, err);
}

static kube_code run_list(caller *c, kube_error *err)
{
    kube_object_list *out;
    return kube_client_list(client, c->ctx, &thing_type, "team", NULL, &out, NULL, err);
}

static kube_code run_watch(caller *c, kube_error *err)
{
    kube_watch *watch;
    const kube_event *event;
    kube_code rc = kube_client_watch(client, c->ctx, &thing_type, "team", NULL, &watch, err);
    while (!rc)
        rc = kube_watch_next(watch, c->ctx, &event, err);
    kube_watch_free(watch);
    return rc;
}

static kube_code (*const runs[])(caller *, kube_error *) = {run_get, run_list, run_watch};
enum { RUN_COUNT = 3 };

/* Cancels a running call and looks how long it takes to return. */
static void cancel_and_join(caller *c)
{
    int64_t from = now_ms();
    kube_ctx_cancel(c->ctx);
    caller_join(c);
    ck_assert_int_lt(c->ended_ns / 1000000 - from, BOUND_MS);
    expect(c->code, KUBE_ERR_CANCELED, &c->error);
}

/* Long enough for a request to reach the server on a busy machine, so that the deadline finds the
 * call in the state that the case is about. */
enum { SOON_MS = 30, REACHED_MS = 500 };

/* A call with a deadline that the state lets pass. */
static void check_deadline(kube_code (*run)(caller *, kube_error *), int64_t ms)
{
    kube_ctx *ctx = kube_ctx_new();
    int64_t from = now_ms();
    caller c;
    kube_ctx_set_timeout_ms(ctx, ms);
    caller_start(&c, ctx, run, NULL);
    caller_join(&c);
    ck_assert_int_lt(c.ended_ns / 1000000 - from, ms + BOUND_MS);
    expect(c.code, KUBE_ERR_TIMEOUT, &c.error);
    kube_ctx_free(ctx);
}

static void free_client_in_time(void)
{
    int64_t from = now_ms();
    kube_client_free(client);
    ck_assert_int_lt(now_ms() - from, BOUND_MS);
}

/* ---- the states ------------------------------------------------------------------------------ */

TEST(while_resolving)
{
    gate_init(&resolving);
    gate_init(&released);
    gate_init(&resolved);
    client = client_for("http://slow.test:1", "", "");
    for (int i = 0; i < RUN_COUNT; i++) {
        kube_ctx *ctx = kube_ctx_new();
        int before = gate_count(&resolving);
        caller c;
        caller_start(&c, ctx, runs[i], NULL);
        gate_wait(&resolving, before + 1);
        cancel_and_join(&c);
        kube_ctx_free(ctx);
        check_deadline(runs[i], SOON_MS); /* on a busy machine it may pass before a look-up began */
    }
    free_client_in_time(); /* the look-ups still hang (CURLOPT_QUICK_EXIT) */
    gate_pass(&released);
    gate_wait(&resolved, gate_count(&resolving));
}

TEST(while_connecting)
{
    http_nowhere nowhere;
    char url[64];
    http_nowhere_blackhole(&nowhere);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", nowhere.port);
    client = client_for(url, "", "");
    for (int i = 0; i < RUN_COUNT; i++) {
        kube_ctx *ctx = kube_ctx_new();
        uint64_t before = kube_client_request_count(client);
        caller c;
        caller_start(&c, ctx, runs[i], NULL);
        /* Connecting has no sign outside: the deadline below covers the moments after this. */
        while (kube_client_request_count(client) == before) {
        }
        cancel_and_join(&c);
        kube_ctx_free(ctx);
        check_deadline(runs[i], SOON_MS);
    }
    free_client_in_time();
    http_nowhere_close(&nowhere);
}

TEST(during_the_tls_handshake)
{
    pki_pair ca = pki_ca("ca");
    pki_pair leaf = pki_issue(&ca, "server", "IP:127.0.0.1", 1);
    http_server *server = http_server_start(&(http_server_options){
        .certificate = leaf.certificate, .key = leaf.key, .stall_handshake = true});
    client = client_for(http_server_url(server), "insecure-skip-tls-verify: true", "");
    for (int i = 0; i < RUN_COUNT; i++) {
        kube_ctx *ctx = kube_ctx_new();
        size_t before = http_server_connections(server);
        caller c;
        caller_start(&c, ctx, runs[i], NULL);
        http_server_wait_connections(server, before + 1);
        cancel_and_join(&c);
        kube_ctx_free(ctx);
        check_deadline(runs[i], SOON_MS);
        http_server_wait_idle(server); /* reaped: the connections are closed */
    }
    free_client_in_time();
    http_server_free(server);
    pki_free(&leaf);
    pki_free(&ca);
}

TEST(while_waiting_for_the_head)
{
    http_server *server = http_server_start(NULL);
    client = client_for(http_server_url(server), "", "");
    for (int i = 0; i < RUN_COUNT; i++) {
        kube_ctx *ctx = kube_ctx_new();
        caller c;
        http_server_reply_raw(server, "", 0, HTTP_STALL);
        http_server_reply_raw(server, "", 0, HTTP_STALL);
        caller_start(&c, ctx, runs[i], NULL);
        http_server_wait(server, (size_t)(2 * i + 1));
        cancel_and_join(&c);
        kube_ctx_free(ctx);
        check_deadline(runs[i], REACHED_MS);
        http_server_wait(server, (size_t)(2 * i + 2));
        http_server_wait_idle(server);
    }
    free_client_in_time();
    http_server_free(server);
}

TEST(while_streaming)
{
    static const char watch_part[] = EVENT_JSON("ADDED", THING_JSON("a", "1")) "{\"type\":";
    static const char list_part[] = "{\"items\":[" THING_JSON("a", "1") ",{\"metadata\":";
    const char *const parts[] = {THING_JSON("a", "1"), list_part, watch_part};
    http_server *server = http_server_start(NULL);
    client = client_for(http_server_url(server), "", "");
    for (int i = 0; i < RUN_COUNT; i++) {
        kube_ctx *ctx = kube_ctx_new();
        caller c;
        http_server_reply_held(server);
        caller_start(&c, ctx, runs[i], NULL);
        http_server_hold_chunk(server, parts[i]);
        cancel_and_join(&c);
        http_server_hold_end(server, HTTP_STALL);
        kube_ctx_free(ctx);
        http_server_wait_idle(server);
        http_server_reply_chunked(server, parts[i], strlen(parts[i]), 0, HTTP_STALL);
        check_deadline(runs[i], REACHED_MS);
        http_server_wait_idle(server);
    }
    free_client_in_time();
    http_server_free(server);
}

/* Waits, reading nothing, until the queue is full: its peak has reached the limit. */
static void wait_for_pause(const kube__result_stream *results, size_t limit)
{
    while (kube__result_stream_queued_peak(results) < limit) {
    }
}

TEST(while_paused)
{
    enum { EVENTS = 2000, LIMIT = 4096 };
    static const char event[] = EVENT_JSON("ADDED", THING_JSON("a", "1"));
    const kube__result_stream_options options = {
        .form = KUBE__STREAM_WATCH, .namespace_ = "team", .buffer_bytes = LIMIT};
    http_server *server = http_server_start(NULL);
    kube_ctx *ctx = kube_ctx_new();
    kube_ctx *child = kube_ctx_child(ctx);
    char *text = malloc(EVENTS * sizeof(event));
    kube__result events[8];
    kube__result_stream *results;
    kube_error err;
    size_t count;
    size_t seen = 0;
    int64_t from;
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < EVENTS; i++, used += strlen(event))
        strcpy(text + used, event);
    client = client_for(http_server_url(server), "", "");
    http_server_reply_chunked(server, text, strlen(text), 0, HTTP_STALL);
    expect_ok(kube__result_stream_open(client, child, &thing_type, &options, &results, &err), &err);
    wait_for_pause(results, LIMIT);
    kube_ctx_cancel(child);
    from = now_ms();
    expect(kube__result_stream_next(results, child, events, 8, &count, &err), KUBE_ERR_CANCELED,
           &err);
    ck_assert_int_lt(now_ms() - from, BOUND_MS);
    ck_assert_uint_eq(count, 0);
    /* The result stream itself goes on in another scope. */
    while (seen < EVENTS) {
        expect_ok(kube__result_stream_next(results, ctx, events, 8, &count, &err), &err);
        for (size_t i = 0; i < count; i++)
            kube__result_stream_event_fini(&events[i]);
        seen += count;
    }
    kube_ctx_set_timeout_ms(ctx, 20);
    from = now_ms();
    expect(kube__result_stream_next(results, ctx, events, 8, &count, &err), KUBE_ERR_TIMEOUT, &err);
    ck_assert_int_lt(now_ms() - from, 20 + BOUND_MS);
    kube__result_stream_close(results);
    http_server_wait_idle(server);
    kube_ctx_reset(ctx);
    http_server_reply_chunked(server, text, strlen(text), 0, HTTP_STALL);
    expect_ok(kube__result_stream_open(client, ctx, &thing_type, &options, &results, &err), &err);
    wait_for_pause(results, LIMIT);
    from = now_ms();
    kube__result_stream_close(results);
    ck_assert_int_lt(now_ms() - from, BOUND_MS);
    http_server_wait_idle(server);
    free_client_in_time();
    kube_ctx_free(child);
    kube_ctx_free(ctx);
    http_server_free(server);
    free(text);
}

TEST(before_it_begins)
{
    kube_ctx *ctx = kube_ctx_new();
    kube_ctx_cancel(ctx);
    client = client_for("http://127.0.0.1:1", "", "");
    for (int i = 0; i < RUN_COUNT; i++) {
        caller c = {.ctx = ctx};
        expect(runs[i](&c, &c.error), KUBE_ERR_CANCELED, &c.error);
    }
    ck_assert_uint_eq(kube_client_request_count(client), 0);
    kube_client_free(client);
    kube_ctx_free(ctx);
}

TEST(a_cancel_between_threads_races_with_answers)
{
    http_server *server = http_server_start(NULL);
    client = client_for(http_server_url(server), "", "");
    for (int i = 0; i < 200; i++) {
        kube_ctx *ctx = kube_ctx_new();
        size_t before = http_server_count(server);
        caller c;
        http_server_reply_json(server, THING_JSON("a", "1"));
        caller_start(&c, ctx, run_get, NULL);
        if (i % 2)
            http_server_wait(server, before + 1);
        kube_ctx_cancel(ctx);
        caller_join(&c);
        ck_assert(c.code == KUBE_OK || c.code == KUBE_ERR_CANCELED);
        kube_ctx_free(ctx);
    }
    free_client_in_time();
    http_server_free(server);
}
