/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes wrong between client and server: connections, TLS, answers that are cut, and that all
 * of it says clearly what happened and leaves nothing open.
 */
#include "net/transport/tls_files.h"
#include "net_kit.h"
#include "support/pki.h"

#include <kube/log.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static kube_error err;
static kube_ctx *ctx;

static void expect_reason(const char *reason)
{
    ck_assert_str_eq(err.reason, reason);
    ck_assert_int_eq(err.code, KUBE_ERR_TRANSPORT);
}

/* A call that is no GET, so that nothing is repeated. */
static kube_code poke(kube_client *client)
{
    return kube_client_delete(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &err);
}

static const char *url_of(int port)
{
    return kube_printf(ctx, "http://127.0.0.1:%d", port);
}

/* ---- connections --------------------------------------------------------------------------- */

TEST(a_refused_connection_says_so)
{
    http_nowhere nowhere;
    kube_client *client;
    kube_watch *watch;
    ctx = kube_ctx_new();
    http_nowhere_refuse(&nowhere);
    client = client_for(url_of(nowhere.port), "", "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("ConnectionRefused");
    expect_text(err.message, kube_printf(ctx,
                                         "DELETE http://127.0.0.1:%d/apis/test.kube.dev/v1/"
                                         "namespaces/team/things/a: connection refused",
                                         nowhere.port));
    expect(kube_client_watch(client, ctx, &thing_type, NULL,
                             &(kube_watch_options){.resource_version = "7"}, &watch, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_reason("ConnectionRefused");
    ck_assert_ptr_null(watch);
    expect_text(err.message, "/v1/things: connection refused"); /* without the query */
    kube_client_free(client);
    http_nowhere_close(&nowhere);
    kube_ctx_free(ctx);
}

TEST(an_unknown_host_is_named)
{
    kube_client *client;
    ctx = kube_ctx_new();
    client = client_for("http://nosuch.invalid:1", "", "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("NameResolution");
    expect_text(err.message, "nosuch.invalid");
    kube_client_free(client);
    kube_ctx_free(ctx);
}

TEST(a_server_that_hangs_up_is_told_from_one_that_resets)
{
    http_server *server = http_server_start(NULL);
    kube_client *client = client_for(http_server_url(server), "", "");
    ctx = kube_ctx_new();
    http_server_reply_raw(server, "", 0, HTTP_CLOSE);
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("ConnectionClosed");
    http_server_reply_reset(server);
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("ConnectionReset");
    ck_assert_uint_eq(http_server_count(server), 2);
    http_server_reply_raw(server, "SSH-2.0-OpenSSH\r\n", 17, HTTP_CLOSE);
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
}

TEST(a_cut_answer_is_no_answer)
{
    static const char *const heads[] = {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        "5\r\n{\"ite\r\n"};
    static const char refusal[] = "HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\n"
                                  "Content-Length: 500\r\n\r\n{\"kind\":";
    http_server *server = http_server_start(NULL);
    kube_client *client = client_for(http_server_url(server), "", "");
    kube_object *out;
    kube_object_list *list;
    ctx = kube_ctx_new();
    for (size_t i = 0; i < sizeof(heads) / sizeof *heads; i++) {
        http_server_reply_raw(server, heads[i], strlen(heads[i]), HTTP_CLOSE);
        expect(
            kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err),
            KUBE_ERR_TRANSPORT, &err);
        expect_reason("Truncated");
        expect_text(err.message, "/things/a: the answer was cut: ");
        ck_assert_int_eq(err.http_status, 200);
        http_server_reply_raw(server, heads[i], strlen(heads[i]), HTTP_CLOSE);
        expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
               KUBE_ERR_TRANSPORT, &err);
        expect_reason("Truncated");
    }
    ck_assert_uint_eq(http_server_count(server), 4); /* it was answered: no retry */
    http_server_reply_raw(server, refusal, strlen(refusal), HTTP_CLOSE);
    expect(poke(client), KUBE_ERR_TOO_LARGE, &err); /* that much is known */
    http_server_reply_raw(server, refusal, strlen(refusal), HTTP_CLOSE);
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_TOO_LARGE, &err);
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
}

TEST(a_switch_of_protocols_is_no_answer)
{
    static const char text[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n"
                               "Connection: Upgrade\r\n\r\n{}";
    http_server *server = http_server_start(NULL);
    kube_client *client = client_for(http_server_url(server), "", "");
    kube_object *out;
    kube_object_list *list;
    kube_watch *watch;
    ctx = kube_ctx_new();
    for (int i = 0; i < 3; i++)
        http_server_reply_raw(server, text, strlen(text), HTTP_CLOSE);
    expect(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_reason("NotHTTP");
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_reason("NotHTTP");
    expect(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_reason("NotHTTP");
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
}

TEST(json_that_ends_early_is_undecodable)
{
    http_server *server = http_server_start(NULL);
    kube_client *client = client_for(http_server_url(server), "", "");
    kube_object *out;
    kube_object_list *list;
    ctx = kube_ctx_new();
    http_server_reply_json(server, "{\"kind\":\"Thing\",\"metadata\":{");
    expect(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err),
           KUBE_ERR_DECODE, &err);
    http_server_reply_json(server, "{\"kind\":\"ThingList\",\"items\":[" THING_JSON("a", "1") ",");
    expect(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
           KUBE_ERR_DECODE, &err);
    expect_text(err.message, "GET http://127.0.0.1:");
    kube_ctx_free(ctx);
    kube_client_free(client);
    http_server_free(server);
}

/* Peers: TestPrecedenceTokenFile, TestBasicTokenFile, TestFullImpersonateConfig, TestProxyURL */
TEST(a_proxy_is_asked_for_the_server)
{
    http_server *proxy = http_server_start(NULL);
    kube_client *client;
    ctx = kube_ctx_new();
    client = client_for("http://api.invalid:6443",
                        kube_printf(ctx, "proxy-url: '%s'", http_server_url(proxy)), "");
    http_server_reply(proxy, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    expect_text(http_server_request(proxy, 0), "DELETE http://api.invalid:6443/apis/");
    kube_client_free(client);
    kube_ctx_free(ctx);
    http_server_free(proxy);
}

TEST(a_proxys_password_is_not_told)
{
    kube_client *client = client_for("http://api.invalid:6443", "proxy-url: 'http://u:secret@a!b'",
                                     ""); /* which only curl refuses */
    ctx = kube_ctx_new();
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_text(err.message, "unsupported proxy s");
    ck_assert_ptr_null(strstr(err.message, "secret"));
    kube_client_free(client);
    kube_ctx_free(ctx);
}

TEST(a_proxy_that_refuses_is_an_error_at_once)
{
    http_server *proxy = http_server_start(NULL);
    kube_client *client;
    thing *got;
    ctx = kube_ctx_new();
    client = client_for("https://api.invalid:6443",
                        kube_printf(ctx, "proxy-url: '%s'", http_server_url(proxy)), "");
    http_server_reply(proxy, 407, "Proxy-Authenticate: Basic realm=\"x\"\r\n", "{}");
    expect(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &got, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_reason("Proxy");
    expect_text(err.message, "/things/a: the proxy wants a user name and a password (http status "
                             "407)");
    ck_assert_uint_eq(http_server_count(proxy), 1);
    http_server_reply(proxy, 502, NULL, "{}");
    expect(kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &got, &err),
           KUBE_ERR_TRANSPORT, &err);
    expect_reason("Proxy");
    expect_text(err.message, "/things/a: the proxy does not connect to the server (http status "
                             "502)");
    ck_assert_uint_eq(http_server_count(proxy), 2);
    kube_client_free(client);
    kube_ctx_free(ctx);
    http_server_free(proxy);
}

/* ---- TLS ----------------------------------------------------------------------------------- */

typedef struct tls {
    pki_pair ca;
    pki_pair leaf;
    http_server *server;
} tls;

static tls tls_start_named(const char *name, const char *san, int days, const pki_pair *client_ca)
{
    tls t;
    http_server_options options = {0};
    t.ca = pki_ca("the authority");
    t.leaf = pki_issue(&t.ca, name, san, days);
    options.certificate = t.leaf.certificate;
    options.key = t.leaf.key;
    options.client_ca = client_ca ? client_ca->certificate : NULL;
    t.server = http_server_start(&options);
    ctx = kube_ctx_new();
    return t;
}

static tls tls_start(const char *san, int days, const pki_pair *client_ca)
{
    return tls_start_named("server", san, days, client_ca);
}

static void tls_end(tls *t)
{
    kube_ctx_free(ctx);
    http_server_free(t->server);
    pki_free(&t->leaf);
    pki_free(&t->ca);
}

static kube_client *tls_client(const tls *t, const pki_pair *ca, const char *cluster,
                               const char *user)
{
    char *data = base64_of(ca->certificate);
    kube_client *client =
        client_for(http_server_url(t->server),
                   kube_printf(ctx, "certificate-authority-data: %s%s", data, cluster), user);
    free(data);
    return client;
}

TEST(the_given_authority_is_trusted_and_no_other)
{
    tls t = tls_start("IP:127.0.0.1", 1, NULL);
    pki_pair other = pki_ca("another authority");
    kube_client *client = tls_client(&t, &t.ca, "", "token: secret");
    http_server_reply(t.server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    expect_text(http_server_request(t.server, 0), "\r\nAuthorization: Bearer secret\r\n");
    kube_client_free(client);
    client = tls_client(&t, &other, "", "token: secret");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    expect_text(err.message, "DELETE https://127.0.0.1:");
    expect_text(err.message, "the server's certificate: ");
    expect_text(err.message, "is it the right certificate authority?");
    ck_assert_uint_eq(http_server_count(t.server), 1); /* no token to a stranger */
    kube_client_free(client);
    client = client_for(http_server_url(t.server), "", "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    kube_client_free(client);
    client = client_for(http_server_url(t.server), "insecure-skip-tls-verify: true", "");
    http_server_reply(t.server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    kube_client_free(client);
    pki_free(&other);
    tls_end(&t);
}

TEST(an_expired_certificate_is_refused)
{
    tls t = tls_start("IP:127.0.0.1", -2, NULL);
    kube_client *client = tls_client(&t, &t.ca, "", "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    expect_text(err.message, "the server's certificate: certificate has expired");
    kube_client_free(client);
    tls_end(&t);
}

/* As crypto/x509: TestVerifyHostname. @host is the tls-server-name, NULL = 127.0.0.1. */
static const struct {
    const char *host;
    const char *san;
    bool good;
} name_rows[] = {
    {NULL, NULL, false}, /* its common name is 127.0.0.1 */
    {NULL, "email:a@b.test", false},
    {NULL, "DNS:127.0.0.1", false},
    {NULL, "DNS:*.0.0.1", false},
    {NULL, "IP:127.0.0.2", false},
    {NULL, "DNS:api.internal,IP:127.0.0.1", true},
    {"api.internal.test", "DNS:api.internal.test", true},
    {"api.internal.test", "DNS:API.internal.TEST", true},
    {"api.internal.test", "DNS:*.internal.test", true},
    {"api.internal.test", "DNS:*.test", false},
    {"api.internal.test", "DNS:a*.internal.test", false},
    {"api.internal.test", "DNS:*i.internal.test", false},
    {"api.internal.test", "DNS:api.*.test", false},
    {"api.internal.test", "DNS:*", false},
    {"internal.test", "DNS:*.internal.test", false},
    {"api.internal.test", "email:api.internal.test", false},
};

TEST_EACH(a_certificate_names_the_host_as_go_wants_it, name_rows)
{
    const char *host = name_rows[_i].host ? name_rows[_i].host : "127.0.0.1";
    tls t = tls_start_named(host, name_rows[_i].san, 1, NULL);
    kube_client *client = tls_client(
        &t, &t.ca, name_rows[_i].host ? kube_printf(ctx, ", tls-server-name: %s", host) : "",
        "token: secret");
    if (name_rows[_i].good) {
        http_server_reply(t.server, 200, NULL, NULL);
        expect_ok(poke(client), &err);
    } else {
        expect(poke(client), KUBE_ERR_TRANSPORT, &err);
        expect_reason("Certificate");
        expect_text(err.message, host);
        ck_assert_uint_eq(http_server_count(t.server), 0);
    }
    if (!name_rows[_i].san)
        expect_text(err.message, "the server's certificate: its common name does not count: issue "
                                 "it with 127.0.0.1 as a subject alternative name (SAN)");
    kube_client_free(client);
    tls_end(&t);
}

TEST(a_certificate_of_another_host_is_refused_unless_named)
{
    tls t = tls_start("DNS:api.internal", 1, NULL);
    kube_client *client = tls_client(&t, &t.ca, "", "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    expect_text(err.message, "127.0.0.1");
    kube_client_free(client);
    client = tls_client(&t, &t.ca, ", tls-server-name: api.internal", "");
    http_server_reply(t.server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    expect_text(http_server_request(t.server, 0),
                kube_printf(ctx, "\r\nHost: 127.0.0.1:%d\r\n", http_server_port(t.server)));
    http_server_reply_raw(t.server, "", 0, HTTP_CLOSE);
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_text(err.message, "DELETE https://127.0.0.1:"); /* the server's own name */
    kube_client_free(client);
    tls_end(&t);
}

TEST(a_client_certificate_is_shown)
{
    pki_pair client_ca = pki_ca("clients");
    pki_pair jane = pki_issue(&client_ca, "jane", NULL, 1);
    tls t = tls_start("IP:127.0.0.1", 1, &client_ca);
    char *certificate = base64_of(jane.certificate);
    char *key = base64_of(jane.key);
    kube_client *client = tls_client(
        &t, &t.ca, "",
        kube_printf(ctx, "client-certificate-data: %s, client-key-data: %s", certificate, key));
    http_server_reply(t.server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    kube_client_free(client);
    client = tls_client(&t, &t.ca, "", "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    kube_client_free(client);
    free(certificate);
    free(key);
    tls_end(&t);
    pki_free(&jane);
    pki_free(&client_ca);
}

/* ---- files that change ---------------------------------------------------------------------- */

static const char *put(const char *directory, const char *name, const char *text)
{
    const char *path = kube_printf(ctx, "%s/%s", directory, name);
    const char *next = kube_printf(ctx, "%s.next", path);
    FILE *file = fopen(next, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(rename(next, path), 0);
    return path;
}

/* The server answers, and request @index came with the certificate of that name. */
static void poke_as(kube_client *client, http_server *server, size_t index, const char *name)
{
    http_server_reply(server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    ck_assert_str_eq(http_server_client(server, index), name);
}

TEST(a_client_certificate_that_is_replaced_is_shown_next)
{
    char directory[] = "/tmp/kube-faults-XXXXXX";
    pki_pair clients = pki_ca("clients");
    pki_pair before = pki_issue(&clients, "before", NULL, 1);
    pki_pair after = pki_issue(&clients, "after", NULL, 1);
    tls t = tls_start("IP:127.0.0.1", 1, &clients);
    const char *certificate;
    const char *key;
    kube_client *client;
    kube_watch *watch;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    certificate = put(directory, "crt", before.certificate);
    key = put(directory, "key", before.key);
    client =
        tls_client(&t, &t.ca, "",
                   kube_printf(ctx, "client-certificate: %s, client-key: %s", certificate, key));
    poke_as(client, t.server, 0, "before");
    poke_as(client, t.server, 1, "before");
    ck_assert_uint_eq(http_server_connections(t.server), 1);
    put(directory, "key", after.key);
    poke_as(client, t.server, 2, "before"); /* half of the pair is none */
    put(directory, "crt", after.certificate);
    poke_as(client, t.server, 3, "after"); /* CFG-6: not on the connection that is still open */
    ck_assert_uint_eq(http_server_connections(t.server), 2);
    http_server_reply_chunked(t.server, "", 0, 0, HTTP_STALL);
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    ck_assert_str_eq(http_server_client(t.server, 4), "after"); /* a watch's transport, too */
    put(directory, "crt", "noise");
    poke_as(client, t.server, 5, "after");
    unlink(certificate);
    poke_as(client, t.server, 6, "after");
    kube_watch_free(watch);
    kube_client_free(client);
    unlink(key);
    rmdir(directory);
    tls_end(&t);
    pki_free(&after);
    pki_free(&before);
    pki_free(&clients);
}

TEST(an_authority_that_is_replaced_counts_at_once)
{
    char directory[] = "/tmp/kube-faults-XXXXXX";
    tls t = tls_start("IP:127.0.0.1", 1, NULL);
    pki_pair other = pki_ca("another authority");
    const char *path;
    kube_client *client;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    path = put(directory, "ca", other.certificate);
    client = client_for(http_server_url(t.server),
                        kube_printf(ctx, "certificate-authority: %s", path), "");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    put(directory, "ca", "noise");
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    put(directory, "ca", t.ca.certificate);
    http_server_reply(t.server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    put(directory, "ca", other.certificate); /* who is trusted no more is not talked to */
    expect(poke(client), KUBE_ERR_TRANSPORT, &err);
    expect_reason("Certificate");
    kube_client_free(client);
    unlink(path);
    rmdir(directory);
    pki_free(&other);
    tls_end(&t);
}

TEST(a_connection_that_was_answered_401_is_left)
{
    tls t = tls_start("IP:127.0.0.1", 1, NULL);
    kube_client *client = tls_client(&t, &t.ca, "", "");
    http_server_reply(t.server, 401, NULL, NULL);
    expect(poke(client), KUBE_ERR_UNAUTHORIZED, &err);
    http_server_wait_idle(t.server);
    http_server_reply(t.server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    ck_assert_uint_eq(http_server_connections(t.server), 2);
    kube_client_free(client);
    tls_end(&t);
}

TEST(tls_to_a_plain_server_says_what_is_wrong)
{
    http_server *server = http_server_start(NULL);
    kube_client *client;
    ctx = kube_ctx_new();
    /* It waits for a request; the client's first record has no end of a head in it. */
    http_server_reply(server, 400, NULL, "");
    client = client_for(kube_printf(ctx, "https://127.0.0.1:%d", http_server_port(server)),
                        "insecure-skip-tls-verify: true", "");
    kube_ctx_set_timeout_ms(ctx, 200);
    expect(poke(client), KUBE_ERR_TIMEOUT, &err);
    kube_client_free(client);
    http_server_free(server);
    kube_ctx_free(ctx);
}

/* ---- want of file descriptors -------------------------------------------------------------- */

/* How many file descriptors are left is what decides. */
static void expect_too_many_files(const char *url, rlim_t left)
{
    struct rlimit before;
    struct rlimit few;
    kube_client *client = client_for(url, "", "");
    int next = dup(0);
    kube_code rc;
    ck_assert_int_ge(next, 0);
    close(next);
    ctx = kube_ctx_new();
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)next + left;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    rc = poke(client);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    expect(rc, KUBE_ERR_TRANSPORT, &err);
    expect_reason("Resources");
    expect_text(err.message, "too many open files");
    kube_client_free(client);
    kube_ctx_free(ctx);
}

TEST(too_many_open_files_are_named)
{
    http_nowhere nowhere;
    char url[64];
    http_nowhere_ignore(&nowhere);
    snprintf(url, sizeof url, "https://127.0.0.1:%d", nowhere.port);
    expect_too_many_files(url, 0); /* no socket */
    expect_too_many_files(url, 1); /* the system's certificates cannot be read */
    snprintf(url, sizeof url, "https://localhost:%d", nowhere.port);
    expect_too_many_files(url, 0);
    expect_too_many_files("https://nosuch.invalid:1", 1);
    http_nowhere_close(&nowhere);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static void count_warning(void *arg, kube_log_level level, const char *in, int line,
                          const char *message)
{
    int *count = arg;
    (void)level;
    (void)in;
    (void)line;
    expect_text(message, "keeping the last certificate authority: ");
    ++*count;
}

TEST(a_ca_that_could_not_be_read_is_read_later)
{
    char path[] = "/tmp/kube-ca-XXXXXX";
    pki_pair old = pki_ca("old");
    pki_pair next = pki_ca("the next");
    kube__tls_files files = {0};
    kube_config *config;
    int warnings = 0;
    struct rlimit before;
    struct rlimit none;
    close(mkstemp(path));
    write_file(path, old.certificate);
    ctx = kube_ctx_new();
    config = config_for("https://a", kube_printf(ctx, "certificate-authority: %s", path), "");
    expect_ok(kube__tls_files_init(&files, config, &err), &err);
    write_file(path, next.certificate);
    kube_log_set_sink(count_warning, &warnings);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    kube__tls_files_refresh(&files);
    kube__tls_files_refresh(&files);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    ck_assert_str_eq(files.ca.text, old.certificate);
    kube__tls_files_refresh(&files);
    ck_assert_str_eq(files.ca.text, next.certificate);
    kube_log_set_sink(NULL, NULL);
    ck_assert_int_eq(warnings, 1);
    kube__tls_files_fini(&files);
    kube_config_free(config);
    kube_ctx_free(ctx);
    unlink(path);
    pki_free(&next);
    pki_free(&old);
}

/* ---- what is left behind ------------------------------------------------------------------- */

TEST(a_client_leaves_no_thread_and_no_file)
{
    http_server *server = http_server_start(NULL);
    kube_object_list *list;
    kube_watch *watch;
    size_t files = 0;
    ctx = kube_ctx_new();
    for (int i = 0; i < 3; i++) { /* the first round opens what stays open for the process */
        kube_client *client;
        if (i == 1) {
            http_server_wait_idle(server);
            files = count_files();
        }
        client = client_for(http_server_url(server), "", "");
        http_server_reply_json(server, THING_LIST_JSON(THING_JSON("a", "1"), "9", ""));
        expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err),
                  &err);
        http_server_reply(server, 200, NULL, NULL);
        expect_ok(poke(client), &err);
        http_server_reply_held(server);
        expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
        kube_watch_free(watch);
        http_server_hold_end(server, HTTP_CLOSE);
        http_server_reply_chunked(server, "", 0, 0, HTTP_STALL);
        expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
        kube_watch_free(watch);
        kube_client_free(client);
    }
    http_server_wait_idle(server);
    ck_assert_uint_eq(count_files(), files);
    expect_no_threads("kube-io");
    kube_ctx_free(ctx);
    http_server_free(server);
}

TEST(a_child_process_inherits_no_file)
{
    http_server *server = http_server_start(NULL);
    size_t before = count_inherited_files();
    kube_client *client = client_for(http_server_url(server), "", "");
    kube_watch *watch;
    ctx = kube_ctx_new();
    http_server_reply(server, 200, NULL, NULL);
    expect_ok(poke(client), &err);
    http_server_reply_chunked(server, "", 0, 0, HTTP_STALL);
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    ck_assert_uint_eq(count_inherited_files(), before);
    kube_watch_free(watch);
    kube_client_free(client);
    kube_ctx_free(ctx);
    http_server_free(server);
}

TEST(start_and_stop_a_hundred_times)
{
    for (int i = 0; i < 100; i++) {
        kube_client_free(client_for("https://127.0.0.1:1", "", ""));
    }
}
