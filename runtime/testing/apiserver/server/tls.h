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

/* Serves another certificate from now on. The old one stays when that fails. */
KUBE__CHECKED kube_code kube__api_tls_renew(kube__api_tls *tls, kube_error *err);
/* A connection's side of TLS, on a socket that does not block. */
typedef struct kube__api_secure kube__api_secure;

/* What the three below return for nothing now: the socket must be readable, or writable. */
enum { KUBE__SECURE_READS = -1, KUBE__SECURE_WRITES = -2, KUBE__SECURE_BROKEN = -3 };

/* Returns NULL if out of memory. @tls outlives it. */
kube__api_secure *kube__api_secure_new(kube__api_tls *tls, int socket_fd);
/* NULL is allowed. The socket stays open. */
void kube__api_secure_free(kube__api_secure *secure);
/* 0 once the other end has shaken hands. */
int kube__api_secure_shake(kube__api_secure *secure);
/* Bytes, 0 = the other end closed its side. */
long kube__api_secure_read(kube__api_secure *secure, char *out, size_t size);
/* Bytes. What could not be sent must be sent next. */
long kube__api_secure_write(kube__api_secure *secure, const char *data, size_t len);
/* Tells the other end that nothing follows, if that can be done at once. */
void kube__api_secure_end(kube__api_secure *secure);
/* Who is at the other end; @peer's texts are in the ctx. */
void kube__api_secure_peer(kube_ctx *ctx, kube__api_secure *secure, kube__api_peer *peer);

#endif /* KUBE_APISERVER_TLS_H */
