/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics over TLS, for whom the API server lets read them. */
#include "base/thread.h"
#include "control/manager/metrics_access.h"
#include "manager_world.h"
#include "support/pki.h"

#include <curl/curl.h>
#include <kube/testing/clock.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static kube_fake_clock *fake;
static const char *dir; /* of certificates */
static const char *admin_token;
static const char *user_token;
static kube_client *asking; /* of access_ */
static kube__metrics_access *access_;

/* ---- the world ------------------------------------------------------------------------------- */

/* The token behind "name: @user" in the list of users. */
static const char *token_of(const char *user)
{
    const char *text = kube_apiserver_kubeconfig(server);
    const char *at = strstr(strstr(text, "users:"), kube_printf(ctx, "name: %s\n", user));
    at = strstr(at, "token: ") + strlen("token: ");
    return kube_printf(ctx, "%.*s", (int)strcspn(at, "\n"), at);
}

/* With RBAC, which "admin" is above, and an authority for certificates. */
static void set_up(void)
{
    const kube_apiserver_options options = {
        .tls = true, .authorization = KUBE_APISERVER_RBAC, .seed = 1};
    char path[] = "/tmp/kubegen-test-metrics.XXXXXX";
    set_up_server();
    unlink(kubeconfig);
    kube_client_free(admin);
    kube_apiserver_stop(server);
    EXPECT_OK(kube_apiserver_start(&options, &server, &err));
    EXPECT_OK(kube_apiserver_client(server, &admin, &err));
    ck_assert_ptr_nonnull(mkdtemp(path));
    dir = kube_ctx_strdup(ctx, path);
    admin_token = token_of("admin");
    user_token = token_of("user");
    fake = kube_fake_clock_new();
    asking = NULL;
    access_ = NULL;
}

static void forget(const char *name)
{
    unlink(kube_printf(ctx, "%s/%s", dir, name));
}

static void tear_down(void)
{
    kube__metrics_access_free(access_);
    kube_client_free(asking);
    kube_fake_clock_free(fake);
    forget("tls.crt");
    forget("tls.key");
    forget("kubeconfig");
    rmdir(dir);
    tear_down_server();
}

