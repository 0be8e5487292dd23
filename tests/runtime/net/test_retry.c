/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REQ-3 and REQ-4 by a clock that the test moves (client-go's TestCheckRetryHandles429And5xx,
 * TestConnectionResetByPeerIsRetried, TestRequestDoWithRetry, TestIsNextRetry).
 */
#include "net_kit.h"

#include <kube/testing/clock.h>
#include <stdio.h>
#include <string.h>

static http_server *server;
static kube_client *client;
static kube_fake_clock *fake;
static kube_ctx *ctx;

static void set_up(void)
{
    server = http_server_start(NULL);
    client = client_for(http_server_url(server), "", "");
    fake = kube_fake_clock_new();
    ctx = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
    kube_fake_clock_free(fake);
}

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

static kube_code run_create(caller *c, kube_error *err)
{
    static const thing red = {.metadata = {.name = "a"}};
    return kube_client_create(client, c->ctx, &thing_type, "team", &red.base, NULL, NULL, err);
}

static kube_code run_update(caller *c, kube_error *err)
{
    static const thing red = {.metadata = {.name = "a", .resource_version = "1"}};
    return kube_client_update(client, c->ctx, &thing_type, "team", &red.base, NULL, NULL, err);
}

static kube_code run_patch(caller *c, kube_error *err)
{
    return kube_client_patch(client, c->ctx, &thing_type, kube_key_of("team", "a"),
                             KUBE_PATCH_MERGE, "{}", 2, NULL, NULL, err);
}

static kube_code run_delete(caller *c, kube_error *err)
{
    return kube_client_delete(client, c->ctx, &thing_type, kube_key_of("team", "a"), NULL, err);
}

static kube_code run_delete_collection(caller *c, kube_error *err)
{
    return kube_client_delete_collection(client, c->ctx, &thing_type, "team", NULL, NULL, err);
}

static kube_code run_watch(caller *c, kube_error *err)
{
    kube_watch *watch;
    kube_code rc = kube_client_watch(client, c->ctx, &thing_type, "team", NULL, &watch, err);
    kube_watch_free(watch);
    return rc;
}

/* Waits until the call sleeps and lets exactly that time pass. */
static void pass(int64_t want_ms)
{
    kube_fake_clock_wait_for_waiters(fake, 1);
    ck_assert_int_eq(kube_fake_clock_next_ms(fake), want_ms);
    kube_fake_clock_advance_ms(fake, want_ms);
}

#define RETRY_AFTER(n) "Content-Type: text/plain\r\nRetry-After: " #n "\r\n"

/* Peers: TestCheckRetryHandles429And5xx, TestCheckRetryClosesBody,
 * TestConnectionResetByPeerIsRetried */
TEST(an_integer_retry_after_is_obeyed_by_every_verb)
{
    static const int statuses[] = {429, 500, 503, 504};
    kube_code (*const runs[])(caller *, kube_error *) = {
        run_get, run_create, run_list, run_update, run_patch, run_delete, run_delete_collection};
    caller c;
    set_up();
    for (size_t verb = 0; verb < sizeof runs / sizeof *runs; verb++) {
        size_t before = http_server_count(server);
        for (size_t i = 0; i < 4; i++)
            http_server_reply(server, statuses[i], RETRY_AFTER(3), "slow down");
        http_server_reply_json(server,
                               verb == 2 ? THING_LIST_JSON("", "1", "") : THING_JSON("a", "1"));
        caller_start(&c, ctx, runs[verb], NULL);
        for (int i = 0; i < 4; i++)
            pass(3000);
        caller_join(&c);
        expect_ok(c.code, &c.error);
        ck_assert_uint_eq(http_server_count(server) - before, 5);
    }
    expect_text(http_server_request(server, 9), "\"name\":\"a\""); /* the body is sent again */
    /* One for calls and one for lists: after an answer that is an error, too, a connection is used
     * again. */
    ck_assert_uint_eq(http_server_connections(server), 2);
    tear_down();
}

