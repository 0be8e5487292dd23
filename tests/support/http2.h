/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As much of HTTP/2 as the scripted server needs: it reads requests one after the other, in the
 * order in which they are complete, and sends answers that were written for HTTP/1.1.
 */
#ifndef TESTS_SUPPORT_HTTP2_H
#define TESTS_SUPPORT_HTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct http2 {
    void *arg;
    ssize_t (*receive)(void *arg, char *to, size_t size);
    bool (*send)(void *arg, const char *bytes, size_t len);
    uint32_t stream; /* of the request that was read last */
} http2;

enum { HTTP2_REFUSED_STREAM = 7 };

/* The preface and the settings. Returns false when the client left, as below. */
bool http2_greet(http2 *h);
/* Waits for a request; gives its body, NUL-terminated, or NULL. Its head is not decoded. */
char *http2_read_request(http2 *h);
/* Answers the last request with @text, "HTTP/1.1 200 OK\r\n…"; nothing when @text is empty. */
bool http2_answer(http2 *h, const char *text, size_t len);
/* RST_STREAM for the last request. */
bool http2_reset_stream(http2 *h, uint32_t error);
bool http2_goaway(http2 *h, uint32_t last_stream);

#endif /* TESTS_SUPPORT_HTTP2_H */
