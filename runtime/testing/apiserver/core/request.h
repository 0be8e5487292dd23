/* SPDX-License-Identifier: Apache-2.0 */
/* A request as it was understood, and the answer to it. */
#ifndef KUBE_APISERVER_REQUEST_H
#define KUBE_APISERVER_REQUEST_H

#include "pair.h"
#include "resource.h"

typedef struct kube__api_user {
    const char *name;          /* "system:anonymous" */
    const char *uid;           /* "" = none */
    const char *const *groups; /* NULL-terminated */
    const kube__json *extra;   /* object of string arrays, or NULL */
} kube__api_user;

typedef struct kube__api_request {
    kube_ctx *ctx;
    /* as sent */
    const char *method;
    const char *path;        /* decoded, without the query */
    const char *query_text;  /* without '?'; "" = none */
    kube__api_pairs query;   /* decoded, in the order sent */
    kube__api_pairs headers; /* names in lower case */
    const char *body;        /* "" = none */
    size_t body_len;
    /* as understood */
    const char *verb;  /* get list watch create update patch delete deletecollection; for
                          other paths the method in lower case, "get" */
    bool is_resource;  /* the path is below /api/V or /apis/G/V and names a resource */
    const char *group; /* these five are "" when the path has none */
    const char *version;
    const char *plural;
    const char *subresource;
    const char *namespace_;
    const char *name;
    kube__api_user user;
    const char *created; /* of a create that was understood: the object's name; else NULL */
    bool dry_run;
    bool internal; /* by the server itself: no authorization, nothing is recorded */
} kube__api_request;

/*
 * Sets what @target, "/path?query", says: all members from path to query_text, and those that are
 * understood but the user. ctx, method and headers are set already. Fails with 400 if @target is
 * malformed. Of /api/v1/namespaces/a (and …/a/status, …/a/finalize) the name is "a" and the
 * namespace "".
 */
kube__api_failure *kube__api_request_parse(kube__api_request *request, const char *target);

/* "" when absent. The first of that name. */
const char *kube__api_query(const kube__api_request *request, const char *name);
bool kube__api_query_is_true(const kube__api_request *request, const char *name);
const char *kube__api_header(const kube__api_request *request, const char *lower_name);

typedef struct kube__api_watch kube__api_watch; /* see watch.h */

/* Filled by the handler, sent by http.c. Everything lives in the request's ctx, but body. */
typedef struct kube__api_response {
    int http_status;
    const char *content_type; /* NULL = application/json, "" = none */
    kube__api_pair headers[64];
    size_t header_count;
    kube__buffer body;
    kube__api_watch *watch; /* not NULL: after the head, what it delivers is sent, chunked */
    bool drop;              /* close the connection without an answer */
    bool renew_certificate; /* for the connections that come */
    bool may_pretty;        /* a JSON body: pretty for ?pretty=true and curl */
} kube__api_response;

/* Made before, freed after: an empty one. */
void kube__api_response_init(kube__api_response *response);
void kube__api_response_fini(kube__api_response *response);

/* @value NULL: nothing is added. What does not fit is left out. */
void kube__api_add_header(kube__api_response *response, const char *name, const char *value);
/* A Warning header `299 - "text"`; the same text once only. */
void kube__api_warn(kube_ctx *ctx, kube__api_response *response, const char *format, ...)
    KUBE_PRINTF(3, 4);
void kube__api_respond_json(kube__api_response *response, int http_status,
                            const kube__json *document);
/* 500, in a text that needs no memory of the request; the body fails if it does not fit either. */
void kube__api_respond_no_memory(kube__api_response *response);
void kube__api_respond_failure(kube_ctx *ctx, kube__api_response *response,
                               const kube__api_failure *failure);

#endif /* KUBE_APISERVER_REQUEST_H */
