/* SPDX-License-Identifier: Apache-2.0 */
/* The API server's HTTP: what is on the wire, and what becomes of connections. */
#include "apiserver/core/apiserver.h"
#include "base/thread.h"
#include "http_peer.h"
#include "support/suite.h"

#include <kube/testing/apiserver.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <zlib.h>

#define CONFIG_MAPS "/api/v1/namespaces/default/configmaps"

static kube_apiserver *server;
static kube_error err;
static kube_ctx *ctx;
static http_peer peer;

static void set_up(void)
{
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, 60000);
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
    peer = http_connect(kube_apiserver_port(server));
}

static void tear_down(void)
{
    http_close(&peer);
    kube_apiserver_stop(server);
    server = NULL;
    kube_ctx_free(ctx);
}

/* A ConfigMap with @size bytes of data. */
static void load_config_map(const char *name, size_t size)
{
    char *text = malloc(size + 256);
    int len = sprintf(text,
                      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":"
                      "\"%s\"},\"data\":{\"a\":\"",
                      name);
    memset(text + len, 'x', size);
    strcpy(text + len + size, "\"}}");
    ck_assert_msg(!kube_apiserver_load(server, text, strlen(text), &err), "%s", err.message);
    free(text);
}

static void assert_header(const http_answer *answer, const char *name, const char *expected)
{
    char *value = http_header(answer, name);
    if (expected) {
        ck_assert_msg(value, "no %s in %s", name, answer->head);
        ck_assert_str_eq(value, expected);
    } else {
        ck_assert_msg(!value, "%s: %s", name, value);
    }
    free(value);
}

/* Checks the next answer and forgets it. */
static void expect(http_peer *from, int status, const char *body)
{
    http_answer answer = http_read(from, false);
    ck_assert_int_eq(answer.status, status);
    if (body)
        ck_assert_str_eq(answer.body, body);
    http_free(&answer);
}

