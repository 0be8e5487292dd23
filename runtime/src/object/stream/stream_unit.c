/* SPDX-License-Identifier: Apache-2.0 */
/* Finds, reads and delivers the units of a stream, or skips them. */
#include "bad_object.h"
#include "base/memory.h"
#include "status.h"
#include "stream_state.h"

#include <inttypes.h>
#include <stdio.h>

/* The path of what is being read, in front of that within it. */
static void unit_path(const kube__stream *s, char *path, size_t size)
{
    path[0] = '\0';
    if (s->state == STATE_ITEM || s->state == STATE_FIRST_ITEM || s->state == STATE_AFTER_ITEM)
        snprintf(path, size, "items[%" PRIu64 "]", s->item_index);
    else if (s->state == STATE_MEMBER)
        snprintf(path, size, "%s", s->key);
    else if (s->state == STATE_EVENT && s->event.decoded == KUBE__LEX_SYNTAX)
        snprintf(path, size, "object");
}

/* Where the object stands that was read. */
static void object_path(const kube__stream *s, char *path, size_t size)
{
    if (s->state == STATE_EVENT)
        snprintf(path, size, "object");
    else
        unit_path(s, path, size);
}

static kube_code unit_error(kube__stream *s, kube__lex got, kube_error *err)
{
    char path[48];
    unit_path(s, path, sizeof path);
    uint64_t offset = kube__stream_offset(s, s->decoder.lexer.p);
    return kube__decoder_error(&s->decoder, got, path, offset, err);
}

kube__lex kube__stream_broken(kube__stream *s, kube__lex got, kube_code *code, kube_error *err)
{
    *code = unit_error(s, got, err);
    return got;
}

static bool is_too_large(const kube__stream *s, size_t len)
{
    return len > s->options.max_item_bytes;
}

/* Whether the unit at `at` may be complete: it was not tried yet, or its end has come. */
static bool may_read(kube__stream *s, const char **end)
{
    *end = s->buffer + s->len;
    if (!s->waiting || s->ended)
        return true;
    const char *from = s->buffer + s->searched;
    const char *found = kube__extent_find(&s->extent, from, *end);
    s->bytes_read += (uint64_t)((found ? found : *end) - from);
    s->searched = found ? (size_t)(found - s->buffer) : s->len;
    s->ended = found != NULL;
    return s->ended;
}

void kube__unit_count(kube__stream *s, kube__lex got, const char *start, const char *end)
{
    const char *to = got == KUBE__LEX_MORE ? end : s->decoder.lexer.p;
    s->bytes_read += (uint64_t)(to - start);
}

/* The unit at `at` is to be searched for its end from there on. */
static void wait_for_end(kube__stream *s)
{
    s->waiting = true;
    s->ended = false;
    s->extent = (kube__extent){0};
    s->searched = s->at;
}

void kube__unit_over(kube__stream *s, const char *end)
{
    s->at = (size_t)(end - s->buffer);
    s->waiting = false;
    s->skipping = false;
}

/* s->bad tells what is wrong with the unit: its end is all that is of interest now. */
static void skip(kube__stream *s)
{
    if (!s->waiting)
        wait_for_end(s);
    s->skipping = true;
    s->keeping = true;
    s->unit_start = s->dropped + s->at;
}

static void skip_too_large(kube__stream *s)
{
    char path[48];
    unit_path(s, path, sizeof path);
    kube_error_set(&s->bad, KUBE_ERR_DECODE, "%s%slarger than %zu bytes (offset %" PRIu64 ")", path,
                   *path ? ": " : "", s->options.max_item_bytes, s->dropped + s->at);
    snprintf(s->bad.field, sizeof s->bad.field, "%s", path);
    skip(s);
    s->keeping = false;
}

kube_code kube__stream_deliver(kube__stream *s, const kube__item *item, kube_error *err)
{
    kube_error own;
    kube_code rc = s->sink(s->arg, item, err ? err : &own);
    if (s->pool && kube__pool_is_stale(s->pool)) {
        /* The old one ends with its last object; when there is no memory it just goes on. */
        kube__pool *fresh = kube__pool_new(KUBE__POOL_MAX_BYTES);
        if (fresh) {
            kube__pool_unref(s->pool);
            s->pool = fresh;
            kube__decoder_set_pool(&s->decoder, fresh);
        }
    }
    return rc;
}

kube_code kube__stream_deliver_bad(kube__stream *s, kube_watch_event_type type, const char *text,
                                   const char *end, size_t json_len, kube_error *err)
{
    kube__item item = {.type = KUBE_WATCH_BAD, .json_len = json_len, .error = &s->bad};
    s->bad_object.type = type;
    if (text && kube__bad_object_find(text, end, &s->bad_object)) {
        char path[48];
        object_path(s, path, sizeof path);
        kube__bad_object_explain(&s->bad_object, &s->bad, path);
        s->bad.code = KUBE_ERR_UNDECODABLE;
        item.bad = &s->bad_object;
    }
    return kube__stream_deliver(s, &item, err);
}

static const kube_object_meta *meta_of(const kube__stream *s, const kube_object *object)
{
    return (const void *)((const char *)object + s->type->metadata_offset);
}

