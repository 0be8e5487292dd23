/* SPDX-License-Identifier: Apache-2.0 */
/* The options fence and metrics of a client. */
#include "net_kit.h"
#include "support/pki.h"

#include <arpa/inet.h>
#include <kube/testing/clock.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GRACE_MS = 4000, BODY_BYTES = 16 << 20 };

static http_server *server;
static kube_client *client;
static kube_fence *fence;
static kube_ctx *ctx;
static kube_error err;

static kube_client *fenced_client(const char *url)
{
    return client_with(url, &(kube_client_options){.fence = fence, .fence_grace_ms = GRACE_MS});
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    fence = kube_fence_new(NULL);
    server = http_server_start(NULL);
    client = fenced_client(http_server_url(server));
}

static void tear_down(void)
{
    kube_client_free(client);
    http_server_free(server);
    kube_fence_free(fence);
    kube_ctx_free(ctx);
}

static void open_fence(void)
{
    kube_fence_open_until(fence, INT64_MAX);
}

static const thing red = {.metadata = {.name = "a", .namespace_ = "team"}};

static kube_code run_create(caller *c, kube_error *error)
{
    return kube_client_create(c->arg ? c->arg : client, c->ctx, &thing_type, "team", &red.base,
                              NULL, NULL, error);
}

static kube_code run_get(caller *c, kube_error *error)
{
    kube_object *out;
    return kube_client_get(client, c->ctx, &thing_type, kube_key_of("team", "a"), NULL, &out,
                           error);
}

/* ---- closed ---------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(no_write_is_sent_while_it_is_closed)
{
    static const kube_apply_options manager = {.field_manager = "me"};
    const char *patch = "{}";
    expect(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FENCED, &err);
    expect_text(err.message, "POST ");
    expect_text(err.message, "not sent: the lease is not held");
    expect(kube_client_update(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FENCED, &err);
    expect(kube_client_update_status(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FENCED, &err);
    expect(kube_client_patch(client, ctx, &thing_type, kube_key_of("team", "a"), KUBE_PATCH_MERGE,
                             patch, 2, NULL, NULL, &err),
           KUBE_ERR_FENCED, &err);
    expect(kube_client_apply(client, ctx, &thing_type, "team", &red.base, &manager, NULL, &err),
           KUBE_ERR_FENCED, &err);
    expect(kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &err),
           KUBE_ERR_FENCED, &err);
    expect(kube_client_delete_collection(client, ctx, &thing_type, "team", NULL, NULL, &err),
           KUBE_ERR_FENCED, &err);
    ck_assert_uint_eq(http_server_connections(server), 0);
    ck_assert_uint_eq(kube_client_request_count(client), 0);
}

TEST(reads_pass_at_all_times)
{
    kube_object *out;
    kube_object_list *list;
    kube_watch *watch;
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err),
              &err);
    http_server_reply_json(server, THING_LIST_JSON("", "1", ""));
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
    http_server_reply_held(server);
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    kube_watch_free(watch);
}

TEST(writes_pass_while_it_is_open)
{
    open_fence();
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
              &err);
    kube_fence_close(fence);
    expect(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FENCED, &err);
    open_fence();
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
              &err);
    ck_assert_uint_eq(http_server_count(server), 2);
}

/* ---- closing --------------------------------------------------------------------------------- */

TEST(a_write_that_waits_for_its_connection_is_never_seen)
{
    pki_pair ca = pki_ca("ca");
    pki_pair leaf = pki_issue(&ca, "server", "IP:127.0.0.1", 1);
    http_server *stalled = http_server_start(&(http_server_options){
        .certificate = leaf.certificate, .key = leaf.key, .stall_handshake = true});
    kube_client *to_stalled = fenced_client(http_server_url(stalled));
    caller c;
    open_fence();
    caller_start(&c, ctx, run_create, to_stalled);
    http_server_wait_connections(stalled, 1);
    kube_fence_close(fence);
    caller_join(&c);
    expect(c.code, KUBE_ERR_FENCED, &c.error);
    expect_text(c.error.message, "not sent: the lease ran out 0.");
    ck_assert_uint_eq(http_server_count(stalled), 0);
    kube_client_free(to_stalled);
    http_server_free(stalled);
    pki_free(&leaf);
    pki_free(&ca);
}

