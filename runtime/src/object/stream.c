/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text goes through one buffer. Whatever is next (a unit: an item, an event, a member of the
 * list) is read at once, as if it were complete. If it turns out not to be, it is not tried again
 * before its end has come, which only the new bytes are searched for. So no byte is looked at more
 * than three times, however the text is cut.
 */
#include "decode.h"
#include "event.h"
#include "extent.h"
#include "status.h"

#include "../base/buffer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SLICE = 64 * 1024,     /* of what is fed: the buffer is no larger than it must */
    KEPT = 256 * 1024,     /* of the buffer, once a large unit is over */
    MAX_KEY = 4096,        /* of a member of the list itself */
    MAX_HEAD = 64 * 1024,  /* of a list's members besides its items, kept for REQ-6 */
};

typedef enum stream_state {
    STATE_START,
    STATE_FIRST_KEY,    /* a member of the list, or its end */
    STATE_KEY,
    STATE_MEMBER,       /* its value */
    STATE_FIRST_ITEM,   /* or the end of the items */
    STATE_ITEM,
    STATE_AFTER_ITEM,
    STATE_AFTER_MEMBER,
    STATE_EVENT,
    STATE_END, /* only blanks may follow */
} stream_state;

struct kube__stream {
    const kube_type *type;
    kube__stream_options options;
    kube__item_sink *sink;
    void *arg;
    kube__decoder decoder;
    kube__pool *pool;

    char *buffer; /* padded */
    size_t len;
    size_t size;
    size_t at;         /* of what is next */
    uint64_t dropped;  /* bytes that stood before the buffer */
    uint64_t bytes_read;

    stream_state state;
    kube_code failed; /* what feed() has returned */
    uint64_t item_index;

    /* The unit at `at`, once it was found incomplete. */
    bool waiting;
    bool ended;    /* its end has come: it is at `searched` */
    bool skipping; /* it is bad: its bytes are dropped as they come */
    kube__extent extent;
    size_t searched;    /* where the search for its end goes on */
    uint64_t unit_start; /* in the document, while skipping */
    kube_error bad;

    char key[32]; /* of the member; cut, and then it is none that matters */
    kube__buffer head;
    bool is_status;
    bool saw_items;
    char mismatch[160]; /* why this is not the type's list, "" = nothing known */
    kube_list_meta read_meta;
    kube_list_meta meta; /* published */
    char *resource_version;
    char *continue_;
    kube__event_text event;
};

kube_code kube__stream_new(const kube_type *type, const kube__stream_options *options,
                           kube__item_sink *sink, void *arg, kube__stream **out, kube_error *err)
{
    *out = NULL;
    kube__stream *s = calloc(1, sizeof *s);
    if (!s)
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
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
        return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory");
    }
    kube__stream_reset(s, options->form);
    *out = s;
    return KUBE_OK;
}

static void forget_meta(kube__stream *s)
{
    free(s->resource_version);
    free(s->continue_);
    s->resource_version = NULL;
    s->continue_ = NULL;
    memset(&s->read_meta, 0, sizeof s->read_meta);
    memset(&s->meta, 0, sizeof s->meta);
}

void kube__stream_free(kube__stream *s)
{
    if (!s)
        return;
    kube__decoder_fini(&s->decoder);
    kube__pool_unref(s->pool);
    kube__buffer_fini(&s->head);
    forget_meta(s);
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
    s->mismatch[0] = '\0';
    forget_meta(s);
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

/* ---- errors ----------------------------------------------------------------------------------- */

static kube_code no_memory(kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_NO_MEMORY, "out of memory while decoding");
}

static uint64_t offset_of(const kube__stream *s, const char *p)
{
    return s->dropped + (uint64_t)(p - s->buffer);
}

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

static kube_code unit_error(kube__stream *s, kube__lex got, kube_error *err)
{
    char path[48];
    unit_path(s, path, sizeof path);
    return kube__decoder_error(&s->decoder, got, path, offset_of(s, s->decoder.lexer.p), err);
}

/* The document itself is broken at p of the decoder's lexer. */
static kube__lex document_error(kube__stream *s, kube__lex got, kube_code *code, kube_error *err)
{
    *code = unit_error(s, got, err);
    return got;
}

/* ---- units ------------------------------------------------------------------------------------ */

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

static void count_read(kube__stream *s, kube__lex got, const char *start, const char *end)
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

static void unit_is_over(kube__stream *s, const char *end)
{
    s->at = (size_t)(end - s->buffer);
    s->waiting = false;
    s->skipping = false;
}

