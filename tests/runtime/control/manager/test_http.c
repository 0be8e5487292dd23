/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "base/thread.h"
#include "control/manager/address.h"
#include "control/manager/http.h"
#include "control/manager/query.h"
#include "support/suite.h"

#include <arpa/inet.h>
#include <errno.h>
#include <kube/testing/clock.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static kube__http *http;
static kube_fake_clock *fake;
static kube_ctx *ctx;

/* ---- the handler ----------------------------------------------------------------------------- */

static kube__mutex mutex;
static kube__condition changed;
static char large[1 << 20]; /* more than the machine takes for who does not read */
static int inside;          /* requests for /wait that have come */
static int let_go;          /* of them may go on */
static atomic_int gone;

static void wait_to_be_let_go(void)
{
    kube__lock(&mutex);
    inside++;
    kube__broadcast(&changed);
    while (let_go == 0)
        kube__wait(&changed, &mutex);
    let_go--;
    kube__unlock(&mutex);
    atomic_fetch_add(&gone, 1);
}

static void wait_until_inside(int count)
{
    kube__lock(&mutex);
    while (inside < count)
        kube__wait(&changed, &mutex);
    kube__unlock(&mutex);
}

static void release(int count)
{
    kube__lock(&mutex);
    let_go += count;
    kube__broadcast(&changed);
    kube__unlock(&mutex);
}

static const char *shown(const char *value)
{
    return value ? *value ? value : "empty" : "none";
}

static void handle(void *arg, kube_ctx *page, const kube__http_server_request *request,
                   kube__http_answer *answer)
{
    const char *first;
    ck_assert_str_eq(arg, "the argument");
    if (strcmp(request->path, "/wait") == 0)
        wait_to_be_let_go();
    if (strcmp(request->path, "/html") == 0)
        answer->content_type = "text/html; charset=utf-8";
    if (strcmp(request->path, "/no memory") == 0)
        return;
    if (strcmp(request->path, "/gone") == 0)
        answer->status = 404;
    if (strcmp(request->path, "/large") == 0) {
        answer->body = large;
        return;
    }
    first = kube__query_next(request->query, "a", NULL);
    answer->body =
        kube_printf(page, "%s a=%s b=%s a[1]=%s accept=%s\n", request->path, shown(first),
                    shown(kube__query_next(request->query, "b", NULL)),
                    shown(kube__query_next(request->query, "a", first)), request->accept);
}

static kube_code try_start(const char *address, kube__http **out, kube_error *err)
{
    const kube__http_options options = {
        .address = address,
        .what = "--listen",
        .handler = handle,
        .arg = (void *)"the argument",
        .clock = kube_fake_clock_clock(fake),
    };
    return kube__http_start(&options, out, err);
}

static void start_at(const char *address)
{
    kube_error err;
    ck_assert_msg(try_start(address, &http, &err) == KUBE_OK, "%s", err.message);
}

static void set_up(void)
{
    ck_assert_int_eq(kube__mutex_init(&mutex, NULL), KUBE_OK);
    ck_assert_int_eq(kube__condition_init(&changed, NULL), KUBE_OK);
    inside = 0;
    let_go = 0;
    atomic_store(&gone, 0);
    fake = kube_fake_clock_new();
    ctx = kube_ctx_new();
    start_at("127.0.0.1:0");
}

static void tear_down(void)
{
    kube__http_stop(http);
    kube_ctx_free(ctx);
    kube_fake_clock_free(fake);
    kube__condition_fini(&changed);
    kube__mutex_fini(&mutex);
}

/* ---- a client -------------------------------------------------------------------------------- */

