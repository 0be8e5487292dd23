/* SPDX-License-Identifier: Apache-2.0 */
#include "api_kit.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/server/dispatch.h"
#include "apiserver/watch/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WATCH_ROOM = 4096, MAX_READS = 1 << 16 };

static const char crd[] =
    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
    "\"metadata\":{\"name\":\"gadgets.example.com\"},\"spec\":{\"group\":\"example.com\","
    "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"gadgets\",\"kind\":\"Gadget\"},"
    "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{"
    "\"status\":{},\"scale\":{\"specReplicasPath\":\".spec.n\",\"statusReplicasPath\":"
    "\".status.n\",\"labelSelectorPath\":\".status.s\"}},\"additionalPrinterColumns\":["
    "{\"name\":\"P\",\"type\":\"string\",\"jsonPath\":\".spec.ports[*].name\"}],"
    "\"selectableFields\":[{\"jsonPath\":\".spec.s\"}],\"schema\":{\"openAPIV3Schema\":{"
    "\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{"
    "\"n\":{\"type\":\"integer\",\"minimum\":0,\"multipleOf\":1,\"default\":1},"
    "\"s\":{\"type\":\"string\",\"pattern\":\"^(a|b)*$\",\"maxLength\":20},"
    "\"d\":{\"type\":\"string\",\"format\":\"date-time\"},\"e\":{\"enum\":[\"a\",1,null],"
    "\"type\":\"string\",\"nullable\":true},\"x\":{\"x-kubernetes-int-or-string\":true},"
    "\"any\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true},"
    "\"in\":{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true,"
    "\"x-kubernetes-preserve-unknown-fields\":true},"
    "\"map\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}},"
    "\"set\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":"
    "\"string\"}},\"ports\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\","
    "\"x-kubernetes-list-map-keys\":[\"port\"],\"items\":{\"type\":\"object\",\"required\":["
    "\"port\"],\"properties\":{\"port\":{\"type\":\"integer\"},\"name\":{\"type\":\"string\"}}}"
    "}}},\"status\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},"
    "\"s\":{\"type\":\"string\"}}}}}}}]}}";

static void ignore_duplicate(void *arg, const char *path, const char *key)
{
    (void)arg, (void)path, (void)key;
}

kube__json *fuzz_parse(kube_ctx *ctx, const char *text, size_t len)
{
    const char *fault = NULL;
    kube__json *value = kube__json_parse(ctx, text, len, &fault, ignore_duplicate, NULL);
    must(kube_ctx_failed(ctx) || (value != NULL) == (fault == NULL),
         "no JSON and no fault, or both");
    return value;
}

void fuzz_same_again(kube_ctx *ctx, const kube__json *value)
{
    size_t len;
    const char *text = kube__json_text(ctx, value, &len);
    kube__json *again = text ? fuzz_parse(ctx, text, len) : NULL;
    must(again && kube__json_equal(value, again), "another value when written and read");
}

kube_apiserver *fuzz_server(void)
{
    const kube_apiserver_options options = {.seed = 1, .history = 8, .call_limit = 4};
    kube_apiserver *server;
    kube_error err;
    must(kube_apiserver_start(&options, &server, &err) == KUBE_OK, "the server does not start");
    must(kube_apiserver_load(server, crd, strlen(crd), &err) == KUBE_OK, err.message);
    return server;
}

static void check_answer(kube_ctx *ctx, kube__api_response *response)
{
    const char *type = response->content_type;
    must(!response->body.failed && !kube_ctx_failed(ctx), "out of memory");
    must(response->http_status >= 200 && response->http_status < 600, "no status");
    if (response->watch) {
        char room[WATCH_ROOM];
        for (int i = 0; kube__api_watch_read(response->watch, room, sizeof room) > 0; i++)
            must(i < MAX_READS, "a watch without an end");
        kube__api_watch_free(response->watch);
    } else if (!type || strncmp(type, "application/json", 16) == 0) {
        bool fine = !response->body.len || fuzz_parse(ctx, response->body.data, response->body.len);
        if (!fine)
            fprintf(stderr, "%.*s\n", (int)response->body.len, response->body.data);
        must(fine, "the answer is no JSON");
    }
}

int fuzz_ask(kube_apiserver *server, kube__api_request *request, const char *target)
{
    static const char *const nobody[] = {NULL};
    const kube__api_peer peer = {.organizations = nobody};
    const kube__api_message message = {.target = target, .peer = &peer};
    kube__api_response response;
    int status;
    kube__api_response_init(&response);
    kube__api_dispatch(server, request, &message, &response);
    check_answer(request->ctx, &response);
    status = response.http_status;
    kube__api_response_fini(&response);
    return status;
}

int fuzz_send(kube_apiserver *server, const char *method, const char *target, const char *type,
              fuzz_text body)
{
    const kube__api_pair headers[] = {{"content-type", type ? type : "application/json"}};
    kube_ctx *ctx = kube_ctx_new();
    char *text = copy_part(body);
    kube__api_request request = {
        .ctx = ctx,
        .method = method,
        .headers = {headers, 1},
        .body = text,
        .body_len = body.len,
    };
    must(ctx != NULL, "out of memory");
    int status = fuzz_ask(server, &request, target);
    free(text);
    kube_ctx_free(ctx);
    return status;
}
