/* SPDX-License-Identifier: Apache-2.0 */
/* Requests by the server itself. */

#include "loopback.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/watch/watch.h"
#include "base/ctx.h"

#include <string.h>

static const char *const masters[] = {"system:masters", NULL};

static const char *text_or_null(const kube__json *object, const char *key)
{
    return kube__json_string_or(kube__json_get(object, key), NULL);
}

static void read_causes(const kube__json *details, kube__api_causes *causes)
{
    KUBE__JSON_EACH (cause, kube__json_get(details, "causes")) {
        kube__api_add_cause(causes, text_or_null(cause, "reason"), text_or_null(cause, "field"),
                            "%s", kube__json_string_at(cause, "message"));
    }
}

/* The failure that a Status answer tells of. */
static kube__api_failure *read_failure(kube_ctx *ctx, const kube__api_response *response)
{
    const char *text = response->body.data ? response->body.data : "";
    kube__json *status = kube__json_parse(ctx, text, response->body.len, NULL, NULL, NULL);
    kube__json *details = kube__json_get(status, "details");
    kube__api_failure *failure;
    int64_t retry_after = 0;
    if (!kube__json_is(status, KUBE__JSON_OBJECT)) {
        failure = kube__api_fail(ctx, response->http_status, "", "%s", text);
        failure->plain_text = true;
        return failure;
    }
    failure = kube__api_fail(ctx, response->http_status, kube__json_string_at(status, "reason"),
                             "%s", kube__json_string_at(status, "message"));
    failure->has_details = details != NULL;
    failure->name = text_or_null(details, "name");
    failure->group = text_or_null(details, "group");
    failure->kind = text_or_null(details, "kind");
    failure->uid = text_or_null(details, "uid");
    read_causes(details, &failure->causes);
    if (kube__json_to_int(kube__json_get(details, "retryAfterSeconds"), &retry_after))
        failure->retry_after_s = (int)retry_after;
    return failure;
}

static kube__json *read_answer(kube_ctx *ctx, const kube__api_response *response,
                               kube__api_failure **failure)
{
    kube__json *document = NULL;
    if (response->body.failed) {
        /* What was done may have been done: the outer request must not be told that it was not. */
        kube__ctx_fail(ctx, 0);
        *failure = kube__api_fail_no_memory();
    } else if (response->http_status / 100 != 2) {
        *failure = read_failure(ctx, response);
    } else {
        document = kube__json_parse(ctx, response->body.data, response->body.len, NULL, NULL, NULL);
        *failure = kube__api_check_memory(ctx);
    }
    return document;
}

kube__json *kube__api_loopback(kube_apiserver *server, kube_ctx *ctx, const char *method,
                               const char *path, const char *content_type, const kube__json *body,
                               kube__api_failure **failure)
{
    kube__api_pair headers[] = {
        {"user-agent", "kube-apiserver"},
        {"content-type", content_type ? content_type : "application/json"},
    };
    kube__api_request request = {
        .ctx = ctx,
        .method = method,
        .headers = {headers, sizeof headers / sizeof *headers},
        .body = "",
        .user = {.name = "system:apiserver", .uid = "", .groups = masters},
        .internal = true,
    };
    kube__api_response response;
    kube__json *document = NULL;
    if (kube_ctx_failed(ctx)) {
        *failure = kube__api_fail_no_memory();
        return NULL;
    }
    kube__api_response_init(&response);
    if (body)
        request.body = kube__json_text(ctx, body, &request.body_len);
    *failure = kube__api_request_parse(&request, path);
    if (!*failure) {
        server->handle(server, &request, &response);
        document = read_answer(ctx, &response, failure);
    }
    if (response.watch)
        kube__api_watch_free(response.watch);
    kube__api_response_fini(&response);
    return document;
}
