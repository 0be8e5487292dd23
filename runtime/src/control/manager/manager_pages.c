/* SPDX-License-Identifier: Apache-2.0 */
/* The pages that a manager serves over HTTP, and its own health checks. */
#include "base/ctx.h"
#include "base/text.h"
#include "cache/factory.h"
#include "manager_state.h"

#include <kube/codec.h>
#include <kube/log.h>

enum { PAGES_METRICS = 1, PAGES_HEALTH = 2, PAGES_STATUS = 4 };
enum { HEALTHZ, LIVEZ, READYZ };
enum { REFRESH_S = 5 };

/* How much later than its duration a leader may be with a renewal before it counts as ill (LE-8).
 */
enum { ELECTION_TOLERANCE_MS = 20000 };

static const char *const health_names[KUBE__MANAGER_CHECKS] = {"healthz", "livez", "readyz"};

/* ---- checks ---------------------------------------------------------------------------------- */

static kube_code check_election(void *arg, kube_error *err)
{
    const kube_manager *manager = arg;
    return kube_elector_check(manager->elector, ELECTION_TOLERANCE_MS, err);
}

static kube_code check_shutdown(void *arg, kube_error *err)
{
    const kube_manager *manager = arg;
    if (kube__ctx_ended(manager->ctx, NULL))
        return kube_error_set(err, KUBE_ERR_CLOSED, "the program is ending");
    return KUBE_OK;
}

/* Of a cache that is never filled this says why: a CRD that is missing, a right. */
static kube_code check_synced(void *arg, kube_error *err)
{
    const kube_manager *manager = arg;
    return kube__informer_factory_check(manager->factory, err);
}

static bool is_served(const char *address)
{
    return address && *address && strcmp(address, "0") != 0;
}

static kube_code secure_metrics(kube_manager *manager, kube_error *err)
{
    const kube_manager_options *o = &manager->options;
    kube_code rc;
    if (!o->metrics_secure || !is_served(o->metrics_address))
        return KUBE_OK;
    rc = kube__serving_cert_new(o->metrics_cert_path, o->metrics_cert_name, o->metrics_cert_key,
                                manager->clock, &manager->metrics_cert, err);
    if (!rc)
        rc = kube__metrics_access_new(o->client, manager->config, manager->metrics, manager->clock,
                                      &manager->metrics_access, err);
    return rc;
}

kube_code kube__manager_pages_init(kube_manager *manager, kube_error *err)
{
    kube_code rc = KUBE_OK;
    for (int i = 0; !rc && i < KUBE__MANAGER_CHECKS; i++)
        rc = kube__health_new(health_names[i], &manager->health[i], err);
    if (!rc)
        rc = kube__health_add(manager->health[READYZ], "informer-sync", check_synced, manager, err);
    if (!rc)
        rc = kube__health_add(manager->health[READYZ], "shutdown", check_shutdown, manager, err);
    if (!rc && manager->elector)
        rc =
            kube_manager_add_health_check(manager, "leader-election", check_election, manager, err);
    return rc ? rc : secure_metrics(manager, err);
}

void kube__manager_pages_fini(kube_manager *manager)
{
    kube__metrics_access_free(manager->metrics_access);
    kube__serving_cert_free(manager->metrics_cert);
    for (int i = 0; i < KUBE__MANAGER_CHECKS; i++)
        kube__health_free(manager->health[i]);
}

kube_code kube_manager_add_health_check(kube_manager *manager, const char *name,
                                        kube_health_check *check, void *arg, kube_error *err)
{
    kube_code rc = kube__manager_check_new(manager, "a check", err);
    if (!rc)
        rc = kube__health_add(manager->health[HEALTHZ], name, check, arg, err);
    return rc ? rc : kube__health_add(manager->health[LIVEZ], name, check, arg, err);
}

kube_code kube_manager_add_ready_check(kube_manager *manager, const char *name,
                                       kube_health_check *check, void *arg, kube_error *err)
{
    kube_code rc = kube__manager_check_new(manager, "a check", err);
    return rc ? rc : kube__health_add(manager->health[READYZ], name, check, arg, err);
}

/* ---- pages ----------------------------------------------------------------------------------- */

static const char *status_page(kube_manager *manager, kube_ctx *ctx)
{
    kube__status_view view = {
        .name = manager->options.name,
        .version = manager->options.version,
        .server = manager->config ? kube_config_server(manager->config) : NULL,
        .namespace_ = manager->options.namespace_,
        .clock = manager->clock,
        .started_ns = manager->started_ns,
        .factory = manager->factory,
        .elector = manager->elector,
        .recorder = manager->recorder,
        .flight = manager->flight,
        .ready = manager->health[READYZ],
        .refresh_s = REFRESH_S,
    };
    view.controllers = kube__manager_look_at_controllers(manager, ctx, &view.controller_len);
    return view.controllers ? kube__status_page(ctx, &view) : NULL;
}

