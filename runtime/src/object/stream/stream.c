/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "stream_state.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    SLICE = 64 * 1024,    /* of what is fed: the buffer is no larger than it must */
    KEPT = 256 * 1024,    /* of the buffer, once a large unit is over */
    MAX_HEAD = 64 * 1024, /* of a list's members besides its items, kept for REQ-6 */
};

kube_code kube__stream_new(const kube_type *type, const kube__stream_options *options,
                           kube__item_sink *sink, void *arg, kube__stream **out, kube_error *err)
{
    *out = NULL;
    kube__stream *s = calloc(1, sizeof *s);
    if (!s)
        return kube__no_memory(err, "decoding");
    s->type = type;
    s->options = *options;
    if (s->options.max_item_bytes == 0)
        s->options.max_item_bytes = (size_t)64 << 20;
    s->sink = sink;
    s->arg = arg;
    kube__buffer_init(&s->head, MAX_HEAD);
    if (options->intern)
        s->pool = kube__pool_new(KUBE__POOL_MAX_BYTES);
    kube__decoder_init(&s->decoder, type, options->drop_managed_fields, s->pool);
    if (options->intern && !s->pool) {
        kube__stream_free(s);
        return kube__no_memory(err, "decoding");
    }
    kube__stream_reset(s, options->form);
    *out = s;
    return KUBE_OK;
}

void kube__stream_free(kube__stream *s)
{
    if (!s)
        return;
    kube__decoder_fini(&s->decoder);
    kube__pool_unref(s->pool);
    kube__buffer_fini(&s->head);
    kube__stream_forget_meta(s);
    free(s->buffer);
    free(s);
}

void kube__stream_reset(kube__stream *s, kube__stream_form form)
{
    s->options.form = form;
    s->len = 0;
    s->at = 0;
    s->dropped = 0;
    s->bytes_read = 0;
    s->state = form == KUBE__STREAM_WATCH ? STATE_EVENT : STATE_START;
    s->failed = KUBE_OK;
    s->item_index = 0;
    s->waiting = false;
    s->skipping = false;
    kube__buffer_reset(&s->head);
    s->is_status = false;
    s->saw_items = false;
    s->is_list = false;
    s->mismatch[0] = '\0';
    kube__stream_forget_meta(s);
}

const kube_list_meta *kube__stream_list_meta(const kube__stream *s)
{
    return &s->meta;
}

uint64_t kube__stream_bytes_read(const kube__stream *s)
{
    return s->bytes_read;
}

size_t kube__stream_memory(const kube__stream *s)
{
    return sizeof *s + s->size + s->head.size + kube__decoder_memory(&s->decoder) +
           (s->pool ? kube__pool_bytes(s->pool) : 0);
}

static kube__lex step_start(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->options.form == KUBE__STREAM_OBJECT)
        return kube__stream_step_item(s, code, err);
    kube__lexer *lexer = &s->decoder.lexer;
    if (*lexer->p != '{')
        return kube__stream_broken(s, kube__lex_unexpected(lexer, "expected an object"), code, err);
    s->at++;
    s->state = STATE_FIRST_KEY;
    return KUBE__LEX_OK;
}

/* One step at a byte that is no blank. MORE: nothing more can be done with what is there; other
 * than OK: *@code is what feed() returns. */
