/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the configuration comes from and what it says: KC-1…8, CFG-2, CFG-7, CFG-8, after
 * client-go's loader_test.go, client_config_test.go, validation_test.go and
 * merged_client_builder_test.go.
 */
#include "net/config/config.h"
#include "net_kit.h"
#include "support/pki.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static kube_error err;
static kube_ctx *memory;
static char directory[32];

static const char *path_of(const char *name)
{
    return kube_printf(memory, "%s/%s", directory, name);
}

static const char *write_file(const char *name, const char *text)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static kube_config *parse(const char *text, const kube_config_options *options)
{
    kube_config *config;
    expect_ok(kube_config_parse(text, strlen(text), directory, options, &config, &err), &err);
    return config;
}

static void refuse(const char *text, const kube_config_options *options, const char *message)
{
    kube_config *config = (kube_config *)1;
    expect(kube_config_parse(text, strlen(text), directory, options, &config, &err),
           KUBE_ERR_CONFIG, &err);
    ck_assert_ptr_null(config);
    expect_text(err.message, message);
}

static kube_config *load(const kube_config_options *options)
{
    kube_config *config;
    expect_ok(kube_config_load(options, &config, &err), &err);
    return config;
}

static void no_environment(void)
{
    unsetenv("KUBECONFIG");
    unsetenv("KUBERNETES_SERVICE_HOST");
    unsetenv("KUBERNETES_SERVICE_PORT");
    unsetenv("POD_NAMESPACE");
    setenv("HOME", directory, 1);
}

#define TWO_CONTEXTS                                                                               \
    "apiVersion: v1\n"                                                                             \
    "kind: Config\n"                                                                               \
    "current-context: dev\n"                                                                       \
    "clusters:\n"                                                                                  \
    "- name: dev-cluster\n"                                                                        \
    "  cluster:\n"                                                                                 \
    "    server: https://dev.example.com:6443\n"                                                   \
    "- name: prod-cluster\n"                                                                       \
    "  cluster:\n"                                                                                 \
    "    server: https://prod.example.com/base\n"                                                  \
    "    tls-server-name: api.internal\n"                                                          \
    "contexts:\n"                                                                                  \
    "- name: dev\n"                                                                                \
    "  context: {cluster: dev-cluster, user: me, namespace: team}\n"                               \
    "- name: prod\n"                                                                               \
    "  context: {cluster: prod-cluster, user: robot}\n"                                            \
    "users:\n"                                                                                     \
    "- name: me\n"                                                                                 \
    "  user: {token: abc}\n"                                                                       \
    "- name: robot\n"                                                                              \
    "  user: {username: u, password: p}\n"

/* ---- contexts ------------------------------------------------------------------------------ */

