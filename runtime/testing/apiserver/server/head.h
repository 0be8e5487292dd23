/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heads of requests and bodies in chunks, as Go's net/http reads them for kube-apiserver: it takes
 * what that takes (line ends without CR in a head, folded lines, a length beside chunks), and
 * refuses what that refuses. Nothing here touches a socket.
 */
#ifndef KUBE_APISERVER_HEAD_H
#define KUBE_APISERVER_HEAD_H

#include "apiserver/core/pair.h"

#include <kube/ctx.h>
#include <stdbool.h>
#include <stdint.h>

/* The largest head that is read; larger ones are a 431. */
#define KUBE__API_MAX_HEAD ((size_t)(1 << 20) + 4096)

typedef struct kube__api_head {
    const char *method;
    const char *target;
    bool is_1_0;
    kube__api_pairs headers; /* names in lower case */
    bool chunked;
    uint64_t length;     /* of a body without chunks */
    bool keep_alive;     /* another request may follow */
    bool wants_continue; /* it waits for "100 Continue" before it sends the body */
} kube__api_head;

/* Length of the head that @text begins with, its empty line included; 0 = more is to come.
 * *@seen, 0 at first, keeps what was looked at for the next call with more text. */
size_t kube__api_head_end(const char *text, size_t len, size_t *seen);
/*
 * Understands a whole head; what it points to is in @ctx. Returns 0, or the status of the answer
 * after which the connection ends, with what is wrong in *@why; 500 if out of memory.
 */
int kube__api_head_read(kube_ctx *ctx, const char *text, size_t len, kube__api_head *out,
                        const char **why);

typedef struct kube__api_chunks {
    enum { KUBE__CHUNK_SIZE, KUBE__CHUNK_DATA, KUBE__CHUNK_LINE_END, KUBE__CHUNK_TRAILER } state;
    uint64_t left;   /* of the chunk */
    size_t overhead; /* bytes that were no data, less what the data stands for */
    size_t seen;
} kube__api_chunks;

typedef enum kube__api_chunk_end {
    KUBE__CHUNK_MORE, /* is to come */
    KUBE__CHUNK_PART, /* data */
    KUBE__CHUNK_LAST, /* the end of the body, trailer included */
    KUBE__CHUNK_BAD,
} kube__api_chunk_end;

/* Reads on in a body from @text, which begins with what was not taken before. *@taken tells how
 * much to take off; of KUBE__CHUNK_PART the last *@part bytes of that are data. */
kube__api_chunk_end kube__api_chunks_read(kube__api_chunks *chunks, const char *text, size_t len,
                                          size_t *taken, size_t *part);

#endif /* KUBE_APISERVER_HEAD_H */