/* Peers: TestRequestDoWithRetry, TestRequestWatchWithRetry, TestRequestStreamWithRetry,
 * TestRetryableConditions, TestIsNextRetry */
TEST(without_an_integer_retry_after_the_first_answer_counts)
{
    static const char *const headers[] = {NULL, "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n",
                                          "Retry-After: -1\r\n", "Retry-After: 1.5\r\n",
                                          "Retry-After: \r\n"};
    caller c;
    set_up();
    for (size_t i = 0; i < sizeof(headers) / sizeof *headers; i++) {
        http_server_reply(server, 503, headers[i], "no");
        caller_start(&c, ctx, run_get, NULL);
        caller_join(&c);
        expect(c.code, KUBE_ERR_UNAVAILABLE, &c.error); /* REQ-4 */
    }
    http_server_reply(server, 404, RETRY_AFTER(1), "no");
    caller_start(&c, ctx, run_get, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_NOT_FOUND, &c.error);
    ck_assert_uint_eq(http_server_count(server), 6);
    tear_down();
}

/* Peers: TestRequestDoWithRetry, TestRequestWatchWithRetry, TestRequestStreamWithRetry,
 * TestRetryableConditions, TestIsNextRetry */
TEST(ten_retries_are_all)
{
    caller c;
    set_up();
    for (int i = 0; i < 11; i++)
        http_server_reply(server, 429, RETRY_AFTER(1), "Too many requests");
    caller_start(&c, ctx, run_create, NULL);
    for (int i = 0; i < 10; i++)
        pass(1000);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TOO_MANY_REQUESTS, &c.error);
    expect_text(c.error.message, "gave up after 11 attempts: ");
    ck_assert_int_eq(c.error.retry_after_ms, 1000);
    ck_assert_uint_eq(http_server_count(server), 11);
    ck_assert_uint_eq(kube_client_request_count(client), 11);
    tear_down();
}

/* Peers: TestRequestDoWithRetry, TestRequestWatchWithRetry, TestRequestStreamWithRetry,
 * TestRetryableConditions, TestIsNextRetry */
TEST(a_retry_after_of_zero_does_not_wait)
{
    caller c;
    set_up();
    http_server_reply(server, 503, RETRY_AFTER(0), "no");
    http_server_reply_json(server, THING_JSON("a", "1"));
    caller_start(&c, ctx, run_get, NULL);
    caller_join(&c);
    expect_ok(c.code, &c.error);
    tear_down();
}

/* Peers: TestCheckRetryHandles429And5xx, TestCheckRetryClosesBody,
 * TestConnectionResetByPeerIsRetried */
TEST(a_lost_connection_is_retried_for_get_only)
{
    caller c;
    set_up();
    http_server_reply_reset(server);
    http_server_reply_raw(server, "", 0, HTTP_CLOSE);
    http_server_reply_json(server, THING_JSON("a", "1"));
    caller_start(&c, ctx, run_get, NULL);
    pass(1000);
    pass(1000);
    caller_join(&c);
    expect_ok(c.code, &c.error);
    ck_assert_uint_eq(http_server_count(server), 3);
    http_server_reply_reset(server);
    http_server_reply_json(server, THING_LIST_JSON("", "1", ""));
    caller_start(&c, ctx, run_list, NULL);
    pass(1000);
    caller_join(&c);
    expect_ok(c.code, &c.error);
    tear_down();
    set_up();
    http_server_reply_reset(server);
    caller_start(&c, ctx, run_create, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TRANSPORT, &c.error);
    ck_assert_uint_eq(http_server_count(server), 1);
    tear_down();
}

TEST(a_refused_connection_is_not_retried)
{
    http_nowhere nowhere;
    char url[64];
    caller c;
    set_up();
    http_nowhere_refuse(&nowhere);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", nowhere.port);
    kube_client_free(client);
    client = client_for(url, "", "");
    caller_start(&c, ctx, run_get, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TRANSPORT, &c.error);
    ck_assert_uint_eq(kube_client_request_count(client), 1);
    http_nowhere_close(&nowhere);
    tear_down();
}

