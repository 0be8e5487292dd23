/* SPDX-License-Identifier: Apache-2.0 */
/* A server that answers is well: its checks are there for those who name them. */
#include "apiserver/core/request.h"
#include "discovery.h"

#include <string.h>

typedef struct endpoint {
    const char *path;
    const char *name;
    const char *checks[6]; /* NULL-terminated */
} endpoint;

static const endpoint endpoints[] = {
    {"/healthz", "healthz", {"ping", "log", "etcd", NULL}},
    {"/livez", "livez", {"ping", "log", "etcd", NULL}},
    {"/readyz", "readyz", {"ping", "log", "etcd", "informer-sync", "shutdown", NULL}},
};

static void start_text(kube__api_response *response)
{
    response->http_status = 200;
    response->content_type = "text/plain; charset=utf-8";
    kube__buffer_reset(&response->body);
}

static bool is_excluded(const kube__api_request *request, const char *check)
{
    for (size_t i = 0; i < request->query.len; i++) {
        if (strcmp(request->query.items[i].key, "exclude") == 0 &&
            strcmp(request->query.items[i].value, check) == 0)
            return true;
    }
    return false;
}

/* The excluded names that no check has. */
static void put_unknown_exclusions(const endpoint *e, const kube__api_request *request,
                                   kube__buffer *out)
{
    bool any = false;
    for (size_t i = 0; i < request->query.len; i++) {
        const kube__api_pair *pair = &request->query.items[i];
        if (strcmp(pair->key, "exclude") != 0 || kube__api_is_one_of(pair->value, e->checks))
            continue;
        kube__buffer_printf(out, "%s\"%s\"",
                            any ? ","
                                : "warn: some health checks cannot be excluded: no matches "
                                  "for ",
                            pair->value);
        any = true;
    }
    if (any)
        kube__buffer_add_text(out, "\n");
}

static void answer(const endpoint *e, const kube__api_request *request,
                   kube__api_response *response)
{
    kube__buffer *out = &response->body;
    bool verbose = false;
    start_text(response);
    kube__api_add_header(response, "X-Content-Type-Options", "nosniff");
    for (size_t i = 0; i < request->query.len; i++)
        verbose = verbose || strcmp(request->query.items[i].key, "verbose") == 0;
    if (!verbose) {
        kube__buffer_add_text(out, "ok");
        return;
    }
    for (size_t i = 0; e->checks[i]; i++)
        kube__buffer_printf(out, "[+]%s %s\n", e->checks[i],
                            is_excluded(request, e->checks[i]) ? "excluded: ok" : "ok");
    put_unknown_exclusions(e, request, out);
    kube__buffer_printf(out, "%s check passed\n", e->name);
}

bool kube__api_health(const kube__api_request *request, kube__api_response *response)
{
    for (size_t i = 0; i < sizeof endpoints / sizeof *endpoints; i++) {
        const endpoint *e = &endpoints[i];
        size_t len = strlen(e->path);
        if (strncmp(request->path, e->path, len) != 0)
            continue;
        if (!request->path[len]) {
            answer(e, request, response);
            return true;
        }
        if (request->path[len] != '/' || !kube__api_is_one_of(request->path + len + 1, e->checks))
            return false;
        start_text(response);
        kube__buffer_add_text(&response->body, "ok");
        return true;
    }
    return false;
}

const char *kube__api_health_path(kube_ctx *ctx, size_t index)
{
    for (size_t i = 0; i < sizeof endpoints / sizeof *endpoints; i++) {
        if (index-- == 0)
            return endpoints[i].path;
        for (size_t k = 0; endpoints[i].checks[k]; k++) {
            if (index-- == 0)
                return kube__api_text(ctx, "%s/%s", endpoints[i].path, endpoints[i].checks[k]);
        }
    }
    return NULL;
}
