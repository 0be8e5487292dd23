/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the files of the decoder share. Those for text are inline, because most of an
 * object is strings.
 */
#ifndef KUBE_OBJECT_DECODE_TEXT_H
#define KUBE_OBJECT_DECODE_TEXT_H

#include "decode.h"
#include "frame.h"
#include "object/block/value.h"

/* Why the builder failed. */
kube__lex kube__no_room(kube__decoder *d);

/* The string at p as text behind the builder's, which is not advanced. */
static inline kube__lex kube__read_text(kube__decoder *d, uint32_t *len, const char *what)
{
    *len = 0;
    if (KUBE__UNLIKELY(*d->lexer.p != '"'))
        return kube__lex_unexpected(&d->lexer, what);
    return kube__lex_string(&d->lexer, d->builder.text + d->builder.text_len, len);
}

/* Makes the word at @slot point at the @len bytes of text behind the builder's. */
static inline kube__lex kube__keep_text(kube__decoder *d, kube__slot slot, uint32_t len)
{
    if (KUBE__UNLIKELY(!kube__builder_point_at_text(&d->builder, slot, d->builder.text_len)))
        return kube__no_room(d);
    d->builder.text_len += len + 1;
    return KUBE__LEX_OK;
}

/* The same through the pool; *@interned is its copy, NULL when it has none. */
static inline kube__lex kube__share_text(kube__decoder *d, kube__slot slot, uint32_t len,
                                         const char **interned)
{
    const char *shared = kube__pool_intern(d->pool, d->builder.text + d->builder.text_len, len);
    *interned = shared;
    if (KUBE__UNLIKELY(!shared))
        return kube__keep_text(d, slot, len);
    d->pool_used = true;
    kube__builder_set_pointer(&d->builder, slot, shared);
    return KUBE__LEX_OK;
}

static inline __attribute__((always_inline)) kube__lex
kube__decode_string(kube__decoder *d, unsigned flags, kube__slot slot)
{
    uint32_t len;
    kube__lex got = kube__read_text(d, &len, "expected a string");
    if (KUBE__UNLIKELY(got != KUBE__LEX_OK))
        return got;
    const char *unused;
    if (flags & KUBE_FIELD_INTERN && d->pool)
        return kube__share_text(d, slot, len, &unused);
    return kube__keep_text(d, slot, len);
}

/* Values at p, none of them null. */
kube__lex kube__decode_time(kube__decoder *d, char *at);
/* Raw JSON may be null: in a list or map that is a value like others. */
kube__lex kube__decode_raw(kube__decoder *d, unsigned flags, kube__slot slot);
/* All other kinds but strings and what has elements or members. */
kube__lex kube__decode_scalar(kube__decoder *d, unsigned kind, unsigned flags, kube__slot slot);

/* A member that the header does not name, p at its key. @extra_start is where what the struct
 * keeps begins on the decoder's stack. */
kube__lex kube__decode_unknown(kube__decoder *d, kube__node *node, kube__frame *frame,
                               size_t extra_start);
/* What the struct at @at has kept becomes its kube_extra. */
kube__lex kube__finish_extra(kube__decoder *d, const kube__node *node, kube__slot at, size_t start);
/* What stands at the innermost frame is not kept: the object is partial. */
void kube__note_loss(kube__decoder *d);
/* Moves behind the value at p, which is nested too deep to be read: it is lost. */
kube__lex kube__lose_value(kube__decoder *d);
/* `null` for an element or a map's value: where that cannot be absent it is zero, and a loss. */
kube__lex kube__decode_null(kube__decoder *d, unsigned kind, kube__slot slot);

/* Of values that come twice. */
/* Makes one absent that has no members or elements of its own to keep. */
bool kube__forget_value(kube__decoder *d, unsigned kind, kube__slot slot);
/* Makes a list or map absent and says what it had. A map's keys are compared again, so that costs
 * what has been read so far, which they are in. */
bool kube__take_list(kube__decoder *d, kube__slot slot, bool is_map, kube__span *old);
/* Makes it the first elements of the list that is being read. */
bool kube__reopen_list(kube__decoder *d, kube__span old, unsigned area, uint32_t stride);

#endif /* KUBE_OBJECT_DECODE_TEXT_H */
