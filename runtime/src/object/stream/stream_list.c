/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a list has besides its items. */
#include "status.h"
#include "stream_state.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_KEY = 4096 }; /* of a member of the list itself */

void kube__stream_forget_meta(kube__stream *s)
{
    free(s->resource_version);
    free(s->continue_);
    s->resource_version = NULL;
    s->continue_ = NULL;
    memset(&s->read_meta, 0, sizeof s->read_meta);
    memset(&s->meta, 0, sizeof s->meta);
}

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
        return kube__stream_broken(s, got, code, err);
    const kube_list_meta *meta = kube__decoder_struct(d);
    bool failed = false;
    kube__stream_forget_meta(s);
    s->resource_version = copy_text(kube__decoder_text(d, &meta->resource_version), &failed);
    s->continue_ = copy_text(kube__decoder_text(d, &meta->continue_), &failed);
    if (failed)
        return kube__stream_broken(s, KUBE__LEX_NO_MEMORY, code, err);
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
        s->is_list = true; /* unless it is another kind, which is an error of its own */
        check_name(s, "kind", s->type->list_kind, text, len);
    } else if (strcmp(s->key, "apiVersion") == 0) {
        check_name(s, "apiVersion", s->type->api_version, text, len);
    } else if (strcmp(s->key, "items") == 0) {
        s->is_list = true;
        if (*text == 'n')
            return KUBE__LEX_OK; /* how Go writes a list that it never made */
        s->decoder.path[0] = '\0';
        s->decoder.lexer.p = text;
        return kube__stream_broken(s, kube__lex_unexpected(&s->decoder.lexer, "expected a list"),
                                   code, err);
    }
    return KUBE__LEX_OK;
}

kube__lex kube__stream_step_member(kube__stream *s, kube_code *code, kube_error *err)
{
    const char *end;
    const char *start = kube__lex_blanks(s->buffer + s->at);
    if (strcmp(s->key, "items") == 0 && *start == '[' && !s->saw_items) {
        *code = check_mismatch(s, err);
        s->at = (size_t)(start - s->buffer) + 1;
        s->state = STATE_FIRST_ITEM;
        s->saw_items = true;
        s->is_list = true;
        return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
    }
    kube__lex got = kube__unit_begin(s, &end);
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
    kube__unit_count(s, got, start, end);
    if (got == KUBE__LEX_MORE)
        return start < end ? kube__unit_cut(s, code, err) : KUBE__LEX_MORE;
    if (got)
        return kube__stream_broken(s, got, code, err);
    const char *value_end = lexer->p;
    got = use_member(s, start, value_end, code, err);
    if (got)
        return got;
    kube__unit_over(s, value_end);
    s->state = STATE_AFTER_MEMBER;
    return KUBE__LEX_OK;
}

/* The document is over: only now is it known what it was. */
static kube__lex end_list(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->is_status) {
        kube__buffer text;
        kube__buffer_init(&text, s->head.len + 16);
        kube__buffer_printf(&text, "{%s}", s->head.data ? s->head.data : "");
        bool is_failure = text.data && kube__status_read(text.data, text.len, 0, code, err);
        kube__buffer_fini(&text);
        if (is_failure)
            return KUBE__LEX_VALUE;
    }
    *code = check_mismatch(s, err);
    if (!*code && !s->is_list) /* whatever said {} did not say that there is nothing */
        *code = kube_error_set(err, KUBE_ERR_DECODE,
                               "the answer is not a list: it has neither kind nor items");
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}

kube__lex kube__stream_step_key(kube__stream *s, kube_code *code, kube_error *err)
{
    kube__lexer *lexer = &s->decoder.lexer;
    const char *key = lexer->p;
    if (*key == '}' && s->state == STATE_FIRST_KEY) {
        s->at++;
        s->state = STATE_END;
        return end_list(s, code, err);
    }
    kube__lex got =
        *key == '"' ? kube__lex_skip(lexer) : kube__lex_broken(lexer, "expected a member name");
    size_t len = (size_t)(lexer->p - key);
    if (got == KUBE__LEX_OK) {
        kube__lex_space(lexer);
        got = *lexer->p == ':' ? KUBE__LEX_OK : kube__lex_broken(lexer, "expected ':'");
    }
    if (got == KUBE__LEX_MORE && s->len - s->at < MAX_KEY)
        return got;
    if (got)
        return kube__stream_broken(s, got, code, err);
    len = len - 2 < sizeof s->key ? len - 2 : sizeof s->key - 1;
    memcpy(s->key, key + 1, len);
    s->key[len] = '\0';
    s->at = (size_t)(lexer->p + 1 - s->buffer);
    s->state = STATE_MEMBER;
    return KUBE__LEX_OK;
}

/* Behind an item or member, a comma or the end of what holds it. */
static kube__lex step_after(kube__stream *s, char close, kube__stream_state next,
                            kube__stream_state closed, kube_code *code, kube_error *err)
{
    kube__lexer *lexer = &s->decoder.lexer;
    if (*lexer->p != ',' && *lexer->p != close) {
        kube__lex got =
            kube__lex_broken(lexer, close == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
        return got == KUBE__LEX_MORE ? got : kube__stream_broken(s, got, code, err);
    }
    s->state = *lexer->p == ',' ? next : closed;
    s->at++;
    return KUBE__LEX_OK;
}

kube__lex kube__stream_step_after_member(kube__stream *s, kube_code *code, kube_error *err)
{
    kube__lex got = step_after(s, '}', STATE_KEY, STATE_END, code, err);
    return got == KUBE__LEX_OK && s->state == STATE_END ? end_list(s, code, err) : got;
}

kube__lex kube__stream_step_after_item(kube__stream *s, kube_code *code, kube_error *err)
{
    return step_after(s, ']', STATE_ITEM, STATE_AFTER_MEMBER, code, err);
}
