/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

/* The real server's: it cares for time more than for bytes. */
enum { LEVEL = 1, WINDOW_BITS = 15, GZIP_FORMAT = 16, MEMORY_LEVEL = 8 };

struct kube__api_gzip {
    z_stream stream;
    bool last;
    bool flushed; /* all of the data has been read, but not yet the member's end */
    bool ended;   /* the member's end has been read */
};

kube__api_gzip *kube__api_gzip_new(void)
{
    kube__api_gzip *gzip = calloc(1, sizeof *gzip);
    if (!gzip)
        return NULL;
    if (deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, WINDOW_BITS + GZIP_FORMAT, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        free(gzip);
        return NULL;
    }
    return gzip;
}

void kube__api_gzip_free(kube__api_gzip *gzip)
{
    if (!gzip)
        return;
    deflateEnd(&gzip->stream);
    free(gzip);
}

void kube__api_gzip_feed(kube__api_gzip *gzip, const char *data, size_t len, bool last)
{
    if (gzip->ended)
        deflateReset(&gzip->stream);
    gzip->ended = false;
    gzip->flushed = false;
    gzip->stream.next_in = (Bytef *)(uintptr_t)data;
    gzip->stream.avail_in = (uInt)len;
    gzip->last = last;
}

size_t kube__api_gzip_read(kube__api_gzip *gzip, char *out, size_t size)
{
    size_t room = size < UINT_MAX ? size : UINT_MAX;
    if (gzip->ended || (!gzip->stream.avail_in && !gzip->last))
        return 0;
    gzip->stream.next_out = (Bytef *)out;
    gzip->stream.avail_out = (uInt)room;
    /* Data and the end of the member are in blocks of their own: Go's reader holds back a last
     * block until it knows what follows the member, which in a watch comes with the next event. */
    if (!gzip->flushed) {
        deflate(&gzip->stream, gzip->last ? Z_SYNC_FLUSH : Z_NO_FLUSH);
        gzip->flushed = gzip->last && gzip->stream.avail_out > 0;
    }
    /* It fails only when it can do nothing, which is what 0 says. */
    if (gzip->flushed && deflate(&gzip->stream, Z_FINISH) == Z_STREAM_END)
        gzip->ended = true;
    return room - gzip->stream.avail_out;
}
