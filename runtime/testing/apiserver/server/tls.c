/* SPDX-License-Identifier: Apache-2.0 */
#include "tls.h"

#include "apiserver/value/sha256.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIFE_SECONDS = 365 * 24 * 60 * 60, CLOCKS_DIFFER_SECONDS = 60 * 60 };

/* What a handshake shows. */
typedef struct serving {
    gnutls_pcert_st certificate;
    gnutls_privkey_t key;
    struct serving *older; /* handshakes that have begun may still use it */
} serving;

struct kube__api_tls {
    gnutls_x509_privkey_t ca_key;
    gnutls_x509_crt_t ca;
    serving *serving;
    char *ca_pem;
    char *client_pem;
    char *client_key_pem;
    gnutls_certificate_credentials_t credentials;
};

struct kube__api_secure {
    gnutls_session_t session;
};

static kube_code failed(kube_error *err, const char *what, int rc)
{
    return kube_error_set(err, rc == GNUTLS_E_MEMORY_ERROR ? KUBE_ERR_NO_MEMORY : KUBE_ERR_CONFIG,
                          "%s: %s", what, gnutls_strerror(rc));
}

/* ---- making certificates -------------------------------------------------------------------- */

static int make_key(gnutls_x509_privkey_t *key)
{
    int rc = gnutls_x509_privkey_init(key);
    if (!rc)
        rc = gnutls_x509_privkey_generate(*key, GNUTLS_PK_ECDSA,
                                          GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
    return rc;
}

static int set_serial(gnutls_x509_crt_t crt)
{
    unsigned char serial[16];
    int rc = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);
    serial[0] = (unsigned char)((serial[0] & 0x7f) | 1); /* positive, and of full length */
    return rc ? rc : gnutls_x509_crt_set_serial(crt, serial, sizeof serial);
}

static int set_key_id(gnutls_x509_crt_t crt, gnutls_x509_crt_t from,
                      int (*set)(gnutls_x509_crt_t crt, const void *id, size_t size))
{
    unsigned char id[64];
    size_t size = sizeof id;
    int rc = gnutls_x509_crt_get_key_id(from, 0, id, &size);
    return rc ? rc : set(crt, id, size);
}

/* What all our certificates have. */
static int make_certificate(gnutls_x509_crt_t *crt, gnutls_x509_privkey_t key, const char *name,
                            const char *organization)
{
    time_t now = time(NULL);
    int rc = gnutls_x509_crt_init(crt);
    if (!rc)
        rc = gnutls_x509_crt_set_version(*crt, 3);
    if (!rc)
        rc = set_serial(*crt);
    if (!rc)
        rc = gnutls_x509_crt_set_activation_time(*crt, now - CLOCKS_DIFFER_SECONDS);
    if (!rc)
        rc = gnutls_x509_crt_set_expiration_time(*crt, now + LIFE_SECONDS);
    if (!rc && organization)
        rc = gnutls_x509_crt_set_dn_by_oid(*crt, GNUTLS_OID_X520_ORGANIZATION_NAME, 0, organization,
                                           (unsigned)strlen(organization));
    if (!rc)
        rc = gnutls_x509_crt_set_dn_by_oid(*crt, GNUTLS_OID_X520_COMMON_NAME, 0, name,
                                           (unsigned)strlen(name));
    if (!rc)
        rc = gnutls_x509_crt_set_key(*crt, key);
    if (!rc)
        rc = set_key_id(*crt, *crt, gnutls_x509_crt_set_subject_key_id);
    return rc;
}

static int make_ca(kube__api_tls *tls)
{
    int rc = make_key(&tls->ca_key);
    if (!rc)
        rc = make_certificate(&tls->ca, tls->ca_key, "kubegen-apiserver-ca", NULL);
    if (!rc)
        rc = gnutls_x509_crt_set_basic_constraints(tls->ca, 1, -1);
    if (!rc)
        rc = gnutls_x509_crt_set_key_usage(tls->ca,
                                           GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_DIGITAL_SIGNATURE);
    if (!rc)
        rc = gnutls_x509_crt_sign2(tls->ca, tls->ca, tls->ca_key, GNUTLS_DIG_SHA256, 0);
    return rc;
}

