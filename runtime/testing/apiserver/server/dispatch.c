/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch.h"

#include "apiserver/auth/auth.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/fault.h"
#include "apiserver/core/request.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/registry/registry.h"
#include "apiserver/value/pretty.h"
#include "apiserver/value/steps.h"
#include "apiserver/verbs/handle.h"
#include "apiserver/watch/watch.h"
#include "base/ctx.h"
#include "base/text.h"
#include "call_log.h"

#include <string.h>

static kube__api_failure *unauthorized(kube_ctx *ctx)
{
    return kube__api_fail(ctx, 401, "Unauthorized", "Unauthorized");
}

static kube__api_failure *authenticate(kube_apiserver *server, kube__api_request *request,
                                       const kube__api_peer *peer)
{
    static const char *const none[] = {NULL};
    request->user = (kube__api_user){.name = "", .uid = "", .groups = none};
    /* A good token makes up for a bad certificate. */
    if (peer->refused && !*kube__api_header(request, "authorization"))
        return unauthorized(request->ctx);
    return kube__api_authenticate(server, request, peer->common_name, peer->organizations,
                                  peer->fingerprint);
}

/* ---- faults --------------------------------------------------------------------------------- */

static kube__api_failure *status_fault(kube_ctx *ctx, int http_status)
{
    static const struct {
        int http_status;
        const char *reason;
        const char *message;
    } known[] = {
        {400, "BadRequest", "the server rejected our request for an unknown reason"},
        {401, "Unauthorized", "Unauthorized"},
        {404, "NotFound", "the server could not find the requested resource"},
        {409, "Conflict", "the server reported a conflict"},
        {410, "Expired", "The resourceVersion for the provided watch is too old."},
        {429, "TooManyRequests", "Too many requests, please try again later."},
        {500, "InternalError", "Internal error occurred: a fault was asked for"},
        {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
        {504, "Timeout", "Timeout: request did not complete within the allotted timeout"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].http_status == http_status)
            return kube__api_fail(ctx, http_status, known[i].reason, "%s", known[i].message);
    return kube__api_fail(ctx, http_status, "", "a fault was asked for");
}

/* The answer that is given instead of handling the request, NULL = handle it. */
static kube__api_failure *fault_answer(kube_ctx *ctx, const kube__api_fault *fault,
                                       kube__api_response *response)
{
    kube__api_failure *failure;
    switch (fault->kind) {
    case KUBE_FAULT_STATUS:
    case KUBE_FAULT_TEXT:
        failure = status_fault(ctx, fault->http_status);
        failure->plain_text = fault->kind == KUBE_FAULT_TEXT;
        if (fault->retry_after_s > 0)
            failure->retry_after_s = fault->retry_after_s;
        else if (fault->retry_after_s == 0)
            kube__api_add_header(response, "Retry-After", "0");
        return failure;
    case KUBE_FAULT_UNAUTHORIZED:
        return unauthorized(ctx);
    case KUBE_FAULT_GONE:
        return kube__api_fail(ctx, 410, "Expired",
                              "The provided continue parameter is too old to display a consistent "
                              "list result. You can start a new list without the continue "
                              "parameter.");
    default:
        return NULL;
    }
}

/* What faults make of a request: an answer, or NULL to handle it. */
static kube__api_failure *meet_faults(kube_apiserver *server, kube__api_request *request,
                                      const char *target, kube__api_response *response)
{
    kube__api_fault_place place;
    kube__api_fault fault;
    if (!kube__api_faults_any(server->faults))
        return NULL;
    place = (kube__api_fault_place){
        .verb = kube__api_call_verb(request),
        .resource = request->plural,
        .subresource = request->subresource,
        .namespace_ = request->namespace_,
        .name = kube__api_call_name(request),
        .path = target,
    };
    if (!kube__api_faults_on_request(server->faults, &place, &fault))
        return NULL;
    response->renew_certificate = fault.kind == KUBE_FAULT_CERTIFICATE;
    response->drop = fault.kind == KUBE_FAULT_DROP;
    return fault_answer(request->ctx, &fault, response);
}

/* ---- the answer's form ---------------------------------------------------------------------- */

static bool wants_pretty(const kube__api_request *request)
{
    static const char *const truths[] = {"1", "t", "T", "true", "TRUE", "True", NULL};
    const char *asked = kube__api_query(request, "pretty");
    const char *agent = kube__api_header(request, "user-agent");
    if (*asked)
        return kube__api_is_one_of(asked, truths);
    return kube__text_starts_with(agent, "curl") || kube__text_starts_with(agent, "Wget") ||
           kube__text_starts_with(agent, "Mozilla/5.0");
}

/* Out of memory the answer stays as it is: what it tells of has been done. */
static void make_pretty(kube__api_response *response)
{
    kube__buffer text;
    if (response->body.failed)
        return;
    kube__buffer_init(&text, SIZE_MAX / 4);
    kube__api_pretty(response->body.data, response->body.len, &text);
    if (text.failed) {
        kube__buffer_fini(&text);
        return;
    }
    kube__buffer_fini(&response->body);
    response->body = text;
}

static void finish(kube__api_request *request, kube__api_response *response)
{
    if (response->may_pretty && !response->watch && wants_pretty(request))
        make_pretty(response);
    if (response->body.failed)
        kube__api_respond_no_memory(response);
    if (response->body.failed)
        response->drop = true;
    if (response->drop && response->watch) {
        kube__api_watch_free(response->watch);
        response->watch = NULL;
    }
}

/* What the real server finds out before it reads the body counts first. */
static kube__api_failure *refuse_body(kube_apiserver *server, kube__api_request *request,
                                      const kube__api_message *message)
{
    static const char *const readers[] = {"create", "update",           "patch",
                                          "delete", "deletecollection", NULL};
    kube__api_failure *failure;
    if (!kube__api_is_one_of(request->verb, readers) ||
        !kube__api_registry_find(server->registry, request->group, request->version,
                                 request->plural))
        return NULL;
    failure = kube__api_authorize(server, request);
    if (failure)
        return failure;
    if (message->body_is_broken)
        return kube__api_fail(request->ctx, 500, "", "malformed chunked encoding");
    return kube__api_fail(request->ctx, 413, "RequestEntityTooLarge",
                          "Request entity too large: limit is %zu", KUBE__API_MAX_BODY);
}

static void limit(const kube__api_request *request)
{
    static const char *const writers[] = {"POST", "PUT", "PATCH", NULL};
    bool writes = kube__api_is_one_of(request->method, writers);
    kube__ctx_set_limit(request->ctx, writes ? KUBE__API_MAX_MEMORY : 0);
    kube__api_steps_begin(strcmp(request->method, "DELETE") == 0 ? 0 : KUBE__API_MAX_STEPS);
}

void kube__api_dispatch(kube_apiserver *server, kube__api_request *request,
                        const kube__api_message *message, kube__api_response *response)
{
    limit(request);
    kube__api_failure *failure = kube__api_request_parse(request, message->target);
    uint64_t call = 0;
    kube__lock(&server->lock);
    if (!failure) {
        failure = authenticate(server, request, message->peer);
        if (failure && failure->http_status != 401)
            kube__api_add_header(response, "X-Content-Type-Options", "nosniff");
        call = kube__api_call_log_begin(server->calls, request);
        if (!failure)
            failure = meet_faults(server, request, message->target, response);
        if (!failure && (message->body_too_large || message->body_is_broken))
            failure = refuse_body(server, request, message);
    }
    if (failure)
        kube__api_respond_failure(request->ctx, response, failure);
    else
        kube__api_handle(server, request, response);
    kube__unlock(&server->lock);
    kube__api_steps_begin(0);
    finish(request, response);
    if (call && !response->drop)
        kube__api_call_log_end(server->calls, call, response->http_status,
                               kube__api_call_name(request));
}

bool kube__api_dispatch_health(kube__api_request *request, const kube__api_message *message,
                               kube__api_response *response)
{
    static const char *const credentials[] = {"authorization", "impersonate-user"};
    for (size_t i = 0; i < sizeof credentials / sizeof *credentials; i++)
        if (*kube__api_header(request, credentials[i]))
            return false;
    if (strrchr(message->target, '/') !=
        message->target) /* what is below it is not for everybody */
        return false;
    return !message->peer->refused && !kube__api_request_parse(request, message->target) &&
           strcmp(request->method, "GET") == 0 && kube__api_health(request, response);
}
