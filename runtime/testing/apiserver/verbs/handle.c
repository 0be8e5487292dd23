/* SPDX-License-Identifier: Apache-2.0 */
/* From a request's path and method to the verb that answers it. */
#include "handle.h"

#include "apiserver/auth/auth.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/name.h"
#include "apiserver/core/request.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/query/timeout.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/journal.h"
#include "apiserver/store/store.h"
#include "apiserver/value/quote.h"
#include "apiserver/value/yaml.h"
#include "verb.h"

#include <string.h>

/* ---- refusals ------------------------------------------------------------------------------- */

static kube__api_failure *no_page(kube_ctx *ctx)
{
    kube__api_failure *failure = kube__api_fail(ctx, 404, "", "404 page not found");
    failure->plain_text = true;
    return failure;
}

/* Custom resources name verb and resource. */
static kube__api_failure *no_verb(kube__api_work *work, const char *verb)
{
    const kube__api_resource *resource = work->resource;
    kube__api_failure *failure = kube__api_fail(
        work->ctx, 405, "MethodNotAllowed", "%s is not supported on resources of kind \"%s\"", verb,
        kube__api_resource_qualified(work->ctx, resource));
    failure->has_details = true;
    failure->group = resource->group;
    failure->kind = resource->plural;
    return failure;
}

/* A group of built-ins has a router of its own, which says it in JSON. */
static bool is_builtin_group(const kube__api_registry *registry, const char *group)
{
    const kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(registry, i)) != NULL; i++) {
        if (!resource->custom && strcmp(resource->group, group) == 0)
            return true;
    }
    return false;
}

/* ---- routes --------------------------------------------------------------------------------- */

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool has_scale(const kube__api_resource *resource)
{
    return resource->scale.spec_replicas != NULL;
}

typedef struct route {
    const char *subresource;
    const char *method;
    kube__api_verb *verb;
} route;

static const route object_routes[] = {
    {"", "GET", kube__api_verb_get},
    {"", "PUT", kube__api_verb_update},
    {"", "PATCH", kube__api_verb_patch},
    {"", "DELETE", kube__api_verb_delete},
    {"status", "GET", kube__api_verb_get},
    {"status", "PUT", kube__api_verb_update},
    {"status", "PATCH", kube__api_verb_patch},
    {"scale", "GET", kube__api_scale_get},
    {"scale", "PUT", kube__api_scale_update},
    {"scale", "PATCH", kube__api_scale_patch},
    {"finalize", "PUT", kube__api_verb_update},
    {"binding", "POST", kube__api_pod_bind},
    {"eviction", "POST", kube__api_pod_evict},
    {"token", "POST", kube__api_verb_review},
};

static kube__api_verb *find_route(const char *subresource, const char *method)
{
    for (size_t i = 0; i < sizeof(object_routes) / sizeof *object_routes; i++) {
        if (is(object_routes[i].subresource, subresource) && is(object_routes[i].method, method))
            return object_routes[i].verb;
    }
    return NULL;
}

static bool has_subresource(const kube__api_resource *resource, const char *subresource)
{
    if (!*subresource)
        return true;
    if (is(subresource, "status"))
        return resource->has_status;
    if (is(subresource, "scale"))
        return has_scale(resource);
    if (resource->custom || *resource->group)
        return false;
    if (is(resource->plural, "pods"))
        return is(subresource, "binding") || is(subresource, "eviction");
    if (is(resource->plural, "serviceaccounts"))
        return is(subresource, "token");
    return is(resource->plural, "namespaces") && is(subresource, "finalize");
}

static kube__api_verb *collection_verb(const kube__api_work *work)
{
    const kube__api_resource *resource = work->resource;
    const char *method = work->request->method;
    bool everywhere = resource->namespaced && !*work->request->namespace_;
    bool reads = is(method, "GET") || (resource->custom && is(method, "HEAD"));
    if (reads && !resource->review)
        return is(work->request->verb, "watch") ? kube__api_verb_watch : kube__api_verb_list;
    if (everywhere)
        return NULL;
    if (is(method, "POST"))
        return resource->review ? kube__api_verb_review : kube__api_verb_create;
    if (is(method, "DELETE") && !resource->review && !is(resource->plural, "namespaces"))
        return kube__api_verb_delete_collection;
    return NULL;
}

static kube__api_failure *route_builtin(kube__api_work *work, kube__api_verb **verb)
{
    const kube__api_request *request = work->request;
    const kube__api_resource *resource = work->resource;
    bool everywhere = resource->namespaced && !*request->namespace_;
    if (!*request->name) {
        if (!resource->namespaced && *request->namespace_)
            return kube__api_no_resource(work->ctx);
        *verb = collection_verb(work);
    } else {
        if (everywhere || (!resource->namespaced && *request->namespace_) || resource->review ||
            !has_subresource(resource, request->subresource))
            return kube__api_no_resource(work->ctx);
        *verb = is(request->verb, "watch") ? kube__api_verb_watch
                                           : find_route(request->subresource, request->method);
    }
    return *verb ? NULL : kube__api_no_method(work->ctx);
}