static int dial(void)
{
    const char *address = kube__http_address(http);
    struct sockaddr_in to = {.sin_family = AF_INET};
    int room = 4096; /* for what is not read yet */
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void say(int fd, const char *text)
{
    size_t len = strlen(text);
    ck_assert_int_eq(send(fd, text, len, MSG_NOSIGNAL), (ssize_t)len);
}

/* All until the server hangs up, in whatever way. */
static const char *hear(int fd)
{
    size_t size = 64 << 10;
    size_t len = 0;
    char *text = kube_ctx_alloc(ctx, size);
    ssize_t got;
    while (len < size - 1 && (got = recv(fd, text + len, size - 1 - len, 0)) > 0)
        len += (size_t)got;
    close(fd);
    return text;
}

static const char *ask(const char *request)
{
    int fd = dial();
    say(fd, request);
    return hear(fd);
}

static const char *get(const char *target)
{
    return ask(kube_printf(ctx, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                           target));
}

static const char *body_of(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    ck_assert_msg(end != NULL, "no body in \"%s\"", answer);
    return end + 4;
}

static void expect_status(const char *answer, int status)
{
    char line[32];
    snprintf(line, sizeof line, "HTTP/1.1 %d ", status);
    ck_assert_msg(strncmp(answer, line, strlen(line)) == 0, "not %d: \"%s\"", status, answer);
}

static void expect_header(const char *answer, const char *header)
{
    ck_assert_msg(strstr(answer, kube_printf(ctx, "\r\n%s\r\n", header)) != NULL,
                  "no \"%s\" in \"%s\"", header, answer);
}

/* ---- requests -------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(a_get_is_answered_with_text_that_nobody_keeps)
{
    const char *answer = get("/a%20path");
    expect_status(answer, 200);
    ck_assert_str_eq(body_of(answer), "/a path a=none b=none a[1]=none accept=\n");
    expect_header(answer, "Content-Length: 40");
    expect_header(answer, "Content-Type: text/plain; charset=utf-8");
    expect_header(answer, "Cache-Control: no-store");
    expect_header(answer, "X-Content-Type-Options: nosniff");
    ck_assert_ptr_null(strstr(answer, "Content-Security-Policy"));
}

TEST(a_head_has_the_same_head_and_no_body)
{
    const char *answer = ask("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect_status(answer, 200);
    expect_header(answer, "Content-Length: 34");
    ck_assert_str_eq(body_of(answer), "");
}

TEST(parameters_are_told_from_their_values)
{
    ck_assert_str_eq(body_of(get("/?a")), "/ a=empty b=none a[1]=none accept=\n");
    ck_assert_str_eq(body_of(get("/?a=&b=x%26y")), "/ a=empty b=x&y a[1]=none accept=\n");
    ck_assert_str_eq(body_of(get("/?a=1&b=2&a=3")), "/ a=1 b=2 a[1]=3 accept=\n");
    ck_assert_str_eq(body_of(ask("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n"
                                 "Connection: close\r\n\r\n")),
                     "/ a=none b=none a[1]=none accept=text/html\n");
}

TEST(html_may_load_and_run_nothing)
{
    const char *answer = get("/html");
    expect_header(answer, "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
                          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    expect_header(answer, "Referrer-Policy: no-referrer");
}

TEST(other_methods_are_refused)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const char *answer = ask(kube_printf(
            ctx,
            "%s / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            methods[i]));
        expect_status(answer, 405);
        expect_header(answer, "Allow: GET, HEAD");
        ck_assert_str_eq(body_of(answer), "use GET or HEAD\n");
    }
}

TEST(a_status_of_the_handler_is_sent)
{
    expect_status(get("/gone"), 404);
}

TEST(a_handler_out_of_memory_is_a_server_error)
{
    const char *answer = get("/no%20memory");
    expect_status(answer, 500);
    ck_assert_str_eq(body_of(answer), "out of memory\n");
}

TEST(garbage_is_refused_and_harms_nobody)
{
    static const char *const requests[] = {
        "\r\n\r\n\r\n",
        "GET\r\n\r\n",
        "\x16\x03\x01\x02 a TLS hello\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n", /* 1.1 wants a Host */
        "GET / HTTP/9.9\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET /%zz%00%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        int fd = dial();
        say(fd, requests[i]);
        shutdown(fd, SHUT_WR);
        hear(fd);
    }
    expect_status(get("/"), 200);
}

TEST(a_head_that_is_too_large_is_refused)
{
    char *long_path = kube_ctx_alloc(ctx, 40 << 10);
    int fd = dial();
    const char *answer;
    memset(long_path, 'x', (40 << 10) - 1);
    say(fd, "GET /");
    (void)send(fd, long_path, strlen(long_path), MSG_NOSIGNAL);
    (void)send(fd, " HTTP/1.1\r\nHost: localhost\r\n\r\n", 30, MSG_NOSIGNAL);
    answer = hear(fd);
    ck_assert_ptr_null(strstr(answer, "200 OK"));
    expect_status(get("/"), 200);
}

