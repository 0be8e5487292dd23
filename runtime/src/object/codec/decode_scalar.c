/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes values that have no elements or members. */
#include "base/units.h"
#include "decode_text.h"
#include "object/block/node.h"
#include "object/json/base64.h"

#include <stdio.h>

kube__lex kube__no_room(kube__decoder *d)
{
    if (!d->builder.too_large)
        return KUBE__LEX_NO_MEMORY;
    return kube__lex_refuse(&d->lexer, d->lexer.p, "object too large in memory");
}

static kube__lex decode_int32(kube__decoder *d, int32_t *out)
{
    const char *start = d->lexer.p;
    int64_t value = 0;
    kube__lex got = kube__lex_int64(&d->lexer, &value);
    if (got)
        return got;
    if (value < INT32_MIN || value > INT32_MAX)
        return kube__lex_refuse(&d->lexer, start, "integer does not fit in 32 bits");
    *out = (int32_t)value;
    return KUBE__LEX_OK;
}

/* Eight characters, the first in the lowest byte. */
static inline uint64_t load_text(const char *p)
{
    uint64_t x = kube__scan_load(p);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/*
 * Reads eight characters that are to look like @pattern, a zero wherever a digit may be. @limits
 * lifts what is too large for its place to 0x80: 0x76 for a digit, 0x7f for any other character.
 * In the result, each byte at which two digits begin is their number; *@bad gets bits when they
 * are none.
 */
static inline uint64_t read_digits(const char *p, const char *pattern, uint64_t limits,
                                   uint64_t *bad)
{
    uint64_t x = load_text(p) ^ load_text(pattern);
    *bad |= ((x + limits) | x) & KUBE__SCAN_BYTES(0x80);
    return x * 10 + (x >> 8);
}

static inline unsigned byte_of(uint64_t x, int i)
{
    return (unsigned)(x >> (8 * i)) & 0xff;
}

/*
 * The time at p when it is written as servers write it, "2024-01-02T03:04:05Z", on a day that every
 * month has. All others are left to kube_time_parse(), which takes several times as long.
 */
static bool read_plain_time(const char *p, kube_time *out)
{
    uint64_t bad = 0;
    uint64_t date = read_digits(p + 1, "0000-00-", UINT64_C(0x7f76767f76767676), &bad);
    uint64_t clock = read_digits(p + 9, "00T00:00", UINT64_C(0x76767f76767f7676), &bad);
    uint64_t rest = read_digits(p + 14, ":00:00Z\"", UINT64_C(0x7f7f76767f76767f), &bad);
    unsigned year = byte_of(date, 0) * 100 + byte_of(date, 2);
    unsigned month = byte_of(date, 5);
    unsigned day = byte_of(clock, 0);
    unsigned hour = byte_of(clock, 3);
    unsigned minute = byte_of(clock, 6);
    unsigned second = byte_of(rest, 4);
    bad |= (p[0] != '"') | (year < 1) | (month - 1 > 11) | (day - 1 > 27) | (hour > 23) |
           (minute > 59) | (second > 59);
    if (bad)
        return false;
    /* Days of a year that begins in March, so that the leap day is its last. */
    unsigned shifted = year - (month < 3);
    unsigned of_year = (153 * (month < 3 ? month + 9 : month - 3) + 2) / 5 + day - 1;
    int64_t days = (int64_t)(shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + of_year);
    *out = (kube_time){.sec = (days - 719468) * KUBE__S_PER_DAY + hour * KUBE__S_PER_HOUR +
                              minute * 60 + second,
                       .set = true};
    return true;
}

kube__lex kube__decode_time(kube__decoder *d, char *at)
{
    const char *start = d->lexer.p;
    kube_time time;
    if (KUBE__LIKELY(read_plain_time(start, &time))) {
        memcpy(at, &time, sizeof time);
        d->lexer.p += 22;
        return KUBE__LEX_OK;
    }
    uint32_t len;
    kube__lex got = kube__read_text(d, &len, "expected a string");
    if (got)
        return got;
    if (!kube_time_parse(d->builder.text + d->builder.text_len, len, &time))
        return kube__lex_refuse(&d->lexer, start, "not an RFC 3339 time");
    memcpy(at, &time, sizeof time);
    return KUBE__LEX_OK;
}

static kube__lex decode_micro_time(kube__decoder *d, char *at)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = kube__read_text(d, &len, "expected a string");
    if (got)
        return got;
    kube_micro_time time;
    if (!kube_micro_time_parse(d->builder.text + d->builder.text_len, len, &time))
        return kube__lex_refuse(&d->lexer, start, "not an RFC 3339 time");
    memcpy(at, &time, sizeof time);
    return KUBE__LEX_OK;
}

