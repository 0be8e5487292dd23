/* SPDX-License-Identifier: Apache-2.0 */
/* kube_config_new(), and the callback that gives the Authorization header (KC-8, REQ-3). */
#include "net_kit.h"
#include "support/pki.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static kube_error err;
static kube_ctx *ctx;

static void set_up(void)
{
    ctx = kube_ctx_new();
}

static void tear_down(void)
{
    kube_ctx_free(ctx);
}

FIXTURE(set_up, tear_down);

/* ---- fields ---------------------------------------------------------------------------------- */

static void refuse(kube_config_fields fields, const char *message)
{
    kube_config *config = (kube_config *)1;
    if (!fields.server)
        fields.server = "https://a:6443";
    expect(kube_config_new(&fields, &config, &err), KUBE_ERR_CONFIG, &err);
    ck_assert_ptr_null(config);
    expect_text(err.message, message);
}

static kube_code no_token(void *arg, kube_ctx *scope, const char *refused, const char **value,
                          kube_error *error)
{
    (void)arg;
    (void)scope;
    (void)refused;
    *value = NULL;
    (void)error;
    return KUBE_OK;
}

TEST(what_contradicts_itself_is_refused_with_the_fields_name)
{
    refuse((kube_config_fields){.server = ""}, "kube_config_fields has no server");
    refuse((kube_config_fields){.server = "ftp://a"}, "kube_config_fields: server \"ftp://a\"");
    refuse((kube_config_fields){.token = "t", .username = "u"},
           "kube_config_fields has both a token and a user name");
    refuse((kube_config_fields){.token = "t\nu"},
           "kube_config_fields has a token of more than one");
    refuse((kube_config_fields){.token = "t", .authorize = no_token},
           "kube_config_fields has both \"authorize\" and a token");
    refuse((kube_config_fields){.token_file = "/nowhere"},
           "kube_config_fields: cannot read /nowhere");
    refuse((kube_config_fields){.client_key = "k"}, "has a client key without a certificate");
    refuse((kube_config_fields){.client_key = "k", .client_key_data = "d"},
           "kube_config_fields has both client_key_data and the file");
    refuse((kube_config_fields){.certificate_authority_data = "none"},
           "kube_config_fields: certificate_authority_data holds no PEM certificate");
    refuse((kube_config_fields){.certificate_authority = "/nowhere"}, "/nowhere");
    refuse((kube_config_fields){.as_uid = "1"}, "without \"as\"");
    refuse((kube_config_fields){.as = "jane", .as_extra = (const char *const[]){"key", NULL}},
           "as_extra has no value for \"key\"");
    refuse((kube_config_fields){.namespace_ = "No"}, "\"No\" cannot be a namespace");
}

TEST(a_server_alone_is_enough_and_no_environment_counts) /* KC-9 */
{
    kube_config *config;
    setenv("KUBECONFIG", "/nowhere", 1);
    setenv("POD_NAMESPACE", "pod", 1);
    expect_ok(kube_config_new(&(kube_config_fields){.server = "https://a:1/", .token = "secret"},
                              &config, &err),
              &err);
    ck_assert_str_eq(kube_config_server(config), "https://a:1");
    ck_assert_str_eq(kube_config_namespace(config), "default");
    ck_assert_str_eq(kube_config_describe(ctx, config),
                     "https://a:1 (given by the program, namespace default, token)");
    kube_config_free(config);
}

/* ---- a server with TLS ------------------------------------------------------------------------
 */

typedef struct secure {
    pki_pair ca;
    pki_pair leaf;
    http_server *server;
} secure;

static secure secure_start(const pki_pair *clients)
{
    secure s = {.ca = pki_ca("ca")};
    s.leaf = pki_issue(&s.ca, "server", "IP:127.0.0.1", 1);
    s.server = http_server_start(&(http_server_options){
        .certificate = s.leaf.certificate,
        .key = s.leaf.key,
        .client_ca = clients ? clients->certificate : NULL,
    });
    return s;
}

static void secure_end(secure *s)
{
    http_server_free(s->server);
    pki_free(&s->leaf);
    pki_free(&s->ca);
}

static kube_client *secure_client(const secure *s, kube_config_fields fields,
                                  const kube_client_options *options)
{
    kube_config *config;
    kube_client *client;
    fields.server = http_server_url(s->server);
    fields.certificate_authority_data = s->ca.certificate;
    expect_ok(kube_config_new(&fields, &config, &err), &err);
    expect_ok(kube_client_new(config, options, &client, &err), &err);
    kube_config_free(config);
    return client;
}

static kube_code get(kube_client *client)
{
    kube_object *out;
    return kube_client_get(client, ctx, &thing_type, kube_key_of("team", "a"), NULL, &out, &err);
}

