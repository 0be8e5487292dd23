/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data file's format. After a line that names it come frames, each what one request changed:
 *
 *     "KGF1"  4 bytes
 *     length  of the payload, 4 bytes
 *     sum     of the payload, 8 bytes
 *     sum     of the 16 bytes before, 8 bytes
 *     payload: the newest version, 8 bytes, then records
 *
 * A record is a letter (P put, D deleted, X the whole collection dropped), the length of its text,
 * 4 bytes, then group, plural, namespace and name, NUL-terminated each, and the text. Numbers are
 * little-endian. A crash can only tear the last frame, whose request was not answered.
 */
#ifndef KUBE_APISERVER_JOURNAL_FILE_H
#define KUBE_APISERVER_JOURNAL_FILE_H

#include "base/buffer.h"

#include <kube/error.h>
#include <stdbool.h>
#include <stdint.h>

#define KUBE__JOURNAL_HEAD "kubegen-apiserver data 1\n"

enum { KUBE__FRAME_HEAD = 24, KUBE__JOURNAL_HEAD_LEN = sizeof KUBE__JOURNAL_HEAD - 1 };

typedef enum kube__record_type {
    KUBE__RECORD_PUT = 'P',
    KUBE__RECORD_DELETE = 'D',
    KUBE__RECORD_DROP = 'X',
} kube__record_type;

typedef struct kube__record {
    kube__record_type type;
    const char *group;
    const char *plural;
    const char *namespace_;
    const char *name;
    const char *text; /* not NUL-terminated when it was read */
    size_t len;
} kube__record;

/* Starts a frame in @out: what is added until frame_end() is its payload. */
size_t kube__frame_begin(kube__buffer *out);
void kube__frame_add(kube__buffer *out, const kube__record *record);
void kube__frame_end(kube__buffer *out, size_t begin, uint64_t version);

/* Told of every record in order; false ends the reading. */
typedef bool kube__record_visit(void *arg, const kube__record *record);

/*
 * Reads a whole file. *@good is the length of what is whole (a torn end is left out), *@version the
 * newest one. KUBE_ERR_DECODE with the offset when it is damaged.
 */
KUBE__CHECKED kube_code kube__journal_read(const char *data, size_t len, kube__record_visit *visit,
                                           void *arg, size_t *good, uint64_t *version,
                                           kube_error *err);

#endif /* KUBE_APISERVER_JOURNAL_FILE_H */