/* Signs a certificate for one purpose. */
static int sign_for(kube__api_tls *tls, gnutls_x509_crt_t crt, const char *purpose)
{
    int rc = gnutls_x509_crt_set_basic_constraints(crt, 0, -1);
    if (!rc)
        rc = gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_DIGITAL_SIGNATURE);
    if (!rc)
        rc = gnutls_x509_crt_set_key_purpose_oid(crt, purpose, 0);
    if (!rc)
        rc = set_key_id(crt, tls->ca, gnutls_x509_crt_set_authority_key_id);
    if (!rc)
        rc = gnutls_x509_crt_sign2(crt, tls->ca, tls->ca_key, GNUTLS_DIG_SHA256, 0);
    return rc;
}

static int set_server_names(gnutls_x509_crt_t crt)
{
    static const unsigned char ipv4[4] = {127, 0, 0, 1};
    static const unsigned char ipv6[16] = {[15] = 1};
    int rc = gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_DNSNAME, "localhost",
                                                  (unsigned)strlen("localhost"), GNUTLS_FSAN_SET);
    if (!rc)
        rc = gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_IPADDRESS, ipv4, sizeof ipv4,
                                                  GNUTLS_FSAN_APPEND);
    if (!rc)
        rc = gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_IPADDRESS, ipv6, sizeof ipv6,
                                                  GNUTLS_FSAN_APPEND);
    return rc;
}

/* Fills @s; @crt and @key, which it makes, are the caller's to free. */
static int make_serving(kube__api_tls *tls, serving *s, gnutls_x509_crt_t *crt,
                        gnutls_x509_privkey_t *key)
{
    int rc = make_key(key);
    if (!rc)
        rc = make_certificate(crt, *key, "kubegen-apiserver", NULL);
    if (!rc)
        rc = set_server_names(*crt);
    if (!rc)
        rc = sign_for(tls, *crt, GNUTLS_KP_TLS_WWW_SERVER);
    if (!rc)
        rc = gnutls_pcert_import_x509(&s->certificate, *crt, 0);
    if (!rc)
        rc = gnutls_privkey_init(&s->key);
    if (!rc)
        rc = gnutls_privkey_import_x509(s->key, *key, GNUTLS_PRIVKEY_IMPORT_COPY);
    return rc;
}

static void serving_free(serving *s)
{
    gnutls_pcert_deinit(&s->certificate);
    if (s->key)
        gnutls_privkey_deinit(s->key);
    free(s);
}

static void free_pair(gnutls_x509_crt_t crt, gnutls_x509_privkey_t key)
{
    if (crt)
        gnutls_x509_crt_deinit(crt);
    if (key)
        gnutls_x509_privkey_deinit(key);
}

kube_code kube__api_tls_renew(kube__api_tls *tls, kube_error *err)
{
    gnutls_x509_crt_t crt = NULL;
    gnutls_x509_privkey_t key = NULL;
    serving *s = calloc(1, sizeof *s);
    int rc = s ? make_serving(tls, s, &crt, &key) : GNUTLS_E_MEMORY_ERROR;
    free_pair(crt, key);
    if (rc) {
        if (s)
            serving_free(s);
        return failed(err, "make a serving certificate", rc);
    }
    s->older = tls->serving;
    tls->serving = s;
    return KUBE_OK;
}

/* A copy with a NUL of what gnutls allocated, which is freed. */
static char *take_text(gnutls_datum_t *text)
{
    char *copy = text->data ? strndup((const char *)text->data, text->size) : NULL;
    gnutls_free(text->data);
    return copy;
}

static int export_certificate(gnutls_x509_crt_t crt, char **pem)
{
    gnutls_datum_t text = {0};
    int rc = gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_PEM, &text);
    if (rc)
        return rc;
    *pem = take_text(&text);
    return *pem ? 0 : GNUTLS_E_MEMORY_ERROR;
}

static int export_key(gnutls_x509_privkey_t key, char **pem)
{
    gnutls_datum_t text = {0};
    int rc = gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &text);
    if (rc)
        return rc;
    *pem = take_text(&text);
    return *pem ? 0 : GNUTLS_E_MEMORY_ERROR;
}

