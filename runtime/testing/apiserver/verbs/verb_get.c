/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/auth/auth.h"
#include "apiserver/store/list_options.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "apiserver/watch/watch.h"
#include "review.h"
#include "verb.h"

/* A get may ask for a state that is not too old: all but those to come are here. */
static kube__api_failure *check_version(kube__api_work *work)
{
    const char *text = kube__api_query(work->request, "resourceVersion");
    uint64_t newest = kube__api_store_version(work->server->store);
    uint64_t version;
    const char *why;
    if (!*text)
        return NULL;
    if (!kube__api_parse_version(work->ctx, text, &version, &why))
        return kube__api_fail(work->ctx, 500, "", "resourceVersion: Invalid value: %s: %s",
                              kube__api_quote(work->ctx, text), why);
    return version > newest ? kube__api_version_too_large(work->ctx, version, newest) : NULL;
}

kube__api_failure *kube__api_verb_get(kube__api_work *work)
{
    kube__api_object *object;
    kube__api_failure *failure = check_version(work);
    if (!failure)
        failure = kube__api_find_object(work, &object);
    if (!failure)
        kube__api_send_object(work, 200, object);
    return failure;
}

kube__api_failure *kube__api_verb_watch(kube__api_work *work)
{
    kube__api_watch *watch;
    kube__api_failure *failure =
        kube__api_watch_open(work->server, work->request, work->resource, &watch);
    if (failure)
        return failure;
    work->response->http_status = 200;
    work->response->watch = watch;
    return NULL;
}

/* Nothing is stored: the answer is the object with its status filled in. */
kube__api_failure *kube__api_verb_review(kube__api_work *work)
{
    kube__api_findings findings = {.ctx = work->ctx};
    kube__json *object;
    kube__json *answer;
    bool yaml;
    kube__api_failure *failure = kube__api_read_options(work, "CreateOptions", false);
    if (!failure)
        failure = kube__api_check_content_type(work, &yaml);
    if (!failure && *work->request->subresource)
        failure = kube__api_read_document(work, "TokenRequest", yaml, &findings, &object);
    else if (!failure)
        failure = kube__api_read_object(work, &object);
    if (!failure && *work->request->subresource)
        failure = kube__review_token_request(work->server, work->request, object, &answer);
    else if (!failure)
        failure = kube__api_review(work->server, work->request, work->resource, object, &answer);
    if (!failure)
        kube__api_send_document(work, 201, answer);
    return failure;
}