static kube__lex step(kube__stream *s, kube_code *code, kube_error *err)
{
    if (!s->waiting) {
        const char *p = kube__lex_blanks(s->buffer + s->at);
        s->at = (size_t)(p - s->buffer);
        s->decoder.path[0] = '\0';
        s->decoder.lexer = (kube__lexer){.p = p, .end = s->buffer + s->len};
        if (s->at >= s->len)
            return KUBE__LEX_MORE;
    }
    switch (s->state) {
    case STATE_START:
        return step_start(s, code, err);
    case STATE_FIRST_KEY:
    case STATE_KEY:
        return kube__stream_step_key(s, code, err);
    case STATE_MEMBER:
        return kube__stream_step_member(s, code, err);
    case STATE_FIRST_ITEM:
        if (s->buffer[s->at] == ']') {
            s->at++;
            s->state = STATE_AFTER_MEMBER;
            return KUBE__LEX_OK;
        }
        s->state = STATE_ITEM;
        return KUBE__LEX_OK;
    case STATE_ITEM:
        return kube__stream_step_item(s, code, err);
    case STATE_AFTER_ITEM:
        return kube__stream_step_after_item(s, code, err);
    case STATE_AFTER_MEMBER:
        return kube__stream_step_after_member(s, code, err);
    case STATE_EVENT:
        return kube__stream_step_event(s, code, err);
    case STATE_END:
        break;
    }
    kube__lex got = kube__lex_broken(&s->decoder.lexer, "text after the document");
    return kube__stream_broken(s, got, code, err);
}

/* Drops what has been read, makes room for @more bytes, and gives back what a large unit took. */
static bool make_room(kube__stream *s, size_t more)
{
    if (s->at) {
        memmove(s->buffer, s->buffer + s->at, s->len - s->at);
        s->len -= s->at;
        s->dropped += s->at;
        s->searched -= s->searched < s->at ? s->searched : s->at;
        s->at = 0;
    }
    size_t need = s->len + more + KUBE__LEX_PADDING;
    size_t size = s->size;
    if (need > size)
        size = need > size * 2 ? need : size * 2;
    else if (size > KEPT && need < KEPT / 2)
        size = KEPT;
    if (size == s->size)
        return true;
    char *moved = realloc(s->buffer, size);
    if (!moved)
        return need <= s->size;
    s->buffer = moved;
    s->size = size;
    return true;
}

static kube_code feed_slice(kube__stream *s, const char *data, size_t len, kube_error *err)
{
    if (!make_room(s, len))
        return kube__no_memory(err, "decoding");
    memcpy(s->buffer + s->len, data, len);
    s->len += len;
    memset(s->buffer + s->len, 0, KUBE__LEX_PADDING);
    kube_code rc = KUBE_OK;
    kube__lex got;
    do {
        got = step(s, &rc, err);
    } while (got == KUBE__LEX_OK);
    return got == KUBE__LEX_MORE ? KUBE_OK : rc;
}

kube_code kube__stream_feed(kube__stream *s, const char *data, size_t len, kube_error *err)
{
    while (s->failed == KUBE_OK && len) {
        size_t slice = len < SLICE ? len : SLICE;
        s->failed = feed_slice(s, data, slice, err);
        if (s->failed)
            return s->failed;
        data += slice;
        len -= slice;
    }
    if (s->failed)
        return kube_error_set(err, s->failed, "the stream has failed before");
    return KUBE_OK;
}

kube_code kube__stream_finish(kube__stream *s, kube_error *err)
{
    if (s->failed)
        return kube_error_set(err, s->failed, "the stream has failed before");
    kube_code rc = KUBE_OK;
    bool between = s->state == STATE_EVENT && !s->waiting && s->at == s->len;
    if (s->state == STATE_END || between) {
        s->meta = s->read_meta;
        return KUBE_OK;
    }
    uint64_t offset = s->dropped + s->len;
    if (s->state == STATE_START && s->dropped + s->at == s->dropped + s->len)
        rc = kube_error_set(err, KUBE_ERR_DECODE, "the answer is empty");
    else if (s->state == STATE_ITEM || s->state == STATE_FIRST_ITEM || s->state == STATE_AFTER_ITEM)
        rc = kube_error_set(err, KUBE_ERR_DECODE,
                            "the answer ends in the middle, at items[%" PRIu64 "] (offset %" PRIu64
                            ")",
                            s->item_index, offset);
    else
        rc = kube_error_set(err, KUBE_ERR_DECODE,
                            "the answer ends in the middle (offset %" PRIu64 ")", offset);
    s->failed = rc;
    return rc;
}
