/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A certificate authority of this server's own, the certificate it serves, and one for a client.
 * Threads: new and free apart, the thread that serves.
 */
#ifndef KUBE_APISERVER_TLS_H
#define KUBE_APISERVER_TLS_H

#include "dispatch.h"

KUBE__CHECKED kube_code kube__api_tls_new(kube__api_tls **out, kube_error *err);
/* NULL is allowed. */
void kube__api_tls_free(kube__api_tls *tls);
/* PEM texts: the CA, and the certificate of a client of group system:masters with its key. */
const char *kube__api_tls_ca(const kube__api_tls *tls);
const char *kube__api_tls_client_certificate(const kube__api_tls *tls);
const char *kube__api_tls_client_key(const kube__api_tls *tls);

/* Makes @tls the one whose certificate this thread's handshakes show. */
void kube__api_tls_enter(kube__api_tls *tls);
/* What MHD_OPTION_HTTPS_CERT_CALLBACK takes. */
void *kube__api_tls_callback(void);
/* Serves another certificate from now on. The old one stays when that fails. */
KUBE__CHECKED kube_code kube__api_tls_renew(kube__api_tls *tls, kube_error *err);
/* Who is at the other end of a session (a gnutls_session_t); @peer's texts are in the ctx. */
void kube__api_tls_peer(kube_ctx *ctx, void *session, kube__api_peer *peer);

#endif /* KUBE_APISERVER_TLS_H */
