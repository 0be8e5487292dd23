/* SPDX-License-Identifier: Apache-2.0 */
/* Objects on their way out, in the form that was asked for. */
#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/store/store.h"
#include "apiserver/value/yaml.h"
#include "verb.h"

static void send_tree(kube__api_work *work, int http_status, const kube__json *document)
{
    kube__api_response *response = work->response;
    if (work->media == KUBE__API_MEDIA_JSON) {
        kube__api_respond_json(response, http_status, document);
        return;
    }
    response->http_status = http_status;
    response->content_type = "application/yaml";
    kube__yaml_write(document, &response->body);
}

void kube__api_send_document(kube__api_work *work, int http_status, const kube__json *document)
{
    send_tree(work, http_status, document);
}

void kube__api_send(kube__api_work *work, int http_status, kube__json *document)
{
    kube_ctx *ctx = work->ctx;
    switch (work->view) {
    case KUBE__API_VIEW_TABLE:
        document = kube__api_table(ctx, work->request, work->resource, &document, 1, NULL, true,
                                   kube__api_now(work->server, ctx));
        break;
    case KUBE__API_VIEW_METADATA:
        document = kube__api_partial(ctx, document);
        break;
    case KUBE__API_VIEW_OBJECT:
        break;
    }
    send_tree(work, http_status, document);
}

void kube__api_send_object(kube__api_work *work, int http_status, const kube__api_object *object)
{
    kube__api_response *response = work->response;
    if (work->view != KUBE__API_VIEW_OBJECT || work->media != KUBE__API_MEDIA_JSON) {
        kube__api_send(work, http_status, kube__api_object_json(work->ctx, object, work->resource));
        return;
    }
    response->http_status = http_status;
    response->may_pretty = true;
    kube__api_object_write(object, work->resource, false, &response->body);
    kube__buffer_add(&response->body, "\n", 1);
}
