/* SPDX-License-Identifier: Apache-2.0 */
/* The API server over TLS: who it says it is, and whom it takes us for. */
#include "support/pki.h"
#include "support/suite.h"

#include <arpa/inet.h>
#include <core/v1/api.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <kube/testing/apiserver.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static kube_apiserver *server;
static kube_error err;
static kube_ctx *ctx;

static void start(kube_apiserver_authorization authorization)
{
    const kube_apiserver_options options = {.tls = true, .authorization = authorization};
    ck_assert_msg(!kube_apiserver_start(&options, &server, &err), "%s", err.message);
}

static void set_up(void)
{
    ctx = kube_ctx_new();
    kube_ctx_set_timeout_ms(ctx, 60000);
    start(KUBE_APISERVER_ALLOW_ALL);
}

static void tear_down(void)
{
    kube_apiserver_stop(server);
    kube_ctx_free(ctx);
}

/* ---- a client with gnutls ------------------------------------------------------------------- */

/* What follows @key in the kubeconfig, up to the line's end, decoded from base64; allocated. */
static char *from_kubeconfig(const char *key)
{
    const char *at = strstr(kube_apiserver_kubeconfig(server), key);
    ck_assert_msg(at, "no %s", key);
    at += strlen(key);
    gnutls_datum_t text = {(unsigned char *)(uintptr_t)at, (unsigned)strcspn(at, "\n")};
    gnutls_datum_t decoded;
    ck_assert_int_eq(gnutls_base64_decode2(&text, &decoded), 0);
    char *copy = strndup((const char *)decoded.data, decoded.size);
    gnutls_free(decoded.data);
    return copy;
}

typedef struct tls_client {
    int fd;
    gnutls_certificate_credentials_t credentials;
    gnutls_session_t session;
} tls_client;

/* Connects as @own (NULL = no certificate) to @host; @ca NULL = the server's. The handshake's
 * result. */
