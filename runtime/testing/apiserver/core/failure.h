/* SPDX-License-Identifier: Apache-2.0 */
/* Why a request is refused: what becomes the server's Status answer. NULL stands for success. */
#ifndef KUBE_APISERVER_FAILURE_H
#define KUBE_APISERVER_FAILURE_H

#include "apiserver/value/json.h"

typedef struct kube__api_cause {
    const char *reason; /* "FieldValueInvalid"; NULL = left out */
    const char *message;
    const char *field; /* "spec.ports[0].port"; NULL = left out */
    struct kube__api_cause *next;
} kube__api_cause;

typedef struct kube__api_causes {
    kube_ctx *ctx; /* what they live in */
    kube__api_cause *first;
    kube__api_cause *last;
    size_t count;
    size_t bytes; /* of all texts */
} kube__api_causes;

typedef struct kube__api_failure {
    int http_status;
    const char *reason; /* "NotFound"; "" = left out */
    const char *message;
    bool plain_text;  /* the answer is the message as text/plain, no Status */
    bool has_details; /* a details member is sent, be it empty */
    const char *name; /* of details, as are the next four; NULL = left out */
    const char *group;
    const char *kind; /* the resource for most reasons, the Kind for Invalid */
    const char *uid;
    kube__api_causes causes;
    int retry_after_s;          /* header and details; 0 = neither */
    const char *continue_token; /* of an expired list; may be NULL */
} kube__api_failure;

/* Never NULL: if out of memory, a constant 500, or 504 for a request that took too many steps. */
kube__api_failure *kube__api_fail(kube_ctx *ctx, int http_status, const char *reason,
                                  const char *format, ...) KUBE_PRINTF(4, 5);
kube__api_failure *kube__api_fail_no_memory(void);
/* NULL unless the ctx has failed, or the request has taken too many steps. */
kube__api_failure *kube__api_check_memory(kube_ctx *ctx);

/* 404 `networks.samplecrd.k8s.io "a" not found`. */
kube__api_failure *kube__api_not_found(kube_ctx *ctx, const char *group, const char *resource,
                                       const char *name);
/* 404 of a path, and 405 of a method on one. */
kube__api_failure *kube__api_no_resource(kube_ctx *ctx);
kube__api_failure *kube__api_no_method(kube_ctx *ctx);
/* 409 AlreadyExists. */
kube__api_failure *kube__api_already_exists(kube_ctx *ctx, const char *group, const char *resource,
                                            const char *name);
/* 409 Conflict `Operation cannot be fulfilled on …: @why`. */
kube__api_failure *kube__api_conflict(kube_ctx *ctx, const char *group, const char *resource,
                                      const char *name, const char *why);
/* 400 BadRequest. */
kube__api_failure *kube__api_bad_request(kube_ctx *ctx, const char *format, ...) KUBE_PRINTF(2, 3);
/* 422 Invalid of a Kind, with its causes; the message is made of them as the real one is. */
kube__api_failure *kube__api_invalid(kube_ctx *ctx, const char *group, const char *kind,
                                     const char *name, const kube__api_causes *causes);

/* Adds a cause, unless out of memory: @reason is a FieldValue… constant, the message is formatted.
 */
void kube__api_add_cause(kube__api_causes *causes, const char *reason, const char *field,
                         const char *format, ...) KUBE_PRINTF(4, 5);

/* The real server tells of each and runs out of memory. Whether so much has been told that a last
 * cause, which this adds, says so; nothing more will be added. Ask before making long texts. */
bool kube__api_causes_full(kube__api_causes *causes);

/* {kind: Status, …, status: Success}: what a delete answers, but for its details. */
kube__json *kube__api_success(kube_ctx *ctx);
/* The Status document, in the real one's key order. */
kube__json *kube__api_failure_status(kube_ctx *ctx, const kube__api_failure *failure);

#endif /* KUBE_APISERVER_FAILURE_H */
