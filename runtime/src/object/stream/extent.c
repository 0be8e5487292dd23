/* SPDX-License-Identifier: Apache-2.0 */
#include "extent.h"

#include "base/ascii.h"

#include <stddef.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* One bit a byte of a 64-byte block. */
typedef struct block_masks {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opens;
    uint64_t closes;
} block_masks;

#ifdef __SSE2__
static uint64_t equal_mask(__m128i bytes, char wanted)
{
    return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted)));
}

static block_masks read_block(const char *p)
{
    block_masks masks = {0, 0, 0, 0};
    for (int i = 0; i < 64; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        /* '[' and '{', ']' and '}' differ by the bit that makes letters lower-case. */
        __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        masks.quotes |= equal_mask(bytes, '"') << i;
        masks.backslashes |= equal_mask(bytes, '\\') << i;
        masks.opens |= equal_mask(lower, '{') << i;
        masks.closes |= equal_mask(lower, '}') << i;
    }
    return masks;
}
#else
static const uint64_t ones = UINT64_C(0x0101010101010101);

/* The bytes of @word that are @wanted, as 8 bits. */
static uint64_t equal_mask(uint64_t word, char wanted)
{
    const uint64_t low = ones * 0x7f;
    uint64_t other = word ^ ones * (unsigned char)wanted;
    uint64_t high_bits = ~(((other & low) + low) | other | low);
    return (high_bits >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static block_masks read_block(const char *p)
{
    block_masks masks = {0, 0, 0, 0};
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        masks.quotes |= equal_mask(word, '"') << i;
        masks.backslashes |= equal_mask(word, '\\') << i;
        masks.opens |= equal_mask(word | ones * 0x20, '{') << i;
        masks.closes |= equal_mask(word | ones * 0x20, '}') << i;
    }
    return masks;
}
#endif

/* Bytes behind an odd run of backslashes; *@carry says so of the byte before and after. */
static uint64_t escaped_bytes(uint64_t backslashes, uint64_t *carry)
{
    if (!backslashes) {
        uint64_t escaped = *carry;
        *carry = 0;
        return escaped;
    }
    const uint64_t even = UINT64_C(0x5555555555555555);
    backslashes &= ~*carry;
    uint64_t follows = backslashes << 1 | *carry;
    /* Adding a run to its start carries to the byte behind it: even starts end on odd bits when
     * the run's length is odd, and the other way round. */
    uint64_t odd_starts = backslashes & ~even & ~follows;
    uint64_t sum;
    *carry = __builtin_add_overflow(odd_starts, backslashes, &sum);
    return (even ^ sum << 1) & follows;
}

/* Each bit becomes the parity of those up to it: bytes between quotes are set. */
static uint64_t prefix_parity(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* The offset behind the bracket in this block that closes the value, 0 when none does. */
static size_t close_in_block(int64_t *depth, uint64_t opens, uint64_t closes)
{
    for (uint64_t both = opens | closes; both; both &= both - 1) {
        uint64_t bit = both & (0 - both);
        if (opens & bit)
            ++*depth;
        else if (--*depth <= 0)
            return (size_t)__builtin_ctzll(bit) + 1;
    }
    return 0;
}

/* Inside a container: 64 bytes. Returns as close_in_block(). */
static size_t step_block(kube__extent *extent, const char *p)
{
    block_masks masks = read_block(p);
    uint64_t escaped = escaped_bytes(masks.backslashes, &extent->escaped);
    uint64_t inside = prefix_parity(masks.quotes & ~escaped) ^ extent->in_string;
    extent->in_string = inside >> 63 ? ~UINT64_C(0) : 0;
    uint64_t opens = masks.opens & ~inside & ~escaped;
    uint64_t closes = masks.closes & ~inside & ~escaped;
    return opens | closes ? close_in_block(&extent->depth, opens, closes) : 0;
}

/* Inside a container or string: one byte. Whether the value ends behind it. */
static bool step_byte(kube__extent *extent, char c)
{
    if (extent->escaped) {
        extent->escaped = 0;
        return false;
    }
    if (c == '\\') {
        extent->escaped = 1; /* outside strings too, as in blocks: such text is broken anyway */
        return false;
    }
    if (c == '"') {
        extent->in_string = ~extent->in_string;
        return !extent->in_string && extent->depth == 0;
    }
    if (extent->in_string)
        return false;
    if (c == '{' || c == '[')
        extent->depth++;
    else if (c == '}' || c == ']')
        return --extent->depth <= 0;
    return false;
}

static const char *scalar_end(const char *p, const char *end)
{
    while (p < end && !kube__is_blank(*p) && !strchr(",:]}[{\"", *p))
        p++;
    return p < end ? p : NULL;
}

const char *kube__extent_find(kube__extent *extent, const char *p, const char *end)
{
    if (!extent->started) {
        while (p < end && kube__is_blank(*p))
            p++;
        if (p == end)
            return NULL;
        extent->started = true;
        extent->scalar = *p != '{' && *p != '[' && *p != '"';
    }
    if (extent->scalar)
        return scalar_end(p, end);
    while (p < end) {
        if (end - p >= 64 && extent->depth > 0) {
            size_t closed = step_block(extent, p);
            if (closed)
                return p + closed;
            p += 64;
        } else if (step_byte(extent, *p++)) {
            return p;
        }
    }
    return NULL;
}