static const char *write_file(const char *name, const char *text)
{
    const char *path = kube_printf(ctx, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    fclose(file);
    return path;
}

FIXTURE(set_up, tear_down);

/* ---- who may --------------------------------------------------------------------------------- */

static void use_client_of(const char *context)
{
    kube_client_free(asking);
    EXPECT_OK(kube_apiserver_client_for(server, context, &asking, &err));
    EXPECT_OK(
        kube__metrics_access_new(asking, NULL, NULL, kube_fake_clock_clock(fake), &access_, &err));
}

static int ask(const char *verb, const char *authorization, const char **body)
{
    const kube__http_server_request request = {.verb = verb,
                                               .path = "/metrics",
                                               .query = "",
                                               .accept = "",
                                               .authorization = authorization};
    kube__http_answer answer = {.status = 200};
    kube_ctx *page = kube_ctx_new();
    bool allowed = kube__metrics_access_allows(access_, page, &request, &answer);
    ck_assert(allowed == (answer.status == 200));
    *body = answer.body ? kube_ctx_strdup(ctx, answer.body) : "";
    kube_ctx_free(page);
    return answer.status;
}

static void expect(const char *authorization, int status, const char *text)
{
    const char *body;
    ck_assert_int_eq(ask("get", authorization, &body), status);
    ck_assert_str_eq(body, text);
}

static const char *bearer(const char *token)
{
    return kube_printf(ctx, "Bearer %s", token);
}

static size_t reviews(const char *resource)
{
    const kube_api_call_filter filter = {.verb = "create", .resource = resource};
    kube_api_call_list calls;
    EXPECT_OK(kube_apiserver_calls(server, ctx, &filter, &calls, &err));
    return calls.len;
}

static void expect_reviews(size_t tokens, size_t accesses)
{
    ck_assert_uint_eq(reviews("tokenreviews"), tokens);
    ck_assert_uint_eq(reviews("subjectaccessreviews"), accesses);
}

static const char reader[] =
    "apiVersion: rbac.authorization.k8s.io/v1\n"
    "kind: ClusterRole\n"
    "metadata: {name: metrics-reader}\n"
    "rules: [{nonResourceURLs: [/metrics], verbs: [get]}]\n"
    "---\n"
    "apiVersion: rbac.authorization.k8s.io/v1\n"
    "kind: ClusterRoleBinding\n"
    "metadata: {name: metrics-reader}\n"
    "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: metrics-reader}\n"
    "subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: user}]\n";

TEST(without_a_token_nobody_is_asked)
{
    static const char *const headers[] = {"", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz",
                                          "Bearerx y"};
    use_client_of("admin");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        expect(headers[i], 401, "Unauthorized\n");
    expect_reviews(0, 0);
}

TEST(a_no_is_remembered_for_half_a_minute)
{
    use_client_of("admin");
    expect(bearer("nobodys"), 401, "Unauthorized\n");
    expect(bearer(user_token), 403, "Authorization denied for user user\n");
    expect_reviews(2, 1);
    EXPECT_OK(kube_apiserver_load(server, reader, strlen(reader), &err));
    kube_fake_clock_advance_ms(fake, 29999);
    expect(bearer("nobodys"), 401, "Unauthorized\n");
    expect(bearer(user_token), 403, "Authorization denied for user user\n");
    expect_reviews(2, 1);
    kube_fake_clock_advance_ms(fake, 1);
    expect(bearer("nobodys"), 401, "Unauthorized\n");
    expect(bearer(user_token), 200, "");
    expect_reviews(4, 2);
}

TEST(a_yes_is_remembered_for_a_minute)
{
    use_client_of("admin");
    expect(bearer(admin_token), 200, "");
    kube_fake_clock_advance_ms(fake, 59999);
    expect(kube_printf(ctx, "bEARER   %s", admin_token), 200, "");
    expect_reviews(1, 1);
    kube_fake_clock_advance_ms(fake, 1);
    expect(bearer(admin_token), 200, "");
    expect_reviews(2, 2);
}

TEST(a_right_is_one_to_a_verb)
{
    const char *body;
    use_client_of("admin");
    EXPECT_OK(kube_apiserver_load(server, reader, strlen(reader), &err));
    expect(bearer(user_token), 200, "");
    ck_assert_int_eq(ask("head", bearer(user_token), &body), 403);
}

TEST(without_an_answer_nobody_gets_in_and_nothing_is_remembered)
{
    const kube_fault_rule broken = {.kind = KUBE_FAULT_STATUS,
                                    .resource = "subjectaccessreviews",
                                    .http_status = 403,
                                    .times = 1};
    use_client_of("user"); /* which may not create reviews */
    expect(bearer(admin_token), 500, "Authentication failed\n");
    expect(bearer(admin_token), 500, "Authentication failed\n");
    expect_reviews(2, 0);
    kube__metrics_access_free(access_);
    use_client_of("admin");
    EXPECT_OK(kube_apiserver_add_fault(server, &broken, &err));
    expect(bearer(admin_token), 500, "Authorization for user admin failed\n");
    expect(bearer(admin_token), 200, "");
}

TEST(many_strangers_do_not_make_it_forget_a_friend)
{
    use_client_of("admin");
    expect(bearer(admin_token), 200, "");
    for (int i = 0; i < 200; i++)
        expect(bearer(kube_printf(ctx, "stranger-%d", i)), 401, "Unauthorized\n");
    expect(bearer(admin_token), 200, "");
    expect(bearer("stranger-199"), 401, "Unauthorized\n");
    expect_reviews(201, 1);
}

/* ---- the certificate ------------------------------------------------------------------------- */

static void say_hello(void *arg, kube_ctx *page, const kube__http_server_request *request,
                      kube__http_answer *answer)
{
    (void)arg;
    answer->body = kube_printf(page, "hello, %s\n", request->authorization);
}

static size_t take_body(char *data, size_t size, size_t count, void *arg)
{
    const char **body = arg;
    *body = kube_printf(ctx, "%s%.*s", *body, (int)(size * count), data);
    return size * count;
}

/* One request by a connection of its own; returns the status, 0 = no TLS came about. */
static int fetch(const char *address, const char *authority, const char *authorization,
                 const char **body)
{
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = NULL;
    long status = 0;
    *body = "";
    headers = curl_slist_append(headers, kube_printf(ctx, "Authorization: %s", authorization));
    curl_easy_setopt(curl, CURLOPT_URL, kube_printf(ctx, "https://%s/metrics", address));
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    if (authority) {
        struct curl_blob blob = {(void *)(uintptr_t)authority, strlen(authority), CURL_BLOB_COPY};
        curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob);
    } else {
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (curl_easy_perform(curl) == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return (int)status;
}

static void write_pair(const pki_pair *pair)
{
    write_file("tls.crt", pair->certificate);
    write_file("tls.key", pair->key);
}

static kube_code serve(bool self_signed, kube__serving_cert **cert, kube__http **http)
{
    kube_code rc = kube__serving_cert_new(self_signed ? NULL : dir, "tls.crt", "tls.key",
                                          kube_fake_clock_clock(fake), cert, &err);
    const kube__http_options options = {
        .address = "127.0.0.1:0",
        .what = "--listen",
        .handler = say_hello,
        .certificate = *cert,
        .clock = kube_fake_clock_clock(fake),
    };
    *http = NULL;
    return rc ? rc : kube__http_start(&options, http, &err);
}

TEST(a_changed_certificate_is_shown_without_a_restart)
{
    pki_pair old_ca = pki_ca("old");
    pki_pair new_ca = pki_ca("new");
    pki_pair old = pki_issue(&old_ca, "manager", "IP:127.0.0.1", 1);
    pki_pair new = pki_issue(&new_ca, "manager", "IP:127.0.0.1", 1);
    kube__serving_cert *cert;
    kube__http *http;
    const char *address;
    const char *body;
    write_pair(&old);
    EXPECT_OK(serve(false, &cert, &http));
    address = kube__http_address(http);
    ck_assert_int_eq(fetch(address, old_ca.certificate, "x", &body), 200);
    ck_assert_str_eq(body, "hello, x\n");
    ck_assert_int_eq(fetch(address, new_ca.certificate, "x", &body), 0);

    write_file("tls.crt", new.certificate); /* half of it, so they do not fit together */
    kube_fake_clock_advance_ms(fake, 10000);
    ck_assert_int_eq(fetch(address, old_ca.certificate, "x", &body), 200);
    write_file("tls.key", new.key);
    ck_assert_int_eq(fetch(address, old_ca.certificate, "x", &body), 200);
    kube_fake_clock_advance_ms(fake, 10000);
    ck_assert_int_eq(fetch(address, old_ca.certificate, "x", &body), 0);
    ck_assert_int_eq(fetch(address, new_ca.certificate, "x", &body), 200);

    forget("tls.crt");
    kube_fake_clock_advance_ms(fake, 10000);
    ck_assert_int_eq(fetch(address, new_ca.certificate, "x", &body), 200);
    write_file("tls.crt", "nonsense");
    kube_fake_clock_advance_ms(fake, 10000);
    ck_assert_int_eq(fetch(address, new_ca.certificate, "x", &body), 200);
    kube__http_stop(http);
    kube__serving_cert_free(cert);
    pki_free(&old);
    pki_free(&new);
    pki_free(&old_ca);
    pki_free(&new_ca);
}

TEST(without_files_it_signs_one_itself)
{
    kube__serving_cert *cert;
    kube__http *http;
    const char *body;
    EXPECT_OK(serve(true, &cert, &http));
    ck_assert_int_eq(fetch(kube__http_address(http), NULL, "x", &body), 200);
    ck_assert_int_eq(fetch(kube__http_address(http), kube_apiserver_kubeconfig(server), "x", &body),
                     0);
    kube__http_stop(http);
    kube__serving_cert_free(cert);
}

TEST(half_a_pair_and_pairs_that_do_not_fit_are_told)
{
    pki_pair ca = pki_ca("ca");
    pki_pair one_pair = pki_issue(&ca, "one", NULL, 1);
    pki_pair two_pair = pki_issue(&ca, "two", NULL, 1);
    kube__serving_cert *cert;
    kube__http *http;
    ck_assert_int_ne(serve(false, &cert, &http), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "tls.crt"));
    write_file("tls.crt", one_pair.certificate);
    ck_assert_int_ne(serve(false, &cert, &http), KUBE_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "tls.key"));
    write_file("tls.key", two_pair.key);
    ck_assert_int_eq(serve(false, &cert, &http), KUBE_ERR_CONFIG);
    ck_assert_str_eq(err.message,
                     kube_printf(ctx,
                                 "%s/tls.crt and %s/tls.key: The certificate and the given key do "
                                 "not match.",
                                 dir, dir));
    write_file("tls.key", "nonsense");
    ck_assert_int_eq(serve(false, &cert, &http), KUBE_ERR_CONFIG);
    ck_assert_ptr_null(cert);
    pki_free(&one_pair);
    pki_free(&two_pair);
    pki_free(&ca);
}

