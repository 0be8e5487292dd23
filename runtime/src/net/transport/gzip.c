/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    GZIP_FORMAT = 16 + MAX_WBITS, /* for inflateInit2(): its header and check sum */
    PIECE_BYTES = 64 << 10,
};

struct kube__gzip {
    z_stream stream;
    bool between; /* members; nothing of the next one came */
    bool damaged;
    size_t skip; /* so many bytes that come again were unpacked before the pause */
    size_t len;  /* of a piece that was not taken */
    char piece[PIECE_BYTES];
};

kube__gzip *kube__gzip_new(void)
{
    kube__gzip *gzip = calloc(1, sizeof *gzip);
    if (gzip && inflateInit2(&gzip->stream, GZIP_FORMAT) != Z_OK) {
        free(gzip);
        return NULL;
    }
    if (gzip)
        gzip->between = true;
    return gzip;
}

void kube__gzip_free(kube__gzip *gzip)
{
    if (gzip)
        inflateEnd(&gzip->stream);
    free(gzip);
}

/* Unpacks the next piece; false = there is nothing more in what was fed. */
static bool unpack(kube__gzip *gzip)
{
    z_stream *stream = &gzip->stream;
    int result;
    if (gzip->between && stream->avail_in == 0)
        return false;
    if (gzip->between)
        inflateReset(stream);
    stream->next_out = (unsigned char *)gzip->piece;
    stream->avail_out = PIECE_BYTES;
    result = inflate(stream, Z_NO_FLUSH);
    gzip->between = result == Z_STREAM_END;
    gzip->len = PIECE_BYTES - stream->avail_out;
    gzip->damaged = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
    return !gzip->damaged && (gzip->len > 0 || gzip->between);
}

kube__http_verdict
kube__gzip_feed(kube__gzip *gzip, const char *data, size_t len,
                kube__http_verdict (*give)(void *arg, const char *data, size_t len), void *arg)
{
    z_stream *stream = &gzip->stream;
    size_t known = gzip->skip < len ? gzip->skip : len;
    stream->next_in = (unsigned char *)(uintptr_t)(data + known);
    stream->avail_in = (unsigned)(len - known);
    do {
        kube__http_verdict verdict = KUBE__HTTP_TAKEN;
        if (gzip->len > 0)
            verdict = give(arg, gzip->piece, gzip->len);
        if (verdict == KUBE__HTTP_FULL && known == len)
            return verdict; /* none of them was new */
        if (verdict == KUBE__HTTP_FULL)
            gzip->skip = len - stream->avail_in;
        if (verdict != KUBE__HTTP_TAKEN)
            return verdict;
        gzip->len = 0;
    } while (unpack(gzip));
    gzip->skip -= known;
    return gzip->damaged ? KUBE__HTTP_STOP : KUBE__HTTP_TAKEN;
}

bool kube__gzip_is_damaged(const kube__gzip *gzip)
{
    return gzip->damaged;
}

bool kube__gzip_is_whole(const kube__gzip *gzip)
{
    return gzip->between;
}
