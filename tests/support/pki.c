/* SPDX-License-Identifier: Apache-2.0 */
#include "pki.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { DAY = 24 * 3600 };

static char *take_text(BIO *bio)
{
    char *data;
    long len = BIO_get_mem_data(bio, &data);
    char *text = strndup(data, (size_t)len);
    MUST(text);
    BIO_free(bio);
    return text;
}

static char *key_text(EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_mem());
    MUST(PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1);
    return take_text(bio);
}

static char *certificate_text(X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());
    MUST(PEM_write_bio_X509(bio, certificate) == 1);
    return take_text(bio);
}

static EVP_PKEY *key_from(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    MUST(key);
    BIO_free(bio);
    return key;
}

static X509 *certificate_from(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    MUST(certificate);
    BIO_free(bio);
    return certificate;
}

static void add_extension(X509 *certificate, int nid, const char *value)
{
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, nid, value);
    MUST(extension && X509_add_ext(certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

static X509 *new_certificate(const char *name, int from_days, int to_days, EVP_PKEY *key)
{
    static long serial = 1;
    X509 *certificate = X509_new();
    MUST(certificate && X509_set_version(certificate, 2) == 1);
    MUST(ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++) == 1);
    MUST(X509_gmtime_adj(X509_getm_notBefore(certificate), (long)from_days * DAY));
    MUST(X509_gmtime_adj(X509_getm_notAfter(certificate), (long)to_days * DAY));
    MUST(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                                    (const unsigned char *)name, -1, -1, 0) == 1);
    MUST(X509_set_pubkey(certificate, key) == 1);
    return certificate;
}

pki_pair pki_ca(const char *name)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = new_certificate(name, -30, 30, key);
    pki_pair pair;
    MUST(X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1);
    add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
    MUST(X509_sign(certificate, key, EVP_sha256()) > 0);
    pair = (pki_pair){certificate_text(certificate), key_text(key)};
    X509_free(certificate);
    EVP_PKEY_free(key);
    return pair;
}

pki_pair pki_issue(const pki_pair *ca, const char *name, const char *san, int days)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    EVP_PKEY *ca_key = key_from(ca->key);
    X509 *issuer = certificate_from(ca->certificate);
    X509 *certificate = new_certificate(name, days < 0 ? days - 1 : -1, days, key);
    pki_pair pair;
    MUST(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1);
    if (san)
        add_extension(certificate, NID_subject_alt_name, san);
    MUST(X509_sign(certificate, ca_key, EVP_sha256()) > 0);
    pair = (pki_pair){certificate_text(certificate), key_text(key)};
    X509_free(certificate);
    X509_free(issuer);
    EVP_PKEY_free(ca_key);
    EVP_PKEY_free(key);
    return pair;
}

void pki_free(pki_pair *pair)
{
    free(pair->certificate);
    free(pair->key);
    *pair = (pki_pair){0};
}