TEST(a_write_under_way_is_cut_off)
{
    caller c;
    open_fence();
    caller_start(&c, ctx, run_create, NULL);
    http_server_wait(server, 1);
    kube_fence_close(fence);
    caller_join(&c);
    expect(c.code, KUBE_ERR_FENCED, &c.error);
    expect_text(c.error.message, "cut off: the lease ran out 0.");
    expect_text(c.error.message, "may have carried out the request");
    /* Its connection is not used again. */
    open_fence();
    http_server_reply_json(server, THING_JSON("lost", "1"));
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
              &err);
    ck_assert_uint_eq(http_server_connections(server), 2);
}

TEST(a_write_is_cut_off_when_the_time_is_over)
{
    kube_clock *clock = kube_clock_system();
    int64_t deadline = clock->now_ns(clock) + 200 * INT64_C(1000000);
    caller c;
    kube_fence_open_until(fence, deadline);
    caller_start(&c, ctx, run_create, NULL);
    caller_join(&c);
    expect(c.code, KUBE_ERR_FENCED, &c.error);
    ck_assert_int_ge(c.ended_ns, deadline);
    ck_assert_int_lt(c.ended_ns, deadline + 60 * INT64_C(1000000000)); /* by itself, though */
}

static const thing *large_thing;

static kube_code run_large(caller *c, kube_error *error)
{
    return kube_client_create(c->arg, c->ctx, &thing_type, "team", &large_thing->base, NULL, NULL,
                              error);
}

/* The peer has read `first` bytes of a large body when the fence closes, and reads on. */
static void check_that_a_body_ends_in_a_reset(size_t first)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char url[64];
    char *color = malloc(BODY_BYTES + 1);
    static char piece[64 << 10];
    thing large = red;
    kube_client *to_slow;
    caller c;
    size_t total = 0;
    ssize_t got = 1;
    int peer;
    memset(color, 'x', BODY_BYTES);
    color[BODY_BYTES] = '\0';
    large.spec.color = color;
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, len), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(address.sin_port));
    to_slow = fenced_client(url);
    open_fence();
    large_thing = &large;
    caller_start(&c, ctx, run_large, to_slow);
    peer = accept(listener, NULL, NULL);
    ck_assert_int_ge(recv(peer, piece, 1, MSG_PEEK), 1);
    while (total < first && (got = recv(peer, piece, sizeof(piece), 0)) > 0)
        total += (size_t)got;
    kube_fence_close(fence);
    while ((got = recv(peer, piece, sizeof(piece), 0)) > 0)
        total += (size_t)got;
    ck_assert_msg(got < 0, "the body ended in order after %zu bytes", total);
    ck_assert_uint_lt(total, BODY_BYTES);
    caller_join(&c);
    expect(c.code, KUBE_ERR_FENCED, &c.error);
    kube_client_free(to_slow);
    close(peer);
    close(listener);
    free(color);
}

TEST(a_body_is_not_sent_to_its_end)
{
    check_that_a_body_ends_in_a_reset(0);
}

/* Nor what the kernel had taken when curl asked for more and was told that there is none. */
TEST(a_body_on_its_way_is_dropped)
{
    for (size_t i = 0; i < 20; i++)
        check_that_a_body_ends_in_a_reset((64 << 10) * i);
}

TEST(it_is_asked_again_before_a_retry) /* REQ-3 */
{
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *scope = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    caller c;
    open_fence();
    http_server_reply(server, 503, "Content-Type: text/plain\r\nRetry-After: 3\r\n", "later");
    caller_start(&c, scope, run_create, NULL);
    http_server_wait(server, 1);
    while (kube_fake_clock_next_ms(fake) != 3000)
        kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fence_close(fence);
    kube_fake_clock_advance_ms(fake, 3000);
    caller_join(&c);
    expect(c.code, KUBE_ERR_FENCED, &c.error);
    expect_text(c.error.message, "not sent");
    ck_assert_uint_eq(http_server_count(server), 1);
    kube_ctx_free(scope);
    kube_fake_clock_free(fake);
}

TEST(streams_go_on_when_it_closes)
{
    kube_watch *watch;
    const kube_event *event;
    caller c;
    open_fence();
    http_server_reply_held(server);
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    http_server_hold_wait(server);
    caller_start(&c, ctx, run_create, NULL);
    http_server_wait(server, 2);
    kube_fence_close(fence);
    caller_join(&c);
    expect(c.code, KUBE_ERR_FENCED, &c.error);
    http_server_hold_chunk(server, EVENT_JSON("ADDED", THING_JSON("a", "1")));
    expect_ok(kube_watch_next(watch, ctx, &event, &err), &err);
    ck_assert_int_eq(event->type, KUBE_WATCH_ADDED);
    kube_watch_free(watch);
}

