/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include "base/memory.h"
#include "base/units.h"
#include "net/config/proxy.h"

#include <kube/log.h>
#include <stdlib.h>
#include <string.h>

enum {
    CALL_TIMEOUT_MS = 30000,
    IDLE_TIMEOUT_MS = 30000,
    WATCH_SILENCE_MS = 90000,
};

static void on_dead(void *arg)
{
    const kube_client *client = arg;
    kube__client_metrics_dead(&client->metrics, "call");
}

/*
 * Two, each with a thread and a pool of connections. In one pool curl takes a stream's busy
 * HTTP/1.1 connection for one that a call may share, because another connection to that host is
 * HTTP/2, and the call hangs behind the watch (seen with 7.88). And decoding a long list delays no
 * call.
 */
static kube_code start_transports(kube_client *client, kube_error *err)
{
    const kube__transport_options options = {on_dead, client, client->idle_timeout_ms};
    kube_code rc = kube__transport_curl_new(client->config, &options, &client->transport, err);
    if (!rc)
        rc = kube__transport_curl_new(client->config, &options, &client->streams, err);
    return rc;
}

static kube_code check_options(const kube_client_options *options, kube_error *err)
{
    if (options->call_timeout_ms < -1 || options->idle_timeout_ms < -1)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "a client's timeout is negative");
    if (options->fence_grace_ms < 0)
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the fence's grace is negative");
    if (options->user_agent && strpbrk(options->user_agent, "\r\n"))
        return kube_error_set(err, KUBE_ERR_ARGUMENT, "the user agent has more than one line");
    return KUBE_OK;
}

/* -1 stands for none, which is 0 from here on. */
static int64_t limit_of(int64_t set_ms, int64_t default_ms)
{
    return set_ms < 0 ? 0 : set_ms ? kube__ms_bounded(set_ms) : default_ms;
}

static void take_options(kube_client *client, const kube_client_options *options)
{
    int64_t set_ms =
        options->call_timeout_ms ? options->call_timeout_ms : client->config->request_timeout_ms;
    client->call_timeout_ms = limit_of(set_ms, CALL_TIMEOUT_MS);
    client->set_timeout_ms = limit_of(set_ms, 0);
    client->idle_timeout_ms = limit_of(options->idle_timeout_ms, IDLE_TIMEOUT_MS);
    client->watch_silence_ms = WATCH_SILENCE_MS;
    client->packed = !options->no_compression && !kube__proxy_is_loopback(client->config->host);
    client->on_warning = options->on_warning;
    client->on_warning_arg = options->on_warning_arg;
    client->fence = options->fence;
}

static kube_code make_parts(kube_client *client, const kube_client_options *options,
                            kube_error *err)
{
    const char *agent = options->user_agent && *options->user_agent ? options->user_agent
                                                                    : client->config->user_agent;
    kube_code rc = KUBE_OK;
    client->user_agent = strdup(agent);
    if (!client->user_agent)
        return kube__no_memory(err, "a client");
    if (!client->transport)
        rc = start_transports(client, err);
    if (!rc)
        rc = kube__credentials_new(client->config,
                                   options->clock ? options->clock : kube_clock_system(),
                                   &client->credentials, err);
    if (!rc)
        rc = kube__client_metrics_init(&client->metrics, options->metrics,
                                       client->config->authority, err);
    if (!rc && options->fence && client->transport->set_fence)
        client->transport->set_fence(client->transport, options->fence, options->fence_grace_ms);
    return rc;
}

kube_code kube__client_new(const kube_config *config, const kube_client_options *options,
                           kube__transport *transport, kube_client **out, kube_error *err)
{
    kube_client *client = NULL;
    kube_code rc;
    *out = NULL;
    rc = check_options(options, err);
    if (!rc) {
        client = calloc(1, sizeof *client);
        rc = client ? KUBE_OK : kube__no_memory(err, "a client");
    }
    if (rc) {
        if (transport)
            transport->free(transport);
        return rc;
    }
    client->config = kube__config_ref(config);
    client->transport = transport;
    client->streams = transport;
    atomic_init(&client->request_count, 0);
    take_options(client, options);
    rc = make_parts(client, options, err);
    if (rc) {
        kube_client_free(client);
        return rc;
    }
    *out = client;
    return KUBE_OK;
}

kube_code kube_client_new_sized(const kube_config *config, const kube_client_options *options,
                                size_t options_size, kube_client **out, kube_error *err)
{
    kube_client_options own;
    options = kube__sized(options, options_size, &own, sizeof own);
    return kube__client_new(config, options, NULL, out, err);
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
    kube_config_free(client->config);
    free(client->user_agent);
    free(client);
}

const char *kube_client_namespace(const kube_client *client)
{
    return client->config->namespace_;
}

uint64_t kube_client_request_count(const kube_client *client)
{
    return atomic_load_explicit(&client->request_count, memory_order_relaxed);
}