/* s->bad tells what is wrong with the unit: its end is all that is of interest now. */
static void skip_unit(kube__stream *s)
{
    if (!s->waiting)
        wait_for_end(s);
    s->skipping = true;
    s->unit_start = s->dropped + s->at;
}

static bool is_too_large(const kube__stream *s, size_t len)
{
    return len > s->options.max_item_bytes;
}

static void set_too_large(kube__stream *s)
{
    char path[48];
    unit_path(s, path, sizeof path);
    kube_error_set(&s->bad, KUBE_ERR_DECODE, "%s%slarger than %zu bytes (offset %" PRIu64 ")", path,
                   *path ? ": " : "", s->options.max_item_bytes, s->dropped + s->at);
    snprintf(s->bad.field, sizeof s->bad.field, "%s", path);
}

static kube_code call_sink(kube__stream *s, const kube__item *item, kube_error *err)
{
    kube_error own;
    kube_code code = s->sink(s->arg, item, err ? err : &own);
    if (s->pool && kube__pool_is_stale(s->pool)) {
        /* The old one ends with its last object; when there is no memory it just goes on. */
        kube__pool *fresh = kube__pool_new(KUBE__POOL_MAX_BYTES);
        if (fresh) {
            kube__pool_unref(s->pool);
            s->pool = fresh;
            kube__decoder_set_pool(&s->decoder, fresh);
        }
    }
    return code;
}

static kube_code deliver_bad(kube__stream *s, size_t json_len, kube_error *err)
{
    kube__item item = {.type = KUBE_EVENT_BAD, .json_len = json_len, .error = &s->bad};
    return call_sink(s, &item, err);
}

static const kube_object_meta *meta_of(const kube__stream *s, const kube_object *object)
{
    return (const void *)((const char *)object + s->type->metadata_offset);
}

/* What the decoder has read, as an item. */
static kube_code deliver_object(kube__stream *s, kube_event_type type, size_t json_len,
                                kube_error *err)
{
    kube_object *object = kube__decoder_take(&s->decoder);
    if (!object)
        return no_memory(err);
    const kube_object_meta *meta = meta_of(s, object);
    kube__item item = {.type = type, .json_len = json_len};
    item.resource_version = meta->resource_version;
    if (type == KUBE_EVENT_BOOKMARK) {
        const char *end = kube_string_map_get(&meta->annotations, "k8s.io/initial-events-end");
        item.initial_events_end = end && strcmp(end, "true") == 0;
        kube_code code = call_sink(s, &item, err);
        kube_object_unref(object);
        return code;
    }
    kube__block_seal(object);
    item.object = object;
    return call_sink(s, &item, err);
}

/*
 * While a bad unit goes by: MORE until its end has come. What went by is dropped.
 */
static kube__lex step_skipping(kube__stream *s, kube_code *code, kube_error *err)
{
    const char *end;
    if (!may_read(s, &end)) {
        s->at = s->len;
        return KUBE__LEX_MORE;
    }
    unit_is_over(s, s->buffer + s->searched);
    *code = deliver_bad(s, (size_t)(s->dropped + s->at - s->unit_start), err);
    s->item_index++;
    if (s->state == STATE_ITEM)
        s->state = STATE_AFTER_ITEM;
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}

/* A unit that could not be read although all of it is there: bad, or the document is broken. */
static kube__lex refuse_unit(kube__stream *s, kube__lex got, kube_code *code, kube_error *err)
{
    if (got != KUBE__LEX_VALUE)
        return document_error(s, got, code, err);
    unit_error(s, got, &s->bad);
    skip_unit(s);
    return KUBE__LEX_OK;
}

/* A unit whose text ends in the middle. */
static kube__lex unit_is_cut(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->waiting) {
        /* Its brackets are complete, so more text would not help. */
        s->decoder.lexer.what = "text ends in the middle";
        s->decoder.lexer.found = NULL;
        return document_error(s, KUBE__LEX_SYNTAX, code, err);
    }
    wait_for_end(s);
    return KUBE__LEX_OK;
}

/* Before a unit is read: OK when it may be. */
static kube__lex begin_unit(kube__stream *s, const char **end)
{
    if (may_read(s, end)) {
        if (s->waiting && is_too_large(s, s->searched - s->at)) {
            set_too_large(s);
            skip_unit(s);
            return KUBE__LEX_VALUE;
        }
        return KUBE__LEX_OK;
    }
    if (is_too_large(s, s->len - s->at)) {
        set_too_large(s);
        skip_unit(s);
        return KUBE__LEX_VALUE;
    }
    return KUBE__LEX_MORE;
}

/* ---- one object ------------------------------------------------------------------------------- */

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
        if (err)
            *err = s->bad;
        *code = KUBE_ERR_DECODE;
    }
    return KUBE__LEX_VALUE;
}

