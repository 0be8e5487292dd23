/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to an API server without a connection: as its transport hands them on. */
#ifndef TESTS_TESTING_DISPATCH_KIT_H
#define TESTS_TESTING_DISPATCH_KIT_H

#include "apiserver/auth/auth.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/server/dispatch.h"
#include "support/suite.h"

#include <kube/kube.h>
#include <kube/testing/apiserver.h>
#include <string.h>

typedef struct api_kit {
    kube_apiserver *server;
    kube_ctx *ctx;
    kube__api_response response; /* of the last call */
} api_kit;

typedef struct api_call {
    const char *token; /* NULL = none; "admin" and "user" are those of the kubeconfig */
    const char *method;
    const char *path;
    const char *body; /* NULL = none */
    kube__api_pair headers[6];
    const char *common_name; /* of a client certificate */
    const char *const *organizations;
} api_call;

static inline void kit_start(api_kit *kit, const kube_apiserver_options *options)
{
    kube_error err = {0};
    *kit = (api_kit){.ctx = kube_ctx_new()};
    kube__api_response_init(&kit->response);
    ck_assert_msg(kube_apiserver_start(options, &kit->server, &err) == KUBE_OK, "%s", err.message);
}

static inline void kit_stop(api_kit *kit)
{
    kube__api_response_fini(&kit->response);
    kube_apiserver_stop(kit->server);
    kube_ctx_free(kit->ctx);
}

static inline const char *kit_token(const api_kit *kit, const char *token)
{
    if (strcmp(token, "admin") == 0)
        return kube__api_authority_admin_token(kit->server->authority);
    if (strcmp(token, "user") == 0)
        return kube__api_authority_user_token(kit->server->authority);
    return token;
}

static inline size_t kit_headers(api_kit *kit, const api_call *call, kube__api_pair *out)
{
    size_t count = 0;
    if (call->token)
        out[count++] = (kube__api_pair){
            "authorization", kube_printf(kit->ctx, "Bearer %s", kit_token(kit, call->token))};
    for (size_t i = 0; i < 6 && call->headers[i].key; i++)
        out[count++] = call->headers[i]; /* of two the first counts */
    if (call->body)
        out[count++] = (kube__api_pair){"content-type", "application/json"};
    out[count++] = (kube__api_pair){"user-agent", "test/1"};
    return count;
}

/* The status of the answer, which kit->response is. */
static inline int kit_call(api_kit *kit, api_call call)
{
    kube__api_pair *headers = kube_ctx_alloc_array(kit->ctx, 9, sizeof *headers);
    kube__api_request request = {.ctx = kit->ctx,
                                 .method = call.method ? call.method : "GET",
                                 .body = call.body ? call.body : "",
                                 .body_len = call.body ? strlen(call.body) : 0};
    const kube__api_peer peer = {.common_name = call.common_name,
                                 .organizations = call.organizations};
    const kube__api_message message = {.target = call.path, .peer = &peer};
    request.headers.items = headers;
    request.headers.len = kit_headers(kit, &call, headers);
    kube__api_response_fini(&kit->response);
    kube__api_response_init(&kit->response);
    kube__api_dispatch(kit->server, &request, &message, &kit->response);
    return kit->response.http_status;
}

static inline const char *kit_body(const api_kit *kit)
{
    return kit->response.body.data ? kit->response.body.data : "";
}

/* The document of the last answer. */
static inline kube__json *kit_json(api_kit *kit)
{
    kube__json *value =
        kube__json_parse(kit->ctx, kit_body(kit), strlen(kit_body(kit)), NULL, NULL, NULL);
    ck_assert_msg(value, "no JSON: %s", kit_body(kit));
    return value;
}

/* The text of the part of the last answer at a path. */
static inline const char *kit_at(api_kit *kit, const char *path)
{
    const char *text = kube__json_text(kit->ctx, kube__json_at(kit_json(kit), path), NULL);
    return text ? text : "";
}

static inline const char *kit_header(const api_kit *kit, const char *name)
{
    for (size_t i = 0; i < kit->response.header_count; i++) {
        if (strcmp(kit->response.headers[i].key, name) == 0)
            return kit->response.headers[i].value;
    }
    return "";
}

#endif /* TESTS_TESTING_DISPATCH_KIT_H */