static void say_not_found(const kube__manager_server *server, kube_ctx *ctx,
                          kube__http_answer *answer)
{
    answer->status = 404;
    answer->body = kube_printf(ctx, "the pages are: %s%s%s\n",
                               server->pages & PAGES_STATUS ? "/ /flight /flight.json " : "",
                               server->pages & PAGES_METRICS ? "/metrics " : "",
                               server->pages & PAGES_HEALTH ? "/healthz /livez /readyz" : "");
}

/* Whether @path is that of a check: "/readyz", "/readyz/ping". */
static bool is_health_path(const char *path, const char *name)
{
    size_t len = strlen(name);
    return *path == '/' && strncmp(path + 1, name, len) == 0 &&
           (!path[1 + len] || path[1 + len] == '/');
}

static kube__health *health_at(const kube__manager_server *server, const char *path)
{
    for (int i = 0; (server->pages & PAGES_HEALTH) && i < KUBE__MANAGER_CHECKS; i++) {
        if (is_health_path(path, health_names[i]))
            return server->manager->health[i];
    }
    return NULL;
}

static void answer_metrics(const kube__manager_server *server, kube_ctx *ctx,
                           const kube__http_server_request *request, kube__http_answer *answer)
{
    const kube_manager *manager = server->manager;
    if (server->access && !kube__metrics_access_allows(server->access, ctx, request, answer))
        return;
    answer->content_type = "text/plain; version=0.0.4; charset=utf-8";
    answer->body = kube_metrics_text(manager->metrics, ctx);
}

static void answer_request(void *arg, kube_ctx *ctx, const kube__http_server_request *request,
                           kube__http_answer *answer)
{
    const kube__manager_server *server = arg;
    kube_manager *manager = server->manager;
    kube__health *health = health_at(server, request->path);
    if (health) {
        kube__health_answer(health, ctx, request, answer);
    } else if ((server->pages & PAGES_METRICS) && strcmp(request->path, "/metrics") == 0) {
        answer_metrics(server, ctx, request, answer);
    } else if (!(server->pages & PAGES_STATUS)) {
        say_not_found(server, ctx, answer);
    } else if (strcmp(request->path, "/") == 0) {
        answer->content_type = "text/html; charset=utf-8";
        answer->body = status_page(manager, ctx);
    } else if (strcmp(request->path, "/flight") == 0) {
        answer->body = kube_flight_text(manager->flight, ctx);
    } else if (strcmp(request->path, "/flight.json") == 0) {
        answer->content_type = "application/json";
        answer->body = kube_flight_json(manager->flight, ctx);
    } else {
        say_not_found(server, ctx, answer);
    }
}

/* ---- servers --------------------------------------------------------------------------------- */

kube_code kube__manager_serve(kube_manager *manager, kube_error *err)
{
    const struct {
        const char *address;
        const char *option;
        unsigned pages;
        const char *told; /* in the log, before the address and after it */
        const char *path;
    } wanted[KUBE__MANAGER_SERVERS] = {
        {manager->options.http_address, "--http-bind-address",
         PAGES_STATUS | PAGES_METRICS | PAGES_HEALTH, "status page", "/"},
        {manager->options.metrics_address, "--metrics-bind-address", PAGES_METRICS, "metrics",
         "/metrics"},
        {manager->options.health_address, "--health-probe-bind-address", PAGES_HEALTH, "health",
         "/readyz"},
    };
    kube_code rc = KUBE_OK;

    for (int i = 0; !rc && i < KUBE__MANAGER_SERVERS; i++) {
        kube__manager_server *server = &manager->servers[i];
        const char *address = wanted[i].address;
        bool secure = wanted[i].pages == PAGES_METRICS && manager->metrics_cert;
        *server = (kube__manager_server){.manager = manager, .pages = wanted[i].pages};
        if (!is_served(address))
            continue;
        server->access = secure ? manager->metrics_access : NULL;
        rc = kube__http_start(
            &(kube__http_options){
                .address = address,
                .what = wanted[i].option,
                .handler = answer_request,
                .arg = server,
                .certificate = secure ? manager->metrics_cert : NULL,
            },
            &server->http, err);
        if (!rc)
            kube_log_info("%s: http%s://%s%s", wanted[i].told, secure ? "s" : "",
                          kube__http_address(server->http), wanted[i].path);
    }
    if (manager->servers[0].http)
        atomic_store(&manager->address, kube__http_address(manager->servers[0].http));
    return rc;
}

void kube__manager_stop_serving(kube_manager *manager)
{
    atomic_store(&manager->address, NULL);
    for (int i = 0; i < KUBE__MANAGER_SERVERS; i++) {
        kube__http_stop(manager->servers[i].http);
        manager->servers[i].http = NULL;
    }
}
