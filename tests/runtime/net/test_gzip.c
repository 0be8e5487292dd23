/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are packed: asked for (CFG-4), and not. */
#include "base/buffer.h"
#include "net/client/result_stream.h"
#include "net/transport/gzip.h"
#include "net_kit.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

static kube_error err;

/* One member of the format; its length is returned. */
static size_t pack(const char *text, size_t len, char *out, size_t size)
{
    z_stream stream = {0};
    ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    stream.next_in = (unsigned char *)(uintptr_t)text;
    stream.avail_in = (unsigned)len;
    stream.next_out = (unsigned char *)out;
    stream.avail_out = (unsigned)size;
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    len = size - stream.avail_out;
    deflateEnd(&stream);
    return len;
}

/* ---- the decoder ---------------------------------------------------------------------------- */

typedef struct sink {
    kube__buffer text;
    unsigned calls;
    unsigned full_every; /* the how-manieth call finds no room; 0 = none */
} sink;

static kube__http_verdict take(void *arg, const char *data, size_t len)
{
    sink *s = arg;
    if (s->full_every && ++s->calls % s->full_every == 0)
        return KUBE__HTTP_FULL;
    kube__buffer_add(&s->text, data, len);
    return KUBE__HTTP_TAKEN;
}

/* As curl does: what was not taken comes again, perhaps in other pieces. */
static void feed(kube__gzip *gzip, sink *s, const char *data, size_t len, size_t step)
{
    size_t again = step;
    while (len > 0) {
        size_t part = again < len ? again : len;
        kube__http_verdict verdict = kube__gzip_feed(gzip, data, part, take, s);
        ck_assert_int_ne(verdict, KUBE__HTTP_STOP);
        if (verdict == KUBE__HTTP_FULL) {
            again = again / 2 + 1;
            continue;
        }
        data += part;
        len -= part;
        again = step;
    }
}

TEST(members_unpack_wherever_they_are_cut_and_paused)
{
    enum { LEN = 300000 };
    static char text[LEN];
    static char packed[2 * LEN];
    size_t len = 0;
    for (size_t i = 0; i < LEN; i++)
        text[i] = (char)('a' + i * i % 23 * (i / 1000) % 26);
    len = pack(text, 10, packed, sizeof packed);
    len += pack(text + 10, LEN - 20, packed + len, sizeof packed - len);
    len += pack(text + LEN - 10, 10, packed + len, sizeof packed - len);
    for (unsigned full = 0; full < 4; full++) {
        for (size_t step = 1; step < 100000; step = step * 7 + 1) {
            sink s = {.full_every = full == 1 ? 2 : full};
            kube__gzip *gzip = kube__gzip_new();
            ck_assert_ptr_nonnull(gzip);
            kube__buffer_init(&s.text, SIZE_MAX);
            feed(gzip, &s, packed, len, step);
            ck_assert_uint_eq(s.text.len, LEN);
            ck_assert_mem_eq(s.text.data, text, LEN);
            ck_assert(kube__gzip_is_whole(gzip));
            kube__buffer_fini(&s.text);
            kube__gzip_free(gzip);
        }
    }
}

/* ---- answers -------------------------------------------------------------------------------- */

static http_server *server;
static kube_client *client;
static kube_ctx *ctx;

static void set_up(void)
{
    server = http_server_start(NULL);
    ctx = kube_ctx_new();
    client = client_for(http_server_url(server), "", "");
}

static void tear_down(void)
{
    kube_client_free(client);
    kube_ctx_free(ctx);
    http_server_free(server);
}

/* Two members, cut by @missing bytes. */
static void reply_packed(const char *json, size_t missing, http_then then)
{
    char bytes[8192];
    char packed[4096];
    size_t half = strlen(json) / 2;
    size_t len = pack(json, half, packed, sizeof packed);
    int head;
    len += pack(json + half, strlen(json) - half, packed + len, sizeof packed - len) - missing;
    head =
        snprintf(bytes, sizeof bytes,
                 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                 "Content-Length: %zu\r\n\r\n",
                 len);
    memcpy(bytes + head, packed, len);
    http_server_reply_raw(server, bytes, (size_t)head + len, then);
}

TEST(packed_answers_are_understood_unasked)
{
    kube_object_list *list;
    const kube__result_stream_options options = {.form = KUBE__STREAM_WATCH, .namespace_ = "team"};
    kube__result_stream *watch;
    kube__result event;
    size_t count;
    thing *got;
    set_up();
    reply_packed(THING_JSON("a", "7"), 0, HTTP_KEEP);
    expect_ok(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &got, &err),
              &err);
    ck_assert_str_eq(got->metadata.name, "a");
    reply_packed(THING_LIST_JSON(THING_JSON("a", "1") "," THING_JSON("b", "2"), "9", ""), 0,
                 HTTP_KEEP);
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
    ck_assert_uint_eq(list->len, 2);
    reply_packed(EVENT_JSON("ADDED", THING_JSON("a", "1")), 0, HTTP_KEEP);
    expect_ok(kube__result_stream_open(client, ctx, &thing_type, &options, &watch, &err), &err);
    expect_ok(kube__result_stream_next(watch, ctx, &event, 1, &count, &err), &err);
    ck_assert_int_eq(event.type, KUBE_WATCH_ADDED);
    kube__result_stream_event_fini(&event);
    expect(kube__result_stream_next(watch, ctx, &event, 1, &count, &err), KUBE_ERR_CLOSED, &err);
    kube__result_stream_close(watch);
    tear_down();
}

TEST(a_packed_answer_that_is_cut_or_none_is_an_error)
{
    kube_object_list *list;
    set_up();
    reply_packed(THING_LIST_JSON(THING_JSON("a", "1"), "9", ""), 9, HTTP_KEEP);
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_TRANSPORT, &err);
    ck_assert_str_eq(err.reason, "Truncated");
    http_server_reply(server, 200, "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
                      THING_LIST_JSON("", "9", ""));
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_text(err.message, "the answer is said to be gzip, and is not");
    tear_down();
}

static bool asks(http_server *of, size_t index)
{
    return strstr(http_server_request(of, index), "\r\nAccept-Encoding: gzip\r\n") != NULL;
}

static void list_once(void)
{
    kube_object_list *list;
    http_server_reply_json(server, THING_LIST_JSON("", "9", ""));
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
}

TEST(lists_and_watches_ask_for_gzip_unless_the_server_is_on_this_machine)
{
    kube_config *config;
    kube_watch *watch;
    thing *got;
    set_up();
    list_once();
    ck_assert(!asks(server, 0));
    kube_client_free(client);
    config = config_for("http://api.invalid:6443",
                        kube_printf(ctx, "proxy-url: '%s'", http_server_url(server)), "");
    expect_ok(kube_client_new(config, NULL, &client, &err), &err);
    list_once();
    ck_assert(asks(server, 1));
    http_server_reply_json(server, "");
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    ck_assert(asks(server, 2));
    kube_watch_free(watch);
    http_server_reply_json(server, THING_JSON("a", "7"));
    expect_ok(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &got, &err),
              &err);
    ck_assert(!asks(server, 3));
    kube_client_free(client);
    expect_ok(
        kube_client_new(config, &(kube_client_options){.no_compression = true}, &client, &err),
        &err);
    list_once();
    ck_assert(!asks(server, 4));
    kube_config_free(config);
    tear_down();
}