static void expect_health(http_peer *from)
{
    http_send(from, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(from, 200, "ok");
}

/* ---- requests and answers ------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(a_connection_serves_one_request_after_the_other)
{
    expect_health(&peer);
    expect_health(&peer);
    http_answer version = http_get(&peer, "/version", "");
    ck_assert_int_eq(version.status, 200);
    ck_assert_ptr_nonnull(strstr(version.body, "\"gitVersion\""));
    http_free(&version);
}

TEST(requests_sent_ahead_are_answered_in_order)
{
    http_send(&peer, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                     "GET /nosuchpath HTTP/1.1\r\nHost: localhost\r\n\r\n"
                     "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(&peer, 200, "ok");
    expect(&peer, 404, NULL);
    expect(&peer, 200, "ok");
}

TEST(the_headers_of_a_real_server_are_sent)
{
    http_answer answer = http_get(&peer, CONFIG_MAPS "/nope", "Audit-Id: mine\r\n");
    char *date = http_header(&answer, "Date");
    ck_assert_int_eq(answer.status, 404);
    assert_header(&answer, "Content-Type", "application/json");
    assert_header(&answer, "Cache-Control", "no-cache, private");
    assert_header(&answer, "Audit-Id", "mine");
    ck_assert_ptr_nonnull(date);
    free(date);
    http_free(&answer);

    answer = http_get(&peer, "/nosuchpath", "");
    char *audit_id = http_header(&answer, "Audit-Id");
    ck_assert_uint_eq(strlen(audit_id), 36);
    ck_assert_int_eq(audit_id[14], '4');
    assert_header(&answer, "Content-Type", "text/plain; charset=utf-8");
    assert_header(&answer, "X-Content-Type-Options", "nosniff");
    ck_assert_str_eq(answer.body, "404 page not found\n");
    free(audit_id);
    http_free(&answer);
}

TEST(a_head_has_no_body)
{
    http_send(&peer, "HEAD /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
    http_answer answer = http_read(&peer, true);
    http_free(&answer);
    expect_health(&peer);
}

TEST(a_body_comes_in_chunks_of_any_size)
{
    static const char body[] = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                               "\"metadata\":{\"name\":\"chunked\"}}";
    http_send(&peer,
              "POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
              "\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (size_t at = 0, size = 1; at < sizeof body - 1; at += size, size++) {
        char head[16];
        if (size > sizeof body - 1 - at)
            size = sizeof body - 1 - at;
        sprintf(head, "%zx\r\n", size);
        http_send(&peer, head);
        http_send_bytes(&peer, body + at, size);
        http_send(&peer, "\r\n");
    }
    http_send(&peer, "0\r\n\r\n");
    expect(&peer, 201, NULL);
    http_answer answer = http_get(&peer, CONFIG_MAPS "/chunked", "");
    ck_assert_int_eq(answer.status, 200);
    http_free(&answer);
}

/* Sends a body of @len blanks after what @start says. */
static void post_blanks(size_t len)
{
    char head[256];
    char *blanks = malloc(len);
    memset(blanks, ' ', len);
    sprintf(head,
            "POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Content-Length: %zu\r\n\r\n",
            len);
    http_send(&peer, head);
    http_send_bytes(&peer, blanks, len);
    free(blanks);
}

TEST(a_body_beyond_3_mib_is_too_large)
{
    post_blanks((3 << 20) + 1);
    expect(&peer, 413,
           "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
           "\"message\":\"Request entity too large: limit is 3145728\","
           "\"reason\":\"RequestEntityTooLarge\",\"code\":413}\n");
    post_blanks(3 << 20);
    expect(&peer, 400, NULL);
    expect_health(&peer);
}

#define POST_MAP "POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\n"

/* What a client sends no further, or without end, is answered all the same. */
TEST(a_body_far_beyond_3_mib_is_not_waited_for)
{
    static const char *const heads[] = {
        POST_MAP "Content-Length: 99999999999\r\n\r\n",
        POST_MAP "Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n",
        POST_MAP "Expect: 100-continue\r\nContent-Length: 3145729\r\n\r\n",
        POST_MAP "Transfer-Encoding: chunked\r\n\r\n99999999\r\n",
    };
    size_t len = (3 << 20) + (256 << 10) + 1;
    char *blanks = malloc(len);
    memset(blanks, ' ', len);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        http_peer other = http_connect(kube_apiserver_port(server));
        http_send(&other, heads[i]);
        if (strstr(heads[i], "chunked"))
            http_send_bytes(&other, blanks, len);
        http_answer refusal = http_read(&other, false);
        ck_assert_msg(refusal.status == 413, "%s: %d", heads[i], refusal.status);
        assert_header(&refusal, "Connection", "close");
        http_free(&refusal);
        ck_assert(http_is_closed(&other));
        http_close(&other);
    }
    free(blanks);
    /* What is little too large is read, and the next request answered. */
    post_blanks((3 << 20) + (256 << 10));
    expect(&peer, 413, NULL);
    expect_health(&peer);
}

