/* SPDX-License-Identifier: Apache-2.0 */

#include "apiserver/auth/auth.h"
#include "apiserver/controllers/controllers.h"
#include "apiserver/core/apiserver.h"
#include "apiserver/core/fault.h"
#include "apiserver/registry/registry.h"
#include "apiserver/store/journal.h"
#include "apiserver/store/store.h"
#include "apiserver/verbs/handle.h"
#include "apiserver/watch/watch.h"
#include "call_log.h"
#include "http.h"
#include "journal_load.h"
#include "kubeconfig.h"
#include "tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_HISTORY = 10000, DEFAULT_CALL_LIMIT = 10000, DEFAULT_BOOKMARK_INTERVAL_MS = 60000 };

static kube_code no_memory(kube_error *err)
{
    return kube_error_set(err, KUBE_ERR_NO_MEMORY, "start the api server: out of memory");
}

static kube_code take_options(kube_apiserver *server, const kube_apiserver_options *given,
                              kube_error *err)
{
    kube_apiserver_options *options = &server->options;
    if (given)
        *options = *given;
    if (!options->history)
        options->history = DEFAULT_HISTORY;
    if (!options->call_limit)
        options->call_limit = DEFAULT_CALL_LIMIT;
    if (!options->bookmark_interval_ms)
        options->bookmark_interval_ms = DEFAULT_BOOKMARK_INTERVAL_MS;
    if (!options->clock)
        options->clock = kube_clock_system();
    if (options->authorization == KUBE_APISERVER_RBAC)
        options->tls = true; /* without it nobody says who he is */
    server->clock = options->clock;
    server->handle = kube__api_handle;
    options->seed = kube__api_random_init(&server->random, options->seed);
    if (options->data_file) {
        options->data_file = strdup(options->data_file);
        if (!options->data_file)
            return no_memory(err);
    }
    return KUBE_OK;
}

/* What is only memory, and the built-in resources. */
static kube_code make_parts(kube_apiserver *server, kube_error *err)
{
    const kube_apiserver_options *options = &server->options;
    server->registry = kube__api_registry_new();
    server->store = kube__api_store_new(options->history);
    server->authority = kube__api_authority_new(&server->random);
    server->faults = kube__api_faults_new(options->seed);
    server->calls = kube__api_call_log_new(options->call_limit);
    if (!server->registry || !server->store || !server->authority || !server->faults ||
        !server->calls || !kube__api_register_builtins(server->registry, server->store))
        return no_memory(err);
    return KUBE_OK;
}

static kube_code bootstrap_rbac(kube_apiserver *server, kube_error *err)
{
    bool done = true;
    kube__lock(&server->lock);
    if (server->options.authorization == KUBE_APISERVER_RBAC)
        done = kube__api_authority_bootstrap(server);
    kube__unlock(&server->lock);
    return done ? KUBE_OK
                : kube_error_set(err, KUBE_ERR_SERVER, "store the roles every cluster has");
}

static kube_code start_http(kube_apiserver *server, kube_error *err)
{
    kube__api_http *http = NULL;
    kube_code rc = KUBE_OK;
    int len;
    if (server->options.tls)
        rc = kube__api_tls_new(&server->tls, err);
    if (!rc)
        rc = kube__api_http_start(server, server->options.port, server->tls, &http, err);
    if (rc)
        return rc;
    kube__lock(&server->lock);
    server->http = http;
    kube__unlock(&server->lock);
    len = asprintf(&server->url, "http%s://127.0.0.1:%u", server->tls ? "s" : "",
                   kube__api_http_port(http));
    if (len < 0) {
        server->url = NULL;
        return no_memory(err);
    }
    server->kubeconfig = kube__api_kubeconfig(server);
    return server->kubeconfig ? KUBE_OK : no_memory(err);
}

static kube_code start_parts(kube_apiserver *server, kube_error *err)
{
    kube_code rc = make_parts(server, err);
    if (!rc)
        rc = kube__api_watchers_start(server, &server->watchers, err);
    if (!rc && server->options.data_file)
        rc = kube__api_journal_open(server, server->options.data_file, kube__journal_load,
                                    &server->journal, err);
    if (!rc)
        rc = bootstrap_rbac(server, err);
    if (!rc)
        rc = kube__api_controllers_start(server, &server->controllers, err);
    if (!rc)
        rc = start_http(server, err);
    return rc;
}

kube_code kube_apiserver_start(const kube_apiserver_options *options, kube_apiserver **out,
                               kube_error *err)
{
    kube_apiserver *server = calloc(1, sizeof *server);
    kube_code rc;
    *out = NULL;
    if (!server)
        return no_memory(err);
    rc = kube__mutex_init(&server->lock, err);
    if (rc) {
        free(server);
        return rc;
    }
    rc = take_options(server, options, err);
    if (!rc)
        rc = start_parts(server, err);
    if (rc)
        kube_apiserver_stop(server);
    else
        *out = server;
    return rc;
}

/* Threads first, then what they use. */
void kube_apiserver_stop(kube_apiserver *server)
{
    if (!server)
        return;
    if (server->watchers)
        kube__api_watchers_close(server->watchers);
    kube__api_http_stop(server->http);
    kube__api_controllers_stop(server->controllers); /* after all who make changes it is told of */
    kube__api_watchers_free(server->watchers);
    if (server->journal)
        kube__api_journal_close(server->journal);
    kube__api_tls_free(server->tls);
    kube__api_call_log_free(server->calls);
    kube__api_faults_free(server->faults);
    if (server->authority)
        kube__api_authority_free(server->authority);
    if (server->registry)
        kube__api_registry_free(server->registry);
    if (server->store)
        kube__api_store_free(server->store);
    kube__mutex_fini(&server->lock);
    free((char *)(uintptr_t)server->options.data_file);
    free(server->url);
    free(server->kubeconfig);
    free(server);
}

/* ---- asking --------------------------------------------------------------------------------- */

const char *kube_apiserver_url(const kube_apiserver *server)
{
    return server->url;
}

uint16_t kube_apiserver_port(const kube_apiserver *server)
{
    return kube__api_http_port(server->http);
}

uint64_t kube_apiserver_seed(const kube_apiserver *server)
{
    return server->options.seed;
}

const char *kube_apiserver_kubeconfig(const kube_apiserver *server)
{
    return server->kubeconfig;
}

uint64_t kube_apiserver_resource_version(kube_apiserver *server)
{
    kube__lock(&server->lock);
    uint64_t version = kube__api_store_version(server->store);
    kube__unlock(&server->lock);
    return version;
}

void kube_apiserver_compact(kube_apiserver *server)
{
    kube__lock(&server->lock);
    kube__api_store_compact(server->store);
    kube__unlock(&server->lock);
}

void kube_apiserver_end_watches(kube_apiserver *server)
{
    kube__api_watchers_end(server->watchers);
}

void kube_apiserver_send_bookmarks(kube_apiserver *server)
{
    kube__api_watchers_send_bookmarks(server->watchers);
}