TEST(opening_a_watch_obeys_retry_after_and_leaves_lost_connections_to_who_watches) /* REQ-5 */
{
    caller c;
    set_up();
    http_server_reply(server, 429, RETRY_AFTER(1), "storage is (re)initializing");
    http_server_reply(server, 503, RETRY_AFTER(2), "no");
    http_server_reply_held(server);
    caller_start(&c, ctx, run_watch, NULL);
    pass(1000);
    pass(2000);
    caller_join(&c);
    expect_ok(c.code, &c.error);
    ck_assert_uint_eq(http_server_count(server), 3);
    http_server_reply(server, 503, NULL, "no");
    caller_start(&c, ctx, run_watch, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_UNAVAILABLE, &c.error);
    http_server_reply_reset(server); /* the connection was not new: at once again */
    http_server_reply_reset(server);
    caller_start(&c, ctx, run_watch, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TRANSPORT, &c.error);
    tear_down();
}

static kube_outcome outcome_of(kube_code want)
{
    caller c;
    caller_start(&c, ctx, run_create, NULL);
    caller_join(&c);
    expect(c.code, want, &c.error);
    return kube_error_outcome(&c.error);
}

TEST(a_write_that_failed_says_what_became_of_it)
{
    http_nowhere nowhere;
    char url[64];
    caller c;
    set_up();
    http_server_reply(server, 409, NULL, "");
    ck_assert_int_eq(outcome_of(KUBE_ERR_ALREADY_EXISTS), KUBE_OUTCOME_REFUSED);
    http_server_reply(server, 504, NULL, "");
    ck_assert_int_eq(outcome_of(KUBE_ERR_SERVER_TIMEOUT), KUBE_OUTCOME_UNKNOWN);
    http_server_reply_reset(server);
    ck_assert_int_eq(outcome_of(KUBE_ERR_TRANSPORT), KUBE_OUTCOME_UNKNOWN);
    http_server_reply(server, 200, "Content-Type: text/html\r\n", "<html>");
    ck_assert_int_eq(outcome_of(KUBE_ERR_SERVER), KUBE_OUTCOME_UNKNOWN);
    /* Given up while the answer is waited for. */
    caller_start(&c, ctx, run_create, NULL);
    http_server_wait(server, 5);
    kube_ctx_cancel(ctx);
    caller_join(&c);
    expect(c.code, KUBE_ERR_CANCELED, &c.error);
    ck_assert_int_eq(kube_error_outcome(&c.error), KUBE_OUTCOME_UNKNOWN);
    ck_assert_int_eq(outcome_of(KUBE_ERR_CANCELED), KUBE_OUTCOME_NOT_SENT);
    tear_down();
    set_up();
    /* Stopped behind an answer of which the same is true. */
    http_server_reply(server, 500, RETRY_AFTER(60), "etcd");
    caller_start(&c, ctx, run_create, NULL);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_ctx_cancel(ctx);
    caller_join(&c);
    expect(c.code, KUBE_ERR_CANCELED, &c.error);
    ck_assert_int_eq(kube_error_outcome(&c.error), KUBE_OUTCOME_UNKNOWN);
    tear_down();
    set_up();
    http_server_reply(server, 429, RETRY_AFTER(60), "busy");
    caller_start(&c, ctx, run_create, NULL);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_ctx_cancel(ctx);
    caller_join(&c);
    ck_assert_int_eq(kube_error_outcome(&c.error), KUBE_OUTCOME_NOT_SENT);
    tear_down();
    set_up();
    http_nowhere_refuse(&nowhere);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", nowhere.port);
    kube_client_free(client);
    client = client_for(url, "", "");
    ck_assert_int_eq(outcome_of(KUBE_ERR_TRANSPORT), KUBE_OUTCOME_NOT_SENT);
    http_nowhere_close(&nowhere);
    tear_down();
}

TEST(waiting_for_a_retry_can_be_cancelled)
{
    caller c;
    set_up();
    http_server_reply(server, 503, RETRY_AFTER(60), "busy");
    caller_start(&c, ctx, run_get, NULL);
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_ctx_cancel(ctx);
    caller_join(&c);
    expect(c.code, KUBE_ERR_CANCELED, &c.error);
    expect_text(c.error.message, "while waiting for attempt 2, after \"");
    expect_text(c.error.message, "busy");
    tear_down();
}