TEST(fields_reach_the_server)
{
    static const char *const groups[] = {"g1", "g2", NULL};
    static const char *const extra[] = {"Some/Key", "v", NULL};
    pki_pair clients = pki_ca("clients");
    pki_pair jane = pki_issue(&clients, "jane", NULL, 1);
    secure s = secure_start(&clients);
    const kube_config_fields fields = {
        .client_certificate_data = jane.certificate,
        .client_key_data = jane.key,
        .username = "user",
        .password = "pass:word",
        .as = "john",
        .as_groups = groups,
        .as_extra = extra,
        .user_agent = "from the fields",
        .request_timeout_ms = 5000,
    };
    kube_client *client = secure_client(&s, fields, NULL);
    http_server_reply_json(s.server, THING_JSON("a", "1"));
    expect_ok(get(client), &err);
    expect_text(http_server_request(s.server, 0), "?timeout=5000ms ");
    expect_text(http_server_request(s.server, 0), "\r\nAuthorization: Basic dXNlcjpwYXNzOndvcmQ=");
    expect_text(http_server_request(s.server, 0), "\r\nImpersonate-User: john\r\n");
    expect_text(http_server_request(s.server, 0), "\r\nImpersonate-Group: g1\r\n");
    expect_text(http_server_request(s.server, 0), "\r\nImpersonate-Group: g2\r\n");
    expect_text(http_server_request(s.server, 0), "\r\nImpersonate-Extra-some%2Fkey: v\r\n");
    expect_text(http_server_request(s.server, 0), "\r\nUser-Agent: from the fields\r\n");
    kube_client_free(client);
    client = secure_client(&s, fields, &(kube_client_options){.user_agent = "from the options"});
    http_server_reply_json(s.server, THING_JSON("a", "1"));
    expect_ok(get(client), &err);
    expect_text(http_server_request(s.server, 1), "\r\nUser-Agent: from the options\r\n");
    kube_client_free(client);
    secure_end(&s);
    pki_free(&jane);
    pki_free(&clients);
}

TEST(options_that_cannot_be_are_refused)
{
    static const kube_client_options bad[] = {{.call_timeout_ms = -2},
                                              {.idle_timeout_ms = -2},
                                              {.fence_grace_ms = -1},
                                              {.user_agent = "a\nb"}};
    kube_config *config = config_for("http://127.0.0.1:1", "", "");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kube_client *client = (kube_client *)1;
        expect(kube_client_new(config, &bad[i], &client, &err), KUBE_ERR_ARGUMENT, &err);
        ck_assert_ptr_null(client);
    }
    kube_config_free(config);
}

/* ---- the callback -----------------------------------------------------------------------------
 */

/* A source of tokens, as a program may have one. */
typedef struct source {
    int number; /* of the token that counts */
    int asked;
    int refused;
    bool stubborn; /* gives what was refused */
    bool waits;    /* until its ctx ends */
    kube_code fails;
    bool silent;      /* does not say why it fails */
    pthread_t thread; /* that asked last */
} source;

static kube_code authorize(void *arg, kube_ctx *scope, const char *refused, const char **value,
                           kube_error *error)
{
    source *s = arg;
    s->asked++;
    s->thread = pthread_self();
    if (refused) {
        ck_assert_str_eq(refused, kube_printf(scope, "Bearer t%d", s->number));
        s->refused++;
        s->number += s->stubborn ? 0 : 1;
    }
    if (s->waits)
        return kube_ctx_sleep_ms(scope, INT32_MAX, error);
    if (s->fails && s->silent)
        return s->fails;
    if (s->fails)
        return kube_error_set(error, s->fails, "the vault is sealed");
    *value = kube_printf(scope, "Bearer t%d", s->number);
    return KUBE_OK;
}

static kube_client *client_of(const secure *server, source *s, const kube_client_options *options)
{
    return secure_client(server, (kube_config_fields){.authorize = authorize, .authorize_arg = s},
                         options);
}

static void expect_token(const secure *server, size_t request, const char *token)
{
    expect_text(http_server_request(server->server, request),
                kube_printf(ctx, "\r\nAuthorization: Bearer %s\r\n", token));
}

