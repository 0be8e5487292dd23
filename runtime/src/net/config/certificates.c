/* SPDX-License-Identifier: Apache-2.0 */
#include "certificates.h"

#include "base/memory.h"
#include "file.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

enum { MAX_PEM_BYTES = 4 << 20 };

/* A PEM's text, wherever it comes from. */
typedef struct source {
    char *read; /* freed when it came from a file */
    size_t read_len;
    BIO *bio;
    const char *label; /* for messages */
} source;

static void source_close(source *from)
{
    BIO_free(from->bio);
    kube__file_free(from->read, from->read_len);
    /* Errors of ours must not turn up in somebody else's queue. */
    ERR_clear_error();
}

static kube_code source_open(const kube__pem *pem, const char *label, source *from, kube_error *err)
{
    const char *text = pem->data;
    size_t len = pem->data_len;
    kube_code rc = KUBE_OK;
    *from = (source){.label = pem->file ? pem->file : pem->data_name ? pem->data_name : label};
    if (pem->file) {
        rc = kube__file_read(pem->file, MAX_PEM_BYTES, &from->read, &from->read_len, NULL, err);
        text = from->read;
        len = from->read_len;
    }
    if (rc)
        return rc;
    from->bio = len <= INT_MAX ? BIO_new_mem_buf(text, (int)len) : NULL;
    if (!from->bio) {
        kube__file_free(from->read, from->read_len);
        return kube__no_memory(err, "certificates");
    }
    return KUBE_OK;
}

/* A key with a pass phrase cannot be used: nobody could be asked for it. */
static int no_pass_phrase(char *text, int size, int writing, void *arg)
{
    (void)text;
    (void)size;
    (void)writing;
    (void)arg;
    return -1;
}

kube_code kube__certificates_check_ca(const kube__pem *ca, const char *what, kube_error *err)
{
    source from;
    X509 *certificate;
    size_t count = 0;
    unsigned long problem;
    kube_code rc = source_open(ca, "certificate-authority-data", &from, err);
    if (rc) {
        kube_error_prefix(err, "%s", what);
        return rc;
    }
    while ((certificate = PEM_read_bio_X509(from.bio, NULL, no_pass_phrase, NULL))) {
        X509_free(certificate);
        count++;
    }
    problem = ERR_peek_last_error();
    if (count == 0)
        rc = kube_error_set(err, KUBE_ERR_CONFIG, "%s: %s holds no PEM certificate", what,
                            from.label);
    else if (ERR_GET_LIB(problem) != ERR_LIB_PEM || ERR_GET_REASON(problem) != PEM_R_NO_START_LINE)
        rc = kube_error_set(err, KUBE_ERR_CONFIG, "%s: certificate %zu in %s is damaged", what,
                            count + 1, from.label);
    source_close(&from);
    return rc;
}

kube_code kube__certificates_check_pair(const kube__pem *certificate, const kube__pem *key,
                                        const char *what, kube_error *err)
{
    source from;
    X509 *x509 = NULL;
    EVP_PKEY *private_key = NULL;
    kube_code rc = source_open(certificate, "client-certificate-data", &from, err);
    if (rc) {
        goto out;
    }
    x509 = PEM_read_bio_X509(from.bio, NULL, no_pass_phrase, NULL);
    if (!x509)
        rc = kube_error_set(err, KUBE_ERR_CONFIG, "%s holds no PEM certificate", from.label);
    source_close(&from);
    if (rc) {
        goto out;
    }
    rc = source_open(key, "client-key-data", &from, err);
    if (rc) {
        goto out;
    }
    private_key = PEM_read_bio_PrivateKey(from.bio, NULL, no_pass_phrase, NULL);
    if (!private_key)
        rc = kube_error_set(err, KUBE_ERR_CONFIG,
                            "%s holds no PEM private key, or one with a pass phrase", from.label);
    else if (X509_check_private_key(x509, private_key) != 1)
        rc = kube_error_set(err, KUBE_ERR_CONFIG,
                            "the client certificate and the key in %s do not belong together",
                            from.label);
    source_close(&from);
out:
    if (rc)
        kube_error_prefix(err, "%s", what);
    X509_free(x509);
    EVP_PKEY_free(private_key);
    return rc;
}

/* Whether the certificate names a host or an address as Go wants it, beside its common name. */
static bool has_names(X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool found = false;
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        int type = sk_GENERAL_NAME_value(names, i)->type;
        found |= type == GEN_DNS || type == GEN_IPADD;
    }
    GENERAL_NAMES_free(names);
    return found;
}

/* CFG-2. Whose name it is, curl looks at later: where there is none, it takes the common name. */
static int on_certificate(int good, X509_STORE_CTX *chain)
{
    if (!good || X509_STORE_CTX_get_error_depth(chain) != 0 ||
        has_names(X509_STORE_CTX_get_current_cert(chain)))
        return good;
    X509_STORE_CTX_set_error(chain, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
}

void kube__certificates_require_names(void *ssl)
{
    SSL_CTX_set_verify(ssl, SSL_CTX_get_verify_mode(ssl), on_certificate);
}

bool kube__certificates_lacks_names(const char *text)
{
    return strcmp(text, X509_verify_cert_error_string(X509_V_ERR_APPLICATION_VERIFICATION)) == 0;
}

void kube__certificates_end_thread(void)
{
    OPENSSL_thread_stop();
}
