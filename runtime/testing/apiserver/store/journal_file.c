/* SPDX-License-Identifier: Apache-2.0 */
#include "journal_file.h"

#include "apiserver/value/sum.h"

#include <string.h>

static void put_number(char *out, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++, value >>= 8)
        out[i] = (char)(unsigned char)(value & 0xff);
}

static uint64_t get_number(const char *data, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | (unsigned char)data[i];
    return value;
}

/* ---- writing -------------------------------------------------------------------------------- */

size_t kube__frame_begin(kube__buffer *out)
{
    static const char head[KUBE__FRAME_HEAD + 8];
    size_t begin = out->len;
    kube__buffer_add(out, head, sizeof head);
    return begin;
}

void kube__frame_add(kube__buffer *out, const kube__record *record)
{
    char head[5];
    head[0] = (char)record->type;
    put_number(head + 1, record->len, 4);
    kube__buffer_add(out, head, sizeof head);
    kube__buffer_add(out, record->group, strlen(record->group) + 1);
    kube__buffer_add(out, record->plural, strlen(record->plural) + 1);
    kube__buffer_add(out, record->namespace_, strlen(record->namespace_) + 1);
    kube__buffer_add(out, record->name, strlen(record->name) + 1);
    kube__buffer_add(out, record->text, record->len);
}

void kube__frame_end(kube__buffer *out, size_t begin, uint64_t version)
{
    if (out->failed)
        return;
    char *head = out->data + begin;
    size_t len = out->len - begin - KUBE__FRAME_HEAD;
    put_number(head + KUBE__FRAME_HEAD, version, 8);
    memcpy(head, "KGF1", 4);
    put_number(head + 4, len, 4);
    put_number(head + 8, kube__api_sum(head + KUBE__FRAME_HEAD, len), 8);
    put_number(head + 16, kube__api_sum(head, 16), 8);
}

/* ---- reading -------------------------------------------------------------------------------- */

static kube_code damaged(kube_error *err, size_t offset, const char *what)
{
    return kube_error_set(err, KUBE_ERR_DECODE, "%s at offset %zu", what, offset);
}

/* A crash leaves what it did not write missing, or zero. */
static bool is_blank(const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (data[i])
            return false;
    return true;
}

/* Takes a NUL-terminated text; NULL when it does not end. */
static const char *take_text(const char **at, const char *end)
{
    const char *text = *at;
    const char *nul = memchr(text, '\0', (size_t)(end - text));
    *at = nul ? nul + 1 : end;
    return nul ? text : NULL;
}

static bool take_record(const char **at, const char *end, kube__record *out)
{
    if (end - *at < 5)
        return false;
    *out = (kube__record){.type = (kube__record_type) * *at, .len = (size_t)get_number(*at + 1, 4)};
    *at += 5;
    out->group = take_text(at, end);
    out->plural = out->group ? take_text(at, end) : NULL;
    out->namespace_ = out->plural ? take_text(at, end) : NULL;
    out->name = out->namespace_ ? take_text(at, end) : NULL;
    if (!out->name || (size_t)(end - *at) < out->len)
        return false;
    out->text = *at;
    *at += out->len;
    return true;
}

static kube_code read_payload(const char *data, size_t offset, size_t len,
                              kube__record_visit *visit, void *arg, kube_error *err)
{
    const char *at = data + offset + 8;
    const char *end = data + offset + len;
    while (at < end) {
        kube__record record;
        size_t place = (size_t)(at - data);
        if (!take_record(&at, end, &record))
            return damaged(err, place, "bad record");
        if (!visit(arg, &record))
            return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    }
    return KUBE_OK;
}

kube_code kube__journal_read(const char *data, size_t len, kube__record_visit *visit, void *arg,
                             size_t *good, uint64_t *version, kube_error *err)
{
    const char *magic = KUBE__JOURNAL_HEAD;
    size_t shorter = len < KUBE__JOURNAL_HEAD_LEN ? len : KUBE__JOURNAL_HEAD_LEN;
    *good = 0;
    *version = 0;
    if (len < KUBE__JOURNAL_HEAD_LEN && is_blank(data, len))
        return KUBE_OK;
    if (memcmp(data, magic, shorter) != 0)
        return damaged(err, 0, "not a data file");
    if (len < KUBE__JOURNAL_HEAD_LEN)
        return KUBE_OK;
    size_t at = KUBE__JOURNAL_HEAD_LEN;
    while (at < len) {
        const char *head = data + at;
        size_t left = len - at;
        if (left < KUBE__FRAME_HEAD)
            break;
        size_t size = (size_t)get_number(head + 4, 4);
        if (memcmp(head, "KGF1", 4) != 0 || size < 8 ||
            get_number(head + 16, 8) != kube__api_sum(head, 16)) {
            if (is_blank(head + KUBE__FRAME_HEAD, left - KUBE__FRAME_HEAD))
                break;
            return damaged(err, at, "bad frame");
        }
        if (size > left - KUBE__FRAME_HEAD)
            break;
        bool last = size == left - KUBE__FRAME_HEAD;
        if (get_number(head + 8, 8) != kube__api_sum(head + KUBE__FRAME_HEAD, size)) {
            if (last)
                break;
            return damaged(err, at, "wrong sum of the frame");
        }
        kube_code rc = read_payload(data, at + KUBE__FRAME_HEAD, size, visit, arg, err);
        if (rc)
            return rc;
        *version = get_number(head + KUBE__FRAME_HEAD, 8);
        at += KUBE__FRAME_HEAD + size;
        *good = at;
    }
    if (!*good)
        *good = KUBE__JOURNAL_HEAD_LEN;
    return KUBE_OK;
}
