/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include "base/memory.h"
#include "warning.h"

#include <kube/log.h>
#include <stdlib.h>

/* A server that works says something in this time; apiserver's own limit for a call is 60 s. */
enum { SILENCE_MS = 30000 };

static void found_warning(void *arg, const char *text)
{
    kube_client *client = arg;
    void (*handler)(void *arg, const char *text);
    void *handler_arg;
    kube__lock(&client->mutex);
    handler = client->warning;
    handler_arg = client->warning_arg;
    kube__unlock(&client->mutex);
    if (handler)
        handler(handler_arg, text);
    else
        kube_log_warn("server: %s", text);
}

static void on_warning(void *arg, const char *value)
{
    kube__warning_parse(value, found_warning, arg);
}

/*
 * Two, each with a thread and a pool of connections. In one pool curl takes a stream's busy
 * HTTP/1.1 connection for one that a call may share, because another connection to that host is
 * HTTP/2, and the call hangs behind the watch (seen with 7.88). And decoding a long list delays no
 * call.
 */
static kube_code start_transports(kube_client *client, kube_error *err)
{
    kube_code rc =
        kube__transport_curl_new(client->config, on_warning, client, &client->transport, err);
    if (!rc)
        rc = kube__transport_curl_new(client->config, on_warning, client, &client->streams, err);
    return rc;
}

kube_code kube__client_new(const kube_config *config, const kube__client_parts *parts,
                           kube_client **out, kube_error *err)
{
    kube_client *client = calloc(1, sizeof *client);
    kube_code rc = KUBE_OK;
    *out = NULL;
    if (!client || kube__mutex_init(&client->mutex, NULL)) {
        free(client);
        if (parts->transport)
            parts->transport->free(parts->transport);
        return kube__no_memory(err, "a client");
    }
    client->config = kube__config_ref(config);
    client->silence_ms = SILENCE_MS;
    client->transport = parts->transport;
    client->streams = parts->transport;
    atomic_init(&client->request_count, 0);
    if (!client->transport)
        rc = start_transports(client, err);
    if (!rc)
        rc = kube__credentials_new(config, parts->clock ? parts->clock : kube_clock_system(),
                                   &client->credentials, err);
    if (rc) {
        kube_client_free(client);
        return rc;
    }
    *out = client;
    return KUBE_OK;
}

kube_code kube_client_new(const kube_config *config, kube_client **out, kube_error *err)
{
    const kube__client_parts parts = {0};
    return kube__client_new(config, &parts, out, err);
}

void kube_client_free(kube_client *client)
{
    if (!client)
        return;
    if (client->streams && client->streams != client->transport)
        client->streams->free(client->streams);
    if (client->transport)
        client->transport->free(client->transport);
    kube__credentials_free(client->credentials);
    kube__mutex_fini(&client->mutex);
    kube_config_free(client->config);
    free(client);
}

const char *kube_client_namespace(const kube_client *client)
{
    return client->config->namespace_;
}

void kube_client_set_warning_handler(kube_client *client,
                                     void (*handler)(void *arg, const char *text), void *arg)
{
    kube__lock(&client->mutex);
    client->warning = handler;
    client->warning_arg = arg;
    kube__unlock(&client->mutex);
}

void kube_client_set_fence(kube_client *client, kube_fence *fence, int64_t grace_ms)
{
    client->fence = fence;
    if (client->transport->set_fence)
        client->transport->set_fence(client->transport, fence, grace_ms);
}

kube_code kube_client_set_metrics(kube_client *client, kube_metrics *metrics, kube_error *err)
{
    return kube__client_metrics_init(&client->metrics, metrics, client->config->authority, err);
}

uint64_t kube_client_request_count(const kube_client *client)
{
    return atomic_load_explicit(&client->request_count, memory_order_relaxed);
}