static int make_client(kube__api_tls *tls)
{
    gnutls_x509_crt_t crt = NULL;
    gnutls_x509_privkey_t key = NULL;
    int rc = make_key(&key);
    if (!rc)
        rc = make_certificate(&crt, key, "cert", "system:masters");
    if (!rc)
        rc = sign_for(tls, crt, GNUTLS_KP_TLS_WWW_CLIENT);
    if (!rc)
        rc = export_certificate(crt, &tls->client_pem);
    if (!rc)
        rc = export_key(key, &tls->client_key_pem);
    free_pair(crt, key);
    return rc;
}

static int show_certificate(gnutls_session_t session, const gnutls_datum_t *ca_names,
                            int ca_name_count, const gnutls_pk_algorithm_t *algorithms,
                            int algorithm_count, gnutls_pcert_st **certificates,
                            unsigned *certificate_count, gnutls_privkey_t *key)
{
    const kube__api_tls *tls = gnutls_session_get_ptr(session);
    (void)ca_names, (void)ca_name_count, (void)algorithms, (void)algorithm_count;
    *certificates = &tls->serving->certificate;
    *certificate_count = 1;
    *key = tls->serving->key;
    return 0;
}

static int make_credentials(kube__api_tls *tls)
{
    int rc = gnutls_certificate_allocate_credentials(&tls->credentials);
    if (!rc)
        gnutls_certificate_set_retrieve_function2(tls->credentials, show_certificate);
    if (!rc && gnutls_certificate_set_x509_trust(tls->credentials, &tls->ca, 1) < 1)
        rc = GNUTLS_E_MEMORY_ERROR;
    return rc;
}

kube_code kube__api_tls_new(kube__api_tls **out, kube_error *err)
{
    kube__api_tls *tls = calloc(1, sizeof *tls);
    int rc = tls ? make_ca(tls) : GNUTLS_E_MEMORY_ERROR;
    kube_code code;
    *out = NULL;
    if (!rc)
        rc = export_certificate(tls->ca, &tls->ca_pem);
    if (!rc)
        rc = make_client(tls);
    if (!rc)
        rc = make_credentials(tls);
    code = rc ? failed(err, "make certificates", rc) : kube__api_tls_renew(tls, err);
    if (code)
        kube__api_tls_free(tls);
    else
        *out = tls;
    return code;
}

void kube__api_tls_free(kube__api_tls *tls)
{
    if (!tls)
        return;
    if (tls->credentials)
        gnutls_certificate_free_credentials(tls->credentials);
    while (tls->serving) {
        serving *s = tls->serving;
        tls->serving = s->older;
        serving_free(s);
    }
    free_pair(tls->ca, tls->ca_key);
    free(tls->ca_pem);
    free(tls->client_pem);
    free(tls->client_key_pem);
    free(tls);
}

const char *kube__api_tls_ca(const kube__api_tls *tls)
{
    return tls->ca_pem;
}

const char *kube__api_tls_client_certificate(const kube__api_tls *tls)
{
    return tls->client_pem;
}

const char *kube__api_tls_client_key(const kube__api_tls *tls)
{
    return tls->client_key_pem;
}

/* ---- serving -------------------------------------------------------------------------------- */

kube__api_secure *kube__api_secure_new(kube__api_tls *tls, int socket_fd)
{
    kube__api_secure *secure = calloc(1, sizeof *secure);
    if (!secure)
        return NULL;
    if (gnutls_init(&secure->session, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL)) {
        free(secure);
        return NULL;
    }
    gnutls_session_set_ptr(secure->session, tls);
    gnutls_transport_set_int(secure->session, socket_fd);
    gnutls_certificate_server_set_request(secure->session, GNUTLS_CERT_REQUEST);
    if (gnutls_set_default_priority(secure->session) ||
        gnutls_credentials_set(secure->session, GNUTLS_CRD_CERTIFICATE, tls->credentials)) {
        kube__api_secure_free(secure);
        return NULL;
    }
    return secure;
}

void kube__api_secure_free(kube__api_secure *secure)
{
    if (!secure)
        return;
    gnutls_deinit(secure->session);
    free(secure);
}

