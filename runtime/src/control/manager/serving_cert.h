/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate that a server of the manager shows, read again when its files change. Only this
 * file and metrics_access.c, for a digest, use GnuTLS, which libmicrohttpd has for its TLS. */
#ifndef KUBE_CONTROL_SERVING_CERT_H
#define KUBE_CONTROL_SERVING_CERT_H

#include <kube/clock.h>
#include <kube/error.h>

typedef struct kube__serving_cert kube__serving_cert;

/*
 * Of two files in PEM, the certificate with those of its authorities behind it. Every 10 s at most
 * a new connection has them read again; until they can be read and fit together, the ones before
 * are shown, and the log says why. @dir NULL: self-signed, for localhost, made now.
 */
KUBE__CHECKED kube_code kube__serving_cert_new(const char *dir, const char *cert_name,
                                               const char *key_name, kube_clock *clock,
                                               kube__serving_cert **out, kube_error *err);
/* NULL allowed. */
void kube__serving_cert_free(kube__serving_cert *cert);
/* Has a gnutls_session_t show it, if the server's gnutls_certificate_retrieve_function3 is that of
 * kube__serving_cert_callback(). */
void kube__serving_cert_use(kube__serving_cert *cert, void *session);
void *kube__serving_cert_callback(void);

#endif /* KUBE_CONTROL_SERVING_CERT_H */