/* An item of a list, or the only object. */
static kube__lex step_item(kube__stream *s, kube_code *code, kube_error *err)
{
    bool only = s->options.form == KUBE__STREAM_OBJECT;
    if (s->skipping)
        return only ? fail_object(s, code, err) : step_skipping(s, code, err);
    const char *end;
    kube__lex got = begin_unit(s, &end);
    if (got == KUBE__LEX_VALUE)
        return KUBE__LEX_OK;
    if (got)
        return got;
    const char *start = s->buffer + s->at;
    got = kube__decoder_read(&s->decoder, start, end);
    count_read(s, got, start, end);
    if (got == KUBE__LEX_MORE)
        return unit_is_cut(s, code, err);
    if (got)
        return refuse_unit(s, got, code, err);
    size_t len = (size_t)(s->decoder.lexer.p - start);
    if (is_too_large(s, len)) {
        set_too_large(s);
        skip_unit(s);
        return KUBE__LEX_OK;
    }
    unit_is_over(s, s->decoder.lexer.p);
    s->state = only ? STATE_END : STATE_AFTER_ITEM;
    *code = deliver_object(s, KUBE_EVENT_ADDED, len, err);
    s->item_index++;
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}

/* ---- lists ------------------------------------------------------------------------------------ */

/* A list of another type is refused before its first item is delivered, or else at its end. */
static kube_code check_mismatch(kube__stream *s, kube_error *err)
{
    if (!s->mismatch[0])
        return KUBE_OK;
    return kube_error_set(err, KUBE_ERR_DECODE, "%s", s->mismatch);
}

static void check_name(kube__stream *s, const char *name, const char *wanted, const char *text,
                       size_t len)
{
    /* As written: names of types need no escapes. */
    if (len == strlen(wanted) + 2 && memcmp(text + 1, wanted, len - 2) == 0)
        return;
    if (!s->mismatch[0])
        snprintf(s->mismatch, sizeof s->mismatch, "expected %s %.60s, found %.*s", name, wanted,
                 len < 60 ? (int)len : 60, text);
}

static char *copy_text(const char *text, bool *failed)
{
    char *copy = text ? strdup(text) : NULL;
    *failed |= text && !copy;
    return copy;
}

static kube__lex read_list_meta(kube__stream *s, const char *text, const char *end, kube_code *code,
                                kube_error *err)
{
    if (*text == 'n')
        return KUBE__LEX_OK;
    kube__decoder *d = &s->decoder;
    kube__lex got = kube__decoder_read_struct(d, &kube_list_meta_schema, text, end);
    if (got)
        return document_error(s, got, code, err);
    const kube_list_meta *meta = kube__decoder_struct(d);
    bool failed = false;
    forget_meta(s);
    s->resource_version =
        copy_text(kube__decoder_text(d, &meta->resource_version), &failed);
    s->continue_ = copy_text(kube__decoder_text(d, &meta->continue_), &failed);
    if (failed)
        return document_error(s, KUBE__LEX_NO_MEMORY, code, err);
    s->read_meta.resource_version = s->resource_version;
    s->read_meta.continue_ = s->continue_;
    s->read_meta.remaining_item_count = meta->remaining_item_count;
    return KUBE__LEX_OK;
}

/* The member `key`, whose value is complete at @text and stays in the buffer. */
static kube__lex use_member(kube__stream *s, const char *text, const char *end, kube_code *code,
                            kube_error *err)
{
    size_t len = (size_t)(end - text);
    kube__buffer_printf(&s->head, "%s\"%s\":", s->head.len ? "," : "", s->key);
    kube__buffer_add(&s->head, text, len);
    if (strcmp(s->key, "metadata") == 0)
        return read_list_meta(s, text, end, code, err);
    if (strcmp(s->key, "kind") == 0) {
        s->is_status = len == 8 && memcmp(text, "\"Status\"", len) == 0;
        check_name(s, "kind", s->type->list_kind, text, len);
    } else if (strcmp(s->key, "apiVersion") == 0) {
        check_name(s, "apiVersion", s->type->api_version, text, len);
    } else if (strcmp(s->key, "items") == 0) {
        if (*text == 'n')
            return KUBE__LEX_OK; /* how Go writes a list that it never made */
        s->decoder.path[0] = '\0';
        s->decoder.lexer.p = text;
        return document_error(s, kube__lex_unexpected(&s->decoder.lexer, "expected a list"), code,
                              err);
    }
    return KUBE__LEX_OK;
}