TEST(a_read_is_not_touched_unless_a_write_is_under_way)
{
    caller c;
    open_fence();
    caller_start(&c, ctx, run_get, NULL);
    http_server_wait(server, 1);
    kube_fence_close(fence);
    http_server_reply_json(server, THING_JSON("a", "1"));
    caller_join(&c);
    expect_ok(c.code, &c.error);
    ck_assert_uint_eq(http_server_count(server), 1);
}

TEST(clients_come_and_go_while_it_lives)
{
    for (int i = 0; i < 20; i++) {
        kube_client *another = fenced_client(http_server_url(server));
        if (i % 2)
            open_fence();
        kube_client_free(another);
        kube_fence_close(fence);
    }
}

/* ---- metrics --------------------------------------------------------------------------------- */

static double value_of(kube_metrics *metrics, const char *name, const char *const *names,
                       const char *const *values)
{
    kube_counter_family *metric;
    expect_ok(kube_metrics_counter(metrics, name, "", names, &metric, &err), &err);
    return kube_counter_value(kube_counter_with(metric, values));
}

TEST(requests_are_counted_under_client_gos_names)
{
    static const char *const requests[] = {"code", "host", "method", NULL};
    static const char *const retries[] = {"code", "verb", "host", NULL};
    kube_metrics *metrics = kube_metrics_new();
    kube_fake_clock *fake = kube_fake_clock_new();
    kube_ctx *scope = kube_ctx_new_with_clock(kube_fake_clock_clock(fake));
    char host[32];
    const char *text;
    kube_object_list *list;
    kube_object *out;
    caller c;
    snprintf(host, sizeof(host), "127.0.0.1:%d", http_server_port(server));
    kube_client_free(client);
    client = client_with(http_server_url(server),
                         &(kube_client_options){.fence = fence, .metrics = metrics});
    http_server_reply_json(server, THING_JSON("a", "1"));
    expect_ok(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err),
              &err);
    http_server_reply(server, 404, NULL, NULL);
    expect(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err),
           KUBE_ERR_NOT_FOUND, &err);
    http_server_reply_json(server, THING_LIST_JSON("", "1", ""));
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
    open_fence();
    http_server_reply_reset(server);
    expect(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_TRANSPORT, &err);
    http_server_reply(server, 429, "Content-Type: text/plain\r\nRetry-After: 3\r\n", "later");
    http_server_reply_json(server, THING_JSON("a", "1"));
    caller_start(&c, scope, run_create, NULL);
    while (kube_fake_clock_next_ms(fake) != 3000)
        kube_fake_clock_wait_for_waiters(fake, 1);
    kube_fake_clock_advance_ms(fake, 3000);
    caller_join(&c);
    expect_ok(c.code, &c.error);
    kube_fence_close(fence);
    expect(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
           KUBE_ERR_FENCED, &err); /* not sent: not counted */
    kube_client_free(client);      /* the list's end has been counted then */
    client = NULL;
#define REQUESTS(code, method)                                                                     \
    value_of(metrics, "rest_client_requests_total", requests,                                      \
             (const char *const[]){code, host, method})
    ck_assert_double_eq(REQUESTS("200", "GET"), 2);
    ck_assert_double_eq(REQUESTS("404", "GET"), 1);
    ck_assert_double_eq(REQUESTS("<error>", "POST"), 1);
    ck_assert_double_eq(REQUESTS("429", "POST"), 1);
    ck_assert_double_eq(REQUESTS("200", "POST"), 1);
    ck_assert_double_eq(REQUESTS("<error>", "GET"), 0);
    ck_assert_double_eq(value_of(metrics, "rest_client_request_retries_total", retries,
                                 (const char *const[]){"429", "POST", host}),
                        1);
    text = kube_metrics_text(metrics, ctx);
    expect_text(text, "rest_client_request_duration_seconds_count{host=\"127.0.0.1:");
    expect_text(text, "verb=\"GET\"} 3\n");
    expect_text(text, "le=\"0.005\"");
    expect_text(text, "le=\"60\"");
    kube_ctx_free(scope);
    kube_fake_clock_free(fake);
    kube_metrics_free(metrics);
}