TEST(the_callback_is_asked_for_each_request_on_the_callers_thread)
{
    secure server = secure_start(NULL);
    source s = {.number = 1};
    kube_client *client = client_of(&server, &s, NULL);
    kube_object_list *list;
    ck_assert_int_eq(s.asked, 0);
    http_server_reply_json(server.server, THING_JSON("a", "1"));
    expect_ok(get(client), &err);
    expect_token(&server, 0, "t1");
    ck_assert(pthread_equal(s.thread, pthread_self()));
    s.number = 2;
    http_server_reply_json(server.server, THING_LIST_JSON("", "1", ""));
    expect_ok(kube_client_list(client, ctx, &thing_type, "team", NULL, &list, NULL, &err), &err);
    expect_token(&server, 1, "t2");
    ck_assert(pthread_equal(s.thread, pthread_self()));
    ck_assert_int_eq(s.asked, 2);
    ck_assert_int_eq(s.refused, 0);
    kube_client_free(client);
    secure_end(&server);
}

#define UNAUTHORIZED(server) http_server_reply((server).server, 401, NULL, "no")

TEST(a_401_asks_for_another_token_once) /* REQ-3 */
{
    static const thing red = {.metadata = {.name = "a"}};
    secure server = secure_start(NULL);
    source s = {.number = 1};
    kube_client *client = client_of(&server, &s, NULL);
    kube_watch *watch;
    UNAUTHORIZED(server);
    http_server_reply_json(server.server, THING_JSON("a", "1"));
    expect_ok(kube_client_create(client, ctx, &thing_type, "team", &red.base, NULL, NULL, &err),
              &err);
    expect_token(&server, 0, "t1");
    expect_token(&server, 1, "t2");
    expect_text(http_server_request(server.server, 1), "\"name\":\"a\"");
    UNAUTHORIZED(server);
    http_server_reply_held(server.server);
    expect_ok(kube_client_watch(client, ctx, &thing_type, "team", NULL, &watch, &err), &err);
    kube_watch_free(watch);
    expect_token(&server, 3, "t3");
    UNAUTHORIZED(server);
    UNAUTHORIZED(server);
    expect(get(client), KUBE_ERR_UNAUTHORIZED, &err);
    ck_assert_uint_eq(http_server_count(server.server), 6);
    ck_assert_int_eq(s.refused, 3);
    s.stubborn = true; /* the same again would get the same answer */
    UNAUTHORIZED(server);
    expect(get(client), KUBE_ERR_UNAUTHORIZED, &err);
    ck_assert_uint_eq(http_server_count(server.server), 7);
    kube_client_free(client);
    secure_end(&server);
}

static void write_token(const char *file, const char *text)
{
    FILE *out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

TEST(a_401_reads_the_token_file_again) /* CFG-5 */
{
    char file[] = "/tmp/kube-token-XXXXXX";
    secure server = secure_start(NULL);
    kube_client *client;
    int fd = mkstemp(file);
    ck_assert_int_ge(fd, 0);
    close(fd);
    write_token(file, "old");
    client = secure_client(&server, (kube_config_fields){.token_file = file}, NULL);
    write_token(file, "new");
    UNAUTHORIZED(server);
    http_server_reply_json(server.server, THING_JSON("a", "1"));
    expect_ok(get(client), &err);
    expect_token(&server, 0, "old");
    expect_token(&server, 1, "new");
    UNAUTHORIZED(server); /* nothing else is there to try */
    expect(get(client), KUBE_ERR_UNAUTHORIZED, &err);
    ck_assert_uint_eq(http_server_count(server.server), 3);
    kube_client_free(client);
    unlink(file);
    secure_end(&server);
}

TEST(without_a_token_nothing_is_sent)
{
    secure server = secure_start(NULL);
    source s = {.number = 1, .fails = KUBE_ERR_FAILED};
    kube_client *client = client_of(&server, &s, NULL);
    expect(get(client), KUBE_ERR_FAILED, &err);
    ck_assert_str_eq(err.message, "authorization callback: the vault is sealed");
    s.silent = true;
    s.fails = KUBE_ERR_FORBIDDEN;
    expect(get(client), KUBE_ERR_FORBIDDEN, &err);
    ck_assert_int_eq(err.code, KUBE_ERR_FORBIDDEN);
    ck_assert_str_eq(err.message, "authorization callback: it does not say why");
    ck_assert_uint_eq(http_server_count(server.server), 0);
    kube_client_free(client);
    secure_end(&server);
}

TEST(the_calls_time_holds_for_the_callback)
{
    secure server = secure_start(NULL);
    source s = {.number = 1, .waits = true};
    kube_client *client = client_of(&server, &s, &(kube_client_options){.call_timeout_ms = 20});
    expect(get(client), KUBE_ERR_TIMEOUT, &err);
    expect_text(err.message, "authorization callback: timed out");
    kube_client_free(client);
    client = client_of(&server, &s, NULL);
    kube_ctx_set_timeout_ms(ctx, 20);
    expect(get(client), KUBE_ERR_TIMEOUT, &err);
    kube_client_free(client);
    secure_end(&server);
}
