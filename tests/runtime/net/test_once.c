/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request is sent once (REQ-3): a write whose connection is lost is not repeated, neither by the
 * client nor by libcurl, and one that the server refused without a look at it is.
 */
#include "net_kit.h"
#include "support/pki.h"

#include <kube/testing/clock.h>
#include <string.h>

static pki_pair ca;
static pki_pair leaf;
static http_server *server;
static kube_client *client;
static kube_fake_clock *fake; /* stands still: what waits before it comes again never does */
static kube_ctx *ctx;
static kube_error err;

static const thing red = {.metadata = {.name = "a"}};
static const kube_key team_a = {"team", "a"};

static void set_up(bool http2)
{
    const http_server_options options = {leaf.certificate, leaf.key, .http2 = http2};
    server = http_server_start(http2 ? &options : NULL);
    client = client_for(http_server_url(server), "insecure-skip-tls-verify: true", "");
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

/* ---- the verbs ------------------------------------------------------------------------------ */

static kube_code run_create(caller *c, kube_error *error)
{
    return kube_client_create(client, c->ctx, &thing_type, "team", &red.base, NULL, NULL, error);
}

static kube_code run_update(caller *c, kube_error *error)
{
    return kube_client_update(client, c->ctx, &thing_type, "team", &red.base, NULL, NULL, error);
}

static kube_code run_patch(caller *c, kube_error *error)
{
    return kube_client_patch(client, c->ctx, &thing_type, team_a, KUBE_PATCH_MERGE, "{}", 2, NULL,
                             NULL, error);
}

static kube_code run_delete(caller *c, kube_error *error)
{
    return kube_client_delete(client, c->ctx, &thing_type, team_a, NULL, error);
}

static kube_code run_delete_with_body(caller *c, kube_error *error)
{
    const kube_delete_options options = {.propagation_policy = "Background"};
    return kube_client_delete(client, c->ctx, &thing_type, team_a, &options, error);
}

static kube_code run_delete_collection(caller *c, kube_error *error)
{
    return kube_client_delete_collection(client, c->ctx, &thing_type, "team", NULL, NULL, error);
}

static kube_code run_get(caller *c, kube_error *error)
{
    kube_object *out;
    return kube_client_get(client, c->ctx, &thing_type, team_a, NULL, &out, error);
}

typedef kube_code verb(caller *c, kube_error *error);

static verb *const writes[] = {run_create, run_update,           run_patch,
                               run_delete, run_delete_with_body, run_delete_collection};
enum { WRITES = sizeof(writes) / sizeof *writes };

static kube_code call(verb *run)
{
    caller c = {.ctx = ctx};
    return run(&c, &err);
}

/* ---- the tests ------------------------------------------------------------------------------ */

/* Makes the call and gives its code; the first request, if it is not @used before, ends in @cut. */
static kube_code call_cut(verb *run, bool http2, bool used, http_then cut)
{
    kube_code rc;
    set_up(http2);
    if (used) {
        http_server_reply_json(server, THING_JSON("a", "1"));
        expect_ok(call(run_get), &err);
    }
    http_server_reply_raw(server, "", 0, cut);
    http_server_reply_json(server, THING_JSON("a", "1")); /* for who comes again */
    rc = call(run);
    ck_assert_uint_eq(http_server_count(server), (rc ? 1U : 2U) + used);
    ck_assert_uint_eq(kube_client_request_count(client), (rc ? 1U : 2U) + used);
    tear_down();
    return rc;
}

TEST(a_write_whose_connection_is_lost_is_sent_once)
{
    make_keys();
    for (size_t i = 0; i < WRITES; i++) {
        for (int how = 0; how < 8; how++) {
            http_then cut = how & 4 ? HTTP_CLOSE : HTTP_RESET;
            expect(call_cut(writes[i], how & 1, how & 2, cut), KUBE_ERR_TRANSPORT, &err);
            ck_assert_msg(!strcmp(err.reason, "ConnectionClosed") ||
                              !strcmp(err.reason, "ConnectionReset"),
                          "%d: %s: %s", how, err.reason, err.message);
        }
    }
    free_keys();
}

TEST(a_get_on_a_used_connection_that_is_lost_comes_again_at_once)
{
    make_keys();
    for (int how = 0; how < 4; how++)
        expect_ok(call_cut(run_get, how & 1, true, how & 2 ? HTTP_CLOSE : HTTP_RESET), &err);
    free_keys();
}

TEST(what_the_server_refused_comes_again)
{
    make_keys();
    for (size_t i = 0; i < WRITES; i++) {
        expect_ok(call_cut(writes[i], true, false, HTTP_GOAWAY_REFUSED), &err);
        expect_ok(call_cut(writes[i], true, true, HTTP_GOAWAY_REFUSED), &err);
        expect_ok(call_cut(writes[i], true, false, HTTP_REFUSE), &err);
    }
    expect_ok(call_cut(run_get, true, true, HTTP_GOAWAY_REFUSED), &err);
    free_keys();
}

TEST(what_a_goaway_covers_does_not_come_again)
{
    make_keys();
    for (size_t i = 0; i < WRITES; i++) {
        expect(call_cut(writes[i], true, false, HTTP_GOAWAY), KUBE_ERR_TRANSPORT, &err);
        expect(call_cut(writes[i], true, true, HTTP_GOAWAY), KUBE_ERR_TRANSPORT, &err);
    }
    free_keys();
}

TEST(a_goaway_ends_only_what_is_beyond_it)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}";
    enum { BESIDE = 4 };
    caller first;
    caller beside[BESIDE];
    make_keys();
    for (int stalls = 0; stalls < 2; stalls++) {
        set_up(true);
        caller_start(&first, ctx, run_delete, NULL);
        http_server_wait(server, 1);
        for (size_t i = 0; i < BESIDE; i++) /* the server does not read them on this connection */
            caller_start(&beside[i], ctx, writes[i], NULL);
        http_server_reply_raw(server, answer, stalls ? 0 : strlen(answer), HTTP_GOAWAY_STALL);
        for (size_t i = 0; i < BESIDE; i++)
            http_server_reply_json(server, THING_JSON("a", "1"));
        for (size_t i = 0; i < BESIDE; i++) {
            caller_join(&beside[i]);
            expect_ok(beside[i].code, &beside[i].error);
        }
        if (stalls)
            kube_ctx_cancel(ctx);
        caller_join(&first);
        expect(first.code, stalls ? KUBE_ERR_CANCELED : KUBE_OK, &first.error);
        ck_assert_uint_eq(http_server_count(server), 1 + BESIDE);
        tear_down();
    }
    free_keys();
}