TEST(malformed_requests_do_no_harm)
{
    static const char *const requests[] = {
        "no http at all\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\r\n\r\n\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "POST /version HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /version HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /version HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "GET / HTTP/1.1\r\nHost: a",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        http_peer other = http_connect(kube_apiserver_port(server));
        http_send(&other, requests[i]);
        shutdown(other.fd, SHUT_WR);
        while (!http_is_closed(&other))
            other.len = 0;
        http_close(&other);
    }
    expect_health(&peer);
    http_send(&peer, "GET /a%zz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(&peer, 400, "400 Bad Request: invalid URL escape");
    ck_assert(http_is_closed(&peer));
}

/* More of them, and beside a real server: tests/conformance/raw_http.py. */
TEST(what_go_refuses_is_refused_and_ends_the_connection)
{
    static const struct {
        const char *request;
        int status;
    } cases[] = {
        {"GET /livez HTTP/1.1\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\nHost: local host\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\nHost : localhost\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\n Host: localhost\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\nHost: localhost\r\nA: b\rC: d\r\n\r\n", 400},
        {"GET /livez HTTP/1.1\r\nHost: localhost\r\nA(): b\r\n\r\n", 400},
        {"GET /livez\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
        {"GET  /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
        {"\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
        {"GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n", 505},
        {"GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n", 417},
        {"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n"
         "\r\nab",
         400},
        {"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\na", 400},
        {"POST /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
        {"POST /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
         "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
         501},
        {"POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
         "2\r\n{}x\r\n0\r\n\r\n",
         500},
        {"POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
         "2\r\n{}\r\n0\r\nA: b\n\r\n",
         500},
        {"POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
         "2\r\n{}\r\n0\r\nA: b\r\n\n",
         500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        http_peer other = http_connect(kube_apiserver_port(server));
        http_send(&other, cases[i].request);
        http_send(&other, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        http_answer refusal = http_read(&other, false);
        ck_assert_msg(refusal.status == cases[i].status, "%s: %d", cases[i].request,
                      refusal.status);
        http_free(&refusal);
        ck_assert_msg(http_is_closed(&other), "%s: another answer", cases[i].request);
        http_close(&other);
    }
}

TEST(a_head_may_have_a_mebibyte)
{
    enum { MOST = 1 << 20 };
    static const char line[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ";
    char *value = malloc(MOST);
    memset(value, 'x', MOST);
    for (int more = 0; more < 2; more++) {
        http_send(&peer, line);
        http_send_bytes(&peer, value, more ? MOST : MOST - sizeof line);
        for (int i = 0; more && i < 8; i++) /* Go reads 4 KiB more than that */
            http_send_bytes(&peer, value, 1024);
        http_send(&peer, "\r\n\r\n");
        expect(&peer, more ? 431 : 200, more ? NULL : "ok");
    }
    ck_assert(http_is_closed(&peer));
    free(value);
}

TEST(people_get_it_pretty)
{
    static const struct {
        const char *target;
        const char *headers;
        bool pretty;
    } cases[] = {
        {CONFIG_MAPS "/nope", "", false},
        {CONFIG_MAPS "/nope?pretty=true", "", true},
        {CONFIG_MAPS "/nope?pretty=1", "", true},
        {CONFIG_MAPS "/nope", "User-Agent: curl/8\r\n", true},
        {CONFIG_MAPS "/nope?pretty=false", "User-Agent: curl/8\r\n", false},
        {CONFIG_MAPS "/nope", "User-Agent: kubectl/v1.37.1\r\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        http_answer answer = http_get(&peer, cases[i].target, cases[i].headers);
        const char *start = cases[i].pretty
                                ? "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\","
                                  "\n  \"metadata\": {},\n"
                                : "{\"kind\":\"Status\",\"apiVersion\":\"v1\",";
        ck_assert_msg(strncmp(answer.body, start, strlen(start)) == 0, "%s: %s", cases[i].target,
                      answer.body);
        http_free(&answer);
    }
}

/* ---- compression ---------------------------------------------------------------------------- */

/* Inflates all members; the text is the caller's. */
static char *inflate_all(const http_answer *answer, size_t *len, size_t *members)
{
    size_t size = 4 << 20;
    char *text = malloc(size);
    z_stream stream = {.next_in = (Bytef *)answer->body, .avail_in = (uInt)answer->len};
    *len = 0;
    *members = 0;
    while (stream.avail_in) {
        ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
        stream.next_out = (Bytef *)text + *len;
        stream.avail_out = (uInt)(size - *len - 1);
        ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
        *len += stream.total_out;
        ++*members;
        inflateEnd(&stream);
    }
    text[*len] = '\0';
    return text;
}

TEST(large_bodies_are_compressed_when_asked)
{
    size_t len;
    size_t members;
    load_config_map("small", 1 << 10);
    http_answer answer = http_get(&peer, CONFIG_MAPS, "Accept-Encoding: gzip\r\n");
    assert_header(&answer, "Content-Encoding", NULL);
    http_free(&answer);

    load_config_map("large", 200 << 10);
    http_answer plain = http_get(&peer, CONFIG_MAPS, "Accept-Encoding: gzip;q=1\r\n");
    assert_header(&plain, "Content-Encoding", NULL);
    answer = http_get(&peer, CONFIG_MAPS, "Accept-Encoding: deflate, gzip\r\n");
    assert_header(&answer, "Content-Encoding", "gzip");
    assert_header(&answer, "Vary", "Accept-Encoding");
    ck_assert_uint_lt(answer.len, 10 << 10);
    char *text = inflate_all(&answer, &len, &members);
    ck_assert_uint_eq(members, 1);
    ck_assert_str_eq(text, plain.body);
    free(text);
    http_free(&answer);
    http_free(&plain);
}

TEST(streaming_lists_are_compressed_member_by_member)
{
    size_t len;
    size_t members;
    for (int i = 0; i < 8; i++) {
        char name[16];
        sprintf(name, "c%d", i);
        load_config_map(name, 100 << 10);
    }
    http_answer answer = http_get(&peer,
                                  CONFIG_MAPS "?watch=1&sendInitialEvents=true&timeoutSeconds=1"
                                              "&resourceVersionMatch=NotOlderThan"
                                              "&allowWatchBookmarks=true",
                                  "Accept-Encoding: gzip\r\n");
    assert_header(&answer, "Content-Encoding", "gzip");
    char *text = inflate_all(&answer, &len, &members);
    ck_assert_uint_gt(members, 1);
    for (int i = 0; i < 8; i++) {
        char name[32];
        sprintf(name, "\"name\":\"c%d\"", i);
        ck_assert_ptr_nonnull(strstr(text, name));
    }
    ck_assert_ptr_nonnull(strstr(text, "initial-events-end"));
    free(text);
    http_free(&answer);

    answer = http_get(&peer, CONFIG_MAPS "?watch=1&timeoutSeconds=1", "Accept-Encoding: gzip\r\n");
    assert_header(&answer, "Content-Encoding", NULL);
    http_free(&answer);
}

/* ---- watches -------------------------------------------------------------------------------- */

static const kube_api_call_filter watches = {.verb = "watch"};

/* Opens a watch from now on, and reads its head. */
static http_peer open_watch(void)
{
    char request[256];
    http_peer watcher = http_connect(kube_apiserver_port(server));
    sprintf(request,
            "GET " CONFIG_MAPS "?watch=1&resourceVersion=%llu HTTP/1.1\r\nHost: localhost\r\n\r\n",
            (unsigned long long)kube_apiserver_resource_version(server));
    http_send(&watcher, request);
    http_answer head = http_read_head(&watcher);
    ck_assert_int_eq(head.status, 200);
    assert_header(&head, "Transfer-Encoding", "chunked");
    http_free(&head);
    return watcher;
}

static void expect_event(http_peer *watcher, const char *type, const char *name)
{
    char expected[64];
    size_t len;
    char *event = http_read_chunk(watcher, &len);
    sprintf(expected, "{\"type\":\"%s\"", type);
    ck_assert_msg(strncmp(event, expected, strlen(expected)) == 0, "%.100s", event);
    sprintf(expected, "\"name\":\"%s\"", name);
    ck_assert_msg(strstr(event, expected), "%.300s", event);
    ck_assert_int_eq(event[len - 1], '\n');
    free(event);
}

static void expect_end(http_peer *watcher)
{
    size_t len;
    free(http_read_chunk(watcher, &len));
    ck_assert_uint_eq(len, 0);
}

TEST(events_come_as_they_happen)
{
    http_peer watcher = open_watch();
    char name[16];
    for (int i = 0; i < 20; i++) {
        sprintf(name, "c%d", i);
        load_config_map(name, 10);
        expect_event(&watcher, "ADDED", name);
    }
    load_config_map("c0", 20);
    expect_event(&watcher, "MODIFIED", "c0");
    kube_apiserver_end_watches(server);
    expect_end(&watcher);
    http_close(&watcher);
}

TEST(a_burst_of_events_arrives_whole)
{
    enum { COUNT = 500 };
    http_peer watcher = open_watch();
    char name[16];
    size_t found = 0;

    for (int i = 0; i < COUNT; i++) {
        sprintf(name, "c%d", i);
        load_config_map(name, 2000);
    }
    kube_apiserver_end_watches(server);
    for (size_t len = 1; len;) {
        char *chunk = http_read_chunk(&watcher, &len);
        for (const char *p = chunk; (p = strstr(p, "{\"type\":\"ADDED\"")); p++)
            found++;
        free(chunk);
    }
    ck_assert_uint_ge(found, COUNT - 1); /* one head may lie across two chunks */
    http_close(&watcher);
}

TEST(many_watches_take_no_threads_and_end_with_the_server)
{
    enum { COUNT = 300 };
    http_peer watchers[COUNT];

    for (int i = 0; i < COUNT; i++)
        watchers[i] = open_watch();
    ck_assert_uint_eq(kube_apiserver_watch_count(server, NULL), COUNT);
    load_config_map("seen", 10);
    for (int i = 0; i < COUNT; i++)
        expect_event(&watchers[i], "ADDED", "seen");
    kube_apiserver_stop(server);
    for (int i = 0; i < COUNT; i++) {
        expect_end(&watchers[i]);
        ck_assert(http_is_closed(&watchers[i]));
        http_close(&watchers[i]);
    }
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
}

/* There is nothing to wait on for the count of watches, so it is looked at until it is right. */
static void wait_for_watch_count(size_t count)
{
    while (kube_apiserver_watch_count(server, &watches) != count)
        ck_assert_msg(!kube_ctx_sleep_ms(ctx, 1, &err), "%s", err.message);
}

TEST(a_watcher_that_hangs_up_is_noticed)
{
    http_peer first = open_watch();
    http_peer second = open_watch();
    wait_for_watch_count(2);
    http_close(&first);
    wait_for_watch_count(1);
    load_config_map("seen", 10);
    expect_event(&second, "ADDED", "seen");
    http_close(&second);
    wait_for_watch_count(0);
}

/* ---- the server's life ---------------------------------------------------------------------- */

TEST(stop_does_not_wait_for_clients)
{
    http_peer idle = http_connect(kube_apiserver_port(server));
    http_peer in_head = http_connect(kube_apiserver_port(server));
    http_peer in_body = http_connect(kube_apiserver_port(server));
    http_peer slow = http_connect(kube_apiserver_port(server));
    for (int i = 0; i < 20; i++) {
        char name[16];
        sprintf(name, "c%d", i);
        load_config_map(name, 900 << 10);
    }
    http_send(&in_head, "GET /version HT");
    http_send(&in_body,
              "POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    http_send(&slow, "GET " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    http_answer head = http_read_head(&slow); /* and no more: it fills the socket */
    http_free(&head);
    expect_health(&peer);
    kube_apiserver_stop(server);
    ck_assert(http_is_closed(&idle));
    ck_assert(http_is_closed(&in_head));
    ck_assert(http_is_closed(&in_body));
    http_close(&idle);
    http_close(&in_head);
    http_close(&in_body);
    http_close(&slow);
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
}

/* The lock is what a request that takes long holds. Of three that come meanwhile one may have to
 * wait for it, whatever it asks for; it is answered afterwards. */
TEST(health_is_answered_while_a_request_is_handled)
{
    http_peer others[] = {http_connect(kube_apiserver_port(server)),
                          http_connect(kube_apiserver_port(server))};
    struct pollfd sockets[] = {{.fd = others[0].fd, .events = POLLIN},
                               {.fd = others[1].fd, .events = POLLIN}};
    int first;
    kube__lock(&server->lock);
    http_send(&peer, "GET " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (int i = 0; i < 2; i++)
        http_send(&others[i], "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ck_assert_int_ge(poll(sockets, 2, 60000), 1);
    first = sockets[0].revents ? 0 : 1;
    expect(&others[first], 200, "ok");
    expect_health(&others[first]);
    kube__unlock(&server->lock);
    expect(&peer, 200, NULL);
    expect(&others[1 - first], 200, "ok");
    http_close(&others[0]);
    http_close(&others[1]);
}

/* Nor are credentials overlooked then. */
TEST(a_wrong_token_is_refused_while_a_request_is_handled)
{
    http_peer others[] = {http_connect(kube_apiserver_port(server)),
                          http_connect(kube_apiserver_port(server))};
    kube__lock(&server->lock);
    http_send(&peer, "GET " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (int i = 0; i < 2; i++)
        http_send(&others[i], "GET /livez HTTP/1.1\r\nHost: localhost\r\n"
                              "Authorization: Bearer wrong\r\n\r\n");
    kube__unlock(&server->lock);
    expect(&peer, 200, NULL);
    for (int i = 0; i < 2; i++) {
        expect(&others[i], 401, NULL);
        http_close(&others[i]);
    }
}

/* Who is handled or waits for that when the server stops gets an answer or none, and nothing leaks.
 */
TEST(a_server_stops_while_requests_are_handled)
{
    http_peer others[8];
    for (int i = 0; i < 8; i++) {
        others[i] = http_connect(kube_apiserver_port(server));
        http_send(&others[i], "GET " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    kube_apiserver_stop(server);
    for (int i = 0; i < 8; i++)
        http_close(&others[i]);
    ck_assert_msg(!kube_apiserver_start(NULL, &server, &err), "%s", err.message);
}

TEST(a_port_that_is_taken_is_an_error)
{
    const kube_apiserver_options options = {.port = kube_apiserver_port(server)};
    kube_apiserver *other;
    char expected[64];
    ck_assert_int_eq(kube_apiserver_start(&options, &other, &err), KUBE_ERR_CONFIG);
    ck_assert_ptr_null(other);
    sprintf(expected, "listen on 127.0.0.1:%u: Address already in use", options.port);
    ck_assert_str_eq(err.message, expected);
}

TEST(servers_in_one_process_know_nothing_of_each_other)
{
    enum { COUNT = 8 };
    kube_apiserver *servers[COUNT];
    for (int i = 0; i < COUNT; i++)
        ck_assert_msg(!kube_apiserver_start(NULL, &servers[i], &err), "%s", err.message);
    load_config_map("mine", 10);
    for (int i = 0; i < COUNT; i++) {
        http_peer other = http_connect(kube_apiserver_port(servers[i]));
        http_answer answer = http_get(&other, CONFIG_MAPS "/mine", "");
        ck_assert_int_eq(answer.status, 404);
        http_free(&answer);
        http_close(&other);
        kube_apiserver_stop(servers[i]);
    }
    expect_health(&peer);
}

TEST(the_same_seed_gives_the_same_uids)
{
    const kube_apiserver_options options = {.seed = 42};
    char *bodies[2];
    for (int i = 0; i < 2; i++) {
        kube_apiserver_stop(server);
        ck_assert_msg(!kube_apiserver_start(&options, &server, &err), "%s", err.message);
        ck_assert_uint_eq(kube_apiserver_seed(server), 42);
        http_close(&peer);
        peer = http_connect(kube_apiserver_port(server));
        for (int n = 0; n <= i; n++) /* what is only read takes nothing from the seed */
            expect_health(&peer);
        load_config_map("a", 1);
        http_answer answer = http_get(&peer, CONFIG_MAPS "/a", "");
        const char *uid = strstr(answer.body, "\"uid\":\"");
        ck_assert_ptr_nonnull(uid);
        bodies[i] = strndup(uid, 44);
        http_free(&answer);
    }
    ck_assert_str_eq(bodies[0], bodies[1]);
    free(bodies[0]);
    free(bodies[1]);
}

TEST(the_seed_says_nothing_of_tokens)
{
    const kube_apiserver_options options = {.seed = 42, .tls = true};
    kube_apiserver *servers[2];
    char *tokens[2];
    for (int i = 0; i < 2; i++) {
        ck_assert_msg(!kube_apiserver_start(&options, &servers[i], &err), "%s", err.message);
        const char *at = strstr(kube_apiserver_kubeconfig(servers[i]), "token: admin-");
        ck_assert_ptr_nonnull(at);
        tokens[i] = strndup(at, strcspn(at, "\n"));
    }
    ck_assert_str_ne(tokens[0], tokens[1]);
    for (int i = 0; i < 2; i++) {
        free(tokens[i]);
        kube_apiserver_stop(servers[i]);
    }
}

TEST(another_host_is_refused_where_nobody_says_who_he_is)
{
    static const struct {
        const char *host;
        int status;
    } cases[] = {
        {"localhost", 200},
        {"127.0.0.1:8080", 200},
        {"[::1]:1", 200},
        {"LOCALHOST:80", 200},
        {"evil.example.com", 403},
        {"evil.example.com:80", 403},
        {"localhost.evil.example.com", 403},
        {"127.0.0.1.nip.io", 403},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char request[128];
        snprintf(request, sizeof request, "GET /livez HTTP/1.1\r\nHost: %s\r\n\r\n", cases[i].host);
        http_send(&peer, request);
        expect(&peer, cases[i].status, cases[i].status == 200 ? "ok" : NULL);
    }
}

TEST(a_dropped_answer_is_no_answer_but_the_work_is_done)
{
    static const char request[] =
        "POST " CONFIG_MAPS " HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
        "application/json\r\nContent-Length: 66\r\n\r\n"
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
        "\"metadata\":{\"name\":\"gone\"}}  ";
    const kube_fault_rule rule = {.kind = KUBE_FAULT_DROP, .verb = "create"};
    kube_api_call_list calls;
    http_peer other = http_connect(kube_apiserver_port(server));
    ck_assert_int_eq(kube_apiserver_add_fault(server, &rule, &err), KUBE_OK);
    http_send(&other, request);
    ck_assert(http_is_closed(&other));
    http_close(&other);
    http_answer answer = http_get(&peer, CONFIG_MAPS "/gone", "");
    ck_assert_int_eq(answer.status, 200);
    http_free(&answer);
    ck_assert_uint_eq(kube_apiserver_fault_count(server, KUBE_FAULT_DROP), 1);
    ck_assert_int_eq(
        kube_apiserver_calls(server, ctx, &(kube_api_call_filter){.verb = "create"}, &calls, &err),
        KUBE_OK);
    ck_assert_uint_eq(calls.len, 1);
    ck_assert_int_eq(calls.items[0].http_status, 0);
}

TEST(faults_answer_in_place_of_the_server)
{
    static const struct {
        kube_fault_rule rule;
        int status;
        const char *retry_after;
        const char *body;
    } cases[] = {
        {{.kind = KUBE_FAULT_STATUS, .retry_after_s = 7, .times = 1},
         503,
         "7",
         "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
         "\"message\":\"the server is currently unable to handle the request\","
         "\"reason\":\"ServiceUnavailable\",\"details\":{\"retryAfterSeconds\":7},"
         "\"code\":503}\n"},
        {{.kind = KUBE_FAULT_TEXT, .retry_after_s = -1, .times = 1},
         429,
         "0",
         "Too many requests, please try again later.\n"},
        {{.kind = KUBE_FAULT_UNAUTHORIZED, .times = 1}, 401, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(kube_apiserver_add_fault(server, &cases[i].rule, &err), KUBE_OK);
        http_answer answer = http_get(&peer, CONFIG_MAPS, "");
        ck_assert_int_eq(answer.status, cases[i].status);
        assert_header(&answer, "Retry-After", cases[i].retry_after);
        if (cases[i].body)
            ck_assert_str_eq(answer.body, cases[i].body);
        http_free(&answer);
    }
    expect_health(&peer);
}