static kube__lex decode_duration(kube__decoder *d, char *at)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = kube__read_text(d, &len, "expected a string");
    if (got)
        return got;
    kube_duration duration;
    if (!kube_duration_parse(d->builder.text + d->builder.text_len, len, &duration))
        return kube__lex_refuse(&d->lexer, start, "not a duration");
    memcpy(at, &duration, sizeof duration);
    return KUBE__LEX_OK;
}

/* Puts the source text from @start to p behind the builder's text. */
static uint32_t copy_source(kube__decoder *d, const char *start)
{
    uint32_t len = (uint32_t)(d->lexer.p - start);
    char *text = d->builder.text + d->builder.text_len;
    memcpy(text, start, len);
    text[len] = '\0';
    return len;
}

static kube__lex decode_quantity(kube__decoder *d, unsigned flags, kube__slot slot)
{
    const char *start = d->lexer.p;
    if (*start != '-' && (*start < '0' || *start > '9')) {
        if (*start != '"')
            return kube__lex_unexpected(&d->lexer, "expected a quantity");
        return kube__decode_string(d, flags, slot);
    }
    kube__lex got = kube__lex_number(&d->lexer);
    return got ? got : kube__keep_text(d, slot, copy_source(d, start));
}

static kube__lex decode_int_or_string(kube__decoder *d, unsigned flags, kube__slot slot)
{
    kube_int_or_string value = {NULL, 0, true};
    kube__lex got;
    if (*d->lexer.p != '"') {
        got = decode_int32(d, &value.number);
        if (got == KUBE__LEX_OK)
            memcpy(kube__slot_at(&d->builder, slot), &value, sizeof value);
        return got;
    }
    memcpy(kube__slot_at(&d->builder, slot), &value, sizeof value);
    return kube__decode_string(d, flags, slot);
}

static kube__lex decode_bytes(kube__decoder *d, kube__slot slot)
{
    const char *start = d->lexer.p;
    uint32_t len;
    kube__lex got = kube__read_text(d, &len, "expected a base64 string");
    if (got)
        return got;
    uint32_t decoded;
    if (!kube__base64_decode(d->builder.text + d->builder.text_len, len, &decoded))
        return kube__lex_refuse(&d->lexer, start, "not base64");
    kube__builder_set_len(&d->builder, slot, decoded);
    return kube__keep_text(d, slot, decoded);
}

/* Whether the value at p is one read before, byte for byte; then p moves behind it. */
static const kube__recent_raw *find_recent(kube__decoder *d)
{
    size_t left = (size_t)(d->lexer.end - d->lexer.p);
    unsigned guess = d->recent[d->recent_last].next;
    for (unsigned i = 0; i < d->recent_count; i++) {
        unsigned at = (guess + i) % d->recent_count;
        const kube__recent_raw *recent = &d->recent[at];
        if (left > recent->len && d->lexer.depth <= recent->depth &&
            memcmp(d->lexer.p, recent->text, recent->len) == 0) {
            d->recent[d->recent_last].next = at;
            d->recent_last = at;
            d->lexer.p += recent->len;
            return recent;
        }
    }
    return NULL;
}

static void remember_raw(kube__decoder *d, const char *text, uint32_t len)
{
    unsigned at = d->recent_count;
    if (at < KUBE__RECENT_RAWS)
        d->recent_count++;
    else
        at = (d->recent_last + 1) % KUBE__RECENT_RAWS;
    d->recent[at] = (kube__recent_raw){text, len, d->lexer.depth, 0};
    d->recent[d->recent_last].next = at;
    d->recent_last = at;
}