static int tls_connect(tls_client *c, const char *host, const char *ca, const pki_pair *own)
{
    const struct timeval patience = {.tv_sec = 60};
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(kube_apiserver_port(server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    char *trusted = ca ? strdup(ca) : from_kubeconfig("certificate-authority-data: ");
    const gnutls_datum_t trust = {(unsigned char *)trusted, (unsigned)strlen(trusted)};
    int rc;
    gnutls_certificate_allocate_credentials(&c->credentials);
    ck_assert_int_eq(
        gnutls_certificate_set_x509_trust_mem(c->credentials, &trust, GNUTLS_X509_FMT_PEM), 1);
    free(trusted);
    if (own) {
        const gnutls_datum_t certificate = {(unsigned char *)own->certificate,
                                            (unsigned)strlen(own->certificate)};
        const gnutls_datum_t key = {(unsigned char *)own->key, (unsigned)strlen(own->key)};
        ck_assert_int_eq(gnutls_certificate_set_x509_key_mem(c->credentials, &certificate, &key,
                                                             GNUTLS_X509_FMT_PEM),
                         0);
    }
    gnutls_init(&c->session, GNUTLS_CLIENT | GNUTLS_FORCE_CLIENT_CERT);
    gnutls_set_default_priority(c->session);
    gnutls_credentials_set(c->session, GNUTLS_CRD_CERTIFICATE, c->credentials);
    gnutls_session_set_verify_cert(c->session, host, 0);
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ck_assert_int_eq(connect(c->fd, (struct sockaddr *)&address, sizeof address), 0);
    gnutls_transport_set_int(c->session, c->fd);
    do
        rc = gnutls_handshake(c->session);
    while (rc < 0 && !gnutls_error_is_fatal(rc));
    return rc;
}

static void tls_close(tls_client *c)
{
    gnutls_deinit(c->session);
    gnutls_certificate_free_credentials(c->credentials);
    close(c->fd);
}

/* The answer to one request, all that comes until the connection ends. */
static void tls_ask(tls_client *c, const char *target, const char *headers, char *answer,
                    size_t size)
{
    char request[1024];
    size_t len = 0;
    ssize_t got;
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n", target, headers);
    ck_assert_int_eq(gnutls_record_send(c->session, request, strlen(request)),
                     (int)strlen(request));
    while ((got = gnutls_record_recv(c->session, answer + len, size - len - 1)) > 0)
        len += (size_t)got;
    answer[len] = '\0';
}

static void serial_of(tls_client *c, unsigned char serial[64])
{
    unsigned count;
    gnutls_x509_crt_t crt;
    size_t size = 64;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(c->session, &count);
    ck_assert_ptr_nonnull(chain);
    gnutls_x509_crt_init(&crt);
    gnutls_x509_crt_import(crt, &chain[0], GNUTLS_X509_FMT_DER);
    memset(serial, 0, 64);
    ck_assert_int_eq(gnutls_x509_crt_get_serial(crt, serial, &size), 0);
    gnutls_x509_crt_deinit(crt);
}

/* ---- cases ---------------------------------------------------------------------------------- */

FIXTURE(set_up, tear_down);

TEST(its_certificate_is_for_this_machine_by_its_own_ca)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    tls_client c;
    for (int i = 0; i < 2; i++) {
        char answer[2048];
        ck_assert_int_eq(tls_connect(&c, hosts[i], NULL, NULL), 0);
        tls_ask(&c, "/livez", "", answer, sizeof answer);
        ck_assert_ptr_nonnull(strstr(answer, "\r\n\r\nok"));
        tls_close(&c);
    }
    ck_assert_int_lt(tls_connect(&c, "example.org", NULL, NULL), 0);
    tls_close(&c);
    pki_pair other = pki_ca("another");
    ck_assert_int_lt(tls_connect(&c, "127.0.0.1", other.certificate, NULL), 0);
    tls_close(&c);
    pki_free(&other);
    ck_assert_int_eq(strncmp(kube_apiserver_url(server), "https://127.0.0.1:", 18), 0);
}

TEST(each_context_of_the_kubeconfig_is_its_user)
{
    static const char *const contexts[] = {"admin", "user", "cert"};
    kube_api_call_list calls;
    for (int i = 0; i < 3; i++) {
        kube_client *client;
        core_v1_namespace *namespace_;
        ck_assert_msg(!kube_apiserver_client_for(server, contexts[i], &client, &err), "%s",
                      err.message);
        ck_assert_msg(!core_v1_namespaces_get(client, ctx, kube_key_of(NULL, "default"), NULL,
                                              &namespace_, &err),
                      "%s: %s", contexts[i], err.message);
        kube_client_free(client);
    }
    ck_assert_int_eq(kube_apiserver_calls(server, ctx, NULL, &calls, &err), KUBE_OK);
    ck_assert_uint_eq(calls.len, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(calls.items[i].user, contexts[i]);
}

TEST(a_certificate_of_another_ca_is_nobody_s)
{
    pki_pair ca = pki_ca("kubegen-apiserver-ca");
    pki_pair forged = pki_issue(&ca, "admin", NULL, 1);
    char answer[2048];
    tls_client c;
    ck_assert_int_eq(tls_connect(&c, "127.0.0.1", NULL, &forged), 0);
    tls_ask(&c, "/api/v1/namespaces", "", answer, sizeof answer);
    ck_assert_msg(strncmp(answer, "HTTP/1.1 401 ", 13) == 0, "%s", answer);
    ck_assert_ptr_nonnull(strstr(answer, "\"reason\":\"Unauthorized\""));
    tls_close(&c);
    pki_free(&forged);
    pki_free(&ca);
}

TEST(who_shows_nothing_is_anonymous)
{
    char answer[2048];
    tls_client c;
    ck_assert_int_eq(tls_connect(&c, "127.0.0.1", NULL, NULL), 0);
    tls_ask(&c, "/api/v1/namespaces", "", answer, sizeof answer);
    ck_assert_msg(strncmp(answer, "HTTP/1.1 403 ", 13) == 0, "%s", answer);
    ck_assert_ptr_nonnull(strstr(answer, "User \\\"system:anonymous\\\" cannot list"));
    tls_close(&c);
    ck_assert_int_eq(tls_connect(&c, "127.0.0.1", NULL, NULL), 0);
    tls_ask(&c, "/api/v1/namespaces", "Authorization: Bearer wrong\r\n", answer, sizeof answer);
    ck_assert_msg(strncmp(answer, "HTTP/1.1 401 ", 13) == 0, "%s", answer);
    tls_close(&c);
}

TEST(rbac_comes_with_tls)
{
    kube_client *client;
    core_v1_namespace *namespace_;
    kube_apiserver_stop(server);
    ck_assert_msg(
        !kube_apiserver_start(&(kube_apiserver_options){.authorization = KUBE_APISERVER_RBAC},
                              &server, &err),
        "%s", err.message);
    ck_assert_int_eq(strncmp(kube_apiserver_url(server), "https://", 8), 0);
    ck_assert_int_eq(kube_apiserver_client_for(server, "user", &client, &err), KUBE_OK);
    ck_assert_int_eq(
        core_v1_namespaces_get(client, ctx, kube_key_of(NULL, "default"), NULL, &namespace_, &err),
        KUBE_ERR_FORBIDDEN);
    kube_client_free(client);
    ck_assert_int_eq(kube_apiserver_client_for(server, "cert", &client, &err), KUBE_OK);
    ck_assert_int_eq(
        core_v1_namespaces_get(client, ctx, kube_key_of(NULL, "default"), NULL, &namespace_, &err),
        KUBE_OK);
    kube_client_free(client);
}

TEST(a_new_certificate_is_shown_to_the_next_connection)
{
    const kube_fault_rule rule = {.kind = KUBE_FAULT_CERTIFICATE, .path_prefix = "/livez"};
    unsigned char before[64];
    unsigned char after[64];
    char answer[2048];
    tls_client old;
    tls_client fresh;
    tls_client again;
    ck_assert_int_eq(tls_connect(&old, "127.0.0.1", NULL, NULL), 0);
    serial_of(&old, before);
    ck_assert_int_eq(kube_apiserver_add_fault(server, &rule, &err), KUBE_OK);
    ck_assert_int_eq(tls_connect(&fresh, "127.0.0.1", NULL, NULL), 0);
    tls_ask(&fresh, "/livez", "", answer, sizeof answer);
    ck_assert_ptr_nonnull(strstr(answer, "\r\n\r\nok"));
    ck_assert_int_eq(tls_connect(&again, "127.0.0.1", NULL, NULL), 0);
    serial_of(&again, after);
    ck_assert_int_ne(memcmp(before, after, sizeof before), 0);
    tls_ask(&old, "/readyz", "", answer, sizeof answer); /* open connections go on */
    ck_assert_ptr_nonnull(strstr(answer, "\r\n\r\nok"));
    ck_assert_uint_eq(kube_apiserver_fault_count(server, KUBE_FAULT_CERTIFICATE), 1);
    tls_close(&old);
    tls_close(&fresh);
    tls_close(&again);
}

TEST(stop_does_not_wait_for_handshakes)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(kube_apiserver_port(server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int silent = socket(AF_INET, SOCK_STREAM, 0);
    int babbling = socket(AF_INET, SOCK_STREAM, 0);
    char byte;
    tls_client c;
    ck_assert_int_eq(connect(silent, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(connect(babbling, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(send(babbling, "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL), 18);
    ck_assert_int_eq(tls_connect(&c, "127.0.0.1", NULL, NULL), 0);
    kube_apiserver_stop(server);
    ck_assert_int_le(recv(silent, &byte, 1, 0), 0);
    close(silent);
    close(babbling);
    tls_close(&c);
    start(KUBE_APISERVER_ALLOW_ALL);
}

TEST(two_servers_show_their_own_certificates)
{
    kube_apiserver *first = server;
    char *first_ca = from_kubeconfig("certificate-authority-data: ");
    tls_client c;
    start(KUBE_APISERVER_ALLOW_ALL);
    ck_assert_int_eq(tls_connect(&c, "127.0.0.1", NULL, NULL), 0);
    tls_close(&c);
    ck_assert_int_lt(tls_connect(&c, "127.0.0.1", first_ca, NULL), 0);
    tls_close(&c);
    kube_apiserver_stop(server);
    server = first;
    ck_assert_int_eq(tls_connect(&c, "127.0.0.1", NULL, NULL), 0);
    tls_close(&c);
    free(first_ca);
}
