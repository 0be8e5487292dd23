/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the bytes of a string that need escaping or checking: the quote, the backslash, control
 * characters, and everything beyond ASCII. It uses SSE2 where that exists, otherwise words of eight
 * bytes.
 */
#ifndef KUBE_OBJECT_SCAN_H
#define KUBE_OBJECT_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool kube__scan_is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

#define KUBE__SCAN_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The high bit of each byte that is not plain; of bytes above such a one it may be set too. */
static inline uint64_t kube__scan_word(uint64_t x)
{
    uint64_t quote = x ^ KUBE__SCAN_BYTES(0x22);
    uint64_t backslash = x ^ KUBE__SCAN_BYTES(0x5c);
    uint64_t found = x;
    found |= (x - KUBE__SCAN_BYTES(0x20)) & ~x;
    found |= (quote - KUBE__SCAN_BYTES(1)) & ~quote;
    found |= (backslash - KUBE__SCAN_BYTES(1)) & ~backslash;
    return found & KUBE__SCAN_BYTES(0x80);
}

static inline uint64_t kube__scan_load(const char *s)
{
    uint64_t x;
    memcpy(&x, s, sizeof x);
    return x;
}

#ifdef __SSE2__
enum { KUBE__SCAN_BLOCK = 16 };

#define KUBE__SCAN_HAS_MASK 1

/* A bit for each of the 16 bytes at @s that is not plain. */
static inline unsigned kube__scan_mask(const char *s)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
    /* Signed: both control characters and bytes from 0x80 on are less than a space. */
    __m128i found = _mm_cmplt_epi8(x, _mm_set1_epi8(0x20));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(x, _mm_set1_epi8('"')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
    return (unsigned)_mm_movemask_epi8(found);
}

/* How many of the 16 bytes at @s are plain, up to the first that is not. */
static inline unsigned kube__scan_block(const char *s)
{
    return (unsigned)__builtin_ctz(kube__scan_mask(s) | 0x10000u);
}
#else
enum { KUBE__SCAN_BLOCK = 8 };

/* How many of the 8 bytes at @s are plain, up to the first that is not. */
static inline unsigned kube__scan_block(const char *s)
{
    uint64_t x = kube__scan_load(s);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    uint64_t found = kube__scan_word(x);
    return found ? (unsigned)__builtin_ctzll(found) / 8 : 8;
}
#endif

#endif /* KUBE_OBJECT_SCAN_H */
