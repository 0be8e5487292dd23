/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the head of a request to the API server, and what follows as a body in chunks: read
 * in pieces, whose length the first byte gives, it is what it is in one.
 */
#include "api_kit.h"
#include "apiserver/server/head.h"

#include <string.h>

/* Reads a body; how it ended, how much of @text it took, and how many bytes of data it had. */
static kube__api_chunk_end read_body(fuzz_text text, size_t piece, size_t *end, size_t *data)
{
    kube__api_chunks chunks = {0};
    size_t there = piece < text.len ? piece : text.len;
    size_t taken;
    size_t part;
    *end = *data = 0;
    for (;;) {
        kube__api_chunk_end rc =
            kube__api_chunks_read(&chunks, text.data + *end, there - *end, &taken, &part);
        must(taken <= there - *end && part <= taken, "more is taken than there is");
        *end += taken;
        *data += part;
        if (rc == KUBE__CHUNK_LAST || rc == KUBE__CHUNK_BAD)
            return rc;
        if (rc == KUBE__CHUNK_MORE && there == text.len)
            return rc;
        if (rc == KUBE__CHUNK_MORE)
            there = text.len - there < piece ? text.len : there + piece;
    }
}

static void check_body(fuzz_text text, size_t piece)
{
    size_t end[2];
    size_t data[2];
    kube__api_chunk_end whole = read_body(text, text.len, &end[0], &data[0]);
    kube__api_chunk_end pieces = read_body(text, piece, &end[1], &data[1]);
    must(whole == pieces, "another end in pieces");
    must(whole != KUBE__CHUNK_LAST || (end[0] == end[1] && data[0] == data[1]),
         "another body in pieces");
    count_input("bodies", whole == KUBE__CHUNK_LAST);
}

static size_t find_end(fuzz_text text, size_t piece)
{
    size_t seen = 0;
    for (size_t there = 0; there < text.len;) {
        there = text.len - there < piece ? text.len : there + piece;
        size_t end = kube__api_head_end(text.data, there, &seen);
        if (end)
            return end;
    }
    return 0;
}

static bool check_head(fuzz_text head)
{
    kube__api_head out;
    const char *why = NULL;
    kube_ctx *ctx = kube_ctx_new();
    int status = kube__api_head_read(ctx, head.data, head.len, &out, &why);
    must(!status || (status >= 400 && why), "refused without a reason");
    if (!status) {
        kube__api_request request = {.ctx = ctx, .method = out.method, .headers = out.headers};
        kube__api_request_parse(&request, out.target);
        must(!strpbrk(out.target, " \r\n"), "a target with a blank");
        for (size_t i = 0; i < out.headers.len; i++)
            must(!strpbrk(out.headers.items[i].value, "\r\n") &&
                     !strpbrk(out.headers.items[i].key, " :\r\n"),
                 "a header that is two");
    }
    kube_ctx_free(ctx);
    return !status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (!len)
        return 0;
    fuzz_text rest = {(const char *)data + 1, len - 1};
    size_t piece = *data % 64 + 1u;
    size_t end = find_end(rest, rest.len);
    must(end == find_end(rest, piece), "a head of another length in pieces");
    count_input("heads", end && check_head((fuzz_text){rest.data, end}));
    check_body((fuzz_text){rest.data + end, rest.len - end}, piece);
    return 0;
}
