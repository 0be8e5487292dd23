/* SPDX-License-Identifier: Apache-2.0 */
/* /openapi/v3: the index with a hash for each group version, and their documents. Of version 2,
 * that there is nothing. */
#include "openapi.h"

#include "apiserver/core/apiserver.h"
#include "apiserver/core/request.h"
#include "apiserver/registry/registry.h"
#include "apiserver/value/sha256.h"
#include "base/text.h"
#include "base/units.h"
#include "discovery.h"

#include <string.h>
#include <time.h>

/* "api/v1", "apis/apps/v1" */
static const char *key_of(kube_ctx *ctx, const kube__api_resource *resource)
{
    return resource->group[0]
               ? kube__api_text(ctx, "apis/%s/%s", resource->group, resource->version)
               : kube__api_text(ctx, "api/%s", resource->version);
}

/*
 * Over what the document is made of, not over its text: an index is asked for with every call of
 * kubectl, and documents are large. Built-ins change with the program only.
 */
static void hash_of(kube_apiserver *server, const char *group, const char *version,
                    char out[KUBE__SHA256_TEXT])
{
    kube__buffer text;
    const kube__api_resource *resource;
    kube__buffer_init(&text, SIZE_MAX / 4);
    kube__buffer_printf(&text, "%s/%s/%s", KUBE_VERSION, group, version);
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++) {
        if (strcmp(resource->group, group) != 0 || strcmp(resource->version, version) != 0)
            continue;
        kube__buffer_printf(&text, "\n%s ", resource->plural);
        if (resource->crd)
            kube__json_write(kube__json_get(resource->crd, "spec"), &text);
    }
    kube__sha256_text(text.data ? text.data : "", text.len, true, out);
    kube__buffer_fini(&text);
}

static void send_index(kube_apiserver *server, kube_ctx *ctx, kube__api_response *response)
{
    kube__json *root = kube__json_object(ctx);
    kube__json *paths = kube__json_set(ctx, root, "paths", kube__json_object(ctx));
    const kube__api_resource *resource;
    for (size_t i = 0; (resource = kube__api_registry_at(server->registry, i)); i++) {
        char hash[KUBE__SHA256_TEXT];
        const char *key = key_of(ctx, resource);
        if (kube__json_get(paths, key))
            continue;
        hash_of(server, resource->group, resource->version, hash);
        kube__json *entry = kube__json_set(ctx, paths, key, kube__json_object(ctx));
        kube__json_set(ctx, entry, "serverRelativeURL",
                       kube__json_stringf(ctx, "/openapi/v3/%s?hash=%s", key, hash));
    }
    kube__json_sort(paths);
    kube__api_respond_json(response, 200, root);
    response->content_type = "text/plain; charset=utf-8";
    response->may_pretty = false;
}

/* ---- a document ----------------------------------------------------------------------------- */

/* "api/v1" or "apis/apps/v1" behind the prefix; false when it is neither. */
static bool parse_path(kube_ctx *ctx, const char *path, const char **group, const char **version)
{
    bool is_core = strncmp(path, "api/", 4) == 0;
    if (!is_core && strncmp(path, "apis/", 5) != 0)
        return false;
    path += is_core ? 4 : 5;
    size_t group_len = is_core ? 0 : strcspn(path, "/");
    if (!is_core && path[group_len] != '/')
        return false;
    *group = kube_ctx_strndup(ctx, path, group_len);
    *version = path + group_len + (is_core ? 0 : 1);
    return *group && (*version)[0] && !strchr(*version, '/');
}

static void write_document(kube_apiserver *server, kube_ctx *ctx, const char *group,
                           const char *version, kube__buffer *out)
{
    kube__buffer_add_text(out, "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"Kubernetes\","
                               "\"version\":\"1.37\"},\"paths\":{");
    kube__api_openapi_paths(server, ctx, group, version, out);
    kube__buffer_add_text(out, "},\"components\":{\"schemas\":{");
    kube__api_openapi_components(server, ctx, group, version, out);
    kube__buffer_add_text(out, "}}}\n");
}