static kube__lex step_member(kube__stream *s, kube_code *code, kube_error *err)
{
    const char *end;
    const char *start = kube__lex_blanks(s->buffer + s->at);
    if (strcmp(s->key, "items") == 0 && *start == '[' && !s->saw_items) {
        *code = check_mismatch(s, err);
        s->at = (size_t)(start - s->buffer) + 1;
        s->state = STATE_FIRST_ITEM;
        s->saw_items = true;
        return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
    }
    kube__lex got = begin_unit(s, &end);
    if (got == KUBE__LEX_VALUE) {
        if (err)
            *err = s->bad;
        *code = KUBE_ERR_DECODE;
    }
    if (got)
        return got;
    kube__lexer *lexer = &s->decoder.lexer;
    *lexer = (kube__lexer){.p = start, .end = end};
    s->decoder.path[0] = '\0';
    got = start < end ? kube__lex_skip(lexer) : KUBE__LEX_MORE;
    count_read(s, got, start, end);
    if (got == KUBE__LEX_MORE)
        return start < end ? unit_is_cut(s, code, err) : KUBE__LEX_MORE;
    if (got)
        return document_error(s, got, code, err);
    const char *value_end = lexer->p;
    got = use_member(s, start, value_end, code, err);
    if (got)
        return got;
    unit_is_over(s, value_end);
    s->state = STATE_AFTER_MEMBER;
    return KUBE__LEX_OK;
}

static kube__lex step_key(kube__stream *s, kube_code *code, kube_error *err)
{
    kube__lexer *lexer = &s->decoder.lexer;
    const char *key = lexer->p;
    if (*key == '}' && s->state == STATE_FIRST_KEY) {
        s->at++;
        s->state = STATE_END;
        return KUBE__LEX_OK;
    }
    kube__lex got = *key == '"' ? kube__lex_skip(lexer)
                                : kube__lex_broken(lexer, "expected a member name");
    size_t len = (size_t)(lexer->p - key);
    if (got == KUBE__LEX_OK) {
        kube__lex_space(lexer);
        got = *lexer->p == ':' ? KUBE__LEX_OK : kube__lex_broken(lexer, "expected ':'");
    }
    if (got == KUBE__LEX_MORE && s->len - s->at < MAX_KEY)
        return got;
    if (got)
        return document_error(s, got, code, err);
    len = len - 2 < sizeof s->key ? len - 2 : sizeof s->key - 1;
    memcpy(s->key, key + 1, len);
    s->key[len] = '\0';
    s->at = (size_t)(lexer->p + 1 - s->buffer);
    s->state = STATE_MEMBER;
    return KUBE__LEX_OK;
}

/* Behind an item or member, a comma or the end of what holds it. */
static kube__lex step_after(kube__stream *s, char close, stream_state next, stream_state closed,
                            kube_code *code, kube_error *err)
{
    kube__lexer *lexer = &s->decoder.lexer;
    if (*lexer->p != ',' && *lexer->p != close) {
        kube__lex got = kube__lex_broken(lexer, close == ']' ? "expected ',' or ']'"
                                                             : "expected ',' or '}'");
        return got == KUBE__LEX_MORE ? got : document_error(s, got, code, err);
    }
    s->state = *lexer->p == ',' ? next : closed;
    s->at++;
    return KUBE__LEX_OK;
}

/* The document is over: only now is it known what it was. */
static kube__lex end_list(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->is_status) {
        kube__buffer text;
        kube__buffer_init(&text, MAX_HEAD + 16);
        kube__buffer_printf(&text, "{%s}", s->head.data ? s->head.data : "");
        bool is_failure =
            text.data && kube__status_read(text.data, text.len, 0, code, err);
        kube__buffer_fini(&text);
        if (is_failure)
            return KUBE__LEX_VALUE;
    }
    *code = check_mismatch(s, err);
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}

static kube__lex step_after_member(kube__stream *s, kube_code *code, kube_error *err)
{
    kube__lex got = step_after(s, '}', STATE_KEY, STATE_END, code, err);
    return got == KUBE__LEX_OK && s->state == STATE_END ? end_list(s, code, err) : got;
}

/* ---- watches ---------------------------------------------------------------------------------- */

static kube_code deliver_error(kube__stream *s, size_t json_len, kube_error *err)
{
    kube_error *error = &s->bad;
    kube_code code;
    if (!kube__status_read(s->event.object ? s->event.object : "", s->event.object_len, 0, &code,
                           error))
        kube_error_set(error, KUBE_ERR_SERVER, "watch ended with an error that is no Status");
    kube__item item = {.type = KUBE_EVENT_ERROR, .json_len = json_len, .error = error};
    return call_sink(s, &item, err);
}

