/* SPDX-License-Identifier: Apache-2.0 */
/* A small HTTP server for the manager's pages. Only this file uses libmicrohttpd. */
#ifndef KUBE_CONTROL_HTTP_H
#define KUBE_CONTROL_HTTP_H

#include <kube/ctx.h>

typedef struct kube__http kube__http;

typedef struct kube__http_server_request {
    const char *path; /* "/healthz/ping", without the query */
    const char *(*parameter)(const void *of,
                             const char *name); /* NULL = not given; "" = no value */
    /* The same of the parameters of that name, from 0. */
    const char *(*parameter_at)(const void *of, const char *name, size_t index);
    const void *of;
    const char *accept; /* the header; "" = none */
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

/*
 * Listens on "host:port", "[v6]:port" or ":port" (all interfaces); port 0 = a free one. The number
 * of connections, the size of a request and idle time are bounded. @what names it in errors: the
 * option that the address came from.
 */
KUBE__CHECKED kube_code kube__http_start(const char *address, const char *what,
                                         kube__http_handler *handler, void *arg, kube__http **out,
                                         kube_error *err);
/* The same with another clock for connections that take too long; for tests. */
KUBE__CHECKED kube_code kube__http_start_by(kube_clock *clock, const char *address,
                                            const char *what, kube__http_handler *handler,
                                            void *arg, kube__http **out, kube_error *err);
/* Waits for handlers that run, joins all threads. NULL allowed. */
void kube__http_stop(kube__http *http);
/* Where it listens: "127.0.0.1:41235". */
const char *kube__http_address(const kube__http *http);

#endif /* KUBE_CONTROL_HTTP_H */