static void set_up(void)
{
    static const char template[] = "/tmp/kube-config-XXXXXX";
    memory = kube_ctx_new();
    memcpy(directory, template, sizeof template);
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void tear_down(void)
{
    ck_assert_int_eq(system(kube_printf(memory, "rm -rf '%s'", directory)), 0);
    kube_ctx_free(memory);
}

FIXTURE(set_up, tear_down);

/* Peers: TestCreateClean, TestCreateMissingContext, TestInClusterClientConfigPrecedence,
 * TestNamespaceOverride */
TEST(the_current_context_decides)
{
    kube_config *config = parse(TWO_CONTEXTS, NULL);
    ck_assert_str_eq(kube_config_server(config), "https://dev.example.com:6443");
    ck_assert_str_eq(kube_config_namespace(config), "team");
    ck_assert_str_eq(config->token, "abc");
    ck_assert_str_eq(config->host, "dev.example.com");
    ck_assert_str_eq(config->port, "6443");
    kube_config_free(config);
}

/* Peers: TestMergeSemantics, TestInsecureOverridesCA, TestCAOverridesCAData,
 * TestTLSServerNameClearsWhenServerNameSet, TestClientCertOverrideData */
TEST(options_override_context_namespace_and_server)
{
    kube_config_options options = {.context = "prod", .namespace_ = "other"};
    kube_config *config = parse(TWO_CONTEXTS, &options);
    ck_assert_str_eq(kube_config_server(config), "https://prod.example.com/base");
    ck_assert_str_eq(kube_config_namespace(config), "other");
    ck_assert_str_eq(config->username, "u");
    ck_assert_str_eq(config->tls_server_name, "api.internal");
    ck_assert_str_eq(config->port, "443");
    kube_config_free(config);
    options.master = "https://[::1]:7443/";
    config = parse(TWO_CONTEXTS, &options);
    ck_assert_str_eq(kube_config_server(config), "https://[::1]:7443");
    ck_assert_str_eq(config->host, "::1");
    ck_assert_ptr_null(config->tls_server_name); /* KC-5 */
    kube_config_free(config);
}

TEST(an_unset_namespace_is_default)
{
    const kube_config_options options = {.context = "prod"};
    kube_config *config = parse(TWO_CONTEXTS, &options);
    ck_assert_str_eq(kube_config_namespace(config), "default"); /* KC-4 */
    kube_config_free(config);
}

/* Peers: TestCreateClean, TestCreateMissingContext, TestInClusterClientConfigPrecedence,
 * TestNamespaceOverride */
TEST(unknown_entries_are_named_with_what_there_is)
{
    const kube_config_options options = {.context = "stage"};
    refuse(TWO_CONTEXTS, &options, "context \"stage\" is not in kubeconfig (there are: dev, prod)");
    refuse("current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
           "clusters: [{name: a, cluster: {server: 'https://a'}}]\n",
           NULL, "kubeconfig:2: context \"x\": cluster \"c\" is not in kubeconfig (there are: a)");
    refuse("current-context: x\ncontexts: [{name: x, context: {cluster: a, user: u}}]\n"
           "clusters: [{name: a, cluster: {server: 'https://a'}}]\n",
           NULL, "user \"u\" is not in kubeconfig (there are none)");
    refuse("current-context: gone\ncontexts: [{name: x, context: {cluster: a, user: u}}]\n", NULL,
           "current-context \"gone\" is not in kubeconfig (there are: x)");
    refuse("contexts: [{name: x, context: {cluster: a, user: u}}]\n", NULL,
           "kubeconfig sets no current-context (there are: x)");
    refuse("current-context: x\ncontexts: [{name: x, context: {user: u}}]\n", NULL,
           "context \"x\" names no cluster");
    refuse("current-context: x\ncontexts: [{name: x, context: {cluster: u}}]\n", NULL,
           "context \"x\" names no user");
}

TEST(nothing_configured_says_so)
{
    refuse("", NULL, "no configuration has been provided: kubeconfig is empty");
    refuse("apiVersion: v1\nkind: Config\n", NULL, "no configuration has been provided");
}

/* ---- YAML ---------------------------------------------------------------------------------- */

TEST(malformed_yaml_is_an_error_with_its_place)
{
    refuse("a: b\n  c: d\n", NULL, "kubeconfig:2:4: ");
    refuse("clusters: [\n", NULL, "kubeconfig:2:1: ");
    refuse("\"a\": \"\\q\"\n", NULL, "kubeconfig:1:");
    refuse("\x80", NULL, "kubeconfig: ");
}

TEST(wrong_shapes_are_errors_with_their_place)
{
    refuse("- a\n", NULL, "kubeconfig:1:1: a kubeconfig must be a mapping");
    refuse("clusters: {}\n", NULL, "kubeconfig:1:11: clusters must be a list");
    refuse("clusters:\n- 5\n", NULL, "kubeconfig:2:3: cluster must be a mapping");
    refuse("clusters:\n- cluster: {}\n", NULL, "kubeconfig:2:3: cluster has no name");
    refuse("clusters:\n- name: a\n  cluster: {server: [x]}\n", NULL,
           "kubeconfig:3:21: server must be a string");
    refuse("clusters:\n- name: a\n  cluster: {insecure-skip-tls-verify: maybe}\n", NULL,
           "kubeconfig:3:39: insecure-skip-tls-verify must be true or false");
    refuse("clusters:\n- name: a\n  cluster: {certificate-authority-data: '!'}\n", NULL,
           "kubeconfig:3:41: certificate-authority-data is not base64");
    refuse("users:\n- name: a\n  user: {as-groups: x}\n", NULL,
           "kubeconfig:3:21: as-groups must be a list");
    refuse("users:\n- name: a\n  user: {as-user-extra: {k: v}}\n", NULL, "must be a list");
}

/* Each is compared with those before it. */
TEST(a_file_has_a_bounded_number_of_entries)
{
    enum { ENTRIES = 10001 };
    char *text = kube_ctx_alloc(memory, 32 + 24 * ENTRIES);
    size_t len = (size_t)sprintf(text, "contexts:\n");
    for (int i = 0; i < ENTRIES; i++)
        len += (size_t)sprintf(text + len, "- {name: c%d}\n", i);
    refuse(text, NULL, "kubeconfig:2:1: contexts has more than 10000 entries");
}

/* Peers: TestConflictingCurrentContext, TestDuplicateClusterName, TestDeduplicate */
TEST(a_name_defined_twice_in_a_file_is_an_error)
{
    refuse("clusters:\n- {name: a, cluster: {server: x}}\n- {name: a, cluster: {server: y}}\n",
           NULL, "kubeconfig:3:3: cluster \"a\" is defined twice, first in line 2"); /* KC-2 */
    refuse("users:\n- {name: a}\n- {name: a}\n", NULL, "user \"a\" is defined twice");
    refuse("contexts:\n- {name: a}\n- {name: a}\n", NULL, "context \"a\" is defined twice");
}

TEST(json_and_unknown_members_are_read)
{
    kube_config *config = parse("{\"kind\":\"Config\",\"preferences\":{\"colors\":true},"
                                "\"current-context\":\"x\",\"clusters\":[{\"name\":\"c\","
                                "\"cluster\":{\"server\":\"https://a:1\",\"extensions\":[]}}],"
                                "\"contexts\":[{\"name\":\"x\",\"context\":{\"cluster\":\"c\","
                                "\"user\":\"u\"}}],\"users\":[{\"name\":\"u\",\"user\":null}]}",
                                NULL);
    ck_assert_str_eq(kube_config_server(config), "https://a:1");
    kube_config_free(config);
}

/* ---- what an entry may say ----------------------------------------------------------------- */

static void refuse_entries(const char *cluster, const char *user, const char *message)
{
    refuse(kube_printf(memory,
                       "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                       "clusters: [{name: c, cluster: {%s}}]\nusers: [{name: u, user: {%s}}]\n",
                       cluster, user),
           NULL, message);
}

/* Peers: TestNew, TestTLSConfigKey, TestCheckCAFileAndRotate, TestEmptyCAFileRotationLifecycle,
 * TestValidateClusterInfo, TestValidateAuthInfo, TestConfirmUsableContext,
 * TestErrConfigurationInvalid */
TEST(contradictions_are_refused)
{
    pki_pair ca = pki_ca("ca");
    char *data = base64_of(ca.certificate);
    refuse_entries("server: ''", "", "kubeconfig:3: cluster \"c\" has no server");
    refuse_entries(kube_printf(memory,
                               "server: 'https://a', insecure-skip-tls-verify: true, "
                               "certificate-authority-data: %s",
                               data),
                   "", "only one may be set"); /* CFG-2 */
    refuse_entries(kube_printf(memory,
                               "server: 'https://a', certificate-authority: ca.crt, "
                               "certificate-authority-data: %s",
                               data),
                   "", "certificate-authority and certificate-authority-data are both set");
    refuse_entries("server: 'https://a'", "token: a, username: b",
                   "has both a token and a user name");
    refuse_entries("server: 'https://a'", kube_printf(memory, "client-certificate-data: %s", data),
                   "has a client certificate without a key");
    refuse_entries("server: 'https://a'", "client-key: x",
                   "has a client key without a certificate");
    refuse_entries("server: 'https://a'", "as-uid: x", "without \"as\"");
    refuse_entries("server: 'https://a'", "exec: {command: x}",
                   "kubeconfig:4: user \"u\" uses exec: exec plugins are not supported yet");
    refuse_entries("server: 'https://a'", "auth-provider: {name: x}",
                   "exec plugins are not supported yet");
    refuse_entries("server: 'https://a?b'", "", "must not have a query or a fragment");
    refuse_entries("server: 'ftp://a'", "", "it must begin with http:// or https://");
    refuse_entries("server: 'https://u:secret@a'", "", "must not contain credentials");
    ck_assert_ptr_null(strstr(err.message, "secret"));
    refuse_entries("server: 'https://u:secret@a?b'", "", "\"a?b\" is not usable");
    ck_assert_ptr_null(strstr(err.message, "secret"));
    refuse_entries("server: 'https://a:x'", "", "the port is not a number");
    refuse_entries("server: 'https://a:70000'", "", "the port is not a number");
    refuse_entries("server: 'https://'", "", "has no host");
    refuse_entries("server: 'https://a b'", "", "contains a character that a URL cannot have");
    free(data);
    pki_free(&ca);
}

/* Peers: TestValidateClusterInfo, TestValidateAuthInfo, TestConfirmUsableContext,
 * TestErrConfigurationInvalid */
TEST(files_that_are_not_what_they_should_be_are_named)
{
    pki_pair ca = pki_ca("ca");
    pki_pair one = pki_issue(&ca, "one", NULL, 1);
    pki_pair two = pki_issue(&ca, "two", NULL, 1);
    write_file("good.crt", one.certificate);
    write_file("other.key", two.key);
    write_file("noise", "noise");
    write_file("half.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    refuse_entries("server: 'https://a', certificate-authority: missing.crt", "",
                   kube_printf(memory, "cannot read %s/missing.crt: no such file", directory));
    refuse_entries("server: 'https://a', certificate-authority: noise", "",
                   "/noise holds no PEM certificate");
    refuse_entries("server: 'https://a', certificate-authority: half.crt", "", "/half.crt");
    refuse_entries("server: 'https://a', certificate-authority-data: bm9pc2U=", "",
                   "certificate-authority-data holds no PEM certificate");
    refuse_entries("server: 'https://a'", "client-certificate: good.crt, client-key: other.key",
                   "other.key do not belong together");
    refuse_entries("server: 'https://a'", "client-certificate: good.crt, client-key: noise",
                   "/noise holds no PEM private key");
    refuse_entries("server: 'https://a'", "tokenFile: missing", "/missing: no such file");
    refuse_entries("server: 'https://a', certificate-authority: .", "", "it is a directory");
    pki_free(&one);
    pki_free(&two);
    pki_free(&ca);
}

TEST(credentials_and_ca_are_for_https_only)
{
    static const char *const servers[] = {"http://a:8080", "a:8080"};
    for (size_t i = 0; i < 2; i++) {
        kube_config *config = config_for(servers[i], "certificate-authority: /nonexistent",
                                         "token: secret, client-certificate: /nonexistent");
        ck_assert_str_eq(kube_config_server(config), "http://a:8080");
        ck_assert_ptr_null(config->token); /* KC-6 */
        ck_assert_ptr_null(config->ca.file);
        ck_assert_ptr_null(config->certificate.file);
        kube_config_free(config);
    }
}

/* Peers: TestCachingTokenSource, TestTokenSourceTransportRoundTrip, TestBearerAuthRoundTripper,
 * TestImpersonationRoundTripper, TestHeaderEscapeRoundTrip, TestPrecedenceTokenFile,
 * TestBasicTokenFile, TestFullImpersonateConfig, TestProxyURL */
TEST(impersonation_becomes_headers)
{
    static const char *const want[][2] = {{"Impersonate-User", "jane"},
                                          {"Impersonate-Uid", "u-1"},
                                          {"Impersonate-Group", "a"},
                                          {"Impersonate-Group", "b"},
                                          {"Impersonate-Extra-acme.com%2Fscope", "x"},
                                          {"Impersonate-Extra-acme.com%2Fscope", "y"}};
    kube_config *config = config_for("http://a", "",
                                     "as: jane, as-uid: u-1, as-groups: [a, b], "
                                     "as-user-extra: {Acme.com/Scope: [x, y]}");
    ck_assert_uint_eq(config->header_count, 6); /* CFG-8, KC-6 */
    for (size_t i = 0; i < 6; i++) {
        ck_assert_str_eq(config->headers[i].name, want[i][0]);
        ck_assert_str_eq(config->headers[i].value, want[i][1]);
    }
    kube_config_free(config);
}

/* Peers: TestAnonymousAuthConfig, TestConfigStringer, TestBuildUserAgent */
TEST(a_description_has_no_secrets)
{
    kube_config *config =
        config_for("https://a:1", "insecure-skip-tls-verify: true", "token: hunter2");
    const char *text = kube_config_describe(memory, config);
    ck_assert_str_eq(text, "https://a:1 (context c of kubeconfig, namespace default, token, server "
                           "not verified)");
    kube_config_free(config);
}

/* Peers: TestAnonymousAuthConfig, TestConfigStringer, TestBuildUserAgent */
TEST(the_user_agent_names_program_and_library)
{
    kube_config *config = config_for("https://a:1", "", "");
    const kube_config_options options = {.user_agent = "mine/1"};
    expect_text(config->user_agent, "/unknown ("); /* CFG-9 */
    expect_text(config->user_agent, ") kubegen/0.1.0");
    kube_config_free(config);
    config = parse(TWO_CONTEXTS, &options);
    ck_assert_str_eq(config->user_agent, "mine/1");
    kube_config_free(config);
}

/* Peers: TestValidateClusterInfo, TestValidateAuthInfo, TestConfirmUsableContext,
 * TestErrConfigurationInvalid */
TEST(a_namespace_must_be_a_label)
{
    static const char *const bad[] = {"Team", "a_b", "-a", "a-", "a.b"};
    for (size_t i = 0; i < sizeof(bad) / sizeof *bad; i++) {
        const kube_config_options options = {.namespace_ = bad[i]};
        refuse(TWO_CONTEXTS, &options, "cannot be a namespace");
    }
}

/* ---- files --------------------------------------------------------------------------------- */

#define ONE_CLUSTER(name, server) "clusters: [{name: " name ", cluster: {server: '" server "'}}]\n"

/* Peers: TestResolveRelativePaths, TestRelativizePathWithNoBacksteps */
TEST(relative_paths_are_taken_from_their_file)
{
    pki_pair ca = pki_ca("ca");
    kube_config *config;
    write_file("ca.crt", ca.certificate);
    write_file("token", "t\n");
    config = load(&(kube_config_options){
        .kubeconfig = write_file("config", "current-context: c\ncontexts: [{name: c, context: "
                                           "{cluster: c, user: u}}]\nclusters: [{name: c, cluster: "
                                           "{server: 'https://a', certificate-authority: "
                                           "ca.crt}}]\nusers: [{name: u, user: {tokenFile: "
                                           "token}}]\n")});
    ck_assert_str_eq(config->ca.file, path_of("ca.crt")); /* KC-3 */
    ck_assert_str_eq(config->token_file, path_of("token"));
    expect_text(config->origin, path_of("config"));
    kube_config_free(config);
    pki_free(&ca);
}

/* Peers: TestNonExistentCommandLineFile, TestToleratingMissingFiles, TestErrorReadingFile,
 * TestErrorReadingNonFile */
TEST(an_explicit_file_must_exist)
{
    kube_config *config;
    const kube_config_options options = {.kubeconfig = path_of("none")};
    expect(kube_config_load(&options, &config, &err), KUBE_ERR_CONFIG, &err); /* KC-1 */
    expect_text(err.message, "/none: no such file");
}

/* Peers: TestNonExistentCommandLineFile, TestToleratingMissingFiles, TestErrorReadingFile,
 * TestErrorReadingNonFile, TestConflictingCurrentContext, TestDuplicateClusterName,
 * TestDeduplicate */
TEST(files_of_the_environment_are_merged_first_entry_wins)
{
    kube_config *config;
    no_environment();
    write_file("one", "current-context: ''\n" ONE_CLUSTER("c", "https://one"));
    write_file("two", "current-context: x\n"
                      "clusters: [{name: c, cluster: {server: 'https://two', tls-server-name: n}}, "
                      "{name: d, cluster: {server: 'https://d'}}]\n"
                      "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                      "users: [{name: u, user: {token: t}}]\n");
    write_file("three", "current-context: y\n");
    setenv("KUBECONFIG",
           kube_printf(memory, "%s::%s:%s:%s:%s", path_of("none"), path_of("one"), path_of("two"),
                       path_of("one"), path_of("three")),
           1);
    config = load(NULL);
    ck_assert_str_eq(kube_config_server(config), "https://one"); /* KC-2 */
    ck_assert_ptr_null(config->tls_server_name);                 /* the whole entry, no merge */
    ck_assert_str_eq(config->token, "t");
    kube_config_free(config);
    write_file("bad", "a: b\n  c: d\n");
    setenv("KUBECONFIG", kube_printf(memory, "%s:%s", path_of("one"), path_of("bad")), 1);
    expect(kube_config_load(NULL, &config, &err), KUBE_ERR_CONFIG, &err);
    expect_text(err.message, kube_printf(memory, "%s:2:4: ", path_of("bad")));
    no_environment();
}

TEST(home_is_the_last_place)
{
    kube_config *config;
    no_environment();
    expect(kube_config_load(NULL, &config, &err), KUBE_ERR_CONFIG, &err);
    expect_text(err.message, "no configuration has been provided");
    expect(kube_config_load(&(kube_config_options){.context = "x"}, &config, &err), KUBE_ERR_CONFIG,
           &err);
    expect_text(err.message, "context \"x\" was asked for, but there is no kubeconfig file");
    mkdir(path_of(".kube"), 0700);
    write_file(".kube/config", TWO_CONTEXTS);
    config = load(NULL);
    ck_assert_str_eq(kube_config_server(config), "https://dev.example.com:6443");
    kube_config_free(config);
    unlink(path_of(".kube/config"));
}

TEST(a_master_alone_reads_no_file)
{
    kube_config *config;
    no_environment();
    setenv("KUBECONFIG", write_file("config", TWO_CONTEXTS), 1);
    config = load(&(kube_config_options){.master = "http://localhost:8080", .kubeconfig = ""});
    ck_assert_str_eq(kube_config_server(config), "http://localhost:8080"); /* KC-9 */
    ck_assert_ptr_null(config->token);
    kube_config_free(config);
    no_environment();
}

/* ---- proxies ------------------------------------------------------------------------------- */

TEST(a_proxy_url_that_is_none_is_refused)
{
    static const char *const bad[][2] = {
        {"not a url", "must begin with http://"},
        {"proxy:3128", "must begin with http://"},
        {"ftp://u:secret@x", "proxy-url \"x\" is not usable: it must begin with http://"},
        {"http://", "it has no host"},
        {"http://a b", "contains a character"},
        {"http://u:secret@a:99999", "proxy-url \"a:99999\" is not usable: the port is not"},
        {"http://u:secret@[bad", "\"]\" is missing"},
        {"https://a/path", "must end behind host and port"},
        {"http://a?q", "must end behind host and port"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refuse_entries(kube_printf(memory, "server: 'https://a', proxy-url: '%s'", bad[i][0]), "",
                       bad[i][1]); /* KC-8 */
        expect_text(err.message, "kubeconfig:3: cluster \"c\": proxy-url ");
        ck_assert_ptr_null(strstr(err.message, "secret"));
    }
}

static void proxy_is(const char *server, const char *proxy_url, const char *want)
{
    kube_config *config = config_for(server,
                                     kube_printf(memory, "insecure-skip-tls-verify: true%s%s",
                                                 *proxy_url ? ", proxy-url: " : "", proxy_url),
                                     "");
    if (want)
        ck_assert_str_eq(config->proxy_url, want);
    else
        ck_assert_ptr_null(config->proxy_url);
    kube_config_free(config);
}

static void no_proxies(void)
{
    static const char *const names[] = {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy",
                                        "NO_PROXY",    "no_proxy",    "ALL_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

TEST(a_proxy_comes_from_the_cluster_or_the_environment)
{
    kube_config *config;
    no_proxies();
    proxy_is("https://a", "", NULL);
    proxy_is("https://a", "'https://u:p@[::1]:3128/'", "https://u:p@[::1]:3128/");
    proxy_is("https://a", "'socks5://p'", "socks5h://p"); /* names are resolved there, as in Go */
    setenv("https_proxy", "low:1", 1);
    setenv("http_proxy", "http://plain:1", 1);
    setenv("ALL_PROXY", "http://all:1", 1);
    proxy_is("https://a", "", "http://low:1");
    proxy_is("http://a", "", "http://plain:1");
    setenv("HTTPS_PROXY", "http://high:1", 1);
    proxy_is("https://a", "", "http://high:1");
    proxy_is("https://127.1.2.3:6443", "", NULL);
    proxy_is("https://[::1]:6443", "", NULL);
    proxy_is("https://localhost", "", NULL);
    setenv("NO_PROXY", "*", 1);
    proxy_is("https://127.0.0.1", "'http://p'", "http://p"); /* what the cluster says holds */
    unsetenv("NO_PROXY");
    setenv("HTTPS_PROXY", "ftp://u:secret@x", 1);
    expect(kube_config_load(&(kube_config_options){.master = "https://a"}, &config, &err),
           KUBE_ERR_CONFIG, &err);
    expect_text(err.message, "HTTPS_PROXY \"x\" is not usable");
    no_proxies();
}

/* The rows follow those of Go's golang.org/x/net/http/httpproxy. */
TEST(no_proxy_is_read_as_go_reads_it)
{
    static const struct {
        const char *server;
        const char *list;
        bool proxied;
    } rows[] = {
        {"https://api.example.test:6443", "example.test", false},
        {"https://example.test", "example.test", false},
        {"https://badexample.test", "example.test", true},
        {"https://api.example.test", ".example.test", false},
        {"https://example.test", ".example.test", true},
        {"https://api.example.test", "*.example.test", false},
        {"https://example.test", "*.example.test", true},
        {"https://API.Example.test", "a, api.example.TEST ,b", false},
        {"https://api.example.test:6443", "api.example.test:6443", false},
        {"https://api.example.test:6443", "api.example.test:443", true},
        {"https://api.example.test", "api.example.test:443", false},
        {"https://api.example.test", "*", false},
        {"https://api.example.test", "*.test,*", false},
        {"https://10.1.2.3:6443", "10.1.2.3", false},
        {"https://10.1.2.3:6443", "10.1.2.3:6443", false},
        {"https://10.1.2.3:6443", "10.1.2.3:443", true},
        {"https://10.1.2.3:6443", "10.0.0.0/8", false},
        {"https://10.1.2.3:6443", "10.1.2.0/23", false},
        {"https://10.1.2.3:6443", "10.1.0.0/23", true},
        {"https://10.1.2.3:6443", "10.0.0.0/33", true},
        {"https://10.1.2.3:6443", "10.0.0.0/", true},
        {"https://10.1.2.3:6443", "::/0", true},
        {"https://[fd00::1]:6443", "fd00::1", false},
        {"https://[fd00::1]:6443", "[fd00::1]", false},
        {"https://[fd00::1]:6443", "[fd00::1]:6443", false},
        {"https://[fd00::1]:6443", "[fd00::1]:1", true},
        {"https://[fd00::1]:6443", "fd00::/8", false},
        {"https://10.1.2.3:6443", ",, :6443,", true},
    };
    no_proxies();
    setenv("HTTPS_PROXY", "http://p", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("NO_PROXY", rows[i].list, 1);
        proxy_is(rows[i].server, "", rows[i].proxied ? "http://p" : NULL);
    }
    no_proxies();
}

/* ---- in a pod ------------------------------------------------------------------------------ */

static void enter_pod(const char *host)
{
    no_environment();
    kube__service_account_dir = directory;
    setenv("KUBERNETES_SERVICE_HOST", host, 1);
    setenv("KUBERNETES_SERVICE_PORT", "443", 1);
}

/* Peers: TestInClusterConfig, TestInClusterConfigNamespace */
TEST(a_pod_uses_its_service_account)
{
    pki_pair ca = pki_ca("ca");
    kube_config *config;
    write_file("token", "pod-token\n");
    write_file("ca.crt", ca.certificate);
    write_file("namespace", "pod-ns\n");
    enter_pod("fd00::1");
    setenv("KUBECONFIG", path_of("none"), 1);
    config = load(NULL);
    ck_assert_str_eq(kube_config_server(config), "https://[fd00::1]:443"); /* CFG-7 */
    ck_assert_str_eq(config->token_file, path_of("token"));
    ck_assert_str_eq(config->ca.file, path_of("ca.crt"));
    ck_assert_str_eq(kube_config_namespace(config), "pod-ns"); /* KC-4 */
    kube_config_free(config);
    setenv("POD_NAMESPACE", "env-ns", 1);
    config = load(NULL);
    ck_assert_str_eq(kube_config_namespace(config), "env-ns");
    kube_config_free(config);
    config = load(&(kube_config_options){.namespace_ = "mine"});
    ck_assert_str_eq(kube_config_namespace(config), "mine");
    kube_config_free(config);
    no_environment();
    pki_free(&ca);
}

/* Peers: TestCreateClean, TestCreateMissingContext, TestInClusterClientConfigPrecedence,
 * TestNamespaceOverride */
TEST(a_file_or_context_that_was_asked_for_beats_the_pod)
{
    kube_config *config;
    write_file("token", "pod-token\n");
    enter_pod("10.0.0.1");
    config = load(&(kube_config_options){.kubeconfig = write_file("config", TWO_CONTEXTS)});
    ck_assert_str_eq(kube_config_server(config), "https://dev.example.com:6443");
    kube_config_free(config);
    setenv("KUBECONFIG", path_of("config"), 1);
    config = load(&(kube_config_options){.context = "prod"});
    ck_assert_str_eq(kube_config_server(config), "https://prod.example.com/base");
    kube_config_free(config);
    config = load(NULL); /* KC-4: as kubectl, controller-runtime and kube-rs have it */
    ck_assert_str_eq(kube_config_server(config), "https://dev.example.com:6443");
    kube_config_free(config);
    unsetenv("KUBECONFIG");
    mkdir(path_of(".kube"), 0700);
    write_file(".kube/config", TWO_CONTEXTS);
    config = load(NULL); /* the home directory's does not: nobody asked for it */
    ck_assert_str_eq(kube_config_server(config), "https://10.0.0.1:443");
    kube_config_free(config);
    unlink(path_of(".kube/config"));
    no_environment();
}

TEST(a_pod_without_a_token_is_an_error_without_a_ca_is_not)
{
    kube_config *config;
    write_file("token", "t");
    unlink(path_of("ca.crt"));
    enter_pod("10.0.0.1");
    config = load(NULL);
    ck_assert_ptr_null(config->ca.file);
    kube_config_free(config);
    unlink(path_of("token"));
    expect(kube_config_load(NULL, &config, &err), KUBE_ERR_CONFIG, &err);
    expect_text(err.message, "in-cluster configuration: cannot read");
    no_environment();
}

/* Peers: TestInClusterConfig, TestInClusterConfigNamespace */
TEST(half_an_environment_is_no_pod)
{
    kube_config *config;
    enter_pod("10.0.0.1");
    unsetenv("KUBERNETES_SERVICE_PORT");
    expect(kube_config_load(NULL, &config, &err), KUBE_ERR_CONFIG, &err);
    expect_text(err.message, "not in a pod");
    no_environment();
}