static kube_code deliver_event(kube__stream *s, const char *text, size_t len, kube_error *err)
{
    kube_event_type type;
    kube__event_text *event = &s->event;
    if (!kube__event_type_of(event, &type)) {
        kube_code code;
        /* REQ-6: the whole answer is a failure. */
        if (!event->type[0] && kube__status_read(text, len, 0, &code, err))
            return code;
        kube_error_set(&s->bad, KUBE_ERR_DECODE, "event of unknown type \"%s\"", event->type);
        return deliver_bad(s, len, err);
    }
    if (type == KUBE_EVENT_ERROR)
        return deliver_error(s, len, err);
    if (event->decoded == KUBE__LEX_OK)
        return deliver_object(s, type, len, err);
    if (event->object)
        s->bad = event->bad;
    else
        kube_error_set(&s->bad, KUBE_ERR_DECODE, "event without an object");
    return deliver_bad(s, len, err);
}

static kube__lex step_event(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->skipping)
        return step_skipping(s, code, err);
    const char *end;
    s->event.decoded = KUBE__LEX_OK;
    kube__lex got = begin_unit(s, &end);
    if (got == KUBE__LEX_VALUE)
        return KUBE__LEX_OK;
    if (got)
        return got;
    const char *start = s->buffer + s->at;
    got = kube__event_read(&s->decoder, start, end, offset_of(s, start), &s->event);
    count_read(s, got, start, end);
    if (got == KUBE__LEX_MORE)
        return unit_is_cut(s, code, err);
    if (got)
        return refuse_unit(s, got, code, err);
    size_t len = (size_t)(s->decoder.lexer.p - start);
    if (is_too_large(s, len)) {
        set_too_large(s);
        skip_unit(s);
        return KUBE__LEX_OK;
    }
    unit_is_over(s, s->decoder.lexer.p);
    s->item_index++;
    *code = deliver_event(s, start, len, err);
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}

/* ---- the driver ------------------------------------------------------------------------------- */

static kube__lex step_start(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->options.form == KUBE__STREAM_OBJECT)
        return step_item(s, code, err);
    kube__lexer *lexer = &s->decoder.lexer;
    if (*lexer->p != '{')
        return document_error(s, kube__lex_unexpected(lexer, "expected an object"), code, err);
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
    case STATE_START: return step_start(s, code, err);
    case STATE_FIRST_KEY:
    case STATE_KEY: return step_key(s, code, err);
    case STATE_MEMBER: return step_member(s, code, err);
    case STATE_FIRST_ITEM:
        if (s->buffer[s->at] == ']') {
            s->at++;
            s->state = STATE_AFTER_MEMBER;
            return KUBE__LEX_OK;
        }
        s->state = STATE_ITEM;
        return KUBE__LEX_OK;
    case STATE_ITEM: return step_item(s, code, err);
    case STATE_AFTER_ITEM:
        return step_after(s, ']', STATE_ITEM, STATE_AFTER_MEMBER, code, err);
    case STATE_AFTER_MEMBER: return step_after_member(s, code, err);
    case STATE_EVENT: return step_event(s, code, err);
    case STATE_END: break;
    }
    return document_error(s, kube__lex_broken(&s->decoder.lexer, "text after the document"), code,
                          err);
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
        return no_memory(err);
    memcpy(s->buffer + s->len, data, len);
    s->len += len;
    memset(s->buffer + s->len, 0, KUBE__LEX_PADDING);
    kube_code code = KUBE_OK;
    kube__lex got;
    do {
        got = step(s, &code, err);
    } while (got == KUBE__LEX_OK);
    return got == KUBE__LEX_MORE ? KUBE_OK : code;
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
    kube_code code = KUBE_OK;
    bool between = s->state == STATE_EVENT && !s->waiting && s->at == s->len;
    if (s->state == STATE_END || between) {
        s->meta = s->read_meta;
        return KUBE_OK;
    }
    uint64_t offset = s->dropped + s->len;
    if (s->state == STATE_START && s->dropped + s->at == s->dropped + s->len)
        code = kube_error_set(err, KUBE_ERR_DECODE, "the answer is empty");
    else if (s->state == STATE_ITEM || s->state == STATE_FIRST_ITEM || s->state == STATE_AFTER_ITEM)
        code = kube_error_set(err, KUBE_ERR_DECODE,
                              "the answer ends in the middle, at items[%" PRIu64 "] (offset %" PRIu64
                              ")",
                              s->item_index, offset);
    else
        code = kube_error_set(err, KUBE_ERR_DECODE,
                              "the answer ends in the middle (offset %" PRIu64 ")", offset);
    s->failed = code;
    return code;
}
