/* SPDX-License-Identifier: Apache-2.0 */
/* One event of a watch: {"type": …, "object": …}, in either order. */
#ifndef KUBE_OBJECT_EVENT_H
#define KUBE_OBJECT_EVENT_H

#include "object/codec/decode.h"

#include <kube/client.h>

typedef struct kube__event_text {
    char type[24];      /* "" = none; cut when longer, and then it is no known one */
    const char *object; /* its text, NULL = none */
    size_t object_len;
    kube__lex decoded; /* OK: the decoder has the object; VALUE: bad says why it has not */
    kube_error bad;    /* set only then */
} kube__event_text;

/*
 * Reads the event at @p, the object in it by @decoder, whose lexer.p is then behind the event, or
 * where it is broken. An object that is not the type's does not break its event. @offset is that
 * of @p in the stream.
 */
kube__lex kube__event_read(kube__decoder *decoder, const char *p, const char *end, uint64_t offset,
                           kube__event_text *event);

/* Which event it is; false when the type is unknown. */
bool kube__event_type_of(const kube__event_text *event, kube_watch_event_type *type);

#endif /* KUBE_OBJECT_EVENT_H */
