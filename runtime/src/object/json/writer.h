/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON text. The text begins in the writer itself and moves to the heap when it gets too
 * long, so that an ordinary object needs only the allocation of the result. A caller first makes
 * room and then writes at `at`; it may write up to KUBE__WRITER_SLACK bytes beyond the room.
 */
#ifndef KUBE_OBJECT_WRITER_H
#define KUBE_OBJECT_WRITER_H

#include "base/buffer.h"

#include <kube/ctx.h>

enum { KUBE__WRITER_ROOM = 4096, KUBE__WRITER_SLACK = 64, KUBE__WRITER_NUMBER = 32 };

typedef struct kube__writer {
    char *at;
    char *end; /* of the room, slack excluded */
    char *start;
    kube__buffer heap;
    char first[KUBE__WRITER_ROOM + KUBE__WRITER_SLACK];
} kube__writer;

typedef enum kube__written {
    KUBE__WRITTEN,
    KUBE__WRITTEN_NO_MEMORY,
    KUBE__WRITTEN_BAD_UTF8,
} kube__written;

void kube__writer_init(kube__writer *w);
void kube__writer_fini(kube__writer *w);
bool kube__writer_grow(kube__writer *w, size_t len);

/* Room for @len bytes at w->at, which may move. Returns false if out of memory. */
static inline bool kube__writer_room(kube__writer *w, size_t len)
{
    return (size_t)(w->end - w->at) >= len || kube__writer_grow(w, len);
}
static inline size_t kube__writer_len(const kube__writer *w)
{
    return (size_t)(w->at - w->start);
}
/* Forgets all from @len on. */
static inline void kube__writer_cut(kube__writer *w, size_t len)
{
    w->at = w->start + len;
}

/* The text so far, NUL-terminated, in @ctx; the writer is left empty. */
KUBE__CHECKED kube_code kube__writer_finish(kube__writer *w, kube_ctx *ctx, const char **text,
                                            size_t *len, kube_error *err);

bool kube__write_bytes(kube__writer *w, const char *bytes, size_t len);
/* With quotes, escaped, KUBE_TEXT_NUL as `\u0000`; refuses what is not UTF-8. */
kube__written kube__write_string(kube__writer *w, const char *s, size_t len);
bool kube__write_int64(kube__writer *w, int64_t value);
/* The shortest digits that read back as the same double, laid out as ECMAScript and Go do, in any
 * locale. @value is finite. */
bool kube__write_double(kube__writer *w, double value);
bool kube__write_base64(kube__writer *w, const unsigned char *data, size_t len);

#endif /* KUBE_OBJECT_WRITER_H */
