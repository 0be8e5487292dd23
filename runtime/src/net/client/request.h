/* SPDX-License-Identifier: Apache-2.0 */
/* Makes one REST call: sends it, repeats it where that is allowed (REQ-3, REQ-4), and decodes the
 * answer. */
#ifndef KUBE_NET_REQUEST_H
#define KUBE_NET_REQUEST_H

#include "client.h"
#include "net/config/url.h"

typedef struct kube__request {
    const char *method;
    kube__target target;
    const kube_type *input_type;  /* of the object that is sent; NULL = the target's */
    const kube_type *result_type; /* of the answer; NULL = the target's */
    const char *content_type;     /* NULL = no body */
    const char *body;
    size_t body_len;
    kube__buffer url; /* made with kube__url_start() */
} kube__request;

/*
 * Sends @request and waits, in the scope of @ctx. With @out the answer is an object of the result
 * type, given in @ctx and open to edits; without it the answer only has to be no failure.
 */
KUBE__CHECKED kube_code kube__request_send(kube_client *client, kube_ctx *ctx,
                                           const kube__request *request, kube_object **out,
                                           kube_error *err);

/* ---- shared with result streams -------------------------------------------------------------- */

/* The Authorization header of a call from one attempt to the next. At first it is all zero. */
typedef struct kube__authorization {
    const char *value; /* in the call's scratch context; NULL = none is sent */
    bool fresh;        /* not sent yet */
    bool renewed;      /* once a call */
} kube__authorization;

/* The headers of a request's next attempt, in @scratch, which ends with the call's timeout. */
KUBE__CHECKED kube_code kube__request_headers(kube_client *client, kube_ctx *scratch,
                                              const char *content_type,
                                              kube__authorization *authorization,
                                              const kube__http_header **out, size_t *count,
                                              kube_error *err);
/*
 * After an answer with @status that failed: a 401 is what other credentials may help against. Gets
 * them for the next attempt and returns whether there are some; *@rc and @err are the call's result
 * and stay, unless getting them fails.
 */
bool kube__request_renew(kube_client *client, kube_ctx *scratch, kube__authorization *authorization,
                         int status, kube_code *rc, kube_error *err);
/* Turns an answer that is not a success into an error: that of its Status, or one made from the
 * HTTP code. For a 403 the message says which right is missing. */
kube_code kube__request_failure(kube_ctx *scratch, const char *method, const kube__target *target,
                                const kube__http_head *head, const char *body, size_t len,
                                kube_error *err);
/* Whether a success answer says that it is JSON (REQ-6). */
KUBE__CHECKED kube_code kube__request_check_type(const char *method, const char *url,
                                                 const kube__http_head *head, kube_error *err);
/*
 * Whether to send again after @attempt attempts (from 1), and if so waits for it: KUBE_OK = again.
 * Anything else is the call's result: @rc itself, or what ended the ctx. @head NULL = no answer.
 */
kube_code kube__request_retry(kube_ctx *ctx, const char *method, const kube__http_head *head,
                              kube__http_loss loss, int attempt, kube_code rc, kube_error *err);

#endif /* KUBE_NET_REQUEST_H */