static const char *verb_word(const char *method)
{
    return is(method, "POST")     ? "create"
           : is(method, "DELETE") ? "delete"
           : is(method, "PUT")    ? "update"
           : is(method, "PATCH")  ? "patch"
                                  : "";
}

static kube__api_failure *route_custom(kube__api_work *work, kube__api_verb **verb)
{
    const kube__api_request *request = work->request;
    const kube__api_resource *resource = work->resource;
    bool everywhere = resource->namespaced && !*request->namespace_;
    bool reads = is(request->method, "GET") || is(request->method, "HEAD");
    const char *method = reads ? "GET" : request->method;
    if ((everywhere && (*request->name || !reads)) ||
        (!resource->namespaced && *request->namespace_))
        return no_page(work->ctx);
    if (*request->subresource && !has_subresource(resource, request->subresource))
        return kube__api_object_not_found(work, request->name);
    if (is(method, "PATCH")) {
        kube__api_failure *failure = kube__api_check_patch_type(work);
        if (failure)
            return failure;
    }
    if (!*request->subresource && is(request->method, "POST"))
        *verb = kube__api_verb_create; /* on an object's path too */
    else if (!*request->name && (is(request->method, "PUT") || is(request->method, "PATCH")))
        return kube__api_bad_request(work->ctx, "name must be provided");
    else if (!*request->name)
        *verb = collection_verb(work);
    else if (is(request->verb, "watch"))
        *verb = kube__api_verb_watch;
    else
        *verb = find_route(request->subresource, method);
    return *verb ? NULL : no_verb(work, verb_word(request->method));
}

static kube__api_failure *handle_resource(kube__api_work *work)
{
    kube_apiserver *server = work->server;
    kube__api_request *request = work->request;
    kube__api_verb *verb = NULL;
    work->resource = kube__api_registry_find(server->registry, request->group, request->version,
                                             request->plural);
    if (!work->resource)
        return is_builtin_group(server->registry, request->group) ? kube__api_no_resource(work->ctx)
                                                                  : no_page(work->ctx);
    kube__api_failure *failure =
        work->resource->custom ? route_custom(work, &verb) : route_builtin(work, &verb);
    const char *wrong = kube__api_wrong_path_segment(work->ctx, request->name);
    if (!failure && wrong)
        failure = kube__api_bad_request(work->ctx, "Name parameter invalid: %s: %s",
                                        kube__api_quote(work->ctx, request->name), wrong);
    if (failure)
        return failure;
    if (work->resource->deprecation_warning)
        kube__api_warn(work->ctx, work->response, "%s", work->resource->deprecation_warning);
    kube__api_resource *resource = kube__api_resource_ref(work->resource);
    failure = kube__api_accept(work->ctx, request, resource, &work->view, &work->media);
    if (!failure)
        failure = verb(work);
    kube__api_resource_unref(resource);
    return failure;
}

/* Who reads YAML is told of failures in YAML. */
static void turn_to_yaml(const kube__api_request *request, kube__api_response *response,
                         const kube__api_failure *failure)
{
    kube_ctx *ctx = request->ctx;
    kube__api_view view;
    kube__api_media media;
    if (kube_ctx_failed(ctx) || kube__api_accept(ctx, request, NULL, &view, &media) ||
        media != KUBE__API_MEDIA_YAML)
        return;
    kube__buffer_reset(&response->body);
    kube__yaml_write(kube__api_failure_status(ctx, failure), &response->body);
    response->content_type = "application/yaml";
    response->may_pretty = false;
}

void kube__api_handle(kube_apiserver *server, kube__api_request *request,
                      kube__api_response *response)
{
    kube__api_work work = {
        .server = server, .ctx = request->ctx, .request = request, .response = response};
    uint64_t version = kube__api_store_version(server->store);
    kube__api_failure *failure = NULL;
    bool forbidden = false;
    if (!request->internal)
        failure = kube__api_check_timeout(request);
    if (!request->internal && !failure) {
        failure = kube__api_authorize(server, request);
        forbidden = failure != NULL;
    }
    if (forbidden)
        kube__api_add_header(response, "X-Content-Type-Options", "nosniff");
    if (!failure && request->is_resource)
        failure = handle_resource(&work);
    else if (!failure && !kube__api_discover(server, request, response))
        failure = no_page(request->ctx);
    if (response->watch) /* it has started: whatever goes wrong now, it tells */
        return;
    /* Nobody is told that what was done was not: the connection breaks instead. */
    if ((kube_ctx_failed(request->ctx) || response->body.failed) &&
        kube__api_store_version(server->store) != version)
        response->drop = true;
    if (!failure)
        failure = kube__api_check_memory(request->ctx);
    if (!failure && server->journal)
        failure = kube__api_journal_check(server->journal, request->ctx);
    if (!failure)
        return;
    kube__buffer_reset(&response->body);
    kube__api_respond_failure(request->ctx, response, failure);
    if (!failure->plain_text && failure->http_status != 406)
        turn_to_yaml(request, response, failure);
}