kube_code kube__stream_deliver_object(kube__stream *s, kube_watch_event_type type, size_t json_len,
                                      kube_error *err)
{
    kube_object *object = kube__decoder_take(&s->decoder);
    if (!object)
        return kube__no_memory(err, "decoding");
    const kube_object_meta *meta = meta_of(s, object);
    kube__item item = {.type = type, .json_len = json_len};
    item.resource_version = meta->resource_version;
    if (type == KUBE_WATCH_BOOKMARK) {
        const char *end = kube_string_map_get(&meta->annotations, "k8s.io/initial-events-end");
        item.initial_events_end = end && strcmp(end, "true") == 0;
        kube_code rc = kube__stream_deliver(s, &item, err);
        kube_object_unref(object);
        return rc;
    }
    const char *member;
    const char *flaw = kube__names_flaw(meta, s->options.named, &member);
    if (flaw) {
        char path[48];
        object_path(s, path, sizeof path);
        kube__names_refuse(path, member, flaw, &s->bad);
        kube_object_unref(object);
        return kube__stream_deliver_bad(s, type, NULL, NULL, json_len, err);
    }
    kube__block_seal(object);
    item.object = object;
    return kube__stream_deliver(s, &item, err);
}

kube__lex kube__unit_pass(kube__stream *s, kube_code *code, kube_error *err)
{
    const char *end;
    const char *text = s->keeping ? s->buffer + s->at : NULL;
    if (!may_read(s, &end)) {
        if (s->keeping && !is_too_large(s, s->len - s->at))
            return KUBE__LEX_MORE;
        s->keeping = false;
        s->at = s->len;
        return KUBE__LEX_MORE;
    }
    end = s->buffer + s->searched;
    kube__unit_over(s, end);
    *code = kube__stream_deliver_bad(s, KUBE_WATCH_ADDED, text, end,
                                     (size_t)(s->dropped + s->at - s->unit_start), err);
    s->item_index++;
    if (s->state == STATE_ITEM)
        s->state = STATE_AFTER_ITEM;
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}

kube__lex kube__unit_cut(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->waiting) {
        /* Its brackets are complete, so more text would not help. */
        s->decoder.lexer.what = "text ends in the middle";
        s->decoder.lexer.found = NULL;
        return kube__stream_broken(s, KUBE__LEX_SYNTAX, code, err);
    }
    wait_for_end(s);
    return KUBE__LEX_OK;
}

bool kube__unit_end(kube__stream *s, const char *start, const char *end, kube__lex *got,
                    kube_code *code, kube_error *err)
{
    const char *to = s->decoder.lexer.p;
    kube__unit_count(s, *got, start, end);
    if (*got == KUBE__LEX_OK && !is_too_large(s, (size_t)(to - start))) {
        kube__unit_over(s, to);
        return true;
    }
    if (*got == KUBE__LEX_MORE) {
        *got = kube__unit_cut(s, code, err);
    } else if (*got == KUBE__LEX_OK) {
        skip_too_large(s);
    } else if (*got == KUBE__LEX_VALUE) {
        unit_error(s, *got, &s->bad);
        skip(s);
        *got = KUBE__LEX_OK;
    } else {
        *got = kube__stream_broken(s, *got, code, err);
    }
    return false;
}

kube__lex kube__unit_begin(kube__stream *s, const char **end)
{
    if (may_read(s, end)) {
        if (s->waiting && is_too_large(s, s->searched - s->at)) {
            skip_too_large(s);
            return KUBE__LEX_VALUE;
        }
        return KUBE__LEX_OK;
    }
    if (is_too_large(s, s->len - s->at)) {
        skip_too_large(s);
        return KUBE__LEX_VALUE;
    }
    return KUBE__LEX_MORE;
}

/* The object at `at` is not the type's. It may be a Status; its whole text is needed to tell. */
static kube__lex fail_object(kube__stream *s, kube_code *code, kube_error *err)
{
    const char *end;
    if (!s->waiting)
        wait_for_end(s);
    if (s->buffer[s->at] != '{') {
        s->searched = s->at;
    } else if (!may_read(s, &end)) {
        if (!is_too_large(s, s->len - s->at))
            return KUBE__LEX_MORE;
        s->searched = s->at;
    }
    const char *text = s->buffer + s->at;
    if (!kube__status_read(text, s->searched - s->at, 0, code, err)) {
        if (s->keeping && kube__bad_object_find(text, text + (s->searched - s->at), &s->bad_object))
            s->bad.code = KUBE_ERR_UNDECODABLE; /* it is an object, if not one of the type */
        if (err)
            *err = s->bad;
        *code = s->bad.code;
    }
    return KUBE__LEX_VALUE;
}

kube__lex kube__stream_step_item(kube__stream *s, kube_code *code, kube_error *err)
{
    bool only = s->options.form == KUBE__STREAM_OBJECT;
    if (s->skipping)
        return only ? fail_object(s, code, err) : kube__unit_pass(s, code, err);
    const char *end;
    kube__lex got = kube__unit_begin(s, &end);
    if (got == KUBE__LEX_VALUE)
        return KUBE__LEX_OK;
    if (got)
        return got;
    const char *start = s->buffer + s->at;
    got = kube__decoder_read(&s->decoder, start, end);
    if (!kube__unit_end(s, start, end, &got, code, err))
        return got;
    size_t len = (size_t)(s->decoder.lexer.p - start);
    s->state = only ? STATE_END : STATE_AFTER_ITEM;
    *code = kube__stream_deliver_object(s, KUBE_WATCH_ADDED, len, err);
    s->item_index++;
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}