/* What a call that did not succeed waits for. */
static int waits_for(kube__api_secure *secure, long rc)
{
    if (gnutls_error_is_fatal((int)rc))
        return KUBE__SECURE_BROKEN;
    return gnutls_record_get_direction(secure->session) ? KUBE__SECURE_WRITES : KUBE__SECURE_READS;
}

int kube__api_secure_shake(kube__api_secure *secure)
{
    int rc;
    do
        rc = gnutls_handshake(secure->session);
    while (rc < 0 && rc != GNUTLS_E_AGAIN && !gnutls_error_is_fatal(rc));
    return rc < 0 ? waits_for(secure, rc) : 0;
}

long kube__api_secure_read(kube__api_secure *secure, char *out, size_t size)
{
    ssize_t rc;
    do
        rc = gnutls_record_recv(secure->session, out, size);
    while (rc == GNUTLS_E_INTERRUPTED || rc == GNUTLS_E_WARNING_ALERT_RECEIVED);
    if (rc == GNUTLS_E_PREMATURE_TERMINATION)
        return 0;
    /* Who wants to negotiate anew does not get that. */
    if (rc == GNUTLS_E_REHANDSHAKE)
        return KUBE__SECURE_BROKEN;
    return rc < 0 ? waits_for(secure, rc) : rc;
}

long kube__api_secure_write(kube__api_secure *secure, const char *data, size_t len)
{
    ssize_t rc;
    do
        rc = gnutls_record_send(secure->session, data, len);
    while (rc == GNUTLS_E_INTERRUPTED);
    return rc < 0 ? waits_for(secure, rc) : rc;
}

void kube__api_secure_end(kube__api_secure *secure)
{
    gnutls_bye(secure->session, GNUTLS_SHUT_WR);
}

/* ---- the other end -------------------------------------------------------------------------- */

/* The nth value of a part of the subject. Returns NULL if it has fewer. */
static const char *subject_part(kube_ctx *ctx, gnutls_x509_crt_t crt, const char *oid, unsigned nth)
{
    char text[512];
    size_t size = sizeof text;
    if (gnutls_x509_crt_get_dn_by_oid(crt, oid, nth, 0, text, &size))
        return NULL;
    return kube_ctx_strndup(ctx, text, size);
}

enum { MAX_ORGANIZATIONS = 32 };

static void read_subject(kube_ctx *ctx, gnutls_x509_crt_t crt, kube__api_peer *peer)
{
    const char **organizations =
        kube_ctx_alloc_array(ctx, MAX_ORGANIZATIONS + 1, sizeof *organizations);
    const char *text;
    unsigned count = 0;
    if (!organizations)
        return;
    while (count < MAX_ORGANIZATIONS &&
           (text = subject_part(ctx, crt, GNUTLS_OID_X520_ORGANIZATION_NAME, count)))
        organizations[count++] = text;
    peer->organizations = organizations;
    peer->common_name = subject_part(ctx, crt, GNUTLS_OID_X520_COMMON_NAME, 0);
}

static void read_fingerprint(kube_ctx *ctx, const gnutls_datum_t *certificate, kube__api_peer *peer)
{
    char text[KUBE__SHA256_TEXT];
    kube__sha256_text(certificate->data, certificate->size, false, text);
    peer->fingerprint = kube_ctx_strdup(ctx, text);
}

void kube__api_secure_peer(kube_ctx *ctx, kube__api_secure *secure, kube__api_peer *peer)
{
    gnutls_session_t s = secure->session;
    unsigned count = 0;
    unsigned status = 0;
    gnutls_x509_crt_t crt = NULL;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(s, &count);
    *peer = (kube__api_peer){0};
    if (!chain || !count)
        return;
    peer->refused = true;
    if (gnutls_certificate_verify_peers3(s, NULL, &status) || status)
        return;
    if (!gnutls_x509_crt_init(&crt) &&
        !gnutls_x509_crt_import(crt, &chain[0], GNUTLS_X509_FMT_DER)) {
        read_subject(ctx, crt, peer);
        read_fingerprint(ctx, &chain[0], peer);
        peer->refused = !peer->common_name;
    }
    free_pair(crt, NULL);
}
