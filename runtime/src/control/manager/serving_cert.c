/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each handshake gets a copy of its own, so that no session keeps an old certificate alive.
 */
#include "serving_cert.h"

#include "base/memory.h"
#include "base/thread.h"
#include "base/units.h"
#include "net/config/file.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <kube/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FILE_MAX = 1 << 20,
    CHAIN_MAX = 16,
    LOOK_SECONDS = 10,
    SELF_SIGNED_DAYS = 3650,
    SERIAL_LEN = 16,
};

/* Both in PEM. */
typedef struct pair {
    gnutls_datum_t cert;
    gnutls_datum_t key;
} pair;

struct kube__serving_cert {
    char *cert_path; /* NULL = self-signed */
    char *key_path;
    kube_clock *clock;
    kube__mutex mutex; /* of the rest */
    pair shown;
    int64_t look_ns; /* when the files are to be read again */
    kube_error told; /* why that failed, as the log has it */
};

static void free_pair(pair *p)
{
    kube__file_free((char *)p->cert.data, p->cert.size);
    kube__file_free((char *)p->key.data, p->key.size);
    *p = (pair){{0}, {0}};
}

static kube_code fail(kube_error *err, const char *what, int status)
{
    return kube_error_set(err,
                          status == GNUTLS_E_MEMORY_ERROR ? KUBE_ERR_NO_MEMORY : KUBE_ERR_CONFIG,
                          "%s: %s", what, gnutls_strerror(status));
}

/* ---- files ----------------------------------------------------------------------------------- */

static kube_code read_file(const char *path, gnutls_datum_t *out, kube_error *err)
{
    char *text;
    size_t len;
    kube_code rc = kube__file_read(path, FILE_MAX, &text, &len, NULL, err);
    if (!rc)
        *out = (gnutls_datum_t){(unsigned char *)text, (unsigned)len};
    return rc;
}

/* Whether they can be read, and the key is that of the certificate. */
static kube_code check_pair(const kube__serving_cert *c, const pair *p, kube_error *err)
{
    gnutls_certificate_credentials_t credentials;
    int status = gnutls_certificate_allocate_credentials(&credentials);
    if (status < 0)
        return fail(err, c->cert_path, status);
    status =
        gnutls_certificate_set_x509_key_mem(credentials, &p->cert, &p->key, GNUTLS_X509_FMT_PEM);
    gnutls_certificate_free_credentials(credentials);
    if (status >= 0)
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_CONFIG, "%s and %s: %s", c->cert_path, c->key_path,
                          gnutls_strerror(status));
}

static kube_code read_pair(const kube__serving_cert *c, pair *out, kube_error *err)
{
    kube_code rc = read_file(c->cert_path, &out->cert, err);
    if (!rc)
        rc = read_file(c->key_path, &out->key, err);
    if (!rc)
        rc = check_pair(c, out, err);
    if (rc)
        free_pair(out);
    return rc;
}

static bool same(const gnutls_datum_t *a, const gnutls_datum_t *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* The mutex is held. */
static void look_again(kube__serving_cert *c)
{
    int64_t now = c->clock->now_ns(c->clock);
    kube_error err = {0};
    pair found = {{0}, {0}};
    if (!c->cert_path || now < c->look_ns)
        return;
    c->look_ns = now + LOOK_SECONDS * KUBE__NS_PER_S;
    if (read_pair(c, &found, &err)) {
        if (strcmp(err.message, c->told.message) != 0)
            kube_log_error("the certificate before is still shown: %s", err.message);
    } else if (same(&found.cert, &c->shown.cert) && same(&found.key, &c->shown.key)) {
        free_pair(&found);
    } else {
        free_pair(&c->shown);
        c->shown = found;
        kube_log_info("%s has changed and is shown from now on", c->cert_path);
    }
    c->told = err;
}

/* ---- self-signed ----------------------------------------------------------------------------- */

static int fill(gnutls_x509_crt_t cert, gnutls_x509_privkey_t key)
{
    static const char name[] = "localhost";
    static const unsigned char loopback[] = {127, 0, 0, 1};
    unsigned char serial[SERIAL_LEN];
    time_t now = time(NULL);
    int status;
    status = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);
    serial[0] =
        (unsigned char)((serial[0] & 0x7f) | 1); /* a positive number without a zero first */
    if (status >= 0)
        status = gnutls_x509_crt_set_version(cert, 3);
    if (status >= 0)
        status = gnutls_x509_crt_set_serial(cert, serial, sizeof serial);
    if (status >= 0)
        status = gnutls_x509_crt_set_activation_time(cert, now - KUBE__S_PER_HOUR);
    if (status >= 0)
        status =
            gnutls_x509_crt_set_expiration_time(cert, now + SELF_SIGNED_DAYS * KUBE__S_PER_DAY);
    if (status >= 0)
        status = gnutls_x509_crt_set_dn_by_oid(cert, GNUTLS_OID_X520_COMMON_NAME, 0, name,
                                               sizeof name - 1);
    if (status >= 0)
        status = gnutls_x509_crt_set_subject_alt_name(cert, GNUTLS_SAN_DNSNAME, name,
                                                      sizeof name - 1, GNUTLS_FSAN_SET);
    if (status >= 0)
        status = gnutls_x509_crt_set_subject_alt_name(cert, GNUTLS_SAN_IPADDRESS, loopback,
                                                      sizeof loopback, GNUTLS_FSAN_APPEND);
    if (status >= 0)
        status = gnutls_x509_crt_set_key_purpose_oid(cert, GNUTLS_KP_TLS_WWW_SERVER, 0);
    if (status >= 0)
        status = gnutls_x509_crt_set_key(cert, key);
    return status < 0 ? status : gnutls_x509_crt_sign2(cert, cert, key, GNUTLS_DIG_SHA256, 0);
}