kube__lex kube__decode_raw(kube__decoder *d, unsigned flags, kube__slot slot)
{
    const char *start = d->lexer.p;
    bool share = flags & KUBE_FIELD_INTERN && d->pool;
    /* A number or literal may go on behind the text that it begins with. */
    bool closed = *start == '{' || *start == '[';
    const kube__recent_raw *recent = share && closed && d->recent_count ? find_recent(d) : NULL;
    if (recent) {
        d->pool_used = true;
        kube__builder_set_pointer(&d->builder, slot, recent->text);
        kube__builder_set_len(&d->builder, slot, recent->len);
        return KUBE__LEX_OK;
    }
    kube__lex got = kube__lex_skip(&d->lexer);
    if (got)
        return got;
    uint32_t len = copy_source(d, start);
    kube__builder_set_len(&d->builder, slot, len);
    if (!share)
        return kube__keep_text(d, slot, len);
    const char *interned;
    got = kube__share_text(d, slot, len, &interned);
    if (got == KUBE__LEX_OK && interned && closed)
        remember_raw(d, interned, len);
    return got;
}

/* apiVersion or kind of the root: nothing to keep, but it must be the type's. */
static kube__lex check_type(kube__decoder *d, const char *name, const char *wanted,
                            size_t wanted_len)
{
    const char *start = d->lexer.p;
    if (start + wanted_len + 2 <= d->lexer.end && memcmp(start + 1, wanted, wanted_len) == 0 &&
        start[0] == '"' && start[wanted_len + 1] == '"') {
        d->lexer.p += wanted_len + 2;
        return KUBE__LEX_OK;
    }
    uint32_t len;
    kube__lex got = kube__read_text(d, &len, "expected a string");
    if (got)
        return got;
    const char *text = d->builder.text + d->builder.text_len;
    if (strcmp(text, wanted) == 0)
        return KUBE__LEX_OK;
    snprintf(d->detail, sizeof d->detail, "expected %s %.60s, found %.60s", name, wanted, text);
    return kube__lex_refuse(&d->lexer, start, d->detail);
}

kube__lex kube__decode_scalar(kube__decoder *d, unsigned kind, unsigned flags, kube__slot slot)
{
    char *at = kube__slot_at(&d->builder, slot);
    kube_opt_bool opt_bool = {true, false};
    kube_opt_int32 opt_int32 = {true, 0};
    kube_opt_int64 opt_int64 = {true, 0};
    kube_opt_double opt_double = {true, 0};
    kube__lex got;
    int64_t int64 = 0;
    int32_t int32 = 0;
    switch (kind) {
    case KUBE_KIND_INT64:
        got = kube__lex_int64(&d->lexer, &int64);
        memcpy(at, &int64, sizeof int64);
        return got;
    case KUBE_KIND_INT32:
        got = decode_int32(d, &int32);
        memcpy(at, &int32, sizeof int32);
        return got;
    case KUBE_KIND_BOOL:
        got = kube__lex_bool(&d->lexer, &opt_bool.value);
        memcpy(at, &opt_bool.value, sizeof opt_bool.value);
        return got;
    case KUBE_KIND_DOUBLE:
        got = kube__lex_double(&d->lexer, &opt_double.value);
        memcpy(at, &opt_double.value, sizeof opt_double.value);
        return got;
    case KUBE_KIND_OPT_BOOL:
        got = kube__lex_bool(&d->lexer, &opt_bool.value);
        memcpy(at, &opt_bool, sizeof opt_bool);
        return got;
    case KUBE_KIND_OPT_INT32:
        got = decode_int32(d, &opt_int32.value);
        memcpy(at, &opt_int32, sizeof opt_int32);
        return got;
    case KUBE_KIND_OPT_INT64:
        got = kube__lex_int64(&d->lexer, &opt_int64.value);
        memcpy(at, &opt_int64, sizeof opt_int64);
        return got;
    case KUBE_KIND_OPT_DOUBLE:
        got = kube__lex_double(&d->lexer, &opt_double.value);
        memcpy(at, &opt_double, sizeof opt_double);
        return got;
    case KUBE_KIND_MICRO_TIME:
        return decode_micro_time(d, at);
    case KUBE_KIND_DURATION:
        return decode_duration(d, at);
    case KUBE_KIND_QUANTITY:
        return decode_quantity(d, flags, slot);
    case KUBE_KIND_INT_OR_STRING:
        return decode_int_or_string(d, flags, slot);
    case KUBE_KIND_BYTES:
        return decode_bytes(d, slot);
    case KUBE__KIND_API_VERSION:
        return check_type(d, "apiVersion", d->type->api_version, d->api_version_len);
    case KUBE__KIND_KIND:
        return check_type(d, "kind", d->type->kind, d->kind_len);
    default:
        return kube__lex_refuse(&d->lexer, d->lexer.p, "field of an unknown kind");
    }
}
