/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"
#include "stream_state.h"

static kube_code deliver_error(kube__stream *s, size_t json_len, kube_error *err)
{
    kube_error *error = &s->bad;
    kube_code rc;
    if (!kube__status_read(s->event.object ? s->event.object : "", s->event.object_len, 0, &rc,
                           error))
        kube_error_set(error, KUBE_ERR_SERVER, "the watch ended with an error without a Status");
    kube__item item = {.type = KUBE_WATCH_ERROR, .json_len = json_len, .error = error};
    return kube__stream_deliver(s, &item, err);
}

static kube_code deliver_event(kube__stream *s, const char *text, size_t len, kube_error *err)
{
    kube_watch_event_type type;
    kube__event_text *event = &s->event;
    if (!kube__event_type_of(event, &type)) {
        kube_code rc;
        /* REQ-6: the whole answer is a failure, or something that is no watch. */
        if (!event->type[0] && kube__status_read(text, len, 0, &rc, err))
            return rc;
        if (!event->type[0] && s->item_index == 1)
            return kube_error_set(err, KUBE_ERR_DECODE,
                                  "the answer is not a watch: it begins with no event");
        kube_error_set(&s->bad, KUBE_ERR_DECODE, "event of unknown type \"%s\"", event->type);
        return kube__stream_deliver_bad(s, KUBE_WATCH_BAD, NULL, NULL, len, err);
    }
    if (type == KUBE_WATCH_ERROR)
        return deliver_error(s, len, err);
    if (event->decoded == KUBE__LEX_OK)
        return kube__stream_deliver_object(s, type, len, err);
    if (!event->object) {
        kube_error_set(&s->bad, KUBE_ERR_DECODE, "event without an object");
        return kube__stream_deliver_bad(s, type, NULL, NULL, len, err);
    }
    s->bad = event->bad;
    return kube__stream_deliver_bad(s, type, event->object, event->object + event->object_len, len,
                                    err);
}

kube__lex kube__stream_step_event(kube__stream *s, kube_code *code, kube_error *err)
{
    if (s->skipping)
        return kube__unit_pass(s, code, err);
    const char *end;
    s->event.decoded = KUBE__LEX_OK;
    kube__lex got = kube__unit_begin(s, &end);
    if (got == KUBE__LEX_VALUE)
        return KUBE__LEX_OK;
    if (got)
        return got;
    const char *start = s->buffer + s->at;
    got = kube__event_read(&s->decoder, start, end, kube__stream_offset(s, start), &s->event);
    if (!kube__unit_end(s, start, end, &got, code, err))
        return got;
    size_t len = (size_t)(s->decoder.lexer.p - start);
    s->item_index++;
    *code = deliver_event(s, start, len, err);
    return *code ? KUBE__LEX_VALUE : KUBE__LEX_OK;
}
