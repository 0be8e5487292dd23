/* SPDX-License-Identifier: Apache-2.0 */
/* Requests as they are written in a case, sent to one server with curl, and what came back. */
#ifndef TESTS_PARITY_EXCHANGE_H
#define TESTS_PARITY_EXCHANGE_H

#include "conformance/parity/server.h"

#include <kube/ctx.h>

enum { PARITY_HEADERS_MAX = 12 };

typedef struct parity_request {
    const char *method;
    const char *path; /* with the query */
    const char *as;   /* admin user cert anonymous, or a token; NULL = admin */
    const char *headers[PARITY_HEADERS_MAX]; /* "Name: value" */
    size_t header_count;
    const char *body; /* NULL = none */
    size_t events;    /* stop reading after so many lines, or PARITY_WATCH_MS; 0 = to the end */
} parity_request;

/* Headers of the same name are joined with a line break. */
typedef struct parity_response {
    int status;          /* 0 = no answer */
    const char *fault;   /* curl's, when there is no answer */
    const char *headers; /* "Name: value\n"…, names in lower case */
    const char *body;    /* unzipped; NUL-terminated */
    size_t body_len;
} parity_response;

/* A connection to one server, of one thread. */
typedef struct parity_connection parity_connection;

parity_connection *parity_connect(const parity_server *server);
void parity_disconnect(parity_connection *connection);
/* The answer lives in @ctx. */
void parity_send(parity_connection *connection, kube_ctx *ctx, const parity_request *request,
                 parity_response *response);
/* The value of a header, NULL when there is none. */
const char *parity_header(kube_ctx *ctx, const parity_response *response, const char *name);

/* A watch that is read in the background. */
typedef struct parity_watch parity_watch;

/* Returns once the head of the answer is there. */
parity_watch *parity_watch_start(const parity_server *server, const parity_request *request);
/* Waits until @count lines have come, the answer ends, or some seconds pass. */
void parity_watch_wait(parity_watch *watch, size_t count);
/* Ends and frees it. */
void parity_watch_stop(parity_watch *watch, kube_ctx *ctx, parity_response *response);

#endif /* TESTS_PARITY_EXCHANGE_H */