/* kube__file_free() frees by free(), which need not be what GnuTLS has allocated with. */
static int take(gnutls_datum_t *out, gnutls_datum_t *from, int status)
{
    if (status < 0)
        return status;
    out->data = malloc(from->size);
    if (out->data)
        memcpy(out->data, from->data, from->size);
    out->size = out->data ? from->size : 0;
    kube__wipe(from->data, from->size);
    gnutls_free(from->data);
    return out->data ? 0 : GNUTLS_E_MEMORY_ERROR;
}

static kube_code make_pair(pair *out, kube_error *err)
{
    gnutls_x509_crt_t cert = NULL;
    gnutls_x509_privkey_t key = NULL;
    gnutls_datum_t pem;
    int status = gnutls_x509_crt_init(&cert);
    if (status >= 0)
        status = gnutls_x509_privkey_init(&key);
    if (status >= 0)
        status = gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
                                              GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
    if (status >= 0)
        status = fill(cert, key);
    if (status >= 0)
        status = take(&out->cert, &pem, gnutls_x509_crt_export2(cert, GNUTLS_X509_FMT_PEM, &pem));
    if (status >= 0)
        status = take(&out->key, &pem, gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &pem));
    gnutls_x509_crt_deinit(cert);
    gnutls_x509_privkey_deinit(key);
    return status < 0 ? fail(err, "a self-signed certificate", status) : KUBE_OK;
}

/* ---- life ------------------------------------------------------------------------------------ */

static kube_code init(kube__serving_cert *c, const char *dir, const char *cert_name,
                      const char *key_name, kube_error *err)
{
    if (!dir)
        return make_pair(&c->shown, err);
    if (asprintf(&c->cert_path, "%s/%s", dir, cert_name) < 0)
        c->cert_path = NULL;
    if (asprintf(&c->key_path, "%s/%s", dir, key_name) < 0)
        c->key_path = NULL;
    if (!c->cert_path || !c->key_path)
        return kube__no_memory(err, "%s", dir);
    c->look_ns = c->clock->now_ns(c->clock) + LOOK_SECONDS * KUBE__NS_PER_S;
    return read_pair(c, &c->shown, err);
}

kube_code kube__serving_cert_new(const char *dir, const char *cert_name, const char *key_name,
                                 kube_clock *clock, kube__serving_cert **out, kube_error *err)
{
    kube__serving_cert *c = calloc(1, sizeof *c);
    kube_code rc;
    *out = NULL;
    if (!c || kube__mutex_init(&c->mutex, NULL)) {
        free(c);
        return kube__no_memory(err, "a certificate");
    }
    c->clock = clock;
    rc = init(c, dir, cert_name, key_name, err);
    if (rc) {
        kube__serving_cert_free(c);
        return rc;
    }
    *out = c;
    return KUBE_OK;
}

void kube__serving_cert_free(kube__serving_cert *c)
{
    if (!c)
        return;
    free_pair(&c->shown);
    free(c->cert_path);
    free(c->key_path);
    kube__mutex_fini(&c->mutex);
    free(c);
}

/* ---- handshakes ------------------------------------------------------------------------------ */

void kube__serving_cert_use(kube__serving_cert *c, void *session)
{
    gnutls_session_set_ptr(session, c);
}

static int copy_key(const gnutls_datum_t *pem, gnutls_privkey_t *key)
{
    int status = gnutls_privkey_init(key);
    if (status < 0)
        return status;
    status = gnutls_privkey_import_x509_raw(*key, pem, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (status < 0)
        gnutls_privkey_deinit(*key);
    return status;
}

static int copy_chain(const gnutls_datum_t *pem, gnutls_pcert_st **chain, unsigned *len)
{
    int status;
    *chain = gnutls_calloc(CHAIN_MAX, sizeof **chain);
    *len = CHAIN_MAX;
    status = *chain ? gnutls_pcert_list_import_x509_raw(*chain, len, pem, GNUTLS_X509_FMT_PEM, 0)
                    : GNUTLS_E_MEMORY_ERROR;
    if (status < 0)
        gnutls_free(*chain);
    return status;
}

static int give(gnutls_session_t session, const struct gnutls_cert_retr_st *asked,
                gnutls_pcert_st **chain, unsigned *chain_len, gnutls_ocsp_data_st **ocsp,
                unsigned *ocsp_len, gnutls_privkey_t *key, unsigned *flags)
{
    kube__serving_cert *c = gnutls_session_get_ptr(session);
    int status;
    (void)asked;
    kube__lock(&c->mutex);
    look_again(c);
    status = copy_key(&c->shown.key, key);
    if (status >= 0) {
        status = copy_chain(&c->shown.cert, chain, chain_len);
        if (status < 0)
            gnutls_privkey_deinit(*key);
    }
    kube__unlock(&c->mutex);
    *ocsp = NULL;
    *ocsp_len = 0;
    *flags = GNUTLS_CERT_RETR_DEINIT_ALL;
    return status < 0 ? -1 : 0;
}

void *kube__serving_cert_callback(void)
{
    return (void *)(uintptr_t)give;
}
