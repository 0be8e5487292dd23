/* SPDX-License-Identifier: Apache-2.0 */
#include "http2.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    DATA = 0,
    HEADERS = 1,
    RST_STREAM = 3,
    SETTINGS = 4,
    PING = 6,
    GOAWAY = 7,
    CONTINUATION = 9,
    END_STREAM = 1, /* of DATA and HEADERS */
    ACK = 1,        /* of SETTINGS and PING */
    END_HEADERS = 4,
    HEAD_BYTES = 9,
    MAX_FRAME = 16384,
    STATUS_INDEX = 8, /* ":status" in the static table */
};

typedef struct frame {
    size_t len;
    uint8_t type;
    uint8_t flags;
    uint32_t stream;
    char payload[MAX_FRAME];
} frame;

static void put32(char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (char)(value >> (24 - 8 * i));
}

static uint32_t get32(const char *from)
{
    const unsigned char *p = (const unsigned char *)from;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool send_frame(http2 *h, uint8_t type, uint8_t flags, uint32_t stream, const char *payload,
                       size_t len)
{
    char bytes[HEAD_BYTES + MAX_FRAME];
    put32(bytes, (uint32_t)len << 8 | type);
    bytes[4] = (char)flags;
    put32(bytes + 5, stream);
    if (len)
        memcpy(bytes + HEAD_BYTES, payload, len);
    return h->send(h->arg, bytes, HEAD_BYTES + len);
}

static bool receive_all(http2 *h, char *to, size_t len)
{
    while (len > 0) {
        ssize_t n = h->receive(h->arg, to, len);
        if (n <= 0)
            return false;
        to += n;
        len -= (size_t)n;
    }
    return true;
}

static bool read_frame(http2 *h, frame *f)
{
    char head[HEAD_BYTES];
    if (!receive_all(h, head, sizeof head))
        return false;
    f->len = get32(head) >> 8;
    f->type = (uint8_t)head[3];
    f->flags = (uint8_t)head[4];
    f->stream = get32(head + 5) & 0x7fffffff;
    return f->len <= sizeof f->payload && receive_all(h, f->payload, f->len);
}

bool http2_greet(http2 *h)
{
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    char text[sizeof preface - 1];
    return receive_all(h, text, sizeof text) && !memcmp(text, preface, sizeof text) &&
           send_frame(h, SETTINGS, 0, 0, NULL, 0);
}

char *http2_read_request(http2 *h)
{
    frame *f = malloc(sizeof *f);
    char *body = calloc(1, 1);
    size_t len = 0;
    bool done = false;
    while (f && body && !done) {
        if (!read_frame(h, f)) {
            free(body);
            body = NULL;
        } else if (f->type == SETTINGS && !(f->flags & ACK)) {
            send_frame(h, SETTINGS, ACK, 0, NULL, 0);
        } else if (f->type == PING && !(f->flags & ACK)) {
            send_frame(h, PING, ACK, 0, f->payload, f->len);
        } else if (f->type == HEADERS || f->type == DATA) {
            if (f->type == DATA) {
                body = realloc(body, len + f->len + 1);
                if (!body)
                    abort();
                memcpy(body + len, f->payload, f->len);
                len += f->len;
                body[len] = '\0';
            }
            h->stream = f->stream;
            done = f->flags & END_STREAM;
        }
    }
    free(f);
    return body;
}

/* A literal header field without indexing; @name NULL = ":status". */
static size_t put_header(char *to, const char *name, size_t name_len, const char *value,
                         size_t value_len)
{
    size_t len = 0;
    to[len++] = name ? 0 : STATUS_INDEX;
    if (name) {
        to[len++] = (char)name_len;
        for (size_t i = 0; i < name_len; i++)
            to[len++] = (char)tolower((unsigned char)name[i]);
    }
    to[len++] = (char)value_len;
    memcpy(to + len, value, value_len);
    return len + value_len;
}

bool http2_answer(http2 *h, const char *text, size_t len)
{
    char head[4096];
    size_t used;
    const char *line;
    const char *end = text + len;
    bool ok;
    if (!len)
        return true;
    used = put_header(head, NULL, 0, strchr(text, ' ') + 1, 3);
    for (line = strstr(text, "\r\n") + 2; strncmp(line, "\r\n", 2) != 0;
         line = strstr(line, "\r\n") + 2) {
        size_t name_len = strcspn(line, ":");
        const char *value = line + name_len + 2;
        used += put_header(head + used, line, name_len, value, strcspn(value, "\r"));
    }
    line += 2;
    ok =
        send_frame(h, HEADERS, END_HEADERS | (line == end ? END_STREAM : 0), h->stream, head, used);
    while (ok && line < end) {
        size_t part = (size_t)(end - line) < MAX_FRAME ? (size_t)(end - line) : MAX_FRAME;
        ok = send_frame(h, DATA, line + part == end ? END_STREAM : 0, h->stream, line, part);
        line += part;
    }
    return ok;
}

bool http2_reset_stream(http2 *h, uint32_t error)
{
    char payload[4];
    put32(payload, error);
    return send_frame(h, RST_STREAM, 0, h->stream, payload, sizeof payload);
}

bool http2_goaway(http2 *h, uint32_t last_stream)
{
    char payload[8] = {0};
    put32(payload, last_stream);
    return send_frame(h, GOAWAY, 0, 0, payload, sizeof payload);
}