/* A year from now, as the real server writes it. */
static const char *expiry(kube_ctx *ctx)
{
    time_t now = time(NULL) + (time_t)(365 * KUBE__S_PER_DAY);
    struct tm parts;
    char text[64];
    if (!gmtime_r(&now, &parts) ||
        strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S UTC", &parts) == 0)
        return "";
    return kube__text_or_empty(kube_ctx_strdup(ctx, text));
}

static bool accepts_json(const kube__api_request *request)
{
    const char *accept = kube__api_header(request, "accept");
    return !accept[0] || strstr(accept, "json") || strstr(accept, "*/*") ||
           strstr(accept, "application/*");
}

static void send_document(kube_apiserver *server, const kube__api_request *request,
                          kube__api_response *response, const char *group, const char *version)
{
    kube_ctx *ctx = request->ctx;
    char hash[KUBE__SHA256_TEXT];
    hash_of(server, group, version, hash);
    const char *etag = kube__api_text(ctx, "\"%s\"", hash);
    const char *asked = kube__api_query(request, "hash");
    if (asked[0] && strcmp(asked, hash) != 0) {
        const char *url = kube__api_text(ctx, "%s?hash=%s", request->path, hash);
        response->http_status = 301;
        response->content_type = "";
        kube__api_add_header(response, "Location", url);
        return;
    }
    kube__api_add_header(response, "Vary", "Accept");
    kube__api_add_header(response, "Etag", etag);
    if (asked[0]) {
        kube__api_add_header(response, "Cache-Control", "public, immutable");
        kube__api_add_header(response, "Expires", expiry(ctx));
    }
    if (etag && strcmp(kube__api_header(request, "if-none-match"), etag) == 0) {
        response->http_status = 304;
        response->content_type = "";
        return;
    }
    response->http_status = 200;
    response->may_pretty = false;
    kube__buffer_reset(&response->body);
    write_document(server, ctx, group, version, &response->body);
    response->content_type = "application/json";
}

/*
 * /openapi/v2 is what kubectl falls back to for a kind that version 3 does not have, to find that
 * there is no schema to hold it against: a document without definitions says the same.
 */
static void send_version_2(const kube__api_request *request, kube__api_response *response)
{
    static const char protobuf[] = "\012\0032.0\022\022\012\012Kubernetes\022\0041.37\102";
    kube__api_add_header(response, "Vary", "Accept-Encoding");
    kube__api_add_header(response, "Vary", "Accept");
    response->http_status = 200;
    response->may_pretty = false;
    kube__buffer_reset(&response->body);
    if (strstr(kube__api_header(request, "accept"), "protobuf")) {
        kube__buffer_add(&response->body, protobuf, sizeof protobuf); /* paths: 0 bytes */
        response->content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    } else {
        kube__buffer_add_text(&response->body,
                              "{\"swagger\":\"2.0\",\"info\":{\"title\":\"Kubernetes\","
                              "\"version\":\"1.37\"},\"paths\":{}}");
        response->content_type = "application/json";
    }
}

bool kube__api_openapi(kube_apiserver *server, kube__api_request *request,
                       kube__api_response *response)
{
    static const char prefix[] = "/openapi/v3";
    const char *group;
    const char *version;
    const char *path = request->path;
    if (strcmp(path, "/openapi/v2") == 0 && strcmp(request->method, "GET") == 0) {
        send_version_2(request, response);
        return true;
    }
    if (strncmp(path, prefix, strlen(prefix)) != 0 || strcmp(request->method, "GET") != 0)
        return false;
    path += strlen(prefix);
    if (strcmp(path, "") == 0 || strcmp(path, "/") == 0) {
        send_index(server, request->ctx, response);
        return true;
    }
    if (*path++ != '/')
        return false;
    if (!parse_path(request->ctx, path, &group, &version) ||
        !kube__api_registry_has_version(server->registry, group, version)) {
        response->http_status = 404;
        response->content_type = "";
        return true;
    }
    if (!accepts_json(request)) {
        kube__api_add_header(response, "Vary", "Accept");
        response->http_status = 406;
        response->content_type = "";
        return true;
    }
    send_document(server, request, response, group, version);
    return true;
}