TEST(pages_from_elsewhere_cannot_ask_on_loopback)
{
    static const struct {
        const char *host;
        int status;
    } rows[] = {
        {"localhost", 200},       {"LocalHost:8080", 200}, {"127.0.0.1:1", 200},
        {"[::1]", 200},           {"[::1]:80", 200},       {"evil.example", 403},
        {"evil.example:80", 403}, {"localhost.evil", 403}, {"127.0.0.1.evil.example", 403},
        {"[::1].evil", 403},      {"127.0.0.2", 403},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_status(
            ask(kube_printf(ctx, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                            rows[i].host)),
            rows[i].status);
}

TEST(who_listens_for_all_takes_every_name)
{
    kube__http_stop(http);
    start_at("0.0.0.0:0");
    ck_assert_int_eq(strncmp(kube__http_address(http), "0.0.0.0:", 8), 0);
    expect_status(ask("GET / HTTP/1.1\r\nHost: pod-7.example\r\nConnection: close\r\n\r\n"), 200);
    kube__http_stop(http);
    start_at(":0");
    expect_status(ask("GET / HTTP/1.1\r\nHost: pod-7.example\r\nConnection: close\r\n\r\n"), 200);
}

/* ---- many, slow, and stopped ----------------------------------------------------------------- */

enum { CLIENTS = 100 };

TEST(a_hundred_at_once_are_all_answered)
{
    int fds[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = dial();
        say(fds[i],
            kube_printf(ctx, "GET /%d HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                        i));
    }
    for (int i = 0; i < CLIENTS; i++) {
        const char *answer = hear(fds[i]);
        expect_status(answer, 200);
        ck_assert_str_eq(body_of(answer),
                         kube_printf(ctx, "/%d a=none b=none a[1]=none accept=\n", i));
    }
}

TEST(who_sends_half_a_request_is_hung_up_on_in_the_end)
{
    int slow[8];
    for (size_t i = 0; i < 8; i++) {
        slow[i] = dial();
        say(slow[i], "GET / HTTP/1.1\r\nHost: loc");
    }
    expect_status(get("/"), 200); /* the others do not wait for them */
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 9999);
    for (size_t i = 0; i < 8; i++)
        say(slow[i], "a"); /* not silent, and late all the same */
    kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 1);
    for (size_t i = 0; i < 8; i++)
        ck_assert_str_eq(hear(slow[i]), "");
    expect_status(get("/"), 200);
}

/* More than there may be connections. */
enum { DEAD_PEERS = 400 };

static const char *const beginnings[] = {
    "GET / HTTP/1.1\r\nHost: loc",
    "",
    "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\nGET /more HTTP/1.1\r\n",
};

/* The clock stands still: nobody is late. */
TEST_EACH(who_is_waited_for_longest_makes_room, beginnings)
{
    int dead[DEAD_PEERS];
    int alive;
    memset(large, 'x', sizeof large - 1);
    for (size_t i = 0; i < DEAD_PEERS; i++) {
        dead[i] = dial();
        say(dead[i], beginnings[_i]);
        if (i % 20 == 0)
            expect_status(get("/"), 200);
    }
    expect_status(get("/"), 200);
    alive = dead[DEAD_PEERS - 1];
    for (size_t i = 0; i < DEAD_PEERS - 1; i++)
        close(dead[i]);
    if (_i == 0) {
        say(alive, "alhost\r\nConnection: close\r\n\r\n"); /* it was not its turn */
        expect_status(hear(alive), 200);
    } else {
        close(alive);
    }
}

TEST(any_number_of_parameters_is_answered)
{
    char *target = kube_ctx_alloc(ctx, 16 << 10);
    size_t len = 0;
    for (size_t count = 1; count <= 4096; count *= 2) {
        while (len < 2 * count)
            len += (size_t)sprintf(target + len, "%s", len ? "&b" : "/?");
        ck_assert_str_eq(body_of(get(kube_printf(ctx, "%s&a=1&a=2", target))),
                         count > 1 ? "/ a=1 b=empty a[1]=2 accept=\n"
                                   : "/ a=1 b=none a[1]=2 accept=\n");
    }
}

TEST(parameters_are_read_as_browsers_write_them)
{
    static const struct {
        const char *query;
        const char *values; /* of a, each with a ';' */
    } rows[] = {
        {"", ""},
        {"a", ";"},
        {"a=", ";"},
        {"a=1", "1;"},
        {"&&a=1&", "1;"},
        {"=1&a=2&b=3&a", "2;;"},
        {"a=x+y%2Bz", "x y+z;"},
        {"%61=%e2%82%AC", "\xe2\x82\xac;"},
        {"a=%&a=%4&a=%4g&a=%00", "%;%4;%4g;%00;"},
        {"a=b=c&aa=1&A=2", "b=c;"},
        {"b=%4&a=1", "1;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *query = kube__query_parse(rows[i].query);
        const char *value = NULL;
        const char *values = "";
        while ((value = kube__query_next(query, "a", value)) != NULL)
            values = kube_printf(ctx, "%s%s;", values, value);
        ck_assert_str_eq(values, rows[i].values);
        free(query);
    }
    ck_assert_ptr_null(kube__query_next(NULL, "a", NULL));
}

TEST(a_connection_can_be_used_again)
{
    int fd = dial();
    const char *answer;
    say(fd, "GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    say(fd, "GET /2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    answer = hear(fd);
    ck_assert_ptr_nonnull(strstr(answer, "/1 a="));
    ck_assert_ptr_nonnull(strstr(answer, "/2 a="));
}

static void *stop(void *arg)
{
    kube__http_stop(http);
    http = NULL;
    atomic_store((atomic_bool *)arg, true);
    return NULL;
}

TEST(a_stop_waits_for_the_request_at_hand)
{
    kube__thread stopper = {0};
    atomic_bool stopped = false;
    int fd = dial();
    say(fd, "GET /wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    wait_until_inside(1);
    ck_assert_int_eq(kube__thread_start(&stopper, "stopper", stop, &stopped, NULL), KUBE_OK);
    ck_assert(!atomic_load(&stopped));
    release(1);
    kube__thread_join(&stopper);
    ck_assert(atomic_load(&stopped));
    ck_assert_int_eq(atomic_load(&gone), 1); /* it had ended when stop returned */
    hear(fd);
}

TEST(a_stop_ends_connections_that_are_open)
{
    int idle = dial();
    int half = dial();
    say(half, "GET / HT");
    expect_status(get("/"), 200);
    kube__http_stop(http);
    http = NULL;
    ck_assert_str_eq(hear(idle), "");
    ck_assert_str_eq(hear(half), "");
}

/* ---- addresses ------------------------------------------------------------------------------- */

TEST(what_is_no_address_is_refused_by_the_options_name)
{
    static const char *const addresses[] = {
        "",    "8080",  "localhost", "host:",     ":http", ":65536",
        ":-1", "[::1]", "[::1",      "[::1]8080", "a:1:2", ":100000"};
    kube__http *none;
    kube_error err;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        ck_assert_int_eq(try_start(addresses[i], &none, &err), KUBE_ERR_ARGUMENT);
        ck_assert_ptr_null(none);
        ck_assert_str_eq(err.message,
                         kube_printf(ctx,
                                     "--listen: \"%s\" is not host:port, [address]:port or :port",
                                     addresses[i]));
    }
}

TEST(an_address_in_use_is_told)
{
    kube__http *none;
    kube_error err;
    ck_assert_int_eq(try_start(kube__http_address(http), &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, kube_printf(ctx, "--listen: cannot listen on %s: %s",
                                              kube__http_address(http), strerror(EADDRINUSE)));
}

TEST(an_address_of_nobody_here_is_told)
{
    kube__http *none;
    kube_error err;
    ck_assert_int_eq(try_start("192.0.2.1:0", &none, &err), KUBE_ERR_ARGUMENT);
    ck_assert_int_eq(strncmp(err.message, "--listen: cannot listen on 192.0.2.1:0: ", 40), 0);
}

TEST(version_6_is_written_in_brackets)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    int probe = socket(AF_INET6, SOCK_STREAM, 0);
    bool there = probe >= 0 && bind(probe, (struct sockaddr *)&any, sizeof any) == 0;
    if (probe >= 0)
        close(probe);
    if (!there)
        return; /* the machine has no IPv6 */
    kube__http_stop(http);
    start_at("[::1]:0");
    ck_assert_int_eq(strncmp(kube__http_address(http), "[::1]:", 6), 0);
    ck_assert(kube__host_is_ours("[::1]:9", kube__http_address(http)));
    kube__http_stop(http);
    start_at(":0");
    ck_assert_int_eq(strncmp(kube__http_address(http), "[::]:", 5), 0);
    expect_status(get("/"), 200); /* by IPv4 */
}
