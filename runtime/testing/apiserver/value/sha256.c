/* SPDX-License-Identifier: Apache-2.0 */
#include "sha256.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <string.h>

/* Neither fails but for a want of memory; the hash of nothing is then as good as any in a test. */
void kube__sha256(const void *data, size_t len, unsigned char out[32])
{
    if (gnutls_hash_fast(GNUTLS_DIG_SHA256, data, len, out) != 0)
        memset(out, 0, 32);
}

void kube__sha256_text(const void *data, size_t len, bool upper, char out[KUBE__SHA256_TEXT])
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned char sum[32];
    kube__sha256(data, len, sum);
    for (size_t i = 0; i < sizeof sum; i++) {
        out[2 * i] = digits[sum[i] >> 4];
        out[2 * i + 1] = digits[sum[i] & 15];
    }
    out[2 * sizeof sum] = '\0';
}

void kube__sha256_hmac(const void *key, size_t key_len, const void *data, size_t len,
                       unsigned char out[32])
{
    if (gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key_len, data, len, out) != 0)
        memset(out, 0, 32);
}