TEST(a_deadline_ends_the_retries)
{
    caller c;
    set_up();
    kube_ctx_set_timeout_ms(ctx, 5000);
    http_server_reply(server, 503, RETRY_AFTER(3), "busy");
    http_server_reply(server, 503, RETRY_AFTER(3), "busy");
    caller_start(&c, ctx, run_get, NULL);
    http_server_wait(server, 1);
    /* Before it sleeps it waits for the answer, until the deadline. */
    while (kube_fake_clock_next_ms(fake) != 3000)
        kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 3000);
    http_server_wait(server, 2);
    kube_fake_clock_advance_ms(fake, 3000);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TIMEOUT, &c.error);
    tear_down();
}

static kube_client *client_with_timeout(int64_t request_ms, int64_t call_ms)
{
    const kube_config_fields fields = {.server = http_server_url(server),
                                       .request_timeout_ms = request_ms};
    const kube_client_options options = {.call_timeout_ms = call_ms};
    kube_config *config;
    kube_client *made;
    kube_error err;
    expect_ok(kube_config_new(&fields, &config, &err), &err);
    expect_ok(kube_client_new(config, &options, &made, &err), &err);
    kube_config_free(config);
    return made;
}

/*
 * Limits of the network are in real time, whatever the ctx's clock says.
 * Peers: TestReconnectBrokenTCP, TestReconnectBrokenTCPInFlight, TestRestClientTimeout,
 * TestHTTP1DoNotReuseRequestAfterTimeout
 */
TEST(a_timeout_that_is_set_holds_for_calls_and_lists_and_is_told_to_the_server) /* REQ-2 */
{
    static const char part[] = THING_LIST_JSON(THING_JSON("a", "1"), "9", "");
    caller c;
    set_up();
    kube_client_free(client);
    client = client_with_timeout(200, 0);
    caller_start(&c, ctx, run_get, NULL); /* never answered */
    caller_join(&c);
    expect(c.code, KUBE_ERR_TIMEOUT, &c.error);
    expect_text(c.error.message, "no answer within the request timeout of 200 ms");
    expect_text(http_server_request(server, 0), "?timeout=200ms ");
    kube_client_free(client);
    client = client_with_timeout(60000, 250); /* the client's goes before */
    http_server_reply_json(server, "too late");
    http_server_wait_idle(server); /* or the list would be given it */
    http_server_reply_chunked(server, part, sizeof part - 9, 0, HTTP_STALL);
    caller_start(&c, ctx, run_list, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TIMEOUT, &c.error);
    expect_text(c.error.message, "no complete answer within the request timeout of 250 ms");
    expect_text(http_server_request(server, 1), "?timeout=250ms ");
    tear_down();
}

TEST(without_one_calls_have_thirty_seconds_and_lists_an_idle_limit)
{
    static const char part[] = THING_LIST_JSON(THING_JSON("a", "1"), "9", "");
    caller c;
    set_up();
    ck_assert_int_eq(client->call_timeout_ms, 30000);
    ck_assert_int_eq(client->set_timeout_ms, 0);
    ck_assert_int_eq(client->idle_timeout_ms, 30000);
    kube_client_free(client);
    client = client_with_timeout(5000, -1);
    ck_assert_int_eq(client->call_timeout_ms, 0);
    ck_assert_int_eq(client->set_timeout_ms, 0);
    kube_client_free(client);
    client = client_with(http_server_url(server), &(kube_client_options){.idle_timeout_ms = 100});
    http_server_reply_chunked(server, part, sizeof part - 9, 0, HTTP_STALL);
    caller_start(&c, ctx, run_list, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_TRANSPORT, &c.error);
    ck_assert_str_eq(c.error.reason, "Idle");
    ck_assert_ptr_null(strstr(http_server_request(server, 0), "timeout"));
    tear_down();
}