enum { DEAD_PEERS = 400 };

/* The clock stands still: nobody is late. */
TEST(handshakes_that_do_not_go_on_hold_up_nobody)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int dead[DEAD_PEERS];
    kube__serving_cert *cert;
    kube__http *http;
    const char *body;
    EXPECT_OK(serve(true, &cert, &http));
    to.sin_port = htons((uint16_t)atoi(strrchr(kube__http_address(http), ':') + 1));
    for (size_t i = 0; i < DEAD_PEERS; i++) {
        dead[i] = socket(AF_INET, SOCK_STREAM, 0);
        ck_assert_int_eq(connect(dead[i], (struct sockaddr *)&to, sizeof to), 0);
        ck_assert_int_ge(send(dead[i], "\x16\x03\x01\x02", i % 5, MSG_NOSIGNAL), 0);
    }
    ck_assert_int_eq(fetch(kube__http_address(http), NULL, "x", &body), 200);
    for (size_t i = 0; i < DEAD_PEERS; i++)
        close(dead[i]);
    kube__http_stop(http);
    kube__serving_cert_free(cert);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static char address_told[64]; /* by the log */
static gate told;

static void listen_to_log(void *arg, kube_log_level level, const char *file, int line,
                          const char *message)
{
    (void)arg, (void)level, (void)file, (void)line;
    if (sscanf(message, "metrics: https://%63[^/]/metrics", address_told) == 1)
        gate_pass(&told);
}

