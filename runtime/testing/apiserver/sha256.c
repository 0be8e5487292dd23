/* SPDX-License-Identifier: Apache-2.0 */
#include "sha256.h"

#include <stdint.h>
#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

typedef struct hash {
    uint32_t state[8];
    unsigned char block[64];
    size_t filled;
    uint64_t total; /* bytes */
} hash;

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void digest_block(hash *h)
{
    uint32_t w[64];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)h->block[4 * i] << 24 | (uint32_t)h->block[4 * i + 1] << 16 |
               (uint32_t)h->block[4 * i + 2] << 8 | h->block[4 * i + 3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = w[i - 15];
        uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    uint32_t s[8];
    memcpy(s, h->state, sizeof s);
    for (size_t i = 0; i < 64; i++) {
        uint32_t e = s[4];
        uint32_t a = s[0];
        uint32_t one = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & s[5]) ^ (~e & s[6])) + round_constants[i] + w[i];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                       ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (size_t i = 0; i < 8; i++)
        h->state[i] += s[i];
    h->filled = 0;
}

static void begin(hash *h)
{
    *h = (hash){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                          0x1f83d9ab, 0x5be0cd19}};
}

static void add(hash *h, const void *data, size_t len)
{
    const unsigned char *bytes = data;
    h->total += len;
    for (size_t i = 0; i < len; i++) {
        h->block[h->filled++] = bytes[i];
        if (h->filled == sizeof h->block)
            digest_block(h);
    }
}

static void end(hash *h, unsigned char out[32])
{
    uint64_t bits = h->total * 8;
    add(h, "\x80", 1);
    while (h->filled != 56)
        add(h, "", 1);
    unsigned char length[8];
    for (size_t i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    add(h, length, sizeof length);
    for (size_t i = 0; i < 32; i++)
        out[i] = (unsigned char)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

void kube__sha256(const void *data, size_t len, unsigned char out[32])
{
    hash h;
    begin(&h);
    add(&h, data, len);
    end(&h, out);
}

void kube__sha256_hmac(const void *key, size_t key_len, const void *data, size_t len,
                       unsigned char out[32])
{
    unsigned char inner[64] = {0};
    unsigned char outer[64] = {0};
    memcpy(inner, key, key_len);
    memcpy(outer, key, key_len);
    for (size_t i = 0; i < sizeof inner; i++) {
        inner[i] ^= 0x36;
        outer[i] ^= 0x5c;
    }
    hash h;
    begin(&h);
    add(&h, inner, sizeof inner);
    add(&h, data, len);
    end(&h, out);
    begin(&h);
    add(&h, outer, sizeof outer);
    add(&h, out, 32);
    end(&h, out);
}
