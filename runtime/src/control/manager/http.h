/* SPDX-License-Identifier: Apache-2.0 */
/* A small HTTP server for the manager's pages. Only this file uses libmicrohttpd. */
#ifndef KUBE_CONTROL_HTTP_H
#define KUBE_CONTROL_HTTP_H

#include "serving_cert.h"

#include <kube/ctx.h>

typedef struct kube__http kube__http;

typedef struct kube__http_server_request {
    const char *verb;          /* "get" or "head" */
    const char *path;          /* "/healthz/ping", without the query */
    const char *query;         /* for kube__query_next() */
    const char *accept;        /* the header; "" = none */
    const char *authorization; /* likewise */
} kube__http_server_request;

/* Of 200 and text/plain unless a handler says otherwise. */
typedef struct kube__http_answer {
    int status;
    const char *content_type;
    const char *body; /* in the ctx, or static; NULL = out of memory, which is answered as 500 */
} kube__http_answer;

/* Answers a GET or HEAD; other methods, and on loopback other Hosts than this machine, do not come
 * so far. Several may run at once, each on a thread with a ctx of its own. */
typedef void kube__http_handler(void *arg, kube_ctx *ctx, const kube__http_server_request *request,
                                kube__http_answer *answer);

typedef struct kube__http_options {
    /* Where to listen: "host:port", "[v6]:port" or ":port" (all interfaces); port 0 = a free one.
     */
    const char *address;
    const char *what; /* names it in errors: the option that the address came from */
    kube__http_handler *handler;
    void *arg;
    kube__serving_cert *certificate; /* for TLS, borrowed; NULL = plain HTTP */
    kube_clock *clock;               /* of connections that take too long; NULL = the machine's */
} kube__http_options;

/* The number of connections, the size of a request and the time for it are bounded. A connection
 * too many takes the place of the one whose peer is waited for longest. */
KUBE__CHECKED kube_code kube__http_start(const kube__http_options *options, kube__http **out,
                                         kube_error *err);
/* Waits for handlers that run, joins all threads. NULL allowed. */
void kube__http_stop(kube__http *http);
/* Where it listens: "127.0.0.1:41235". */
const char *kube__http_address(const kube__http *http);

#endif /* KUBE_CONTROL_HTTP_H */
