/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include "utf8.h"

#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Made by the first who needs it and kept: a locale costs more than the number. */
static locale_t c_locale(void)
{
    static _Atomic(locale_t) kept;
    locale_t mine = atomic_load(&kept);
    locale_t before = (locale_t)0;

    if (mine)
        return mine;
    mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (mine && !atomic_compare_exchange_strong(&kept, &before, mine)) {
        freelocale(mine);
        return before;
    }
    return mine;
}

double kube__text_to_double(const char *text)
{
    locale_t locale = c_locale();
    return locale ? strtod_l(text, NULL, locale) : NAN;
}

#ifdef __SSE2__
/* Each byte is from '0' to '~', or '-'; those beyond ASCII are negative here. */
static bool is_plain_block(__m128i x)
{
    __m128i in_range = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('/')),
                                     _mm_cmplt_epi8(x, _mm_set1_epi8(0x7f)));
    __m128i plain = _mm_or_si128(in_range, _mm_cmpeq_epi8(x, _mm_set1_epi8('-')));
    return _mm_movemask_epi8(plain) == 0xffff;
}

/* Of at least eight bytes. */
static bool is_plain_text(const char *name, size_t len)
{
    const char *end = name + len;
    if (len < 16)
        return is_plain_block(
            _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)name),
                               _mm_loadl_epi64((const __m128i *)(const void *)(end - 8))));
    for (; end - name > 16; name += 16) {
        if (!is_plain_block(_mm_loadu_si128((const __m128i *)(const void *)name)))
            return false;
    }
    return is_plain_block(_mm_loadu_si128((const __m128i *)(const void *)(end - 16)));
}
#else
/* Eight bytes at a time: each is from '0' to '~', or '-'. */
static bool is_plain_word(const char *at)
{
    const uint64_t ones = UINT64_MAX / 0xff;
    uint64_t word;
    uint64_t dashes;
    uint64_t low;
    memcpy(&word, at, sizeof word);
    dashes = word ^ ones * '-';
    dashes = (dashes - ones) & ~dashes;
    low = ~(word + ones * 0x50); /* below '0' */
    return !(((low & ~dashes) | word | (word + ones)) & ones * 0x80);
}

/* Of at least eight bytes. */
static bool is_plain_text(const char *name, size_t len)
{
    const char *last = name + len - sizeof(uint64_t);
    for (; name < last; name += sizeof(uint64_t)) {
        if (!is_plain_word(name))
            return false;
    }
    return is_plain_word(last);
}
#endif

/* Most names are plain, and each object that is decoded comes by here. */
static bool is_plain(const char *name, size_t len)
{
    char both[8]; /* ends of a short one: they overlap */
    if (len >= sizeof both)
        return is_plain_text(name, len);
    if (len >= 4) {
        memcpy(both, name, 4);
        memcpy(both + 4, name + len - 4, 4);
        return is_plain_text(both, sizeof both);
    }
    while ((*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9') || *name == '-')
        name++;
    return len && !*name;
}

/* Go's path.IsValidPathSegmentName(), and no control characters. U+0000 is kept as C0 80. */
const char *kube__name_flaw(const char *name)
{
    if (is_plain(name, strlen(name)))
        return NULL;
    if (!*name)
        return "is empty";
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return "is \".\" or \"..\"";
    while (*name) {
        size_t len = kube__utf8_len(name, 4);
        if (*name == '/' || *name == '%')
            return "holds \"/\" or \"%\"";
        if ((unsigned char)*name < ' ' || *name == 0x7f || len == 0)
            return "holds a control character or bad UTF-8";
        name += len;
    }
    return NULL;
}

int kube__text_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Length of the host in "host:port", brackets included. */
static size_t host_len(const char *address)
{
    size_t len = *address == '[' ? strcspn(address, "]") : strcspn(address, ":");
    return address[len] == ']' ? len + 1 : len;
}

bool kube__host_is_ours(const char *host, const char *address)
{
    const char *const names[] = {"localhost", "127.0.0.1", "[::1]", address};
    size_t len = host_len(host);
    if (host[len] && host[len] != ':')
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (host_len(names[i]) == len && strncasecmp(host, names[i], len) == 0)
            return true;
    }
    return false;
}
