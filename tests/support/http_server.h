/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An HTTP(S) server on the loopback address that does what a test's script says, faults included,
 * and records what it was asked. Nothing in it sleeps: it waits for requests, for further script,
 * or for the test. Any failure of its own aborts the program.
 */
#ifndef TESTS_SUPPORT_HTTP_SERVER_H
#define TESTS_SUPPORT_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct http_server http_server;

typedef struct http_server_options {
    const char *certificate; /* PEM; NULL = plain HTTP */
    const char *key;
    const char *client_ca; /* PEM; clients must have a certificate of it; NULL = none needed */
    bool http2;            /* with a certificate: HTTP/2 and nothing else */
    bool stall_handshake;  /* accepts, but never answers the client's first TLS record */
} http_server_options;

/* NULL = plain HTTP. */
http_server *http_server_start(const http_server_options *options);
/* Ends every connection, joins every thread. */
void http_server_free(http_server *server);
/* "http://127.0.0.1:PORT" or "https://127.0.0.1:PORT". */
const char *http_server_url(const http_server *server);
int http_server_port(const http_server *server);

/* What happens after a reply's bytes were sent. */
typedef enum http_then {
    HTTP_KEEP,  /* the next request on this connection */
    HTTP_CLOSE, /* an orderly end */
    HTTP_RESET, /* RST */
    HTTP_STALL, /* silence, the connection open, until the client leaves or the server is freed */
    HTTP_HOLD,  /* the connection is the test's, see http_server_hold_* */
    /* HTTP/2 only: */
    HTTP_REFUSE,         /* RST_STREAM REFUSED_STREAM for the request, then the next one */
    HTTP_GOAWAY,         /* GOAWAY: the request is the last that counts; then an orderly end */
    HTTP_GOAWAY_STALL,   /* the same, then silence */
    HTTP_GOAWAY_REFUSED, /* the same, but the request before this one is the last */
} http_then;

/*
 * Adds a reply to the script: requests take them in the order they arrive, and wait when there is
 * none yet. A complete answer with Content-Length; @headers are further "Name: value\r\n" lines, or
 * NULL; @body NULL = none.
 */
void http_server_reply(http_server *server, int status, const char *headers, const char *body);
/* A 200 with that Content-Type. */
void http_server_reply_json(http_server *server, const char *body);
/* Bytes as they are, then what @then says. */
void http_server_reply_raw(http_server *server, const char *bytes, size_t len, http_then then);
/* A 200 application/json in chunks of @chunk bytes (0 = one), with or without the last chunk. */
void http_server_reply_chunked(http_server *server, const char *body, size_t len, size_t chunk,
                               http_then then);
/* The head of a chunked 200; the body is sent by http_server_hold_chunk(). */
void http_server_reply_held(http_server *server);
/* The connection is reset as soon as a request came. */
void http_server_reply_reset(http_server *server);

/* Waits until a connection is held. */
void http_server_hold_wait(http_server *server);
void http_server_hold_chunk(http_server *server, const char *text);
/* Lets the held connection go on as @then says, after the last chunk if @then is HTTP_KEEP. */
void http_server_hold_end(http_server *server, http_then then);

/* Requests so far. */
size_t http_server_count(http_server *server);
/* Waits until there were that many. */
void http_server_wait(http_server *server, size_t count);
/* Request @index from 0, head and body, NUL-terminated; valid until the server is freed. */
const char *http_server_request(http_server *server, size_t index);
/* Common name of the certificate that the client showed for request @index; "" = none. */
const char *http_server_client(http_server *server, size_t index);
/* Connections accepted so far. */
size_t http_server_connections(http_server *server);
/* Waits until @count connections were accepted. */
void http_server_wait_connections(http_server *server, size_t count);
/* Waits until no connection is open: every client has left. */
void http_server_wait_idle(http_server *server);
/* Bytes of replies the kernel has taken so far. */
size_t http_server_sent(http_server *server);

/* An address where connections are refused, until closed. */
typedef struct http_nowhere {
    int fd;
    int port;
    int fill[64]; /* connections that fill a queue */
    size_t fill_count;
} http_nowhere;
void http_nowhere_refuse(http_nowhere *nowhere);
/* One where they come about, and nobody reads from them. */
void http_nowhere_ignore(http_nowhere *nowhere);
/* One where the first packet of a connection is dropped: it never comes about. */
void http_nowhere_blackhole(http_nowhere *nowhere);
void http_nowhere_close(http_nowhere *nowhere);

#endif /* TESTS_SUPPORT_HTTP_SERVER_H */
