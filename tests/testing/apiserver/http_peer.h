/* SPDX-License-Identifier: Apache-2.0 */
/* A client that says exactly what it is told, byte for byte; a failure is the test's. */
#ifndef TESTS_TESTING_HTTP_PEER_H
#define TESTS_TESTING_HTTP_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct http_peer {
    int fd;
    char *data; /* received and not taken yet */
    size_t len;
    size_t size;
} http_peer;

typedef struct http_answer {
    int status;
    char *head; /* all of it, NUL-terminated */
    char *body; /* without the framing, NUL-terminated */
    size_t len;
} http_answer;

http_peer http_connect(uint16_t port);
void http_close(http_peer *peer);
void http_send(http_peer *peer, const char *text);
void http_send_bytes(http_peer *peer, const void *data, size_t len);
/* The next answer, whole. @to_head: it has no body for its request was HEAD. */
http_answer http_read(http_peer *peer, bool to_head);
/* The head of an answer whose body comes in chunks. */
http_answer http_read_head(http_peer *peer);
/* The next chunk's bytes, NUL-terminated and the caller's; "" for the last. */
char *http_read_chunk(http_peer *peer, size_t *len);
/* Whether the other end closes now, without another byte. */
bool http_is_closed(http_peer *peer);
void http_free(http_answer *answer);

/* Sends a request without a body and reads the answer. */
http_answer http_get(http_peer *peer, const char *target, const char *headers);
/* The header's value, or NULL; it is allocated. Case of @name as sent. */
char *http_header(const http_answer *answer, const char *name);

#endif /* TESTS_TESTING_HTTP_PEER_H */