TEST(a_manager_serves_its_metrics_so)
{
    pki_pair ca = pki_ca("ca");
    pki_pair pair = pki_issue(&ca, "manager", "IP:127.0.0.1", 1);
    const char *body;
    kubeconfig = write_file("kubeconfig", kube_apiserver_kubeconfig(server));
    write_pair(&pair);
    gate_init(&told);
    kube_log_set_level(KUBE_LOG_INFO);
    kube_log_set_sink(listen_to_log, NULL);
    EXPECT_OK(make(&one, "--metrics-bind-address=127.0.0.1:0", "--metrics-secure",
                   "--metrics-cert-path", dir, "--leader-elect",
                   "--leader-elect-resource-namespace=default"));
    start(&one);
    eventually(gate_count(&told) > 0, "it does not listen");
    ck_assert_int_eq(fetch(address_told, ca.certificate, "", &body), 401);
    ck_assert_int_eq(fetch(address_told, ca.certificate, bearer(user_token), &body), 403);
    ck_assert_str_eq(body, "Authorization denied for user user\n");
    ck_assert_int_eq(fetch(address_told, ca.certificate, bearer(admin_token), &body), 200);
    ck_assert_ptr_nonnull(strstr(body, "\nkube_build_info{"));
    ck_assert(shows(&one, "/metrics", 200, "kube_build_info{")); /* loopback, without */
    stop(&one);
    kube_log_set_sink(NULL, NULL);
    gate_fini(&told);
    pki_free(&pair);
    pki_free(&ca);
}

TEST(a_manager_says_what_is_wrong_with_its_certificate)
{
    kubeconfig = write_file("kubeconfig", kube_apiserver_kubeconfig(server));
    ck_assert_int_ne(make(&one, "--metrics-bind-address=127.0.0.1:0", "--metrics-secure",
                          "--metrics-cert-path", dir),
                     KUBE_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "tls.crt"));
}

static const struct {
    const char *option;
    const char *said;
} mistakes[] = {
    {"--metrics-secure", "tester: --metrics-secure needs --metrics-bind-address"},
    {"--metrics-cert-path=/tmp", "tester: --metrics-cert-path needs --metrics-secure"},
    {"--metrics-cert-name=a", "tester: --metrics-cert-name and --metrics-cert-key need "
                              "--metrics-cert-path"},
    {"--metrics-cert-key=a", "tester: --metrics-cert-name and --metrics-cert-key need "
                             "--metrics-cert-path"},
    {"--metrics-cert=a", "tester: unknown argument \"--metrics-cert=a\"; did you mean "
                         "--metrics-cert-path?"},
};

TEST_EACH(options_without_an_effect_are_mistakes, mistakes)
{
    ck_assert_int_eq(make(&one, mistakes[_i].option), KUBE_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, mistakes[_i].said);
}
