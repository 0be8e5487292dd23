/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOMENT_MS = 2,
    BACKOFF_MAX_MS = 61000, /* the reflector's longest; what is longer is a watch that goes well */
};

static void must(kube_code rc, const char *what, const kube_error *err)
{
    if (rc) {
        fprintf(stderr, "soak: %s: %s\n", what, err->message);
        abort();
    }
}

/* ---- the server ----------------------------------------------------------------------------- */

static void start_server(rig *r)
{
    const kube_apiserver_options options = {
        .tls = r->tls,
        .seed = r->seed,
        .data_file = *r->data_file ? r->data_file : NULL,
    };
    kube_error err;
    must(kube_apiserver_start(&options, &r->server, &err), "start the server", &err);
    must(kube_apiserver_client(r->server, &r->own, &err), "make a client", &err);
}

static void stop_server(rig *r)
{
    kube_client_free(r->own);
    kube_apiserver_stop(r->server);
}

static void load(rig *r)
{
    static const char namespaces[] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n";
    char path[512];
    kube_error err;
    snprintf(path, sizeof path,
             "%s/examples/network-controller/config/crd/samplecrd.k8s.io_networks.yaml",
             getenv("KUBEGEN_SOURCE_DIR"));
    must(kube_apiserver_load_file(r->server, path, &err), "load the CRD", &err);
    must(kube_apiserver_load(r->server, namespaces, strlen(namespaces), &err), "load", &err);
}

void rig_restart_server(rig *r)
{
    stop_server(r);
    start_server(r);
    kube_fault_proxy_set_target_port(r->proxy, kube_apiserver_port(r->server));
}

/* ---- the controller ------------------------------------------------------------------------- */

static void *run_controller(void *arg)
{
    rig *r = arg;
    r->ended = kube_controller_run(r->controller, r->run_ctx, &r->end);
    return NULL;
}

static kube_client *client_through_proxy(rig *r)
{
    const char *text = kube_apiserver_kubeconfig(r->server);
    const kube_config_options where = {
        .master = kube_printf(r->ctx, "%s://127.0.0.1:%u", r->tls ? "https" : "http",
                              (unsigned)kube_fault_proxy_port(r->proxy)),
    };
    kube_config *config;
    kube_client *client;
    kube_error err;
    must(kube_config_parse(text, strlen(text), "/", &where, &config, &err), "kubeconfig", &err);
    must(kube_client_new(config, NULL, &client, &err), "client", &err);
    kube_config_free(config);
    return client;
}

/* Every other life lists by pages, so that both ways of the reflector are tried. */
void rig_start_controller(rig *r)
{
    const kube_informer_options cache = {.clock = kube_fake_clock_clock(r->clock),
                                         .no_streaming_list = r->lives++ % 2};
    const kube_controller_options options = {
        .name = "networks",
        .for_ = &samplecrd_v1_network_type,
        .reconcile = network_reconcile,
        .arg = &r->network,
        .workers = 2,
    };
    kube_error err;
    r->run_ctx = kube_ctx_new();
    r->client = client_through_proxy(r);
    must(kube_informer_factory_new(r->client, &cache, &r->factory, &err), "factory", &err);
    must(network_controller_init(&r->network, r->factory, &err), "controller", &err);
    must(kube_controller_new(r->factory, &options, &r->controller, &err), "controller", &err);
    must(network_enqueue_existing(&r->network, r->controller, r->run_ctx, &err), "enqueue", &err);
    if (pthread_create(&r->thread, NULL, run_controller, r) != 0)
        abort();
}

void rig_stop_controller(rig *r)
{
    kube_ctx_cancel(r->run_ctx);
    pthread_join(r->thread, NULL);
    must(r->ended, "the controller ended", &r->end);
    kube_controller_free(r->controller);
    kube_informer_factory_free(r->factory);
    kube_client_free(r->client);
    kube_ctx_free(r->run_ctx);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void make_data_file(rig *r)
{
    int fd;
    snprintf(r->data_file, sizeof r->data_file, "/tmp/kubegen-soak-XXXXXX");
    fd = mkstemp(r->data_file);
    if (fd < 0)
        abort();
    close(fd);
}

void rig_open(rig *r, uint64_t seed, bool tls)
{
    kube_fault_proxy_options options = {.seed = seed};
    kube_error err;
    *r = (rig){.seed = seed, .tls = tls, .lives = (unsigned)(seed % 2)};
    r->ctx = kube_ctx_new();
    r->clock = kube_fake_clock_new();
    r->recorder = kube_fake_recorder_new();
    r->network.provider = memory_provider_new();
    r->network.recorder = kube_fake_recorder_recorder(r->recorder);
    if (!tls)
        make_data_file(r);
    start_server(r);
    load(r);
    options.target_port = kube_apiserver_port(r->server);
    must(kube_fault_proxy_start(&options, &r->proxy, &err), "start the proxy", &err);
    rig_start_controller(r);
}

void rig_close(rig *r)
{
    rig_stop_controller(r);
    kube_fault_proxy_stop(r->proxy);
    stop_server(r);
    if (*r->data_file)
        unlink(r->data_file);
    r->network.provider->free(r->network.provider);
    kube_fake_recorder_free(r->recorder);
    kube_fake_clock_free(r->clock);
    kube_ctx_free(r->ctx);
}

void rig_let_time_pass(rig *r)
{
    size_t calls = memory_provider_call_count(r->network.provider);
    kube_ctx *moment = kube_ctx_child(r->ctx);
    int64_t next = kube_fake_clock_next_ms(r->clock);
    if (next <= BACKOFF_MAX_MS)
        kube_fake_clock_advance_ms(r->clock, next);
    kube_ctx_set_timeout_ms(moment, MOMENT_MS);
    memory_provider_wait_for_call(r->network.provider, moment, calls);
    kube_ctx_free(moment);
}
