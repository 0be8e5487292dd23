/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 and HMAC (FIPS 180-4, RFC 2104): hashes in discovery, signatures of tokens. */
#ifndef KUBE_APISERVER_SHA256_H
#define KUBE_APISERVER_SHA256_H

#include <stdbool.h>
#include <stddef.h>

void kube__sha256(const void *data, size_t len, unsigned char out[32]);
/* The hash as text, in upper or lower case. */
enum { KUBE__SHA256_TEXT = 65 };
void kube__sha256_text(const void *data, size_t len, bool upper, char out[KUBE__SHA256_TEXT]);
void kube__sha256_hmac(const void *key, size_t key_len, const void *data, size_t len,
                       unsigned char out[32]);

#endif /* KUBE_APISERVER_SHA256_H */
